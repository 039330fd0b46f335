package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// The tree goes from the owner to the node; what two objects share is written in full once.
func TestTree(t *testing.T) {
	var b bytes.Buffer
	if err := WriteGraph(&b, "text", rich().Graph); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	at := -1
	for _, want := range []string{"Deployment shop/orders-db\n", "├─ Pod shop/orders-db-56659c7b56-lp2jr  gone  scheduled-on " + richOld + " (NotReady)  (not in the bundle)\n", "│  └─ PersistentVolumeClaim shop/orders-db-data  Bound\n",
		"│     └─ PersistentVolume " + richPV + "\n", "BLOCKS THE VOLUME  (not in the bundle)\n", "Node " + richOld + "  NotReady\n", "└─ Pod shop/orders-db-56659c7b56-jmrkf", "   └─ PersistentVolumeClaim shop/orders-db-data  (as above)\n"} {
		if i := strings.Index(text, want); i <= at {
			t.Errorf("%q is not where it belongs in\n%s", want, text)
		} else {
			at = i
		}
	}
	if n := strings.Count(text, "PersistentVolume "+richPV); n != 1 {
		t.Errorf("the volume is written %d times", n)
	}
	if err := WriteGraph(&b, "png", model.Graph{}); err == nil || !strings.Contains(err.Error(), "text, dot, svg") {
		t.Errorf("an unknown format: %v", err)
	}
}

// Relations in a circle, to nowhere and to themselves do no harm.
func TestTreeOfNonsense(t *testing.T) {
	g := model.Graph{Nodes: []model.GraphNode{{ID: "a", Kind: "X", Name: "a"}, {ID: "b", Kind: "X", Name: "b"}, {ID: "b", Kind: "Pod", Name: nasty}},
		Edges: []model.GraphEdge{{From: "a", To: "b"}, {From: "b", To: "a"}, {From: "a", To: "a"}, {From: "c", To: "a"}}}
	for _, format := range GraphFormats {
		var b bytes.Buffer
		if err := WriteGraph(&b, format, g); err != nil || strings.ContainsAny(b.String(), "\x00\x1b") {
			t.Errorf("%s: %v in %q", format, err, b.String())
		}
	}
}

var (
	drawnRect = regexp.MustCompile(`<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"`)
	drawnPath = regexp.MustCompile(`<path d="M(\d+) (\d+)(?:V(\d+))?C\d+ \d+ \d+ \d+ (\d+) (\d+)"`)
	drawnText = regexp.MustCompile(`<text x="(\d+)" y="(\d+)"[^>]*>([^<]*)</text>`)
)

func numbers(match []string) (out []int) {
	for _, m := range match {
		n, _ := strconv.Atoi(m)
		out = append(out, n)
	}
	return out
}

// No line runs through an object, objects do not overlap, and the kinds stand in the order in which a volume is looked for, across
// and upright.
func TestNoLineThroughALabel(t *testing.T) {
	for _, c := range fixtures() {
		v := newView(c.report)
		p := v.pictureOf(v.Incident)
		for _, upright := range []bool{false, true} {
			if len(p.Nodes) > 0 {
				clear(t, c.name+fmt.Sprint(upright), draw(p, "x", "Objects", upright), upright)
			}
		}
	}
}

func clear(t *testing.T, name, svg string, upright bool) {
	t.Helper()
	var boxes [][]int
	for _, m := range drawnRect.FindAllStringSubmatch(svg, -1) {
		r := numbers(m[1:])
		if n := len(boxes); n > 0 && r[0] == boxes[n-1][0]+3 {
			continue // the second border
		}
		boxes = append(boxes, r)
	}
	for i, a := range boxes {
		for _, b := range boxes[:i] {
			if a[0] < b[0]+b[2] && b[0] < a[0]+a[2] && a[1] < b[1]+b[3] && b[1] < a[1]+a[3] {
				t.Errorf("%s: the objects %v and %v overlap", name, a, b)
			}
		}
	}
	along := 0
	if upright {
		along = 1
	}
	for _, m := range drawnPath.FindAllStringSubmatch(svg, -1) {
		e := numbers(m[1:])
		for _, b := range boxes {
			low, high := e[0], e[3]
			if upright {
				low, high = e[2], e[4] // from where its layer ends
			}
			if b[along] < high && low < b[along]+b[along+2] {
				t.Errorf("%s: the line %v runs beside or through the object %v", name, e, b)
			}
		}
	}
	if len(boxes) < 2 || len(drawnText.FindAllString(svg, -1)) < len(boxes) {
		t.Errorf("%s: %d objects", name, len(boxes))
	}
}

func TestFolded(t *testing.T) {
	for in, want := range map[string]string{
		"short": "short", "orders-db-6c9bdfc846-n5x4t": "orders-db-|6c9bdfc846-n5x4t", "csi-087fdfa5e9e0aaa3c58f94603e791332": "csi-087fdfa5e9e0a|aa3c58f94603e7913|32", "": "",
	} {
		if got := strings.Join(folded(in, boxBold), "|"); got != want {
			t.Errorf("%q is folded to %q, want %q", in, got, want)
		}
	}
}
