package reconstruct

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// ReadOnlyPods quotes, for every pod on both sides, that it mounts the volume read-only; nil when one of them does not, or
// is not in the bundle.
func (c *Case) ReadOnlyPods() []*model.Observation {
	if len(c.OldPods) == 0 || len(c.NewPods) == 0 {
		return nil
	}
	refs := slices.Concat(c.OldPods, c.NewPods)
	var out []*model.Observation
	for _, pod := range c.World.held(refs) {
		if o := c.mountedReadOnly(pod); o != nil {
			out = append(out, o)
		}
	}
	if len(out) < len(refs) {
		return nil
	}
	return out
}

// mountedReadOnly cites the flag with which a pod asks for the volume read-only: of its claim, or of an inline disk of the
// two plugins whose inline disks admit one node whatever the pod asks (volume/util IsMultiAttachAllowed).
func (c *Case) mountedReadOnly(pod model.Object[*corev1.Pod]) *model.Observation {
	for i, v := range pod.Value().Spec.Volumes {
		field := fmt.Sprintf("spec.volumes[%d].", i)
		switch {
		case v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ReadOnly && c.Volume.Claim.Name != "" &&
			v.PersistentVolumeClaim.ClaimName == c.Volume.Claim.Name && pod.Ref.Namespace == c.Volume.Claim.Namespace:
			return Cite(pod, field+"persistentVolumeClaim.readOnly")
		case v.AzureDisk != nil && v.AzureDisk.ReadOnly != nil && *v.AzureDisk.ReadOnly && v.Name == c.Volume.PersistentVolume:
			return Cite(pod, field+"azureDisk.readOnly")
		case v.Cinder != nil && v.Cinder.ReadOnly && v.Name == c.Volume.PersistentVolume:
			return Cite(pod, field+"cinder.readOnly")
		}
	}
	return nil
}

// AskedForMany cites the access mode by which the claim asks for several nodes; nil when the claim is not in the bundle or
// asks for one.
func (c *Case) AskedForMany() *model.Observation {
	claim, ok := c.World.Claim(c.Volume.Claim.Namespace, c.Volume.Claim.Name)
	if !ok {
		return nil
	}
	return manyMode(claim, claim.Value().Spec.AccessModes)
}

func manyMode[T any](o model.Object[T], modes []corev1.PersistentVolumeAccessMode) *model.Observation {
	for i, m := range modes {
		if m == corev1.ReadWriteMany || m == corev1.ReadOnlyMany {
			return Cite(o, fmt.Sprintf("spec.accessModes[%d]", i))
		}
	}
	return nil
}

// AllowsMany cites the access mode by which the PersistentVolume allows several nodes; nil when nothing shows one.
func (c *Case) AllowsMany() *model.Observation {
	if c.Volume.PV == nil {
		return nil
	}
	return manyMode(*c.Volume.PV, c.Volume.PV.Value().Spec.AccessModes)
}

// OneNodeMode cites the PersistentVolume's first access mode; nil when the bundle does not hold it.
func (c *Case) OneNodeMode() *model.Observation {
	if c.Volume.PV == nil {
		return nil
	}
	return Cite(*c.Volume.PV, "spec.accessModes[0]")
}
