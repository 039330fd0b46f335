package check

import (
	"regexp"
	"sync"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// attachmentMissing is a kubelet's answer from the API server, with the name of the VolumeAttachment that it asked for.
var attachmentMissing = regexp.MustCompile(`volumeattachments\.storage\.k8s\.io "([^"]*)" not found`)

// onceMatched tests for a pattern that is compiled when it is first asked for: most bundles never do.
func onceMatched(pattern string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(text string) bool { return compiled().MatchString(text) }
}

// noInitiator is an error of a driver that found none of the names by which a storage system knows a machine: an IQN, a WWPN or an NQN. A name
// in between, as in "initiator iqn.… not found", is one that the node has and the storage does not know.
var noInitiator = onceMatched(`(?i)\bno (?:\d |iscsi |fc |fibre channel |nvme |roce |local )?(?:initiators?|iqns?)(?: names?)?(?: (?:found|exists?|specified)\b|\W*$)|` +
	`\b(?:initiators?|initiator name|hostnqn) (?:not found(?: on node|\W*$)|is not available)|invalid initiator ""|doesn't have (?:fc|iscsi) initiators|` +
	`failed to get initiators for host|find valid nvme nqn, fc wwns or iscsi iqn|` +
	`/etc/(?:iscsi/|nvme/host(?:nqn|id)).*no such file`)

// attachedAlready is the answer to an attach that the volume is attached, which names no machine. To attach again where a volume is already must
// succeed (CSI specification, ControllerPublishVolume), and one that another machine has is refused with FAILED_PRECONDITION.
var attachedAlready = onceMatched(`(?i)\b(?:volume|disk|lun|device|image|instance)\b[^:;.]* (?:is|was)(?: already| currently| still)? attached(?: to (?:this|the same) \w+)?\W*$`)

// lookalikes are the errors that are named as what they are, in the order in which a text is compared with them.
var lookalikes = []lookalike{
	{Check: Check{
		ID: "not-multi-attach-one-pod", Title: "The claim admits one pod, and another one uses it",
		Remedy: "Wait for the end of the pod that uses the claim, or end it; one that is Terminating on a lost node keeps it until the machine is proven off " +
			"and the node tainted out-of-service. Give the pods claims of their own when both are to run."},
		says:      "The claim is ReadWriteOncePod: while a pod uses it the scheduler places no other on any node, so nothing is attached yet.",
		kinds:     []model.Kind{model.PodSchedulingFailed},
		texts:     []string{"readwriteoncepod access mode"},
		manifests: true, perPod: true, keeps: true, over: placedSince},
	{Check: Check{
		ID: "not-multi-attach-limit", Title: "The node takes no more volumes",
		Remedy: "Let the driver report the right limit in CSINode, detach volumes that nothing uses, or run the pod on another node."},
		says:   "The node has as many volumes attached as its machine allows.",
		kinds:  append(attachKinds[:len(attachKinds):len(attachKinds)], model.PodSchedulingFailed),
		worded: upstream.AttachLimit, keeps: true},
	{Check: Check{
		ID: "not-multi-attach-not-yet-authorized", Title: "The kubelet may not read the VolumeAttachment yet",
		Remedy: "Wait; if it lasts for minutes, look at the API server."},
		says:  "The API server's node authorizer learns of the pod and its volume a moment later, and the kubelet tries again.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{"no relationship found between node"}},
	{Check: Check{
		ID: "not-multi-attach-driver-not-registered", Title: "The CSI driver is not registered on the node",
		Remedy: "Look at the driver's node pod on this node and at its registrar container."},
		says:  "The driver's node plugin does not run there, or has not registered yet.",
		kinds: []model.Kind{model.MountFailed, model.AttachFailed, model.AttacherFailed},
		texts: []string{"not found in the list of registered csi drivers", "does not contain driver", "has no nodeid annotation", "no csinode"},
		keeps: true},
	{Check: Check{
		ID: "not-multi-attach-timeout", Title: "The driver does not finish the attach in time",
		Remedy: "Look at the driver's controller pod and at the storage system behind it."},
		says:  "The attach was begun, so that no other node was in its way; the driver or the external-attacher did not answer in time.",
		kinds: attachKinds,
		texts: []string{"deadlineexceeded", "deadline exceeded", "timed out waiting for", "i/o timeout", "timeout waiting",
			"attachment timeout for volume", "attach timeout for volume", "etachment timeout for volume"},
		keeps: true},
	{Check: Check{
		ID: "not-multi-attach-node-affinity", Title: "No node that the pod may run on reaches its volume",
		Remedy: "Bring a node back, or add one, where the volume can be reached."},
		says:  "The PersistentVolume's nodeAffinity, such as its zone, allows none of these nodes; nothing was attached yet.",
		kinds: []model.Kind{model.PodSchedulingFailed},
		texts: []string{"volume node affinity conflict", "didn't match persistentvolume's node affinity", "no available volume zone"},
		keeps: true, over: placedSince},
	{Check: Check{
		ID: "not-multi-attach-resize", Title: "The file system of a grown volume is not grown yet",
		Remedy: "Let a pod that uses the claim start, or start again."},
		says:  "This is the ordinary state between the two halves of an expansion: the kubelet grows the file system at the next mount.",
		kinds: []model.Kind{model.KubernetesEvent, model.ResizePending},
		texts: []string{"require file system resize of volume on node", "finish file system resize of volume", "as file system resize required", ", its file system has ",
			"filesystemresizepending"},
		over: resized},
	{Check: Check{
		ID: "not-multi-attach-secret-or-configmap", Title: "A Secret or ConfigMap of a pod is missing",
		Remedy: "Create what the message names, or correct the name in the pod."},
		says:  "The kubelet mounts no volume of the pod before it has all of them.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{`secret "`, `secrets "`, `configmap "`, `configmaps "`, `references non-existent secret key`,
			`references non-existent config key`, `" not registered`},
		keeps: true, over: foundSince},
	{Check: Check{
		ID: "not-multi-attach-image", Title: "An image cannot be pulled",
		Remedy: "Correct the name of the image, the rights to pull it, or the way to the registry."},
		says:   "The kubelet pulls images after the volumes are mounted.",
		kinds:  []model.Kind{model.KubernetesEvent},
		texts:  []string{"failed to pull image", "back-off pulling image"},
		perPod: true},
	{Check: Check{
		ID: "not-multi-attach-detaching", Title: "The storage is still detaching the volume",
		Remedy: "Wait for the end of the detach in the storage; if it does not end, have it detached there from the machine that it names."},
		says:  "Kubernetes asks for the attach, and the storage has not ended a detach.",
		kinds: attachKinds,
		texts: []string{"beingdetached", "being detached", "status is detaching", "'detaching'", "in detaching state", "last detach operation failed"}, keeps: true},
	{Check: Check{
		ID: "not-multi-attach-attachment-deleting", Title: "The VolumeAttachment of the node is still being deleted",
		Remedy: "See in kubectl describe volumeattachments, under the detach error and the finalizers, what holds the detach, and repair that or bring the " +
			"driver's external-attacher back. Remove no finalizer while the storage may have the volume there."},
		says: "This pod's own node has a VolumeAttachment from before whose deletion was requested: its detach has to end before the controller creates " +
			"another.",
		kinds: attachKinds, worded: upstream.BeingDeleted, keeps: true},
	{Check: Check{
		ID: "not-multi-attach-no-initiator", Title: "The node has no initiator by which the storage could know it",
		OnNode: "cat /etc/iscsi/initiatorname.iscsi /etc/nvme/hostnqn /sys/class/fc_host/host*/port_name",
		Remedy: "On that node, for iSCSI install open-iscsi (iscsi-initiator-utils on Red Hat) and start iscsid; for NVMe install nvme-cli; for Fibre " +
			"Channel load the adapter's driver. No two nodes may have the same name, as cloned machines do. Then restart the driver's node pod there, so " +
			"that it registers the node; the attach is tried again by itself."},
		says:   "The storage knows a machine by its initiator, an IQN, a WWPN or an NQN, and the driver found none of this node.",
		kinds:  append(attachKinds[:len(attachKinds):len(attachKinds)], model.MountFailed),
		worded: noInitiator, keeps: true},
	{Check: Check{
		ID: "not-multi-attach-mount-busy", Title: "The device or the mount point is busy on the node itself",
		Severity: "warning",
		Remedy:   "On that node, find what holds the device (findmnt, lsblk, multipath -ll, lsof) and let it go; the kubelet tries again by itself."},
		says:  "The volume is attached there, and something on that node holds its device.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{"mount point busy", "device is busy", "target is busy", "resource busy", "exclusive open on", "already mounted at",
			"already mounted on /", "ebusy"}},
	{Check: Check{
		ID: "not-multi-attach-attachment-missing", Title: "The kubelet waits for a VolumeAttachment that does not exist",
		Severity: "warning",
		Remedy: "If the VolumeAttachment is not there, scale the workload to zero until the controller has let go of " +
			"the volume, and up again; a new leader of the kube-controller-manager creates it again, too."},
		says:   "The VolumeAttachment of that node does not exist, and the mount waits for it.",
		kinds:  []model.Kind{model.MountFailed},
		worded: attachmentMissing.MatchString},
	{Check: Check{
		ID: "not-multi-attach-file-system", Title: "The file system of a volume cannot be mounted as it is",
		Severity: "warning",
		Remedy:   words.Capital(upstream.SnapshotFirst) + "."},
		says:   "The device is there; what is on it is damaged, or no file system of that type.",
		kinds:  []model.Kind{model.MountFailed},
		worded: upstream.FileSystemDamaged, over: mountedSince},
	{Check: Check{
		ID: "not-multi-attach-mount", Title: "The mount fails on the node",
		Severity: "warning",
		Remedy:   "Repair what the error names on that node or at the driver's node pod; the kubelet tries again by itself."},
		says:   "The kubelet mounts only what is attached to its node; the error is of the mount itself.",
		kinds:  []model.Kind{model.MountFailed},
		worded: mountError, over: mountedSince},
	{Check: Check{
		ID: "not-multi-attach-attached-already", Title: "The attach is refused because the volume is attached, and no machine is named",
		See: AttachmentRows,
		Remedy: "Ask the storage which machine has the volume. The node of the pod: the driver has to answer with success there; restart its " +
			"controller pod, or update it. Another machine: end what uses the volume there, and have it detached. None: its record is stale; correct it there."},
		says:  "To attach it again to its own node has to succeed: either the driver does not do that, or another machine has the volume.",
		kinds: attachKinds, worded: attachedAlready, keeps: true, unplaced: true},
	{Check: Check{
		ID: "not-multi-attach-rejected", Title: "The driver or the cloud refuses the attach",
		Remedy: "Repair what the error names; the attach is tried again by itself."},
		says:  "The attach was tried, which the controller does not do while it counts the volume as attached elsewhere.",
		kinds: attachKinds, keeps: true},
}
