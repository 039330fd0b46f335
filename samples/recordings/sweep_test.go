package recordings

import (
	"slices"
	"testing"
)

// TestTurn: over six of a list every way has its turn once, and the long tests try all of them with each.
func TestTurn(t *testing.T) {
	ways := []int{0, 1, 2, 3, 4, 5, 6, 7}
	var tried []int
	for n := range 6 {
		due := Turn(n, ways)
		if Long && !slices.Equal(due, ways) {
			t.Errorf("%d: %v", n, due)
		}
		tried = append(tried, due...)
	}
	if slices.Sort(tried); !Long && !slices.Equal(tried, ways) {
		t.Errorf("over six of a list these are tried: %v", tried)
	}
	if got := Sweep(ways); !Long && !slices.Equal(got, []int{0, 6}) {
		t.Errorf("every sixth is %v", got)
	}
	if got := Turn(13, ways); !Long && !slices.Equal(got, []int{1, 7}) {
		t.Errorf("the fourteenth of a list tries %v", got)
	}
}
