package replay

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// think is one term of the controller's decision at an instant.
type think struct {
	Operand string // as in model.Operand, such as old-pod-released
	Value   model.Truth
	Since   *model.Moment // when it got the value, where that is known
	Text    string        // the report's sentence, when the value is the one that the sentence gives a reason for

	Evidence []string
}

// thinks are the operands at an instant of the wait.
func thinks(operands []model.Operand, t time.Time) []think {
	var out []think
	for _, o := range operands {
		k := think{Operand: o.Operand, Value: o.Value, Since: o.Since, Text: o.Text, Evidence: o.Evidence}
		if o.Since != nil && t.Before(o.Since.At) {
			k.Value, k.Since, k.Text = before(o), nil, ""
		} else if o.Until != nil && !t.Before(o.Until.At) {
			k.Value, k.Since, k.Text = after(o), o.Until, ""
			k.Evidence = o.Until.Evidence
		}
		out = append(out, k)
	}
	return out
}

// before is the value that an operand had before it got the one of the report: what has become true was not.
func before(o model.Operand) model.Truth {
	if o.Value == model.True {
		return model.False
	}
	return model.Unknown
}

// after is an operand's later value: false becomes true, except for the unmount, without which a forced detach can end the wait.
func after(o model.Operand) model.Truth {
	if o.Value == model.True {
		return model.False
	}
	if o.Value == model.False && o.Operand != model.OperandUnmounted {
		return model.True
	}
	return model.Unknown
}

// timerWord says how the timer of the forced detach stands.
type timerWord string

// timerIdle: not begun, since a pod still uses the volume. timerOver: the wait that it bounds has ended.
const (
	timerIdle    timerWord = "not started"
	timerRuns    timerWord = "runs"
	timerOver    timerWord = "over"
	timerUnknown timerWord = "unknown"
)

// timer is the attach/detach controller's wait for an unmount, after which it detaches by force.
type timer struct {
	Word   timerWord
	Since  *model.Moment
	Passed time.Duration
	Limit  time.Duration // 0 when the report does not say that it is the timer that ends the wait
	Again  bool          // it began anew, with another leader
}

// timerParameter is how the report names what ends the wait for the unmount when it is the timer.
const timerParameter = "maxWaitForUnmountDuration"

// timer follows the phase that waits for the unmount. A controller that starts in it begins to count anew.
func (f *film) timer(t time.Time, happened int) timer {
	if f.early() {
		return timer{Word: timerIdle}
	}
	now, wait := f.phaseAt(t), (*model.Phase)(nil)
	for i := range f.Incident.Phases {
		p := &f.Incident.Phases[i]
		switch {
		case i == now && p.ID == model.PhaseRelease:
			return timer{Word: timerIdle}
		case p.ID == model.PhaseUndivided && p.MayBe(model.PhaseUnmountWait):
			return timer{Word: timerUnknown}
		case p.ID != model.PhaseUnmountWait:
		case i == now:
			wait = p
		case i < now:
			return timer{Word: timerOver}
		default:
			return timer{Word: timerIdle}
		}
	}
	if wait == nil {
		return timer{Word: timerUnknown}
	}
	out := timer{Word: timerRuns, Since: &wait.From}
	out.Limit = limit(*wait)
	for i := range f.Events[:happened] {
		e := &f.Events[i]
		switch {
		case e.At.At.Sub(wait.From.At) < 2*oneFact:
		case e.Kind == model.ControllerStarted:
			out.Since, out.Again = &e.At, true
		case e.Kind == model.DetachTimerStarted && slices.ContainsFunc(e.About, model.Ref{Kind: "Node", Name: f.Incident.From.Node}.Is):
			out.Since, out.Again = &e.At, true
		}
	}
	out.Passed = max(0, t.Sub(out.Since.At))
	return out
}

// limit is what the timer counts to, when it is the timer that ends a phase; else 0.
func limit(wait model.Phase) time.Duration {
	if wait.GovernedBy == nil || wait.GovernedBy.Parameter != timerParameter {
		return 0
	}
	d, err := time.ParseDuration(wait.GovernedBy.Value)
	if err != nil {
		return 0
	}
	return d
}

// prediction is an incident as it would have been. It knows phases only: a replay predicts no log lines.
type prediction struct {
	Phases  []model.Phase // tile the predicted incident; empty when the answer predicts none
	Applied *model.Moment // when the remedy was applied; nil for what was so from the beginning
	End     time.Time     // of the last phase

	film *film
}

// predicted is the state that is predicted for an instant.
type predicted struct {
	At      time.Time
	Phase   int  // as in state
	Applied bool // the remedy has been applied
	Holder  holder
	Waits   bool // the new pod waits for the volume
	Ready   bool // the new pod is Ready
	Timer   timer
}

// predict makes the counterfactual of a film from the answer to a question about its incident.
func (f *film) predict(answer *model.Remediation) *prediction {
	p := &prediction{Phases: answer.PredictedPhases, Applied: answer.AppliedAt, End: f.From, film: f}
	for _, phase := range p.Phases {
		p.End = model.Later(p.End, phase.To.At)
	}
	return p
}

func (p *prediction) at(t time.Time) predicted {
	s := predicted{At: t, Phase: phaseAt(p.Phases, t), Applied: p.Applied == nil || !t.Before(p.Applied.At)}
	if len(p.Phases) == 0 {
		return s
	}
	s.Ready = s.Phase == len(p.Phases)
	s.Holder = p.holder(t)
	if s.Phase >= 0 && !s.Ready {
		phase := p.Phases[s.Phase]
		s.Waits = slices.Contains(waiting, phase.ID)
		if phase.ID == model.PhaseUnmountWait {
			s.Timer = timer{Word: timerRuns, Since: &phase.From, Limit: limit(phase), Passed: t.Sub(phase.From.At)}
		}
	}
	return s
}

// waiting are the phases in which a pod is refused the volume.
var waiting = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach}

// holder follows the phases: the old node has the volume until the detach ends, the new one from the attach; without either it is unknown.
func (p *prediction) holder(t time.Time) holder {
	moves := slices.ContainsFunc(p.Phases, func(ph model.Phase) bool { return ph.ID == model.PhaseDetach || ph.ID == model.PhaseAttach })
	if !moves {
		return holder{}
	}
	node, now := p.film.Incident.From.Node, phaseAt(p.Phases, t)
	for _, phase := range p.Phases[:max(0, now)] {
		switch phase.ID {
		case model.PhaseDetach:
			if now < len(p.Phases) && p.Phases[now].ID == model.PhaseAttach {
				return holder{Known: true}
			}
			return holder{Known: p.film.Incident.To.Node != "", Node: p.film.Incident.To.Node}
		case model.PhaseAttach:
			node = p.film.Incident.To.Node
		}
	}
	return holder{Known: node != "", Node: node}
}
