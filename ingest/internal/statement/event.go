package statement

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// event says what an Event object says. Source and quote are those of its message.
func event(o model.Object[*manifest.Event]) model.Observation {
	e := o.Value()
	text, field := e.Text()
	about := e.Involved
	if about == (model.Ref{}) {
		about = e.About
	}
	first, last := eventSpan(e)
	obs := phrase.Event(phrase.EventRecord{
		Reason: e.Reason, Message: text,
		Component: cmp.Or(e.Source.Component, e.ReportingComponent, e.ReportingController, e.DeprecatedSource.Component),
		Object:    about,
		First:     first, Last: last, Count: count(e),
		Node: cmp.Or(e.Source.Host, e.DeprecatedSource.Host),
	})
	obs.Input = o.Input
	obs.Source, obs.Quote = o.SourceOf(field)
	obs.Source.Kind = model.SourceEvent
	return obs
}

func count(e *manifest.Event) int {
	n := max(e.Count, e.DeprecatedCount, 1)
	if e.Series != nil {
		n = max(n, e.Series.Count)
	}
	return n
}

// eventSpan is when an event happened first and last. The API keeps whole seconds for core/v1; the name of the object,
// <object>.<hex nanoseconds>, keeps the first occurrence exactly. Both are zero when the object says no time at all.
func eventSpan(e *manifest.Event) (first, last model.Moment) {
	if stated := cmp.Or(earliest(e.FirstTimestamp.Time, e.DeprecatedFirst.Time), e.Meta.CreationTimestamp.Time); !e.EventTime.IsZero() {
		first = model.Exactly(e.EventTime.Time)
	} else if !stated.IsZero() {
		first = Named(e.Meta.Name, stated)
	} else {
		first = second(metav1.Time{Time: cmp.Or(e.LastTimestamp.Time, e.DeprecatedLast.Time)})
	}
	last = first
	if count(e) > 1 {
		last = lastSeen(e)
	}
	// A last time within the second of the first says nothing more than the first.
	if !last.At.After(first.Latest) {
		last = first
	}
	return first, last
}

// lastSeen follows kubectl's order: a series counts on from lastTimestamp.
func lastSeen(e *manifest.Event) model.Moment {
	if e.Series != nil && !e.Series.LastObservedTime.IsZero() {
		return model.Exactly(e.Series.LastObservedTime.Time)
	}
	return second(metav1.Time{Time: model.Later(e.LastTimestamp.Time, e.DeprecatedLast.Time)})
}

// Named is when the event of a name happened first, given its whole second: by the nanoseconds at the end of its name when they fit. An
// event that was written again after its object was gone keeps both.
func Named(name string, stated time.Time) model.Moment {
	whole, t := model.WholeSecond(stated), Stamp(name)
	if d := t.Sub(whole.At); t.IsZero() || d < -time.Second || d >= 2*time.Second {
		return whole
	}
	return model.Exactly(t)
}

// Stamp is the first time of an event by the end of its name, <object>.<hex nanoseconds> (client-go tools/record/event.go); else zero.
func Stamp(name string) time.Time {
	suffix := name[strings.LastIndexByte(name, '.')+1:]
	nanos, err := strconv.ParseInt(suffix, 16, 64)
	if err != nil || len(suffix) < 15 || len(suffix) > 16 || suffix == name {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
