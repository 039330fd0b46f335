package check

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// needCollectionTime is met by any time of collection, or a time before which it was not: ages are counted to it.
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

// atLeast is the smallest age of a whole second at the collection; negative in the future and without a time of collection.
func atLeast(w *reconstruct.World, t metav1.Time) time.Duration {
	end, ok := collected(w)
	if !ok || t.IsZero() {
		return -1
	}
	return end.Sub(model.WholeSecond(t.Time).Latest)
}

// ago writes an age down, and what it is counted to where no time of collection is recorded.
func ago(w *reconstruct.World, t metav1.Time) string {
	s := "at least " + words.Duration(atLeast(w, t).Truncate(time.Second)) + " before the "
	if w.Axis.CapturedHow == model.CollectedNewest {
		return s + "newest time in the bundle, which does not record when it was collected"
	}
	return s + "collection"
}
