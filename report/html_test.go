package report

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

var (
	idAttribute = regexp.MustCompile(`\sid="([^"]*)"`)
	fragment    = regexp.MustCompile(`href="#([^"]*)"`)
	reference   = regexp.MustCompile(`(?i)\b(?:src|href|xlink:href|action|data|poster|srcset)\s*=\s*"([^"]*)"`)
	address     = regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9]`)
)

func TestAnchors(t *testing.T) {
	for _, c := range fixtures() {
		page := of(t, "html", c.name, c.report)
		ids := map[string]int{}
		for _, m := range idAttribute.FindAllStringSubmatch(page, -1) {
			ids[m[1]]++
			if ids[m[1]] == 2 {
				t.Errorf("%s: two elements have the id %s", c.name, m[1])
			}
		}
		for _, m := range fragment.FindAllStringSubmatch(page, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("%s: a link leads to %s, which is not there", c.name, m[1])
			}
		}
		for _, e := range c.report.Evidence {
			if ids[e.ID] != 1 {
				t.Errorf("%s: evidence %s has %d anchors", c.name, e.ID, ids[e.ID])
			}
		}
		for _, in := range c.report.Incidents {
			if ids["incident-"+in.ID] != 1 {
				t.Errorf("%s: incident %s has no anchor", c.name, in.ID)
			}
		}
	}
}

// A claim leads to its quote, and the quote back to the claim.
func TestBackLinks(t *testing.T) {
	page := render(t, "html", rich())
	for _, want := range []string{`<a class="cite" href="#e4">[E4]</a>`, `<a href="#incident-i1-operand-old-pod-released">`,
		`<a href="#incident-i1-cause-node-down">`, `<a href="#timeline-t4">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestLanes(t *testing.T) {
	for _, c := range []struct {
		kind model.Kind
		want string
	}{
		{model.NodeNotReady, "node"}, {model.ZoneState, "node"}, {model.PodGone, "pods"}, {model.MountFailed, "pods"},
		{model.MultiAttach, "controller"},
		{model.AttachStarted, "controller"}, {model.AttachmentGone, "storage"}, {model.AttacherDetached, "attacher"},
		{model.VolumeUncertain, "controller"},
		{model.VolumeMounted, "pods"}, {model.ProvisionWaits, "storage"}, {model.LeaderLost, "other"}, {model.KubernetesEvent, "other"},
		{"a kind of a later version", "other"},
	} {
		if got := view.Lane(model.TimelineItem{Kind: c.kind}); got != c.want {
			t.Errorf("%s is in the lane %s, want %s", c.kind, got, c.want)
		}
		if got := view.Lane(model.TimelineItem{Kind: c.kind, By: model.ByPersonOrScript}); got != "people" {
			t.Errorf("%s by a person is in the lane %s", c.kind, got)
		}
	}
}

func TestNoRequest(t *testing.T) {
	for _, c := range fixtures() {
		for _, format := range []string{"html", "svg"} {
			out := of(t, format, c.name, c.report)
			for _, m := range reference.FindAllStringSubmatch(out, -1) {
				if !strings.HasPrefix(m[1], "#") {
					t.Errorf("%s of %s refers to %s", format, c.name, m[1])
				}
			}
			names := strings.NewReplacer(`xmlns="http://www.w3.org/2000/svg"`, "", `'http://www.w3.org/2000/svg'`, "",
				`xmlns:xlink="http://www.w3.org/1999/xlink"`, "")
			if m := address.FindString(names.Replace(out)); m != "" {
				t.Errorf("%s of %s has an address %s", format, c.name, m)
			}
			for _, bad := range []string{"@import", "url(", "<link", "<script src", "<iframe", "<object", " onload="} {
				if strings.Contains(strings.ToLower(out), bad) {
					t.Errorf("%s of %s has %s", format, c.name, bad)
				}
			}
		}
	}
	t.Logf("%d tried", 2*len(fixtures()))
}

