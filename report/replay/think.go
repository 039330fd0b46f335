package replay

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// thinks are the operands of the controller's decision at an instant of the wait; Since is when one got its value, where that is known.
func thinks(operands []model.Operand, t time.Time) []model.Operand {
	out := slices.Clone(operands)
	for i, o := range operands {
		if o.Since != nil && t.Before(o.Since.At) {
			out[i].Value, out[i].Since = before(o), nil
		} else if o.Until != nil && !t.Before(o.Until.At) {
			out[i].Value, out[i].Since = after(o), o.Until
		}
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
	for _, e := range f.Events[:happened] {
		switch {
		case e.At.At.Sub(wait.From.At) < 2*time.Second:
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
