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
	"github.com/volpost/volpost/report/internal/film"
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

// stated is one object at one instant. Its key distinguishes it from the others.
type stated struct {
	key, role, name string
	object          model.Ref
	word            string
	look            chartLook
	since           model.Moment // when the state began, as far as that is known
	dull            []chartLook  // a row that has no other look says nothing, and is left out
}

// objects asks a film for every instant at which something changes, and makes a row of each object.
func (c *chart) objects(f *film.Film, end time.Time) []chartRow {
	var rows []*chartRow
	byKey := map[string]*chartRow{}
	for _, at := range c.instants(f, end) {
		for _, s := range c.at(f, f.At(at)) {
			row := byKey[s.key]
			if row == nil {
				name := words.OneLine(s.name)
				row = &chartRow{Kind: "object", Role: s.role, Name: words.Shorten(name, chartName), Full: name, Object: s.object,
					dull: s.dull, lost: c.lost(s.object)}
				byKey[s.key] = row
				rows = append(rows, row)
			}
			row.begin(c, at, s)
		}
	}
	var out []chartRow
	for _, row := range rows {
		if row.lost {
			row.vanish()
		}
		shows := slices.ContainsFunc(row.Bars, func(b chartBar) bool { return !slices.Contains(row.dull, b.Look) })
		if shows && len(out) < chartObjects {
			out = append(out, row.ended(c, end))
		}
	}
	return out
}

// instants are those of a film that lie in view, with the beginning.
func (c *chart) instants(f *film.Film, end time.Time) []time.Time {
	const most = 600 // more are a loop, and a report of many sources
	out := []time.Time{c.from}
	for _, at := range append(f.Instants(), end) {
		if at.After(out[len(out)-1]) && !at.After(end) && len(out) < most {
			out = append(out, at)
		}
	}
	return out
}

// begin notes a state when it differs from the one before.
func (r *chartRow) begin(c *chart, at time.Time, s stated) {
	last := len(r.Bars) - 1
	if last >= 0 && r.Bars[last].Word == s.word && r.Bars[last].Look == s.look {
		return
	}
	bar := chartBar{Word: s.word, Look: s.look, began: at}
	if s.since.At.Equal(at) {
		bar.since = s.since
	}
	r.Bars = append(r.Bars, bar)
}

// vanish leaves open how long the last state of a pod lasted that the bundle was collected without, and whose end is not known.
func (r *chartRow) vanish() {
	if last := len(r.Bars) - 1; last >= 0 && r.Bars[last].Word != "" && r.Bars[last].Look != lookGone && r.Bars[last].Look != lookUnknown {
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

// at is every object of a state of a film: what had the volume, what blocks it, what wants it, and who leads the controllers.
func (c *chart) at(f *film.Film, s film.State) []stated {
	var out []stated
	for _, n := range s.Nodes {
		word, look, since := nodeWord(f, n, s)
		node := stated{"node " + n.Name, "Old node", n.Name, model.Ref{Kind: "Node", Name: n.Name}, word, look, since, nil}
		if n.Name != f.Incident.From.Node {
			node.role, node.dull = "New node", []chartLook{lookFine, lookComing, lookUnknown}
		}
		out = append(out, node)
	}
	pods := func(isNew bool, role string) {
		for _, p := range s.Pods {
			if p.New == isNew {
				word, look, since := podWord(f, p, s.At)
				out = append(out, stated{"pod " + p.Ref.Key() + p.Ref.UID, role, p.Ref.Name, p.Ref, word, look, since, nil})
			}
		}
	}
	pods(false, oldPod)
	for _, a := range s.Attachments {
		word, look, since := attachmentWord(f, a, s)
		role := "Attachment to " + cmp.Or(words.Shorten(words.OneLine(a.Node), chartName), "a node that is not told")
		object := model.Ref{Kind: "VolumeAttachment", Name: a.Name}
		out = append(out, stated{"attachment " + a.Name, role, a.Name, object, word, look, since, nil})
	}
	if len(s.Attachments) == 0 {
		word, look := holderWord(s.Holder)
		volume := f.Incident.Volume
		out = append(out, stated{key: "volume", role: "Volume", name: cmp.Or(volume.PersistentVolume, view.VolumeName(volume)),
			object: model.Ref{Kind: "PersistentVolume", Name: volume.PersistentVolume}, word: word, look: look})
	}
	pods(true, newPod)
	word, look, since := leaderWord(f.Controllers(s.Happened))
	return append(out, stated{"leader", "Controller", "who leads", model.Ref{}, word, look, since, []chartLook{lookUnknown}})
}

// lost reports whether the report has a pod as gone when the bundle was collected.
func (c *chart) lost(object model.Ref) bool {
	n := shapeOf(c.graph.Nodes, object)
	return object.Kind == "Pod" && n > 0 && c.graph.Nodes[n-1].State == "gone"
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
		switch {
		case e.rule != "":
			text := words.OneLine(e.name) + " (" + e.origin + ")"
			if e.until != nil && !e.open {
				text += ", until " + tickText(*e.until, time.Second)
			}
			alerts.mark(c, e, text)
		case e.lane == "people":
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
		switch ref := (model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID}); {
		case object.Name != "" && object == ref:
			return i + 1
		case found == 0 && object.Is(ref):
			found = i + 1
		}
	}
	return found
}
