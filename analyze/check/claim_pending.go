package check

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// provisionPatience is how long a claim may wait for its provisioner: the longest pause between two tries (--retry-interval-max).
const provisionPatience = 5 * time.Minute

// selectedNode is where the scheduler writes the node for which a volume is to be made.
const selectedNode = "volume.kubernetes.io/selected-node"

// noProvisioner is the provisioner of classes whose volumes are made by hand.
const noProvisioner = "kubernetes.io/no-provisioner"

// obstacle is why a claim is Pending. Each Pending claim has at most one, so that one check reports it.
type obstacle int

const (
	nothingSeen  obstacle = iota // the claim may be about to be bound
	namesVolume                  // it names a volume: see claim-ref-stale and claim-no-volume
	noClass                      // neither a class nor a volume of its class exists
	handMade                     // its class has no provisioner
	provisioning                 // a provisioner has to act
	waitsForPod                  // the class waits for a pod, and none is scheduled
)

// waiting is a Pending claim with its class.
type waiting struct {
	claim
	name  string // of the class; empty when it names none
	class model.Object[*storagev1.StorageClass]
	why   obstacle
}

// pendingClaims are the claims without a volume that are not being deleted.
func pendingClaims(w *reconstruct.World) []waiting {
	var out []waiting
	volumes := map[string]bool{}
	for _, pv := range w.PVs {
		volumes[pv.Value().Spec.StorageClassName] = true
	}
	byDefault := defaultClasses(w)
	for _, c := range w.Claims {
		if c.Value().Status.Phase != corev1.ClaimPending || c.Value().DeletionTimestamp != nil {
			continue
		}
		p := waiting{claim: c}
		name, named := classOf(c.Value())
		p.name = name
		known := false
		if name != "" {
			p.class, known = w.Class(name)
		} else if !named && len(byDefault) > 0 {
			p.class, known = byDefault[0], true
		}
		p.why = p.judge(w, named, known, volumes)
		out = append(out, p)
	}
	return out
}

// judge follows the order in which the PersistentVolume controller decides (pv_controller.go syncUnboundClaim, 1.13–1.36).
func (p waiting) judge(w *reconstruct.World, named, known bool, volumes map[string]bool) obstacle {
	switch {
	case p.Value().Spec.VolumeName != "":
		return namesVolume
	case named && p.name == "":
		return handMade
	case !known && named && volumes[p.name]:
		return handMade
	case !known:
		return noClass
	case p.waitsForPod(w):
		return waitsForPod
	case p.class.Value().Provisioner == noProvisioner:
		return handMade
	}
	return provisioning
}

// waitsForPod reports that the class waits for the first pod and that the scheduler has not yet chosen a node.
func (p waiting) waitsForPod(w *reconstruct.World) bool {
	mode := p.class.Value().VolumeBindingMode
	if mode == nil || *mode != storagev1.VolumeBindingWaitForFirstConsumer || p.Value().Annotations[selectedNode] != "" {
		return false
	}
	return p.lastError(w) == nil
}

// lastError is the newest provisioning error that an Event has of the claim.
func (p waiting) lastError(w *reconstruct.World) *model.Observation {
	return p.lastEvent(w, model.ProvisionFailed)
}

func (p waiting) lastEvent(w *reconstruct.World, kind model.Kind) *model.Observation {
	var out *model.Observation
	for _, o := range w.ClaimEvents(p.Ref) {
		if o.Kind == kind && o.Claim.Is(p.Ref) && (out == nil || !o.Last.At.Before(out.Last.At)) {
			out = o
		}
	}
	return out
}

// defaultAnnotations mark a StorageClass as the one for claims that name none; the second is the name before 1.6.
var defaultAnnotations = []string{"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}

// defaultClasses are the default classes, the one for new claims first: the youngest, then by name (GetDefaultClass, 1.26–1.36).
func defaultClasses(w *reconstruct.World) []model.Object[*storagev1.StorageClass] {
	var out []model.Object[*storagev1.StorageClass]
	for _, c := range w.Classes {
		if isDefault(c.Value()) != "" {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b model.Object[*storagev1.StorageClass]) int {
		return cmp.Or(b.Value().CreationTimestamp.Compare(a.Value().CreationTimestamp.Time), cmp.Compare(a.Ref.Name, b.Ref.Name))
	})
	return out
}

// isDefault is the annotation that marks a class as default, or "".
func isDefault(c *storagev1.StorageClass) string {
	for _, key := range defaultAnnotations {
		if c.Annotations[key] == "true" {
			return key
		}
	}
	return ""
}
