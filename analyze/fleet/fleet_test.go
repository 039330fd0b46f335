package fleet

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// of is a report of some incidents; each is an id, a primary cause and a length in seconds.
func of(cluster string, day int, incidents ...model.FleetIncident) *model.FleetReport {
	r := &model.FleetReport{Schema: model.SchemaVersion, Incidents: incidents}
	r.Bundle.KubernetesVersion = "v1.34.3"
	if cluster != "" {
		r.Bundle.Identities = []string{"kube-system-" + cluster, "openshift-" + cluster}
	}
	at := model.WholeSecond(time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC))
	r.Bundle.CapturedAt = &at
	return r
}

func incident(id, cause string, seconds float64, saved float64) model.FleetIncident {
	in := model.FleetIncident{ID: id, Volume: model.IncidentVolume{UniqueName: "v-" + id[:1], Driver: "ebs.csi.aws.com"}}
	in.Span.Seconds = model.Range{Best: seconds, Min: seconds - 1, Max: seconds + 1}
	in.Causes = append(in.Causes, struct {
		ID      string        `json:"id"`
		Verdict model.Verdict `json:"verdict"`
	}{cause, model.Confirmed})
	in.Phases = append(in.Phases, struct {
		ID      model.PhaseID `json:"id"`
		Seconds model.Range   `json:"seconds"`
	}{model.PhaseRelease, in.Span.Seconds})
	in.Advice = &model.FleetAdvice{
		Better: []model.FleetOption{{Remedy: "shorten-tolerations", DataRisk: model.RiskNone, Saved: &model.Range{Best: saved, Min: saved, Max: saved}},
			{Remedy: "second", Saved: &model.Range{Best: 9000}}}, // only the first counts
		Prevent: []model.FleetOption{{Remedy: "drain-before-shutdown", DataRisk: model.RiskNone}}}
	return in
}

func TestFleetCounts(t *testing.T) {
	var f Fleet
	f.Add("b.json", of("c1", 2, incident("a1", "node-down", 600, 100), incident("a2", "handover", 5, 0)))
	f.Add("a.json", of("c1", 1, incident("a1", "node-down", 300, 50))) // the same one, collected earlier
	f.Add("c.json", of("c2", 1, incident("a1", "rollout-surge", 60, 0)))
	empty := of("", 1)
	empty.Verdict.Status = model.StatusInsufficient
	f.Add("d.json", empty)
	stuck := of("c2", 3)
	stuck.Verdict.Status, stuck.Verdict.Headline, stuck.Page = model.StatusFault, "Pod p is not scheduled.", "e.html"
	f.Add("e.json", stuck)
	f.Skip(model.Problem{Path: "z.json", Message: "is empty"})
	out := f.Result("v0")
	if out.Reports != 5 || out.Incidents != 2 || out.Handovers != 1 || out.Repeated != 1 || out.Insufficient != 1 ||
		out.SecondsLost.Best != 660 || len(out.Skipped) != 1 {
		t.Errorf("%+v", out)
	}
	if want := []model.FleetFault{{Report: "e.html", Headline: "Pod p is not scheduled."}}; !slices.Equal(out.Faults, want) {
		t.Errorf("%+v", out.Faults) // a clean, thin or open report is none
	}
	if want := []model.FleetCount{{Name: "node-down", Incidents: 1, SecondsLost: model.Range{Best: 600, Min: 599, Max: 601}},
		{Name: "rollout-surge", Incidents: 1, SecondsLost: model.Range{Best: 60, Min: 59, Max: 61}},
		{Name: "handover", Handovers: 1}}; !reflect.DeepEqual(out.Causes, want) {
		t.Errorf("%+v", out.Causes)
	}
	if len(out.Clusters) != 2 || out.Clusters[0].Name != "kube-system-c1" || out.Versions[0].Name != "1.34" || out.Drivers[0].Handovers != 1 {
		t.Errorf("%+v %+v %+v", out.Clusters, out.Versions, out.Drivers)
	}
	if r := out.Remedies[0]; r.Helps != 2 || r.Safe != 2 || r.SecondsSaved.Best != 100 {
		t.Errorf("%+v", r)
	}
	if p := out.Prevent; len(p) != 1 || p[0].ID != "drain-before-shutdown" || p[0].Helps != 2 || p[0].Safe != 2 || p[0].Unknown != 2 {
		t.Errorf("%+v", p)
	}
	if v := out.Volumes; len(v) != 1 || v[0].Incidents != 1 || v[0].Handovers != 1 || v[0].Cluster != "kube-system-c1" {
		t.Errorf("%+v", v)
	}
}

