package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
)

// TestFault: since when a fault lasts is told while it is open, and how long where the collection's time is known; its steps are for now then.
func TestFault(t *testing.T) {
	since, at := second(0), second(90)
	assumed, observed := at, at
	assumed.Basis, observed.Basis = model.Assumed, model.Observed
	for _, c := range []struct {
		open     bool
		captured *model.Moment
		want     string
	}{
		{true, &observed, "FAULT · 1 min 30 s at the collection|since 2026-03-14 10:00:00 UTC|DO NOW"},
		{true, &assumed, "FAULT|since 2026-03-14 10:00:00 UTC|DO NOW, IF IT IS STILL SO"}, {true, nil, "FAULT|since 2026-03-14 10:00:00 UTC|DO NOW, IF IT IS STILL SO"},
		{false, &observed, "FAULT||TO DO"},
	} {
		r := &model.Report{Findings: []model.Finding{{Severity: "info", ID: "x"}, {Severity: "warning", ID: "y", Since: &since,
			Objects: []model.Ref{{Kind: "Pod", Name: "a"}, {Kind: "Pod", Name: "b"}}}}}
		r.Verdict.Status, r.Verdict.Open, r.Bundle.CapturedAt = model.StatusFault, c.open, c.captured
		r.Verdict.Headline, r.Verdict.Shown = "Pod a is stuck.", []string{"pod a", "Node n"}
		a := New(r).Answer()
		if got := strings.Join([]string{a.Chip, a.When, a.Tense}, "|"); got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
		if got := a.AboutLabel() + ": " + strings.Join(a.About, "; "); got != "Objects: Pod a; Pod b; Node n" && got != "Objects: Pod a; Pod b; pod a; Node n" {
			t.Errorf("about %q", got)
		}
	}
}

// TestBanners: of what could not be read the first is named.
func TestBanners(t *testing.T) {
	r := &model.Report{}
	r.Bundle.Problems = []model.Problem{{Severity: model.Warning, Path: "w", Message: "odd"}, {Severity: model.Failure, Path: "a", Message: "torn"},
		{Severity: model.Failure, Path: "b", Message: "worse"}}
	r.Bundle.StandIn = &model.StandIn{Means: "T is now."}
	if got := New(r).banners(); strings.Join(got, "|") != "2 inputs could not be read: a: torn|T is now." {
		t.Errorf("%q", got)
	}
	r.Bundle.Unreadable = []model.Unreadable{{Path: "a", Why: "denied"}}
	if got := New(r).banners(); len(got) != 2 || !strings.HasPrefix(got[0], "1 path of the bundle") {
		t.Errorf("%q", got)
	}
}

