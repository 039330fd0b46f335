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
	unsure := unsureOf(contradicting)
	if len(offsets) == 0 && len(contradicting) == 0 {
		return s, unsure
	}
	set := *s
	set.Problems = slices.Clone(s.Problems)
	for i, o := range contradicting {
		told := func(of Offset) bool { return of.Own.Source == o.Other.Source && of.Other.Source == o.Own.Source }
		if !slices.ContainsFunc(contradicting[:i], told) {
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
		set.Problems = append(set.Problems, o.problem(true))
	}
	return &set, unsure
}

// Unsure are the sources whose clocks contradict the others, so that what they say has no certain order with what others say.
type Unsure map[Source]bool

func unsureOf(contradicting []Offset) Unsure {
	out := Unsure{}
	for _, o := range contradicting {
		out[o.Source] = true
	}
	return out
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
			unsure = unsure || u[s]
		}
	}
	return unsure && len(sources) > 1
}

// ahead is by how much a source's clock is ahead, and how uncertain that is.
func ahead(s Source, offsets []Offset) (d, uncertain time.Duration) {
	for _, o := range offsets {
		if o.Covers(s) {
			d, uncertain = d+o.Ahead, uncertain+o.Uncertainty
		}
	}
	return d, uncertain
}

// moved are the observations with their clocks set right. What has no date yet, or is placed by an age, is placed by others.
func moved(all []model.Observation, offsets []Offset) []model.Observation {
	out := slices.Clone(all)
	for i := range out {
		o := &out[i]
		source, ok := sourceOf(o)
		if !ok || o.Floating || o.At.IsZero() || o.Age != nil {
			continue
		}
		if d, uncertain := ahead(source, offsets); d != 0 {
			o.At, o.Last = shifted(o.At, d, uncertain), shifted(o.Last, d, uncertain)
		}
	}
	model.SortObservations(out)
	return out
}

func shifted(m model.Moment, d, uncertain time.Duration) model.Moment {
	if m.IsZero() {
		return m
	}
	return m.Shift(-d).Widen(uncertain, uncertain).As(model.Derived)
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
		d, uncertain := ahead(sources[0], offsets)
		same := !slices.ContainsFunc(sources, func(s Source) bool { other, _ := ahead(s, offsets); return other != d })
		if d == 0 || !same {
			continue
		}
		in.From, in.To = back(in.From, d), back(in.To, d)
		var c model.Clock
		if in.Clock != nil {
			c = *in.Clock
		}
		c.OffsetSeconds, c.OffsetUncertainty = -d.Seconds(), uncertain.Seconds()
		in.Clock = &c
	}
	return out
}

func back(t *time.Time, d time.Duration) *time.Time {
	if t == nil {
		return nil
	}
	u := t.Add(-d)
	return &u
}
