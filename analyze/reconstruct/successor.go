package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// successors are pods that took the place of an old one: they use the volume on the old node, came there while the wait lasted,
// and wait for nothing. The volume is then not released when the first old pod is gone: its owner made another on the node that
// still has the volume attached.
func successors(c *Case) []model.Ref {
	if c.From == "" {
		return nil
	}
	while := after(c.Began.Latest)
	for _, end := range []Instant{c.DetachRequested, c.Gone, c.Ended()} {
		if end.Known() && (while.to.IsZero() || end.Earliest.Before(while.to)) {
			while.to = end.Earliest
		}
	}
	var out []model.Ref
	add := func(p model.Ref, node string, at time.Time) {
		if node == c.From && while.holds(at) && !c.isNewPod(p) && !c.isOldPod(p) && !slices.ContainsFunc(out, p.Is) {
			out = append(out, p)
		}
	}
	for _, p := range c.World.PodsOf(c.Volume) {
		add(p.Ref, p.Value().Spec.NodeName, p.Value().CreationTimestamp.Time)
	}
	for _, old := range c.OldPods {
		if _, deployment := deploymentOf(old.Name); deployment { // the pods of others have claims of their own
			for _, o := range c.World.scheduled[family(old)] {
				add(o.Pod, o.Node, o.At.At)
			}
		}
	}
	return out
}

// addSuccessors puts the pods that took the place of old ones before them, since they are what uses the volume now. While nothing
// takes it from them, neither deletion nor release of what holds it is known.
func addSuccessors(c *Case) {
	next := successors(c)
	if len(next) == 0 {
		return
	}
	c.OldPods = append(slices.Clone(next), c.OldPods...)
	c.Remade = true
	if !c.Attached.Known() && !c.DetachRequested.Known() {
		c.DeletionRequested, c.OldPodFinished = Instant{}, Instant{}
	}
}
