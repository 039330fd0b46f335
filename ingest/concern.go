package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// spill takes an ordinary statement of a log that has many of them.
func (p *part) spill(o model.Observation) bool {
	if !ordinary(o.Kind) {
		return false
	}
	e := event{Statement: o}
	p.reading.budget.statements.Add(int64(statementSize + len(o.Quote.Text)))
	p.store(&e)
	return true
}

// store puts a statement in the store, and reports when it is full.
func (p *part) store(e *event) {
	if !p.reading.store.put(e) {
		p.refuse("the statements of all files together take more than " + mib(storeBytes) + " of memory, packed; " +
			"here and in what is read later some are not kept")
	}
}

// concern takes from the store what concerns a wait, once all complaints are known. When all statements are more than may be kept, ordinary
// ones about anything else are counted and left out.
func (r *reading) concern() {
	few := r.budget.statements.Load() <= r.limits.StatementBytes
	wanted, left := func(*model.Observation) bool { return true }, 0 // which each statement is asked for once
	if !few {
		in := r.interest()
		wanted = func(o *model.Observation) bool {
			if in.wants(o) {
				return true
			}
			left++
			return false
		}
		r.keepOnly(wanted)
	}
	r.takeBack(wanted)
	if left > 0 {
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Info, Path: ".", Message: fmt.Sprintf(
			"all statements together are more than %s: %d about pods, volumes and nodes that nobody complained of are left out",
			mib(r.limits.StatementBytes), left)})
	}
	if r.budget.lost.Load() {
		for _, p := range r.parts {
			p.input.From, p.input.To = nil, nil // what is not reported may be what was lost; files of objects alone cover no time
		}
	}
}

// eachKept shows the statements that are not in the store.
func (r *reading) eachKept(show func(*model.Observation)) {
	for i := range r.s.Observations {
		show(&r.s.Observations[i])
	}
	for _, p := range r.parts {
		for i := range p.events {
			show(&p.events[i].Statement)
		}
	}
}

// keepOnly leaves out of them what is not wanted.
func (r *reading) keepOnly(wanted func(*model.Observation) bool) {
	r.s.Observations = chosen(r.s.Observations, wanted)
	for _, p := range r.parts {
		p.events = chosen(p.events, func(e *event) bool { return wanted(&e.Statement) })
	}
}

// interest is what all complaints are about, with what belongs to it.
func (r *reading) interest() interest {
	in := interest{}
	r.eachKept(func(o *model.Observation) {
		if !ordinary(o.Kind) && !standing(o.Kind) {
			in.add(about(o))
		}
	})
	in.relate(r.s)
	for range 2 { // from a pod to its volume, and from there to the other pods that use it
		r.eachKept(in.statement)
		if r.store.ties {
			r.store.each(func(e *event) { in.statement(&e.Statement) })
		}
	}
	return in
}

// chosen keeps what is wanted of a list.
func chosen[T any](list []T, wanted func(*T) bool) []T {
	kept := slices.DeleteFunc(list, func(v T) bool { return !wanted(&v) })
	return slices.Clone(kept) // the long list goes
}

// takeBack gives the files back what is wanted of the store, in the order of their lines.
func (r *reading) takeBack(wanted func(*model.Observation) bool) {
	of := map[string]*part{}
	for _, p := range r.parts {
		of[p.input.Path] = p
	}
	touched := map[*part]bool{}
	r.store.take(wanted, func(e event) {
		p := of[e.Statement.Input]
		if p == nil {
			r.s.Observations = append(r.s.Observations, e.Statement)
			return
		}
		p.events = append(p.events, e)
		touched[p] = true
	})
	for p := range touched {
		slices.SortStableFunc(p.events, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.Statement.Source.Line, b.Statement.Source.Line), cmp.Compare(a.UID, b.UID),
				a.Statement.Compare(&b.Statement))
		})
	}
}

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
