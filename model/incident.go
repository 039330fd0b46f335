package model

import (
	"slices"
	"time"
)

// Incident is one volume that was wanted on one node while another node held it.
type Incident struct {
	ID                 string             `json:"id"`
	Cluster            string             `json:"cluster,omitempty" text:"name:cluster"` // when the bundle holds several clusters
	Kind               IncidentKind       `json:"kind,omitempty"`                        // added within version 1 of the schema; empty is KindMultiAttach
	Volume             IncidentVolume     `json:"volume"`
	Workload           *Ref               `json:"workload"`
	From               Place              `json:"from"`
	To                 Place              `json:"to"`
	MultiAttach        MultiAttachWait    `json:"multiAttach"`
	BlockingAttachment BlockingAttachment `json:"blockingAttachment"`
	Resolved           bool               `json:"resolved"`
	Span               Span               `json:"span"`
	Phases             []Phase            `json:"phases"`
	// Lanes is a field added within version 1 of the schema: each object of the incident over time.
	Lanes           []Lane           `json:"lanes,omitempty"`
	Causes          []Cause          `json:"causes"`
	WhyNotDetached  []Operand        `json:"whyNotDetached"`
	IntegrityWindow *IntegrityWindow `json:"integrityWindow"`
	Model           *ReplayModel     `json:"model,omitempty"`
	Remediations    []Remediation    `json:"remediations"`
	// Next is a field added within version 1 of the schema: the commands that decide what the evidence leaves open.
	Next []NextStep `json:"next,omitempty"`
	// Advice is a field added within version 1 of the schema; nil for a hand-over.
	Advice *Advice `json:"advice,omitempty"`
}

// Zero is the instant from which times are counted: the first report of the incident, or T where nothing is dated.
func (i *Incident) Zero() time.Time {
	if began := i.MultiAttach.Began; began.Missing() != NoDate {
		return began.At
	}
	return T
}

// NextStep is a command to run next: it decides between explanations, and reads only.
type NextStep struct {
	Command string       `json:"command"`
	Decides string       `json:"decides"`
	Answers []NextAnswer `json:"answers"`
}

// NextAnswer is one possible answer to a command and what it means.
type NextAnswer struct {
	If   string `json:"if"`
	Then string `json:"then"`
}

// IncidentKind says what makes a wait an incident.
type IncidentKind string

// KindMultiAttach: the controller does not attach, since it counts the volume as attached to another node. KindStorageRefuses: it
// attaches, and the back end refuses, since another machine has the volume. Of the others no pod is known to wait. KindForcedDetach:
// the controller took the volume from its node by force. KindFailingDetach: its detach fails. KindBeforeMultiAttach: nothing has
// requested an attach yet, since the pod that holds the volume is being deleted on a lost node, and none can take its place.
const (
	KindMultiAttach       IncidentKind = "multi-attach"
	KindStorageRefuses    IncidentKind = "storage-refuses"
	KindForcedDetach      IncidentKind = "forced-detach"
	KindFailingDetach     IncidentKind = "failing-detach"
	KindBeforeMultiAttach IncidentKind = "before-multi-attach"
)

// IncidentVolume is the volume under all its names.
type IncidentVolume struct {
	PersistentVolume string   `json:"persistentVolume,omitempty" text:"name:vol"`
	VolumeHandle     string   `json:"volumeHandle,omitempty" text:"name:handle"`
	Driver           string   `json:"driver,omitempty" text:"name:driver"`
	UniqueName       string   `json:"uniqueName" text:"quote"`
	AccessModes      []string `json:"accessModes,omitempty" text:"keep"`
	Claim            *Ref     `json:"claim,omitempty"`
}

// Place is a node and the pods on it that use the volume.
type Place struct {
	Node string `json:"node,omitempty" text:"name:node"`
	Pods []Ref  `json:"pods,omitempty"`
}

// MultiAttachWait is from the first report until the volume was attached, or the demand ended. Ended is nil while blocked at capture.
type MultiAttachWait struct {
	Began   Moment  `json:"began"`
	Ended   *Moment `json:"ended"`
	Variant Variant `json:"variant"`
	Reports int     `json:"reports"` // distinct reports; one event seen in a log and as an object is one
}

// NameBasis says how the blocking VolumeAttachment's name is known.
type NameBasis string

// NameSnapshot: the object is in the bundle. NameLog, NameAudit: a log names it. NameDerived: csi- and the hash of
// handle, driver and node. NameNone: the volume has no VolumeAttachment, or something that the hash needs is not known.
const (
	NameSnapshot NameBasis = "snapshot"
	NameLog      NameBasis = "log"
	NameAudit    NameBasis = "audit"
	NameDerived  NameBasis = "derived"
	NameNone     NameBasis = "none"
)

