package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestFailoverNamedAside: a new leader in the wait is named also where it lengthened nothing, as the last of the causes, with
// what speaks against it or what is missing, and it is never what the report answers.
func TestFailoverNamedAside(t *testing.T) {
	wanted := map[string]string{
		"controller-failover/no-nothing-released":             "goes on using the volume, so that no timer was running",
		"controller-failover/no-before-the-release":           "the old pod was released only after that",
		"controller-failover/no-old-attachment-being-deleted": "",
	}
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			if first := i.Causes[0]; first.ID == "controller-failover" && first.Verdict == model.Undecidable {
				t.Errorf("%s: the answer is a cause that explains nothing: %s", c.name, first.Summary)
			}
			n := slices.IndexFunc(i.Causes, func(k model.Cause) bool { return k.ID == "controller-failover" })
			want, ok := wanted[c.name]
			if !ok {
				continue
			}
			delete(wanted, c.name)
			if n != len(i.Causes)-1 {
				t.Errorf("%s: the takeover is cause %d of %d", c.name, n+1, len(i.Causes))
				continue
			}
			k := i.Causes[n]
			if k.Verdict != model.Undecidable || !strings.Contains(k.Summary, want) || len(k.For) == 0 || len(k.Against)+len(k.Missing) == 0 {
				t.Errorf("%s: %+v", c.name, k)
			}
		}
	}
	for name := range wanted {
		t.Errorf("no case %s, or no incident in it", name)
	}
}
