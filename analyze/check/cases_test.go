package check_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

func read(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
}

// TestCases: each case of a check finds what its file wants, in full of the check that it is about. Their other lines are of package analyze.
func TestCases(t *testing.T) {
	for _, c := range cases.Reader("../testdata/check", read)() {
		archive, err := txtar.ParseFile("../testdata/check/" + c.Name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == cases.Wanted })
		want := string(archive.Files[i].Data)
		if n := regexp.MustCompile(`(?m)^(finding [^:\n]*\n|also )`).FindStringIndex(want); n != nil {
			want = want[n[0]:]
		} else {
			want = ""
		}
		id, _, _ := strings.Cut(c.Name, "/")
		var l evidence.Ledger
		w := facts.NewWorld(c.Snapshot)
		if got := described(check.Findings(w, cases.Waits(w), &l), l.All(), id); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", c.Name, got, want)
		}
	}
}

// TestSituations: of what people paste a check finds a fault where the answer is one, the headline's, and none of an answer that is green or open.
func TestSituations(t *testing.T) {
	archive, err := txtar.ParseFile("../testdata/situations.txt")
	if err != nil {
		t.Fatal(err)
	}
	wants, pasted := map[string][]string{}, map[string]fstest.MapFS{}
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if file == "want" {
			wants[name], pasted[name] = strings.Split(string(f.Data), "\n"), fstest.MapFS{}
			continue
		}
		pasted[name][file] = &fstest.MapFile{Data: f.Data}
	}
	for name, want := range wants {
		s, err := read(pasted[name])
		if err != nil {
			t.Fatal(err)
		}
		w := facts.NewWorld(s)
		list := check.Findings(w, cases.Waits(w), &evidence.Ledger{})
		n := slices.IndexFunc(list, func(f model.Finding) bool { return f.Severity != string(model.Info) })
		status, _, _ := strings.Cut(want[1], ":")
		switch {
		case status == "incident", status == "handover", strings.Contains(want[2], "author writes"), strings.HasPrefix(want[1], "fault: handover"):
		case n < 0 != (status != "fault"):
			t.Errorf("%s is %s: %+v", name, want[1], list)
		case n >= 0 && !strings.Contains(list[n].Text, middle(want[2], 3)) && !strings.Contains(list[n].Text, middle(want[2], 5)):
			t.Errorf("%s: %s is not told by %s", name, want[2], list[n].Text)
		}
	}
}

// middle are two words of a headline, behind the names that it has otherwise than a finding.
func middle(text string, n int) string {
	words := strings.Fields(text)
	return strings.Join(words[min(n, len(words)-1):min(n+2, len(words))], " ")
}

// described writes down the findings of one check in full, and the IDs of the others, as package analyze does.
func described(list []model.Finding, quotes []model.Evidence, id string) string {
	var b strings.Builder
	var others []string
	for _, f := range list {
		if f.ID != id {
			others = append(others, f.ID)
			continue
		}
		fmt.Fprintf(&b, "finding %s %s", f.ID, f.Severity)
		for _, o := range f.Objects {
			b.WriteString(" " + o.Key())
		}
		fmt.Fprintf(&b, "\n  %s\n  remedy: %s\n  quotes", f.Text, f.Remedy)
		for _, id := range f.Evidence {
			e := quotes[slices.IndexFunc(quotes, func(e model.Evidence) bool { return e.ID == id })]
			fmt.Fprintf(&b, " %s:%d", e.Source.Path, e.Source.Line)
		}
		b.WriteString("\n")
	}
	if len(others) > 0 {
		fmt.Fprintln(&b, "also", strings.Join(others, " "))
	}
	return regexp.MustCompile(`csi-([0-9a-f]{8})[0-9a-f]{56}`).ReplaceAllString(b.String(), "csi-$1")
}
