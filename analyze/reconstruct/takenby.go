package reconstruct

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// TakenBy is another pod that got the volume on a third node while this one waited, with the attach there, and runs with it: the controller
// reports a wait once, and not again for the next holder. False where the pod is not in the bundle, or the wait has ended.
func (c *Case) TakenBy() (pod model.Object[*corev1.Pod], attached *model.Observation, ok bool) {
	if c.Resolved() || c.From == "" || c.To == "" {
		return pod, nil, false
	}
	third := func(o *model.Observation) bool { return o.Node != "" && o.Node != c.From && o.Node != c.To }
	attached = last(c.World.byVolume[c.Volume], after(c.Began.Latest), and(kinds(model.AttachSucceeded, model.AttachmentAttached), third))
	if attached == nil {
		return pod, nil, false
	}
	left := and(kinds(model.DetachStarted, model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint), onNode(attached.Node))
	if first(c.World.byVolume[c.Volume], after(attached.At.At), left) != nil {
		return pod, nil, false
	}
	users := c.World.UsersAt(c.Volume, attached.Node)
	n := slices.IndexFunc(users, func(p model.Object[*corev1.Pod]) bool {
		return p.Value().Status.Phase == corev1.PodRunning && p.Value().DeletionTimestamp == nil && !c.isNewPod(p.Ref)
	})
	if n < 0 {
		return pod, nil, false
	}
	return users[n], attached, true
}
