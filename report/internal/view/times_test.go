package view

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// A beginning that nothing bounds is told without the years that the bound lies back; one of some days with them.
func TestBeginningWithoutBound(t *testing.T) {
	at := time.Date(2026, time.August, 1, 16, 10, 0, 0, time.UTC)
	open := model.Moment{At: at, Earliest: at.AddDate(-8, 0, 0), Latest: at, Basis: model.Assumed}
	to := model.Exactly(at.Add(10 * time.Minute))
	if got := Instant(open); got != "2026-08-01 16:10:00 UTC or earlier" {
		t.Error(got)
	}
	if got := Span(open.Until(to)); got != "10 min or longer" {
		t.Error(got)
	}
	if got := atLeast(open.Until(to)); got != "at least 10 min" {
		t.Error(got)
	}
	open.Earliest = at.AddDate(0, 0, -3)
	if got := Instant(open); got != "2026-08-01 16:10:00 UTC (−3 d +0 s)" {
		t.Error(got)
	}
	if got := Span(open.Until(to)); got != "10 min (10 min–3 d)" {
		t.Error(got)
	}
}
