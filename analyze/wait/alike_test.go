package wait

import "testing"

// TestAlike: two names are alike when all before the last hyphen is the same, and both ends are of the form that one owner gives.
func TestAlike(t *testing.T) {
	digit := func(s string) bool { return s == "0" || s == "1" }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"set-0", "set-1", true},
		{"set-0", "set-0", true},
		{"a-set-0", "a-set-1", true},
		{"set-0", "get-1", false},
		{"a-set-0", "b-set-1", false},
		{"set-0", "set-x", false},
		{"set-x", "set-0", false},
		{"set", "set", false},
		{"set-0", "set", false},
		{"0", "1", false},
		{"-0", "-1", false},
		{"", "", false},
	} {
		if got := alike(c.a, c.b, digit); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
	if anything := func(string) bool { return true }; alike("set", "get", anything) || !alike("a-b", "a-c", anything) {
		t.Error("names without an end are alike, or two of one beginning are not")
	}
}
