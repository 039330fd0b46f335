// Package check looks for what is worth acting on outside the incidents, a file to a subject. A finding states what was seen, no reason.
package check

import (
	"cmp"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Check is one kind of finding. docs/checks.md says of each what it means, what decides it, and what looks alike and is left alone.
type Check struct {
	ID       string
	Severity string // info, warning or critical
	Title    string
	Remedy   string
	Happened bool // what it finds happened, and is no state that goes on
	// OnNode shows it on the node that it is about. See lists what tells of it where neither the description of a pod nor of an attachment does;
	// AttachmentRows come before a pod's.
	OnNode, See string
	// Needs are what the bundle must hold for the check to look at all; without one of them its silence means nothing.
	Needs []Need
	// Look leaves out what belongs to a case.
	Look func(w *facts.World, s *scene, hit func(Hit))
}

// Hit is one thing that a check found. An empty Severity or Remedy is that of the check.
type Hit struct {
	Objects          []model.Ref
	Text             string
	Shown            []*model.Observation
	Severity, Remedy string
	Since            metav1.Time // from when it was so at the latest, as an object has it; zero where what is shown dates it, or nothing does
}

// AttachmentRows is the See of what only the rows of the attachments tell: which node has the volume.
const AttachmentRows = "kubectl get volumeattachments"

// All are the checks, in the order of the report.
func All() []Check { return slices.Clone(all) }

var all = slices.Concat([]Check{
	// pods that wait, and what keeps their volumes; the first of the severest is the headline of a report without an incident
	{ID: "pod-not-starting", Severity: "warning", Title: "A pod with a volume has not started for more than five minutes",
		Remedy: "Do what the reason asks for.",
		Needs:  []Need{needPods, needCollectionTime}, Look: lookPodNotStarting},
	{ID: "shown-storage", Severity: "warning", Title: "The storage's own tables show that it cannot serve a volume",
		Remedy: "Bring the storage back on the nodes that it names; no attach and no mount succeeds before.",
		Look:   lookRowsStorage},
	{ID: "attach-error", Severity: "warning", Title: "An attach fails", Remedy: attacherTries, Needs: []Need{needAttachments},
		Look: lookAttachError},
	{ID: "pod-volume-fails", Severity: "warning", Title: "A pod does not get its volume",
		Remedy: "Repair what the error names; attach and mount are tried again by themselves.",
		See:    eventsOf([]model.Kind{model.AttachFailed, model.MountFailed}), Look: lookPodVolumeFails},
	{ID: "pod-terminating", Severity: "warning", Title: "A pod with a volume is past its grace period",
		Remedy: "Let the node finish the pod; delete it by force only when the node is off or its containers are gone.",
		Needs:  []Need{needPods, needCollectionTime}, Look: lookPodTerminating},
	{ID: "shown-terminating", Severity: "warning", Title: "A pod is shown Terminating that does not end",
		Remedy: "Let the node finish the pod; delete it by force only when the node is off or its containers are gone.",
		Look:   lookRowsTerminating},
	{ID: "unmount-fails", Severity: "warning", Title: "A kubelet cannot unmount a volume",
		Remedy: "Find what holds the mount on that node (fuser -vm PATH, lsof), end it, and let the kubelet try again; it does so by itself.",
		Look:   lookUnmountFails},
	{ID: "statefulset-unready-node", Severity: "warning", Title: "Pods of a StatefulSet are on a node that is not Ready",
		Remedy: "Bring the node back, or fence it and let the controller know.",
		Needs:  []Need{needPods, needNodes}, Look: lookStatefulSetUnreadyNode},
	{ID: "failing-detach", Severity: "warning", Title: "A detach fails",
		Remedy: "Repair what the error names before the volume has to move.",
		See:    AttachmentRows, Look: lookFailingDetach},
	{ID: "attachment-deleting", Severity: "warning", Title: "A detach has not come to an end for more than two minutes",
		Remedy: "See whether the external-attacher of the driver runs, and what its log says.",
		Needs:  []Need{needAttachments, needCollectionTime}, Look: lookAttachmentDeleting},
	{ID: "attachment-pending", Severity: "warning", Title: "An attach has not come about for more than five minutes",
		Remedy: "See whether the external-attacher of the driver runs, and what its log says.",
		Needs:  []Need{needAttachments, needCollectionTime}, Look: lookAttachmentPending},
	{ID: "shown-attachment-pending", Severity: "warning", Title: "A VolumeAttachment is shown unattached for more than five minutes",
		Remedy: "See with kubectl describe volumeattachment whether an error stands in it or it is being deleted, and what the external-attacher logs.",
		Look:   lookRowsAttachmentPending},

	// attachments and nodes
	{ID: "attached-twice", Severity: "critical", Title: "A volume for one node has attachments on several",
		Remedy: "Find out in the storage system which node has the volume, and stop the pods on the other before anything is deleted.",
		Needs:  []Need{needAttachments, needVolumes}, Look: lookAttachedTwice},
	{ID: "shown-attached-twice", Severity: "warning", Title: "A volume is shown attached to several nodes",
		Remedy: "Look at the volume's access modes and, in the storage system, at the nodes that have it; stop its pods on all but one first.",
		Look:   lookRowsAttachedTwice},
	{ID: "unready-node-attachment", Severity: "warning", Title: "Volumes are attached to a node that is not Ready",
		Remedy: "Bring the node back, or fence it and let the controller know.",
		Needs:  []Need{needAttachments, needNodes}, Look: lookUnreadyNodeAttachment},
	{ID: "shown-unready-node", Severity: "warning", Title: "Volumes are shown attached to a node that is not Ready",
		Remedy: "See whether the machine is off. Bring the node back; only when the machine is certainly off, taint it out of service.",
		Look:   lookRowsUnreadyNode},
	{ID: "attachment-node-gone", Severity: "warning", Title: "A volume is attached to a node that does not exist",
		Remedy: "Make sure that the machine is gone, then let the attacher detach the volume.",
		Needs:  []Need{needAttachments, needNodeList}, Look: lookAttachmentNodeGone},
	{ID: "shown-node-gone", Severity: "warning", Title: "A volume is shown attached to a node that a list of all nodes lacks",
		Remedy: "Make sure that the machine is gone, then delete its VolumeAttachment; take a finalizer away only when the storage has detached it.",
		Look:   lookRowsNodeGone},
	{ID: "attachment-volume-gone", Severity: "warning", Title: "An attachment is left of a PersistentVolume that does not exist",
		Remedy: "Detach the volume in the storage system, then remove the attachment.",
		Needs:  []Need{needAttachments, needVolumeList}, Look: lookAttachmentVolumeGone},
	{ID: "attachment-without-pod", Severity: "warning", Title: "A volume is attached to a node on which no pod uses it",
		Remedy: "See whether the controller still means to detach the volume; restart it when it does not.",
		Needs:  []Need{needAttachments, needPods, needNodes, needCollectionTime}, Look: lookAttachmentWithoutPod},
	{ID: "ready-out-of-service", Severity: "warning", Title: "A node that is Ready bears the out-of-service taint",
		Remedy: "Take the taint off, unless the machine is about to be powered off.", Look: lookReadyOutOfService},
	{ID: "in-use-without-pod", Severity: "warning", Title: "A node lists a volume as in use, and no pod there uses it",
		Remedy: "Find the mount on the node and unmount it; else restart the kubelet, which builds its list again.",
		Needs:  []Need{needNodes, needPods}, Look: lookInUseWithoutPod},
	{ID: "attached-without-attachment", Severity: "warning", Title: "A node lists a volume as attached that has no VolumeAttachment",
		Remedy: "See what the controller's log says of the volume, and ask the storage system where it is attached.",
		Needs:  []Need{needNodes, needAttachmentList}, Look: lookAttachedWithoutAttachment},
	{ID: "forced-detach", Happened: true, Severity: "warning", Title: "A volume was detached by force",
		Remedy: "Make sure that the old node had stopped before trusting the data on the volume.",
		Look:   lookForcedDetach},
	{ID: "long-toleration", Severity: "info", Title: "Pods with a volume for one node tolerate a lost node for very long",
		Remedy: "Unless that is meant, set tolerationSeconds in the pod template.",
		Needs:  []Need{needPods, needVolumes}, Look: lookTolerateLost},

	// claims, volumes and classes
	{ID: "claim-no-class", Severity: "warning", Title: "A claim waits for a StorageClass that does not exist",
		Remedy: "Create the StorageClass, or recreate the claim with one that exists; the class of a claim that names one cannot be changed.",
		Needs:  []Need{needClaims, needClasses, needVolumeList}, Look: lookClaimNoClass},
	{ID: "claim-no-volume", Severity: "warning", Title: "A claim waits for a PersistentVolume created by hand",
		Remedy: "Create a PersistentVolume that fits the claim, or free one.",
		Needs:  []Need{needClaims, needVolumeList, needClasses}, Look: lookClaimNoVolume},
	{ID: "claim-not-provisioned", Severity: "warning", Title: "A claim waits for its provisioner",
		Remedy: "Look at the log of the provisioner (kubectl logs of the CSI controller, container csi-provisioner).",
		Needs:  []Need{needClaims, needClasses, needCollectionTime}, Look: lookClaimNotProvisioned},
	{ID: "claim-lost", Severity: "warning", Title: "A claim is Lost: the PersistentVolume that it was bound to is gone",
		Remedy: "Delete nothing yet: ask the storage whether it still has the volume, by the handle that status.volumesAttached of its last node lists; if so, " +
			"create a PersistentVolume for it with policy Retain and the claim as claimRef.",
		Look: lookClaimLost},
	{ID: "claim-terminating", Severity: "warning", Title: "A claim is being deleted, and its volume may go with it",
		Remedy: "Set the policy of its volume to Retain before the last pod that uses it ends.", Look: lookClaimTerminating},
	{ID: "not-multi-attach-no-volume", Severity: "warning", Title: "No volume is created for a claim",
		Remedy: provisionerTries,
		Look:   lookToldUnprovisioned},
	{ID: "not-multi-attach-expansion", Severity: "warning", Title: "The expansion of a volume fails",
		Remedy: "Repair what the error names: the quota, or on the node a missing tool or a busy file system; a pod that is started again tries again.",
		Look:   lookToldUnexpanded},
	{ID: "claim-waits-for-pod", Severity: "info", Title: "A claim waits for its first pod",
		Remedy: "Start a pod that uses the claim; the volume is created where the pod is scheduled.",
		Needs:  []Need{needClaims, needClasses}, Look: lookClaimWaitsForPod},
	{ID: "volume-released", Severity: "info", Title: "A volume is left over from a deleted claim",
		Remedy: "Decide whether its data are needed; then delete the volume, or clear its claimRef to use it again.",
		Needs:  []Need{needVolumes}, Look: lookVolumeReleased},
	{ID: "expansion-stuck", Severity: "warning", Title: "A volume is not expanded as its claim asks",
		Remedy: "Look at the step that is named: the class, the resizer, or the kubelet of the node.",
		Needs:  []Need{needClaims, needCollectionTime}, Look: lookExpansionStuck},
	{ID: "volume-no-node", Severity: "warning", Title: "A volume can be reached from no node that could take its pod",
		Remedy: "Bring a node back where the volume is; a volume of one zone cannot be moved to another, only copied.",
		Needs:  []Need{needVolumes, needNodeList}, Look: lookVolumeNoNode},
	{ID: "pod-volume-conflict", Severity: "warning", Title: "A pod cannot be scheduled where its volumes are",
		Remedy: "Let the pod run where its volumes are, or recreate the volumes where the pod has to run.",
		Needs:  []Need{needPods, needVolumes, needNodeList, needClaims}, Look: lookPodVolumeConflict},
	{ID: "class-no-node", Severity: "info", Title: "A StorageClass allows only places where no node is",
		Remedy: "Correct allowedTopologies, or add nodes there; a StorageClass is deleted and created anew to change it.",
		Needs:  []Need{needClasses, needNodeList}, Look: lookClassNoNode},
	{ID: "immediate-binding", Severity: "info", Title: "A class of volumes that are bound to a place binds immediately",
		Remedy: "Use a class with volumeBindingMode WaitForFirstConsumer for new claims; the mode of a class cannot be changed.",
		Needs:  []Need{needClasses, needVolumes, needNodes}, Look: lookImmediateBinding},
	{ID: "delete-policy", Severity: "info", Title: "Volumes of StatefulSets are deleted with their claims",
		Remedy: `For volumes that must outlive a deleted claim: kubectl patch pv NAME -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`,
		Needs:  []Need{needStatefulSets, needClaims, needVolumes}, Look: lookDeletePolicy},
	{ID: "volume-full", Severity: "warning", Title: "A volume is nearly full",
		Remedy: "Expand the claim where its class allows it, or free space.",
		Needs:  []Need{needUsage}, Look: lookVolumeFull},

	// workloads and drivers
	{ID: "surge-exclusive", Severity: "info", Title: "A rolling update would start a second pod before the first gives its volume up",
		Remedy: "Use strategy Recreate.",
		Needs:  []Need{needDeployments, needClaims, needVolumes}, Look: lookSurgeExclusive},
	{ID: "replicas-exclusive", Severity: "info", Title: "Several replicas share a volume that only one node may have",
		Remedy: "Run one replica, give each its own claim (a StatefulSet with volumeClaimTemplates), or use storage with ReadWriteMany.",
		Needs:  []Need{needWorkloads, needClaims, needVolumes}, Look: lookReplicasExclusive},
	{ID: "claim-shared", Severity: "warning", Title: "Two workloads use one volume that only one node may have",
		Remedy: "Give each workload its own claim, use storage with ReadWriteMany, or keep their pods on one node by affinity.",
		Needs:  []Need{needPods, needClaims, needVolumes}, Look: lookClaimShared},
	{ID: "handle-shared", Severity: "warning", Title: "Several PersistentVolumes name one volume of the storage",
		Remedy: "Keep one PersistentVolume for the volume, or give each a copy, as from a snapshot; set policy Retain before deleting one.",
		Needs:  []Need{needVolumes}, Look: lookHandleShared},
	{ID: "attach-limit", Severity: "info", Title: "A node has as many volumes of a driver as it can attach",
		Remedy: "Run pods with volumes on other nodes, or add nodes; the limit is that of the machine type.",
		Needs:  []Need{needCSINodes, needAttachments, needVolumes}, Look: lookAttachLimit},
	{ID: "driver-missing", Severity: "warning", Title: "A node lacks the CSI driver of a volume that it has to mount",
		Remedy: "Get the driver's node plugin to run on the node and to register.",
		Needs:  []Need{needCSINodes, needNodes, needVolumes}, Look: lookDriverMissing},
	{ID: "csi-controller", Severity: "info", Title: "A CSI controller is not set up for the loss of its node",
		Remedy: "Run two replicas with --leader-election on every sidecar, and keep them on different nodes.",
		Needs:  []Need{needWorkloads}, Look: lookCSIController},
}, beliefs, lookalikeChecks, []Check{
	// what says of no pod why it waits, behind all that do
	{ID: "shown-not-starting", Severity: "warning", Title: "A pod is shown in ContainerCreating for more than five minutes",
		Remedy: "See with kubectl describe pod what it waits for: a volume, a Secret, a ConfigMap or the network.",
		Look:   lookRowsNotStarting},
})

// The remedies for an error of an attach, and of a provisioner.
const (
	attacherTries    = "Repair what the error names; the attacher tries again by itself."
	provisionerTries = "Repair what the error names: the quota or capacity, the class's provisioner, its zones; the provisioner tries again by itself."
)

// severities are in the order of the report.
var severities = []string{"critical", "warning", "info"}

// Findings runs every check over a world as it was at the newest collection; the severest come first, then the order of All.
func Findings(w *facts.World, cases []*wait.Case, l *evidence.Ledger) []model.Finding {
	out := []model.Finding{}
	w = w.AtCollection()
	s := newScene(w, cases)
	for _, c := range all {
		if len(c.Unmet(w)) > 0 {
			continue
		}
		c.Look(w, s, func(h Hit) {
			out = append(out, model.Finding{
				ID: c.ID, Severity: cmp.Or(h.Severity, c.Severity), Title: c.Title, Objects: h.Objects, Text: h.Text,
				Remedy: cmp.Or(h.Remedy, c.Remedy), Since: h.since(), Evidence: l.Observations(present(h.Shown)),
			})
		})
	}
	out = withoutRepeated(out)
	slices.SortStableFunc(out, func(a, b model.Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)), cmp.Compare(rank(a), rank(b)))
	})
	return out
}

