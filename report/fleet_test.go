package report

import (
	"encoding/csv"
	"html"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

func richFleet() *model.Fleet {
	lost := model.Range{Best: 7200, Min: 7000, Max: 7500}
	return &model.Fleet{
		Schema: model.FleetVersion, Generator: model.Generator{Name: "volpost", Version: "v0.1.0"}, Reports: 3, Insufficient: 1, Incidents: 2,
		Handovers: 1, Open: 1, Repeated: 1, SecondsLost: lost,
		Causes: []model.FleetCount{{Name: "node-down", Incidents: 2, SecondsLost: lost,
			Reports: []string{"reports/a.html", "b c.json", "c", "d", "e", "f", "g"}}, {Name: "handover", Handovers: 1}},
		Drivers:  []model.FleetCount{{Name: "ebs.csi.aws.com", Incidents: 2, Handovers: 1, SecondsLost: lost}},
		Versions: []model.FleetCount{{Name: "1.34", Incidents: 2, Handovers: 1, SecondsLost: lost}},
		Clusters: []model.FleetCount{{Incidents: 2, Handovers: 1, SecondsLost: lost}},
		Phases:   []model.FleetPhase{{ID: model.PhaseRelease, Count: 2, Median: 60, P90: 90, Max: 90, Total: 150}},
		Remedies: []model.FleetRemedy{{ID: "force-delete-pod-and-volume-attachment", Helps: 2, Safe: 1, NotProven: 1, SecondsSaved: lost,
			SecondsSavedSafe: model.Range{Best: 3600, Min: 3600, Max: 3600}}, {ID: "delete-node", Helps: 1, NotProven: 1, Unknown: 1},
			{ID: "delete-old-pod", Helps: 2, Safe: 2, Unknown: 1, SecondsSaved: lost}},
		Prevent: []model.FleetRemedy{{ID: "earlier-alert", Helps: 2, Safe: 2, SecondsSaved: lost, SecondsSavedSafe: lost}},
		Volumes: []model.FleetVolume{{Cluster: "kube-system-0123456789ab", Volume: "=shop/orders-db-data", Incidents: 2, SecondsLost: lost,
			Reports: []string{"javascript:alert(1)", "/tmp/100%?#.html", "//example.com/x"}}},
		Skipped: []model.Problem{{Severity: model.Failure, Path: "reports/notes.json", Message: "is empty"}},
	}
}

func fleetText(t *testing.T, format string, f *model.Fleet) string {
	t.Helper()
	var out strings.Builder
	if err := Fleets.Write(&out, format, f); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFleetGolden(t *testing.T) {
	nasty := richFleet()
	taint(reflect.ValueOf(nasty).Elem(), "")
	for name, f := range map[string]*model.Fleet{"rich": richFleet(), "hostile": nasty} {
		for _, format := range Fleets.Names() {
			text := fleetText(t, format, f)
			golden(t, name+"-fleet."+format, text)
			if format != "json" && strings.ContainsAny(text, "\u202e\x00\x1b") {
				t.Errorf("%s of %s lets through what should be spelled out", format, name)
			}
			if format == "html" && (strings.Contains(text, "<script") || strings.Contains(text, "src=")) {
				t.Errorf("the page of %s has a script or asks for something", name)
			}
			for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
				if to, err := url.Parse(html.UnescapeString(link[1])); err != nil || to.Scheme != "" || to.Host != "" || to.RawQuery != "" ||
					to.Fragment != "" {
					t.Errorf("the page of %s leads to %s", name, link[1])
				}
			}
		}
	}
	if err := Fleets.Write(&strings.Builder{}, "pdf", richFleet()); err == nil {
		t.Error("no error for a format that does not exist")
	}
}

func TestFleetCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(fleetText(t, "csv", richFleet()))).ReadAll()
	if err != nil || len(rows) != 12 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r[0] == "volume" && !strings.HasPrefix(r[1], "'=") {
			t.Errorf("a spreadsheet computes %q", r[1])
		}
	}
}

func BenchmarkReadFleet(b *testing.B) {
	for _, c := range []struct {
		name   string
		report *model.Report
	}{{"rich", rich()}, {"many", many(25)}} {
		text := []byte(render(b, "json", c.report))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := ReadFleet(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
