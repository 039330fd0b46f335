package analyze_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/analyze/check"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model/words"
)

// TestDocs keeps the pages of what volpost explain prints in step with the code: their tables, and what in their sections follows from it;
// -update writes that anew. What else they say is written there, in sentences, of each cause, check and remedy.
func TestDocs(t *testing.T) {
	for name, text := range map[string]string{"causes.md": causesPage(t), "checks.md": checksPage(t), "remedies.md": remediesPage(t)} {
		have, err := os.ReadFile("../docs/" + name)
		switch {
		case err != nil:
			t.Error(err)
		case *small.Update:
			if err := os.WriteFile("../docs/"+name, []byte(text), 0o644); err != nil {
				t.Error(err)
			}
		case string(have) != text:
			t.Errorf("docs/%s is not what follows from the code now; make docs writes it", name)
		}
	}
}

// explains are the parts of a section, in their order. Those with a function follow from the code, the others are written in the page.
type explains []struct {
	heading string
	of      func(id string) string
}

func causesPage(t *testing.T) string {
	return explainedPage(t, "causes.md", "| cause | |\n|---|---|\n", analyze.Causes(), explains{
		{"Symptom", nil}, {"Mechanism", nil}, {"Decided by", nil}, {"Refuted by", nil}, {"What helped", nil}, {"References", nil}})
}

func checksPage(t *testing.T) string {
	known := map[string]check.Check{}
	for _, c := range check.All() {
		known[c.ID] = c
	}
	return explainedPage(t, "checks.md", "| check | severity | |\n|---|---|---|\n", analyze.Checks(), explains{
		{"What it says", nil}, {"Decided by", nil}, {"Left alone", nil},
		{"What to do", func(id string) string { return known[id].Remedy }},
		{"Needs", func(id string) string {
			var b strings.Builder
			for _, n := range known[id].Needs {
				fmt.Fprintf(&b, "- %s (`%s`)\n", n.What, n.Command)
			}
			return b.String()
		}},
		{"References", nil}})
}

func remediesPage(t *testing.T) string {
	known := map[string]remedy.Remedy{}
	for _, r := range remedy.All() {
		known[r.ID] = r
	}
	return explainedPage(t, "remedies.md", "| remedy | kind | |\n|---|---|---|\n", analyze.Remedies(), explains{
		{"What it does", nil}, {"What it does not", nil}, {"Risk", nil}, {"Data risk", nil}, {"Side effects", nil},
		{"Phases", func(id string) string {
			var phases []string
			for _, p := range known[id].Phases {
				phases = append(phases, string(p))
			}
			return wrapped(cmp.Or(strings.Join(phases, ", "), "None: it shortens no phase."))
		}},
		{"Kubernetes", func(id string) string { return wrapped(known[id].Kubernetes) }},
		{"Comes after", func(id string) string { return strings.Join(known[id].After, ", ") }},
		{"References", func(id string) string { return "- " + strings.Join(known[id].References, "\n- ") }}})
}

// explainedPage is a page of what volpost explain prints: its table, and in each section what follows from the code, are made anew.
func explainedPage(t *testing.T, name, head string, entries []analyze.Entry, parts explains) string {
	have, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(have), head)
	if !ok {
		t.Fatalf("docs/%s has no table", name)
	}
	var table, sections strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&table, "| [%s](#%s) | %s%s |\n", e.ID, e.ID, words.If(e.Kind != "", e.Kind+" | "), e.Title)
		_, section, _ := strings.Cut(string(have), "\n## "+e.ID+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		fmt.Fprintf(&sections, "\n## %s\n\n**%s", e.ID, e.Title+words.If(e.Kind == "", ".**")+words.If(e.Kind != "", "** ("+e.Kind+").")+"\n")
		for _, part := range parts {
			_, text, written := strings.Cut(section, "\n### "+part.heading+"\n")
			text, _, _ = strings.Cut(text, "\n### ")
			if part.of != nil {
				text = part.of(e.ID)
			} else if text = strings.TrimSpace(text); e.ID != "unknown" && (!written || part.heading != "References" && !strings.HasSuffix(text, ".")) {
				t.Errorf("docs/%s: %q of %s is no sentence: %q", name, part.heading, e.ID, text)
			}
			if text = strings.TrimSpace(text); text != "" {
				fmt.Fprintf(&sections, "\n### %s\n%s\n", part.heading, text)
			}
		}
	}
	return before + head + table.String() + sections.String()
}

// wrapped breaks a text where its page breaks.
func wrapped(text string) string { return strings.Join(words.Wrap("", "", text, 118), "\n") }
