package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// htmlGroup is a group as one story: what its incidents share is said once, of the first of each cause; what differs has a row.
type htmlGroup struct {
	view.GroupView
	Incidents []htmlIncident // that are shown
	Rows      []volumeRow    // one for each incident
	Clock     []chartTick    // of the rows' bars
	Unlisted  int            // incidents that have not even a row
	Cause     string         // of the first incident
	Longest   string         // wait of its incidents
}

// volumeRow is what differs between the incidents of a group.
type volumeRow struct {
	*view.IncidentView
	Left       bool // not shown beyond this row
	Name       string
	Lasted     string
	Attachment string
	Parts      []view.StackPart
}

// Letters are those in the rows' bars, with the phases that they stand for.
func (g htmlGroup) Letters() []view.Label {
	return view.LettersOf(view.Each(g.Rows, func(row volumeRow) view.Stack { return view.Stack{Parts: row.Parts} }))
}

// Spoken is the row's bar for who does not see it.
func (r volumeRow) Spoken() string {
	parts := view.Each(r.Parts, func(p view.StackPart) string { return string(p.ID) + " " + p.Duration })
	return "Phases of incident " + fmt.Sprint(r.Number) + ": " + strings.Join(parts, ", ")
}

// Order says how the rows are sorted.
func (g htmlGroup) Order() string {
	if slices.ContainsFunc(g.Members, func(in *view.IncidentView) bool { return in.Span.Open }) {
		return "those that are still blocked first, then by their end"
	}
	return "sorted by their end"
}

// Apart says what the rows leave out.
func (g htmlGroup) Apart() string {
	if len(g.Incidents) == len(g.Members) {
		return ""
	}
	return "What they have in common is told once, of the one with a link."
}

// Short is a generated name, shortened in the middle.
func (htmlGroup) Short(name string) string { return view.ShortID(name) }

// volumeRows are the group's incidents in rows, the bars on one clock.
func (p *htmlPage) volumeRows(members []*view.IncidentView) (rows []volumeRow, clock []chartTick) {
	from, to := members[0].Span.From.At, members[0].Span.To.At
	for _, in := range members {
		from, to = model.Earlier(from, in.Span.From.At), model.Later(to, in.Span.To.At)
	}
	total := to.Sub(from)
	for _, in := range byEnd(members) {
		_, hasPart := p.parts[in]
		row := volumeRow{IncidentView: in, Left: !hasPart, Name: cmp.Or(view.VolumeName(in.Volume), in.Title)}
		row.Lasted = cmp.Or(view.LastedText(in.Incident), "unknown")
		if in.Span.Open {
			row.Lasted = "still blocked, " + row.Lasted
		}
		if in.BlockingAttachment.Name != nil {
			row.Attachment = words.OneLine(*in.BlockingAttachment.Name)
		}
		if total > 0 {
			row.Parts = view.NewStack("", in.Phases, in.Span.To, from, total).Parts
		}
		rows = append(rows, row)
	}
	if total > 0 {
		for _, t := range []struct {
			share  float64
			anchor string
			at     time.Time
		}{{0, "start", from}, {0.5, "middle", from.Add(total / 2)}, {1, "end", to}} {
			clock = append(clock, chartTick{Share: t.share, Anchor: t.anchor, Text: cmp.Or(view.ClockOf(t.at), view.Offset(members[0].Zero, t.at))})
		}
	}
	return rows, clock
}

// byEnd sorts incidents: those that are open come first.
func byEnd(list []*view.IncidentView) []*view.IncidentView {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b *view.IncidentView) int {
		return cmp.Or(view.OpenFirst(a.Incident)-view.OpenFirst(b.Incident), a.Span.To.At.Compare(b.Span.To.At))
	})
	return out
}

// leaders are the incidents of a group that are shown: of each cause, open or over, that of the headline or else the longest.
func (p *htmlPage) leaders(members []*view.IncidentView) []*view.IncidentView {
	type kind struct {
		cause string
		open  bool
	}
	best := map[kind]*view.IncidentView{} // for lookup only
	var kinds []kind
	for _, in := range members {
		k := kind{open: in.Span.Open}
		if len(in.Causes) > 0 {
			k.cause = in.Causes[0].ID
		}
		if now := best[k]; now == nil {
			kinds = append(kinds, k)
			best[k] = in
		} else if now != p.Primary && (in == p.Primary || in.Span.Seconds.Best > now.Span.Seconds.Best) {
			best[k] = in
		}
	}
	out := view.Each(kinds, func(k kind) *view.IncidentView { return best[k] })
	slices.SortStableFunc(out, func(a, b *view.IncidentView) int { return p.urgent(a) - p.urgent(b) })
	return out
}

// urgent is where an incident stands among others: that of the headline comes first, then those that are open.
func (p *htmlPage) urgent(in *view.IncidentView) int {
	if in == p.Primary {
		return -1
	}
	return view.OpenFirst(in.Incident)
}

// groupsByUrgency are the groups in the order in which one reads them.
func (p *htmlPage) groupsByUrgency() []view.GroupView {
	out := slices.Clone(p.Group)
	rank := func(g view.GroupView) int {
		least := 2
		for _, in := range g.Members {
			least = min(least, p.urgent(in))
		}
		return least
	}
	slices.SortStableFunc(out, func(a, b view.GroupView) int { return rank(a) - rank(b) })
	return out
}

// keepRows leaves out all but the first rows.
func (g *htmlGroup) keepRows(room int) {
	g.Unlisted = len(g.Rows) - room
	g.Rows = g.Rows[:room]
}
