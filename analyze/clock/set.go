package clock

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Set is a snapshot whose sources' clocks are set right, as far as what they share tells it, with an account of it in its Inputs and
// Problems, and the inputs whose clocks contradict others and cannot be set. The snapshot that it is given stays as it is.
func Set(s *model.Snapshot) (*model.Snapshot, Unsure) {
	offsets, contradicting := Offsets(s, s.Observations)
	unsure := Unsure(contradicting)
	if len(offsets) == 0 && len(contradicting) == 0 {
		return s, nil
	}
	set := *s
	set.Problems = slices.Clone(s.Problems)
	for i, o := range contradicting {
		told := func(of Offset) bool { return of.Own.Source == o.Other.Source && of.Other.Source == o.Own.Source }
		if o.Pairs > 0 && !slices.ContainsFunc(contradicting[:i], told) {
			set.Problems = append(set.Problems, o.problem(false))
		}
	}
	if len(offsets) == 0 {
		return &set, unsure
	}
	set.Observations = moved(s.Observations, offsets)
	moveObjects(&set, offsets)
	set.Inputs = account(&set, offsets)
	for _, o := range offsets {
		if o.Stream == collected {
			at := moveOf(Source{Stream: collected}, offsets).of(*set.CapturedAt)
			set.CapturedAt = &at
		}
		if !o.Doubtful || o.Stream == collected {
			set.Problems = append(set.Problems, o.problem(true))
		}
	}
	return &set, unsure
}

// Unsure are the sources whose clocks contradict the others, so that what they say has no certain order with what others say.
type Unsure []Offset

func (u Unsure) holds(s Source) bool {
	return slices.ContainsFunc(u, func(o Offset) bool { return o.Covers(s) })
}

// Between reports that statements have no certain order: they are of several sources, and the clock of one of these is unsure.
func (u Unsure) Between(list []*model.Observation) bool {
	if len(u) == 0 {
		return false
	}
	sources, unsure := map[Source]bool{}, false
	for _, o := range list {
		if s, ok := sourceOf(o); ok && !o.At.IsZero() {
			sources[s] = true
			unsure = unsure || u.holds(s)
		}
	}
	return unsure && len(sources) > 1
}

// move is what sets a time right: it was so much before what it says, and surely no more than early before and late after that.
type move struct{ back, early, late time.Duration }

// moveOf is what sets a source's times right. Where the clock is doubtful, what it says may be true as well.
func moveOf(s Source, offsets []Offset) (m move) {
	for _, o := range offsets {
		if !o.Covers(s) {
			continue
		}
		m = move{m.back + o.Ahead, m.early + o.Uncertainty, m.late + o.Uncertainty}
		if o.Doubtful {
			m.early, m.late = m.early+max(-o.Ahead, 0), m.late+max(o.Ahead, 0)
		}
	}
	return m
}

// moved are the observations with their clocks set right. What has no date yet, or is placed by an age, is placed by others.
func moved(all []model.Observation, offsets []Offset) []model.Observation {
	out := slices.Clone(all)
	for i := range out {
		o := &out[i]
		source, ok := sourceOf(o)
		if !ok || !Timed(o) {
			continue
		}
		if m := moveOf(source, offsets); m.back != 0 {
			o.At, o.Last = m.of(o.At), m.of(o.Last)
		}
	}
	model.SortObservations(out)
	return out
}

func (m move) of(t model.Moment) model.Moment {
	if t.IsZero() {
		return t
	}
	return t.Shift(-m.back).Widen(m.early, m.late).As(model.Derived)
}

// account says of each input whose times were all moved, by how much.
func account(s *model.Snapshot, offsets []Offset) []model.Input {
	of := map[string][]Source{}
	note := func(input string, source Source) {
		if !slices.Contains(of[input], source) {
			of[input] = append(of[input], source)
		}
	}
	for i := range s.Observations {
		if source, ok := sourceOf(&s.Observations[i]); ok {
			note(s.Observations[i].Input, source)
		}
	}
	out := slices.Clone(s.Inputs)
	for i := range out {
		in := &out[i]
		sources := of[in.Path]
		if len(sources) == 0 {
			continue
		}
		m := moveOf(sources[0], offsets)
		if m.back == 0 || slices.ContainsFunc(sources, func(s Source) bool { return moveOf(s, offsets) != m }) {
			continue
		}
		for _, t := range []**time.Time{&in.From, &in.To} {
			if *t != nil {
				*t = new(shifted(**t, -m.back))
			}
		}
		var c model.Clock
		if in.Clock != nil {
			c = *in.Clock
		}
		c.OffsetSeconds, c.OffsetUncertainty = -m.back.Seconds(), max(m.early, m.late).Seconds()
		in.Clock = &c
	}
	return out
}

// shifted is a time later by a duration; none stays none.
func shifted(t time.Time, by time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(by)
}
