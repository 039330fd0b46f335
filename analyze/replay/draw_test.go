package replay

import (
	"testing"

	"github.com/volpost/volpost/model"
)

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

// An act of which only bounds are known widens what follows from it, by as much; one with a time does not.
func TestDrawnActs(t *testing.T) {
	p := Plan{Acts: []Act{{Kind: ForceDeletePod, At: 100, Early: 10, Late: 20}, {Kind: ScaleUp, At: 50}}}
	for _, c := range []struct{ u, first, second float64 }{{0, 90, 50}, {0.5, 100, 50}, {1, 120, 50}} {
		if d := p.drawn(c.u); d.Acts[0].At != c.first || d.Acts[1].At != c.second {
			t.Errorf("at %v: %v", c.u, d.Acts)
		}
	}
	if p.Acts[0].At != 100 {
		t.Error("the plan itself was changed")
	}
}

// What may have come before a wait is how it began, unless it is known to have come after it.
func TestBegins(t *testing.T) {
	for _, c := range []struct {
		act  model.Range
		want bool
	}{{span(-5, 2, 10), true}, {span(1, 5, 16), false}, {span(-0.5, 0.2, 0.5), false}} {
		if begins(c.act, 0) != c.want {
			t.Errorf("%v: not %v", c.act, c.want)
		}
	}
}
