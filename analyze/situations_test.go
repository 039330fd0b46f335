package analyze_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// TestSituations: what people paste gets the answer that its situation allows, and not more. One archive has them all, under another name than
// the cases, which the packages of analyze read as a bundle each.
func TestSituations(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "situations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	wants, pasted := map[string]string{}, map[string]fstest.MapFS{}
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if file == "want" {
			names, pasted[name] = append(names, name), fstest.MapFS{}
			_, wants[name], _ = strings.Cut(string(f.Data), "\n") // the first line is a comment
			continue
		}
		pasted[name][file] = &fstest.MapFile{Data: f.Data}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s, err := ingest.Read(t.Context(), ingest.OpenFS(pasted[name], name), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := analyze.Run(t.Context(), s, caseOptions)
			var causes []string
			for _, i := range r.Incidents {
				for _, c := range i.Causes {
					causes = append(causes, c.ID+" "+string(c.Verdict))
				}
			}
			if causes == nil {
				causes = []string{"no cause"}
			}
			got := fmt.Sprintf("%s: %s\n%s\n", r.Verdict.Status, strings.Join(causes, ", "), r.Verdict.Headline)
			if strings.Count(wants[name], "\n") > 2 { // the reason, too
				got += r.Verdict.Why + "\n"
			}
			if strings.Count(wants[name], "\n") > 3 { // and what to do now
				got += advised(r.Incidents[0].Advice) + "\n"
			}
			if strings.Count(wants[name], "\n") > 4 { // and what prevents the next
				got += "Prevents: " + r.Incidents[0].Advice.Prevent[0].Title + "\n"
			}
			if got != wants[name] {
				t.Errorf("got\n%swant\n%s", got, wants[name])
			}
		})
	}
}

// advised is what to do now, or for a wait that is over what would have been better, and what prevents the next.
func advised(a *model.Advice) string {
	if len(a.Now) > 0 {
		return begins(a.Now[0])
	}
	better := "nothing"
	if len(a.Better) > 0 {
		better = begins(a.Better[0])
	}
	return "Better: " + better + "; prevents: " + a.Prevent[0].Title
}

// begins is an option with its commands that act, else those that look.
func begins(o model.Option) string {
	for _, part := range []model.StepPart{model.StepAct, model.StepProve} {
		var list []string
		for _, s := range o.Steps {
			if s.Part == part {
				list = append(list, cmp.Or(s.Command, s.Text))
			}
		}
		if list != nil {
			return o.Title + ": " + strings.Join(list, "; ")
		}
	}
	return o.Title
}
