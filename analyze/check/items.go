package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/model"
)

// items are the questions in the order of an inspection.
var items = slices.Concat(nodeItems, attachmentItems, claimItems, setupItems, outsideItems)

var nodeItems = []item{
	{id: "node-not-ready", question: "Is a node not Ready?", command: "kubectl get nodes", shown: lostNodes, needs: []Need{needNodes}},
	{id: "pod-not-starting", question: "Is a pod stuck in ContainerCreating or Init for more than five minutes?",
		command: "kubectl get pods -A -o wide; kubectl describe pod -n NAMESPACE POD", checks: []string{"pod-not-starting", "shown-not-starting"},
		incident: openForLong},
	{id: "pod-not-starting-otherwise", question: "Does a pod not start because an image, a Secret or a ConfigMap is missing?",
		command: "kubectl describe pod -n NAMESPACE POD", checks: []string{"not-multi-attach-secret-or-configmap", "not-multi-attach-image"},
		needs: []Need{needReports}},
	{id: "mount-fails", question: "Does the mount of an attached volume fail on its node?",
		command: "kubectl describe pod -n NAMESPACE POD", needs: []Need{needReports},
		checks: []string{"not-multi-attach-mount-busy", "not-multi-attach-file-system", "not-multi-attach-mount"}},
	{id: "pod-terminating", question: "Is a pod Terminating past its grace period?", command: "kubectl get pods -A | grep Terminating",
		checks:   []string{"pod-terminating", "shown-terminating"},
		incident: openWith(model.CauseOldPodNotFinished, model.CauseNodeDown, model.CauseKubeletDown)},
	{id: "statefulset-unready-node", question: "Does a pod of a StatefulSet stand on a node that is not Ready?",
		command: "kubectl get pods -A -o wide; kubectl get nodes", checks: []string{"statefulset-unready-node"}},
	{id: "pod-unscheduled", question: "Is a pod not scheduled because of where its volumes are?",
		command: "kubectl get events -A --field-selector reason=FailedScheduling",
		checks:  []string{"pod-volume-conflict", "volume-no-node", "not-multi-attach-node-affinity", "not-multi-attach-one-pod"}},
	{id: "long-toleration", question: "Do pods with a volume for one node tolerate a lost node for long, or for ever?",
		command: `kubectl get pods -A -o jsonpath='{range .items[*]}{.metadata.namespace}/{.metadata.name} {.spec.tolerations}{"\n"}{end}'`,
		checks:  []string{"long-toleration"}},
}

