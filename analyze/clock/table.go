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
	open     side
	line     model.Kind // of a log
	witness  func() Witness
}

func stated(m model.Moment, l lag) record {
	return record{from: m.Earliest.Add(-l.most), to: m.Latest.Add(-l.least), weight: l.weight(), open: l.side()}
}

// repeats reports that two records are none of one happening: two processes that write the same line each did it.
func (r record) repeats(s record) bool { return r.line != "" && r.line == s.line }

// takeover is how long a controller that begins attaches again what is attached: nothing happens then that others record.
const takeover = 2 * time.Minute

// reattached reports that a log says of an attach what a controller says that has just begun to lead; it notes when that was.
func reattached(o *model.Observation, began map[string]time.Time) bool {
	if o.Source.Kind != model.SourceLog {
		return false
	}
	switch o.Kind {
	case model.LeaderAcquired, model.ControllerStarted:
		began[o.Input] = o.At.At
	case model.AttachStarted, model.AttachSucceeded:
		return !began[o.Input].IsZero() && o.At.At.Sub(began[o.Input]) < takeover
	}
	return false
}

// recurring is how many records of one happening by one source are compared. Pods that crash all day have one happening a thousand times.
const recurring = 8

// table is what the sources of a bundle share.
type table struct {
	sources []Source
	number  map[Source]int
	order   []string // happenings, as they come; in the end those that two sources record
	records map[string][]record
	reports map[Source]bool // those that report waits
	assumed map[Source]bool // logs whose zone or year is assumed: they are believed least
	shares  [][]int         // of each source, the places in order of what it records
	moved   []time.Duration // of each source, by what its clock was set back
}

func newTable(s *model.Snapshot, all []model.Observation) *table {
	t := &table{number: map[Source]int{}, records: map[string][]record{}, reports: map[Source]bool{}, assumed: map[Source]bool{}}
	handles, began := handlesOf(s, all), map[string]time.Time{}
	for i := range all {
		o := &all[i]
		aged := o.At.Basis == model.Assumed && o.Source.Kind != model.SourceLog // a log's zone is assumed, and what it records together tells otherwise
		if !Timed(o) || aged || reattached(o, began) {
			continue
		}
		t.observation(s, o, handles)
	}
	t.objects(s, all)
	t.order = slices.DeleteFunc(t.order, func(h string) bool { return alone(t.records[h]) })
	t.moved, t.shares = make([]time.Duration, len(t.sources)), make([][]int, len(t.sources))
	for n, h := range t.order {
		together(t.records[h])
		for _, r := range t.records[h] {
			if of := t.shares[r.source]; len(of) == 0 || of[len(of)-1] != n {
				t.shares[r.source] = append(of, n)
			}
		}
	}
	return t
}

// add notes that a source records a happening.
func (t *table) add(s Source, happening string, r record, w func() Witness) {
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
		r.source, r.witness = n, w
		t.records[happening] = append(list, r)
	}
}

// together puts the records of one source behind each other, the sources in the order in which they come.
func together(list []record) {
	first := map[int]int{}
	for i, r := range list {
		if _, ok := first[r.source]; !ok {
			first[r.source] = i
		}
	}
	slices.SortStableFunc(list, func(a, b record) int { return first[a.source] - first[b.source] })
}

// alone reports that all records are of one source.
func alone(list []record) bool {
	return !slices.ContainsFunc(list, func(r record) bool { return r.source != list[0].source })
}
