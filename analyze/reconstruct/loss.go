package reconstruct

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// lossMemory is how long after the last sign of a loss a wait still follows from it without another sign: detection and the
// default tolerations take six minutes, a rate-limited eviction of a large zone several more.
const lossMemory = 15 * time.Minute

// forgetLoss takes back a loss of which nothing tells since long before the wait, when the node reported the unmount after
// it: it had come back, and the loss is another story.
func forgetLoss(c *Case) {
	if c.NotReady.Known() && !c.LossLasted() && len(c.Seen(model.DetachVerifiedSafe, c.From)) > 0 {
		c.Heartbeat, c.NotReady, c.BackReady = Instant{}, Instant{}, Instant{}
	}
}

// LossLasted reports that the old node's last known loss reached into the wait: it came shortly before the report,
// something told of it again since, what followed needs a lost node, or its object still shows that very loss.
func (c *Case) LossLasted() bool {
	if !c.NotReady.Known() {
		return false
	}
	recent := c.Began.Earliest.Add(-lossMemory)
	if c.NotReady.Latest.After(recent) || c.Forced.Known() || c.OutOfService.Known() || c.NodeGone.Known() {
		return true
	}
	w := window{from: recent, to: c.horizon()}
	again := first(c.World.byNode[c.From], w, kinds(model.NodeNotReady, model.NodeHeartbeatMissed, model.NodeTainted, model.PodEvictionDecided))
	if again != nil || first(c.about(c.OldPods), w, kinds(model.PodEvictionDecided, model.PodNotReady)) != nil {
		return true
	}
	node, ok := c.World.Node(c.From)
	if !ok {
		return false
	}
	for _, cond := range node.Value().Status.Conditions {
		if cond.Type == corev1.NodeReady {
			return cond.Status != corev1.ConditionTrue && !cond.LastTransitionTime.After(c.Began.Latest)
		}
	}
	return false
}
