// Package decision answers why the attach/detach controller did not detach a volume: every operand of its decision with
// the value it had while the wait lasted, since when, and by what evidence (reconciler.go detachVolumes, 1.13–1.36).
package decision

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// answer is an operand before its evidence is entered.
type answer struct {
	value        model.Truth
	since, until facts.Instant
	text         string
	evidence     []*model.Observation
}

// says is an answer without bounds in time.
func says(value model.Truth, text string, evidence ...*model.Observation) answer {
	return answer{value: value, text: text, evidence: evidence}
}

// question is one operand: its name in the report and how it is answered.
type question struct {
	operand string
	answer  func(*wait.Case) answer
}

// questions in the order in which the controller asks them.
var questions = []question{
	{model.OperandReleased, oldPodReleased},
	{model.OperandUnmounted, unmountedByNode},
	{model.OperandTimer, timerElapsed},
	{"node-unhealthy", nodeUnhealthy},
	{"force-detach-enabled", forceDetachEnabled},
	{"out-of-service-taint", outOfServiceTaint},
	{model.OperandDetachDone, detachSucceeded},
}

// Operands returns an answer to every question for a case.
func Operands(c *wait.Case, l *evidence.Ledger) []model.Operand {
	out := make([]model.Operand, 0, len(questions))
	for _, q := range questions {
		a := q.answer(c)
		op := model.Operand{Operand: q.operand, Value: a.value, Since: l.Moment(a.since), Until: l.Moment(a.until), Text: a.text}
		op.Evidence = l.Observations(slices.Concat(a.evidence, a.since.Witness, a.until.Witness))
		out = append(out, op)
	}
	answer := decides(c, out)
	for n := range out {
		out[n].Decides = out[n].Operand == answer
	}
	return out
}

// decides is the operand for which the volume waited longest, by its phases; "" when none stands out or the evidence divides nothing.
func decides(c *wait.Case, operands []model.Operand) string {
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
func waitsFor(c *wait.Case, id model.PhaseID) string {
	switch id {
	case model.PhaseRelease:
		return model.OperandReleased
	case model.PhaseReplacement, model.PhaseScheduling:
		if c.Before {
			return model.OperandReleased // the volume of the replacement would wait for it, once there
		}
	case model.PhaseUnmountWait:
		timed := c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True
		if timed || c.NotReady.Known() || c.NodeGone.Known() {
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
