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
	w := window{from: c.Began.Earliest.Add(-lossMemory), to: c.horizon()}
	again := kinds(model.NodeNotReady, model.NodeHeartbeatMissed, model.NodeTainted, model.PodEvictionDecided)
	left := kinds(model.PodEvictionDecided, model.PodNotReady)
	_, cond, field := c.World.readyOf(c.From)
	return c.NotReady.Latest.After(w.from) || c.Forced.Known() || c.OutOfService.Known() || c.NodeGone.Known() ||
		first(c.World.byNode[c.From], w, again) != nil || first(c.about(c.OldPods), w, left) != nil ||
		field != "" && cond.Status != corev1.ConditionTrue && !cond.LastTransitionTime.After(c.Began.Latest)
}
