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
	list := c.World.byVolume[c.Volume]
	if !c.stillWaits() || first(list, after(c.Began.At), kinds(model.AttachStarted, model.AttachSucceeded)) != nil {
		return ""
	}
	node := ""
	for _, o := range where(list, kinds(model.NodeVolumesAttached)) {
		if node != "" && o.Node != node || o.Node == c.To {
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
			if _, known := slices.BinarySearch(c.World.nodeNames, h); known && h != c.To {
				return h
			}
		}
	}
	return ""
}

// stillWaits reports that a waiting pod is in the bundle, has not started and is not being deleted.
func (c *Case) stillWaits() bool {
	return slices.ContainsFunc(c.World.held(c.NewPods), func(p model.Object[*corev1.Pod]) bool {
		return p.Value().Status.Phase == corev1.PodPending && p.Value().DeletionTimestamp == nil
	})
}
