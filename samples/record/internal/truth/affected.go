package truth

// Affected is one volume that a pod had to wait for: what was reported, what blocked, and when each step of it was seen.
type Affected struct {
	Volume       string `json:"pv"`
	Handle       string `json:"volumeHandle"`
	Driver       string `json:"driver"`
	Namespace    string `json:"namespace"`
	Claim        string `json:"pvc"`
	WorkloadKind string `json:"workloadKind"`
	Workload     string `json:"workload"`
	OldPod       string `json:"oldPod"`
	OldPodUID    string `json:"oldPodUID"`
	NewPod       string `json:"newPod"`
	NewPodUID    string `json:"newPodUID"`
	OldNode      string `json:"oldNode"`
	NewNode      string `json:"newNode"`
	Blocking     string `json:"blockingVA"`
	New          string `json:"newVA"`
	Times        Times  `json:"times"`

	Message     string   `json:"multiAttachMessage"`
	Events      int      `json:"multiAttachEventObjects"`
	Count       int32    `json:"multiAttachCountSum"`
	DetachError string   `json:"oldVADetachError,omitempty"`
	Resolved    bool     `json:"resolvedAtSnapshot"`
	Waited      *float64 `json:"multiAttachToReadySeconds"`

	// Mirror: the report is about the pod of the old node, after the volume had moved.
	Mirror bool `json:"mirror"`
	// Recovered is the first pod that was Ready with the claim afterwards; it need not be the pod that waited.
	RecoveredPod    *string   `json:"recoveredPod"`
	RecoveredPodUID *string   `json:"recoveredPodUID"`
	RecoveredNode   *string   `json:"recoveredNode"`
	RecoveredVA     *string   `json:"recoveredVA"`
	Overlaps        []Overlap `json:"twoVAs"`
}

// Times are arrivals at the watch, except those whose name in JSON ends in Value: they are what a field said.
type Times struct {
	LastLease            Time `json:"kubeletLastLeaseRenew"`
	LastStatus           Time `json:"kubeletLastStatusPost"`
	LastHeartbeat        Time `json:"lastHeartbeatTimeBeforeNotReady"`
	NodeNotReady         Time `json:"nodeNotReady"`
	NodeUnreachable      Time `json:"nodeUnreachableNoExecuteTaint"`
	NodeReadyAgain       Time `json:"nodeReadyAgain"`
	NodeOutOfService     Time `json:"nodeOutOfServiceTaint"`
	NodeGone             Time `json:"nodeObjectGone"`
	OldPodDelete         Time `json:"oldPodDeleteRequested"`
	OldPodDeletionValue  Time `json:"oldPodDeletionTimestampValue"`
	OldPodTerminal       Time `json:"oldPodTerminalPhase"`
	OldPodGone           Time `json:"oldPodGone"`
	NewPodCreated        Time `json:"newPodCreated"`
	NewPodScheduled      Time `json:"newPodScheduled"`
	MultiAttach          Time `json:"multiAttachFirstEvent"`
	MultiAttachValue     Time `json:"multiAttachEventFirstTimestampValue"`
	MultiAttachLastValue Time `json:"multiAttachEventLastTimestampValue"`
	OldDeletion          Time `json:"oldVADeletionTimestamp"`
	OldDetachError       Time `json:"oldVAFirstDetachError"`
	OldGone              Time `json:"oldVAGone"`
	NewCreated           Time `json:"newVACreated"`
	NewAttached          Time `json:"newVAAttached"`
	NewPodReady          Time `json:"newPodReady"`
	Recovered            Time `json:"recovered"`
	RecoveredCreated     Time `json:"recoveredVACreated"`
	RecoveredAttached    Time `json:"recoveredVAAttached"`
}

// Overlap is a span in which one volume had two VolumeAttachments.
type Overlap struct {
	First      string `json:"first"`
	FirstNode  string `json:"firstNode"`
	Second     string `json:"second"`
	SecondNode string `json:"secondNode"`
	From       Time   `json:"from_"`
	To         Time   `json:"to"`
}
