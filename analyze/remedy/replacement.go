package remedy

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

// replacement is what the deletion of the old pod comes to by what its owner does then: a fit without a reason when the owner
// makes no other pod.
func (i *Incident) replacement() Fit {
	r := i.Case.Replacement()
	comes := r.Comes
	if comes == model.Unknown && i.hasCause("rollout-surge") {
		comes = model.True // a rolling update keeps the old pod until the new one is Ready
	}
	owner := "Its owner"
	if r.Owner.Name != "" {
		owner = fmt.Sprintf("%s %s", r.Owner.Kind, r.Owner.Name)
	}
	const instead = " Scaling to zero and back, or kubectl rollout undo, ends it."
	switch {
	case comes == model.False:
		return fits("")
	case comes == model.Unknown && (r.Owner.Kind == "StatefulSet" || r.Owner.Name == "" && i.Case.Released.Known()):
		return fits("") // a StatefulSet's next pod is the one that waits; and what ended here was followed by no other
	case r.Owner.Kind == "DaemonSet":
		return noEffect(owner + " makes another pod on the same node at once, which keeps the volume there.")
	case comes == model.Unknown && r.Owner.Kind != "ReplicaSet":
		return undecidable("Whether " + lowerFirst(owner, r.Owner.Name) + " makes another pod in its place, which could keep the volume on " + i.node() + ", is not in the bundle.")
	case comes == model.Unknown:
		return undecidable(fmt.Sprintf("Whether %s would make another pod, which could keep the volume on %s, is not in the bundle: its replicas.", owner, i.node()))
	case r.Back == model.True:
		return noEffect(fmt.Sprintf("%s makes another pod at once, which can be placed on %s again and keeps the volume there: the wait goes on.%s", owner, i.node(), instead))
	case r.OnlyTo:
		return fits(fmt.Sprintf("%s makes another pod at once, which cannot come back to %s and only to %s, where both may use the volume.", owner, i.node(), i.Case.To))
	case r.Back == model.False:
		return undecidable(fmt.Sprintf("%s makes another pod at once. It cannot come back to %s; where else it is placed, and which pod gets the volume then, nothing decides.%s", owner, i.node(), instead))
	}
	return noEffect(fmt.Sprintf("%s makes another pod at once, and nothing in the bundle keeps it from coming to %s again, where it keeps the volume.%s", owner, i.node(), instead))
}

// lowerFirst begins no sentence with the stand-in for an owner that has no name.
func lowerFirst(owner, name string) string {
	if name == "" {
		return "its owner"
	}
	return owner
}
