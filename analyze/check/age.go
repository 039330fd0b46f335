package check

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// needCollectionTime is met when something tells when the bundle was collected, or at least a time before which it was
// not: ages are counted to it, never to the time of the analysis.
var needCollectionTime = Need{
	What: "the time of the collection, or any object or record with a time", Command: "volpost gather",
	Met: func(w *reconstruct.World) bool { _, ok := collected(w); return ok },
}

// collected is the earliest time at which the objects may have been collected; false when only a stand-in is known.
func collected(w *reconstruct.World) (time.Time, bool) {
	at := w.Axis.CapturedAt
	if at == nil || at.Missing() != "" {
		return time.Time{}, false
	}
	return at.Earliest, true
}

// atLeast is the smallest age that a whole second of an object can have at the collection; negative when it lies in the
// future, and when nothing tells.
func atLeast(w *reconstruct.World, t metav1.Time) time.Duration {
	end, ok := collected(w)
	if !ok || t.IsZero() {
		return -1
	}
	return end.Sub(model.WholeSecond(t.Time).Latest)
}

// ago writes an age down, and what it is counted to where no time of collection is recorded.
func ago(w *reconstruct.World, t metav1.Time) string {
	s := "at least " + span(atLeast(w, t)) + " before the "
	if w.Axis.CapturedHow == model.CollectedNewest {
		return s + "newest time in the bundle, which does not record when it was collected"
	}
	return s + "collection"
}

// span writes a duration in its two largest units, rounded down.
func span(d time.Duration) string {
	units := []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}}
	var out []string
	for _, u := range units {
		if n := d / u.of; n > 0 || u.of == time.Second && len(out) == 0 {
			out = append(out, fmt.Sprintf("%d %s", n, u.name))
		} else if len(out) > 0 {
			break
		}
		if d %= u.of; len(out) == 2 {
			break
		}
	}
	return strings.Join(out, " ")
}