var attachmentItems = []item{
	{id: "multi-attach", question: "Was a Multi-Attach error reported?",
		command: "kubectl get events -A --field-selector reason=FailedAttachVolume", incident: reported,
		needs: []Need{needReports}},
	{id: "otherwise-than-said", question: "Did an incident contradict a popular belief?",
		command: "volpost explain belief-second-attachment",
		checks: []string{"belief-statefulset-replaces-at-eviction", "belief-pod-eviction-timeout", "belief-forced-six-minutes-after-loss",
			"belief-node-deletion-detaches", "belief-attachment-deletion-frees", "belief-second-attachment"},
		needs: []Need{needReports}},
	{id: "attached-twice", question: "Does a volume for one node have VolumeAttachments on several?", command: "kubectl get volumeattachments",
		checks: []string{"attached-twice", "shown-attached-twice"}},
	{id: "attached-to-unready", question: "Is a volume attached to a node that is not Ready?",
		command: "kubectl get volumeattachments; kubectl get nodes", checks: []string{"unready-node-attachment", "shown-unready-node"},
		incident: openWith(model.CauseNodeDown, model.CauseKubeletDown)},
	{id: "out-of-service-left", question: "Does a node that is Ready bear the out-of-service taint?",
		command: "kubectl get nodes; kubectl describe nodes | grep -e ^Name -e out-of-service", checks: []string{"ready-out-of-service"}, needs: []Need{needNodes}},
	{id: "attachment-orphaned", question: "Is a VolumeAttachment left whose node, volume or pod is gone?",
		command:  "kubectl get volumeattachments; kubectl get nodes; kubectl get pv",
		checks:   []string{"attachment-node-gone", "shown-node-gone", "attachment-volume-gone", "attachment-without-pod"},
		incident: openWith(model.CauseNodeGone, model.CauseNodeReclaimed, model.CauseVolumeDeletedFirst)},
	{id: "attach-stuck", question: "Does an attach or a mount fail, or is an attach pending for more than five minutes?",
		command: "kubectl describe volumeattachments",
		checks: []string{"attachment-pending", "shown-attachment-pending", "shown-storage", "attach-error", "pod-volume-fails", "not-multi-attach-rejected", "not-multi-attach-timeout",
			"not-multi-attach-attachment-deleting", "not-multi-attach-not-yet-authorized", "not-multi-attach-detaching", "not-multi-attach-attachment-missing",
			"not-multi-attach-no-initiator", "not-multi-attach-attached-already"}},
	{id: "detach-stuck", question: "Does a detach fail, or not come to an end?", command: "kubectl describe volumeattachments",
		checks:   []string{"attachment-deleting", "failing-detach"},
		incident: openWith(model.CauseAttachmentNotFinishing, model.CauseDriverDetachError, model.CauseCloudDetachFailing, model.CauseUnmountStuck)},
	{id: "node-status-stale", question: "Does a node list volumes that no pod on it uses, or that no attachment has?",
		command:  `kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name} {.status.volumesInUse} {.status.volumesAttached}{"\n"}{end}'`,
		checks:   []string{"in-use-without-pod", "attached-without-attachment"},
		incident: openWith(model.CauseVolumesInUseStale, model.CauseAttachmentLost)},
	{id: "forced-detach", question: "Was a volume detached by force?",
		command: "kubectl logs -n kube-system KUBE-CONTROLLER-MANAGER | grep -i 'force detach'", checks: []string{"forced-detach"},
		incident: takenByForce, needs: []Need{needControllerLog}},
	{id: "leader-churn", question: "Does the leadership of the kube-controller-manager or of the attacher change often?",
		command: "kubectl get lease -A", incident: with(model.CauseControllerFailover),
		needs: []Need{needControllerLog}},
	{id: "attacher-errors", question: "Does the external-attacher report errors?",
		command: "kubectl logs -n NAMESPACE CSI-CONTROLLER -c csi-attacher",
		told:    wording{kinds: []model.Kind{model.AttacherFailed, model.AttachmentAttachError, model.AttachmentDetachError}},
		needs:   []Need{needAttacherLog}},
	{id: "unmount-errors", question: "Does a kubelet report that it cannot unmount?",
		command: "on the node: journalctl -u kubelet | grep -E 'UnmountVolume|TearDown|orphaned pod'",
		checks:  []string{"unmount-fails"}, told: wording{kinds: []model.Kind{model.UnmountFailed}}, needs: []Need{needKubeletLog}},
}

var claimItems = []item{
	{id: "claim-pending", question: "Is a claim Pending?", command: "kubectl get pvc -A",
		checks: []string{"claim-no-class", "claim-no-volume", "claim-not-provisioned", "claim-waits-for-pod",
			"not-multi-attach-no-volume"},
		states: []string{"Pending"}, needs: []Need{needClaims}},
	{id: "quota", question: "Is a quota of the storage back end exhausted?",
		command: "kubectl get events -A --field-selector reason=ProvisioningFailed",
		told:    wording{kinds: []model.Kind{model.ProvisionFailed, model.ResizeFailed}, has: quotaWords},
		beyond:  "No provisioner reports it, and a bundle does not hold the quota itself."},
	{id: "claim-lost", question: "Has a claim lost its volume, or is a volume kept for a claim that is gone?", command: "kubectl get pv",
		checks: []string{"claim-lost", "volume-released"}, states: []string{"Lost", "Released", "Failed"},
		needs: []Need{needClaims, needVolumeList, needCollectionTime}},
	{id: "stuck-terminating", question: "Is a claim or a volume being deleted and held by a finalizer?",
		command: "kubectl get pvc,pv -A | grep Terminating", checks: []string{"claim-terminating"}, states: []string{"Terminating"},
		needs: []Need{needClaims, needVolumes, needCollectionTime}},
	{id: "expansion", question: "Is an expansion stuck?", command: "kubectl describe pvc -n NAMESPACE CLAIM",
		checks: []string{"expansion-stuck", "not-multi-attach-resize", "not-multi-attach-expansion"}},
	{id: "shared-volume", question: "Do several pods share a volume that only one node may have?",
		command: "kubectl get pods -A -o yaml; kubectl get pv", checks: []string{"replicas-exclusive", "claim-shared", "handle-shared"},
		incident: with(model.CauseSharedClaim, model.CauseAccessMode)},
	{id: "rollout", question: "Would a rollout start a second pod before the first gives its volume up?",
		command: "kubectl get deployments -A -o yaml", checks: []string{"surge-exclusive"}, incident: with(model.CauseRolloutSurge)},
}

