package reconstruct

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// handedOn corrects a release that was none: the old pod ended, and before the volume was detached its owner had made another
// pod that runs on the same node with it. A rolling update's old ReplicaSet does so when somebody deletes its pod (recorded).
// That pod is a user of the volume as the first one was, so that neither deletion nor release of what holds it is known.
func (c *Case) handedOn() {
	if !c.DeletionRequested.Known() && !c.Released.Known() || c.Attached.Known() || c.DetachRequested.Known() {
		return
	}
	serving := c.Serving()
	if len(serving) == 0 || slices.ContainsFunc(serving, func(p model.Object[*corev1.Pod]) bool { return c.isOldPod(p.Ref) }) {
		return
	}
	c.OldPods = mergeRefs(c.OldPods, RefsOf(serving))
	c.DeletionRequested, c.OldPodFinished, c.Released = Instant{}, Instant{}, Instant{}
	c.Remade = true
}
