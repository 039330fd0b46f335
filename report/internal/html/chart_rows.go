package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// phases is the row of what was waited for.
func (c *chart) phases(in *view.IncidentView) chartRow {
	row := chartRow{Kind: "phases", Role: "Phases", Name: words.Seconds(in.Span.Seconds.Best)}
	for _, p := range in.Phases {
		took := words.Seconds(p.Seconds.Best)
		row.Bars = append(row.Bars, chartBar{From: c.ms(p.From.At), To: c.ms(p.To.At), Word: string(p.ID), Tip: view.PhaseLabel(p) + ", " + took,
			Look: chartLook{Name: "phase", Fill: paint(p.ID), Text: "#ffffff"}, since: p.From})
		row.Words = append(row.Words, chartWord{Text: string(p.ID) + " " + took})
	}
	return row
}

// objects makes a row of each lane.
func (c *chart) objects(in *view.IncidentView, end time.Time) []chartRow {
	var out []chartRow
	for i := range in.Lanes {
		l := &in.Lanes[i]
		role, shown := c.roleOf(l)
		if !shown || len(out) == chartObjects {
			continue
		}
		if row := c.object(in, l, role, end); row.shows() {
			out = append(out, row.ended(c, end))
		}
	}
	return out
}

// roleOf is how a lane's object is called, and whether it has a row.
func (c *chart) roleOf(l *model.Lane) (string, bool) {
	switch l.Role {
	case model.RoleOldNode:
		return "Old node", true
	case model.RoleNewNode:
		return "New node", true
	case model.RoleOldPod:
		return oldPod, true
	case model.RoleNewPod:
		return newPod, true
	case model.RoleBlocking, model.RoleAttachment:
		return "Attachment to " + cmp.Or(words.Shorten(words.OneLine(l.Node), chartName), "a node that is not told"), true
	case model.RoleController:
		return "Controller", true
	}
	return "", false
}

// object is the row of a lane: its states as far as they lie in view, and between them that nothing tells.
func (c *chart) object(in *view.IncidentView, l *model.Lane, role string, end time.Time) *chartRow {
	name := words.OneLine(l.Object.Name)
	if l.Object.Kind == "VolumeAttachment" && name == "" {
		name = view.VolumeName(in.Volume)
	}
	row := &chartRow{Kind: "object", Role: role, Name: words.Shorten(name, chartName), Full: name, Object: l.Object}
	switch l.Role {
	case model.RoleNewNode:
		row.plain = []chartLook{lookFine, lookComing, lookUnknown}
	case model.RoleController:
		row.Name, row.Full, row.Object, row.plain = "who leads", "who leads", model.Ref{}, []chartLook{lookUnknown}
		if view.Leaders(l.States) < 2 { // one that leads all the time is nothing to see
			row.plain = append(row.plain, lookFine)
		}
	}
	told := c.from
	for i, s := range l.States {
		begin, until := c.from, end
		if s.From != nil {
			begin = model.Later(s.From.At, c.from)
		}
		if s.To != nil {
			until = s.To.At
		} else if i+1 < len(l.States) {
			until = l.States[i+1].From.At
		}
		if begin.After(end) || until.Before(c.from) || until.Equal(begin) && i+1 < len(l.States) {
			continue
		}
		if told.Before(begin) {
			row.untold(l, told)
		}
		word, look := view.StateWord(&in.Incident, l, i)
		var since model.Moment
		if s.From != nil && s.Word != model.StateWaiting { // the wait's own beginning is drawn
			since = *s.From
		}
		row.begin(begin, word, looks[look], since)
		told = until
	}
	if told.Before(end) || len(row.Bars) == 0 {
		row.untold(l, told)
	}
	if c.lost(l.Object) {
		row.vanish()
	}
	return row
}

// untold is a stretch of which nothing tells; before it was made an object was not there.
func (r *chartRow) untold(l *model.Lane, at time.Time) {
	if l.Early(at) {
		r.begin(at, "", lookNone, model.Moment{})
		return
	}
	r.begin(at, notReported, lookUnknown, model.Moment{})
}

// shows reports that a row has more to say than a plain look.
func (r *chartRow) shows() bool {
	return slices.ContainsFunc(r.Bars, func(b chartBar) bool { return !slices.Contains(r.plain, b.Look) })
}

// begin notes a state when it differs from the one before.
func (r *chartRow) begin(at time.Time, word string, look chartLook, since model.Moment) {
	last := len(r.Bars) - 1
	if last >= 0 && r.Bars[last].Word == word && r.Bars[last].Look == look {
		return
	}
	bar := chartBar{Word: word, Look: look, began: at}
	if since.At.Equal(at) {
		bar.since = since
	}
	r.Bars = append(r.Bars, bar)
}

// vanish leaves open how long the last state of a pod lasted that the bundle was collected without, and whose end is not known.
func (r *chartRow) vanish() {
	if last := len(r.Bars) - 1; last >= 0 && r.Bars[last].Word != "" && !slices.Contains([]chartLook{lookGone, lookUnknown}, r.Bars[last].Look) {
		r.Bars[last].Word, r.Bars[last].Look = r.Bars[last].Word+" or gone", lookUnknown
	}
}

