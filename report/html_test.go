package report

import (
	"context"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/graphviz"
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
	for _, want := range []string{`<a class="cite" href="#e4">[E4]</a>`, `<a href="#incident-i1-operand-old-pod-released">`, `<a href="#incident-i1-cause-node-down">`, `<a href="#timeline-t4">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Two sources of one fact are one row; the same words a minute later are another fact.
func TestTimelineRows(t *testing.T) {
	r := rich()
	repeat := r.Timeline[3]
	repeat.ID, repeat.At = "later", at(400)
	r.Timeline = append(r.Timeline, repeat)
	p, err := newHTMLPage(view.New(r), budgetFor(1))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, row := range p.Rows {
		if row.Text == repeat.Text {
			rows++
		}
	}
	if rows != 2 || len(p.Rows) != len(r.Timeline)-1 {
		t.Errorf("%d rows for two facts of three observations, %d in all", rows, len(p.Rows))
	}
	if row := p.Rows[3]; len(row.Cites) != 2 || len(row.Also) != 1 {
		t.Errorf("the row does not name both sources: %+v", row)
	}
}

func TestLanes(t *testing.T) {
	for _, c := range []struct {
		kind model.Kind
		want string
	}{
		{model.NodeNotReady, "node"}, {model.ZoneState, "node"}, {model.PodGone, "pods"}, {model.MountFailed, "pods"}, {model.MultiAttach, "controller"},
		{model.AttachStarted, "controller"}, {model.AttachmentGone, "storage"}, {model.AttacherDetached, "attacher"}, {model.VolumeUncertain, "controller"},
		{model.VolumeMounted, "pods"}, {model.ProvisionWaits, "storage"}, {model.LeaderLost, "other"}, {model.KubernetesEvent, "other"}, {"a kind of a later version", "other"},
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
			names := strings.NewReplacer(`xmlns="http://www.w3.org/2000/svg"`, "", `'http://www.w3.org/2000/svg'`, "", `xmlns:xlink="http://www.w3.org/1999/xlink"`, "")
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

// The policy that the page sets itself allows its own style and script by their hashes, and nothing else.
func TestContentSecurityPolicy(t *testing.T) {
	page := render(t, "html", hostile())
	found := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if found == nil || !strings.HasPrefix(html.UnescapeString(found[1]), "default-src 'none'; ") {
		t.Fatalf("the page does not forbid requests: %q", found)
	}
	allowed := html.UnescapeString(found[1])
	for _, element := range []string{"style", "script"} {
		for _, m := range regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1) {
			if !strings.Contains(allowed, element+"-src "+hashSource(m[1])) {
				t.Errorf("the policy %s does not allow the page's own %s", allowed, element)
			}
		}
	}
	if strings.Contains(allowed, "unsafe") || strings.Contains(page, " style=\"") {
		t.Error("the page needs inline styles, which its policy should not allow")
	}
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
	full.Incidents[0].Remediations = []model.Remediation{{ID: "fence-node", Kind: "reactive", Effect: "shortens", SavedSeconds: &model.Range{Best: 300, Min: 290, Max: 310},
		Safety: model.Safety{State: "not-proven", Needs: []model.Need{{Text: "The node is off.", Met: "unknown", Evidence: []string{"e2"}}}}, Commands: []string{"kubectl taint node x"}}}
	page = render(t, "html", full)
	for _, yes := range []string{`id="findings"`, `id="alerts"`, "What would have shortened it", "kubectl taint node x", "none once proven", "To be proven first:", `href="#finding-1"`, "5 min (4 min 50 s–5 min 10 s)"} {
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
	for _, want := range []string{"BLOCKS THE VOLUME", "stroke-dasharray", "(reconstructed)", `width="100%"`, "viewBox="} {
		if !strings.Contains(svg, want) {
			t.Errorf("the svg lacks %s", want)
		}
	}
}

// The page is complete when the engine fails, also by a panic of its own: it says so, and has the objects as a tree.
func TestPageWithoutEngine(t *testing.T) {
	v := view.New(rich())
	h := htmlIncident{IncidentView: v.Incident[0], Chart: &chart{}}
	failing := func(context.Context, string) (string, error) { return "", errors.New("no <memory>") }
	h.drawGraph(failing, v.PictureOf(v.Incident))
	if h.SVG != "" || !strings.Contains(h.NoSVG, "Not drawn: drawing the objects: no <memory>") || !strings.Contains(h.Tree, "└─ Pod shop/") {
		t.Errorf("a failed drawing gives %q, %q, %q", h.SVG, h.NoSVG, h.Tree)
	}
	for name, raw := range map[string]string{
		"nothing": "", "no svg": "<g/>", "no size": "<svg></svg>", "cut short": `<svg viewBox="0 0 9 9"><g>`, "no XML": "<svg viewBox=\"0 0 9 9\">&bad;</svg>",
	} {
		given := func(context.Context, string) (string, error) { return raw, nil }
		if svg, err := drawing.Draw(given, v.PictureOf(v.Incident), "x", "Objects", false); err == nil {
			t.Errorf("%s: %q is a drawing", name, svg)
		}
	}
}

// Of what the engine gives, a page gets what draws: no script, no style, no link, no handler, no address, no entity of its own.
func TestOnlyWhatDraws(t *testing.T) {
	raw := `<!DOCTYPE svg [<!ENTITY x "y">]><svg viewBox="0 0 9 9" onload="a()" xmlns:xlink="http://www.w3.org/1999/xlink"><script>a()</script><style>@import "b"</style>
		<g id="x-n1" onclick="a()" class="c"><title>&lt;b></title><a xlink:href="javascript:a()"><text x="1" y="url(b)" style="c">Pod</text></a>
		<image href="b"/><foreignObject><p>hi</p></foreignObject><path d="M0,0" fill="url(#b)" stroke="red&quot; onload=&quot;a()"/><use href="#x"/></g></svg>`
	given := func(context.Context, string) (string, error) { return raw, nil }
	svg, err := drawing.Draw(given, view.Picture{Nodes: []model.GraphNode{{ID: "1", Kind: "Pod", Name: "<i>p"}}}, "x", "Objects", false)
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, "drawing", svg)
	_, body, _ := strings.Cut(svg, "</desc>")
	want := `<g class="node" id="x-n1"><title>Pod &lt;i&gt;p</title><text x="1" font-size="9">Pod</text><path d="M0,0"/></g>`
	if got := strings.ReplaceAll(body, "\n", ""); got != want+"</svg>" {
		t.Errorf("%s\nwant\n%s", got, want)
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

// A drawing without an object is none; of many incidents few are drawn, which the page says.
func TestPageWithoutDrawing(t *testing.T) {
	h := htmlIncident{IncidentView: view.New(rich()).Incident[0]}
	h.drawGraph(graphviz.SVG, view.Picture{})
	if h.SVG != "" || h.NoSVG == "" {
		t.Errorf("a failed drawing gives %q, %q", h.SVG, h.NoSVG)
	}
	crowd := render(t, "html", many(20))
	if drawings := strings.Count(crowd, `<div class="graph`); drawings != 1 {
		t.Errorf("%d drawings of one group of 20 incidents, whose story is told once", drawings)
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
