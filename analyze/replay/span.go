package replay

import (
	"math"

	"github.com/volpost/volpost/model"
)

// never is the time of what does not happen.
var never = math.Inf(1)

// Span is a duration, or an instant on the scenario's axis, in seconds: at least Lo, at most Hi, best estimate Best.
type Span struct{ Lo, Best, Hi float64 }

// exactly is a span without uncertainty.
func exactly(s float64) Span { return Span{s, s, s} }

// at is the value at a position u of [0, 1]: as often below the best estimate as above it, and evenly on either side.
func (s Span) at(u float64) float64 {
	if s.Lo == never || s.Hi == s.Lo {
		return s.Lo
	}
	if u < 0.5 {
		return s.Lo + 2*u*(s.Best-s.Lo)
	}
	return s.Best + (2*u-1)*(s.Hi-s.Best)
}

// Known reports that the span lies in finite time.
func (s Span) Known() bool { return !math.IsInf(s.Best, 0) && !math.IsNaN(s.Best) }

// Param is a span that the model uses, with how it is known.
type Param struct {
	Span
	Basis   model.Basis
	Why     string // one phrase: where the value comes from
	Witness []*model.Observation
}

func assumed(lo, best, hi float64, why string) Param {
	return Param{Span: Span{lo, best, hi}, Basis: model.Assumed, Why: why}
}
