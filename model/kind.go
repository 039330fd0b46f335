package model

import (
	"slices"
	"strings"
)

// Kind is what an Observation states. The list is closed: a reader makes each of them, and the analysis reads it.
type Kind string

// Statements about nodes.
const (
	NodeHeartbeat       Kind = "node-heartbeat"         // the kubelet was alive: Lease renewTime, or a controller line with the last renewal
	NodeHeartbeatMissed Kind = "node-heartbeat-missed"  // the controller found the node not updated; Detail is the duration
	NodeNotReady        Kind = "node-not-ready"         // Ready became False or Unknown; Detail is Unknown, False or empty
	NodeReady           Kind = "node-ready"             // Ready became True
	NodeSampledReady    Kind = "node-sampled-ready"     // metrics: Ready at every scrape from At to Last
	NodeSampledNotReady Kind = "node-sampled-not-ready" // metrics: not Ready at the scrapes, as PodSampled; Detail is the condition's status
	NodeSampledTaints   Kind = "node-sampled-taints"    // metrics: tainted at every scrape from At to Last; Detail are the keys of all taints
	NodeTainted         Kind = "node-tainted"           // Detail is key=value:effect
	NodeUntainted       Kind = "node-untainted"         // Detail is the key=value:effect that was taken away
	NodeCordoned        Kind = "node-cordoned"          // the node was marked unschedulable
	NodeUncordoned      Kind = "node-uncordoned"        // the mark was taken away
	NodeDeleted         Kind = "node-deleted"           // the Node object went away
	NodeRegistered      Kind = "node-registered"        // the controller registered the node: at its start, or when the node joined
	NodeRemovalRefused  Kind = "node-removal-refused"   // the desired state still lists volumes of a deleted node
	NodeHealthUnknown   Kind = "node-health-unknown"    // the controller could not read the node, or the attacher its CSINode; Detail: error
	NodeOutOfService    Kind = "node-out-of-service"    // the attach/detach controller sees the out-of-service taint
	ZoneState           Kind = "zone-state"             // Detail is the new state; also master disruption mode
	NodeVolumesInUse    Kind = "node-volumes-in-use"    // state at collection: status.volumesInUse lists the volume
	KubeletUnwell       Kind = "kubelet-unwell"         // the kubelet lives and does nothing for its pods; Detail is its reason
	KubeletStarted      Kind = "kubelet-started"        // the kubelet has started anew, and knows again which volumes are mounted
	KubeletPaused       Kind = "kubelet-paused"         // the kubelet, the same process, saw nothing of its containers from At to Last
	KubeletCutOff       Kind = "kubelet-cut-off"        // the kubelet lived and could not reach the API server; Detail is its error
	NodeVolumesAttached Kind = "node-volumes-attached"  // state at collection: status.volumesAttached lists the volume
)

