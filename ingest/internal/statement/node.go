package statement

import (
	"fmt"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/model"
)

// outOfService is the taint that an operator sets; kubectl taint writes no timeAdded (measured, v1.34).
const outOfService = "node.kubernetes.io/out-of-service"

// node says when a node became ready or not, when it was tainted, and which volumes it held when it was collected.
func node(o model.Object[*corev1.Node]) []model.Observation {
	a := of(o)
	a.base.Node = o.Ref.Name
	nodeReady(a)
	taints(a)
	cordoned(a)
	for i, name := range o.Value().Status.VolumesInUse {
		a.say(model.NodeVolumesInUse, model.Moment{}, fmt.Sprintf("status.volumesInUse[%d]", i), volume(string(name)))
	}
	for i, v := range o.Value().Status.VolumesAttached {
		a.say(model.NodeVolumesAttached, model.Moment{}, fmt.Sprintf("status.volumesAttached[%d].name", i), volume(string(v.Name)))
	}
	return a.out
}

func volume(unique string) func(*model.Observation) {
	return func(o *model.Observation) { o.Volume = model.VolumeID{UniqueName: unique}.Complete() }
}

// nodeStatements gives the generic builder its node-specific parts.
type nodeStatements = about[*corev1.Node]

// nodeReady reads the Ready condition. lastHeartbeatTime is up to five minutes older than the last sign of life: an unchanged status is
// posted every five minutes. It is when a kubelet posted, unless the controller wrote the condition.
func nodeReady(a *nodeStatements) {
	for i, c := range a.object.Value().Status.Conditions {
		if c.Type != corev1.NodeReady {
			continue
		}
		field := fmt.Sprintf("status.conditions[%d].", i)
		if !c.LastHeartbeatTime.IsZero() {
			a.say(model.NodeHeartbeat, second(c.LastHeartbeatTime), field+"lastHeartbeatTime", detail("condition"))
		}
		if c.LastTransitionTime.IsZero() {
			continue
		}
		kind, text := model.NodeNotReady, string(c.Status)
		if c.Status == corev1.ConditionTrue {
			kind, text = model.NodeReady, ""
		}
		a.say(kind, second(c.LastTransitionTime), field+"lastTransitionTime", detail(text))
	}
}

// taints reads every taint that has a time. The out-of-service taint has none; the last writer of the taints wrote it,
// when that was a person's tool and not the node controller. Without that it is a statement of state.
func taints(a *nodeStatements) {
	for i, t := range a.object.Value().Spec.Taints {
		text := t.Key + "=" + t.Value + ":" + string(t.Effect)
		field := fmt.Sprintf("spec.taints[%d]", i)
		if !t.TimeAdded.IsZero() {
			a.say(model.NodeTainted, second(*t.TimeAdded), field+".timeAdded", detail(text))
		} else if t.Key == outOfService {
			at, manager, source := taintedBy(a)
			if source == "" {
				source = field + ".key"
			}
			a.say(model.NodeTainted, at, source, func(o *model.Observation) { o.Detail, o.Agent = text, manager })
		}
	}
}

// taintedBy is when someone other than Kubernetes' own controllers and kubelets last wrote the taints, and under what name.
func taintedBy(a *nodeStatements) (at model.Moment, manager, field string) {
	for i, e := range a.object.Value().ManagedFields {
		if e.FieldsV1 == nil || e.Time == nil || e.Manager == "kube-controller-manager" || e.Manager == "kubelet" ||
			strings.HasPrefix(e.Manager, "cloud-controller") || !owns(e.FieldsV1.GetRawBytes(), []string{"spec", "taints"}) {
			continue
		}
		if m := second(*e.Time); at.IsZero() || m.At.After(at.At) {
			at, manager, field = m, e.Manager, managedTime(i)
		}
	}
	return at, manager, field
}

// cordoned reads who marked a node unschedulable that still is, and when.
func cordoned(a *nodeStatements) {
	if !a.object.Value().Spec.Unschedulable {
		return
	}
	entries := a.object.Value().ManagedFields
	if at, i, ok := owner(entries, "spec", "unschedulable"); ok {
		a.say(model.NodeCordoned, model.WholeSecond(at), managedTime(i), func(o *model.Observation) { o.Agent = entries[i].Manager })
	}
}

// Where kubelets renew their leases, and where the controller manager holds its leadership.
const (
	nodeLeases        = "kube-node-lease"
	controllerManager = "kube-controller-manager"
)

// lease says when a kubelet last renewed its node's lease, its best last sign of life, or since when a controller manager leads.
func lease(o model.Object[*coordinationv1.Lease]) []model.Observation {
	a := of(o)
	spec := o.Value().Spec
	if o.Ref.Namespace == nodeLeases {
		if at := micro(spec.RenewTime); !at.IsZero() {
			a.base.Node = o.Ref.Name
			a.say(model.NodeHeartbeat, at, "spec.renewTime", detail("lease"))
		}
	} else if o.Ref.Namespace == "kube-system" && o.Ref.Name == controllerManager {
		if at := micro(spec.AcquireTime); !at.IsZero() {
			holder := ""
			if spec.HolderIdentity != nil {
				holder = *spec.HolderIdentity
			}
			a.base.Component = controllerManager
			a.say(model.LeaderAcquired, at, "spec.acquireTime", detail(holder))
		}
	}
	return a.out
}
