package recordings

import (
	"slices"
	"testing"
)

// TestTurn: over four of a list every way has its turn once, and the long tests try all of them with each.
func TestTurn(t *testing.T) {
	ways := []int{0, 1, 2, 3, 4, 5}
	var tried []int
	for n := range 4 {
		due := Turn(n, ways)
		if Long && !slices.Equal(due, ways) {
			t.Errorf("%d: %v", n, due)
		}
		tried = append(tried, due...)
	}
	if slices.Sort(tried); !Long && !slices.Equal(tried, ways) {
		t.Errorf("over four of a list these are tried: %v", tried)
	}
	if got := Sweep(ways); !Long && !slices.Equal(got, []int{0, 4}) {
		t.Errorf("every fourth is %v", got)
	}
	if got := Turn(9, ways); !Long && !slices.Equal(got, []int{1, 5}) {
		t.Errorf("the tenth of a list tries %v", got)
	}
}