// About pods and their owners.
const (
	PodCreated           Kind = "pod-created"
	PodScheduled         Kind = "pod-scheduled" // Node is where
	PodSchedulingFailed  Kind = "pod-scheduling-failed"
	PodUses              Kind = "pod-uses"               // state at collection: Claim is a volume of Pod; without Claim, the pod names none
	PodWaiting           Kind = "pod-waiting"            // no container from At to Last; Detail is ContainerCreating or PodInitializing
	PodDeletionRequested Kind = "pod-deletion-requested" // Detail is the grace period, when known
	PodEvictionDecided   Kind = "pod-eviction-decided"   // taint eviction deletes the pod now
	PodEvictionCancelled Kind = "pod-eviction-cancelled"
	EvictionRefused      Kind = "eviction-refused"       // a PodDisruptionBudget forbade it; whoever asked goes on asking
	PodForceDeleting     Kind = "pod-force-deleting"     // pod GC starts to delete with grace 0
	PodForceDeleted      Kind = "pod-force-deleted"      // pod GC's deletion succeeded
	PodOrphaned          Kind = "pod-orphaned"           // pod GC found the pod's node gone
	PodFinished          Kind = "pod-finished"           // phase Failed or Succeeded; Detail is the phase, or reason
	PodContainersStopped Kind = "pod-containers-stopped" // every container status terminated or waiting
	PodGone              Kind = "pod-gone"               // a controller saw the object deleted
	PodRemoved           Kind = "pod-removed"            // the kubelet of Node saw the object gone; what still runs it stops now
	PodReady             Kind = "pod-ready"
	PodSampled           Kind = "pod-sampled"       // metrics: on Node at every scrape from At to Last, and before At for a time not shown
	PodSampledReady      Kind = "pod-sampled-ready" // metrics: Ready, and not asked to go, at every scrape from At to Last
	PodNotReady          Kind = "pod-not-ready"
	PodKilling           Kind = "pod-killing"     // the kubelet stops a container
	PodKillFailed        Kind = "pod-kill-failed" // the kubelet cannot stop Pod; Detail is the runtime's error
	MountFailed          Kind = "mount-failed"    // the kubelet waited in vain, or a mount call failed
	ContainerDied        Kind = "container-died"  // the kubelet found a container, or the sandbox, of Pod ended
	AttachSeen           Kind = "attach-seen"     // the kubelet of Node found the volume attached there, for Pod
	MountSucceeded       Kind = "mount-succeeded"
	PodRunning           Kind = "pod-running"       // the kubelet had first reported every container of Pod running
	UnmountSucceeded     Kind = "unmount-succeeded" // Detail is OfDevice, else it was a pod's mount; Pod is known by its UID
	UnmountFailed        Kind = "unmount-failed"    // the kubelet did not unmount, or has volumes of a terminated pod; Detail is the error
	WorkloadScaled       Kind = "workload-scaled"
	StrategyChanged      Kind = "workload-strategy-changed" // how a rollout replaces pods; Detail is how
	WorkloadChanged      Kind = "workload-changed"          // the pod template was changed, which begins a rollout; Detail is how
	ReplicaCreated       Kind = "replica-created"           // Pod is the pod that a workload controller created
	ReplicaDeleted       Kind = "replica-deleted"
)

// About volumes, by the attach/detach controller.
const (
	MultiAttach          Kind = "multi-attach" // Node wants the volume; Holders and Pods hold it; Variant is the text
	AttachStarted        Kind = "attach-started"
	AttachSucceeded      Kind = "attach-succeeded"
	AttachFailed         Kind = "attach-failed" // Detail is the error
	DetachStarted        Kind = "detach-started"
	DetachForcedTimeout  Kind = "detach-forced-timeout" // Detail is the duration that expired
	DetachForcedTaint    Kind = "detach-forced-taint"   // out-of-service
	DetachVerifiedSafe   Kind = "detach-verified-safe"
	DetachSafetySkipped  Kind = "detach-safety-skipped" // Node object not found: the check is left out
	DetachSucceeded      Kind = "detach-succeeded"
	DetachFailed         Kind = "detach-failed"         // Detail is the error
	DetachRefusedInUse   Kind = "detach-refused-in-use" // volumesInUse still lists it
	DetachTimerStarted   Kind = "detach-timer-started"
	DetachStillMounted   Kind = "detach-still-mounted"
	ForceDetachDisabled  Kind = "force-detach-disabled"
	OperationTimeout     Kind = "operation-timeout"      // attach or detach wait of two minutes; Detail is attach or detach
	VolumeMarkedDetached Kind = "volume-marked-detached" // the sync found the attachment gone or not attached
	VolumeBound          Kind = "volume-bound"           // state at collection: Claim is bound to the volume; Pods use it; Detail is the phase
	VolumeUncertain      Kind = "volume-uncertain"       // an attachment that node.status does not list, at controller start
	VolumeMounted        Kind = "volume-mounted"         // in a mount table of an unnamed node: Pod by UID, or Attacher and the handle's hash
)

// About claims and volumes, by provisioners, resizers and the kubelet.
const (
	ProvisionFailed Kind = "provision-failed"     // Claim got no volume; Detail is the error
	ProvisionWaits  Kind = "provision-waits"      // Claim waits for a provisioner outside of Kubernetes; Detail is the message
	ResizeFailed    Kind = "resize-failed"        // Claim, or the volume of Pod, was not expanded; Detail is the error
	ResizePending   Kind = "resize-pending"       // the back end enlarged the volume of Claim, or the PersistentVolume; Detail is the message
	ReclaimFailed   Kind = "volume-delete-failed" // the volume could not be deleted in the back end; Detail is the error
)

