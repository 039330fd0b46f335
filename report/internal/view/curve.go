package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// CurveView is how long the pod is away by when the first option is carried out. Shares are of the width and of the height, from 0 to 1.
type CurveView struct {
	Points []CurvePoint
	Marks  []CurveMark // in the order of time
	Asis   float64     // share of the height at which the incident as it was lies; 0 where it had not ended
	Lasted string      // how long that was
	Floor  float64     // the same of the floor; 0 where it is not known
	From   string      // clock times of the ends
	To     string
	Top    string // how long the whole height is
	Word   string // what the pod is in the meantime
}

// CurvePoint is one point of the curve.
type CurvePoint struct {
	At          string // when it is carried out
	Down        string // how long the pod is away then
	X, Y        float64
	Least, Most float64 // shares of the height of the bounds
}

// CurveMark is something that happened on the way.
type CurveMark struct {
	Letter string
	Kind   string // option, done, alert or end
	At     string
	Text   string
	X, Y   float64 // Y is 0 for what lies on the axis
	Row    int     // below the axis, so that near letters do not collide
	when   time.Time
}

// Where marks lie in the picture.
const (
	marksMost   = 7     // letters
	alertsMost  = 2     // firings among them
	marksNear   = 0.075 // share of the width below which two letters would collide
	curveNumber = 4     // points that are told in words
)

// newCurveView is nil where the report has no curve.
func newCurveView(in *IncidentView) *CurveView {
	points := in.Incident.Advice.Curve
	if len(points) < 2 || in.Span.From.IsZero() {
		return nil
	}
	from, to := points[0].Act.At, points[len(points)-1].Act.At
	ended := !in.Span.Open && in.Span.To.At.After(in.Span.From.At)
	if ended {
		to = model.Later(to, in.Span.To.At)
	}
	high := time.Duration(0)
	down := func(at time.Time) time.Duration { return max(at.Sub(in.Span.From.At), 0) }
	for _, p := range points {
		high = max(high, down(p.Ready.At)) // the length that is told, not the bound of its range
	}
	if ended {
		high = max(high, down(in.Span.To.At))
	}
	if high <= 0 || !to.After(from) {
		return nil
	}
	c := &CurveView{From: ClockAt(from), To: ClockAt(to), Top: words.Seconds(high.Seconds()), Word: in.Span.Word()}
	tall := func(at time.Time) float64 { return Share(in.Span.From.At.Add(down(at)), in.Span.From.At, high) }
	for _, p := range points {
		c.Points = append(c.Points, CurvePoint{At: ClockAt(p.Act.At), Down: words.Seconds(in.Span.From.Until(p.Ready).Best),
			X: Share(p.Act.At, from, to.Sub(from)), Y: tall(p.Ready.At), Least: tall(p.Ready.Earliest), Most: tall(p.Ready.Latest)})
	}
	if ended {
		c.Asis, c.Lasted = tall(in.Span.To.At), words.Seconds(in.Span.Seconds.Best)
	}
	if f := in.Incident.Advice.Floor; f != nil {
		c.Floor = min(f.Best/high.Seconds(), 1)
	}
	c.mark(in, from, to, high)
	return c
}

// mark adds what was done, the alerts, the option's own moment and the end.
func (c *CurveView) mark(in *IncidentView, from, to time.Time, high time.Duration) {
	var list []CurveMark
	add := func(kind string, at time.Time, text string, y float64) {
		if !at.Before(from) && !at.After(to) {
			list = append(list, CurveMark{Kind: kind, At: ClockAt(at), Text: text, X: Share(at, from, to.Sub(from)), Y: y, when: at})
		}
	}
	advice := in.Incident.Advice
	options := slices.Concat(advice.Now, advice.Better)
	for _, o := range options[:min(1, len(options))] {
		if o.At != nil && o.ReadyAt != nil {
			lasted := in.Span.From.Until(*o.ReadyAt)
			add("option", o.At.At, "done here: "+c.Word+" "+words.Seconds(lasted.Best), min(max(lasted.Best/high.Seconds(), 0), 1))
		}
	}
	for _, d := range advice.Done {
		if d.At != nil {
			add("done", d.At.At, in.doneView(d).Text, 0)
		}
	}
	alerts := in.alertsFired()
	for _, f := range alerts[:min(alertsMost, len(alerts))] {
		add("alert", f.at, "alert "+f.name, 0)
	}
	if c.Asis > 0 {
		how := words.If(len(advice.Done) == 0, "by itself: ") + words.If(len(advice.Done) > 0, "as it was: ")
		add("end", in.Span.To.At, how+c.Word+" "+c.Lasted, 0)
	}
	list = list[:min(len(list), marksMost)]
	slices.SortStableFunc(list, func(a, b CurveMark) int { return a.when.Compare(b.when) })
	for i := range list {
		list[i].Letter = string(rune('A' + i))
		if i > 0 && list[i].X-list[i-1].X < marksNear {
			list[i].Row = list[i-1].Row + 1
		}
	}
	c.Marks = list
}

// fired is when a rule that is recommended, or the cluster's own, fired first for an incident.
type fired struct {
	name string
	at   time.Time
}

// alertsFired are the rules that fired for the incident, the earliest first, each name once.
func (in *IncidentView) alertsFired() []fired {
	var out []fired
	for _, a := range in.View.Alerts {
		for _, f := range a.Firings {
			if f.Incident == nil || *f.Incident != in.ID || a.Origin == "seed" {
				continue
			}
			out = append(out, fired{words.OneLine(a.Name), f.From})
			break
		}
	}
	slices.SortStableFunc(out, func(a, b fired) int { return a.at.Compare(b.at) })
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(f fired) bool {
		again := seen[f.name]
		seen[f.name] = true
		return again
	})
}

// Numbers are some points of the curve in words, the first and the last among them.
func (c *CurveView) Numbers() string {
	var out []string
	last := len(c.Points) - 1
	for n := range curveNumber {
		p := c.Points[n*last/(curveNumber-1)]
		if text := fmt.Sprintf("at %s: %s %s", p.At, c.Word, p.Down); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return "Done " + strings.Join(out, "; ") + "."
}

// Spoken is the picture for who does not see it.
func (c *CurveView) Spoken() string {
	marks := Each(c.Marks, func(m CurveMark) string { return m.At + " " + m.Text })
	return words.Capital(c.Word) + " by the time of the action. " + c.Numbers() + words.If(len(marks) > 0, " Marks: "+strings.Join(marks, "; ")+".")
}
