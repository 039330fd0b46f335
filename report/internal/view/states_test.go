package view

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// TestWordsOfStates has the word and the look of every state of a lane.
func TestWordsOfStates(t *testing.T) {
	ended := second(10)
	waited := &IncidentView{}
	waited.MultiAttach.Ended = &ended
	never := &IncidentView{}
	before, after := second(9), second(10)
	for _, c := range []struct {
		in             *IncidentView
		kind           string
		role           model.LaneRole
		word           model.StateWord
		reported, want string
		look           Look
		from           *model.Moment
	}{
		{never, "Node", "", model.StateDeleted, "", "deleted", LookGone, nil},
		{never, "Node", "", model.StateNotReady, "", "NotReady", LookHot, nil},
		{never, "Node", "", model.StateSilent, "", "unreachable", LookGoing, nil},
		{never, "Node", "", model.StateAlive, "", "heard of", LookComing, nil},
		{never, "Node", "", model.StateOutOfService, "Ready", "Ready, out of service", LookFine, nil},
		{never, "Node", "", model.StateOutOfService, "", "out of service", LookGoing, nil},
		{never, "Node", "", model.StateOutOfService, "NotReady", "NotReady, out of service", LookHot, nil},
		{never, "Node", "", model.StateReady, "", "Ready", LookFine, nil},
		{never, "Pod", model.RoleOldPod, model.StateGone, "finished", "gone", LookGone, nil},
		{never, "Pod", model.RoleOldPod, model.StateRunning, "finished", "finished", LookGone, nil},
		{never, "Pod", model.RoleOldPod, model.StateReleased, "running", "released", LookGoing, nil},
		{never, "Pod", model.RoleOldPod, model.StateReleased, "containers stopped", "containers stopped", LookGoing, nil},
		{never, "Pod", model.RoleOldPod, model.StateTerminating, "being evicted", "being evicted", LookGoing, nil},
		{never, "Pod", model.RoleOldPod, model.StateRunning, "Terminating", "Terminating", LookGoing, nil},
		{never, "Pod", model.RoleOldPod, model.StateRunning, "containers stopped", "containers stopped", LookGoing, nil},
		{never, "Pod", model.RoleNewPod, model.StateWaiting, "not Ready", "waits for the volume", LookHot, nil},
		{waited, "Pod", model.RoleNewPod, model.StateReady, "", "Ready", LookFine, &after},
		{waited, "Pod", model.RoleNewPod, model.StatePending, "not Ready", "starts", LookComing, &after},
		{waited, "Pod", model.RoleNewPod, model.StatePending, "not Ready", "created", LookComing, &before},
		{waited, "Pod", model.RoleNewPod, model.StatePending, "scheduled", "scheduled", LookComing, nil},
		{waited, "Pod", model.RoleOldPod, model.StatePending, "not Ready", "not Ready", LookHot, &after},
		{never, "Pod", model.RoleNewPod, model.StatePending, "not Ready", "created", LookComing, &after},
		{never, "Pod", model.RoleOldPod, model.StatePending, "scheduled", "scheduled", LookComing, nil},
		{never, "VolumeAttachment", "", model.StateGone, "", "gone", LookGone, nil},
		{never, "VolumeAttachment", "", model.StateDetaching, "", "being deleted", LookGoing, nil},
		{never, "VolumeAttachment", "", model.StateAttaching, "", "attaching", LookComing, nil},
		{never, "VolumeAttachment", "", model.StateBlocking, "", "attached, blocking", LookHot, nil},
		{never, "VolumeAttachment", "", model.StateBlocking, "exists", "holds the volume, blocking", LookHot, nil},
		{never, "VolumeAttachment", "", model.StateBlocking, "created", "holds the volume, blocking", LookHot, nil},
		{never, "VolumeAttachment", "", model.StateAttached, "attached", "attached", LookFine, nil},
		{never, "Lease", model.RoleController, model.StateGone, "", "no leader", LookHot, nil},
		{never, "Lease", model.RoleController, model.StateLeader, "", "leader 1", LookFine, nil},
	} {
		l := &model.Lane{Role: c.role, Object: model.Ref{Kind: c.kind}, States: []model.LaneState{{Word: c.word, Reported: c.reported, From: c.from}}}
		if word, look := StateWord(&c.in.Incident, l, 0); word != c.want || look != c.look {
			t.Errorf("%s %s %q %q: %q, %v", c.kind, c.role, c.word, c.reported, word, look)
		}
	}
	two := &model.Lane{Object: model.Ref{Kind: "Lease"}, States: []model.LaneState{{Word: model.StateLeader}, {Word: model.StateGone},
		{Word: model.StateLeader}}}
	if word, _ := StateWord(&never.Incident, two, 2); word != "leader 2" {
		t.Errorf("the second leader is %s", word)
	}
}