// ended closes the bars and puts them into words.
func (r *chartRow) ended(c *chart, end time.Time) chartRow {
	bars := r.Bars
	r.Bars = nil
	for i, b := range bars {
		until := end
		if i+1 < len(bars) {
			until = bars[i+1].began
		}
		b.From, b.To = c.ms(b.began), c.ms(until)
		when := b.since
		if when.IsZero() {
			when = model.Moment{At: b.began, Earliest: b.began, Latest: b.began}
		}
		word := wordAt(when, cmp.Or(b.Word, "not created yet"))
		if i == 0 {
			word.Time, word.ISO = "", ""
		}
		if fleeting := b.Look == lookComing && until.Sub(b.began) < time.Second; !fleeting {
			r.Words = append(r.Words, word)
		}
		if b.Look == lookNone {
			continue
		}
		b.Tip = fmt.Sprintf("%s: %s to %s", b.Word, tickText(b.began, time.Second), tickText(until, time.Second))
		r.Bars = append(r.Bars, b)
	}
	return *r
}

// lost reports whether the report has a pod as gone when the bundle was collected.
func (c *chart) lost(object model.Ref) bool {
	nodes := c.Page.Graph.Nodes
	n := shapeOf(nodes, object)
	return object.Kind == "Pod" && n > 0 && nodes[n-1].State == "gone"
}

// notReported is said of an object of which the report says nothing by then.
const notReported = "unknown"

// marks are the rows of what people did and of the alerts that fired.
func (p *htmlPage) marks(c *chart, in *view.IncidentView) []chartRow {
	acts := chartRow{Kind: "acts", Role: "Operator actions", Name: "of people and scripts"}
	alerts := chartRow{Kind: "alerts", Role: "Alerts", Name: "that would fire"}
	for _, e := range p.facts {
		if !slices.Contains(e.item.Incidents, in.ID) || e.item.At.At.Before(c.from) || e.item.At.At.After(c.to) {
			continue
		}
		if e.rule != "" {
			text := words.OneLine(e.name) + " (" + e.origin + ")"
			if e.until != nil && !e.open {
				text += ", until " + tickText(*e.until, time.Second)
			}
			alerts.mark(c, e, text)
		} else if e.lane == "people" {
			acts.mark(c, e, words.OneLine(e.item.Text))
		}
	}
	return slices.DeleteFunc([]chartRow{acts, alerts}, func(r chartRow) bool { return len(r.Marks) == 0 })
}

func (r *chartRow) mark(c *chart, e *entry, text string) {
	if len(r.Words) == chartMarks {
		r.More++
		return
	}
	n, href := len(r.Words)+1, "timeline-folded"
	if e.kept {
		href = e.anchor
	}
	word := wordAt(e.item.At, text)
	word.Href = href
	r.Words = append(r.Words, word)
	m := chartMark{At: c.ms(e.item.At.At), X: c.share(e.item.At.At), Label: strconv.Itoa(n), Tip: word.Time + " " + text}
	if last := len(r.Marks) - 1; last >= 0 && m.X-r.Marks[last].X < chartGap {
		first, _, _ := strings.Cut(r.Marks[last].Label, "–")
		r.Marks[last].Label, r.Marks[last].Tip = first+"–"+m.Label, r.Marks[last].Tip+"; "+m.Tip
		return
	}
	r.Marks = append(r.Marks, m)
}

// metrics are the series that show a part of the incident: runs of equal samples. Between two runs nothing is known, and nothing drawn.
func (p *htmlPage) metrics(c *chart, in *view.IncidentView) []chartRow {
	const inWords = 6 // runs that are put into words
	var out []chartRow
	for i, s := range p.Series {
		if s.Incident != in.ID {
			continue
		}
		row := chartRow{Kind: "metric", Role: "Metric", Name: s.About, Full: words.OneLine(s.Metric),
			Anchor: seriesAnchor(in, i), Cites: s.Evidence}
		for _, r := range s.Runs {
			value := strconv.FormatFloat(r.Value, 'g', 6, 64)
			bar := chartBar{From: c.ms(r.From), To: c.ms(r.To), Word: value, Look: lookComing}
			bar.Tip = value + ": " + tickText(r.From, time.Second) + " to " + tickText(r.To, time.Second) + ", " + counted(r.Samples, "sample")
			if bar.To < c.From || bar.From > c.To {
				continue
			}
			row.Bars = append(row.Bars, bar)
			if len(row.Words) < inWords {
				row.Words = append(row.Words, chartWord{Time: tickText(r.From, time.Second), ISO: iso(r.From), Text: value})
			} else {
				row.More++
			}
		}
		if len(row.Bars) == 0 { // the row stays, for its evidence leads to it
			row.Words = []chartWord{{Text: "no sample in this time"}}
		}
		out = append(out, row)
	}
	return out
}

func seriesAnchor(in *view.IncidentView, i int) string {
	return in.Anchor + "-series-" + strconv.Itoa(i+1)
}

// shapeOf is the number, from 1, of an object among others, or 0. Of two pods of one name it is the one with the same UID.
func shapeOf(nodes []model.GraphNode, object model.Ref) int {
	found := 0
	for i, n := range nodes {
		if ref := (model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}); object.Name != "" && object == ref {
			return i + 1
		} else if found == 0 && object.Is(ref) {
			found = i + 1
		}
	}
	return found
}
