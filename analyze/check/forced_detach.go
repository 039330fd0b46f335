package check

import (
	"cmp"
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var forcedDetach = Check{
	ID: "forced-detach", Severity: "warning",
	Title:  "A volume was detached by force",
	Remedy: "Make sure that the old node had stopped before trusting the data on the volume.",
	Doc: Doc{
		Means: `The attach/detach controller took a volume away from a node without the node having reported the unmount. If the node was
still running, it may have written to the volume after it was attached elsewhere.`,
		DecidedBy: "The controller's line about a forced detach, by the six minutes or by the out-of-service taint.",
		LeftAlone: `Forced detaches that belong to an incident, which tells of them with the window in which both nodes may have written. A
detach that fails for longer than six minutes is logged as forced too, although the volume was not mounted.`,
		References: []string{
			"kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go (maxWaitForUnmountDuration, 1.13–1.36; out-of-service, 1.24–1.36)",
			"kubernetes PR 120344, which tells of corruption found days later",
		},
	},
	Look: lookForcedDetach,
}

func lookForcedDetach(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	var out []Hit
	for _, kind := range []model.Kind{model.DetachForcedTimeout, model.DetachForcedTaint} {
		why := "its six minutes had passed"
		if kind == model.DetachForcedTaint {
			why = "the node carried the out-of-service taint, by which a person says that it is off"
		}
		for _, g := range byNode(w, cases, kind) {
			refs := objects(w, g)
			out = append(out, Hit{Objects: refs, Shown: ends(g), Text: fmt.Sprintf(
				"%s left %s by a forced detach: %s. The controller's line alone does not prove that the node was dead, nor that the volume was in use.",
				volumes(refs), cmp.Or(g[0].Node, "an unknown node"), why)})
		}
	}
	return out
}
