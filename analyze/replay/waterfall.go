package replay

import (
	"math"

	"github.com/volpost/volpost/model"
)

// Phases tile a replay that ends, from the beginning of the incident's span to Ready, as the contract has them.
func (s *Scenario) Phases(o Outcome, startsAt string) []model.Phase {
	type step struct {
		id  model.PhaseID
		end float64
	}
	var steps []step
	switch startsAt {
	case model.StartsAtHeartbeat:
		steps = append(steps, step{model.PhaseDetection, o.NotReady})
		fallthrough
	case model.StartsAtNotReady:
		steps = append(steps, step{model.PhaseEviction, o.Deleted})
	}
	if startsAt != model.StartsAtReport {
		steps = append(steps, step{model.PhaseReplacement, o.Created}, step{model.PhaseScheduling, o.Scheduled})
	}
	if o.Attached >= o.Released { // else the attach waited for nothing of the old node's
		steps = append(steps, step{model.PhaseRelease, o.Released}, step{model.PhaseUnmountWait, o.DetachAt}, step{model.PhaseDetach, o.Noticed})
	}
	steps = append(steps, step{model.PhaseAttach, o.Attached}, step{model.PhaseMount, o.Ready})
	var out []model.Phase
	from := 0.0
	for _, p := range steps {
		if o.Spared {
			p.end = min(p.end, o.Ready)
		}
		unawaited := !o.Spared && p.end > o.Attached && p.id != model.PhaseMount // it went on past the attach
		if math.IsInf(p.end, 0) || math.IsNaN(p.end) || p.end <= from || unawaited {
			continue
		}
		a, b := s.Moment(exactly(from)), s.Moment(exactly(p.end))
		out = append(out, model.Phase{ID: p.id, From: a, To: b, Seconds: a.Until(b)})
		from = p.end
	}
	return out
}