// rank puts a time-out behind the findings of its severity that say why.
func rank(f model.Finding) int {
	if f.ID == "not-multi-attach-timeout" {
		return 1
	}
	return 0
}

// since is when what was found is known to have been so: by the object's own time, else by the first dated statement that is shown.
func (h Hit) since() *model.Moment {
	if !h.Since.IsZero() {
		m := model.WholeSecond(h.Since.Time)
		return &m
	}
	var out *model.Moment
	for _, o := range present(h.Shown) {
		dated := !o.At.IsZero() && o.At.Missing() == "" && o.At.Basis != model.Assumed
		if dated && (out == nil || o.At.At.Before(out.At)) {
			m := o.At
			if o.Source.Kind == model.SourceMetric {
				m.Basis = model.Derived // it was so at a sample, and may have been before
			}
			out = &m
		}
	}
	return out
}

// present drops what could not be quoted.
func present(list []*model.Observation) []*model.Observation {
	return facts.Where(list, func(o *model.Observation) bool { return o != nil })
}

// Unmet are the needs that a world does not meet.
func (c Check) Unmet(w *facts.World) []Need {
	return facts.Where(c.Needs, func(n Need) bool { return !n.Met(w) })
}

// preciseOf names, for a check that goes by an error's text, the checks that find the same fault in the objects and so know its reason.
var preciseOf = map[string][]string{
	"not-multi-attach-node-affinity":         {"pod-volume-conflict", "volume-no-node"},
	"not-multi-attach-resize":                {"expansion-stuck"},
	"not-multi-attach-limit":                 {"attach-limit"},
	"not-multi-attach-driver-not-registered": {"driver-missing"},
	"not-multi-attach-mount":                 {"pod-not-starting"},
}

// withoutRepeated drops findings by text whose pods or claims a finding by objects names too: one fault is one finding.
func withoutRepeated(list []model.Finding) []model.Finding {
	type about struct {
		check string
		model.Ref
	}
	named, exact := map[about]bool{}, slices.Concat(slices.Collect(maps.Values(preciseOf))...)
	for _, f := range facts.Where(list, func(f model.Finding) bool { return slices.Contains(exact, f.ID) }) {
		for _, o := range f.Objects {
			named[about{f.ID, plainRef(o)}] = true
		}
	}
	return slices.DeleteFunc(list, func(f model.Finding) bool {
		users := facts.Where(f.Objects, func(o model.Ref) bool { return o.Kind == "Pod" || o.Kind == "PersistentVolumeClaim" })
		return len(users) > 0 && !slices.ContainsFunc(users, func(o model.Ref) bool {
			return !slices.ContainsFunc(preciseOf[f.ID], func(id string) bool { return named[about{id, plainRef(o)}] })
		})
	})
}

// plainRef is a reference without the UID, which Events often lack.
func plainRef(r model.Ref) model.Ref {
	r.UID = ""
	return r
}