// BlockingAttachment is the VolumeAttachment that kept the volume on the old node.
type BlockingAttachment struct {
	Name                *string   `json:"name" text:"name:va"`
	NameBasis           NameBasis `json:"nameBasis"`
	HashVerified        *bool     `json:"hashVerified"` // nil when the name is itself derived, or cannot be checked
	Node                string    `json:"node" text:"name:node"`
	Attacher            string    `json:"attacher,omitempty" text:"name:driver"`
	UID                 string    `json:"uid,omitempty" text:"name:"`
	CreatedAt           *Moment   `json:"createdAt"`
	DeletionRequestedAt *Moment   `json:"deletionRequestedAt"`
	GoneAt              *Moment   `json:"goneAt"`
	// NoneBecause is a field added within version 1 of the schema: why the volume has no VolumeAttachment by design, as a clause.
	NoneBecause string `json:"noneBecause,omitempty"`
	// Inferred is a field added within version 1: that the volume was attached to Node is inferred, such as from where its pod ran before.
	Inferred bool `json:"inferred,omitempty"`
	// Lives are the objects that had this name while the volume waited, in the order of time: the name is a hash, so that an
	// attachment that was deleted comes back under it. CreatedAt, DeletionRequestedAt, GoneAt and UID are those of the first.
	Lives []AttachmentLife `json:"lives,omitempty"`
}

// AttachmentLife is one object among those that had the name of a VolumeAttachment. Unknown moments are nil.
type AttachmentLife struct {
	UID                 string  `json:"uid,omitempty" text:"name:"`
	CreatedAt           *Moment `json:"createdAt"`
	DeletionRequestedAt *Moment `json:"deletionRequestedAt"`
	GoneAt              *Moment `json:"goneAt"`
	// ByHand says whether another than the attach/detach controller requested the deletion; Unknown also where no deletion is known.
	ByHand Truth `json:"byHand,omitempty"`
	// DeletedBy is who requested the deletion, in words; empty when unknown.
	DeletedBy string `json:"deletedBy,omitempty"`
}

// Span is the window that the phases tile.
type Span struct {
	From     Moment `json:"from"`
	To       Moment `json:"to"`
	Seconds  Range  `json:"seconds"`
	StartsAt string `json:"startsAt" text:"keep"`
	Open     bool   `json:"open"`
	// Down is a field added within version 1 of the schema: what ran on the old node is proven to have ended, so that nothing served.
	Down bool `json:"down,omitempty"`
}

// Word is what the pod was for the time of the span: only what provably did not serve was down.
func (s Span) Word() string {
	if s.Down {
		return "down"
	}
	if s.Open || s.StartsAt == StartsAtReport {
		return "waiting"
	}
	return "moving"
}

// What a span starts with.
const (
	StartsAtHeartbeat = "last-heartbeat"
	StartsAtNotReady  = "node-not-ready"
	StartsAtDeletion  = "pod-deletion"
	StartsAtReport    = "multi-attach"
)

// PhaseID names a stretch of an incident by what it waited for.
type PhaseID string

// The phases, in their usual order.
const (
	PhaseDetection   PhaseID = "detection"    // last heartbeat → NotReady
	PhaseEviction    PhaseID = "eviction"     // NotReady → deletion of the old pod requested
	PhaseReplacement PhaseID = "replacement"  // → new pod created
	PhaseScheduling  PhaseID = "scheduling"   // → new pod bound to a node
	PhaseRelease     PhaseID = "release"      // the controller still counts the old pod as a user
	PhaseUnmountWait PhaseID = "unmount-wait" // released, waiting for the unmount or the six minutes
	PhaseDetach      PhaseID = "detach"       // VolumeAttachment deletion requested → gone
	PhaseAttach      PhaseID = "attach"       // → attached on the new node
	PhaseMount       PhaseID = "mount"        // → new pod Ready
	// PhaseUndivided is a stretch of several of them that the evidence does not separate; Phase.Undivided lists them.
	PhaseUndivided PhaseID = "undivided"
)

// Phase is one stretch of the span; consecutive phases share their boundary.
type Phase struct {
	ID         PhaseID   `json:"id"`
	From       Moment    `json:"from"`
	To         Moment    `json:"to"`
	Seconds    Range     `json:"seconds"`
	GovernedBy *Governor `json:"governedBy,omitempty"`
	// Undivided are the phases that a stretch of PhaseUndivided consists of, in their order; each of them may have no length.
	Undivided []PhaseID `json:"undivided,omitempty"`
}

// MayBe reports that a phase is one of some phases, or an undivided stretch that may hold one of them.
func (p Phase) MayBe(ids ...PhaseID) bool {
	return slices.ContainsFunc(ids, func(id PhaseID) bool { return p.ID == id || slices.Contains(p.Undivided, id) })
}

