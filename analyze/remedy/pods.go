package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var recreateStrategy = Remedy{
	ID: "recreate-strategy", Title: "End the old pod before the new one is created (strategy Recreate)", Preventive: true,
	References:  []string{"kubernetes.io: Deployments, Recreate"},
	SideEffects: always("the application is down in every rollout for the time of a restart"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.UnknownRollout(), undecidable("Which Deployment it is, and its strategy, is not in the bundle.")},
			{i.owner().Kind != "Deployment", misfit("The workload is not known to be a Deployment.")},
			{!i.Rollout(), misfit("The old and the new pod do not come from a rollout that overlaps.")},
			{!i.HasCause(model.CauseRolloutSurge) && i.recreates(), noEffect("The strategy of " + i.owner().String() + " is Recreate already.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.Recreate = true }),
	Act:    acting(replay.StopOldPods),
	Steps: steps(act("let the rollout stop the old pod before it starts the new one", "kubectl patch deployment -n $space $workload --type=strategic",
		`-p={"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}`)),
}

// recreates reports that the Deployment's strategy is Recreate.
func (i *Incident) recreates() bool {
	d, ok := i.Case.World.Deployment(i.owner().Namespace, i.owner().Name)
	return ok && d.Value().Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
}

var scaleToZero = Remedy{
	ID: "scale-to-zero", Title: "Scale the workload to zero, and back when the volume is free",
	References:  []string{"kubectl scale", "recordings on real nodes: both ended a rollout's deadlock that deleting the old pod had not"},
	SideEffects: func(i *Incident) []string { return []string{i.stops()} },

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.Lost(), misfit("On a lost node the old pod does not end.")},
			{i.Case.Workload == nil, misfit("The workload is not known, so that nothing can be scaled.")},
			{!i.HasCause(model.CauseRolloutSurge, model.CauseSharedClaim), misfit("No pod of the workload keeps the volume from another one.")},
			{i.Case.OwnersDiffer() && i.HasCause(model.CauseSharedClaim),
				misfit("The pods belong to two workloads; only one of them can have the volume.")},
			{i.scales().Verdict != Fits, i.scales()},
			{true, i.ofReadyNode("")},
		})
	},
	From: func(i *Incident) float64 { return i.Scenario.Reported },
	Change: func(i *Incident, p replay.Plan, at float64) replay.Plan {
		free := at + i.Scenario.Terminate.Best + i.Scenario.Unmount.Best + i.Scenario.Detach.Best
		return p.With(replay.Act{Kind: replay.ScaleDown, At: at}, replay.Act{Kind: replay.ScaleUp, At: free})
	},
	Acts: []replay.ActKind{replay.ScaleDown, replay.ScaleUp},
	Steps: func(i *Incident) []model.Step {
		out := steps(act("scale the workload to zero", "kubectl scale -n $space $kind/$workload --replicas=0"),
			act("wait for the detach", "kubectl wait --for=delete volumeattachment/$attachment --timeout=10m"),
			act("scale it back", "kubectl scale -n $space $kind/$workload --replicas=1"))(i)
		undo := after("to take an unwanted version back, which also ends the wait", "kubectl rollout undo -n $space $kind/$workload")(i)
		if i.owner().Kind == "Deployment" && i.HasCause(model.CauseRolloutSurge) && undo.Command != "" {
			out = append(out, undo)
		}
		return out
	},
}

var deleteOldPod = Remedy{
	ID: "delete-old-pod", Title: "Delete the old pod without force",
	References:  []string{"attach/detach controller, reconciler.go: a volume that is not in status.volumesInUse is detached at once"},
	SideEffects: (*Incident).deletesServing,

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch {
		case i.did(replay.DeletePod):
			return fits("")
		case i.Lost():
			return misfit("On a lost node no pod ends without force.")
		case i.podAbsent(i.Scenario.Reported + i.reaction):
			return misfit("The old pod's object was gone already.")
		case i.Scenario.Deleted.Known() && i.Scenario.Deleted.Best <= i.Scenario.Reported:
			return noEffect("The old pod was being deleted already.")
		case len(i.Case.ListedGoing()) > 0:
			return noEffect("The old pod is being deleted already.")
		case i.Case.Released.Known() && i.of(i.Case.Released.At) <= i.Scenario.Reported+i.reaction && !i.Scenario.Replaced:
			return noEffect("The old pod had ended by then; what is waited for is the unmount, or its report.")
		case i.HasCause(model.CauseSharedClaim) || i.serves():
			return i.sharedDeletion()
		case !i.HasCause(model.CauseRolloutSurge) && !i.Case.Released.Known() && !i.Case.PodsInBundle():
			return undecidable("Whether the pods share the claim, so that another would take the old one's place, is not in the bundle: the pods.")
		}
		if f := i.replacement(); f.Verdict != Fits || f.Why != "" {
			return f
		}
		return i.ofReadyNode("")
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.DeletePod),
	Acts:   []replay.ActKind{replay.DeletePod},
	Steps:  steps(act("delete the old pod without force", "kubectl delete pod -n $namespace $pod")),
}

