package html

import (
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// stateWord is a state of a lane as the chart has it.
func stateWord(in *view.IncidentView, l *model.Lane, i int) (string, chartLook, model.Moment) {
	s := l.States[i]
	var since model.Moment
	if s.From != nil {
		since = *s.From
	}
	var word string
	var look chartLook
	switch l.Object.Kind {
	case "Node":
		word, look = nodeWord(s)
	case "Pod":
		if s.Word == model.StateWaiting {
			since = model.Moment{} // the wait's own beginning is drawn
		}
		word, look = podWord(in, l, s)
	case "VolumeAttachment":
		word, look = attachmentWord(s)
	case "PersistentVolume":
		if word, look = "attached to "+words.Shorten(words.OneLine(strings.Join(s.Marks, "")), chartName), lookFine; s.Word == model.StateGone {
			word, look = "attached to no node", lookGone
		}
	default:
		word, look = "no leader", lookHot
		if s.Word == model.StateLeader {
			word, look = "leader "+strconv.Itoa(leaders(l.States[:i+1])), lookFine
		}
	}
	return word, look, since
}

func nodeWord(s model.LaneState) (string, chartLook) {
	switch s.Word {
	case model.StateDeleted:
		return "deleted", lookGone
	case model.StateNotReady:
		return "NotReady", lookHot
	case model.StateSilent:
		return "unreachable", lookGoing
	case model.StateAlive:
		return "heard of", lookComing
	case model.StateOutOfService:
		switch s.Reported {
		case "Ready":
			return "Ready, out of service", lookFine
		case "":
			return "out of service", lookGoing
		}
		return s.Reported + ", out of service", lookHot
	}
	return "Ready", lookFine
}

// podWord is a pod's state, of a new pod with what it waits for.
func podWord(in *view.IncidentView, l *model.Lane, s model.LaneState) (string, chartLook) {
	ended, isNew := in.MultiAttach.Ended, l.Role == model.RoleNewPod
	called := s.Called()
	switch {
	case s.Word == model.StateGone:
		return "gone", lookGone
	case called == "finished":
		return called, lookGone
	case s.Word == model.StateReleased && called != "containers stopped":
		return string(s.Word), lookGoing
	case s.Word == model.StateTerminating, called == "Terminating", called == "containers stopped":
		return called, lookGoing // "being evicted": the decision, whose deletion takes seconds
	case s.Word == model.StateWaiting:
		return "waits for the volume", lookHot
	case called == "Ready":
		return called, lookFine
	case isNew && ended != nil && s.From != nil && !s.From.At.Before(ended.At):
		return "starts", lookComing
	case called == "not Ready" && !isNew:
		return called, lookHot
	case called == "not Ready":
		return "created", lookComing
	}
	return called, lookComing
}

func attachmentWord(s model.LaneState) (string, chartLook) {
	held := "attached"
	if s.Reported == "exists" || s.Reported == "created" {
		held = "holds the volume"
	}
	switch s.Word {
	case model.StateGone:
		return "gone", lookGone
	case model.StateDetaching:
		return "being deleted", lookGoing
	case model.StateAttaching:
		return "attaching", lookComing
	case model.StateBlocking:
		return held + ", blocking", lookHot
	}
	return held, lookFine
}

// leaders is how many of some states are of a leader: one that begins to lead while another does is a new one.
func leaders(states []model.LaneState) (n int) {
	for _, s := range states {
		if s.Word == model.StateLeader {
			n++
		}
	}
	return n
}
