package manifest

import (
	"bytes"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/model"
)

// Event is a core/v1 or events.k8s.io/v1 Event: one object under two sets of names. Times that are absent or unreadable are zero.
type Event struct {
	Meta     EventMeta `json:"metadata"`
	Reason   string    `json:"reason"`
	Message  string    `json:"message"`        // core/v1
	Note     string    `json:"note"`           // events.k8s.io/v1
	Involved model.Ref `json:"involvedObject"` // core/v1
	About    model.Ref `json:"regarding"`      // events.k8s.io/v1

	Source              corev1.EventSource `json:"source"`           // core/v1
	DeprecatedSource    corev1.EventSource `json:"deprecatedSource"` // events.k8s.io/v1
	ReportingComponent  string             `json:"reportingComponent"`
	ReportingController string             `json:"reportingController"`

	EventTime       Time         `json:"eventTime"` // microseconds
	FirstTimestamp  Time         `json:"firstTimestamp"`
	LastTimestamp   Time         `json:"lastTimestamp"`
	DeprecatedFirst Time         `json:"deprecatedFirstTimestamp"`
	DeprecatedLast  Time         `json:"deprecatedLastTimestamp"`
	Count           int          `json:"count"`
	DeprecatedCount int          `json:"deprecatedCount"`
	Series          *EventSeries `json:"series"`
}

// EventMeta is the part of an event's metadata that is read.
type EventMeta struct {
	Name              string `json:"name"`
	Namespace         string `json:"namespace"`
	UID               string `json:"uid"`
	ResourceVersion   string `json:"resourceVersion"`
	CreationTimestamp Time   `json:"creationTimestamp"`
}

// EventSeries counts repetitions. The scheduler's are stale lower bounds: it writes them every 30 minutes.
type EventSeries struct {
	Count            int  `json:"count"`
	LastObservedTime Time `json:"lastObservedTime"` // microseconds
}

// Time is an RFC 3339 time, or zero where the file has null, an empty string or something else.
type Time struct{ time.Time }

// UnmarshalJSON never fails: support-bundle-kit writes the string "null" for absent times, and one bad time must not lose the event.
func (t *Time) UnmarshalJSON(data []byte) error {
	t.Time = time.Time{}
	if parsed, err := time.Parse(time.RFC3339Nano, string(bytes.Trim(data, `"`))); err == nil && parsed.Year() > 1 {
		t.Time = parsed.UTC()
	}
	return nil
}

// Text is the message, and the name of the field that holds it.
func (e *Event) Text() (text, field string) {
	if e.Message == "" && e.Note != "" {
		return e.Note, "note"
	}
	return e.Message, "message"
}

func decodeEvent(data []byte) (metav1.Object, any, error) {
	e := &Event{}
	if err := json.Unmarshal(data, e); err != nil {
		return nil, nil, err
	}
	return e.meta(), e, nil
}

func (e *Event) meta() metav1.Object {
	return &metav1.ObjectMeta{Name: e.Meta.Name, Namespace: e.Meta.Namespace, ResourceVersion: e.Meta.ResourceVersion,
		UID: types.UID(e.Meta.UID)}
}
