package clock

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// record is a statement of a happening: had the clock of its source been right, it happened within [from, to].
type record struct {
	source   int
	from, to time.Time
	weight   int
	witness  func() Witness
}

// recurring is how many records of one happening by one source are compared. Pods that crash all day have one happening a thousand times.
const recurring = 8

// table is what the sources of a bundle share.
type table struct {
	sources []Source
	number  map[Source]int
	order   []string // happenings, as they come; in the end those that two sources record
	records map[string][]record
	moved   []time.Duration // of each source, by what its clock was set back
}

func newTable(s *model.Snapshot, all []model.Observation) *table {
	t := &table{number: map[Source]int{}, records: map[string][]record{}}
	handles := handlesOf(s, all)
	for i := range all {
		o := &all[i]
		if o.Floating || o.At.IsZero() || o.Age != nil || o.At.Basis == model.Assumed {
			continue
		}
		t.observation(s, o, handles)
	}
	t.objects(s)
	t.order = slices.DeleteFunc(t.order, func(h string) bool { return alone(t.records[h]) })
	t.moved = make([]time.Duration, len(t.sources))
	return t
}

// add notes that a source records a happening, late by least to most after it.
func (t *table) add(s Source, happening string, m model.Moment, l lag, w func() Witness) {
	n, ok := t.number[s]
	if !ok {
		n = len(t.sources)
		t.number[s], t.sources = n, append(t.sources, s)
	}
	list := t.records[happening]
	if list == nil {
		t.order = append(t.order, happening)
	}
	own := 0
	for _, r := range list {
		if r.source == n {
			own++
		}
	}
	if own < recurring {
		r := record{n, m.Earliest.Add(-l.most), m.Latest.Add(-l.least), l.weight(), w}
		t.records[happening] = append(list, r)
	}
}

// alone reports that all records are of one source.
func alone(list []record) bool {
	return !slices.ContainsFunc(list, func(r record) bool { return r.source != list[0].source })
}
