package analyze_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// ofRisk is what a report says of the risk and the side effects of a remedy, for the cases.
func ofRisk(i model.Incident, rest string) string {
	id, _, _ := strings.Cut(rest, " ")
	for _, r := range i.Remediations {
		if r.ID == id {
			return fmt.Sprintf("risk %s %s %s", id, orDash(r.DataRisk), orDash(strings.Join(r.SideEffects, "; ")))
		}
	}
	return "risk " + id + " is not judged"
}

// TestRiskOfEveryIncident: over all cases and samples, what is said of the data and what is said of the service agree with the
// rest of the report.
func TestRiskOfEveryIncident(t *testing.T) {
	seen := map[string]int{}
	look := func(name string, r *model.Report) {
		for _, fault := range riskFaults(r) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, i := range r.Incidents {
			for _, m := range i.Remediations {
				seen[m.DataRisk]++
			}
		}
	}
	for _, c := range cases(t) {
		look(c.name, c.report(t))
	}
	for _, s := range recordings.Sweep(samples.List()) {
		if testing.Short() && s.Name != "shared-claim" && s.Name != "rollout-surge" {
			continue
		}
		look(s.Name, sampleReport(t, s.Name))
	}
	for _, class := range remedy.Risks() {
		if seen[class] == 0 {
			t.Errorf("no remedy of any incident has the risk %s, so that nothing is shown of it", class)
		}
	}
}

// riskFaults are the contradictions of a report in what it says of its remedies' risks.
func riskFaults(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			for _, text := range slices.Concat(disagrees(m), silent(m), serving(i, m)) {
				out = append(out, i.ID+", "+m.ID+": "+text)
			}
		}
	}
	return out
}

// disagrees compares the risk for the data with the conditions of safety.
func disagrees(m model.Remediation) []string {
	if m.Effect == "not-applicable" {
		return nil
	}
	allowed := map[string][]string{"safe": {"none"}, "not-proven": {"none-once-proven", "possible"},
		"unsafe": {"possible", "certain"}}[m.Safety.State]
	if !slices.Contains(allowed, m.DataRisk) {
		return []string{fmt.Sprintf("the risk for the data is %q, and it is %s", m.DataRisk, m.Safety.State)}
	}
	return nil
}

// stopping are the first words of commands that stop what may run.
var stopping = []string{"kubectl delete ", "kubectl scale ", "kubectl taint ", "kubectl drain ", "kubectl rollout restart "}

// silent finds commands that stop something without a word of what.
func silent(m model.Remediation) []string {
	for _, c := range m.Commands {
		if slices.ContainsFunc(stopping, func(word string) bool { return strings.HasPrefix(c, word) }) && len(m.SideEffects) == 0 {
			return []string{"no side effect of " + c}
		}
	}
	for _, text := range m.SideEffects {
		if text == "" || strings.HasSuffix(text, ".") {
			return []string{fmt.Sprintf("%q is no short text", text)}
		}
	}
	return nil
}

// serving finds a deletion of a pod that runs, on a shared claim, of which the report says that it helps although the pod's
// owner makes another.
func serving(i model.Incident, m model.Remediation) []string {
	if m.ID != "delete-old-pod" || m.Effect == "not-applicable" || m.WasUsed || i.Workload == nil || i.Causes[0].ID != "shared-claim" {
		return nil
	}
	if m.Effect == "shortens" {
		return []string{"it helps to delete the pod that runs, and " + i.Workload.Kind + " " + i.Workload.String() + " would make it again"}
	}
	return nil
}

// TestRiskFaultsAreFound spoils what a sound report says.
func TestRiskFaultsAreFound(t *testing.T) {
	sound := func() *model.Report { return sampleReport(t, "shared-claim") }
	if faults := riskFaults(sound()); len(faults) > 0 {
		t.Fatal(faults)
	}
	for name, spoil := range map[string]func(*model.Remediation){
		"the risk is left out":                 func(m *model.Remediation) { m.DataRisk = "" },
		"the risk is certain of a safe remedy": func(m *model.Remediation) { m.DataRisk = "certain" },
		"it is unsafe without a risk":          func(m *model.Remediation) { m.Safety.State = "unsafe" },
		"a command without its side effect": func(m *model.Remediation) {
			m.SideEffects, m.Commands = nil, []string{"kubectl scale deployment/x"}
		},
		"an empty side effect":                    func(m *model.Remediation) { m.SideEffects = []string{""} },
		"the deletion of the pod that runs helps": func(m *model.Remediation) { m.Effect = "shortens" },
	} {
		r := sound()
		list := r.Incidents[0].Remediations
		n := slices.IndexFunc(list, func(m model.Remediation) bool { return m.ID == "delete-old-pod" })
		spoil(&list[n])
		if len(riskFaults(r)) == 0 {
			t.Errorf("%s, and nothing finds it", name)
		}
	}
}
