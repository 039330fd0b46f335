package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestAlerts: text and HTML say when a rule fired against the wait, what fired beside it, and why a rule cannot fire.
func TestAlerts(t *testing.T) {
	r := rich()
	wait := r.Incidents[0].MultiAttach
	firing := func(after float64) model.Firing {
		return model.Firing{From: wait.Began.At.Add(time.Duration(after * float64(time.Second))), Incident: ptr(r.Incidents[0].ID),
			LeadSeconds: ptr(-after)}
	}
	r.Alerts = []model.Alert{
		{Name: "Early", Origin: "builtin", Expr: "up == 0", For: "1m", Result: "fired", Firings: []model.Firing{firing(90), firing(-30)},
			Note: "synthesised: from the timeline", Over: "synthesised"},
		{Name: "Late", Origin: "rules/own.yaml", Over: "metrics", Expr: "up", Result: "fired",
			Firings: []model.Firing{firing(100_000), {From: wait.Began.At}}},
		{Name: "Elsewhere", Origin: "seed", Expr: "up", Result: "fired", Firings: []model.Firing{{From: wait.Began.At}}},
		{Name: "Broken", Origin: "own.yaml", Line: 7, Over: "metrics", Expr: "up ==", Result: "cannot-fire", Note: "It <b>does not parse.",
			Corrected: "up == 1"},
		{Name: "Quiet", Origin: "seed", Expr: "up", Result: "never"},
		{Name: "Served", Origin: "own.yaml", Expr: "up", Result: "fired", Over: "metrics", Firings: []model.Firing{firing(60)},
			Recorded: []model.Firing{firing(60)}},
	}
	var text, page bytes.Buffer
	if err := Write(&text, "text", r); err != nil {
		t.Fatal(err)
	}
	if err := Write(&page, "html", r); err != nil {
		t.Fatal(err)
	}
	joined := strings.Join(strings.Fields(text.String()), " ")
	for _, want := range []string{
		"ALERTS 6 rules: 4 fired, 1 cannot fire, 1 did not fire; run over the bundle's own metrics; run over series synthesised",
		"Early (recommended): fired at ", ", 30 s before Multi-Attach began",
		"after its end; 1 firing elsewhere; the server's own: no",
		"Elsewhere (popular rule): fired", "Broken (own.yaml:7): cannot fire; the server's own: no; It <b>does not parse.",
		"the server's own: 2026-",
	} {
		if !strings.Contains(joined, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	for _, want := range []string{`id="alerts"`, "It &lt;b&gt;does not parse.", "own.yaml:7", "expression, for 1m", "Can fire as:",
		"30 s before", "By the server"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(text.String())
	}
}
