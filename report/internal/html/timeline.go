package html

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// timelineRow is one row of the page's timeline. What a script may filter, place and count by stands in attributes of its tr: data-lane is
// the lane's identifier, data-from and data-to bound the instant in milliseconds from data-zero (of the section "timeline", RFC 3339 UTC),
// data-object lists the places, from 1, of the objects in the datalist "objects", whose options' values are kind and name, and
// data-incident the numbers of the incidents (data-number of details.incident) as ranges such as 1-15, both separated by spaces.
type timelineRow struct {
	Anchor, Offset, UTC, Basis string
	LaneID, Lane               string
	From, To                   int64 // milliseconds from zero
	Objects                    []int // see objectNumbers
	Text, About                string
	Incidents                  []*view.IncidentView
	More                       int // incidents that are not named
	Cites                      []string
	Also                       []string // anchors of the observations that say the same
	Rule                       string   // anchor of the alerting rule that fired

	numbers []int // of all incidents
}

// rowIncidents is how many incidents a row names; the loss of a node concerns all of its volumes.
const rowIncidents = 3

// timeline makes the rows. Those of incidents come first and are folded last; what does not fit is counted.
func (p *htmlPage) timeline() {
	p.facts = p.entries()
	if len(p.facts) == 0 {
		return
	}
	zero := p.zero()
	p.Zero, p.ZeroAt = p.origin(zero)
	p.fit(p.facts)
	taken := map[string]int{}
	for _, e := range p.facts {
		if !e.kept {
			p.Folded++
			continue
		}
		row := p.row(e, zero)
		if taken[row.Anchor]++; taken[row.Anchor] > 1 {
			row.Anchor += "-" + strconv.Itoa(taken[row.Anchor])
		}
		e.anchor = row.Anchor
		if e.story {
			p.Rows = append(p.Rows, row)
		} else {
			p.Others = append(p.Others, row)
		}
	}
}

// origin says from when the timeline counts, for people and for a script: the instant, or milliseconds where it has no date.
func (p *htmlPage) origin(zero time.Time) (text, script string) {
	if model.MissingOf(zero) == model.NoDate {
		return view.TimesText(p.Bundle.StandIn), "0"
	}
	at := model.Moment{At: zero, Earliest: zero, Latest: zero}
	text, script = "T+00:00.0 is "+view.Dated(at), zero.UTC().Format("2006-01-02T15:04:05.000Z")
	if p.Primary != nil {
		text += ", " + p.Primary.Words().Zero + " of incident " + strconv.Itoa(p.Primary.Number)
	}
	if at.Missing() != "" {
		script = strconv.FormatInt(zero.UnixMilli(), 10)
	}
	return text + ".", script
}

// epoch is an instant in milliseconds since 1970, or since T where nothing is dated.
func epoch(t time.Time) int64 {
	if model.MissingOf(t) == model.NoDate {
		return t.Sub(model.T).Milliseconds()
	}
	return t.UnixMilli()
}

// Distances says that nothing is dated: every time counts from the report's T, which no incident has of its own.
func (p *htmlPage) Distances() bool {
	return p.Bundle.StandIn != nil && p.Bundle.StandIn.Missing == model.NoDate
}

var dayAndZone = regexp.MustCompile(`(?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) UTC(?:[+-]\d\d:\d\d)?\b`)

// Plain is a text whose times have no zone, which the head of the page names, and no date, unless it is another than the story's.
func (p *htmlPage) Plain(text string) string {
	if p.Primary == nil {
		return text
	}
	day := p.zero().Format(time.DateOnly)
	return dayAndZone.ReplaceAllStringFunc(text, func(s string) string {
		s, _, _ = strings.Cut(strings.TrimPrefix(s, day+" "), " UTC")
		return s
	})
}

// Clock is a moment without its date, which the caption has, unless it is another one; with its uncertainty.
func (p *htmlPage) Clock(m model.Moment) string {
	text := view.TimeOfDay(m) + strings.TrimPrefix(view.Instant(m), view.Dated(m))
	if zero := p.zero(); m.Missing() == "" && m.At.Format(time.DateOnly) != zero.Format(time.DateOnly) {
		text = m.At.Format("Jan 2 ") + text
	}
	return text
}

