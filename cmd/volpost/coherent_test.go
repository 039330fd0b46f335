package main

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/advice/advicetest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// coherent holds what is so of every report, of a whole bundle or a thin one: no interval is the wrong way round, no remedy saves in a
// phase that was over before its act, the advice is sound, and nothing is said to be missing that an input holds.
func coherent(t testing.TB, r *model.Report) {
	t.Helper()
	intervals(reflect.ValueOf(r), "report", func(path, why string) { t.Errorf("%s: %s", path, why) })
	if h, w := len(strings.Fields(r.Verdict.Headline)), len(strings.Fields(r.Verdict.Why)); h > 25 || w > 30 {
		t.Errorf("%d words, and %d: %s %s", h, w, r.Verdict.Headline, r.Verdict.Why)
	}
	for _, i := range r.Incidents {
		for _, why := range contradicted(r, i) {
			t.Errorf("%s: %s", i.ID, why)
		}
		for _, fault := range advicetest.Faults(i) {
			t.Errorf("%s: %s", i.ID, fault)
		}
		for _, p := range i.Phases {
			if p.To.At.Before(p.From.At) {
				t.Errorf("%s: phase %s ends before it begins", i.ID, p.ID)
			}
		}
		for _, m := range i.Remediations {
			for _, why := range savedTooEarly(i, m) {
				t.Errorf("%s: %s: %s", i.ID, m.ID, why)
			}
		}
		for _, text := range slices.Concat(missingTexts(i), sentencesOf(r, i)) {
			if in := heldAll(r, i, text); in != "" {
				t.Errorf("%s: %q, and %s holds it", i.ID, text, in)
			}
		}
	}
}

// contradicted says where an incident says two things of one matter: of a remedy that was used, of a cause and its remedy, of its length.
func contradicted(r *model.Report, i model.Incident) (out []string) {
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	done := func(id string) bool {
		return i.Advice != nil && slices.ContainsFunc(i.Advice.Done, func(d model.DoneAct) bool {
			return d.Remedy != nil && *d.Remedy == id && (d.Effect == model.ActEnded || d.Effect == model.ActShortened)
		})
	}
	surge := slices.ContainsFunc(i.Causes, func(c model.Cause) bool { return c.ID == model.CauseRolloutSurge && c.Verdict == model.Confirmed })
	for _, m := range i.Remediations {
		switch {
		case m.Effect == model.EffectNotApplicable && done(m.ID):
			fault("%s is not applicable, and was done: %s", m.ID, m.Why)
		case m.WasUsed && m.Effect == model.EffectShortens && m.SavedSeconds == nil && !strings.Contains(m.Why, "not have ended"):
			fault("%s was used and shortens, by no time: %s", m.ID, m.Why)
		case surge && m.ID == "recreate-strategy" && m.Effect == model.EffectNone:
			fault("a rollout that waits for itself, of which Recreate changes nothing: %s", m.Why)
		}
	}
	if i.ID == r.Verdict.Incident && r.Verdict.Status == model.StatusIncident {
		length := words.Seconds(i.Span.Seconds.Best)
		for _, said := range lasted.FindAllStringSubmatch(r.Verdict.Headline, -1) {
			if said[1] != length {
				fault("lasted %s, and the headline says: %s", length, r.Verdict.Headline)
			}
		}
	}
	return out
}

// lasted is how long a headline says that an incident lasted.
var lasted = regexp.MustCompile(`(?:down for(?: at least)?|took|waited) (\d+ \w+(?: \d+ \w+)?)(?: to move| to get| on |:| for )`)

var (
	momentType = reflect.TypeFor[model.Moment]()
	rangeType  = reflect.TypeFor[model.Range]()
)

// intervals visits every moment and range of a value, and every pair of moments that is called from and to.
func intervals(v reflect.Value, path string, wrong func(path, why string)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			intervals(v.Elem(), path, wrong)
		}
	case reflect.Slice:
		for n := range v.Len() {
			intervals(v.Index(n), fmt.Sprintf("%s[%d]", path, n), wrong)
		}
	case reflect.Struct:
		switch v.Type() {
		case momentType:
			if m := v.Interface().(model.Moment); !m.IsZero() && (m.Earliest.After(m.At) || m.At.After(m.Latest)) {
				wrong(path, fmt.Sprintf("%v ≤ %v ≤ %v does not hold", m.Earliest, m.At, m.Latest))
			}
		case rangeType:
			if g := v.Interface().(model.Range); g.Min > g.Best || g.Best > g.Max {
				wrong(path, fmt.Sprintf("%v ≤ %v ≤ %v does not hold", g.Min, g.Best, g.Max))
			}
		default:
			for n := range v.NumField() {
				if f := v.Type().Field(n); f.IsExported() {
					intervals(v.Field(n), path+"."+f.Name, wrong)
				}
			}
		}
	}
}

