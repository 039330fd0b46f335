package main

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// scrape is the distance of two scrapes in the recordings; an instant may lie as far beside the truth as two of them.
const scrape = 15 * time.Second

// TestMetricsAlone reads nothing but the metrics of each recording: the same waits are found in the blocks and in a dump of them, with
// volume, nodes, pods and blocking attachment, and none that did not happen.
func TestMetricsAlone(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"tsdb", "openmetrics.txt"} {
		for _, c := range withPart(t, form) {
			t.Run(c.name+"/"+form, func(t *testing.T) {
				t.Parallel()
				data := c.last(t).truth
				var truth truthFile
				if err := json.Unmarshal(data, &truth); err != nil {
					t.Fatal(err)
				}
				text, r := explained(t, filesBelow(t, c.whole, form), form)
				metricsAgree(t, truth, r)
				agree(t, text, data, true)
			})
		}
	}
}

func metricsAgree(t *testing.T, truth truthFile, r *model.Report) {
	t.Helper()
	of := map[string]bool{}
	for _, a := range truth.Affected {
		of[a.PV] = true
		if a.Mirror {
			continue
		}
		var i *model.Incident
		for n := range r.Incidents {
			c := &r.Incidents[n]
			if c.Volume.PersistentVolume == a.PV && c.MultiAttach.Began.At.Sub(*a.Times["multiAttachFirstEvent"]).Abs() <= 2*scrape {
				i = c
			}
		}
		if i == nil {
			t.Errorf("%s: no wait is found", a.PV)
			continue
		}
		metricsTell(t, a, i)
		metricsPhases(t, a, i)
		metricsCause(t, expectations[truth.CauseClass].primary, i)
	}
	for _, i := range r.Incidents {
		if !of[i.Volume.PersistentVolume] {
			t.Errorf("%s: a wait that did not happen", i.Volume.PersistentVolume)
		}
	}
}

func metricsTell(t *testing.T, a affected, i *model.Incident) {
	t.Helper()
	name := ""
	if i.BlockingAttachment.Name != nil {
		name = *i.BlockingAttachment.Name
	}
	for _, c := range []struct{ what, got, want string }{
		{"handle", i.Volume.VolumeHandle, a.VolumeHandle},
		{"driver", i.Volume.Driver, a.Driver},
		{"old node", i.From.Node, *a.OldNode},
		{"new node", i.To.Node, *a.NewNode},
		{"blocking attachment", name, *a.BlockingVA},
		{"workload", i.Workload.Name, *a.Workload},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s is %q, want %q", a.PV, c.what, c.got, c.want)
		}
	}
	if i.Resolved != a.ResolvedAtSnapshot {
		t.Errorf("%s: resolved is %v", a.PV, i.Resolved)
	}
	began := i.MultiAttach.Began
	metricsMoment(t, a.PV+" began", &began, a.Times["multiAttachFirstEvent"])
	metricsMoment(t, a.PV+" ended", i.MultiAttach.Ended, a.Times["newVAAttached"])
	if i.BlockingAttachment.GoneAt != nil {
		metricsMoment(t, a.PV+" gone", i.BlockingAttachment.GoneAt, a.Times["oldVAGone"])
	}
	if began.Basis == model.Observed || i.MultiAttach.Reports != 0 {
		t.Errorf("%s: no metric reports Multi-Attach, yet it is %s with %d reports", a.PV, began.Basis, i.MultiAttach.Reports)
	}
}

// metricsPhases compares the bounds of the phases. Where the new attachment was made before the old one was gone, the attach
// begins with the end of the old one.
func metricsPhases(t *testing.T, a affected, i *model.Incident) {
	t.Helper()
	evicted := a.Times["oldPodDeleteRequested"]
	attach := "newVACreated"
	if gone, made := a.Times["oldVAGone"], a.Times["newVACreated"]; gone != nil && made != nil && made.Before(*gone) {
		attach = "oldVAGone"
	}
	for _, edge := range []struct {
		phase model.PhaseID
		end   bool
		truth string
	}{
		{model.PhaseDetection, true, "nodeNotReady"},
		{model.PhaseEviction, true, "oldPodDeleteRequested"},
		{model.PhaseAttach, false, attach},
		{model.PhaseAttach, true, "newVAAttached"},
		{model.PhaseMount, true, "newPodReady"},
	} {
		if edge.phase == model.PhaseEviction && (evicted == nil || evicted.After(*a.Times["multiAttachFirstEvent"])) {
			continue
		}
		for _, p := range i.Phases {
			if p.ID != edge.phase {
				continue
			}
			bound, side := p.From, "from"
			if edge.end {
				bound, side = p.To, "to"
			}
			metricsMoment(t, a.PV+" phase "+string(edge.phase)+"."+side, &bound, a.Times[edge.truth])
		}
	}
}

// metricsCause wants the first cause to be one that the recording allows, or none: what metrics cannot prove is unknown.
func metricsCause(t *testing.T, allowed []string, i *model.Incident) {
	t.Helper()
	if first := i.Causes[0]; allowed != nil && first.Verdict != model.Undecidable && !slices.Contains(allowed, first.ID) {
		t.Errorf("%s: the cause is %s %s, want one of %q", i.Volume.PersistentVolume, first.Verdict, first.ID, allowed)
	}
}

func metricsMoment(t *testing.T, what string, got *model.Moment, want *time.Time) {
	t.Helper()
	switch {
	case want == nil:
	case got == nil:
		t.Errorf("%s: is not told", what)
	case got.At.Sub(*want).Abs() > 2*scrape || want.Before(got.Earliest.Add(-slack)) || want.After(got.Latest.Add(slack)):
		t.Errorf("%s: %s (%s to %s), want %s", what, got.At, got.Earliest, got.Latest, want)
	}
}

// TestMetricsBesideTheBundle adds the metrics to what was collected: nothing that was right may become wrong.
func TestMetricsBesideTheBundle(t *testing.T) {
	t.Parallel()
	for _, r := range withPart(t, "tsdb") {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			both := files(t, r.last(t).bundle)
			maps.Copy(both, filesBelow(t, r.whole, "tsdb"))
			text, _ := explained(t, both, r.name)
			agree(t, text, r.last(t).truth, false)
		})
	}
}
