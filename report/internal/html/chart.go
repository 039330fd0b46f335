package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// chart is an incident over time. Positions are shares of the width, so that letters keep their size on any screen.
type chart struct {
	ID, Title   string
	Rows        []chartRow
	Ticks       []chartTick
	Grid, Edges string // paths on a scale of 1000: the ticks, and where the wait began and ended
	Zero        int64  // the incident's zero, in milliseconds since 1970, or since T
	From, To    int64  // what is shown, in milliseconds from there
	EdgesAt     string // where the wait began and ended, in milliseconds from there
	Legend      string
	Page        *htmlPage

	from, to, zero time.Time
}

// chartRow is one object, or one kind of mark.
type chartRow struct {
	Kind   string // phases, object, acts, alerts or metric
	Role   string // such as Old pod
	Name   string
	Full   string // the name where Name is shortened
	Anchor string
	Object model.Ref // zero for what is no object
	Shape  string    // id of the object in the drawing, or ""
	Bars   []chartBar
	Marks  []chartMark
	Words  []chartWord
	Cites  []string
	More   int // marks that are left out

	plain []chartLook
}

// chartBar is a state from its beginning to its end.
type chartBar struct {
	From, To   int64
	X, Wide    float64
	Word, Tip  string
	Room       string // from which width of the chart on the word has room
	Look       chartLook
	Low, Width float64 // where the beginning may lie, when that shows

	Earliest, Latest int64 // the same, in milliseconds

	began time.Time
	since model.Moment
}

// chartMark is an instant with a number, which its words repeat, or several that lie too close together to be distinguished.
type chartMark struct {
	At    int64
	X     float64
	Label string
	Tip   string
}

// chartWord is a change or a mark in words: what has no room in the picture stands here, and nothing is shown by colour alone.
type chartWord struct{ Time, ISO, Text, Href string }

// chartTick is a time of the clock.
type chartTick struct {
	At     int64
	Share  float64
	Text   string
	Anchor string
	Odd    bool // goes first where there is little room
}

// chartLook is how a state looks: Fill is light under dark letters, and the ribbon below distinguishes looks without colour.
type chartLook struct{ Name, Fill, Ink, Dash, Text string }

var (
	lookFine    = chartLook{"fine", "#cfe8d4", "#2f6b3a", "", "#1a1a1a"}
	lookHot     = chartLook{"hot", "#f7c9c2", "#a31515", "8 3", "#1a1a1a"}
	lookGoing   = chartLook{"going", "#fbe3b0", "#7a5200", "2 3", "#1a1a1a"}
	lookComing  = chartLook{"coming", "#d9e5f5", "#3b5b8c", "14 4", "#1a1a1a"}
	lookGone    = chartLook{"gone", "none", "#77808b", "1 6", "#444444"}
	lookUnknown = chartLook{"unknown", "none", "#9aa3af", "2 5", "#444444"}
	lookNone    = chartLook{} // not there yet: nothing is drawn

	looks = map[view.Look]chartLook{ // for lookup only
		view.LookFine: lookFine, view.LookHot: lookHot, view.LookGoing: lookGoing, view.LookComing: lookComing, view.LookGone: lookGone,
	}
)

const (
	chartMargin  = 10    // the part of a span that is drawn before and after it, as its fraction
	chartLeast   = 0.003 // share of the width below which a bar would not be seen
	chartTicks   = 6     // at least
	chartMarks   = 12    // of one row
	chartObjects = 16    // rows of objects
	chartName    = 22    // letters of a name
	chartGap     = 0.025 // share of the width within which marks become one
)

// incidentChart draws an incident. The rows end where the bundle was collected: of later nothing is known.
func (p *htmlPage) incidentChart(in *view.IncidentView) *chart {
	from, to := widened(in.Span.From.At, in.Span.To.At)
	c := &chart{ID: in.Anchor + "-chart", Title: fmt.Sprintf("Incident %d over time", in.Number), Page: p,
		from: from, to: to, zero: in.Zero, Zero: epoch(in.Zero)}
	c.From, c.To = c.ms(from), c.ms(to)
	end := to
	if at := p.Bundle.CapturedAt; at != nil && at.At.Before(end) {
		end = model.Later(at.At, in.Span.To.At)
	}
	c.Rows = append(c.Rows, c.phases(in))
	c.Rows = append(c.Rows, c.objects(in, end)...)
	c.Rows = append(c.Rows, p.marks(c, in)...)
	c.Rows = append(c.Rows, p.metrics(c, in)...)
	for i := range c.Rows {
		c.Rows[i].place(c)
	}
	c.ticks()
	c.edges(in)
	c.Legend = p.legend(c, in)
	return c
}

// widened is a span with some room before and after it; a second at least.
func widened(from, to time.Time) (time.Time, time.Time) {
	margin := max(to.Sub(from)/chartMargin, time.Second)
	return from.Add(-margin), to.Add(margin)
}

// edges are where the wait began and ended.
func (c *chart) edges(in *view.IncidentView) {
	at := []time.Time{in.MultiAttach.Began.At}
	if ended := in.MultiAttach.Ended; ended != nil {
		at = append(at, ended.At)
	}
	for i, t := range at {
		c.Edges += lines([]float64{c.share(t)})
		c.EdgesAt += []string{"", " "}[i] + strconv.FormatInt(c.ms(t), 10)
	}
}

// ms is an instant in milliseconds from the incident's zero.
func (c *chart) ms(at time.Time) int64 { return at.Sub(c.zero).Milliseconds() }

func (c *chart) share(at time.Time) float64 { return view.Share(at, c.from, c.to.Sub(c.from)) }