// Governor is the parameter that sets a phase's length.
type Governor struct {
	Parameter string `json:"parameter"`
	Value     string `json:"value"`
	Basis     Basis  `json:"basis"`
}

// Verdict says how far a cause is established.
type Verdict string

// Confirmed: every necessary step is observed and nothing is against it. Likely: a step is inferred. Undecidable: input is missing.
const (
	Confirmed   Verdict = "confirmed"
	Likely      Verdict = "likely"
	Undecidable Verdict = "undecidable"
)

// Cause explains a phase or the whole incident. For, Against and Missing hold evidence ids, or sentences where no id can say it.
type Cause struct {
	ID string `json:"id" text:"keep"`
	// Label is a field added within version 1 of the schema: the cause as a heading.
	Label    string   `json:"label,omitempty" text:"keep"`
	Explains string   `json:"explains" text:"keep"` // phase id, or incident
	Verdict  Verdict  `json:"verdict"`
	Summary  string   `json:"summary"`
	For      []string `json:"for"`
	Against  []string `json:"against"`
	Missing  []string `json:"missing"`
}

// The causes that more than their own file knows by their ID.
const (
	CauseHandover               = "handover"
	CauseRolloutSurge           = "rollout-surge"
	CauseSharedClaim            = "shared-claim"
	CauseUnmountStuck           = "unmount-stuck"
	CauseNodeDown               = "node-down"
	CauseKubeletDown            = "kubelet-down"
	CauseStorageDisagrees       = "storage-disagrees"
	CauseCloudDetachFailing     = "cloud-detach-failing"
	CauseDriverDetachError      = "driver-detach-error"
	CauseAttachmentNotFinishing = "attachment-not-finishing"
	CauseAccessMode             = "access-mode"
	CauseControllerBug          = "controller-bug"
	CauseVolumesInUseStale      = "volumes-in-use-stale"
	CauseAttachmentLost         = "attachment-lost"
	CauseControllerFailover     = "controller-failover"
	CauseNodeGone               = "node-gone"
	CauseNodeReclaimed          = "node-reclaimed"
	CauseOldPodNotFinished      = "old-pod-not-finished"
	CauseVolumeDeletedFirst     = "pv-deleted-first"
	CauseTaintOnLiveNode        = "taint-on-live-node"
	CauseSlowStop               = "slow-stop"
	CauseAttachFailing          = "attach-failing"
	CauseUnknown                = "unknown"
)

// SyncPeriod is the parameter that governs a detach of which the controller learns only by its next look at the VolumeAttachments.
const SyncPeriod = "attach-detach-reconcile-sync-period"

// ExplainsIncident is Cause.Explains where it is no phase.
const ExplainsIncident = "incident"

// Truth is the value of an operand.
type Truth string

// The values of an operand.
const (
	True    Truth = "true"
	False   Truth = "false"
	Unknown Truth = "unknown"
)

// Operand is one term of the attach/detach controller's decision to detach, as it was while Multi-Attach lasted.
type Operand struct {
	Operand string  `json:"operand" text:"keep"`
	Value   Truth   `json:"value"`
	Since   *Moment `json:"since,omitempty"`
	Until   *Moment `json:"until,omitempty"`
	Text    string  `json:"text"`
	// Decides marks the operand for which the volume waited longest: the answer to why it was not detached. At most one has it.
	Decides  bool     `json:"decides,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
}

// The operands that more than their own answer is known by.
const (
	OperandReleased   = "old-pod-released"
	OperandUnmounted  = "unmounted-by-node"
	OperandTimer      = "timer-elapsed"
	OperandDetachDone = "detach-succeeded"
)

// IntegrityWindow runs from a force detach to the proof that the old node had stopped writing.
type IntegrityWindow struct {
	From     Moment   `json:"from"`
	To       *Moment  `json:"to"`
	Text     string   `json:"text"`
	Evidence []string `json:"evidence,omitempty"`
	RanOn    bool     `json:"ranOn,omitempty"` // the old node's machine is known to have run on: both nodes could write
}

// ReplayModel compares the replay without any remedy with what was observed.
type ReplayModel struct {
	PredictedSeconds *float64 `json:"predictedSeconds"`
	ObservedSeconds  *float64 `json:"observedSeconds"`
	ResidualSeconds  *float64 `json:"residualSeconds"`
	// PredictedAttachSeconds is to the attach, without the mount and the start of the pod, which the replay takes as they were.
	PredictedAttachSeconds *float64 `json:"predictedAttachSeconds,omitempty"`
	// Outlook says of an open incident when it ends if nothing is done, and why.
	Outlook string `json:"outlook,omitempty"`
	// Given says what the replay takes from the incident because nothing explains it: then its end is no prediction.
	Given string `json:"given,omitempty"`
	// Withheld says why no prediction is made: the step of the replay that does not fit what happened.
	Withheld string `json:"withheld,omitempty"`
}