// Rollout reports that a rolling update of a Deployment started the waiting pod beside the one that has the volume.
func (i *Incident) Rollout() bool {
	if w := i.Case.Workload; w == nil || w.Kind != "Deployment" {
		return false
	}
	return i.HasCause(model.CauseRolloutSurge) || i.Case.Revisions() && i.Scenario.Placement == replay.Beside
}

// UnknownRollout reports that a rolling update is the cause, by somebody's word or the pods' names, of a workload that is not in the bundle.
func (i *Incident) UnknownRollout() bool {
	return i.Case.Workload == nil && i.HasCause(model.CauseRolloutSurge)
}

var rolloutUndo = Remedy{
	ID: "rollout-undo", Title: "Take the rollout back (kubectl rollout undo)",
	References: []string{"kubernetes.io: Deployments, rolling back",
		"recordings on real nodes: over 1.2 s after the undo, without an outage"},
	SideEffects: always("the new version is not rolled out"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{!i.Rollout(), misfit("The old and the new pod do not come from a rollout that overlaps.")},
			{i.Lost(), misfit("The old pod's node was lost; what the old version runs on is gone.")},
		})
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.EndDemand),
	Acts:   []replay.ActKind{replay.EndDemand},
	Used: func(i *Incident) (float64, bool) { // a replica less ends the demand, too
		undone := slices.ContainsFunc(i.Scenario.Actions, i.Case.TakenBack)
		return i.done(replay.EndDemand), undone && i.did(replay.EndDemand)
	},
	Steps: steps(act("take the rollout back; the pod that serves is not touched", "kubectl rollout undo -n $space deployment/$workload")),
}

// slowly is how long, in seconds, a pod on a live node may take to end before that is called slow: the default grace period.
const slowly = 30.0

var fasterStop = Remedy{
	ID: "faster-stop", Title: "Let the old pod stop sooner (SIGTERM handler, preStop hook, grace period)", Preventive: true,
	References: []string{"kubernetes.io: Pod Lifecycle, termination of pods (terminationGracePeriodSeconds, 30 s by default)",
		"recordings: 2 min of a preStop hook, all of them in the wait"},
	SideEffects: always("an application that is cut short has to recover at its next start", rollsOut),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		took, known := i.stopTook()
		_, pod := i.oldPod()
		return first([]when{
			{i.Lost(), misfit("On a lost node nothing stops a pod.")},
			{!known, undecidable("How long the old pod took to stop is not in the bundle.")},
			{took < slowly, misfit("The old pod stopped within " + words.Whole(took) + ".")},
			{true, fits(fmt.Sprintf("%s took %s to stop%s.", pod, words.Whole(took), i.stoppedBy()))},
		})
	},
	Change: setting(func(s *replay.Settings) { s.QuickStop = true }),
	Steps: steps(prove("see the grace period and the preStop hook of the pods", "kubectl get pod -n $namespace $pod -o",
		`jsonpath={.spec.terminationGracePeriodSeconds}{"  "}{.spec.containers[*].lifecycle.preStop}{"\n"}`),
		act("let the application end at SIGTERM, and its preStop hook return, within seconds; then shorten terminationGracePeriodSeconds")),
}

// stopTook is how long the old pod took from its deletion to its end, in seconds.
func (i *Incident) stopTook() (float64, bool) {
	c := i.Case
	if len(c.OldPods) == 0 || !c.DeletionRequested.Known() {
		return 0, false
	}
	if c.Released.Known() {
		return c.Released.At.Sub(c.DeletionRequested.At).Seconds(), true
	}
	if end, ended := i.End(); !ended && !math.IsInf(end, 1) {
		return end - i.of(c.DeletionRequested.At), true // it has not ended yet
	}
	return 0, false
}

// stoppedBy says what made the end slow, as far as the bundle shows: the hook that ran, or the grace period.
func (i *Incident) stoppedBy() string {
	for _, o := range i.Case.Story() {
		if o.Kind == model.KubernetesEvent && o.Detail == "FailedPreStopHook" {
			return "; its preStop hook did not return within the grace period"
		}
	}
	for _, ref := range i.Case.OldPods {
		pod, ok := i.Case.World.Pod(ref)
		if !ok {
			continue
		}
		for _, c := range pod.Value().Spec.Containers {
			if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
				return "; it has a preStop hook"
			}
		}
	}
	return ""
}

