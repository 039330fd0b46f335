package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/model"
)

// unknownCause is the one that stands for none.
const unknownCause = "unknown"

// TestCauses: every cause has its titles. TestDocs holds what the page says of it. That none of the schema is gone, TestSchemaOnlyGrows and TestDocs hold.
func TestCauses(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cause.All() {
		if seen[c.ID] {
			t.Errorf("two causes are called %s", c.ID)
		}
		seen[c.ID] = true
		for _, title := range []string{c.Title, c.Label, c.Group} {
			if title == "" || strings.HasSuffix(title, ".") {
				t.Errorf("%s: title %q", c.ID, title)
			}
		}
		if strings.Count(c.Group, "%s") != 1 || strings.Count(c.Group, "%") != 1 {
			t.Errorf("%s: the title of a group names no node: %q", c.ID, c.Group)
		}
		if c.Check == nil {
			t.Errorf("%s has no check", c.ID)
		}
	}
}

// TestCasesOfCauses: the folder of a case is the cause that it is about, and the beginning of its name is what must come
// out. A yes establishes the cause, a no does not mention it as established, and where the decisive evidence was left out
// nothing may be established in its stead.
func TestCasesOfCauses(t *testing.T) {
	count := map[string]int{}
	for _, c := range cases(t) {
		folder, name, _ := strings.Cut(c.name, "/")
		if folder == "story" || c.check != "" || c.remedy != "" {
			continue
		}
		verdict, _, _ := strings.Cut(name, "-")
		count[folder+" "+verdict]++
		r := c.report(t)
		if len(r.Incidents) == 0 {
			t.Errorf("%s has no incident", c.name)
		}
		for _, i := range r.Incidents {
			checkVerdict(t, c.name, folder, verdict, i.Causes)
			if slices.ContainsFunc(i.Causes, func(c model.Cause) bool { return c.Label == "" }) {
				t.Errorf("%s: a cause has no label: %+v", c.name, i.Causes)
			}
		}
	}
	for _, c := range cause.All() {
		for _, verdict := range []string{"yes", "no", "undecidable"} {
			if count[c.ID+" "+verdict] == 0 {
				t.Errorf("testdata/%s has no case %s*.txtar", c.ID, verdict)
			}
			delete(count, c.ID+" "+verdict)
		}
	}
	for left := range count {
		t.Errorf("cases of %q: no cause or no verdict of that name", left)
	}
}

func checkVerdict(t *testing.T, name, id, verdict string, causes []model.Cause) {
	t.Helper()
	definite := slices.ContainsFunc(causes, func(c model.Cause) bool { return c.ID == id && c.Verdict != model.Undecidable })
	first := causes[0]
	if id == unknownCause {
		definite = first.ID == unknownCause
	}
	switch verdict {
	case "yes":
		if !definite {
			t.Errorf("%s: %s is not established: %s", name, id, first.Summary)
		}
	case "no":
		if definite {
			t.Errorf("%s: %s is established: %s", name, id, first.Summary)
		}
	case "undecidable":
		if first.ID != unknownCause || len(first.Missing) == 0 {
			t.Errorf("%s: %s is established, or nothing is said to be missing: %s", name, first.ID, first.Summary)
		}
	}
}