// leastSaving is the least change of a phase, in seconds, that a report tells.
const leastSaving = 5.0

// savedTooEarly says in which phases a remedy changes something before it is applied, or after the pod is Ready by it.
func savedTooEarly(i model.Incident, m model.Remediation) (out []string) {
	if m.AppliedAt == nil || m.WasUsed || len(m.PredictedPhases) == 0 {
		return nil
	}
	spent := func(list []model.Phase, id model.PhaseID) (sum float64) {
		for _, p := range list {
			if p.ID == id {
				sum += p.Seconds.Best
			}
		}
		return sum
	}
	for _, p := range i.Phases {
		over := p.To.Latest.Before(m.AppliedAt.Earliest) && p.ID != model.PhaseUndivided
		undivided := func(q model.Phase) bool { return slices.Contains(q.Undivided, p.ID) }
		// The replay has no attachment that came back: what the first deletion of it took is not in the predicted phases.
		if slices.ContainsFunc(m.PredictedPhases, undivided) || len(i.BlockingAttachment.Lives) > 1 && p.ID == model.PhaseDetach {
			continue
		}
		later := slices.ContainsFunc(i.Phases, func(q model.Phase) bool {
			return q.From.At.After(p.From.At) && (q.ID == p.ID || slices.Contains(q.Undivided, p.ID))
		})
		if d := spent(i.Phases, p.ID) - spent(m.PredictedPhases, p.ID); over && !later && d > leastSaving {
			out = append(out, fmt.Sprintf("saves %.0f s of %s, which was over at %v, by an act at %v", d, p.ID, p.To.At, m.AppliedAt.At))
		}
	}
	last := m.PredictedPhases[len(m.PredictedPhases)-1].To
	if m.PredictedEnd != nil && last.At.After(m.PredictedEnd.Latest.Add(30*time.Second)) {
		out = append(out, fmt.Sprintf("its phases end at %v, and it is over at %v", last.At, m.PredictedEnd.At))
	}
	return out
}

// missingTexts are the sentences of an incident about what the bundle lacks.
func missingTexts(i model.Incident) []string {
	var out []string
	for _, k := range i.Causes {
		out = append(append(out, k.Summary), k.Missing...)
	}
	if a := i.Advice; a != nil {
		for _, o := range slices.Concat(a.Now, a.Better, a.Prevent) {
			out = append(out, o.Why)
		}
	}
	for _, o := range i.WhyNotDetached {
		out = append(out, o.Text)
	}
	if i.Model != nil {
		out = append(out, i.Model.Withheld)
	}
	for _, m := range i.Remediations {
		out = append(out, m.Why)
	}
	return slices.DeleteFunc(out, func(text string) bool {
		return !saysMissing.MatchString(text) || strings.Contains(text, "does not say")
	})
}

// sentencesOf are what the verdict says of an incident to be missing.
func sentencesOf(r *model.Report, i model.Incident) []string {
	if r.Verdict.Incident != i.ID || !saysMissing.MatchString(r.Verdict.Why) {
		return nil
	}
	return []string{r.Verdict.Why}
}

// saysMissing are the words by which a sentence says that something is not there, absent those that name it as more of what is.
var saysMissing = regexp.MustCompile(`is not in the bundle|would (tell|say|show)|was not collected|neither .* nor`)

// sources are what a sentence can call missing, and what an input that has it looks like.
var sources = []struct {
	named *regexp.Regexp
	has   func(in model.Input, i model.Incident) bool
}{
	{regexp.MustCompile(`kube-controller-manager(?:'s)? log(?:s?$|[,;.])`), ofComponent("kube-controller-manager")},
	{regexp.MustCompile(`external-attacher(?:'s)? log(?:s?$|[,;.])`), ofComponent("external-attacher")},
	{regexp.MustCompile(`^the kubelet's log(?:$|[,;.])|kubelet's log of (?:the node that held|worker|node-a)`), func(in model.Input, i model.Incident) bool {
		return in.Kind == "log/kubelet" && i.From.Node != "" && strings.Contains(in.Path, i.From.Node)
	}},
	{regexp.MustCompile(`an audit log(?:$|[,;.])`), func(in model.Input, _ model.Incident) bool { return strings.Contains(in.Kind, "audit") }},
}