// TestNoCommand: that nothing can be run is said of an open incident alone, with the reason.
func TestNoCommand(t *testing.T) {
	of := func(name, command string) []StepBlock {
		return []StepBlock{{Name: name, List: []Todo{{Text: "x", Command: command}}}}
	}
	in := &IncidentView{}
	for _, c := range []struct {
		a    Answer
		want string
	}{
		{Answer{Open: true, Incident: in, Steps: of("Act", "")}, "No command is given: a name that it needs is not known."},
		{Answer{Open: true, Incident: in, Steps: of("Prove", "")}, "No command is given: no remedy is known to end this wait now. The report says of each why."},
		{Answer{Open: true, Incident: in, Steps: of("Act", "kubectl")}, ""}, {Answer{Incident: in}, ""}, {Answer{Open: true}, ""},
	} {
		if got := c.a.NoCommand(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestIgnored: files that gave nothing are named where there are few, each with the reason.
func TestIgnored(t *testing.T) {
	inputs := []model.Input{{Path: "d/empty", Kind: model.InputEmpty}, {Path: "d/odd", Kind: model.InputIgnored}, {Path: "d/said", Kind: model.InputText},
		{Path: "d/used", Kind: model.InputText, Used: 1}, {Path: "d/log", Kind: "log"}}
	r := &model.Report{}
	r.Bundle.Inputs = inputs
	r.Bundle.Problems = []model.Problem{{Path: "d/odd", Severity: model.Failure, Message: "torn"}, {Path: "d/odd", Severity: model.Info, Message: "a picture"}}
	if got := strings.Join(New(r).ignored(), "|"); got != "d/empty: it is empty|d/odd: a picture|d/said: nothing in it is output of Kubernetes that is read" {
		t.Error(got)
	}
	r.Bundle.Unreadable = []model.Unreadable{{Path: "d/odd"}}
	if got := New(r).ignored(); len(got) != 2 {
		t.Errorf("%q", got)
	}
	r.Bundle.Inputs = append(inputs, model.Input{Path: "d/more"})
	if got := New(r).ignored(); got != nil {
		t.Errorf("%q", got)
	}
}

// TestFired: the alerts of an incident are those that fired for it, the earliest first, each name once, and none of the popular rules.
func TestFired(t *testing.T) {
	r, id, other := advised(), "i", "other"
	fires := func(s float64, of *string) model.Firing { return model.Firing{From: second(s).At, Incident: of} }
	r.Alerts = []model.Alert{{Name: "late", Firings: []model.Firing{fires(1, nil), fires(2, &other), fires(300, &id), fires(310, &id)}},
		{Name: "early", Firings: []model.Firing{fires(200, &id)}}, {Name: "late", Firings: []model.Firing{fires(400, &id)}},
		{Name: "popular", Origin: "seed", Firings: []model.Firing{fires(100, &id)}}}
	in := New(r).Incident[0]
	var got []string
	for _, f := range in.alertsFired() {
		got = append(got, f.name+ClockAt(f.at))
	}
	if strings.Join(got, " ") != "early10:03:20 late10:05:00" {
		t.Errorf("%q", got)
	}
	var rows []string
	for _, m := range in.Milestones(9) {
		rows = append(rows, m.Time+" "+m.Text)
	}
	if strings.Join(rows, "|") != "10:01:40 Node n was deleted, by an unknown user|10:03:20 Alert early would have fired|10:05:00 Alert late would have fired" {
		t.Errorf("%q", rows)
	}
	var marks []string
	for _, m := range in.Advice().Curve.Marks {
		marks = append(marks, fmt.Sprint(m.Letter, " ", m.Kind, " ", m.At, " ", m.Row))
	}
	want := "A option 10:01:40 0|B done 10:01:40 1|C alert 10:03:20 0|D alert 10:05:00 0|E end 10:10:00 0"
	if strings.Join(marks, "|") != want || !strings.HasSuffix(in.Advice().Curve.Spoken(), "10:10:00 as it was: "+in.Span.Word()+" 10 min.") {
		t.Errorf("%q: %s", marks, in.Advice().Curve.Spoken())
	}
}

// TestOperands: when a condition got and lost its value, and the one that decided first.
func TestOperands(t *testing.T) {
	r := advised()
	at, later := second(10), second(20)
	at.Basis, later.Basis = model.Observed, model.Derived
	r.Incidents[0].WhyNotDetached = []model.Operand{{Operand: "a", Value: model.True, Since: &at, Until: &later}, {Operand: "b", Value: model.False, Until: &later},
		{Operand: "c", Value: model.Unknown, Until: &later, Decides: true}, {Operand: "d", Value: model.False, Since: &at, Until: &later}}
	var got []string
	for _, o := range New(r).Incident[0].WhyDecidingFirst() {
		got = append(got, strings.ReplaceAll(o.Question+" "+o.Answer+" "+o.When, "2026-03-14 ", ""))
	}
	const since, until = "since 10:00:10.000 UTC (observed)", "until 10:00:20.000 UTC (derived)"
	want := []string{"c unknown " + until, "a yes " + since + " " + until, "b no not " + until, "d no " + since + " " + until}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestLives: what is known of an attachment's moments, and that an object that is there had none of them yet.
func TestLives(t *testing.T) {
	at := second(0)
	of := func(l model.AttachmentLife, again bool) string {
		return strings.Join(Each(lifeFacts(New(&model.Report{}), l, again), func(f Fact) string { return f.Name + ": " + f.Value }), "|")
	}
	unknown := "unknown: nothing in the bundle tells, or it did not happen"
	if got := of(model.AttachmentLife{}, false); got != "Created: "+unknown+"|Deletion requested: "+unknown+"|Gone: "+unknown {
		t.Error(got)
	}
	got := of(model.AttachmentLife{UID: "u", DeletionRequestedAt: &at, ByHand: model.True}, true)
	if got != "Created again: "+unknown+"|Deletion requested: 2026-03-14 10:00:00.000 UTC, by another actor than the attach/detach controller|Gone: not when the object was collected" {
		t.Error(got)
	}
}

// TestDrawnRemedies: three remedies at most are drawn, those whose phases are predicted.
func TestDrawnRemedies(t *testing.T) {
	r := advised()
	in := &r.Incidents[0]
	in.Advice = nil
	grace := in.Remediations[0]
	bare := grace
	bare.PredictedPhases = nil
	in.Remediations = []model.Remediation{bare, grace, grace, grace, grace}
	numbers := Each(New(r).Incident[0].Story().Remedies.Helps, func(v RemedyView) int { return v.Number })
	if !slices.Equal(numbers, []int{1, 2, 3, 0, 0}) {
		t.Errorf("%v", numbers)
	}
}

// TestWords: phases and commands in words.
func TestWordsOfPhases(t *testing.T) {
	several := model.Phase{ID: model.PhaseUndivided, Undivided: []model.PhaseID{"a", "b", "c"}}
	if got := PhaseLabel(several) + "|" + PhaseName(several); got != "a, b or c, which the evidence does not tell apart|undivided (a to c)" {
		t.Error(got)
	}
	if got := strings.Join(ShellLines(`kubectl get 'a b' "c d"`, 14), "|"); got != `kubectl get \|  'a b' \|  "c d"` {
		t.Error(got)
	}
	at := second(1).At
	if got := FromTo(nil, &at) + FromTo(&at, nil) + FromTo(&at, &at); got != ", from 2026-03-14 10:00:01 to 2026-03-14 10:00:01 UTC" {
		t.Error(got)
	}
	zoned := model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 1, time.FixedZone("x", 3600)))
	if got := fields.Texts(&zoned, strings.ToUpper); got.At != zoned.At || got.Basis == zoned.Basis && zoned.Basis != "" {
		t.Errorf("%v", got)
	}
}
