package replay

import "testing"

// The recordings hold the starts of containers that waited long: 371.5 s and 493.5 s after the first try, and rounds of
// the pod worker of 133 s.
func TestNextTry(t *testing.T) {
	for _, c := range []struct{ start, t, want float64 }{
		{0, 0, 0}, {0, 0.1, 0.5}, {0, 8, 15.5}, {0, 64, 127.5}, {0, 127.5, 127.5}, {0, 128, 249.5}, {0, 366, 371.5}, {0, 427, 493.5},
		{100, 50, 100}, {100, 130, 131.5},
	} {
		if got := nextTry(c.start, c.t); got != c.want {
			t.Errorf("nextTry(%v, %v) = %v, want %v", c.start, c.t, got, c.want)
		}
	}
}

func TestStepAt(t *testing.T) {
	for _, c := range []struct{ elapsed, want float64 }{{-5, 0.5}, {0, 0.5}, {8, 8}, {64, 64}, {127, 64}, {128, 122}, {1000, 122}} {
		if got := stepAt(c.elapsed); got != c.want {
			t.Errorf("stepAt(%v) = %v, want %v", c.elapsed, got, c.want)
		}
	}
}

func TestNextRound(t *testing.T) {
	for _, c := range []struct{ start, t, want float64 }{{0, 122, 122}, {0, 127.5, 133}, {0, 134, 134}, {10, 266, 266}, {10, 267, 276}, {50, 10, 10}} {
		if got := nextRound(c.start, c.t); got != c.want {
			t.Errorf("nextRound(%v, %v) = %v, want %v", c.start, c.t, got, c.want)
		}
	}
}

// Draws that left a part of a loop out would make ranges too narrow.
func TestDrawsFillEachLoop(t *testing.T) {
	all := draws()
	for d := range dims {
		var tenth [10]int
		for i := range all {
			tenth[min(int(all[i][d]*10), 9)]++
		}
		for n, hits := range tenth {
			if hits < 3 {
				t.Errorf("dimension %d: %d of %d draws in tenth %d", d, hits, Draws, n)
			}
		}
	}
}
