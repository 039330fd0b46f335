package cause

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

func checkAccessMode(c *wait.Case) Result {
	if leaving(c) || lostBefore(c) || c.NodeRemoved().Known() {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseRelease}, For: witnesses(c.Began)}
	if many := allowsMany(c); many != nil {
		return promisedMany(c, r, many)
	}
	readers, asked := readOnlyPods(c), askedForMany(c)
	if len(readers) == 0 && asked == nil || c.Variant == model.ExclusivelyAttached {
		return Result{}
	}
	if len(readers) > 0 {
		r.Summary = fmt.Sprintf("%s on %s and %s on %s only read the volume, and it admits one node",
			wait.PodNames(c.OldPods), c.From, wait.PodNames(c.NewPods), c.To)
	} else {
		r.Summary = "The claim asks for several nodes, and its PersistentVolume admits one"
	}
	r.For = append(append(r.For, readers...), asked)
	if c.Volume.Exclusive() {
		r.Summary += ": its access modes are " + strings.Join(c.Volume.Access, ", ")
		r.For = append(r.For, oneNodeMode(c))
	} else if c.Volume.PV == nil && len(readers) > 0 && upstream.InlineAdmitsOne(c.Volume.UniqueName) {
		r.Summary += ": it is an inline disk of a plugin that never allows more"
	} else {
		r.lacks(model.Undecidable, "the PersistentVolume, for its access modes")
	}
	if r.Verdict == model.Confirmed && !c.OldPodRuns() {
		r.lacks(model.Likely, "that the old pod was not being deleted: the object of that pod")
	}
	r.Summary += "."
	return r
}

// promisedMany is a volume that allows several nodes: the controller reports no such volume, so its modes were others then.
func promisedMany(c *wait.Case, r Result, many *model.Observation) Result {
	refused := c.RefusedElsewhere(facts.Instant{})
	r.For = append(r.For, many)
	r.Explains = nil
	if len(refused) == 0 || len(c.DetachErrors) > 0 {
		r.Summary = "The PersistentVolume allows several nodes at the collection; " +
			"the controller reports Multi-Attach only of volumes that do not."
		r.lacks(model.Undecidable, "the PersistentVolume of the time of the report: "+
			"its access modes may have been changed since, or it was created anew")
		return r
	}
	r.For = append(r.For, sample(refused)...)
	r.Summary = fmt.Sprintf("The PersistentVolume says that it allows several nodes, "+
		"and the driver refuses %s because the volume is attached elsewhere: %s.",
		c.To, answerOf(refused))
	r.lacks(model.Likely, "what the storage can do: the driver's documentation, or its StorageClass")
	return r
}

// oneNodeMode cites the PersistentVolume's first access mode; nil when the bundle does not hold it.
func oneNodeMode(c *wait.Case) *model.Observation {
	if c.Volume.PV == nil {
		return nil
	}
	return facts.Cite(*c.Volume.PV, "spec.accessModes[0]")
}

// allowsMany cites the access mode by which the PersistentVolume allows several nodes; nil when nothing shows one.
func allowsMany(c *wait.Case) *model.Observation {
	if c.Volume.PV == nil {
		return nil
	}
	return manyMode(*c.Volume.PV, c.Volume.PV.Value().Spec.AccessModes)
}

// askedForMany cites the access mode by which the claim asks for several nodes; else nil.
func askedForMany(c *wait.Case) *model.Observation {
	claim, ok := c.World.Claim(c.Volume.Claim.Namespace, c.Volume.Claim.Name)
	if !ok {
		return nil
	}
	return manyMode(claim, claim.Value().Spec.AccessModes)
}

func manyMode[T any](o model.Object[T], modes []corev1.PersistentVolumeAccessMode) *model.Observation {
	for i, m := range modes {
		if m == corev1.ReadWriteMany || m == corev1.ReadOnlyMany {
			return facts.Cite(o, fmt.Sprintf("spec.accessModes[%d]", i))
		}
	}
	return nil
}

// readOnlyPods quotes that every pod on both sides mounts the volume read-only; nil when one does not, or is not in the bundle.
func readOnlyPods(c *wait.Case) []*model.Observation {
	if len(c.OldPods) == 0 || len(c.NewPods) == 0 {
		return nil
	}
	refs := slices.Concat(c.OldPods, c.NewPods)
	var out []*model.Observation
	for _, pod := range c.World.Held(refs) {
		if o := mountedReadOnly(c, pod); o != nil {
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
func mountedReadOnly(c *wait.Case, pod model.Object[*corev1.Pod]) *model.Observation {
	for i, v := range pod.Value().Spec.Volumes {
		field := fmt.Sprintf("spec.volumes[%d].", i)
		if claim := v.PersistentVolumeClaim; claim != nil && claim.ReadOnly && claim.ClaimName != "" {
			if (model.Ref{Namespace: pod.Ref.Namespace, Name: claim.ClaimName}).String() == c.Volume.Claim.String() {
				return facts.Cite(pod, field+"persistentVolumeClaim.readOnly")
			}
		}
		if v.Name != c.Volume.PersistentVolume {
			continue
		}
		if azure := v.AzureDisk; azure != nil && azure.ReadOnly != nil && *azure.ReadOnly {
			return facts.Cite(pod, field+"azureDisk.readOnly")
		}
		if v.Cinder != nil && v.Cinder.ReadOnly {
			return facts.Cite(pod, field+"cinder.readOnly")
		}
	}
	return nil
}

// manyCapable are the parameters of StorageClasses by which a back end makes volumes that several machines can have.
var manyCapable = []string{"multiattach", "maxshares", "shared"}

// manyCapableClass is the only StorageClass of the evidence, when its parameters ask for volumes that several machines can have.
func manyCapableClass(c *wait.Case) (name string, quote *model.Observation) {
	if len(c.World.Classes) != 1 {
		return "", nil
	}
	class := c.World.Classes[0]
	for _, k := range slices.Sorted(maps.Keys(class.Value().Parameters)) {
		off := slices.Contains([]string{"", "1", "false"}, strings.ToLower(class.Value().Parameters[k]))
		if !off && slices.Contains(manyCapable, strings.ToLower(k)) {
			return class.Ref.Name, facts.Cite(class, "parameters."+k)
		}
	}
	return "", nil
}
