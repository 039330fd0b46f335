package ingest

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// interest is what a statement complains of, and what belongs to it: ordinary statements about anything else concern no wait.
type interest map[subject]bool

// subject is one thing that statements are about.
type subject struct {
	kind      string
	namespace string
	name      string
}

// The kinds of subjects that are no Kubernetes kinds.
const (
	aVolume = "volume" // by each of its names
	aNode   = "Node"
	aFamily = "family" // pods whose names differ in what a controller put behind
)

func (in interest) add(kind, namespace, name string) {
	if name != "" && !in[subject{kind, namespace, name}] {
		in[subject{kind, namespace, name}] = true
	}
}

func (in interest) ref(r model.Ref) {
	in.add(r.Kind, r.Namespace, r.Name)
	if r.Kind == "Pod" {
		for _, family := range families(r.Name) {
			in.add(aFamily, r.Namespace, family)
		}
	}
}

func (in interest) has(kind, namespace, name string) bool {
	return name != "" && in[subject{kind, namespace, name}]
}

// families are what names of pods of one workload begin with: a StatefulSet's lack one part at the end, a Deployment's two.
func families(pod string) []string {
	var out []string
	for range 2 {
		i := strings.LastIndexByte(pod, '-')
		if i < 0 {
			break
		}
		pod = pod[:i]
		out = append(out, pod)
	}
	return out
}

func (in interest) volume(v model.VolumeID) {
	v = v.Complete()
	in.add(aVolume, "", v.UniqueName)
	in.add(aVolume, "", v.PersistentVolume)
	in.add(aVolume, "", v.Handle)
}

func (in interest) hasVolume(v model.VolumeID) bool {
	v = v.Complete()
	return in.has(aVolume, "", v.UniqueName) || in.has(aVolume, "", v.PersistentVolume) || in.has(aVolume, "", v.Handle)
}

// complaint adds what a statement that is not ordinary is about.
func (in interest) complaint(o *model.Observation) {
	in.volume(o.Volume)
	in.add(aNode, "", o.Node)
	for _, n := range o.Holders {
		in.add(aNode, "", n)
	}
	for _, r := range append([]model.Ref{o.Object, o.Pod, o.Claim, o.Owner}, o.Pods...) {
		in.ref(r)
	}
	in.add("VolumeAttachment", "", o.Attachment)
}

// wants reports whether an ordinary statement is about something of interest.
func (in interest) wants(o *model.Observation) bool {
	if !ordinary(o.Kind) || in.hasVolume(o.Volume) || in.has(aNode, "", o.Node) || in.has("VolumeAttachment", "", o.Attachment) {
		return true
	}
	return in.hasRef(o.Object) || in.hasRef(o.Pod) || in.hasRef(o.Claim) || in.hasRef(o.Owner) || slices.ContainsFunc(o.Pods, in.hasRef)
}

func (in interest) hasRef(r model.Ref) bool {
	if in.has(r.Kind, r.Namespace, r.Name) {
		return true
	}
	return r.Kind == "Pod" && slices.ContainsFunc(families(r.Name), func(family string) bool { return in.has(aFamily, r.Namespace, family) })
}

// relate adds what belongs to the objects of interest: claim and handle of a volume, pods of a claim, workloads, attachments and nodes.
func (in interest) relate(s *model.Snapshot) {
	claims, volumes := claimsOf(s), volumesOf(s)
	for range 2 { // from a pod to its volume, and from there to the other pods that use it
		in.ofClaims(s, claims)
		in.ofVolumes(volumes)
	}
	for _, a := range s.VolumeAttachments {
		v := a.Value()
		if pv := v.Spec.Source.PersistentVolumeName; in.has("VolumeAttachment", "", v.Name) || pv != nil && in.has(aVolume, "", *pv) {
			in.add("VolumeAttachment", "", v.Name)
			in.add(aNode, "", v.Spec.NodeName)
			if pv != nil {
				in.add(aVolume, "", *pv)
			}
		}
	}
	in.ofClaims(s, claims)
	in.ofVolumes(volumes)
	in.ofOwners(s)
}

// statement does so by one statement, where there are no objects: metrics alone may say which claim and volume a waiting pod uses.
func (in interest) statement(o *model.Observation) {
	if o.Kind == model.VolumeBound && in.wants(o) {
		in.complaint(o)
	}
}

