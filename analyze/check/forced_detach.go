package check

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// forcedDetach names detaches by force that no reported wait explains: whoever was waiting, the old node may have been
// writing.
var forcedDetach = Check{
	ID: "forced-detach", Severity: "warning",
	Title:  "A volume was detached by force",
	Remedy: "Make sure that the old node had stopped before trusting the data on the volume.",
	Look:   lookForcedDetach,
}

func lookForcedDetach(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	var out []Hit
	for _, kind := range []model.Kind{model.DetachForcedTimeout, model.DetachForcedTaint} {
		why := "the controller had waited six minutes for the unmount"
		if kind == model.DetachForcedTaint {
			why = "the node carried the out-of-service taint, by which a person says that it is off"
		}
		for _, g := range byNode(w, cases, kind) {
			refs := objects(w, g)
			out = append(out, Hit{Objects: refs, Shown: ends(g), Text: fmt.Sprintf(
				"%s left %s by a forced detach: %s. The controller's line alone does not prove that the node was dead, nor that the volume was in use.",
				volumes(refs), orUnnamed(g[0].Node, "an unknown node"), why)})
		}
	}
	return out
}

// ends keeps the first and the last of a run.
func ends(g []*model.Observation) []*model.Observation {
	if len(g) <= 2 {
		return g
	}
	return []*model.Observation{g[0], g[len(g)-1]}
}
