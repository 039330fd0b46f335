package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// timelineRow is one row of the page's timeline. What a script may filter, place and count by stands in attributes of its
// tr: data-lane is the lane's identifier, data-from and data-to bound the instant in milliseconds from data-zero (of the
// section "timeline", RFC 3339 UTC), data-object lists the places, from 1, of the objects in the datalist "objects", whose
// options' values are kind and name, and data-incident the numbers of the incidents (data-number of details.incident) as ranges such as 1-15,
// both separated by spaces.
type timelineRow struct {
	Anchor, Offset, UTC, Basis string
	LaneID, Lane               string
	From, To                   int64 // milliseconds from zero
	Objects                    []int // see objectNumbers
	Column                     int   // of the lane, from 0
	Text, About                string
	Incidents                  []*incidentView
	More                       int // incidents that are not named
	Cites                      []string
	Also                       []string // anchors of the observations that say the same

	numbers []int // of all incidents
	item    model.TimelineItem
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
	p.Zero, p.ZeroAt = zero.Format(millis)+" UTC", zero.Format("2006-01-02T15:04:05.000Z")
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
	row.LaneID = lane(item)
	row.Lane = find(lanes, row.LaneID)
	row.Column = max(0, slices.IndexFunc(lanes, func(l label) bool { return l.id == row.LaneID }))
	row.From, row.To = item.At.Earliest.Sub(zero).Milliseconds(), item.At.Latest.Sub(zero).Milliseconds()
	row.Objects = p.objectNumbers(item.About)
	for _, id := range item.Incidents {
		in := p.incident[id]
		if in != nil {
			row.numbers = append(row.numbers, in.Number)
		}
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

// Numbers are those of all of the row's incidents, as ranges: "1-15 18".
func (r timelineRow) Numbers() string {
	var out []string
	for i := 0; i < len(r.numbers); {
		j := i
		for j+1 < len(r.numbers) && r.numbers[j+1] == r.numbers[j]+1 {
			j++
		}
		text := strconv.Itoa(r.numbers[i])
		if j > i {
			text += "-" + strconv.Itoa(r.numbers[j])
		}
		out, i = append(out, text), j+1
	}
	return strings.Join(out, " ")
}