// scaled are the kinds that have a number of replicas which kubectl scale sets.
var scaled = []string{"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout"}

// unscaled are kinds of Kubernetes, and of KubeVirt, that have none.
var unscaled = []string{"DaemonSet", "Job", "CronJob", "Node", "VirtualMachineInstance"}

// owner is the workload, for a command; without a name where it is not known, so that no command is given.
func (i *Incident) owner() *model.Ref { return cmp.Or(i.Case.Workload, &model.Ref{}) }

// scales says whether the workload can be scaled.
func (i *Incident) scales() Fit {
	w := i.owner()
	return first([]when{
		{slices.Contains(scaled, w.Kind), fits("")},
		{slices.Contains(unscaled, w.Kind), misfit(fmt.Sprintf("%s %s has no replicas that could be scaled.", w.Kind, w.Name))},
		{true, undecidable(fmt.Sprintf("Whether %s %s can be scaled, and how, is for its operator to say.", w.Kind, w.Name))},
	})
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
	of := cmp.Or(owner, &model.Ref{})
	return first([]when{
		{owner == nil && known, fits(fmt.Sprintf("Nothing creates %s again: it has no owner.", pod))},
		{owner == nil, undecidable(fmt.Sprintf("What owns %s, and so whether another pod would take its place, is not in the bundle.", pod))},
		{of.Kind == "DaemonSet",
			noEffect(fmt.Sprintf("DaemonSet %s creates another pod on %s at once, which has the volume again.", of, i.node()))},
		{slices.Contains(scaled, of.Kind) || of.Kind == "Job",
			noEffect(fmt.Sprintf("%s %s creates another pod at once, which may get the volume again: the claim is shared.", of.Kind, of))},
		{true, undecidable(fmt.Sprintf("%s %s owns %s: whether and where it is created again, its operator decides.", of.Kind, of, pod))},
	})
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
	if i.Case.Jobs() {
		return steps(act("set concurrencyPolicy: Forbid in the CronJob, or parallelism: 1 in the Job, or give each pod a claim of its own"))(i)
	}
	const apart = "give one of the workloads a claim of its own"
	if _, known := i.Case.OldOwner(); w == nil && !known {
		return steps(prove("see whether one workload owns both pods", "kubectl get pod -n $newspace $newpod $pod -o", "jsonpath={.items[*].metadata.ownerReferences}"),
			act("of one owner: run one replica (of a ReplicaSet, scale its Deployment); a StatefulSet keeps its pod 0, others the pod that runs; of two: "+apart,
				"kubectl scale -n $newspace KIND/OWNER --replicas=1"))(i)
	}
	if w == nil || i.Case.OwnersDiffer() {
		return steps(act(apart))(i)
	}
	if slices.Contains(scaled, w.Kind) {
		return steps(act("run one replica", "kubectl scale -n $space $kind/$workload --replicas=1"))(i)
	}
	return steps(act(fmt.Sprintf("give each pod of %s %s a claim of its own, or run one pod", w.Kind, w)))(i)
}

// OneWriter leaves one user of the claim where that is not a number of replicas: a machine that is migrated, Jobs that end by themselves.
func (i *Incident) OneWriter() Remedy {
	r := singleWriterReplicas
	if m := i.Case.LiveMigration(); m != nil {
		r.Title, r.SideEffects = "Cancel the live migration", always(m.VM.String()+" stays on $old")
		r.Fit = func(*Incident) Fit { return fits("Its volume admits one node, so that no migration can succeed.") }
		r.Steps = steps(act("cancel the migration; the virtual machine runs on", "virtctl migrate-cancel -n $newspace $vm"))
	} else if i.Case.Jobs() {
		stop := act("only if it must not wait: delete the Job that waits", "kubectl delete job -n $newspace $job")
		if _, pod := i.oldPod(); jobOf(pod) == i.waitingJob() {
			stop = act("only if it must not wait: let the Job run one pod", "kubectl patch job -n $newspace $job -p", `{"spec":{"parallelism":1}}`)
		}
		r.Title, r.SideEffects = "Let one Job at a time use the claim", always("the work of the pod that waits is not done")
		r.Steps = steps(prove("see whether the pod that has the volume ends soon: the one that waits then gets it by itself",
			"kubectl get job -n $newspace"), stop)
	}
	return r
}

// jobOf is the Job of a pod, by its name.
func jobOf(pod string) string {
	job, _, _ := facts.CutLast(pod)
	return job
}

func (i *Incident) waitingJob() string { return jobOf(i.newPod().Name) }

