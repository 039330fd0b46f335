package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

func TestTimeOfDayAndDateTime(t *testing.T) {
	for _, c := range []struct {
		at           time.Time
		clock, stamp string
	}{
		{model.T, "T+0s", "T+0s"},
		{model.T.Add(6*time.Minute + 13*time.Second), "T+6m13s", "T+6m13s"},
		{model.T.Add(11*time.Second + 870*time.Millisecond), "T+12s", "T+12s"},
		{model.T.Add(-40 * time.Millisecond), "T+0s", "T+0s"},
		{model.T.Add(-870 * time.Millisecond), "T−0.9s", "T−0.9s"},
		{model.T.Add(-time.Hour - 2*time.Second), "T−1h0m2s", "T−1h0m2s"},
		{model.T.Add(-12 * 365 * 24 * time.Hour), "T−4380d0h0m", "T−4380d0h0m"},
		{model.T.Add(25*time.Hour + 2*time.Minute + time.Second), "T+1d1h2m", "T+1d1h2m"},
		{time.Date(model.StandInYear, 11, 22, 9, 24, 42, 0, time.UTC), "09:24:42", "Nov 22 09:24:42"},
		{time.Date(model.StandInYear+1, 1, 1, 0, 0, 2, 0, time.UTC), "00:00:02", "Jan 1 00:00:02"},
		{time.Date(model.StandInYear-1, 12, 31, 23, 0, 2, 0, time.UTC), "23:00:02", "Dec 31 23:00:02"},
		{time.Date(2026, 11, 22, 9, 24, 42, 0, time.FixedZone("", 3600)), "08:24:42", "2026-11-22 08:24:42"},
		{time.Unix(12, 0), "00:00:12", "1970-01-01 00:00:12"},
	} {
		if clock, stamp := model.TimeOfDay(c.at), model.DateTime(c.at); clock != c.clock || stamp != c.stamp {
			t.Errorf("%s is written %q and %q, want %q and %q", c.at, clock, stamp, c.clock, c.stamp)
		}
		if zoned := strings.HasSuffix(model.Stamp(c.at), " UTC"); zoned != strings.HasPrefix(c.stamp, "20") && c.at.Year() != 1970 {
			t.Errorf("%s is written %q", c.at, model.Stamp(c.at))
		}
	}
}

// A clock that was never set may say 2000: what a source says is no stand-in.
func TestObservedIsDated(t *testing.T) {
	m := model.Exactly(time.Date(model.StandInYear, 1, 1, 0, 0, 12, 0, time.UTC))
	if got := m.Missing(); got != "" {
		t.Errorf("an observed moment lacks its %s", got)
	}
	if got := m.As(model.Derived).Missing(); got != model.NoYear {
		t.Errorf("a moment that no source has lacks %q", got)
	}
}