// Known by metrics only. A counter, which names neither volume nor pod, rose Count times from At to Last.
const (
	ForcedDetachesCounted    Kind = "forced-detaches-counted"    // Detail is timeout or out-of-service; empty before Kubernetes 1.28
	StorageOperationsCounted Kind = "storage-operations-counted" // of the driver Attacher; Detail is operation, status and how long one took
	OperationsSampled        Kind = "operations-sampled"         // counters of Attacher from At to Last: what they do not count did not end
	WaitsSampled             Kind = "waits-sampled"              // a wait of a scrape's length from At to Last shows, but in the pause Detail
	WaitsHidden              Kind = "waits-hidden"               // the metrics lack what would show a wait: Detail names them
	VolumeUsage              Kind = "volume-usage"               // how full the volume of Claim was on Node, such as "93% of its bytes"
)

// About VolumeAttachments, by the objects themselves, the controller or the external-attacher.
const (
	AttachmentCreated           Kind = "attachment-created"
	AttachmentDeletionRequested Kind = "attachment-deletion-requested"
	AttachmentGone              Kind = "attachment-gone"
	AttachmentAttached          Kind = "attachment-attached"     // status.attached is true, since At when the source says so
	AttachmentPending           Kind = "attachment-pending"      // status.attached is false, or was not there
	AttachmentSampled           Kind = "attachment-sampled"      // metrics: attached at the scrapes, as PodSampled
	AttachmentAttachError       Kind = "attachment-attach-error" // Detail is the message
	AttachmentDetachError       Kind = "attachment-detach-error"
	AttachmentEdited            Kind = "attachment-edited"       // by somebody else than the controllers of Kubernetes; Detail is one of those below
	AttachmentDrift             Kind = "attachment-drift"        // attached status and back end disagree
	AttachmentStuckDeleting     Kind = "attachment-deleting"     // attaching found the deletionTimestamp set
	AttachmentCheckFailed       Kind = "attachment-check-failed" // the controller's sync could not look at it; Detail is the error
	AttacherAttaching           Kind = "attacher-attaching"
	AttacherAttached            Kind = "attacher-attached"
	AttacherDetaching           Kind = "attacher-detaching"
	AttacherDetached            Kind = "attacher-detached"
	AttacherFailed              Kind = "attacher-failed"           // Detail is the error
	AttacherLookedAtVolume      Kind = "attacher-looked-at-volume" // the volume changed, or an attachment of it was deleted
	AttacherStarted             Kind = "attacher-started"
)

// About the controllers themselves.
const (
	LeaderWaiting     Kind = "leader-waiting"
	LeaderAcquired    Kind = "leader-acquired"
	LeaderLost        Kind = "leader-lost"
	ControllerStarted Kind = "controller-started" // the attach/detach controller began to work
	ControllerStopped Kind = "controller-stopped"
	ProcessVersion    Kind = "process-version" // Detail is the version, such as v1.34.3
	ProcessFlag       Kind = "process-flag"    // Detail is --name=value, or field=value of a configuration for which there is no flag
	ProcessStarted    Kind = "process-started" // metrics: the process began; Detail is its instance. Whether it leads is not known
	NodeDenied        Kind = "node-denied"     // the API server's node authorizer refused a kubelet; Detail is the reason
)

// AuthorSaid is what the author of a pasted text tells in a sentence: Detail is one of the words below, a colon and the sentence; Node is
// the node that the sentence names. It is a witness, not a record.
const AuthorSaid Kind = "author-said"

// Deed reports that a statement is what an author tells that somebody did by hand, to a pod, its volume or its attachment.
func (o *Observation) Deed() bool {
	what, _, _ := strings.Cut(o.Detail, ": ")
	return o.Kind == AuthorSaid && slices.Contains([]string{SaidForced, SaidUnheld, SaidDetached, SaidUnattached}, what)
}

// CommandTyped is a command of a shell's history, or behind its prompt: Detail is it in short, Object what it is to change. What it answered is
// not shown: it may have failed. CommandWritten is one that a person only wrote to others, who may have advised it.
const (
	CommandTyped   Kind = "command-typed"
	CommandWritten Kind = "command-written"
)

