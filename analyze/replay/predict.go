package replay

import "slices"

// Prediction is what a set of replays says: the waiting pod's Ready with its range, and the replay of the best estimates.
type Prediction struct {
	Ready  Span    // never when no replay ends
	Attach Span    // of the volume to the wanted node; zero when no replay ends
	Typic  Outcome // the replay in the middle of all that is drawn
	Why    string  // why it never ends, when it does not
	Race   bool
	// Given: some replay ends by an unrecorded act. Unsure: some assumes that the old node was Ready, which nothing proves.
	Given, Unsure bool
	// Prevented: no replay has a Multi-Attach wait.
	Prevented bool

	each [Draws]float64 // Ready of each replay
}

// Less is how much sooner p ends than q, paired by draw, so that what both share does not widen it. Both have to end.
func (p Prediction) Less(q Prediction) Span {
	var by [Draws]float64
	for i := range p.each {
		by[i] = q.each[i] - p.each[i]
	}
	return spanOf(by)
}

// Predict replays a scenario under a plan.
func (s *Scenario) Predict(p Plan) Prediction {
	out := Prediction{Prevented: true}
	var attach [Draws]float64
	for i := range s.draws {
		o := s.run(p.drawn(s.draws[i][uAct]), &s.draws[i])
		if o.Why != "" && o.Ready == never {
			return Prediction{Ready: exactly(never), Typic: o, Why: o.Why, Race: o.Race, Unsure: o.Unsure}
		}
		out.Race = out.Race || o.Race
		out.Given = out.Given || o.Given
		out.Unsure = o.Unsure // which no draw changes
		out.Prevented = out.Prevented && o.Prevented
		out.each[i], attach[i] = o.Ready, o.Attached
	}
	out.Ready, out.Attach = spanOf(out.each), spanOf(attach)
	middle := draw{}
	for d := range middle {
		middle[d] = 0.5
	}
	out.Typic = s.run(p, &middle)
	out.Typic.Ready = out.Ready.Best
	return out
}

// spanOf is the span of all replays. The best estimate is the median: a rare long step would shift the mean.
func spanOf(each [Draws]float64) Span {
	slices.Sort(each[:])
	return Span{Lo: each[0], Best: each[Draws/2], Hi: each[Draws-1]}
}
