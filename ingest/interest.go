package ingest

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// interest is what statements complain of, and what belongs to it: ordinary statements about anything else concern no wait.
type interest map[subject]bool

// subject is one thing that statements are about.
type subject struct{ kind, namespace, name string }

// The kinds of subjects that are no Kubernetes kinds.
const (
	aVolume = "volume" // by each of its names
	aFamily = "family" // pods whose names differ in what a controller put behind
)

func (in interest) add(all []subject) {
	for _, s := range all {
		if s.name != "" {
			in[s] = true
		}
	}
}

func (in interest) hasAny(all []subject) bool {
	return slices.ContainsFunc(all, func(s subject) bool { return in[s] })
}

// ofRef is an object, and of a pod what the names of its workload's pods begin with: a StatefulSet's lack one part at the end, a Deployment's two.
func ofRef(r model.Ref) []subject {
	out := []subject{{r.Kind, r.Namespace, r.Name}}
	for name, n := r.Name, 0; r.Kind == "Pod" && n < 2; n++ {
		i := strings.LastIndexByte(name, '-')
		if i < 0 {
			break
		}
		name = name[:i]
		out = append(out, subject{aFamily, r.Namespace, name})
	}
	return out
}

func ofVolume(v model.VolumeID) []subject {
	v = v.Complete()
	return []subject{{aVolume, "", v.UniqueName}, {aVolume, "", v.PersistentVolume}, {aVolume, "", v.Handle}}
}

func ofNode(name string) subject { return subject{"Node", "", name} }

// about is what a statement is about.
func about(o *model.Observation) []subject {
	out := append(ofVolume(o.Volume), ofNode(o.Node), subject{"VolumeAttachment", "", o.Attachment})
	for _, n := range o.Holders {
		out = append(out, ofNode(n))
	}
	for _, r := range append([]model.Ref{o.Object, o.Pod, o.Claim, o.Owner}, o.Pods...) {
		out = append(out, ofRef(r)...)
	}
	return out
}

// wants reports whether a statement is a complaint, or about something of interest.
func (in interest) wants(o *model.Observation) bool { return !ordinary(o.Kind) || in.hasAny(about(o)) }

// statement adds what one statement ties together, where there are no objects: metrics alone may say which claim and volume a pod uses.
func (in interest) statement(o *model.Observation) {
	if o.Kind == model.VolumeBound && in.wants(o) {
		in.add(about(o))
	}
}

// tie is what an object says of others: where one of some things is of interest, so is what it brings.
type tie struct{ of, brings []subject }

// relate adds what belongs to the objects of interest: claim and handle of a volume, pods of a claim, workloads, attachments and nodes.
func (in interest) relate(s *model.Snapshot) {
	all := ties(s)
	for range 3 { // from a pod to its volume, from there to the other pods that use it, and to their volumes
		for _, t := range all {
			if in.hasAny(t.of) {
				in.add(t.of)
				in.add(t.brings)
			}
		}
	}
}

func ties(s *model.Snapshot) (all []tie) {
	for _, o := range s.Pods {
		p := o.Value()
		of := []subject{{"Pod", o.Ref.Namespace, o.Ref.Name}}
		for _, v := range p.Spec.Volumes {
			if c := v.PersistentVolumeClaim; c != nil {
				of = append(of, subject{"PersistentVolumeClaim", o.Ref.Namespace, c.ClaimName})
			}
		}
		all = append(all, tie{of, slices.Concat(ofRef(o.Ref), owners(p), []subject{ofNode(p.Spec.NodeName)})})
	}
	for _, o := range s.PersistentVolumes {
		spec, id := &o.Value().Spec, model.VolumeID{PersistentVolume: o.Ref.Name}
		if spec.CSI != nil {
			id.Driver, id.Handle = spec.CSI.Driver, spec.CSI.VolumeHandle
		}
		of := ofVolume(id)
		if c := spec.ClaimRef; c != nil {
			of = append(of, subject{"PersistentVolumeClaim", c.Namespace, c.Name})
		}
		all = append(all, tie{of: of})
	}
	for _, o := range s.VolumeAttachments {
		spec := &o.Value().Spec
		of := []subject{{"VolumeAttachment", "", o.Ref.Name}}
		if pv := spec.Source.PersistentVolumeName; pv != nil {
			of = append(of, subject{aVolume, "", *pv})
		}
		all = append(all, tie{of, []subject{ofNode(spec.NodeName)}})
	}
	for _, o := range s.ReplicaSets {
		all = append(all, tie{[]subject{{"ReplicaSet", o.Ref.Namespace, o.Ref.Name}}, owners(o.Value())})
	}
	return all
}

func owners(o metav1.Object) (out []subject) {
	for _, owner := range o.GetOwnerReferences() {
		out = append(out, subject{owner.Kind, o.GetNamespace(), owner.Name})
	}
	return out
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
