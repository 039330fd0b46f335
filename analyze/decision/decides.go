package decision

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// decides is the operand for which the volume waited longest, by its phases; "" when none stands out or the evidence divides nothing.
func decides(c *reconstruct.Case, operands []model.Operand) string {
	spent := map[string]time.Duration{}
	best, longest := "", time.Duration(0)
	for _, p := range c.Phases {
		from := model.Later(p.From.At, c.Began.At)
		name := waitsFor(c, p.ID)
		if name == "" || !p.To.At.After(from) {
			continue
		}
		spent[name] += p.To.At.Sub(from)
		if d := spent[name]; d > longest {
			best, longest = name, d
		}
	}
	if slices.ContainsFunc(operands, func(o model.Operand) bool { return o.Operand == best && o.Value == model.False }) {
		return best
	}
	return ""
}

// waitsFor is the operand that a phase waits for; "" when the phase is no wait for the detach, and a name of no operand when nothing
// divides it. A volume that is not unmounted waits for the six minutes where these can end the wait, on a node that is not Ready.
func waitsFor(c *reconstruct.Case, id model.PhaseID) string {
	switch id {
	case model.PhaseRelease:
		return model.OperandReleased
	case model.PhaseReplacement, model.PhaseScheduling:
		if c.Before {
			return model.OperandReleased // the volume of the replacement would wait for it, once there
		}
	case model.PhaseUnmountWait:
		if c.NotReady.Known() || c.NodeGone.Known() || c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True {
			return model.OperandTimer
		}
		return model.OperandUnmounted
	case model.PhaseDetach:
		return model.OperandDetachDone
	case model.PhaseUndivided:
		return string(id)
	}
	return ""
}
