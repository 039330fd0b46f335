package redact

import "testing"

// TestPseudonymsAreToldApart: the first names of a kind differ in all that is not the kind, so that nobody mixes two of them up.
func TestPseudonymsAreToldApart(t *testing.T) {
	for n, want := range []string{"nodeaa", "nodebb", "nodecc", "nodedd"} {
		if got := pseudonym(word, 6, n, "node"); got != want {
			t.Errorf("name %d is %s, want %s", n, got, want)
		}
	}
	for _, c := range []struct {
		class  class
		length int
		hint   string
	}{{word, 3, "app"}, {word, 8, "name"}, {word, 20, "node"}, {hashed, 5, ""}} {
		for n := range 20 {
			for m := range n {
				one, other := pseudonym(c.class, c.length, n, c.hint), pseudonym(c.class, c.length, m, c.hint)
				same := 0
				for i := range one {
					if one[i] == other[i] {
						same++
					}
				}
				if kind := max(0, min(len(c.hint), c.length-2)); same != kind || len(one) != c.length {
					t.Errorf("%s and %s are alike", one, other)
				}
			}
		}
	}
	seen := map[string]bool{}
	for n := range 2000 { // those that are there already are passed over
		seen[pseudonym(word, 6, n, "node")] = true
	}
	if len(seen) < 1900 {
		t.Errorf("2000 names have %d pseudonyms", len(seen))
	}
}
