package words

import (
	"math"
	"testing"
	"time"
)

func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0 s"}, {0.0004, "1 ms"}, {0.007, "7 ms"}, {0.049, "49 ms"}, {0.05, "0.1 s"}, {2, "2 s"}, {9.94, "9.9 s"}, {9.95, "10 s"}, {59.4,
			"59 s"}, {59.96, "1 min"},
		{60, "1 min"}, {300, "5 min"}, {481.3, "8 min 1 s"}, {3599.4, "59 min 59 s"}, {3599.96, "1 h"}, {3725.4, "1 h 2 min"}, {86399,
			"23 h 59 min"},
		{86400, "1 d"}, {200000, "2 d 7 h"}, {-92, "−1 min 32 s"}, {-0.2, "−0.2 s"}, {math.NaN(), "very long"}, {math.Inf(1),
			"very long"}, {2e10, "very long"},
	} {
		if got := Seconds(c.in); got != c.want {
			t.Errorf("Seconds(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	if got := Whole(8.6); got != "9 s" {
		t.Errorf("Whole(8.6) = %q", got)
	}
	if got := Duration(122 * time.Second); got != "2 min 2 s" {
		t.Errorf("Duration(122 s) = %q", got)
	}
}

// What volpost cannot read as a duration is quoted.
func TestSpelled(t *testing.T) {
	for in, want := range map[string]string{"6m0s": "6 min", "50.413192762s": "50 s", "0s": "0 s", "300 s": "5 min",
		"5 min by default": "5 min by default", "300": "300", "": "", "soon": "soon"} {
		if got := Spelled(in); got != want {
			t.Errorf("Spelled(%q) = %q, want %q", in, got, want)
		}
	}
}
