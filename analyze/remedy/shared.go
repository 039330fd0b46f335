package remedy

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// scaled are the kinds that have a number of replicas which kubectl scale sets.
var scaled = []string{"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout"}

// unscaled are kinds of Kubernetes, and of KubeVirt, that have none.
var unscaled = []string{"DaemonSet", "Job", "CronJob", "Node", "VirtualMachineInstance"}

// scalable names a workload as kubectl scale takes it; "" where its name may not stand in a command.
func scalable(w *model.Ref) string { return within(strings.ToLower(w.Kind)+"/", w.Name, "") }

// owner is the workload, for a command; without a name where it is not known, so that no command is given.
func (i *Incident) owner() *model.Ref {
	if i.Case.Workload == nil {
		return &model.Ref{}
	}
	return i.Case.Workload
}

// scales says whether the workload can be scaled.
func (i *Incident) scales() Fit {
	w := i.Case.Workload
	if slices.Contains(scaled, w.Kind) {
		return fits("")
	}
	if slices.Contains(unscaled, w.Kind) {
		return misfit(fmt.Sprintf("%s %s has no replicas that could be scaled.", w.Kind, w.Name))
	}
	return undecidable(fmt.Sprintf("Whether %s %s can be scaled, and how, is for its operator to say.", w.Kind, w.Name))
}

// serves reports that a pod runs on the old node with the volume, and that nothing but its deletion would end it.
func (i *Incident) serves() bool { return i.Case.OldPodRuns() && !i.HasCause(model.CauseRolloutSurge) }

// sharedDeletion is the fit of deleting a pod that shares its claim: its owner makes another, or the service is gone.
func (i *Incident) sharedDeletion() Fit {
	owner, known := i.Case.OldOwner()
	if hash := i.Case.TemplateHash(i.Case.OldPods); owner == nil && !known && hash != "" && hash == i.Case.TemplateHash(i.Case.NewPods) {
		owner = i.Case.Workload // both are of one ReplicaSet
	}
	pod := i.servingPod()
	if m := i.Case.LiveMigration(); m != nil {
		return undecidable(fmt.Sprintf("%s runs virtual machine %s: deleting it stops the machine and its migration; its run strategy "+
			"decides whether and where it starts again. Cancelling the migration (virtctl migrate-cancel) ends the wait and leaves it running.",
			pod, m.VM))
	}
	switch {
	case owner == nil && known:
		return fits(fmt.Sprintf("Nothing creates %s again: it has no owner.", pod))
	case owner == nil:
		return undecidable(fmt.Sprintf("What owns %s, and so whether another pod would take its place, is not in the bundle.", pod))
	case owner.Kind == "DaemonSet":
		return noEffect(fmt.Sprintf("DaemonSet %s creates another pod on %s at once, which has the volume again.", owner, i.node()))
	case slices.Contains(scaled, owner.Kind), owner.Kind == "Job":
		return noEffect(fmt.Sprintf("%s %s creates another pod at once, which may get the volume again: the claim is shared.", owner.Kind, owner))
	}
	return undecidable(fmt.Sprintf("%s %s owns %s: whether and where it is created again, its operator decides.", owner.Kind, owner, pod))
}

// servingPod is the pod that runs with the volume, or else the first that had it.
func (i *Incident) servingPod() string {
	if list := i.Case.Serving(); len(list) > 0 {
		return list[0].Ref.String()
	}
	if len(i.Case.OldPods) > 0 {
		return i.Case.OldPods[0].String()
	}
	return "the old pod"
}

// deletesServing are the side effects of the deletion of a pod that runs.
func (i *Incident) deletesServing() []string {
	if m := i.Case.LiveMigration(); m != nil {
		return []string{"virtual machine " + m.VM.String() + " stops"}
	}
	switch owner, known := i.Case.OldOwner(); {
	case owner == nil && known:
		return []string{i.servingPod() + " is gone, and what it serves with it: nothing creates it again"}
	case i.HasCause(model.CauseRolloutSurge):
		return []string{i.stops() + ": the old version is gone before the new one runs"}
	case i.Case.OldPodRuns():
		return []string{i.servingPod() + ", which runs, is stopped, and what it serves with it"}
	}
	return []string{i.stops()}
}

// onlyOne are the side effects of a single replica.
func (i *Incident) onlyOne() []string {
	const apart = "replicas that get a volume each no longer see each other's data"
	if i.Case.Workload == nil || i.Case.OwnersDiffer() || !slices.Contains(scaled, i.Case.Workload.Kind) {
		return []string{apart}
	}
	w := i.Case.Workload
	if w.Kind == "StatefulSet" {
		text := fmt.Sprintf("scaled to one, every pod of %s but %s-0 is stopped", w, w.Name)
		if slices.ContainsFunc(i.Case.Serving(), func(p model.Object[*corev1.Pod]) bool { return p.Ref.Name != w.Name+"-0" }) {
			text += ", also the one that runs"
		}
		return []string{text, apart}
	}
	return []string{fmt.Sprintf("scaled to one, every pod of %s but one is stopped, those that are not Ready first", w), apart}
}

