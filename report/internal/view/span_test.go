package view

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

func TestInstant(t *testing.T) {
	base := time.Date(2026, 11, 21, 6, 12, 32, 164_000_000, time.UTC)
	for _, c := range []struct {
		in   model.Moment
		want string
	}{
		{model.Exactly(base), "2026-11-21 06:12:32.164 UTC"},
		{model.WholeSecond(base), "2026-11-21 06:12:32 UTC"},
		{model.Between(base, base.Add(4*time.Second)), "2026-11-21 06:12:34 UTC ± 2 s"},
		{model.Exactly(base).Widen(0, 5*time.Second), "2026-11-21 06:12:32 UTC (−0 s +5 s)"},
		{model.Moment{}, "unknown"},
		{model.Exactly(model.T.Add(373 * time.Second)).As(model.Assumed), "T+6m13s"},
		{model.Exactly(model.T).As(model.Assumed).Widen(8*time.Second, time.Second), "T+0s (−8 s +1 s)"},
		{model.Exactly(base.AddDate(model.StandInYear-2026, 0, 0)).As(model.Assumed), "Nov 21 06:12:32.164"},
		{model.WholeSecond(base.AddDate(model.StandInYear-2026, 0, 0)).As(model.Derived), "Nov 21 06:12:32"},
		{model.Exactly(base.AddDate(model.StandInYear-2026, 0, 0)), "2000-11-21 06:12:32.164 UTC"}, // by a clock that was never set
	} {
		if got := Instant(c.in); got != c.want {
			t.Errorf("instant(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		in   model.Range
		want string
	}{
		{model.Range{Best: 420.1, Min: 419.9, Max: 420.3}, "7 min"},
		{model.Range{Best: 420.1, Min: 420.1, Max: 420.1}, "7 min"},
		{model.Range{Best: 420.1, Min: 420.12, Max: 420.14}, "7 min"},
		{model.Range{Best: 0.007, Min: 0.007, Max: 0.007}, "7 ms"},
		{model.Range{}, "0 s"},
		{model.Range{Best: 28, Min: -92, Max: 30}, "28 s (−1 min 32 s to 30 s)"},
		{model.Range{Best: 59.96, Min: 59.96, Max: 59.96}, "1 min"},
		{model.Range{Best: 3725.4, Min: 3725.4, Max: 3725.4}, "1 h 2 min"},
		{model.Range{Best: 3599.96, Min: 3599.96, Max: 3599.96}, "1 h"},
		{model.Range{Best: 200000, Min: 200000, Max: 200000}, "2 d 7 h"},
	} {
		if got := Span(c.in); got != c.want {
			t.Errorf("span(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

// A stack has the letter of the phase in the middle of each column, "~" up to the latest end, and ">" where the wait went on.
func TestStackLine(t *testing.T) {
	parts := []StackPart{{Letter: "e", From: 0, To: 0.5}, {Letter: "r", From: 0.5, To: 0.75}}
	for _, c := range []struct {
		in   Stack
		want string
	}{
		{Stack{Parts: parts, End: 0.75, Late: 0.75}, "eeeerr  "},
		{Stack{Parts: parts, End: 0.75, Late: 1}, "eeeerr~~"},
		{Stack{Parts: parts, End: 0.75, Late: 0.75, Open: true}, "eeeer>  "},
		{Stack{Parts: parts, End: 0.001, Late: 0.001}, "e       "},
		{Stack{End: 0.5, Late: 0.5}, "····    "},
	} {
		if got := c.in.Line(8); got != c.want {
			t.Errorf("%+v is drawn %q, want %q", c.in, got, c.want)
		}
	}
}