func claimsOf(s *model.Snapshot) [][]string {
	out := make([][]string, len(s.Pods))
	for i, p := range s.Pods {
		for _, v := range p.Value().Spec.Volumes {
			if c := v.PersistentVolumeClaim; c != nil {
				out[i] = append(out[i], c.ClaimName)
			}
		}
	}
	return out
}

// ofClaims ties pods and their claims to each other.
func (in interest) ofClaims(s *model.Snapshot, claims [][]string) {
	for i, p := range s.Pods {
		wanted := in.has("Pod", p.Ref.Namespace, p.Ref.Name)
		for _, c := range claims[i] {
			if wanted {
				in.add("PersistentVolumeClaim", p.Ref.Namespace, c)
			} else if in.has("PersistentVolumeClaim", p.Ref.Namespace, c) {
				wanted = true
			}
		}
		if !wanted {
			continue
		}
		in.ref(p.Ref)
		in.add(aNode, "", p.Value().Spec.NodeName)
		in.owners(p.Value())
	}
}

// claimed is a volume with the claim that it is bound to, if any.
type claimed struct {
	id    model.VolumeID
	claim model.Ref
}

func volumesOf(s *model.Snapshot) []claimed {
	out := make([]claimed, len(s.PersistentVolumes))
	for i, p := range s.PersistentVolumes {
		spec := &p.Value().Spec
		out[i].id.PersistentVolume = p.Ref.Name
		if spec.CSI != nil {
			out[i].id.Driver, out[i].id.Handle = spec.CSI.Driver, spec.CSI.VolumeHandle
		}
		if spec.ClaimRef != nil {
			out[i].claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: spec.ClaimRef.Namespace, Name: spec.ClaimRef.Name}
		}
	}
	return out
}

// ofVolumes ties volumes and their claims to each other.
func (in interest) ofVolumes(list []claimed) {
	for _, v := range list {
		if in.hasVolume(v.id) || in.hasRef(v.claim) {
			in.volume(v.id)
			in.ref(v.claim)
		}
	}
}

func (in interest) owners(o metav1.Object) {
	for _, owner := range o.GetOwnerReferences() {
		in.add(owner.Kind, o.GetNamespace(), owner.Name)
	}
}

// ofOwners goes from a ReplicaSet on to its Deployment.
func (in interest) ofOwners(s *model.Snapshot) {
	for _, r := range s.ReplicaSets {
		if in.has("ReplicaSet", r.Ref.Namespace, r.Ref.Name) {
			in.owners(r.Value())
		}
	}
}

// ordinary reports whether every pod, volume and node of a healthy cluster makes statements of a kind, so that most of them
// concern no wait. When all statements together are too many, these are kept only of what is in an interest.
func ordinary(k model.Kind) bool {
	switch k {
	case model.PodCreated, model.PodScheduled, model.PodSampled, model.PodSampledReady, model.PodReady, model.ReplicaCreated,
		model.ReplicaDeleted, model.WorkloadScaled, model.KubernetesEvent, model.ProvisionWaits, model.PodKilling,
		model.AttachStarted, model.AttachSucceeded, model.AttacherAttaching, model.AttacherAttached,
		model.DetachStarted, model.DetachSucceeded, model.DetachVerifiedSafe, model.DetachTimerStarted,
		model.AttacherDetaching, model.AttacherDetached, model.AttacherLookedAtVolume,
		model.AttachmentCreated, model.AttachmentAttached, model.AttachmentSampled, model.AttachmentGone, model.VolumeMarkedDetached,
		model.NodeVolumesInUse, model.NodeVolumesAttached, model.VolumeBound:
		return true
	}
	return false
}

// standing reports whether a kind is about a node or controller and complains of nothing: it is kept, and makes nothing else worth keeping.
func standing(k model.Kind) bool {
	switch k {
	case model.NodeHeartbeat, model.NodeReady, model.NodeRegistered, model.NodeSampledReady, model.NodeSampledNotReady,
		model.NodeSampledTaints, model.WaitsHidden,
		model.LeaderWaiting, model.LeaderAcquired, model.ControllerStarted, model.ProcessVersion, model.ProcessFlag,
		model.ProcessStarted, model.AttacherStarted:
		return true
	}
	return false
}
