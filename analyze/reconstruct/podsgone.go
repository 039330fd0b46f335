package reconstruct

import "github.com/volpost/volpost/model"

// OldPodsGone is when the last of the old pods was seen to be gone; unknown while one of them has no record of it.
func (c *Case) OldPodsGone() Instant {
	return lastOfPods(c, c.about(c.OldPods), model.PodGone, model.PodForceDeleted)
}
