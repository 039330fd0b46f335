package html

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// entry is one fact of the timeline, with what other sources say of it, or an alert that fires.
type entry struct {
	item   model.TimelineItem
	lane   string
	others []string   // identifiers of the items that say the same
	rule   string     // anchor of the alerting rule
	name   string     // of the alerting rule
	origin string     // who wrote it
	until  *time.Time // end of an alert
	open   bool       // the alert fires on where the data end

	story  bool // it belongs to what the timeline shows; the others are folded
	kept   bool
	anchor string // of its row, when it is kept
}

// entries are the facts of the timeline in the order of time, with the alerts that fire.
func (p *htmlPage) entries() []*entry {
	fired := p.firings()
	out := make([]*entry, 0, len(p.Timeline)+len(fired))
	for _, f := range view.Happenings(p.Timeline) {
		for len(fired) > 0 && fired[0].item.At.At.Before(f.At.At) {
			out, fired = append(out, fired[0]), fired[1:]
		}
		out = append(out, &entry{item: f.TimelineItem, lane: view.Lane(f.TimelineItem), others: f.Again})
	}
	return append(out, fired...)
}

// inStory reports that a fact concerns an incident and lies in its span or near to it. What lies before is set-up.
func (p *htmlPage) inStory(e *entry) bool {
	for _, id := range e.item.Incidents {
		if in := p.IncidentOf[id]; in != nil {
			from, to := widened(in.Span.From.At, in.Span.To.At)
			if !e.item.At.Latest.Before(from) && !e.item.At.Earliest.After(to) {
				return true
			}
		}
	}
	return false
}

// fit keeps the entries that have room: those of the incidents that are shown first, then those nearest to an incident in time.
func (p *htmlPage) fit(entries []*entry) {
	var concerning, others []ranked
	for _, e := range entries {
		if e.story = p.inStory(e); e.story {
			concerning = append(concerning, ranked{e, p.rank(e.item.Incidents)})
		} else {
			others = append(others, ranked{e, p.distance(e.item.At.At)})
		}
	}
	keep(concerning, p.budget.rows)
	keep(others, p.budget.others)
}

// ranked is an entry with how far it lies from what a reader came for; a smaller rank is nearer.
type ranked struct {
	*entry
	rank int64
}

func keep(list []ranked, room int) {
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for _, e := range list {
		if room -= e.size(); room < 0 {
			return
		}
		e.kept = true
	}
}

// size estimates what the entry's row adds to the page, in bytes.
func (e *entry) size() int {
	size := 300 + len(e.item.Text) + 48*min(len(e.item.Evidence), citesShown) +
		62*min(len(e.item.Incidents), rowIncidents) + 55*len(e.others)
	for _, r := range e.item.About {
		size += 8 + len(r.Name)/4
	}
	return size
}

// rank is the number of the first of the incidents, with those that are shown before the others.
func (p *htmlPage) rank(ids []string) int64 {
	best := int64(math.MaxInt64)
	for _, id := range ids {
		in := p.IncidentOf[id]
		if in == nil {
			continue
		}
		rank := int64(in.Number)
		if full, hasPart := p.parts[in]; !hasPart {
			rank += 2 << 32
		} else if !full {
			rank += 1 << 32
		}
		best = min(best, rank)
	}
	return best
}

// distance is how far an instant lies from the nearest incident that is shown; 0 within one, and when there is none.
func (p *htmlPage) distance(at time.Time) int64 {
	if len(p.parts) == 0 {
		return 0
	}
	best := time.Duration(math.MaxInt64)
	for in := range p.parts { // the least has no order
		best = min(best, max(in.Span.From.At.Sub(at), at.Sub(in.Span.To.At), 0))
	}
	return int64(best)
}
