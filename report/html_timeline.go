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
		if len(*list) == room {
			p.RowsLeft++
			continue
		}
		row := p.row(item, zero)
		if taken[row.Anchor]++; taken[row.Anchor] > 1 {
			row.Anchor += "-" + strconv.Itoa(taken[row.Anchor])
		}
		*list = append(*list, row)
	}
}

// row is one item in words.
func (p *htmlPage) row(item model.TimelineItem, zero time.Time) timelineRow {
	row := timelineRow{Anchor: "timeline-" + anchor(item.ID), Offset: offset(zero, item.At.At), UTC: instant(item.At),
		Basis: string(item.At.Basis), Text: item.Text, Cites: p.cited(item.Evidence, item.At.Evidence)}
	if about := refs(item.About); !strings.Contains(item.Text, about) {
		row.About = about
	}
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
