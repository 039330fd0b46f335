package analyze

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// countSentence says what was counted rather than told; "" for other kinds.
func countSentence(o *model.Observation) string {
	switch o.Kind {
	case model.ForcedDetachesCounted:
		return fmt.Sprintf("the controller's counter of forced detaches rose by %d%s", o.Count, paren(o.Detail))
	case model.StorageOperationsCounted:
		operation, rest, _ := strings.Cut(strings.TrimPrefix(o.Detail, "volume_"), " ")
		outcome := "succeeded"
		if failed := strings.TrimPrefix(rest, "fail-unknown"); failed != rest {
			outcome, rest = "failed", failed
		}
		return fmt.Sprintf("%s of driver %s %s%s, by the controller's counter", words.Plural(o.Count, operation, operation+"es"), o.Attacher, outcome,
			strings.TrimPrefix(rest, "success"))
	case model.ProcessStarted:
		return "the process of " + cmp.Or(o.Component, "a controller") + " started" + paren(o.Detail)
	case model.OperationsSampled:
		return "the controller counts the attaches and detaches of driver " + o.Attacher
	case model.WaitsSampled:
		return "the metrics would show a wait"
	case model.WaitsHidden:
		return "the metrics would not show every wait: they lack " + o.Detail
	case model.VolumeUsage:
		return "the volume of claim " + o.Claim.String() + on(o.Node) + " was full to " + o.Detail
	}
	return ""
}
