package check

import "github.com/volpost/volpost/model"

// lookalikes are the errors that are named as what they are, in the order in which a text is compared with them.
var lookalikes = []lookalike{onePodOnly, limitReached, notAuthorized, notRegistered, attachTimeout, affinityConflict, resizePending, mountSource, imagePull, attachRejected}

// lookalikeChecks are the same as checks.
var lookalikeChecks = func() []Check {
	var out []Check
	for _, k := range lookalikes {
		out = append(out, k.check())
	}
	return out
}()

var onePodOnly = lookalike{
	id: "not-multi-attach-one-pod", title: "The claim admits one pod, and another one uses it",
	says:      "The claim's access mode is ReadWriteOncePod: while a pod uses it the scheduler places no other, on whatever node, so that nothing is attached yet.",
	remedy:    "Wait for the end of the pod that uses the claim, or end it; give the pods claims of their own when both are to run.",
	kinds:     []model.Kind{model.PodSchedulingFailed},
	texts:     []string{"readwriteoncepod access mode"},
	manifests: true,
	over:      placedSince,
	perPod:    true,
	doc: Doc{
		Means:      "ReadWriteOncePod admits one pod in the whole cluster. The scheduler refuses the second one, which stays Pending without a node; a pod with a volume of ReadWriteOnce would be placed, and wait with Multi-Attach.",
		DecidedBy:  "The scheduler's reason, in an Event or in the condition PodScheduled of the pod.",
		LeftAlone:  "Pods that were placed since, as far as the bundle tells; pods that are not placed for other reasons.",
		References: []string{"pkg/scheduler volumerestrictions ErrReasonReadWriteOncePodConflict: alpha 1.22, on by default from 1.27, 1.36"},
	},
}

var limitReached = lookalike{
	id: "not-multi-attach-limit", title: "The node takes no more volumes",
	says:   "The node has as many volumes attached as its machine allows.",
	remedy: "Let the driver report the right limit in CSINode, detach volumes that nothing uses, or run the pod on another node.",
	kinds:  append(attachKinds[:len(attachKinds):len(attachKinds)], model.PodSchedulingFailed),
	texts: []string{"resourceexhausted", "maximum number of data disks", "max number of volumes", "maximum number of volumes", "attachmentlimitexceeded",
		"too many volumes", "attachment limit", "limit of attached volumes", "exceed max volume count"},
	doc: Doc{
		Means:     "A node has a limit of attached volumes. Beyond it the scheduler passes the node over, or the driver refuses the attach. No other node holds the volume.",
		DecidedBy: "The text of a failed attach, gRPC ResourceExhausted among them, or of the scheduler.",
		LeftAlone: "Errors that name a holder of the volume.",
		References: []string{"CSI specification, ControllerPublishVolume: RESOURCE_EXHAUSTED", "pkg/scheduler nodevolumelimits ErrReasonMaxVolumeCountExceeded, 1.13–1.36",
			"linode/linode-blockstorage-csi-driver#182", "kubernetes-sigs/azuredisk-csi-driver#436"},
	},
}

var notAuthorized = lookalike{
	id: "not-multi-attach-not-yet-authorized", title: "The kubelet may not read the VolumeAttachment yet",
	says:   "The API server's node authorizer learns of the pod and its volume a moment later, and the kubelet tries again.",
	remedy: "Wait; if it lasts for minutes, look at the API server.",
	kinds:  []model.Kind{model.MountFailed},
	texts:  []string{"no relationship found between node"},
	doc: Doc{
		Means:      "The node authorizer lets a kubelet read the VolumeAttachments of its pods only. Right after the pod was bound the relation may not be known yet.",
		DecidedBy:  "The kubelet's error that no relationship was found between its node and the object.",
		LeftAlone:  "Other refusals, such as those of an administrator's policy.",
		References: []string{"plugin/pkg/auth/authorizer/node, 1.13–1.36", "kubernetes-sigs/gcp-compute-persistent-disk-csi-driver#574"},
	},
}

var notRegistered = lookalike{
	id: "not-multi-attach-driver-not-registered", title: "The CSI driver is not registered on the node",
	says:   "The driver's node plugin does not run there, or has not registered yet.",
	remedy: "Look at the driver's node pod on this node and at its registrar container.",
	kinds:  []model.Kind{model.MountFailed, model.AttachFailed, model.AttacherFailed},
	texts:  []string{"not found in the list of registered csi drivers", "does not contain driver", "has no nodeid annotation", "no csinode"},
	doc: Doc{
		Means:      "A volume can be attached and mounted only where the driver's node plugin has registered. After a node start that takes some seconds.",
		DecidedBy:  "The kubelet's, the controller's or the external-attacher's text that the driver is not known for the node.",
		LeftAlone:  "A CSINode that cannot be read because its node is gone, which belongs to the detach.",
		References: []string{"pkg/volume/csi csi_plugin.go, 1.13–1.36", "external-attacher pkg/controller/csi_handler.go getNodeID, 2.2.1–4.13.0"},
	},
}

