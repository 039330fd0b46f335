package report

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// The answer tells of the incident that the headline is about, and of no other.
func TestAnswerIsOfTheHeadline(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	a := newView(r).Answer()
	if a.Incident == nil || a.Incident.ID != "i1" {
		t.Fatal("the answer is of another incident than the headline")
	}
	sum := 0.0
	for _, p := range a.Bar {
		sum += p.Share
	}
	if sum < 0.999 || sum > 1.001 {
		t.Errorf("the bar's shares add up to %f", sum)
	}
	if a.Chip == "" || a.Headline == "" || len(a.Act) == 0 {
		t.Errorf("the answer lacks something: %+v", a)
	}
}

func TestCommandStepsOfOldReports(t *testing.T) {
	r := remedyView{Name: "Taint", Remediation: model.Remediation{Commands: []string{"# Before: is it off?", "kubectl get node n", "kubectl taint node n k=v", "# After: undo.", "kubectl taint node n k=v-"}}}
	prove, act, after := stepsOf(r)
	var got []string
	for _, list := range [][]step{prove, act, after} {
		got = append(got, "|")
		for _, s := range list {
			got = append(got, s.Text+" → "+s.Command)
		}
	}
	want := "| Before: is it off? → kubectl get node n | Taint → kubectl taint node n k=v | After: undo → kubectl taint node n k=v-"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("steps:\n%s\nwant:\n%s", text, want)
	}
}
