package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// timelineRow is one row of the page's timeline.
type timelineRow struct {
	Anchor, Offset, UTC, Basis string
	Lane                       string
	Column                     int // of the lane, from 0
	Text, About                string
	Incidents                  []*incidentView
	More                       int // incidents that are not named
	Cites                      []string
	Also                       []string // anchors of the observations that say the same

	item model.TimelineItem
}

// oneFact is how far apart two sources put one fact: events are cut to a second.
const oneFact = time.Second

// same reports whether an observation tells the same fact as the row, from another source.
func (r *timelineRow) same(item model.TimelineItem) bool {
	return r.item.Kind == item.Kind && r.item.Text == item.Text && r.item.At.Basis == item.At.Basis &&
		item.At.At.Sub(r.item.At.At).Abs() <= oneFact && slices.Equal(r.item.Incidents, item.Incidents)
}

// add takes another source of the row's fact.
func (r *timelineRow) add(other timelineRow) {
	r.Also = append(r.Also, other.Anchor)
	for _, id := range other.Cites {
		if !slices.Contains(r.Cites, id) {
			r.Cites = append(r.Cites, id)
		}
	}
}

// rowIncidents is how many incidents a row names; the loss of a node concerns all of its volumes.
const rowIncidents = 3

// timeline makes the rows, counted from the first Multi-Attach report of the primary incident. Those that concern an
// incident come first and are the last to be left out; the others are kept, because a reader may know what volpost does
// not.
func (p *htmlPage) timeline() {
	if len(p.Timeline) == 0 {
		return
	}
	zero := p.zero()
	p.Zero = zero.Format(millis) + " UTC"
	taken := map[string]int{}
	for _, item := range p.Timeline {
		list, room := &p.Others, htmlTimeline/2
		if len(item.Incidents) > 0 {
			list, room = &p.Rows, htmlTimeline
		}
		row := p.row(item, zero)
		if taken[row.Anchor]++; taken[row.Anchor] > 1 {
			row.Anchor += "-" + strconv.Itoa(taken[row.Anchor])
		}
		if last := len(*list) - 1; last >= 0 && (*list)[last].same(item) {
			(*list)[last].add(row)
			continue
		}
		if len(*list) == room {
			p.RowsLeft++
			continue
		}
		*list = append(*list, row)
	}
}

// row is one item in words.
func (p *htmlPage) row(item model.TimelineItem, zero time.Time) timelineRow {
	row := timelineRow{Anchor: "timeline-" + anchor(item.ID), Offset: offset(zero, item.At.At), UTC: instant(item.At),
		Basis: string(item.At.Basis), Text: item.Text, Cites: p.cited(item.Evidence, item.At.Evidence)}
	row.item = item
	row.About = refs(slices.DeleteFunc(slices.Clone(item.About), func(r model.Ref) bool { return strings.Contains(item.Text, r.Name) }))
	id := lane(item.Kind)
	row.Lane = find(lanes, id)
	row.Column = max(0, slices.IndexFunc(lanes, func(l label) bool { return l.id == id }))
	for _, id := range item.Incidents {
		in := p.incident[id]
		switch {
		case in == nil:
		case len(row.Incidents) == rowIncidents:
			row.More++
		default:
			row.Incidents = append(row.Incidents, in)
		}
	}
	return row
}

// X is where the row's dot stands among the lanes.
func (r timelineRow) X() int { return 7 + 12*r.Column }
