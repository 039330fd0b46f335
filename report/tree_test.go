package report

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/graphviz"
	"github.com/volpost/volpost/report/internal/view"
)

// The tree goes from the owner to the node; what two objects share is written in full once.
func TestTree(t *testing.T) {
	var b bytes.Buffer
	if err := Graphs.Write(&b, "text", &model.Chain{Graph: rich().Graph}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	at := -1
	for _, want := range []string{"Deployment shop/orders-db\n",
		"├─ Pod shop/orders-db-56659c7b56-lp2jr  gone  scheduled-on " + richOld + " (NotReady)  (not in the bundle)\n",
		"│  └─ PersistentVolumeClaim shop/orders-db-data  Bound\n",
		"│     └─ PersistentVolume " + richPV + "\n", "BLOCKS THE VOLUME  (not in the bundle)\n", "Node " + richOld + "  NotReady\n",
		"└─ Pod shop/orders-db-56659c7b56-jmrkf", "   └─ PersistentVolumeClaim shop/orders-db-data  (as above)\n"} {
		if i := strings.Index(text, want); i <= at {
			t.Errorf("%q is not where it belongs in\n%s", want, text)
		} else {
			at = i
		}
	}
	if n := strings.Count(text, "PersistentVolume "+richPV); n != 1 {
		t.Errorf("the volume is written %d times", n)
	}
	if err := Graphs.Write(&b, "png", &model.Chain{}); err == nil || !strings.Contains(err.Error(), "text, dot, svg") {
		t.Errorf("an unknown format: %v", err)
	}
}

// Relations in a circle, to nowhere and to themselves do no harm.
func TestTreeOfNonsense(t *testing.T) {
	g := &model.Chain{Graph: model.Graph{Nodes: []model.GraphNode{{ID: "a", Kind: "X", Name: "a"}, {ID: "b", Kind: "X", Name: "b"},
		{ID: "b", Kind: "Pod", Name: nasty}},
		Edges: []model.GraphEdge{{From: "a", To: "b"}, {From: "b", To: "a"}, {From: "a", To: "a"}, {From: "c", To: "a"}}}}
	for _, format := range Graphs.Names() {
		var b bytes.Buffer
		if err := Graphs.Write(&b, format, g); err != nil || strings.ContainsAny(b.String(), "\x00\x1b") {
			t.Errorf("%s: %v in %q", format, err, b.String())
		}
	}
}

// area is a rectangle.
type area struct{ left, top, right, bottom float64 }

func (a *area) add(x, y float64) {
	*a = area{min(a.left, x), min(a.top, y), max(a.right, x), max(a.bottom, y)}
}

func (a area) meets(b area) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

var nowhere = area{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// parts are the objects, the lines as points on them, and the names of relations in a drawing.
type parts struct {
	kinds  []string
	boxes  []area
	lines  [][][2]float64
	texts  []area // in the objects
	labels []area
}

var (
	drawnPart  = regexp.MustCompile(`(?s)<g class="(node|edge)" id="[^"]*"><title>([^<]*)</title>(.*?)</g>`)
	drawnPath  = regexp.MustCompile(`<(?:path|polygon|polyline)[^>]*? (?:d|points)="([^"]*)"`)
	drawnPoint = regexp.MustCompile(`(-?[0-9.]+),(-?[0-9.]+)`)
	drawnText  = regexp.MustCompile(`<text text-anchor="(\w+)" x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>([^<]*)</text>`)
)

func points(text string) (out [][2]float64) {
	for _, m := range drawnPoint.FindAllStringSubmatch(text, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		out = append(out, [2]float64{x, y})
	}
	return out
}

func partsOf(svg string) (p parts) {
	for _, m := range drawnPart.FindAllStringSubmatch(svg, -1) {
		if m[1] == "node" {
			box := nowhere
			for _, shape := range drawnPath.FindAllStringSubmatch(m[3], -1) {
				for _, at := range points(shape[1]) {
					box.add(at[0], at[1])
				}
			}
			kind, _, _ := strings.Cut(m[2], " ")
			p.kinds, p.boxes, p.texts = append(p.kinds, kind), append(p.boxes, box), append(p.texts, textsOf(m[3])...)
			continue
		}
		if path := regexp.MustCompile(`<path[^>]* d="([^"]*)"`).FindStringSubmatch(m[3]); path != nil {
			p.lines = append(p.lines, curve(points(path[1])))
		}
		p.labels = append(p.labels, textsOf(m[3])...)
	}
	return p
}

// textsOf are where texts stand: a letter of Helvetica is half as wide as it is high, at most, on the average of a line.
func textsOf(svg string) (out []area) {
	for _, text := range drawnText.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(text[2], 64)
		y, _ := strconv.ParseFloat(text[3], 64)
		half := 2.4 * float64(words.Columns(html.UnescapeString(text[4])))
		out = append(out, area{x - half, y - 7, x + half, y})
	}
	return out
}

// curve are points on a line of cubic Bézier pieces.
func curve(control [][2]float64) (out [][2]float64) {
	for i := 0; i+3 < len(control); i += 3 {
		for step := range 41 {
			t := float64(step) / 40
			var at [2]float64
			for k := range at {
				a, b, c, d := control[i][k], control[i+1][k], control[i+2][k], control[i+3][k]
				at[k] = a*(1-t)*(1-t)*(1-t) + 3*b*t*(1-t)*(1-t) + 3*c*t*t*(1-t) + d*t*t*t
			}
			out = append(out, at)
		}
	}
	return out
}

// No line runs through an object or the name of a relation, objects do not overlap, and the kinds stand in the order in which a volume
// is looked for, across and upright.
func TestNoLineThroughALabel(t *testing.T) {
	for _, c := range fixtures() {
		v := view.New(c.report)
		p := v.PictureOf(v.Incident)
		for _, upright := range []bool{false, true} {
			if len(p.Nodes) > 0 {
				svg, err := drawing.Draw(graphviz.SVG, p, "x", "Objects", upright)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(c.name+fmt.Sprint(upright), func(t *testing.T) {
					drawn := partsOf(svg)
					setApart(t, drawn, len(p.Nodes))
					inOrder(t, drawn, upright)
				})
			}
		}
	}
}

// What no line leads to stands in its layer all the same.
func TestAloneInItsLayer(t *testing.T) {
	p := view.Picture{Nodes: []model.GraphNode{{ID: "n", Kind: "Node", Name: "n"}, {ID: "p", Kind: "Pod", Name: "p"},
		{ID: "c", Kind: "PersistentVolumeClaim", Name: "c"},
		{ID: "v", Kind: "PersistentVolume", Name: "v"}, {ID: "v2", Kind: "PersistentVolume", Name: "v2"}},
		Edges: []model.GraphEdge{{From: "p", To: "c", Relation: "uses"}}}
	for _, upright := range []bool{false, true} {
		svg, err := drawing.Draw(graphviz.SVG, p, "x", "Objects", upright)
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, partsOf(svg), upright)
		setApart(t, partsOf(svg), len(p.Nodes))
	}
}