var attachTimeout = lookalike{
	id: "not-multi-attach-timeout", title: "The driver does not finish the attach in time",
	says:   "The attach was begun, so that no other node was in its way; the driver or the external-attacher did not answer in time.",
	remedy: "Look at the driver's controller pod and at the storage system behind it.",
	kinds:  attachKinds,
	texts:  []string{"deadlineexceeded", "deadline exceeded", "timed out waiting for", "i/o timeout", "timeout waiting"},
	doc: Doc{
		Means:      "The controller waits two minutes for a CSI attach, the external-attacher 15 s for one call of the driver. Neither waits for another node.",
		DecidedBy:  "The text of a failed attach.",
		LeftAlone:  "Attaches that an incident waits for; the time-out of a detach.",
		References: []string{"pkg/volume/csi csi_attacher.go, 1.13–1.36", "external-attacher cmd/csi-attacher/main.go --timeout, 2.2.1–4.13.0", "NetApp/trident#607"},
	},
}

var affinityConflict = lookalike{
	id: "not-multi-attach-node-affinity", title: "No node that the pod may run on reaches its volume",
	says:   "The PersistentVolume's nodeAffinity, such as its zone, allows none of these nodes; nothing was attached yet.",
	remedy: "Bring a node back, or add one, where the volume can be reached.",
	kinds:  []model.Kind{model.PodSchedulingFailed},
	texts:  []string{"volume node affinity conflict", "didn't match persistentvolume's node affinity"},
	doc: Doc{
		Means:      "Zonal and local volumes can be reached from some nodes only. The pod is not even scheduled, so that the attach/detach controller has nothing to do.",
		DecidedBy:  "The scheduler's text.",
		LeftAlone:  "Pods that are not scheduled for other reasons.",
		References: []string{"pkg/scheduler volumebinding ErrReasonNodeConflict: 1.13–1.36, reworded since 1.34"},
	},
}

var resizePending = lookalike{
	id: "not-multi-attach-resize", title: "The file system of a grown volume is not grown yet",
	says:   "This is the ordinary state between the two halves of an expansion: the kubelet grows the file system at the next mount.",
	remedy: "Let a pod that uses the claim start, or start again.",
	kinds:  []model.Kind{model.KubernetesEvent, model.ResizePending},
	texts:  []string{"require file system resize of volume on node", "finish file system resize of volume", "as file system resize required"},
	over:   resized,
	doc: Doc{
		Means:      "An expansion has two halves, that of the volume and that of the file system on it. Only the node on which the volume is mounted does the second.",
		DecidedBy:  "The event FileSystemResizeRequired of a claim, the condition FileSystemResizePending of a described one, or the external-resizer's line.",
		LeftAlone:  "Expansions that fail; claims in the bundle that do not wait any more.",
		References: []string{"external-resizer FileSystemResizeRequired; pkg/controller/volume/expand, 1.13–1.36", "democratic-csi/democratic-csi#61"},
	},
}

var mountSource = lookalike{
	id: "not-multi-attach-secret-or-configmap", title: "A Secret or ConfigMap of a pod is missing",
	says:   "The kubelet mounts no volume of the pod before it has all of them.",
	remedy: "Create what the message names, or correct the name in the pod.",
	kinds:  []model.Kind{model.MountFailed},
	texts: []string{`secret "`, `secrets "`, `configmap "`, `configmaps "`, `references non-existent secret key`, `references non-existent config key`,
		`" not registered`},
	doc: Doc{
		Means:      "A pod with a missing Secret or ConfigMap stays in ContainerCreating like one whose volume is attached elsewhere.",
		DecidedBy:  "The text of the kubelet's event FailedMount.",
		LeftAlone:  "Events that only say which volumes were waited for.",
		References: []string{"pkg/volume/secret, pkg/volume/configmap, 1.13–1.36"},
	},
}

var imagePull = lookalike{
	id: "not-multi-attach-image", title: "An image cannot be pulled",
	says:   "The kubelet pulls images after the volumes are mounted.",
	remedy: "Correct the name of the image, the rights to pull it, or the way to the registry.",
	kinds:  []model.Kind{model.KubernetesEvent},
	texts:  []string{"failed to pull image", "back-off pulling image"},
	perPod: true,
	doc: Doc{
		Means:      "A pod whose image cannot be pulled stays waiting with its volumes attached and mounted.",
		DecidedBy:  "The text of the kubelet's events Failed and BackOff.",
		LeftAlone:  "Containers that start and fail.",
		References: []string{"pkg/kubelet/images, 1.13–1.36"},
	},
}

var attachRejected = lookalike{
	id: "not-multi-attach-rejected", title: "The driver or the cloud refuses the attach",
	says:   "The attach was tried, which the controller does not do while it takes the volume for attached elsewhere.",
	remedy: "Repair what the error names; the attach is tried again by itself.",
	kinds:  attachKinds,
	doc: Doc{
		Means:      "The event reason FailedAttachVolume has many causes: a wrong zone, a missing instance or disk, rights, quotas, faults of the cloud. Only the text tells them apart.",
		DecidedBy:  "A failed attach whose text is none of the others and names no holder of the volume.",
		LeftAlone:  "Errors that say that the volume is in use or attached elsewhere; attaches that an incident waits for; the VolumeAttachment's own error, which attach-error tells.",
		References: []string{"pkg/volume/util/operationexecutor GenerateAttachVolumeFunc, 1.13–1.36", "kubernetes/kubernetes#66957", "hetznercloud/csi-driver#281"},
	},
}
