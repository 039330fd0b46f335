package analyze_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestAlertsOfSamples: over the timeline of every sample the rule on the wait fires within three minutes of each wait that
// lasts longer, and not for a short one; the rule that cannot fire is told with its correction; nothing fires beside an incident.
func TestAlertsOfSamples(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		r := sampleReport(t, s.Name)
		if slices.ContainsFunc(r.Bundle.Inputs, func(in model.Input) bool { return strings.HasPrefix(in.Kind, "metrics") }) {
			continue // its rules run over its own metrics
		}
		if len(r.Incidents) == 0 {
			if len(r.Alerts) > 0 {
				t.Errorf("%s has no incident, and %d alerts over its timeline", s.Name, len(r.Alerts))
			}
			continue
		}
		wait := alertOf(t, r, "builtin", "MultiAttachWait")
		if broken := alertOf(t, r, "seed",
			"VolumeStuckOnNotReadyNode"); broken.Result != "cannot-fire" || broken.Corrected == "" || len(broken.Firings) > 0 {
			t.Errorf("%s: %+v", s.Name, broken)
		}
		for _, a := range r.Alerts {
			if a.Result == "error" || slices.ContainsFunc(a.Firings, func(f model.Firing) bool { return f.Incident == nil }) {
				t.Errorf("%s: %s of %s: %s, %v", s.Name, a.Name, a.Origin, a.Note, a.Firings)
			}
			if a.Result == "fired" && !strings.HasPrefix(a.Note, "synthesised") {
				t.Errorf("%s: %s does not say that its series are synthesised: %q", s.Name, a.Name, a.Note)
			}
		}
		for _, i := range r.Incidents {
			checkWaitAlert(t, s.Name, i, wait)
		}
	}
}

// checkWaitAlert: the rule has a for of two minutes, and series are scraped every half minute. It begins anew with an attachment that is
// deleted and created again.
func checkWaitAlert(t *testing.T, sample string, i model.Incident, a model.Alert) {
	t.Helper()
	ended := i.Span.To.At
	if i.MultiAttach.Ended != nil {
		ended = i.MultiAttach.Ended.At
	}
	since := i.MultiAttach.Began.At
	for _, l := range i.Lanes {
		for n, s := range l.States[:max(len(l.States)-1, 0)] {
			if l.Role == model.RoleBlocking && s.Word == model.StateGone && s.From.At.After(since) {
				since = l.States[n+1].From.At
			}
		}
	}
	lasted, anew := ended.Sub(since).Seconds(), since.Sub(i.MultiAttach.Began.At).Seconds()
	at := slices.IndexFunc(a.Firings, func(f model.Firing) bool { return f.Incident != nil && *f.Incident == i.ID })
	switch {
	case lasted < 115 && at >= 0:
		t.Errorf("%s: a wait of %.0f s made an alert", sample, lasted)
	case lasted > 185 && at < 0:
		t.Errorf("%s: a wait of %.0f s made no alert", sample, lasted)
	case at >= 0 && (*a.Firings[at].LeadSeconds > -90-anew || *a.Firings[at].LeadSeconds < -185-anew):
		t.Errorf("%s: fired %.0f s after Multi-Attach began", sample, -*a.Firings[at].LeadSeconds)
	}
	// It ends at an evaluation, when the old attachment is gone or the new one is there.
	from, to := ended.Add(-30*time.Second), ended.Add(time.Minute)
	for _, f := range a.Firings {
		if *f.Incident == i.ID && i.MultiAttach.Ended != nil && (f.To == nil || f.To.Before(from) || f.To.After(to)) {
			t.Errorf("%s: the wait ended at %s, the alert at %s", sample, ended, f.To)
		}
	}
}

func sampleReport(t *testing.T, name string) *model.Report {
	t.Helper()
	bundle, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, name), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{})
}

func alertOf(t *testing.T, r *model.Report, origin, name string) model.Alert {
	t.Helper()
	for _, a := range r.Alerts {
		if a.Origin == origin && a.Name == name {
			return a
		}
	}
	t.Fatalf("%s has no rule %s of %s", r.Bundle.Root, name, origin)
	return model.Alert{}
}
