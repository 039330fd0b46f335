package model

import (
	"slices"
	"time"
)

// Lane is an object over time, as far as the evidence tells: between its states, before them and after one that ends, nothing is known.
type Lane struct {
	Object Ref         `json:"object"`
	Role   LaneRole    `json:"role,omitempty"` // in the incident; none for an object of no incident
	Node   string      `json:"node,omitempty"` // of a pod where it is, of a VolumeAttachment where it attaches
	States []LaneState `json:"states"`
}

// LaneState is what an object was from one moment to another. States are in the order of time and do not overlap.
type LaneState struct {
	Word     StateWord `json:"word"`
	Reported string    `json:"reported,omitempty"` // what the sources call it, where that is more than the word, such as containers stopped
	Marks    []string  `json:"marks,omitempty"`    // of a Node: its taints, and that it is cordoned
	From     *Moment   `json:"from"`               // nil where it was so before anything that is known; then it is the first
	To       *Moment   `json:"to,omitempty"`       // nil where nothing tells its end
	Basis    Basis     `json:"basis"`
	Evidence []string  `json:"evidence,omitempty"`
}

// Called is a state as its sources have it.
func (s LaneState) Called() string {
	if s.Reported != "" && s.Word != StateSilent {
		return s.Reported
	}
	return string(s.Word)
}

// LaneRole is what an object is to an incident.
type LaneRole string

// The roles, in the order in which a report has them.
const (
	RoleOldNode    LaneRole = "old-node"
	RoleNewNode    LaneRole = "new-node"
	RoleOldPod     LaneRole = "old-pod"
	RoleBlocking   LaneRole = "blocking-attachment" // without a name where the volume has no VolumeAttachment, or it is not known
	RoleAttachment LaneRole = "attachment"          // another of the volume
	RoleClaim      LaneRole = "claim"
	RoleVolume     LaneRole = "volume"
	RoleNewPod     LaneRole = "new-pod"
	RoleController LaneRole = "controller" // the kube-controller-manager
	RoleAttacher   LaneRole = "attacher"   // the external-attacher
)

// StateWord is a state of a closed vocabulary for its kind.
type StateWord string

// The words. StateAlive: a node was heard of, and nothing tells whether it was Ready. StateReleased: the pod is there, and the
// attach/detach controller does not count it as a user of the volume.
const (
	StateReady        StateWord = "Ready"
	StateAlive        StateWord = "alive"
	StateSilent       StateWord = "silent"
	StateNotReady     StateWord = "NotReady"
	StateOutOfService StateWord = "out-of-service"
	StateDeleted      StateWord = "deleted"

	StatePending     StateWord = "pending"
	StateWaiting     StateWord = "waiting for the volume"
	StateRunning     StateWord = "running"
	StateTerminating StateWord = "Terminating"
	StateReleased    StateWord = "released"
	StateGone        StateWord = "gone"

	StateAttaching StateWord = "attaching"
	StateAttached  StateWord = "attached"
	StateBlocking  StateWord = "blocking"
	StateDetaching StateWord = "detaching"

	StateLeader StateWord = "leader"
	StateNone   StateWord = "none"
)

// StateWords are the words of a kind of object: of claims and volumes their phases.
var StateWords = map[string][]StateWord{ // for lookup only
	"Node":                  {StateReady, StateAlive, StateSilent, StateNotReady, StateOutOfService, StateDeleted},
	"Pod":                   {StatePending, StateWaiting, StateRunning, StateReady, StateTerminating, StateReleased, StateGone},
	"VolumeAttachment":      {StateAttaching, StateAttached, StateBlocking, StateDetaching, StateGone},
	"PersistentVolumeClaim": {"Pending", "Bound", "Lost"},
	"PersistentVolume":      {"Pending", "Available", "Bound", "Released", "Failed"},
	"Controller":            {StateLeader, StateNone},
}

// At is the place of the state of an instant, or -1 where nothing tells.
func (l *Lane) At(t time.Time) int {
	i := len(l.States) - 1
	for i >= 0 && l.States[i].From != nil && l.States[i].From.At.After(t) {
		i--
	}
	if i >= 0 && l.States[i].To != nil && !t.Before(l.States[i].To.At) {
		return -1
	}
	return i
}

// Early reports that the object is not there yet: its lane begins with its creation.
func (l *Lane) Early(t time.Time) bool {
	return len(l.States) > 0 && l.States[0].Reported == "created" && t.Before(l.States[0].From.At)
}

// Is reports that the lane has one of some words at an instant.
func (l *Lane) Is(t time.Time, words ...StateWord) bool {
	i := l.At(t)
	return i >= 0 && slices.Contains(words, l.States[i].Word)
}
