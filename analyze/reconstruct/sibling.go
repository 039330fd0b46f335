package reconstruct

import (
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Sibling is another replica of the case's StatefulSet that was lost at the same time with another node, and whose volume moved.
type Sibling struct {
	Pod     model.Ref
	Node    string
	Tainted Instant // out-of-service; unknown where nothing shows it
	Moved   Instant // its volume was attached elsewhere
}

// lostTogether is how far apart two nodes may be found not Ready that one failure took: the node lifecycle controller's loop of 5 s, twice.
const lostTogether = 10 * time.Second

// LostTogether is the first sibling whose volume had moved before the case's own: what one loss did to two replicas that were treated
// differently.
func (c *Case) LostTogether() (Sibling, bool) {
	if c.Workload == nil || c.Workload.Kind != "StatefulSet" || len(c.OldPods) == 0 || !c.NotReady.Known() {
		return Sibling{}, false
	}
	since := after(c.NotReady.Earliest)
	for _, lost := range c.World.byKind[model.NodeNotReady] {
		apart := lost.At.At.Sub(c.NotReady.At).Abs()
		if lost.Node == "" || lost.Node == c.From || apart > lostTogether {
			continue
		}
		for _, placed := range c.World.byKind[model.PodScheduled] {
			own := placed.Pod.Namespace == c.OldPods[0].Namespace && placed.Pod.Name != c.OldPods[0].Name && sameSet(placed.Pod.Name, c.OldPods[0].Name)
			if placed.Node != lost.Node || !own {
				continue
			}
			moved := first(c.World.byPod[placed.Pod.String()], since, kinds(model.AttachSucceeded))
			if moved == nil || moved.Node == lost.Node || c.Attached.Known() && !moved.At.Latest.Before(c.Attached.Earliest) {
				continue
			}
			s := Sibling{Pod: placed.Pod, Node: lost.Node, Moved: seen(moved)}
			if o := first(c.World.byNode[lost.Node], since, outOfServiceSign); o != nil {
				s.Tainted = seen(o)
			}
			return s, true
		}
	}
	return Sibling{}, false
}

// outOfServiceSign tests for the out-of-service taint, or for a controller that acts on it.
func outOfServiceSign(o *model.Observation) bool {
	return tainted(upstream.OutOfServiceTaint)(o) || o.Kind == model.NodeOutOfService || o.Kind == model.DetachForcedTaint
}