// zero is the instant from which the timeline counts.
func (p *htmlPage) zero() time.Time {
	if p.Primary != nil {
		return p.Primary.Zero
	}
	return p.facts[0].item.At.At
}

// row is one fact in words.
func (p *htmlPage) row(e *entry, zero time.Time) timelineRow {
	item := e.item
	row := timelineRow{Anchor: "timeline-" + view.Anchor(item.ID), Offset: view.Offset(zero, item.At.At), UTC: p.Clock(item.At),
		Basis: string(item.At.Basis), Text: item.Text, LaneID: e.lane, Lane: view.LaneText(e.lane), Rule: e.rule,
		Cites: p.Cited(item.Evidence, item.At.Evidence), Objects: p.objectNumbers(item.About),
		From: item.At.Earliest.Sub(zero).Milliseconds(), To: item.At.Latest.Sub(zero).Milliseconds()}
	row.Also = view.Each(e.others, func(id string) string { return "timeline-" + view.Anchor(id) })
	row.About = view.Refs(slices.DeleteFunc(slices.Clone(item.About), func(r model.Ref) bool { return strings.Contains(item.Text, r.Name) }))
	for _, id := range item.Incidents {
		in := p.IncidentOf[id]
		if in == nil {
			continue
		}
		row.numbers = append(row.numbers, in.Number)
		if len(row.Incidents) == rowIncidents {
			row.More++
		} else if _, hasPart := p.parts[in]; hasPart || len(p.parts) == 0 {
			row.Incidents = append(row.Incidents, in)
		} else {
			row.More++
		}
	}
	slices.Sort(row.numbers)
	return row
}

// Numbers are those of all of the row's incidents, as ranges: "1-15 18".
func (r timelineRow) Numbers() string {
	var out []string
	for i := 0; i < len(r.numbers); {
		j := i
		for j+1 < len(r.numbers) && r.numbers[j+1] == r.numbers[j]+1 {
			j++
		}
		text := strconv.Itoa(r.numbers[i]) + words.If(j > i, "-"+strconv.Itoa(r.numbers[j]))
		out, i = append(out, text), j+1
	}
	return strings.Join(out, " ")
}

// alertFired is the kind of a row of an alert; no observation has it.
const alertFired model.Kind = "alert-fired"

// firings are the alerts that fire, one entry for all that one rule begins to fire for at one instant, in the order of time.
func (p *htmlPage) firings() []*entry {
	var out []*entry
	for n, rule := range p.Rules {
		a := rule.Alert
		at := map[time.Time]int{}
		for i, f := range a.Firings {
			place, again := at[f.From]
			if !again {
				place = len(out)
				at[f.From] = place
				out = append(out, p.firingEntry(a, n, i))
			}
			out[place].add(f)
		}
	}
	slices.SortStableFunc(out, func(a, b *entry) int { return a.item.At.At.Compare(b.item.At.At) })
	return out
}

// firingEntry is a rule that begins to fire.
func (p *htmlPage) firingEntry(a model.Alert, n, i int) *entry {
	f := a.Firings[i]
	number := strconv.Itoa(n + 1)
	at := model.Moment{At: f.From, Earliest: f.From, Latest: f.From, Basis: model.Derived}
	origin := words.Shorten(words.OneLine(view.SourceOf(a)), view.LabelColumns)
	text := "alert " + a.Name + " (" + origin + ") fires" + words.If(strings.HasPrefix(a.Note, "synthesised"), " over synthesised series")
	item := model.TimelineItem{ID: "alert-" + number + "-" + strconv.Itoa(i+1), At: at, Kind: alertFired, Text: text}
	return &entry{lane: "alerts", rule: "alert-" + number, name: a.Name, origin: origin, item: item}
}

// add takes the firing for another series. The end is the latest one, and open when one of them is.
func (e *entry) add(f model.Firing) {
	if f.Incident != nil && !slices.Contains(e.item.Incidents, *f.Incident) {
		e.item.Incidents = append(e.item.Incidents, *f.Incident)
	}
	e.open = e.open || f.To == nil
	if f.To != nil && (e.until == nil || e.until.Before(*f.To)) {
		e.until = f.To
	}
}