func setApart(t *testing.T, p parts, want int) {
	t.Helper()
	if len(p.boxes) != want {
		t.Errorf("%d objects are drawn of %d", len(p.boxes), want)
	}
	solid := slices.Concat(p.boxes, p.labels)
	for i, a := range solid {
		for j, b := range solid[:i] {
			if a.meets(b) {
				t.Errorf("%v and %v, numbers %d and %d, overlap", a, b, i, j)
			}
		}
	}
	texts := slices.Concat(p.texts, p.labels)
	for i, line := range p.lines {
		for j, b := range texts {
			for _, at := range line {
				if at[0] > b.left+1 && at[0] < b.right-1 && at[1] > b.top+1 && at[1] < b.bottom-1 {
					t.Errorf("line %d runs through number %d, %v, at %v", i, j, b, at)
					break
				}
			}
		}
	}
}

// inOrder wants each kind of layerKinds behind all of the kinds before it.
func inOrder(t *testing.T, p parts, upright bool) {
	t.Helper()
	for i, a := range p.boxes {
		for j, b := range p.boxes {
			first, second := slices.Index(view.LayerKinds(), p.kinds[i]), slices.Index(view.LayerKinds(), p.kinds[j])
			behind := a.right < b.left
			if upright {
				behind = a.bottom < b.top
			}
			if first < second && !behind {
				t.Errorf("%s at %v stands before %s at %v", p.kinds[j], b, p.kinds[i], a)
			}
		}
	}
}
