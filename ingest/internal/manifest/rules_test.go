package manifest

import (
	"strings"
	"testing"
)

// TestMayBeAnchored: only what stands where an anchor can stand keeps the items of a list together.
func TestMayBeAnchored(t *testing.T) {
	for in, want := range map[string]bool{"a: &x 1": true, "- &x 1": true, "a: b\n- c: &y\n": true, "a & b: &z": true, "a: & x": false, "a: &\n": false,
		`a: &"x`: false,
		"a: &'x": false, "a: &": false, "a:&x": false, "a: b&c": false, "&x": false, ": &x": true, " &x": false, "a: x & y": false, "": false} {
		if got := anchored([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// TestMayCost: what is not even nearly a number of many digits, or with an exponent, is not looked at further.
func TestMayCost(t *testing.T) {
	for in, want := range map[string]bool{"": false, "a": false, ":": false, "12": false, "12Mi": false, "1" + strings.Repeat("0", 998): false,
		"1" + strings.Repeat("0", 1500): true, "1e9999999": true, "1E9999999": true, "-1.5e9999999": true, "1e999999": false, "1e9": false, "e99999": false} {
		if got := mayCost(in); got != want {
			t.Errorf("%.20s, %d bytes: %v", in, len(in), got)
		}
	}
}

// TestItemsOfASequence cuts a block sequence at its dashes.
func TestItemsOfASequence(t *testing.T) {
	for _, c := range []struct {
		raw, want string
		most, end int
		ok        bool
	}{
		{"- a\n- b\n", "- a\n|- b\n", 9, 8, true},
		{"  - a\n    b\n  - c\nd: 1\n", "  - a\n    b\n|  - c\n", 9, 18, true},
		{"- a\n# x\n\n- b\n", "- a\n# x\n\n|- b\n", 9, 13, true},
		{"  - a\n- b\n", "  - a\n", 9, 6, true},
		{"-\n  a\n- b\n", "-\n  a\n|- b\n", 9, 10, true},
		{"-a\n", "", 9, 0, false},
		{"[a]\n", "", 9, 0, false},
		{"\n", "", 9, 1, false},
		{"- a\n-b\n", "- a\n", 9, 4, true},
		{"- a\n- b\n- c\n- d\n", "- a\n|- b\n", 1, 16, true},
	} {
		items, end, ok := splitItems([]byte(c.raw), 0, 1, c.most)
		var parts []string
		for _, it := range items {
			parts = append(parts, string(it.raw))
			if want := 1 + strings.Count(c.raw[:strings.Index(c.raw, string(it.raw))], "\n"); it.line != want {
				t.Errorf("%q: line %d, want %d", c.raw, it.line, want)
			}
		}
		if got := strings.Join(parts, "|"); got != c.want || end != c.end || ok != c.ok {
			t.Errorf("%q: %q up to %d, %v", c.raw, got, end, ok)
		}
	}
}
