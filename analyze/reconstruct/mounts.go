package reconstruct

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// Mounts are the rows of mount tables that show the volume mounted on the old node. A table does not say of which node it
// is: its place in the bundle does, or the UID of an old pod in it. It does not say when it was taken, either, so that
// there are none once the volume was attached elsewhere.
func (c *Case) Mounts() []*model.Observation {
	if c.From == "" || c.Resolved() {
		return nil
	}
	var rows []*model.Observation
	ofOldNode := map[string]bool{} // by input
	for _, o := range c.World.byKind[model.VolumeMounted] {
		if !c.mounts(o) {
			continue
		}
		rows = append(rows, o)
		if namedAfter(o.Input, c.From) || slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { return p.UID != "" && p.UID == o.Pod.UID }) {
			ofOldNode[o.Input] = true
		}
	}
	return slices.DeleteFunc(rows, func(o *model.Observation) bool { return !ofOldNode[o.Input] })
}

// mounts reports that a row of a mount table is of the volume: it names the PersistentVolume, or its driver and the hash of
// its handle (pkg/volume/csi csi_attacher.go makeDeviceMountPath, since 1.24).
func (c *Case) mounts(o *model.Observation) bool {
	if !o.Volume.IsZero() {
		return c.holds(o)
	}
	return c.Volume.Handle != "" && o.Attacher == c.Volume.Driver && o.Detail == c.Volume.handleHash()
}
