package replay

import "math"

// Prediction is what a set of replays says: the waiting pod's Ready with its range, and the replay of the best estimates.
type Prediction struct {
	Ready Span    // never when no replay ends
	Typic Outcome // the replay in the middle of all that is drawn
	Why   string  // why it never ends, when it does not
	Race  bool
	// Prevented: no replay has a Multi-Attach wait.
	Prevented bool

	each [Draws]float64 // Ready of each replay
}

// Less is how much sooner p ends than q, replay by replay with the same positions in every loop, so that what both have in
// common does not widen it. Both have to end.
func (p Prediction) Less(q Prediction) Span {
	d := Span{Lo: never, Hi: -never}
	for i := range p.each {
		by := q.each[i] - p.each[i]
		d.Lo, d.Hi = min(d.Lo, by), max(d.Hi, by)
		d.Best += by / Draws
	}
	return d
}

// Predict replays a scenario under a plan.
func (s *Scenario) Predict(p Plan) Prediction {
	out := Prediction{Prevented: true}
	if s.Remade {
		p = p.Without(DeletePod)
	}
	lo, hi := never, [2]float64{-never, -never}
	sum := 0.0
	for i := range s.draws {
		o := s.run(p, &s.draws[i])
		if o.Why != "" && math.IsInf(o.Ready, 1) {
			return Prediction{Ready: exactly(never), Typic: o, Why: o.Why, Race: o.Race}
		}
		out.Race = out.Race || o.Race
		out.Prevented = out.Prevented && o.Prevented
		lo = min(lo, o.Soonest)
		hi[0], hi[1] = max(hi[0], o.Latest), max(hi[1], min(hi[0], o.Latest))
		out.each[i] = o.Ready
		sum += o.Ready
	}
	// The last replay is one in sixty in which every loop came at its worst.
	out.Ready.Lo, out.Ready.Hi = lo, hi[1]
	out.Ready.Best = min(max(sum/Draws, out.Ready.Lo), out.Ready.Hi)
	middle := draw{}
	for d := range middle {
		middle[d] = 0.5
	}
	out.Typic = s.run(p, &middle)
	out.Typic.Ready = out.Ready.Best
	return out
}
