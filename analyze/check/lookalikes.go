package check

import (
	"regexp"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// lookalikes are the errors that are named as what they are, in the order in which a text is compared with them.
var lookalikes = []lookalike{
	{Check: Check{
		ID: "not-multi-attach-one-pod", Title: "The claim admits one pod, and another one uses it",
		Remedy: "Wait for the end of the pod that uses the claim, or end it; give the pods claims of their own when both are to run.",
		Means: `ReadWriteOncePod admits one pod in the whole cluster. The scheduler refuses the second one, which stays Pending without a
node; a pod with a volume of ReadWriteOnce would be placed, and wait with Multi-Attach.`,
		DecidedBy:  "The scheduler's reason, in an Event or in the condition PodScheduled of the pod.",
		LeftAlone:  "Pods that were scheduled since, as far as the bundle tells; pods that are not scheduled for other reasons.",
		References: []string{"pkg/scheduler volumerestrictions ErrReasonReadWriteOncePodConflict: alpha 1.22, on by default from 1.27, 1.36"}},
		says:      "The claim is ReadWriteOncePod: while a pod uses it the scheduler places no other on any node, so nothing is attached yet.",
		kinds:     []model.Kind{model.PodSchedulingFailed},
		texts:     []string{"readwriteoncepod access mode"},
		manifests: true, perPod: true, keeps: true, over: placedSince},
	{Check: Check{
		ID: "not-multi-attach-limit", Title: "The node takes no more volumes",
		Remedy: "Let the driver report the right limit in CSINode, detach volumes that nothing uses, or run the pod on another node.",
		Means: `A node has a limit of attached volumes. Beyond it the scheduler passes it over, or the driver refuses. No node holds the
volume.`,
		DecidedBy: "The text of a failed attach, gRPC ResourceExhausted among them, or of the scheduler.",
		LeftAlone: "Errors that name a holder of the volume.",
		References: []string{"CSI specification, ControllerPublishVolume: RESOURCE_EXHAUSTED",
			"pkg/scheduler nodevolumelimits ErrReasonMaxVolumeCountExceeded, 1.13–1.36",
			"linode/linode-blockstorage-csi-driver#182", "kubernetes-sigs/azuredisk-csi-driver#436"}},
		says:   "The node has as many volumes attached as its machine allows.",
		kinds:  append(attachKinds[:len(attachKinds):len(attachKinds)], model.PodSchedulingFailed),
		worded: upstream.AttachLimit, keeps: true},
	{Check: Check{
		ID: "not-multi-attach-not-yet-authorized", Title: "The kubelet may not read the VolumeAttachment yet",
		Remedy:     "Wait; if it lasts for minutes, look at the API server.",
		Means:      "The node authorizer lets a kubelet read the VolumeAttachments of its pods only, and may not know a pod just bound.",
		DecidedBy:  "The kubelet's error that no relationship was found between its node and the object.",
		LeftAlone:  "Other refusals, such as those of an administrator's policy.",
		References: []string{"plugin/pkg/auth/authorizer/node, 1.13–1.36", "kubernetes-sigs/gcp-compute-persistent-disk-csi-driver#574"}},
		says:  "The API server's node authorizer learns of the pod and its volume a moment later, and the kubelet tries again.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{"no relationship found between node"}},
	{Check: Check{
		ID: "not-multi-attach-driver-not-registered", Title: "The CSI driver is not registered on the node",
		Remedy:    "Look at the driver's node pod on this node and at its registrar container.",
		Means:     "A volume is attached and mounted only where the driver's node plugin has registered, seconds after a node start.",
		DecidedBy: "The kubelet's, the controller's or the external-attacher's text that the driver is not known for the node.",
		LeftAlone: "A CSINode that cannot be read because its node is gone, which belongs to the detach.",
		References: []string{"pkg/volume/csi csi_plugin.go, 1.13–1.36",
			"external-attacher pkg/controller/csi_handler.go getNodeID, 2.2.1–4.13.0"}},
		says:  "The driver's node plugin does not run there, or has not registered yet.",
		kinds: []model.Kind{model.MountFailed, model.AttachFailed, model.AttacherFailed},
		texts: []string{"not found in the list of registered csi drivers", "does not contain driver", "has no nodeid annotation", "no csinode"},
		keeps: true},
	{Check: Check{
		ID: "not-multi-attach-timeout", Title: "The driver does not finish the attach in time",
		Remedy:    "Look at the driver's controller pod and at the storage system behind it.",
		Means:     "The controller waits 2 min for a CSI attach, the external-attacher 15 s for a call of the driver. Neither waits for a node.",
		DecidedBy: "The text of a failed attach.",
		LeftAlone: "Attaches that an incident waits for; the time-out of a detach.",
		References: []string{"pkg/volume/csi csi_attacher.go, 1.13–1.36",
			"external-attacher cmd/csi-attacher/main.go --timeout, 2.2.1–4.13.0", "NetApp/trident#607"}},
		says:  "The attach was begun, so that no other node was in its way; the driver or the external-attacher did not answer in time.",
		kinds: attachKinds,
		texts: []string{"deadlineexceeded", "deadline exceeded", "timed out waiting for", "i/o timeout", "timeout waiting",
			"attachment timeout for volume", "attach timeout for volume", "etachment timeout for volume"},
		keeps: true},
	{Check: Check{
		ID: "not-multi-attach-node-affinity", Title: "No node that the pod may run on reaches its volume",
		Remedy:     "Bring a node back, or add one, where the volume can be reached.",
		Means:      "Zonal and local volumes are reached from some nodes only. The pod is not even scheduled, so nothing is attached.",
		DecidedBy:  "The scheduler's text.",
		LeftAlone:  "Pods that are not scheduled for other reasons.",
		References: []string{"pkg/scheduler volumebinding ErrReasonNodeConflict: 1.13–1.36, reworded since 1.34"}},
		says:  "The PersistentVolume's nodeAffinity, such as its zone, allows none of these nodes; nothing was attached yet.",
		kinds: []model.Kind{model.PodSchedulingFailed},
		texts: []string{"volume node affinity conflict", "didn't match persistentvolume's node affinity"},
		keeps: true, over: placedSince},
	{Check: Check{
		ID: "not-multi-attach-resize", Title: "The file system of a grown volume is not grown yet",
		Remedy:    "Let a pod that uses the claim start, or start again.",
		Means:     "An expansion has two halves: the volume, then its file system, which only the node that has it mounted enlarges.",
		DecidedBy: "A claim's event FileSystemResizeRequired, the condition FileSystemResizePending, or the external-resizer's line.",
		LeftAlone: "Expansions that fail; claims in the bundle that do not wait any more.",
		References: []string{"external-resizer FileSystemResizeRequired; pkg/controller/volume/expand, 1.13–1.36",
			"democratic-csi/democratic-csi#61"}},
		says:  "This is the ordinary state between the two halves of an expansion: the kubelet grows the file system at the next mount.",
		kinds: []model.Kind{model.KubernetesEvent, model.ResizePending},
		texts: []string{"require file system resize of volume on node", "finish file system resize of volume", "as file system resize required", ", its file system has ",
			"filesystemresizepending"},
		over: resized},
	{Check: Check{
		ID: "not-multi-attach-secret-or-configmap", Title: "A Secret or ConfigMap of a pod is missing",
		Remedy:    "Create what the message names, or correct the name in the pod.",
		Means:     "A pod with a missing Secret or ConfigMap stays in ContainerCreating like one whose volume is attached elsewhere.",
		DecidedBy: "The text of the kubelet's event FailedMount.",
		LeftAlone: "Events that only say which volumes were waited for; pods that are Ready by now, or gone; what a kubelet that has just " +
			"started says of objects that it does not know yet.",
		References: []string{"pkg/volume/secret, pkg/volume/configmap, 1.13–1.36"}},
		says:  "The kubelet mounts no volume of the pod before it has all of them.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{`secret "`, `secrets "`, `configmap "`, `configmaps "`, `references non-existent secret key`,
			`references non-existent config key`, `" not registered`},
		keeps: true, over: foundSince},
	{Check: Check{
		ID: "not-multi-attach-image", Title: "An image cannot be pulled",
		Remedy:     "Correct the name of the image, the rights to pull it, or the way to the registry.",
		Means:      "A pod whose image cannot be pulled stays waiting with its volumes attached and mounted.",
		DecidedBy:  "The text of the kubelet's events Failed and BackOff.",
		LeftAlone:  "Containers that start and fail.",
		References: []string{"pkg/kubelet/images, 1.13–1.36"}},
		says:   "The kubelet pulls images after the volumes are mounted.",
		kinds:  []model.Kind{model.KubernetesEvent},
		texts:  []string{"failed to pull image", "back-off pulling image"},
		perPod: true},
	{Check: Check{
		ID: "not-multi-attach-detaching", Title: "The storage is still detaching the volume",
		Remedy: "Wait for the end of the detach in the storage; if it does not end, have it detached there from the machine that it names.",
		Means: `A cloud takes its time to detach a disk, and refuses an attach meanwhile. When the detach failed on its side, it stays in
that state until somebody detaches the disk there; Azure says so of the machine that is wanted, too.`,
		DecidedBy: "The text of a failed attach that says that the volume is being detached.",
		LeftAlone: "Errors that name another machine as the holder; errors of the detach itself.",
		References: []string{"Azure: AttachDiskWhileBeingDetached; kubernetes/kubernetes#90749",
			"Cinder: status must be available, but the current status is detaching"}},
		says:  "Kubernetes asks for the attach, and the storage has not ended a detach.",
		kinds: attachKinds,
		texts: []string{"beingdetached", "being detached", "status is detaching", "'detaching'", "in detaching state", "last detach operation failed"}},
	{Check: Check{
		ID: "not-multi-attach-mount-busy", Title: "The device or the mount point is busy on the node itself",
		Severity: "warning",
		Remedy:   "On that node, find what holds the device (findmnt, lsblk, multipath -ll, lsof) and let it go; the kubelet tries again by itself.",
		Means: `The volume is attached to the node. A mount or a mapping left behind by an earlier pod, by multipathd or by a process of the
node holds the device, so that the kubelet cannot mount it again.`,
		DecidedBy: "The kubelet's error of a mount or mapping, with the kernel's or mount's words for busy.",
		LeftAlone: "Errors that say that another machine has the volume; failed unmounts.",
		References: []string{"util-linux mount: already mounted or mount point busy", "longhorn/longhorn#3994, #12686",
			"piraeusdatastore/linstor-csi#50"}},
		says:  "The volume is attached there, and something on that node holds its device.",
		kinds: []model.Kind{model.MountFailed},
		texts: []string{"mount point busy", "device is busy", "target is busy", "resource busy", "exclusive open on", "already mounted at",
			"already mounted on /", "ebusy"}},
	{Check: Check{
		ID: "not-multi-attach-attachment-missing", Title: "The kubelet waits for a VolumeAttachment that does not exist",
		Severity: "warning",
		Remedy: "See whether the VolumeAttachment is there. If it is not, scale the workload to zero until the controller has let go of " +
			"the volume, and up again; a new leader of the kube-controller-manager creates it again, too.",
		Means: `The controller counts the volume as attached to the node, so that it makes no VolumeAttachment; the object is gone all the
same, often because somebody deleted it. The kubelet looks for it before it mounts.`,
		DecidedBy:  "The kubelet's error that it cannot get the VolumeAttachment, because it is not found.",
		LeftAlone:  "A VolumeAttachment that the kubelet may not read yet; waits for the attach.",
		References: []string{"pkg/volume/csi csi_attacher.go waitForVolumeAttachment, 1.13–1.36", "longhorn/longhorn#4188"}},
		says:   "The VolumeAttachment of that node is gone, and the mount waits for it.",
		kinds:  []model.Kind{model.MountFailed},
		worded: regexp.MustCompile(`volumeattachments\.storage\.k8s\.io "[^"]*" not found`).MatchString},
	{Check: Check{
		ID: "not-multi-attach-mount", Title: "The mount fails on the node",
		Severity: "warning",
		Remedy:   "Repair what the error names on that node or at the driver's node pod; the kubelet tries again by itself.",
		Means: `The volume is attached, and its driver or the kernel fails to stage, map or mount it: a damaged file system, a missing tool, a
login to the storage that fails, locks. The text tells.`,
		DecidedBy: "The kubelet's error of a mount or mapping whose text is none of the others.",
		LeftAlone: `Errors that say that another machine has the volume; waits that only ran out of time; mounts of an incident; pods whose
containers have started since.`,
		References: []string{"pkg/volume/util/operationexecutor GenerateMountVolumeFunc, GenerateMapVolumeFunc, 1.13–1.36"}},
		says:   "The kubelet mounts only what is attached to its node; the error is of the mount itself.",
		kinds:  []model.Kind{model.MountFailed},
		worded: mountError, over: mountedSince},
	{Check: Check{
		ID: "not-multi-attach-rejected", Title: "The driver or the cloud refuses the attach",
		Remedy: "Repair what the error names; the attach is tried again by itself.",
		Means: `FailedAttachVolume has many causes: wrong zone, missing instance or disk, rights, quotas, faults of the cloud. The text
tells.`,
		DecidedBy: "A failed attach whose text is none of the others and names no holder of the volume.",
		LeftAlone: "Errors that name a holder of the volume; attaches that an incident waits for; the VolumeAttachment's own: see attach-error.",
		References: []string{"pkg/volume/util/operationexecutor GenerateAttachVolumeFunc, 1.13–1.36",
			"kubernetes/kubernetes#66957", "hetznercloud/csi-driver#281"}},
		says:  "The attach was tried, which the controller does not do while it takes the volume for attached elsewhere.",
		kinds: attachKinds, keeps: true},
}
