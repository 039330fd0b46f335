package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// junitResults is what a CI server reads.
type junitResults struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string  `xml:"name,attr"`
			Class   string  `xml:"classname,attr"`
			Skipped *string `xml:"skipped"`
			Error   *string `xml:"error"`
			Failure *string `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func junit(t *testing.T, r *model.Report) junitResults {
	t.Helper()
	text := render(t, "junit", r)
	var out junitResults
	if err := xml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// The counts are those of the cases, and no case has two outcomes.
func TestJUnitCounts(t *testing.T) {
	for _, f := range fixtures() {
		out, tests, failures, errors := junit(t, f.report), 0, 0, 0
		for _, s := range out.Suites {
			failed, erred, skipped := 0, 0, 0
			tests, failures, errors = tests+s.Tests, failures+s.Failures, errors+s.Errors
			for _, c := range s.Cases {
				outcomes := 0
				for result, count := range map[*string]*int{c.Error: &erred, c.Failure: &failed, c.Skipped: &skipped} {
					if result != nil {
						outcomes++
						*count++
					}
				}
				if outcomes > 1 || c.Name == "" || c.Class == "" {
					t.Errorf("%s: %+v", f.name, c)
				}
			}
			if len(s.Cases) != s.Tests || failed != s.Failures || erred != s.Errors || skipped != s.Skipped {
				t.Errorf("%s: %s counts wrong", f.name, s.Name)
			}
		}
		if out.Tests != tests || out.Failures != failures || out.Errors != errors || tests == 0 {
			t.Errorf("%s: the sums are wrong", f.name)
		}
	}
}

// A bundle that could not have shown an incident never looks like success; what it cannot answer is skipped.
func TestJUnitOutcomes(t *testing.T) {
	if out := junit(t, bare()); out.Errors != 1 {
		t.Errorf("nothing could be read, and %d errors", out.Errors)
	}
	if out := junit(t, none()); out.Errors+out.Failures != 0 {
		t.Errorf("a clean report fails: %+v", out)
	}
	r := rich()
	r.Incidents[1].Causes = []model.Cause{{ID: "handover", Summary: "An ordinary hand-over."}}
	r.Inspection = []model.InspectionItem{{ID: "a", Question: "A?", Answer: "yes", Findings: []string{"known"}},
		{ID: "b", Question: "B?", Answer: "cannot-tell"}, {ID: "c", Question: "C?", Answer: "no"},
		{ID: "d", Question: "D?", Answer: "of a later version"}}
	r.Findings = []model.Finding{{ID: "known", Severity: "critical"}, {ID: "new", Severity: "warning", Title: "New"},
		{ID: "mild", Severity: "info", Title: "Mild"}}
	out := junit(t, r)
	if out.Failures != 4 || len(out.Suites) != 3 || out.Suites[0].Failures != 2 || out.Suites[1].Failures != 1 || out.Suites[1].Tests != 2 ||
		out.Suites[2].Skipped != 2 {
		t.Errorf("%+v", out)
	}
	text := render(t, "junit", r)
	if !strings.Contains(text, "Multi-Attach lasted 7 min 6 s") || strings.Contains(text, "&#xA;") {
		t.Error("the failure does not tell the wait, or is not readable")
	}
}
