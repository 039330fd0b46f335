package facts

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/clock"
	"github.com/volpost/volpost/model"
)

// Axis is every observation on one time axis, with an account of how each input was placed there.
type Axis struct {
	Observations []model.Observation // none is floating; sorted by Compare
	Inputs       []model.Input
	Problems     []model.Problem
	CapturedAt   *model.Moment
	CapturedFrom model.Evidence // what shows CapturedAt; empty text when nothing of the bundle does
	CapturedHow  model.CollectedHow
	snapshot     *model.Snapshot // with the clocks of its objects set right
	unsure       clock.Unsure

	fromReport bool // without dates: distances count from the first report of a wait, else from the collection
	noYear     bool // the year of a log is not known
	moved      bool // a log was moved from its zone to UTC
}

// StandIn says what the dates on the axis stand for; nil where they are known.
func (a *Axis) StandIn() *model.StandIn {
	if a.CapturedHow == model.CollectedAssumed {
		t, is := model.T, "the collection"
		if a.fromReport {
			is = "the first report of a wait"
		}
		return &model.StandIn{Missing: model.NoDate, Year: t.Year(), T: &t, Means: "T is " + is + "; nothing tells its date."}
	}
	if a.noYear && a.moved {
		return &model.StandIn{Missing: model.NoYear, Year: model.StandInYear, Means: "Nothing tells the year. Times are UTC."}
	}
	if a.noYear {
		return &model.StandIn{Missing: model.NoYear, Year: model.StandInYear,
			Means: "Nothing tells the year; month, day and time of day are as in the logs."}
	}
	return nil
}

// Clocks places a snapshot's floating times (klog has neither year nor zone), sets right the clocks that differ from the others, and explains
// each input's clock. It changes no snapshot.
func Clocks(s *model.Snapshot) Axis {
	s, unsure := clock.Set(s)
	a := Axis{
		unsure:       unsure,
		Observations: s.Observations,
		Inputs:       slices.Clone(s.Inputs),
		Problems:     slices.Clone(s.Problems),
		CapturedAt:   s.CapturedAt,
		CapturedFrom: s.CapturedFrom,
		CapturedHow:  s.CapturedHow,
	}
	if !settled(a.Observations) {
		a.Observations = slices.Clone(a.Observations)
	}
	s = a.placeLogs(s)
	a.snapshot = s
	a.dateCollection(s)
	model.SortObservations(a.Observations)
	slices.SortStableFunc(a.Problems, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line, cmp.Compare(a.Message, b.Message))
	})
	a.Problems = slices.Compact(a.Problems) // clocks are compared again when the logs have their places
	return a
}

// Unordered reports that statements have no certain order: the clocks of their sources contradict one another, and cannot be set.
func (w *World) Unordered(list []*model.Observation) bool { return w.Axis.unsure.Between(list) }

// settled reports whether observations are in order, and none of them gets another time.
func settled(all []model.Observation) bool {
	moves := func(o model.Observation) bool { return o.Floating || pasted(&o) }
	return !slices.ContainsFunc(all, moves) && slices.IsSortedFunc(all, func(a, b model.Observation) int { return a.Compare(&b) })
}

// placeLogs puts the logs without year and zone onto the axis: first those that are dated themselves, then the others by these.
// A log that was placed by its year and zone alone may still have a clock that differs.
func (a *Axis) placeLogs(s *model.Snapshot) *model.Snapshot {
	index := newSightings(a.Observations)
	of := map[string][]*model.Observation{}
	for i := range a.Observations {
		of[a.Observations[i].Input] = append(of[a.Observations[i].Input], &a.Observations[i])
	}
	near := newNeighbours(s)
	var rest []*model.Input
	for i := range a.Inputs {
		in := &a.Inputs[i]
		if !in.Floating {
			in.Clock = explained(ownClock(*in, of[in.Path], index), in.Clock)
			near.learn(*in)
			continue
		}
		p, ok := itself(of[in.Path], index)
		if !ok {
			rest = append(rest, in)
			continue
		}
		a.Problems = append(a.Problems, p.contradict(s.Supplied, *in)...)
		near.placed(*in, p)
		settle(in, of[in.Path], p)
	}
	for _, in := range rest {
		p := place(*in, near)
		a.noYear, a.moved = a.noYear || in.To != nil && p.year == model.StandInYear, a.moved || p.zone != 0 || p.location != nil
		settle(in, of[in.Path], p)
		a.Problems = append(a.Problems, p.problems(*in)...)
	}
	if !slices.ContainsFunc(s.Inputs, func(in model.Input) bool { return in.Floating }) {
		return s
	}
	dated := *s
	dated.Observations, dated.Inputs, dated.Problems = a.Observations, a.Inputs, a.Problems
	set, unsure := clock.Set(&dated)
	a.unsure = unsure
	a.Observations, a.Inputs, a.Problems, a.CapturedAt = set.Observations, set.Inputs, set.Problems, set.CapturedAt
	return set
}

// settle moves the observations of a floating input, and its bounds, to their place.
func settle(in *model.Input, own []*model.Observation, p placement) {
	for _, o := range own {
		if o.Floating {
			o.At, o.Last, o.Floating = p.moment(o.At), p.moment(o.Last), false
		}
	}
	in.From, in.To, in.Floating, in.Clock = p.pointer(in.From), p.pointer(in.To), false, p.clock()
}

// newestSeen is the fallback for the collection time: nothing can be newer than the collection.
func newestSeen(all []model.Observation) *model.Moment {
	var newest model.Moment
	for _, o := range all {
		if o.Last.At.After(newest.At) {
			newest = o.Last
		}
	}
	if newest.IsZero() {
		return nil
	}
	newest = newest.As(model.Derived)
	return &newest
}
