package reconstruct

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// successors are pods that took the place of an old one: they use the volume on the old node, came there while the wait lasted,
// and wait for nothing. The volume is then not released when the first old pod is gone: its owner made another on the node that
// still has the volume attached.
func successors(c *Case) []model.Ref {
	if c.From == "" {
		return nil
	}
	var out []model.Ref
	for _, p := range c.World.PodsOf(c.Volume) {
		made := p.Value().CreationTimestamp.Time
		if p.Value().Spec.NodeName != c.From || !made.After(c.Began.Latest) || c.isNewPod(p.Ref) || c.isOldPod(p.Ref) {
			continue
		}
		if end := c.Ended(); !end.Known() || made.Before(end.Earliest) {
			out = append(out, p.Ref)
		}
	}
	return out
}

// addSuccessors puts the pods that took the place of old ones before them, since they are what uses the volume now. While nothing
// takes it from them, neither deletion nor release of what holds it is known.
func (c *Case) addSuccessors() {
	next := successors(c)
	if len(next) == 0 {
		return
	}
	c.OldPods = append(slices.Clone(next), c.OldPods...)
	if !c.Attached.Known() && !c.DetachRequested.Known() {
		c.Remade, c.DeletionRequested, c.OldPodFinished = true, Instant{}, Instant{}
	}
}