// The order in which reports come changes nothing.
func TestFleetOrder(t *testing.T) {
	reports := map[string]*model.FleetReport{}
	names := []string{"a", "b", "c", "d", "e"}
	for i, n := range names {
		reports[n] = of("c", 1+i%2, incident("a1", "node-down", 100+float64(i)/3, 1), incident("b"+n, "node-down", 0.1*float64(i), 0.7))
	}
	var first *model.Fleet
	for shift := range names {
		var f Fleet
		for i := range names {
			n := names[(i+shift)%len(names)]
			f.Add(n, reports[n])
		}
		if out := f.Result("v0"); first == nil {
			first = out
		} else if !reflect.DeepEqual(out, first) {
			t.Errorf("%+v\n%+v", out, first)
		}
	}
}

// An open incident's last phase has no length yet.
func TestFleetOpenPhase(t *testing.T) {
	in := incident("a1", "node-down", 600, 1)
	in.Span.Open = true
	var f Fleet
	f.Add("a", of("c", 1, in))
	if out := f.Result("v0"); out.Open != 1 || len(out.Phases) != 0 || out.SecondsLost.Best != 600 {
		t.Errorf("%+v", out)
	}
}

// A saving that is not known is none that is nothing.
func TestFleetUnknownSaving(t *testing.T) {
	in := incident("a1", "node-down", 600, 1)
	in.Advice.Better[0].Saved = nil
	var f Fleet
	f.Add("a", of("c", 1, in, incident("b1", "node-down", 600, 7)))
	if r := f.Result("v0").Remedies[0]; r.Helps != 2 || r.Unknown != 1 || r.SecondsSaved.Best != 7 {
		t.Errorf("%+v", r)
	}
}

// What would have saved most comes first: the risk for the data is a condition, and no order.
func TestFleetMostFirst(t *testing.T) {
	risky, proven := incident("a1", "node-down", 600, 500), incident("b1", "node-down", 600, 60)
	risky.Advice.Better[0].Remedy, risky.Advice.Better[0].DataRisk = "force-detach", model.RiskPossible
	in := incident("c1", "node-down", 600, 20)
	in.Advice.Better[0].DataRisk = model.RiskOnceProven
	var f Fleet
	f.Add("a", of("c", 1, risky, proven, in))
	got := f.Result("v0").Remedies
	if len(got) != 2 || got[0].ID != "force-detach" || got[0].SecondsSavedSafe.Best != 0 ||
		got[1].SecondsSaved.Best != 80 || got[1].SecondsSavedSafe.Best != 60 {
		t.Errorf("%+v", got)
	}
}

// Each row knows the reports that it was made of, each once.
func TestFleetReports(t *testing.T) {
	var f Fleet
	for n, page := range []string{"b.html", "a.json", ""} {
		r := of("c", 1, incident(string(rune('a'+n))+"1", "node-down", 60, 1), incident(string(rune('a'+n))+"2", "node-down", 60, 1))
		r.Page = page
		f.Add(page, r)
	}
	out := f.Result("v0")
	want := []string{"a.json", "b.html"}
	for _, got := range [][]string{out.Causes[0].Reports, out.Drivers[0].Reports, out.Versions[0].Reports, out.Clusters[0].Reports,
		out.Remedies[0].Reports} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for n, v := range out.Volumes {
		if want := [][]string{{"b.html"}, {"a.json"}, nil}[n]; len(v.Reports) != len(want) || len(want) > 0 && v.Reports[0] != want[0] {
			t.Errorf("%s: %q, want %q", v.Volume, v.Reports, want)
		}
	}
}

func TestQuantiles(t *testing.T) {
	var f Fleet
	for i := range 10 {
		f.Add(string(rune('a'+i)), of("c", 1, incident(string(rune('a'+i))+"1", "node-down", float64(i+1), 1)))
	}
	if p := f.Result("v0").Phases[0]; p.Count != 10 || p.Median != 5 || p.P90 != 9 || p.Max != 10 || p.Total != 55 {
		t.Errorf("%+v", p)
	}
}
