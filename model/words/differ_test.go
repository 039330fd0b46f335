package words

import "testing"

// TestDiffer: a text that is not known differs from none.
func TestDiffer(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{{"a", "b", true}, {"a", "a", false}, {"", "b", false}, {"a", "", false}, {"", "", false}} {
		if Differ(row.a, row.b) != row.want {
			t.Errorf("%q and %q: not %v", row.a, row.b, row.want)
		}
	}
}