// What was edited of a VolumeAttachment: the driver learns of neither, and detaches nothing for it.
const (
	EditedAttached   = "status.attached was set to false"
	EditedFinalizers = "its finalizers were removed"
)

// What an author says. The list is closed.
const (
	SaidNodeOff        = "node-off"        // a node was switched off, went down or crashed
	SaidNodeRemoved    = "node-removed"    // a node was deleted or replaced
	SaidNodeReclaimed  = "node-reclaimed"  // the provider took a spot machine back
	SaidNodeDrained    = "node-drained"    // a node was drained
	SaidKubeletStopped = "kubelet-stopped" // the kubelet was stopped, its machine not
	SaidMachineRuns    = "machine-runs"    // the machine of a lost node answers, or is only cut off from the cluster
	SaidOver           = "over"            // the pod that waited runs again
	SaidFiring         = "firing"          // an alert's message: it fires
	SaidResolved       = "resolved"        // likewise: it fires no more; or it was so from one time of day to another
	SaidShared         = "shared"          // several workloads use one claim
	SaidRollout        = "rolling-update"  // the pods of a workload were being replaced
	SaidStorageDiffers = "storage-differs" // the storage's own tools say otherwise than Kubernetes
	SaidMultiAttach    = "multi-attach"    // a pod, or its volume, met the Multi-Attach error
	SaidForced         = "forced"          // somebody deleted a pod by force
	SaidUnheld         = "unheld"          // somebody took the finalizers of an object away
	SaidDetached       = "detached"        // somebody detached the volume at its storage
	SaidUnattached     = "unattached"      // somebody deleted the VolumeAttachment
	SaidReverted       = "reverted"        // a controller of a Git repository put a change by hand back
	SaidAttachmentLeft = "attachment-left" // a VolumeAttachment stayed behind
	SaidSuspected      = "suspected"       // the author only suspects what the sentence says
)

// About machines and disks, by the cloud that has them. Object is the Machine or the Disk by the cloud's ID, Owner the Machine that has the
// disk, Node the cloud's own name of the machine, which need not be a Node's. A state without a time is that of when it was printed.
const (
	MachineRunning        Kind = "machine-running"         // since At, when the source says so; Detail is the cloud's word
	MachineOff            Kind = "machine-off"             // likewise: stopped, deallocated, terminated
	MachineStopRequested  Kind = "machine-stop-requested"  // Actor asked for its end; Detail is the name of the call
	MachineStartRequested Kind = "machine-start-requested" // Detail is the name of the call
	DiskAttached          Kind = "disk-attached"           // the cloud has the disk on Owner; Detail is its word, such as detaching
	DiskFree              Kind = "disk-free"               // the cloud has the disk on no machine; Detail is its word
	DiskAttachRequested   Kind = "disk-attach-requested"   // Actor asked the cloud itself; Detail is the name of the call
	DiskDetachRequested   Kind = "disk-detach-requested"   // likewise
)

// OfDevice is the Detail of a mount or unmount of the node's own, which the mounts of its pods stand on.
const OfDevice = "device"

// The things of a storage that its own tables show, as the kinds of an ObjectShown's Object.
const (
	LonghornVolume  = "Longhorn volume"
	LinstorNode     = "LINSTOR node"
	LinstorResource = "LINSTOR resource" // on Node
)

// Listing is the Detail of an ObjectShown without a name: all objects of the kind stand below it, of the namespace or AllNamespaces.
const Listing = "listed"

// StorageFaulted is the state in which a storage shows a volume that nothing of it can serve.
const StorageFaulted = "Faulted"

// ObjectShown is a thing in a state that no other kind tells, as a row, an answer or the output of a command shows it. Object is the thing;
// Detail is its state in one word, such as Pending or deleted, or fields as name=value; empty where the thing is only named.
const ObjectShown Kind = "object-shown"

// ShownReady stands in the Detail before how many of the pods that a workload wants are Ready, such as 0/2.
const ShownReady = "ready="

// NotFound is the Detail of an object that the API server did not find by its name.
const NotFound = "not found"

// Unheld is the Detail of an ObjectShown whose finalizers somebody took away, so that nothing waits for what they stood for.
const Unheld = "stripped of its finalizers"

// KubernetesEvent is an Event object whose reason has no kind of its own; Detail is the reason.
const KubernetesEvent Kind = "kubernetes-event"