// newPod is the first pod that waits; zero where none is known.
func (i *Incident) newPod() model.Ref { return slices.Concat(i.Case.NewPods, []model.Ref{{}})[0] }

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
	return first([]when{
		{comes == model.False, fits("")}, // a StatefulSet's next pod is the one that waits; and what ended here was followed by no other
		{comes == model.Unknown && (r.Owner.Kind == "StatefulSet" || r.Owner.Name == "" && i.Case.Released.Known()), fits("")},
		{r.Owner.Kind == "DaemonSet", noEffect(another + "on the same node, which keeps the volume there.")},
		{comes == model.Unknown && r.Owner.Kind != "ReplicaSet",
			undecidable("Whether " + its + " creates another pod, which could keep the volume on " + i.node() + ", is not in the bundle.")},
		{comes == model.Unknown,
			undecidable("Whether " + owner + " creates another pod, which could keep the volume, is not in the bundle: its replicas.")},
		{r.Back == model.True,
			noEffect(another + "which can be scheduled on " + i.node() + " again and keeps the volume there: the wait goes on." + instead)},
		{r.OnlyTo, fits(another + "which cannot come back to " + i.node() + " and only to " + i.Case.To + ", where both may use the volume.")},
		{r.Back == model.False,
			undecidable(another + "which cannot come back to " + i.node() + "; where else it is scheduled, and which pod gets the volume then, " +
				"nothing decides." + instead)},
		{true, noEffect(another + "and nothing in the bundle keeps it from " + i.node() + ", where it keeps the volume." + instead)},
	})
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
	if rs, ok := facts.Found(c.World, c.World.ReplicaSets, owner); ok && rs.Value().Spec.Replicas != nil {
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

// unblocked replays a waiting pod without a blocking attachment.
var unblocked = setting(func(s *replay.Settings) { s.Shared = true })

var sharedAccessMode = Remedy{
	ID: "shared-access-mode", Title: "Use a volume that several nodes may mount (ReadWriteMany)", Preventive: true,
	References: []string{"pkg/volume/util IsMultiAttachAllowed: decided by PersistentVolume.spec.accessModes (1.13–1.36)",
		"lab recordings with ReadWriteMany: several attachments, no Multi-Attach"},
	SideEffects: always("the data has to be copied to another volume"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if exclusive, known := i.Case.Volume.Exclusive(); known && !exclusive {
			return misfit("The volume's access modes allow several nodes already.")
		}
		return fits("It needs other storage: it is not a setting of this volume.")
	},
	Change: unblocked,
	Needs: func(*Incident, float64) []Need {
		return []Need{{Text: "The application tolerates two writers.", Met: model.Unknown}}
	},
	Steps: steps(prove("verify that the application tolerates two writers; no command tells"),
		prove("see what the storage classes offer", "kubectl get storageclass"),
		prove("see its access modes", "kubectl get pv $pv -o", `jsonpath={.spec.accessModes}{"\n"}`),
		act("copy the data to a volume that several nodes can have")),
}

var singleWriterReplicas = Remedy{
	ID: "single-writer-replicas", Title: "Give each replica its own volume, or run one replica", Preventive: true,
	References: []string{"kubernetes.io: StatefulSets, volumeClaimTemplates",
		"kubernetes.io: ReadWriteOncePod, alpha 1.22, beta 1.27, GA 1.29"},
	SideEffects: (*Incident).onlyOne,

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if !i.HasCause(model.CauseSharedClaim) {
			return misfit("The pods that wanted the volume at once were not replicas that share it.")
		}
		if m := i.Case.LiveMigration(); m != nil {
			return misfit(fmt.Sprintf("Both pods are of one virtual machine (%s), which has two only while it is migrated.", m.VM))
		}
		return fits("")
	},
	Change: unblocked,
	Act:    acting(replay.EndDemand),
	Steps:  (*Incident).one,
}

var topologySpread = Remedy{
	ID: "topology-spread", Title: "Spread the pods with volumes over nodes and zones", Preventive: true,
	References: []string{"kubernetes.io: Pod topology spread constraints, stable since 1.19",
		"kubernetes.io: volumeBindingMode WaitForFirstConsumer, so that volumes follow their pods' zones"},
	SideEffects: always(rollsOut),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		return first([]when{
			{i.HasCause(model.CauseSharedClaim), misfit("The pods share a single-node volume; spread over nodes they wait for each other.")},
			unfit(i.ofLostNode("No node was lost here.")),
			{true, noEffect(fmt.Sprintf("It limits how many volumes the loss of %s hits, not how long this one waits.", i.node()))},
		})
	},
	Steps: steps(act("set in the pod template " +
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: ...}]")),
}
