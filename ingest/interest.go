package ingest

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// interest is what somebody complained of, and what belongs to it: ordinary statements about anything else concern no wait.
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
	if name != "" {
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

// families are what a pod's name may begin with in the other pods of its workload: that of a StatefulSet lacks one part at its end,
// that of a Deployment two.
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
	if in.hasRef(o.Object) || in.hasRef(o.Pod) || in.hasRef(o.Claim) || in.hasRef(o.Owner) {
		return true
	}
	for _, p := range o.Pods {
		if in.hasRef(p) {
			return true
		}
	}
	return false
}

func (in interest) hasRef(r model.Ref) bool {
	if in.has(r.Kind, r.Namespace, r.Name) {
		return true
	}
	if r.Kind == "Pod" {
		for _, family := range families(r.Name) {
			if in.has(aFamily, r.Namespace, family) {
				return true
			}
		}
	}
	return false
}

// relate adds what belongs to the objects of interest: the claim and the handle of a volume, the pods that use a claim, their
// workloads, the attachments of a volume and their nodes.
func (in interest) relate(s *model.Snapshot) {
	for range 2 { // from a pod to its volume, and from there to the other pods that use it
		in.ofClaims(s)
		in.ofVolumes(s)
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
	in.ofClaims(s)
	in.ofVolumes(s)
	in.ofOwners(s)
}

// ofClaims ties pods and their claims to each other.
func (in interest) ofClaims(s *model.Snapshot) {
	for _, p := range s.Pods {
		pod := p.Value()
		wanted := in.has("Pod", pod.Namespace, pod.Name)
		for _, v := range pod.Spec.Volumes {
			c := v.PersistentVolumeClaim
			if c == nil {
				continue
			}
			if wanted {
				in.add("PersistentVolumeClaim", pod.Namespace, c.ClaimName)
			} else if in.has("PersistentVolumeClaim", pod.Namespace, c.ClaimName) {
				wanted = true
			}
		}
		if !wanted {
			continue
		}
		in.ref(p.Ref)
		in.add(aNode, "", pod.Spec.NodeName)
		in.owners(pod)
	}
}

// ofVolumes ties volumes and their claims to each other.
func (in interest) ofVolumes(s *model.Snapshot) {
	for _, p := range s.PersistentVolumes {
		pv := p.Value()
		id := model.VolumeID{PersistentVolume: pv.Name}
		if c := pv.Spec.CSI; c != nil {
			id.Driver, id.Handle = c.Driver, c.VolumeHandle
		}
		claim := pv.Spec.ClaimRef
		if in.hasVolume(id) || claim != nil && in.has("PersistentVolumeClaim", claim.Namespace, claim.Name) {
			in.volume(id)
			if claim != nil {
				in.add("PersistentVolumeClaim", claim.Namespace, claim.Name)
			}
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
		if in.has("ReplicaSet", r.Value().Namespace, r.Value().Name) {
			in.owners(r.Value())
		}
	}
}
