package analyze_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// findings writes down the findings of one check in full, and the IDs of the others.
func findings(r *model.Report, id string) string {
	var b strings.Builder
	quotes := map[string]model.Evidence{}
	for _, e := range r.Evidence {
		quotes[e.ID] = e
	}
	var others []string
	for _, f := range r.Findings {
		if f.ID != id {
			others = append(others, f.ID)
			continue
		}
		fmt.Fprintf(&b, "finding %s %s", f.ID, f.Severity)
		for _, o := range f.Objects {
			b.WriteString(" " + shortHashes(o.Key()))
		}
		fmt.Fprintf(&b, "\n  %s\n  remedy: %s\n  quotes", shortHashes(f.Text), shortHashes(f.Remedy))
		for _, e := range f.Evidence {
			fmt.Fprintf(&b, " %s:%d", quotes[e].Source.Path, quotes[e].Source.Line)
		}
		b.WriteString("\n")
	}
	if len(others) > 0 {
		fmt.Fprintln(&b, "also", strings.Join(others, " "))
	}
	return b.String()
}

var fullHash = regexp.MustCompile(`csi-([0-9a-f]{8})[0-9a-f]{56}`)

func shortHashes(s string) string { return fullHash.ReplaceAllString(s, "csi-$1") }

// TestChecks: every check has its titles and its remedy. TestDocs holds what the page says of it.
func TestChecks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range check.All() {
		if seen[c.ID] {
			t.Errorf("two checks are called %s", c.ID)
		}
		seen[c.ID] = true
		if !slices.Contains([]string{"info", "warning", "critical"}, c.Severity) {
			t.Errorf("%s: severity %q", c.ID, c.Severity)
		}
		if c.Title == "" || strings.HasSuffix(c.Title, ".") {
			t.Errorf("%s: title %q", c.ID, c.Title)
		}
		if strings.HasSuffix(c.Remedy, ".") == strings.HasSuffix(strings.TrimSuffix(c.Remedy, "."), "'") || c.Remedy == "" {
			t.Errorf("%s: Remedy is neither a sentence nor ends in a command: %q", c.ID, c.Remedy)
		}
		for _, n := range c.Needs {
			if n.What == "" || n.Command == "" || n.Met == nil {
				t.Errorf("%s: need %+v", c.ID, n)
			}
		}
	}
}

// TestCasesOfChecks: the folder of a case is the check that it is about, and the beginning of its name is what must come
// out: yes finds something, no finds nothing although the check could look, and unmet lacks what the check needs.
func TestCasesOfChecks(t *testing.T) {
	count := map[string]int{}
	for _, c := range cases(t) {
		if c.check == "" {
			continue
		}
		name := c.name[strings.LastIndexByte(c.name, '/')+1:]
		answer, _, _ := strings.Cut(name, "-")
		count[c.check+" "+answer]++
		i := slices.IndexFunc(check.All(), func(k check.Check) bool { return k.ID == c.check })
		if i < 0 {
			t.Errorf("%s: there is no check of that name", c.name)
			continue
		}
		found := slices.ContainsFunc(c.report(t).Findings, func(f model.Finding) bool { return f.ID == c.check })
		unmet := check.All()[i].Unmet(facts.NewWorld(c.snapshot(t)))
		if found != (answer == "yes") || len(unmet) > 0 != (answer == "unmet") {
			t.Errorf("%s: found %v, needs not met %v", c.name, found, unmet)
		}
	}
	for _, c := range check.All() {
		for _, answer := range []string{"yes", "no", "unmet"} {
			if count[c.ID+" "+answer] == 0 && (answer != "unmet" || len(c.Needs) > 0) {
				t.Errorf("testdata/check/%s has no case %s*.txtar", c.ID, answer)
			}
			delete(count, c.ID+" "+answer)
		}
	}
	for left := range count {
		t.Errorf("cases of %q: no check or no answer of that name", left)
	}
}
