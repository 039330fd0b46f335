package view

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

func TestCommandStepsOfOldReports(t *testing.T) {
	for _, c := range []struct {
		commands []string
		want     string
	}{
		{[]string{"# Before: is it off?", "kubectl get node n", "kubectl taint node n k=v", "# After: undo.", "kubectl taint node n k=v-"},
			"prove: Before: is it off? → kubectl get node n | act: Taint → kubectl taint node n k=v | after: After: undo → kubectl taint node n " +
				"k=v-"},
		{[]string{"# Before: is it off?", "kubectl taint node n k=v"}, "prove: Before: is it off? →  | act: Taint → kubectl taint node n k=v"},
		{[]string{"# In the pod template:", "tolerations: [{tolerationSeconds: 30}]"},
			"act: In the pod template tolerations: [{tolerationSeconds: 30}] → "},
		{nil, ""},
	} {
		var got []string
		for _, s := range commandSteps(RemedyView{Name: "Taint", Remediation: model.Remediation{Commands: c.commands}}) {
			got = append(got, string(s.Part)+": "+s.Text+" → "+s.Command)
		}
		if text := strings.Join(got, " | "); text != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.commands, text, c.want)
		}
	}
}

// An incident has one length, its span, a hand-over too: in the chip as in the headline.
func TestLasted(t *testing.T) {
	at := func(s int) model.Moment { return model.Exactly(time.Date(2026, 3, 14, 10, 0, s, 0, time.UTC)) }
	ended := at(20)
	in := model.Incident{Causes: []model.Cause{{ID: "handover"}}}
	in.MultiAttach.Began, in.MultiAttach.Ended = at(10), &ended
	in.Span.StartsAt, in.Span.Seconds.Best = "deletion", 17
	for cause, want := range map[string]string{"handover": "17 s", "node-down": "17 s"} {
		in.Causes[0].ID = cause
		if got := LastedText(in); got != want {
			t.Errorf("%s: %s, want %s", cause, got, want)
		}
	}
}
