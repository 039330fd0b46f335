package remedy

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

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

// unblocked replays a waiting pod without a blocking attachment.
var unblocked = setting(func(s *replay.Settings) { s.Shared = true })

var sharedAccessMode = Remedy{
	ID: "shared-access-mode", Title: "Use a volume that several nodes may mount (ReadWriteMany)", Preventive: true,
	References: []string{"pkg/volume/util IsMultiAttachAllowed: decided by PersistentVolume.spec.accessModes (1.13–1.36)",
		"lab recordings with ReadWriteMany: several attachments, no Multi-Attach"},
	SideEffects: always("the data has to be copied to another volume"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if i.Case.Volume.Many() {
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
