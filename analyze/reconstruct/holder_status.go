package reconstruct

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// holderByNodeStatus is the only node whose status.volumesAttached lists the volume at the collection. The controller
// writes that list, also for in-tree volumes, which have no VolumeAttachment. It tells of the time of the report only
// when the pod still waits and nothing attached the volume meanwhile.
func holderByNodeStatus(c *Case) string {
	moved := first(c.World.byVolume[c.Volume], after(c.Began.At), kinds(model.AttachStarted, model.AttachSucceeded))
	if moved != nil || !c.stillWaits() {
		return ""
	}
	node := ""
	for _, o := range c.World.byVolume[c.Volume] {
		if o.Kind != model.NodeVolumesAttached || o.Node == node {
			continue
		}
		if node != "" || o.Node == c.To {
			return ""
		}
		node = o.Node
	}
	return node
}

// holderByRefusal is the node that the back end names as the holder when it refuses the attach to the wanted one.
func holderByRefusal(c *Case) string {
	for _, o := range c.World.byVolume[c.Volume] {
		if o.Kind != model.AttachFailed || o.At.At.Before(c.Began.At) {
			continue
		}
		for _, h := range o.Holders {
			if h != c.To {
				return h
			}
		}
	}
	return ""
}

// stillWaits reports that a waiting pod is in the bundle, has not started and is not being deleted.
func (c *Case) stillWaits() bool {
	return slices.ContainsFunc(c.NewPods, func(p model.Ref) bool {
		obj, ok := c.World.Pod(p)
		return ok && obj.Value().Status.Phase == corev1.PodPending && obj.Value().DeletionTimestamp == nil
	})
}