var setupItems = []item{
	{id: "no-attachments", question: "Are there volumes that have no VolumeAttachment by design?",
		command: "kubectl get pv -o yaml; kubectl get csidrivers", shown: attachless, needs: []Need{needVolumes}},
	{id: "reclaim-policy", question: "Would deleting a claim of a StatefulSet delete its data?", command: "kubectl get pv",
		checks: []string{"delete-policy"}},
	{id: "binding-mode", question: "Does a class of volumes that are bound to a place bind immediately?", command: "kubectl get storageclass",
		checks: []string{"immediate-binding"}},
	{id: "allowed-topologies", question: "Does a class allow only places where no node is?",
		command: "kubectl get storageclass -o yaml; kubectl get nodes --show-labels", checks: []string{"class-no-node"}},
	{id: "expansion-allowed", question: "Does a class of volumes in use forbid expansion?", command: "kubectl get storageclass",
		shown: expansionForbidden, needs: []Need{needClasses, needVolumes}},
	{id: "driver-registered", question: "Does a node lack the CSI driver of a volume that it has to mount?", command: "kubectl get csinodes",
		checks: []string{"driver-missing", "not-multi-attach-driver-not-registered"}},
	{id: "attach-limit", question: "Has a node as many volumes as it can attach?",
		command: "kubectl get csinodes -o yaml; kubectl get volumeattachments", checks: []string{"attach-limit", "not-multi-attach-limit"}},
	{id: "csi-controller", question: "Does one node, or the lack of leader election, put a CSI controller at risk?",
		command: "kubectl get deployments,statefulsets -A -o wide | grep csi", checks: []string{"csi-controller"}},
}

// nodeKinds report what a kubelet could not do with a volume, and what a node-problem-detector and others say in Events.
var nodeKinds = []model.Kind{model.MountFailed, model.UnmountFailed, model.ResizeFailed, model.KubernetesEvent}

// The words by which kubelets, drivers and the kernel report what only a node or the storage can know.
var (
	toolMissing = regexp.MustCompile(`\b(resize2fs|xfs_growfs|xfs_info|e2fsck|dumpe2fs|mkfs|blkid|tune2fs|btrfs)\b.*` +
		`(executable file not found|not found in \$path|command not found|no such file or directory)`)
	ioWords = regexp.MustCompile(`input/output error|\bi/o error|structure needs cleaning|bad superblock|can't read superblock|` +
		`read-only file system|remount(ed|ing)?[ -]+(filesystem )?read-only|ext4-fs error|xfs.{0,40}(corruption|shut(ting)? ?down)`)
	fullWords        = regexp.MustCompile(`no space left on device|disk quota exceeded`)
	unreachableWords = regexp.MustCompile(`connection refused|no route to host|network is unreachable|no such host|connection timed out|` +
		`i/o timeout|host is down|connection reset by peer`)
	// socketWords are of the driver's own socket on the node, behind which no storage is.
	socketWords = regexp.MustCompile(`\.sock\b|dial unix|unix:/`)
	// quotaWords are in the errors of clouds that refuse for want of quota or capacity.
	quotaWords = regexp.MustCompile(`quota|limit ?exceeded|resourceexhausted|out of space|insufficient|no space left|capacity`)
)

