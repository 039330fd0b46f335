package table

import (
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// mountWait is how long the kubelet waits for the volumes of a pod before it complains (podAttachAndMountTimeout, 2m3s in 1.13–1.36).
const mountWait = 2 * 60

// widestPrinted is the widest interval that still dates a description. Wider ones say little more than the day.
const widestPrinted = 5 * time.Minute

// printed is when a pod's description was printed: its start time is a date, and the row of its scheduling has an age. The start time is
// the kubelet's, which may come back late; the ages of its events, and the description itself, bound how late. Zero when it does not say.
func (s *section) printed() model.Moment {
	scheduled := s.scheduled()
	if s.start.IsZero() || scheduled == nil {
		return model.Moment{}
	}
	late := scheduled.Max
	for i := range s.rows {
		r := &s.rows[i]
		if r.record.Component != "kubelet" || r.seen.first == nil {
			continue
		}
		wait := 0.0
		if strings.HasPrefix(r.record.Message, "Unable to ") {
			wait = mountWait
		}
		late = min(late, max(scheduled.Max-r.seen.first.Min-wait, 0))
	}
	after := func(t time.Time, seconds float64) time.Time {
		return t.Add(time.Duration(seconds * float64(time.Second)))
	}
	earliest, latest := after(s.start.Earliest, max(scheduled.Min-late, 0)), after(s.start.Latest, scheduled.Max)
	if latest.Sub(earliest) > widestPrinted {
		return model.Moment{}
	}
	return model.Between(earliest, latest)
}

// scheduled is how long ago the pod was scheduled; nil when no row shows it, or two do, as of two pods of one name.
func (s *section) scheduled() *model.Range {
	var age *model.Range
	for i := range s.rows {
		r := &s.rows[i]
		if r.record.Reason != "Scheduled" {
			continue
		}
		if age != nil || r.seen.count != 1 || r.seen.first == nil {
			return nil
		}
		age = r.seen.first
	}
	return age
}