func TestEmptyPartsAreLeftOut(t *testing.T) {
	page := render(t, "html", none())
	for _, no := range []string{`id="findings"`, `id="alerts"`, `id="timeline"`, `id="evidence"`, "What would have shortened it"} {
		if strings.Contains(page, no) {
			t.Errorf("the page of a clean bundle has %s", no)
		}
	}
	full := rich()
	full.Findings = []model.Finding{{ID: "f", Severity: "warning", Title: "A finding", Text: "Text.", Evidence: []string{"e1"}, Remedy: "Do."}}
	full.Alerts = []model.Alert{{Name: "An alert", Origin: "builtin", Expr: "up == 0", Result: "never"}}
	full.Incidents[0].Advice = nil
	full.Incidents[0].Remediations = []model.Remediation{{ID: "fence-node", Kind: "reactive", Effect: "shortens",
		SavedSeconds: &model.Range{Best: 300, Min: 290, Max: 310},
		Safety: model.Safety{State: "not-proven",
			Needs: []model.Need{{Text: "The node is off.", Met: "unknown", Evidence: []string{"e2"}}}}, DataRisk: model.RiskOnceProven,
		Steps: []model.Step{{Part: model.StepAct, Text: "Taint it", Command: "kubectl taint node x"}}}}
	page = render(t, "html", full)
	for _, yes := range []string{`id="findings"`, `id="alerts"`, "What would have shortened it", "kubectl taint node x", "none if verified",
		"To be proven first:", `href="#finding-1"`, "5 min (4 min 50 s–5 min 10 s)"} {
		if !strings.Contains(page, yes) {
			t.Errorf("the page lacks %s", yes)
		}
	}
	if err := validate(t, render(t, "json", full)); err != nil {
		t.Error(err)
	}
}

func TestSVGIsXML(t *testing.T) {
	for _, c := range fixtures() {
		wellFormed(t, c.name, of(t, "svg", c.name, c.report))
		page := of(t, "html", c.name, c.report)
		for _, part := range drawings(page) {
			wellFormed(t, c.name+" in the page", part)
		}
	}
}

// drawings are the outermost svg elements of a page.
func drawings(page string) (out []string) {
	depth, from := 0, 0
	for _, m := range regexp.MustCompile(`<svg\b|</svg>`).FindAllStringIndex(page, -1) {
		if page[m[0]+1] != '/' {
			if depth++; depth == 1 {
				from = m[0]
			}
		} else if depth--; depth == 0 {
			out = append(out, page[from:m[1]])
		}
	}
	return out
}

func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("%s: the svg is no XML: %v", name, err)
			return
		}
	}
}

func TestSVGNamesEachObject(t *testing.T) {
	svg := render(t, "svg", rich())
	for _, n := range rich().Graph.Nodes {
		full := model.Ref{Namespace: n.Namespace, Name: n.Name}.String()
		if drawn := strings.Contains(svg, full+"</title>"); drawn != (n.ID != "far") {
			t.Errorf("%s %s drawn: %v", n.Kind, full, drawn)
		}
	}
	for _, want := range []string{"BLOCKS THE VOLUME", "stroke-dasharray", "(reconstructed)", `width="1016.98"`, "viewBox="} {
		if !strings.Contains(svg, want) {
			t.Errorf("the svg lacks %s", want)
		}
	}
}

// One picture is always the same bytes, whatever was drawn before.
func TestDrawnTheSame(t *testing.T) {
	want := render(t, "svg", rich())
	for range 3 {
		render(t, "svg", many(3))
		if got := render(t, "svg", rich()); got != want {
			t.Fatal("the second picture of one report differs from the first")
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		name   string
		report *model.Report
		limit  int
	}{{"rich", rich(), 200_000}, {"crowd", many(200), 5_000_000}, {"a thousand", many(1000), 6_500_000}} {
		if size := len(of(t, "html", c.name, c.report)); size > c.limit {
			t.Errorf("%s take %d bytes", c.name, size)
		}
	}
}

// containsAll looks for markup in a page.
func containsAll(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
