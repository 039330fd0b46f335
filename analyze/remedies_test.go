package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// remedyOf is what a report says of one remedy of an incident.
func remedyOf(i model.Incident, id string) string {
	n := slices.IndexFunc(i.Remediations, func(r model.Remediation) bool { return r.ID == id })
	if n < 0 {
		return "remedy " + id + " is not judged\n"
	}
	r := i.Remediations[n]
	var b strings.Builder
	fmt.Fprintf(&b, "remedy %s %s %s", id, r.Effect, r.Safety.State)
	if r.WasUsed {
		b.WriteString(" used")
	}
	if r.AppliedAt != nil {
		b.WriteString(" at=" + model.TimeOfDay(r.AppliedAt.At))
	}
	if r.PredictedEnd != nil {
		b.WriteString(" end=" + model.TimeOfDay(r.PredictedEnd.At))
	}
	if s := r.SavedSeconds; s != nil {
		fmt.Fprintf(&b, " saved=%.0f(%.0f–%.0f)", s.Best, s.Min, s.Max)
	}
	fmt.Fprintf(&b, " phases=%s\n", strings.Join(r.Phases, ","))
	if r.Why != "" {
		fmt.Fprintln(&b, "  "+r.Why)
	}
	for _, need := range r.Safety.Needs {
		fmt.Fprintf(&b, "  needs %s: %s\n", need.Met, need.Text)
	}
	for _, c := range r.Commands {
		fmt.Fprintln(&b, "  $ "+c)
	}
	return b.String()
}

// TestCasesOfRemedies: every remedy has a case in which it does something, or, where that is its nature, says why it does
// nothing, and a near miss in which it does not apply.
func TestCasesOfRemedies(t *testing.T) {
	count := map[string]int{}
	for _, c := range cases(t) {
		if c.remedy == "" {
			continue
		}
		name := c.name[strings.LastIndex(c.name, "/")+1:]
		word, _, _ := strings.Cut(name, "-")
		count[c.remedy+" "+word]++
		r := c.report(t)
		if len(r.Incidents) == 0 {
			t.Errorf("%s has no incident", c.name)
			continue
		}
		n := slices.IndexFunc(r.Incidents[0].Remediations, func(r model.Remediation) bool { return r.ID == c.remedy })
		if n < 0 {
			t.Errorf("%s is not judged", c.name)
			continue
		}
		if effect := r.Incidents[0].Remediations[n].Effect; !slices.Contains(outcomes[word], effect) {
			t.Errorf("%s: the effect is %s", c.name, effect)
		}
	}
	for _, r := range remedy.All() {
		for _, word := range []string{"yes", "no"} {
			if other := never[r.ID]; word == "yes" && other != "" {
				word = other
			}
			if count[r.ID+" "+word] == 0 {
				t.Errorf("%s has no case %s", r.ID, word)
			}
		}
	}
}

// outcomes are the effects that the first word of a case's name allows.
var outcomes = map[string][]string{
	"yes": {"shortens", "prevents", "lengthens"}, "no": {"not-applicable"}, "none": {"none"}, "undecidable": {"undecidable"},
}

// never are the remedies that never move a volume sooner, with what their first case is instead: fencing makes others safe,
// spreading changes how many volumes are hit, replicas of the controller do not keep its timer, and a pod that is made
// anew has no pause of the kubelet to skip. What a restart of the kubelet does, only its log would tell; when the storage lets an attach, nothing.
var never = map[string]string{
	"fence-node": "none", "topology-spread": "none", "controller-ha": "none", "recreate-new-pod": "none", "restart-kubelet": "undecidable",
	"fix-backend-attach": "undecidable",
}

// TestRemediesOfEveryIncident: every incident of every case has all remedies, each once, with savings in order that do not
// exceed the phases, and with a proof that is asked for wherever the safety is not given.
func TestRemediesOfEveryIncident(t *testing.T) {
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			if len(i.Remediations) != len(remedy.All()) {
				t.Errorf("%s: %d remedies", c.name, len(i.Remediations))
			}
			seen := map[string]bool{}
			for _, r := range i.Remediations {
				if seen[r.ID] {
					t.Errorf("%s: %s twice", c.name, r.ID)
				}
				seen[r.ID] = true
				checkRemediation(t, c.name, r, i.Phases)
			}
		}
	}
}

func checkRemediation(t *testing.T, name string, r model.Remediation, phases []model.Phase) {
	t.Helper()
	most := 0.0
	for _, p := range phases {
		if slices.ContainsFunc(r.Phases, func(id string) bool { return p.MayBe(model.PhaseID(id)) }) {
			most += p.Seconds.Max
		}
	}
	if s := r.SavedSeconds; s != nil && (s.Min > s.Best || s.Best > s.Max || s.Max > most+0.1) {
		t.Errorf("%s: %s saves %+v of %.1f s in %v", name, r.ID, *s, most, r.Phases)
	}
	helps := r.Effect == "shortens" || r.Effect == "prevents"
	if !helps && r.Why == "" {
		t.Errorf("%s: %s is %s and nothing says why", name, r.ID, r.Effect)
	}
	if helps && r.SavedSeconds != nil && r.SavedSeconds.Min < 0 {
		t.Errorf("%s: %s is said to help, and may be later: %+v", name, r.ID, *r.SavedSeconds)
	}
	if r.Effect == "not-applicable" || r.Effect == "undecidable" {
		return
	}
	open := slices.ContainsFunc(r.Safety.Needs, func(n model.Need) bool { return n.Met != "yes" })
	if open == (r.Safety.State == "safe") {
		t.Errorf("%s: %s is %s with the needs %+v", name, r.ID, r.Safety.State, r.Safety.Needs)
	}
	proof := len(r.Steps) == 0 && r.Kind == "preventive" || len(r.Steps) > 0 && r.Steps[0].Part == model.StepProve && (r.Kind == "reactive" ||
		strings.HasPrefix(r.Steps[0].Text, "make sure ") || strings.HasPrefix(r.Steps[0].Text, "verify "))
	if r.Safety.State != "safe" && !proof {
		t.Errorf("%s: %s is %s, and its steps do not begin with a proof: %q", name, r.ID, r.Safety.State, r.Steps)
	}
	for _, s := range r.Steps {
		if strings.Contains(s.Text, "kubectl ") {
			t.Errorf("%s: %s hides a command in the text of a step: %q", name, r.ID, s.Text)
		}
	}
}
