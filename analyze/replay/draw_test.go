package replay

import "testing"

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
