package view

import (
	"strconv"

	"github.com/volpost/volpost/model"
)

// Look is how a state is: what a picture gives a colour and a pattern, and a terminal a tone.
type Look string

// The looks. LookGoing is of what ends, LookComing of what begins or of which little is told.
const (
	LookFine   Look = "fine"
	LookHot    Look = "hot"
	LookGoing  Look = "going"
	LookComing Look = "coming"
	LookGone   Look = "gone"
)

// StateWord is a state of a lane as people read it, in the page's chart and in the replay.
func StateWord(in *model.Incident, l *model.Lane, i int) (string, Look) {
	s := l.States[i]
	switch l.Object.Kind {
	case "Node":
		return nodeWord(s)
	case "Pod":
		return podWord(in, l, s)
	case "VolumeAttachment":
		return attachmentWord(s)
	}
	if s.Word == model.StateLeader {
		return "leader " + strconv.Itoa(Leaders(l.States[:i+1])), LookFine
	}
	return "no leader", LookHot
}

func nodeWord(s model.LaneState) (string, Look) {
	switch s.Word {
	case model.StateDeleted:
		return "deleted", LookGone
	case model.StateNotReady:
		return "NotReady", LookHot
	case model.StateSilent:
		return "unreachable", LookGoing
	case model.StateAlive:
		return "heard of", LookComing
	case model.StateOutOfService:
		switch s.Reported {
		case "Ready":
			return "Ready, out of service", LookFine
		case "":
			return "out of service", LookGoing
		}
		return s.Reported + ", out of service", LookHot
	}
	return "Ready", LookFine
}

// podWord is a pod's state, of a new pod with what it waits for.
func podWord(in *model.Incident, l *model.Lane, s model.LaneState) (string, Look) {
	ended, isNew := in.MultiAttach.Ended, l.Role == model.RoleNewPod
	called := s.Called()
	switch {
	case s.Word == model.StateGone:
		return "gone", LookGone
	case called == "finished":
		return called, LookGone
	case s.Word == model.StateReleased && called != "containers stopped":
		return string(s.Word), LookGoing
	case s.Word == model.StateTerminating, called == "Terminating", called == "containers stopped":
		return called, LookGoing // "being evicted": the decision, whose deletion takes seconds
	case s.Word == model.StateWaiting:
		return "waits for the volume", LookHot
	case called == "Ready":
		return called, LookFine
	case isNew && ended != nil && s.From != nil && !s.From.At.Before(ended.At):
		return "starts", LookComing
	case called == "not Ready" && !isNew:
		return called, LookHot
	case called == "not Ready":
		return "created", LookComing
	}
	return called, LookComing
}

func attachmentWord(s model.LaneState) (string, Look) {
	held := "attached"
	if s.Reported == "exists" || s.Reported == "created" {
		held = "holds the volume"
	}
	switch s.Word {
	case model.StateGone:
		return "gone", LookGone
	case model.StateDetaching:
		return "being deleted", LookGoing
	case model.StateAttaching:
		return "attaching", LookComing
	case model.StateBlocking:
		return held + ", blocking", LookHot
	}
	return held, LookFine
}

// Leaders is how many of some states are of a leader: one that begins to lead while another does is a new one.
func Leaders(states []model.LaneState) (n int) {
	for _, s := range states {
		if s.Word == model.StateLeader {
			n++
		}
	}
	return n
}
