package recordings

import (
	"slices"
	"testing"
)

// TestTurn: over six of a list every way has its turn once, and over three of it in the long tests, which go through whole lists.
func TestTurn(t *testing.T) {
	ways := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	var tried []int
	for n := range turns {
		tried = append(tried, Turn(n, ways)...)
	}
	if slices.Sort(tried); !slices.Equal(tried, ways) {
		t.Errorf("over %d of a list these are tried: %v", turns, tried)
	}
	if got := Turn(2*turns+1, ways); !slices.Equal(got, Turn(1, ways)) {
		t.Errorf("a later one of the list tries %v", got)
	}
	if got := Sweep(ways); Long != slices.Equal(got, ways) || !Long && !slices.Equal(got, []int{0}) {
		t.Errorf("the list has become %v", got)
	}
}
