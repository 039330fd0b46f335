package analyze_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// older is a recording that does not change.
func older(t *testing.T, name string) *model.Snapshot {
	t.Helper()
	bundle, err := recordings.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, name), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWhatIfAgreesWithTheReport asks for each remedy of a report at the time at which the report applies it.
func TestWhatIfAgreesWithTheReport(t *testing.T) {
	asked := 0
	for _, name := range []string{"node-deleted", "out-of-service", "rollout-surge", "controller-failover"} {
		s := older(t, name)
		for _, r := range analyze.Run(t.Context(), s, analyze.Options{}).Incidents[0].Remediations {
			if r.WasUsed || r.PredictedEnd == nil || r.ID == "earlier-alert" {
				continue
			}
			asked++
			answer, err := analyze.WhatIf(t.Context(), s, analyze.Question{Applied: analyze.Applied{Remedy: r.ID}}, analyze.Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", name, r.ID, err)
				continue
			}
			a := answer.Answer
			if a.Effect != r.Effect || !near(a.PredictedEnd, r.PredictedEnd) || !nearRange(a.SavedSeconds, r.SavedSeconds) || a.Safety.State != r.Safety.State {
				t.Errorf("%s, %s: the answer is %s %v %v %s, the report has %s %v %v %s", name, r.ID, a.Effect, a.PredictedEnd, a.SavedSeconds,
					a.Safety.State, r.Effect, r.PredictedEnd, r.SavedSeconds, r.Safety.State)
			}
		}
	}
	if asked < 15 {
		t.Errorf("only %d remedies were asked for", asked)
	}
}

// A setting is the preventive remedy that makes it.
func TestWhatIfSettings(t *testing.T) {
	s := older(t, "out-of-service")
	toleration, grace := 30*time.Second, 20*time.Second
	for id, q := range map[string]analyze.Question{"shorten-tolerations": {Toleration: &toleration},
		"faster-node-detection": {NodeMonitorGracePeriod: &grace}} {
		set, err := analyze.WhatIf(t.Context(), s, q, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		remedy, err := analyze.WhatIf(t.Context(), s, analyze.Question{Applied: analyze.Applied{Remedy: id}}, analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !near(set.Answer.PredictedEnd, remedy.Answer.PredictedEnd) {
			t.Errorf("%s: set %v, remedy %v", id, set.Answer.PredictedEnd, remedy.Answer.PredictedEnd)
		}
	}
	both, err := analyze.WhatIf(t.Context(), s, analyze.Question{Toleration: &toleration, NodeMonitorGracePeriod: &grace}, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if saved := both.Answer.SavedSeconds; saved == nil || saved.Best < 280 || saved.Best > 300 {
		t.Errorf("both save %v, want 20 s and 270 s", saved)
	}
}

// The sooner a remedy is applied, the sooner the wait ends; and one that comes before its justification is said to.
func TestWhatIfTimes(t *testing.T) {
	s := older(t, "node-deleted")
	var ends []time.Time
	for _, after := range []time.Duration{10 * time.Second, 30 * time.Second, 50 * time.Second} {
		answer, err := analyze.WhatIf(t.Context(), s,
			analyze.Question{Applied: analyze.Applied{Remedy: "out-of-service-taint", When: analyze.When{Kind: analyze.AfterReport, Offset: after}}},
			analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, answer.Answer.PredictedEnd.At)
	}
	if !ends[0].Before(ends[1]) || !ends[1].Before(ends[2]) {
		t.Errorf("the ends are %v", ends)
	}
	late, err := analyze.WhatIf(t.Context(), s,
		analyze.Question{Applied: analyze.Applied{Remedy: "out-of-service-taint",
			When: analyze.When{Kind: analyze.AfterReport, Offset: 2 * time.Minute}}}, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if late.Answer.Effect != "not-applicable" {
		t.Errorf("a Node that was deleted a minute before is tainted: %s, %s", late.Answer.Effect, late.Answer.Why)
	}
	day := analyze.When{Kind: analyze.OfDay, Offset: 6*time.Hour + 7*time.Minute}
	early, err := analyze.WhatIf(t.Context(), s, analyze.Question{Applied: analyze.Applied{Remedy: "out-of-service-taint", When: day}},
		analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 11, 21, 6, 7, 0, 0, time.UTC); !early.Answer.AppliedAt.At.Equal(want) {
		t.Errorf("applied at %v, want %v", early.Answer.AppliedAt.At, want)
	}
	if want := "Nothing in the bundle justified out-of-service-taint before 06:07:"; len(early.Answer.Why) < len(want) ||
		early.Answer.Why[:len(want)] != want {
		t.Errorf("why is %q", early.Answer.Why)
	}
}

func TestWhatIfRefuses(t *testing.T) {
	s := older(t, "node-deleted")
	at := func(w analyze.When) analyze.Question {
		return analyze.Question{Applied: analyze.Applied{Remedy: "delete-node", When: w}}
	}
	for name, q := range map[string]analyze.Question{
		"before":   at(analyze.When{Kind: analyze.AfterReport, Offset: -time.Hour}),
		"after":    at(analyze.When{Kind: analyze.At, At: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}),
		"incident": {Incident: "i-0"}, "number": {Incident: "2"},
		"remedy":     {Applied: analyze.Applied{Remedy: "gremlins"}},
		"preventive": {Applied: analyze.Applied{Remedy: "shorten-tolerations", When: analyze.When{Kind: analyze.AfterReport}}},
	} {
		_, err := analyze.WhatIf(t.Context(), s, q, analyze.Options{})
		var known *analyze.QuestionError
		if !errors.As(err, &known) || known.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := analyze.WhatIf(t.Context(), s, analyze.Question{Incident: "1", Applied: analyze.Applied{Remedy: "delete-node"}},
		analyze.Options{}); err != nil {
		t.Errorf("the first incident is not found: %v", err)
	}
}

func TestWhatIfWithoutEffect(t *testing.T) {
	answer, err := analyze.WhatIf(t.Context(), older(t, "node-deleted"),
		analyze.Question{Applied: analyze.Applied{Remedy: "fence-node", When: analyze.When{Kind: analyze.AfterReport, Offset: time.Second}}},
		analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Answer.Effect != "none" || answer.Answer.PredictedEnd != nil {
		t.Errorf("a remedy that changes nothing has the effect %s, %v", answer.Answer.Effect, answer.Answer.PredictedEnd)
	}
}

// near reports that two moments are the same, but for the milliseconds to which the report rounds the time of the act.
func near(a, b *model.Moment) bool {
	const rounding = 2 * time.Millisecond
	return a != nil && b != nil && a.At.Sub(b.At).Abs() <= rounding && a.Earliest.Sub(b.Earliest).Abs() <= rounding &&
		a.Latest.Sub(b.Latest).Abs() <= rounding
}

// nearRange compares two savings, which are rounded to a tenth of a second: a time of the question has whole milliseconds.
func nearRange(a, b *model.Range) bool {
	if a == nil || b == nil {
		return a == b
	}
	return max(math.Abs(a.Best-b.Best), math.Abs(a.Min-b.Min), math.Abs(a.Max-b.Max)) < 0.11
}
