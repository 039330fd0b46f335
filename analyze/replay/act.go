package replay

import "slices"

// ActKind is something that a person, or a controller in a person's place, does during an incident.
type ActKind string

// Kinds of acts: on the old node, the old pod, the blocking VolumeAttachment, the workload or the storage.
const (
	TaintOutOfService ActKind = "taint-out-of-service"
	DeleteNode        ActKind = "delete-node"
	ForceDeletePod    ActKind = "force-delete-pod"
	DeletePod         ActKind = "delete-pod"
	DeleteAttachment  ActKind = "delete-attachment"
	RemoveFinalizer   ActKind = "remove-finalizer"
	ScaleDown         ActKind = "scale-down" // to no replica: every pod of the workload is deleted
	ScaleUp           ActKind = "scale-up"
	RestartAttacher   ActKind = "restart-attacher"
	RestartKubelet    ActKind = "restart-kubelet"
	EndHolder         ActKind = "end-holder"    // what keeps the mount busy on the old node ends
	HealBackend       ActKind = "heal-backend"  // the storage answers detach calls again
	StopOldPods       ActKind = "stop-old-pods" // by their Deployment, whose strategy has become Recreate: the waiting pod stays
	EndDemand         ActKind = "end-demand"    // the waiting pod goes, and the one that serves stays: an undone rollout, one replica less
	StartKubelet      ActKind = "start-kubelet" // on a lost node whose machine runs
	RepairNode        ActKind = "repair-node"   // the lost machine is started again
)

// Act is one action at a time, in seconds of the scenario. Early and Late are by how much it may have come before or after that.
type Act struct {
	Kind        ActKind
	At          float64
	Early, Late float64
}

// Settings are what was configured differently from the beginning. The zero value changes nothing.
type Settings struct {
	Grace            *float64 // seconds of the node monitor grace period
	Toleration       *float64 // seconds of the pod's toleration of an unreachable node
	GracefulShutdown bool     // the kubelet ends its pods before the node goes down
	Recreate         bool     // the old pod ends before the new one is made
	NoForcedDetach   bool     // the controller never detaches by force on the timeout
	KeepTimer        bool     // the six minutes outlive a change of leader, as with a controller that did not restart
	AwaitsDetach     bool     // the old node stays until it has reported the unmount
	Shared           bool     // an attachment to another node does not keep the volume from this one
	QuickMount       bool     // the mount takes no longer than that of a small volume
	AsksHealth       bool     // the controller asks for the node's health, as it does since 1.24.9
	OutOfService     bool     // the controller acts on the out-of-service taint, as it does since 1.26
	RetryMax         *float64 // seconds of the longest pause of the external-attacher between two tries
	AttacherUp       bool     // an external-attacher works all the time
	QuickStop        bool     // a pod on a live node ends within seconds
	Drained          bool     // the pods were moved before the node went away, which stays until the volumes are off
	StaysAway        bool     // the lost node does not come back
	StaysPut         bool     // the pod is not evicted before the node comes back
}

// Plan is what happens in a replay besides what follows from the rules.
type Plan struct {
	Acts []Act
	Set  Settings
}

// First is the earliest act of a kind, or never.
func (p Plan) First(k ActKind) float64 {
	at := never
	for _, a := range p.Acts {
		if a.Kind == k && a.At < at {
			at = a.At
		}
	}
	return at
}

// next is the earliest act of a kind after a time, or never.
func (p Plan) next(k ActKind, after float64) float64 {
	p.Acts = slices.DeleteFunc(slices.Clone(p.Acts), func(a Act) bool { return a.At <= after })
	return p.First(k)
}

// With is the plan with more acts.
func (p Plan) With(acts ...Act) Plan {
	p.Acts = append(p.Acts[:len(p.Acts):len(p.Acts)], acts...)
	return p
}

// Without is the plan without acts of some kinds.
func (p Plan) Without(kinds ...ActKind) Plan {
	p.Acts = slices.DeleteFunc(slices.Clone(p.Acts), func(a Act) bool { return slices.Contains(kinds, a.Kind) })
	return p
}

// Shift is the plan with every act moved by some seconds.
func (p Plan) Shift(by float64) Plan {
	p.Acts = slices.Clone(p.Acts)
	for n := range p.Acts {
		p.Acts[n].At += by
	}
	return p
}

// drawn is the plan with every act at a position of the time in which it may have come.
func (p Plan) drawn(u float64) Plan {
	p.Acts = slices.Clone(p.Acts)
	for n, a := range p.Acts {
		p.Acts[n].At = span(a.At-a.Early, a.At, a.At+a.Late).At(u)
	}
	return p
}

// Until is the plan without the acts after a time.
func (p Plan) Until(t float64) Plan {
	p.Acts = slices.DeleteFunc(slices.Clone(p.Acts), func(a Act) bool { return a.At > t })
	return p
}
