package view

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// What the controller does not count any more is released, whatever was reported of it before; its containers' end is said where it was.
func TestReleasedInWords(t *testing.T) {
	for reported, want := range map[string]string{"Terminating": "released", "running": "released", "containers stopped": "containers stopped"} {
		l := &model.Lane{Object: model.Ref{Kind: "Pod", Name: "db-0"}, Role: model.RoleOldPod,
			States: []model.LaneState{{Word: model.StateReleased, Reported: reported}}}
		if got, look := StateWord(&model.Incident{}, l, 0); got != want || look != LookGoing {
			t.Errorf("%s: %s, %s", reported, got, look)
		}
	}
}
