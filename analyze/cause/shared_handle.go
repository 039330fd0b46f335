package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
)

// sharedBy says what the pods of both sides have in common, as the object of a sentence: their claim, or only the handle of
// their PersistentVolumes.
func sharedBy(c *reconstruct.Case) string {
	for _, p := range c.OldPods {
		if other := c.OtherVolumeOf(p); other != nil {
			return fmt.Sprintf("two PersistentVolumes (%s and %s) that name one volume of the storage, which admits one node", other.Key(), c.Volume.Key())
		}
	}
	return "the same claim, whose volume admits one node"
}