// ofComponent is an input that is the log of a component, which JSON tells by its kind alone.
func ofComponent(name string) func(model.Input, model.Incident) bool {
	return func(in model.Input, _ model.Incident) bool { return in.Kind == "log/"+name }
}

// heldAll names an input that has what a sentence says to be missing, over the whole of an incident.
func heldAll(r *model.Report, i model.Incident, text string) string {
	for _, s := range sources {
		if !s.named.MatchString(text) {
			continue
		}
		for _, in := range r.Bundle.Inputs {
			covers := in.From != nil && in.To != nil && !in.From.After(i.Span.From.Earliest) && !in.To.Before(i.Span.To.Latest)
			if s.has(in, i) && covers {
				return in.Path
			}
		}
	}
	return ""
}

// TestCoherent: the property finds what it is for.
func TestCoherent(t *testing.T) {
	at := func(s int) model.Moment { return model.Exactly(time.Date(2026, 3, 14, 10, 0, s, 0, time.UTC)) }
	turned := at(5)
	turned.Earliest = turned.Latest.Add(time.Second)
	found := 0
	intervals(reflect.ValueOf(model.Phase{From: at(1), To: turned, Seconds: model.Range{Best: 1}}), "phase", func(string, string) { found++ })
	if found != 2 { // the end, and a range of which the best is over the most
		t.Errorf("%d intervals are found to be wrong, not 2", found)
	}
	recreate := "recreate-strategy"
	twice := model.Incident{ID: "i-1", Span: model.Span{Seconds: model.Range{Best: 90}},
		Advice:       &model.Advice{Done: []model.DoneAct{{Remedy: &recreate, Effect: model.ActEnded}}},
		Causes:       []model.Cause{{ID: model.CauseRolloutSurge, Verdict: model.Confirmed}},
		Remediations: []model.Remediation{{ID: recreate, Effect: model.EffectNotApplicable}, {ID: recreate, Effect: model.EffectNone}, {ID: "x", WasUsed: true, Effect: model.EffectShortens}}}
	said := &model.Report{Verdict: model.ReportVerdict{Status: model.StatusIncident, Incident: "i-1", Headline: "prod/web was down for 2 min: its volume stayed"}}
	if got := contradicted(said, twice); len(got) != 4 {
		t.Errorf("four contradictions: %q", got)
	}
	said.Verdict.Headline, twice.Remediations, twice.Causes = "prod/web was down for 1 min 30 s: its volume stayed", nil, nil
	if got := contradicted(said, twice); got != nil {
		t.Errorf("none: %q", got)
	}
	release := model.Phase{ID: model.PhaseRelease, From: at(0), To: at(20), Seconds: model.Range{Best: 20}}
	sooner := model.Phase{ID: model.PhaseRelease, From: at(0), To: at(2), Seconds: model.Range{Best: 2}}
	act := at(30)
	saving := model.Remediation{AppliedAt: &act, PredictedPhases: []model.Phase{sooner}}
	if got := savedTooEarly(model.Incident{Phases: []model.Phase{release}}, saving); len(got) != 1 {
		t.Errorf("a saving in a phase that was over: %q", got)
	}
	act = at(10)
	if got := savedTooEarly(model.Incident{Phases: []model.Phase{release}}, saving); got != nil {
		t.Errorf("a saving in a phase that went on: %q", got)
	}
	began, end := at(0), at(50)
	log := model.Input{Path: "a.log", Kind: "log/external-attacher", From: &began.At, To: &end.At}
	i := model.Incident{Span: model.Span{From: at(10), To: at(40)}}
	r := &model.Report{Bundle: model.Bundle{Inputs: []model.Input{log}}}
	if heldAll(r, i, "the external-attacher's log, which would tell") == "" {
		t.Error("a log that is there is not found")
	}
	if heldAll(r, i, "the external-attacher's log at -v=4, which would tell") != "" {
		t.Error("more of a log is taken for the log")
	}
}
