package film

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Prediction is an incident as it would have been. It knows phases only: a replay predicts no log lines.
type Prediction struct {
	Phases  []model.Phase // tile the predicted incident; empty when the answer predicts none
	Applied *model.Moment // when the remedy was applied; nil for what was so from the beginning
	End     time.Time     // of the last phase

	film *Film
}

// Predicted is the state that is predicted for an instant.
type Predicted struct {
	At      time.Time
	Phase   int  // as in State
	Applied bool // the remedy has been applied
	Holder  Holder
	Waits   bool // the new pod waits for the volume
	Ready   bool // the new pod is Ready
	Timer   Timer
}

// Predict makes the counterfactual of a film from the answer to a question about its incident.
func (f *Film) Predict(answer *model.Remediation) *Prediction {
	p := &Prediction{Phases: answer.PredictedPhases, Applied: answer.AppliedAt, End: f.From, film: f}
	for _, phase := range p.Phases {
		p.End = model.Later(p.End, phase.To.At)
	}
	return p
}

// At is the predicted state at an instant.
func (p *Prediction) At(t time.Time) Predicted {
	s := Predicted{At: t, Phase: PhaseAt(p.Phases, t), Applied: p.Applied == nil || !t.Before(p.Applied.At)}
	if len(p.Phases) == 0 {
		return s
	}
	s.Ready = s.Phase == len(p.Phases)
	s.Holder = p.holder(t)
	if s.Phase >= 0 && !s.Ready {
		phase := p.Phases[s.Phase]
		s.Waits = slices.Contains(waiting, phase.ID)
		if phase.ID == model.PhaseUnmountWait {
			s.Timer = Timer{Word: TimerRuns, Since: &phase.From, Limit: limit(phase), Passed: t.Sub(phase.From.At)}
		}
	}
	return s
}

// waiting are the phases in which a pod is refused the volume.
var waiting = []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach}

// holder follows the phases: the old node has the volume until the detach ends, the new one from the attach; without either it is unknown.
func (p *Prediction) holder(t time.Time) Holder {
	moves := slices.ContainsFunc(p.Phases, func(ph model.Phase) bool { return ph.ID == model.PhaseDetach || ph.ID == model.PhaseAttach })
	if !moves {
		return Holder{}
	}
	node, now := p.film.Incident.From.Node, PhaseAt(p.Phases, t)
	for _, phase := range p.Phases[:max(0, now)] {
		switch phase.ID {
		case model.PhaseDetach:
			if now < len(p.Phases) && p.Phases[now].ID == model.PhaseAttach {
				return Holder{Known: true}
			}
			return Holder{Known: p.film.Incident.To.Node != "", Node: p.film.Incident.To.Node}
		case model.PhaseAttach:
			node = p.film.Incident.To.Node
		}
	}
	return Holder{Known: node != "", Node: node}
}
