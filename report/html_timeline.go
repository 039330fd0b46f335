package report

import "strconv"

// timelineRow is one row of the page's timeline.
type timelineRow struct {
	Anchor, Offset, UTC, Basis string
	Lane                       string
	Column                     int // of the lane, from 0
	Text, About                string
	Incidents                  []*incidentView
	Cites                      []string
}

// timeline makes the rows, counted from the first Multi-Attach report of the primary incident.
func (p *htmlPage) timeline() {
	if p.Primary == nil && len(p.Timeline) == 0 {
		return
	}
	var zero = p.zero()
	p.Zero = zero.Format(millis) + " UTC"
	taken := map[string]int{}
	for i, item := range p.Timeline {
		if i == htmlTimeline {
			p.RowsLeft = len(p.Timeline) - i
			break
		}
		row := timelineRow{Anchor: "timeline-" + anchor(item.ID), Offset: offset(zero, item.At.At), UTC: instant(item.At),
			Basis: string(item.At.Basis), Text: item.Text, About: refs(item.About), Cites: p.cited(item.Evidence, item.At.Evidence)}
		if taken[row.Anchor]++; taken[row.Anchor] > 1 {
			row.Anchor += "-" + strconv.Itoa(taken[row.Anchor])
		}
		id := lane(item.Kind)
		row.Lane = find(lanes, id)
		for column, l := range lanes {
			if l.id == id {
				row.Column = column
			}
		}
		for _, id := range item.Incidents {
			if in := p.incident[id]; in != nil {
				row.Incidents = append(row.Incidents, in)
			}
		}
		p.Rows = append(p.Rows, row)
	}
}

// X is where the row's dot stands among the lanes.
func (r timelineRow) X() int { return 7 + 12*r.Column }
