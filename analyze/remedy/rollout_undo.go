package remedy

import (
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var rolloutUndo = Remedy{
	ID: "rollout-undo", Title: "Take the rollout back (kubectl rollout undo)",
	References: []string{"kubernetes.io: Deployments, rolling back",
		"recordings on real nodes: over 1.2 s after the undo, without an outage"},
	SideEffects: always("the new version is not rolled out"),

	Phases: waitOfVolume,
	Fit: func(i *Incident) Fit {
		if !i.Rollout() {
			return misfit("The old and the new pod do not come from a rollout that overlaps.")
		}
		if i.Lost() {
			return misfit("The old pod's node was lost; what the old version runs on is gone.")
		}
		return fits("")
	},
	From:   func(i *Incident) float64 { return i.Scenario.Reported },
	Change: acting(replay.EndDemand),
	Acts:   []replay.ActKind{replay.EndDemand},
	Used: func(i *Incident) (float64, bool) { // a replica less ends the demand, too
		undone := slices.ContainsFunc(i.Scenario.Actions, i.Case.TakenBack)
		return i.done(replay.EndDemand), undone && i.did(replay.EndDemand)
	},
	Steps: func(i *Incident) []model.Step {
		w := i.owner()
		return []model.Step{act("take the rollout back; the pod that serves is not touched",
			"kubectl", "rollout", "undo", "-n", name(w.Namespace), within("deployment/", w.Name, ""))}
	},
}