// outsideItems are what a bundle seldom holds, named so that silence is not mistaken for an answer.
var outsideItems = []item{
	{id: "device-on-node", question: "Is the device still there, or still mounted, on the old node?",
		command:  "on the node: findmnt -t ext4,xfs; ls -l /dev/disk/by-id; lsblk; ls /var/lib/kubelet/plugins/kubernetes.io/csi",
		incident: openWith(model.CauseUnmountStuck),
		beyond:   "Only the node knows its mounts and devices; no mount table and no kubelet of the bundle shows the volume mounted there."},
	{id: "backend-attached", question: "Does the storage back end have the volume attached elsewhere than Kubernetes says?",
		command: "at the back end, for EBS: aws ec2 describe-volumes --volume-ids VOLUME-HANDLE", incident: with(model.CauseStorageDisagrees),
		told: wording{kinds: []model.Kind{model.AttachmentDrift}}, beyond: "Only the storage back end knows where a volume is attached."},
	{id: "node-off", question: "Is a lost node still running and writing?",
		command: "the console of the cloud or the machine's BMC; for EC2: " +
			"aws ec2 describe-instance-status --include-all-instances --instance-ids INSTANCE",
		incident: openWith(model.CauseKubeletDown),
		beyond:   "A stale Lease proves no end; only whoever runs the machine can tell that it is off."},
	{id: "io-errors", question: "Does a node report I/O errors of a volume?", command: "on the node: dmesg -T | grep -iE 'I/O error|ext4|xfs'",

		told:   wording{kinds: append(nodeKinds, model.AttachFailed), has: ioWords},
		beyond: "The kernel's messages are on the node; no kubelet and no Event of the bundle tells of such an error."},
	{id: "file-system-size", question: "Is a file system smaller than its volume?", command: "kubectl exec -n NAMESPACE POD -- df -h PATH",
		checks: []string{"not-multi-attach-resize", "not-multi-attach-expansion"},
		beyond: "Only the pod or its node shows the size of the file system; no claim and no kubelet of the bundle tells of one not enlarged."},
	{id: "file-system-tools", question: "Does a node lack the tools to enlarge a file system?",
		command: "on the node: command -v resize2fs xfs_growfs", told: wording{kinds: nodeKinds, has: toolMissing},
		beyond: "Only the node knows what is installed; no error in the bundle names a tool that is not there."},
	{id: "volume-usage", question: "Is a volume nearly full?", command: "kubectl get --raw /api/v1/nodes/NODE/proxy/stats/summary",
		checks: []string{"volume-full"}, told: wording{kinds: nodeKinds, has: fullWords},
		beyond: "The usage is in the kubelet's statistics, which the bundle does not hold."},
	{id: "backend-reachable", question: "Is the storage back end out of reach of a node?",
		command: "on the node: reach the address of the storage or of the cloud's API, for NFS: rpcinfo -p SERVER",
		told:    wording{kinds: nodeKinds[:3], has: unreachableWords, but: socketWords},
		beyond:  "Only the node can try; no kubelet of the bundle tells of a storage that does not answer."},
	{id: "snapshots", question: "Do important volumes lack a snapshot policy?",
		command: "kubectl get volumesnapshots,volumesnapshotclasses -A",
		beyond:  "VolumeSnapshots are not looked at, and which volumes are important is not written anywhere."},
	{id: "alerting", question: "Are there no alerts on the usage of volumes and on stuck attachments?",
		command: "kubectl get prometheusrules -A -o yaml | grep -E 'kubelet_volume_stats|volumeattachment'",
		beyond:  "Rules are run, and not looked at for what is missing among them."},
	{id: "metrics-join", question: "Does kube-state-metrics lack the metrics that tie a volume to its attachment?",
		command: "in Prometheus: count(kube_volumeattachment_spec_source_persistentvolume)",
		beyond:  "What kube-state-metrics exports is to be seen in Prometheus."},
}

// reported is true of incidents that the controller reported. Of others only metrics show the wait.
func reported(in model.Incident) bool { return in.MultiAttach.Reports > 0 }

// open is true of incidents that had not ended at the collection.
func open(in model.Incident) bool { return in.Span.Open }

// openForLong is true of open incidents whose pod has surely waited on its node for as long as the check pod-not-starting asks for.
func openForLong(in model.Incident) bool {
	return open(in) && in.Kind != model.KindBeforeMultiAttach && in.MultiAttach.Began.Until(in.Span.To).Min >= startPatience.Seconds()
}

// with is true of incidents that have one of some causes for certain or likely, by more than an author's word.
func with(causes ...string) func(model.Incident) bool {
	return func(in model.Incident) bool {
		return slices.ContainsFunc(in.Causes, func(c model.Cause) bool {
			return c.Verdict != model.Undecidable && slices.Contains(causes, c.ID) && !strings.HasPrefix(c.Summary, cause.AuthorWrites)
		})
	}
}

// openWith is both.
func openWith(causes ...string) func(model.Incident) bool {
	has := with(causes...)
	return func(in model.Incident) bool { return open(in) && has(in) }
}
