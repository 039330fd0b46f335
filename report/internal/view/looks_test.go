package view

import (
	"slices"
	"testing"

	"github.com/volpost/volpost/model"
)

// A command that decides is asked once, with what its answers mean, though the first option begins with it.
func TestLooksOnce(t *testing.T) {
	r := advised()
	in := &r.Incidents[0]
	in.Span.Open, in.MultiAttach.Ended = true, nil
	r.Verdict.Open = true
	look := model.NextStep{Decides: "whether n is lost", Command: "kubectl get node n", Answers: []model.NextAnswer{{If: "Ready", Then: "force nothing"}}}
	in.Advice.Now = []model.Option{{Title: "Find out", Anchor: model.AnchorCollection, Steps: []model.Step{
		{Part: model.StepProve, Text: "see whether n is lost", Command: look.Command},
		{Part: model.StepProve, Text: "is the machine off?", Command: "ping n"},
	}}}
	in.Next = []model.NextStep{look}
	var got []string
	for _, s := range New(r).Answer().Steps[0].List {
		got = append(got, s.Command)
		if s.Command == look.Command && len(s.Answers) == 0 {
			t.Errorf("%q has no answers", s.Command)
		}
	}
	if !slices.Equal(got, []string{"kubectl get node n", "ping n"}) {
		t.Errorf("%q", got)
	}
}
