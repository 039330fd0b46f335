package fleet

import (
	"reflect"
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
	r := struct {
		ID           string       `json:"id"`
		Effect       string       `json:"effect"`
		SavedSeconds *model.Range `json:"savedSeconds"`
		Safety       struct {
			State string `json:"state"`
		} `json:"safety"`
	}{ID: "shorten-tolerations", Effect: "shortens", SavedSeconds: &model.Range{Best: saved, Min: saved, Max: saved}}
	r.Safety.State = "safe"
	in.Remediations = append(in.Remediations, r)
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
	f.Skip(model.Problem{Path: "z.json", Message: "is empty"})
	out := f.Result("v0")
	if out.Reports != 4 || out.Incidents != 2 || out.Handovers != 1 || out.Repeated != 1 || out.Insufficient != 1 || out.SecondsLost.Best != 660 || len(out.Skipped) != 1 {
		t.Errorf("%+v", out)
	}
	if want := []model.FleetCount{{Name: "node-down", Incidents: 1, SecondsLost: model.Range{Best: 600, Min: 599, Max: 601}}, {Name: "rollout-surge", Incidents: 1, SecondsLost: model.Range{Best: 60, Min: 59, Max: 61}}, {Name: "handover", Handovers: 1}}; !reflect.DeepEqual(out.Causes, want) {
		t.Errorf("%+v", out.Causes)
	}
	if len(out.Clusters) != 2 || out.Clusters[0].Name != "kube-system-c1" || out.Versions[0].Name != "1.34" || out.Drivers[0].Handovers != 1 {
		t.Errorf("%+v %+v %+v", out.Clusters, out.Versions, out.Drivers)
	}
	if r := out.Remedies[0]; r.Helps != 2 || r.Safe != 2 || r.SecondsSaved.Best != 100 {
		t.Errorf("%+v", r)
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
	in.Remediations[0].SavedSeconds = nil
	var f Fleet
	f.Add("a", of("c", 1, in, incident("b1", "node-down", 600, 7)))
	if r := f.Result("v0").Remedies[0]; r.Helps != 2 || r.Unknown != 1 || r.SecondsSaved.Best != 7 {
		t.Errorf("%+v", r)
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
