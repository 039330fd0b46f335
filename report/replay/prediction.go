package replay

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

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
