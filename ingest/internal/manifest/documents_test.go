package manifest

import (
	"slices"
	"testing"
)

// TestDocumentsWithoutSeparator: a key that comes again begins a document behind an apiVersion only; else its first place counts.
func TestDocumentsWithoutSeparator(t *testing.T) {
	for _, c := range []struct {
		text  string
		kinds []string
	}{
		{"kind: A\nkind: B\napiVersion: v1\n", []string{"A"}},
		{"apiVersion: v1\nkind: A\nkind: B\n", []string{"A", "B"}},
		{"apiVersion: v1\nkind: A\napiVersion: v1\nkind: B\n", []string{"A", "B"}},
	} {
		var got []string
		for d := range documents([]byte(c.text)) {
			got = append(got, d.keys["kind"].value)
		}
		if !slices.Equal(got, c.kinds) {
			t.Errorf("%q: %q, want %q", c.text, got, c.kinds)
		}
	}
}
