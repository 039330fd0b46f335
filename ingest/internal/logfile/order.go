package logfile

import (
	"cmp"
	"slices"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// statement is what one record says, before repetitions are folded.
type statement struct {
	at  time.Time // of the record
	o   *model.Observation
	raw string
}

// orderer hands statements to the folder in the order of time. Most logs are in that order, and nothing is kept of them.
// Newest-first exports, unsorted exports and files that a person put together are kept until their end, then sorted.
type orderer struct {
	fold     *folder
	kept     []statement
	size     int
	flowing  bool       // the log was in order so far: statements go straight on
	disorder int        // line of the first record that is out of order, 0 when none is
	up, down int        // steps forward and backward in time, from one record to the next
	hourBack int        // line at which a clock without zone goes back by an hour, 0 when it does not
	cut      bool       // too many statements to sort them all at once
	spans    [2]covered // of records with a zone, and of those without one
	last     [2]time.Time
}

// covered is the time from the earliest to the latest of some records.
type covered struct {
	records  int
	from, to time.Time
}

// widen takes further records.
func (c *covered) widen(from, to time.Time, records int) {
	if c.records == 0 || from.Before(c.from) {
		c.from = from
	}
	if c.records == 0 || to.After(c.to) {
		c.to = to
	}
	c.records += records
}

// clockOf is the index of records with a zone, or of those without one.
func clockOf(floating bool) int {
	if floating {
		return 1
	}
	return 0
}

// Bounds of the orderer.
const (
	firstKept = 128             // statements that wait before a log is taken to be in order
	maxSorted = 100_000         // statements that are sorted at once
	maxBytes  = 64 << 20        // and their bytes
	slack     = 2 * time.Second // workers of one process write that much out of order
)

func (q *orderer) see(at time.Time, floating bool, line int) {
	if at.IsZero() {
		return
	}
	i := clockOf(floating)
	if q.disorder == 0 && q.early(i, at) {
		q.disorder = line
		if floating && repeatsHour(q.spans[i].to, at) {
			q.hourBack = line
		}
	}
	q.step(i, at)
	q.spans[i].widen(at, at, 1)
}

// early reports whether an instant is out of order.
func (q *orderer) early(i int, at time.Time) bool {
	return q.spans[i].records > 0 && at.Before(q.spans[i].to.Add(-slack))
}

// step counts the step from the record before to one at a time.
func (q *orderer) step(i int, at time.Time) {
	switch c := at.Compare(q.last[i]); {
	case q.last[i].IsZero():
	case c > 0:
		q.up++
	case c < 0:
		q.down++
	}
	q.last[i] = at
}

// skip notes the times of many records. It returns false when it has to see each: they are the first that are not in order.
func (q *orderer) skip(st *logline.Stretch) bool {
	i := clockOf(st.Floating)
	if q.disorder == 0 && (st.Back > slack || q.early(i, st.At(st.Earliest))) {
		return false
	}
	q.step(i, st.At(st.First))
	q.up, q.down, q.last[i] = q.up+st.Up, q.down+st.Down, st.At(st.Last)
	q.spans[i].widen(st.At(st.Earliest), st.At(st.Latest), st.Records)
	return true
}

// repeatsHour recognises the step that a local clock makes where summer time ends: from the end of an hour to its beginning.
func repeatsHour(before, after time.Time) bool {
	const near = 5 * time.Minute
	hour := before.Truncate(time.Hour)
	return before.Sub(hour) >= time.Hour-near && !after.Before(hour) && after.Sub(hour) < near
}

// began is the time of the first record in the order of time.
func (q *orderer) began() time.Time {
	return cmp.Or(q.spans[0].from, q.spans[1].from)
}

// flows reports that statements go straight on to the folder.
func (q *orderer) flows() bool { return q.flowing && q.disorder == 0 }

// add keeps a statement until its place among the others is known.
func (q *orderer) add(s statement) {
	q.kept = append(q.kept, s)
	q.size += len(s.raw)
	if q.disorder == 0 && len(q.kept) >= firstKept {
		q.flush()
		q.flowing = true
	} else if len(q.kept) >= maxSorted || q.size >= maxBytes {
		q.cut = true
		q.flush()
	}
}

func (q *orderer) flush() {
	if len(q.kept) == 0 {
		return
	}
	if q.disorder > 0 {
		if q.down > q.up { // of records with one time, the later stands first
			slices.Reverse(q.kept)
		}
		slices.SortStableFunc(q.kept, func(a, b statement) int { return a.at.Compare(b.at) })
	}
	if !q.flowing {
		q.fold.beats.began = q.began()
	}
	for _, s := range q.kept {
		q.fold.add(s.o, s.raw)
	}
	q.kept, q.size = q.kept[:0], 0
}
