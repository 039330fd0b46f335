package phrase

import "github.com/volpost/volpost/model"

// EventRecord is a Kubernetes Event without its shape: from core/v1, from events.k8s.io/v1, or from the line that the
// recorder writes into the log of its process. Fields that the source does not give are empty.
type EventRecord struct {
	Reason, Message, Type string
	Component, Instance   string       // who reported it
	Object                model.Ref    // about what
	First, Last           model.Moment // Last is zero when the source gives one instant
	Count                 int          // below 1 counts as 1
	Floating              bool         // as in model.Observation
	Node                  string       // source.host
}

// Event says what an Event tells. A reason without a kind of its own becomes model.KubernetesEvent with the reason as
// Detail. Source, Quote and Input are the caller's to fill in.
func Event(e EventRecord) model.Observation {
	o := model.Observation{
		Kind: model.KubernetesEvent, At: e.First, Last: e.Last, Count: max(e.Count, 1), Floating: e.Floating,
		Component: e.Component, Object: e.Object, Detail: e.Reason,
	}
	if o.Last.IsZero() {
		o.Last = o.At
	}
	return o
}