// tickSteps are distances that a clock is read in.
var tickSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// letter is how wide one of a tick's text is.
const letter = 0.01

// ticks are the times of the clock, at the widest step that gives enough of them.
func (c *chart) ticks() {
	step := 250 * time.Millisecond
	for _, s := range tickSteps {
		if c.to.Sub(c.from) >= chartTicks*s {
			step = s
		}
	}
	step *= 1 + c.to.Sub(c.from)/(21*step) // a span of weeks
	var shares []float64
	_, east := c.from.Zone() // of UTC: a step's times are round on the clock of the zone
	shift := time.Duration(east) * time.Second
	for at := c.from.Add(shift).Truncate(step).Add(step - shift); at.Before(c.to); at = at.Add(step) {
		t := chartTick{At: c.ms(at), Share: c.share(at), Text: tickText(at, step), Odd: len(c.Ticks)%2 == 1, Anchor: "middle"}
		if t.Share < 0.08 {
			t.Anchor = "start"
		} else if t.Share > 0.92 {
			t.Anchor = "end"
		}
		if (t.Odd || t.Anchor != "middle") && c.share(c.from.Add(step)) < 1.5*letter*float64(len(t.Text)) {
			t.Text = "" // it would run into the one beside it
		}
		c.Ticks, shares = append(c.Ticks, t), append(shares, t.Share)
	}
	c.Grid = lines(shares)
}

// tickText is a time of the clock as far as the step needs it.
func tickText(at time.Time, step time.Duration) string {
	switch {
	case model.MissingOf(at) == model.NoDate:
		return view.ClockAt(at)
	case step >= 24*time.Hour:
		return at.Format("Jan 2")
	case step >= time.Minute:
		return at.Format("15:04")
	case step < time.Second:
		return at.Format("15:04:05.00")
	}
	return at.Format(view.Clock)
}

// lines is a path of upright lines on a scale of 1000.
func lines(shares []float64) string {
	var b strings.Builder
	for _, s := range shares {
		fmt.Fprintf(&b, "M%.1f 0V1", s*1000)
	}
	return b.String()
}

// place turns a row's times into positions, and leaves out what is not in view.
func (r *chartRow) place(c *chart) {
	var bars []chartBar
	for _, b := range r.Bars {
		begin, end := c.zero.Add(time.Duration(b.From)*time.Millisecond), c.zero.Add(time.Duration(b.To)*time.Millisecond)
		if b.To < b.From || end.Before(c.from) || begin.After(c.to) {
			continue
		}
		b.X = c.share(begin)
		b.Wide = min(max(c.share(end)-b.X, chartLeast), 1-b.X)
		b.Room = room(b.Word, b.Wide)
		if low, high := c.share(b.since.Earliest), c.share(b.since.Latest); !b.since.IsZero() && high-low > chartLeast {
			b.Low, b.Width, b.Earliest, b.Latest = low, high-low, c.ms(b.since.Earliest), c.ms(b.since.Latest)
		}
		bars = append(bars, b)
	}
	r.Bars = bars
}

// room says from which width of the chart on a word fits into its bar: "" for any, "m" on paper and above, "l" on a desk, "x" for none.
func room(word string, wide float64) string {
	need := 6.6*float64(words.Columns(word)) + 8
	if wide*300 >= need {
		return ""
	}
	if wide*540 >= need {
		return "m"
	}
	if wide*780 >= need {
		return "l"
	}
	return "x"
}

// clockText is an instant as a chart's words have it: to a second, and "about" when even that is not known.
func clockText(m model.Moment) string {
	text := tickText(m.At, time.Second)
	if m.Latest.Sub(m.Earliest) > 2*time.Second {
		return "about " + text
	}
	return text
}

// iso is an instant for a script that shows it in another zone; "" where its date is not known.
func iso(at time.Time) string {
	if model.MissingOf(at) != "" {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05Z")
}

// wordAt is a change in words.
func wordAt(m model.Moment, text string) chartWord {
	return chartWord{Time: clockText(m), ISO: iso(m.At), Text: text}
}

// legend says what is not plain from the words.
func (p *htmlPage) legend(c *chart, in *view.IncidentView) string {
	text := "Clock times" + words.If(view.Zone(c.zero) != "", " in "+p.ZoneText())
	text += ". The dashed line is " + in.Words().Zero
	if in.MultiAttach.Ended != nil {
		text = strings.Replace(text, "line is", "lines are", 1) + " and the end of the wait"
	}
	hatched, thin := false, false
	for _, r := range c.Rows {
		for _, b := range r.Bars {
			hatched, thin = hatched || b.Look == lookUnknown, thin || b.Width > 0
		}
	}
	text += "." + words.If(hatched, " Hatched: nothing tells.")
	return text + words.If(thin, " A thin line below a bar: its beginning lies somewhere on it.") + c.podsShown(in.Incident)
}

// Roles of the rows of pods.
const (
	oldPod = "Old pod"
	newPod = "New pod"
)

// podsShown says how many of an incident's pods have a row, unless all have.
func (c *chart) podsShown(in model.Incident) string {
	all, shown := map[model.Ref]bool{}, 0
	for _, p := range slices.Concat(in.From.Pods, in.To.Pods) {
		all[p] = true
	}
	for _, r := range c.Rows {
		if r.Role == oldPod || r.Role == newPod {
			shown++
		}
	}
	if shown >= len(all) {
		return ""
	}
	return fmt.Sprintf(" %s of %s pods are shown.", words.Number(int64(shown)), words.Number(int64(len(all))))
}