// one are the steps that leave one user of the claim.
func (i *Incident) one() []model.Step {
	w := i.Case.Workload
	if w == nil || i.Case.OwnersDiffer() {
		return []model.Step{act("give one of the workloads a claim of its own")}
	}
	if slices.Contains(scaled, w.Kind) {
		return []model.Step{act("run one replica", "kubectl", "scale", "-n", name(w.Namespace), scalable(w), "--replicas=1")}
	}
	return []model.Step{act(fmt.Sprintf("give each pod of %s %s a claim of its own, or run one pod", w.Kind, w))}
}

// replacement is the fit of the old pod's deletion by what its owner does then; without a reason when no other pod is made.
func (i *Incident) replacement() Fit {
	r := successorOf(i.Case)
	comes := r.Comes
	if comes == model.Unknown && i.HasCause(model.CauseRolloutSurge) {
		comes = model.True // a rolling update keeps the old pod until the new one is Ready
	}
	owner, its := "Its owner", "its owner"
	if r.Owner.Name != "" {
		owner = fmt.Sprintf("%s %s", r.Owner.Kind, r.Owner.Name)
		its = owner
	}
	const instead = " Scaling to zero and back, or kubectl rollout undo, ends it."
	another := owner + " creates another pod at once, "
	switch {
	case comes == model.False:
		return fits("")
	case comes == model.Unknown && (r.Owner.Kind == "StatefulSet" || r.Owner.Name == "" && i.Case.Released.Known()):
		return fits("") // a StatefulSet's next pod is the one that waits; and what ended here was followed by no other
	case r.Owner.Kind == "DaemonSet":
		return noEffect(another + "on the same node, which keeps the volume there.")
	case comes == model.Unknown && r.Owner.Kind != "ReplicaSet":
		return undecidable("Whether " + its + " creates another pod, which could keep the volume on " + i.node() + ", is not in the bundle.")
	case comes == model.Unknown:
		return undecidable("Whether " + owner + " creates another pod, which could keep the volume, is not in the bundle: its replicas.")
	case r.Back == model.True:
		return noEffect(another + "which can be scheduled on " + i.node() + " again and keeps the volume there: the wait goes on." + instead)
	case r.OnlyTo:
		return fits(another + "which cannot come back to " + i.node() + " and only to " + i.Case.To + ", where both may use the volume.")
	case r.Back == model.False:
		return undecidable(another + "which cannot come back to " + i.node() + "; where else it is scheduled, and which pod gets the volume then, " +
			"nothing decides." + instead)
	}
	return noEffect(another + "and nothing in the bundle keeps it from " + i.node() + ", where it keeps the volume." + instead)
}

// successor is what the owner of the old pod does when that pod is deleted in the ordinary way.
type successor struct {
	Owner  model.Ref   // zero for a pod without an owner, or whose owner is not known
	Comes  model.Truth // the owner creates another pod at once
	Back   model.Truth // that pod can be placed on the old node
	OnlyTo bool        // it can be placed on the wanted node only, where it shares the volume
}

// successorOf looks at the owner of the old pod, and at where another pod of it can go.
func successorOf(c *wait.Case) successor {
	r := successor{Comes: model.Unknown, Back: model.Unknown}
	pods := c.World.Held(c.OldPods) // or copies of those that their owner made in their place on the old node
	if len(pods) == 0 {
		return r
	}
	owner, owned := facts.ControllerOf(pods[0])
	if r.Owner = owner; !owned {
		r.Comes = model.False
	}
	if owner.Kind != "ReplicaSet" {
		return r
	}
	for _, rs := range facts.Picked(c.World.ReplicaSets, c.World.ReplicaSet[owner.String()]) {
		if !rs.Ref.Is(r.Owner) || rs.Value().Spec.Replicas == nil {
			continue
		}
		if *rs.Value().Spec.Replicas > 0 {
			r.Comes = model.True
		} else if !c.Resolved() {
			r.Comes = model.False // of a wait that is over it may have been scaled since
		}
	}
	place(c, &r, pods[0].Value())
	return r
}

// place finds where a pod like the old one can go: cordons, taints and its selector decide. Affinity is left open.
func place(c *wait.Case, r *successor, pod *corev1.Pod) {
	node, ok := c.World.Node(c.From)
	if !ok {
		return
	}
	if takes(node.Value(), pod) {
		r.Back = model.True
		return
	}
	r.Back = model.False
	known := c.To != "" && c.World.Listed("Node", "") && (pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil)
	r.OnlyTo = known && !slices.ContainsFunc(c.World.Nodes, func(n model.Object[*corev1.Node]) bool {
		return takes(n.Value(), pod) != (n.Ref.Name == c.To)
	})
}

// takes reports that nothing on a node keeps a pod from being scheduled there: a cordon, a taint, a label that it asks for.
func takes(n *corev1.Node, pod *corev1.Pod) bool {
	for k, v := range pod.Spec.NodeSelector {
		if n.Labels[k] != v {
			return false
		}
	}
	return !n.Spec.Unschedulable && !slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return t.Effect != corev1.TaintEffectPreferNoSchedule && !tolerated(pod, t)
	})
}

func tolerated(pod *corev1.Pod, taint corev1.Taint) bool {
	return slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool {
		return (t.Effect == "" || t.Effect == taint.Effect) && (t.Key == "" || t.Key == taint.Key) &&
			(t.Operator == corev1.TolerationOpExists || t.Key != "" && t.Value == taint.Value)
	})
}
