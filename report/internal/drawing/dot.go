// Package drawing draws the objects of a report with Graphviz: as its source, and as SVG.
package drawing

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// WriteDOT writes the objects around the incidents as Graphviz source.
func WriteDOT(w io.Writer, r *model.Report, zone *time.Location) error {
	return writeDOT(w, view.In(r, zone).PictureInZone())
}

// ChainDOT writes a chain of objects as Graphviz source.
func ChainDOT(w io.Writer, c *model.Chain) error { return writeDOT(w, view.ChainPicture(c)) }

func writeDOT(w io.Writer, p view.Picture) error {
	_, err := io.WriteString(w, dotSource(p, "volpost", false))
	return err
}

// look is how a kind of object is drawn. Shapes distinguish kinds without colour. Graphviz takes six-digit colours only.
type look struct{ kind, shape, fill, line string }

var looks = []look{
	{"Node", "box3d", "#e8eef7", "#3b5b8c"},
	{"Pod", "box", "#e9f5eb", "#2f6b3a"},
	{"PersistentVolumeClaim", "note", "#f8f3e3", "#7a5c12"},
	{"PersistentVolume", "cylinder", "#f8f3e3", "#7a5c12"},
	{"VolumeAttachment", "component", "#f1ecf7", "#5b3f8c"},
}

// The look of other kinds, and of the attachment that blocks.
var (
	ownerLook    = look{"", "tab", "#f1f1f1", "#555555"}
	blockingLook = look{"", "box", "#fbe3e0", "#a31515"}
)

func lookOf(n model.GraphNode) look {
	if view.Blocks(n) {
		return blockingLook
	}
	for _, l := range looks {
		if l.kind == n.Kind {
			return l
		}
	}
	return ownerLook
}

// dotSource writes a picture, a rank for each layer. Its identifiers begin with prefix, so that several can share one page.
func dotSource(p view.Picture, prefix string, upright bool) string {
	var b strings.Builder
	way := "LR"
	if upright {
		way = "TB"
	}
	fmt.Fprintf(&b, `digraph "objects" {
  graph [id=%s, bgcolor="transparent", rankdir=%s, nodesep="0.17", ranksep="0.3", pad="0.1"`, quoted(prefix), quoted(way))
	if note := strings.TrimSpace(p.Note); p.Note != "" {
		fmt.Fprintf(&b, `, label=%s, labelloc="b", fontname="Helvetica", fontsize="10.5", fontcolor="#444444"`, escaped(note))
	}
	b.WriteString(`];
  node [fontname="Helvetica", fontsize="10.5", fontcolor="#1a1a1a", style="filled", width="1.72", margin="0.06,0.06"];
  edge [fontname="Helvetica", fontsize="9.5", fontcolor="#444444", color="#666666", arrowsize="0.7"];
`)
	layers := layersOf(p, prefix)
	for _, layer := range layers {
		b.WriteString("  { rank=same;\n")
		for _, box := range layer {
			dotNode(&b, box)
		}
		b.WriteString("  }\n")
	}
	dotEdges(&b, p, prefix, layers)
	b.WriteString("}\n")
	return b.String()
}

// dotEdges writes the relations between neighbouring layers. A gap without any is kept open by a line that is not drawn.
func dotEdges(b *strings.Builder, p view.Picture, prefix string, layers [][]*drawnBox) {
	place := standing(layers)
	linked := make([]bool, len(layers))
	for i, e := range p.Edges {
		from, to := place[e.From], place[e.To]
		if !adjacent(from, to) {
			continue
		}
		style, label, way := "solid", "", ""
		if e.State == string(model.Reconstructed) {
			style = "dashed"
		}
		if gap := min(from.layer, to.layer); !linked[gap] {
			linked[gap], label = true, " "+words.Shorten(words.OneLine(e.Relation), boxLetter-6)+" " // apart from lines
		}
		if from.layer > to.layer {
			from, to, way = to, from, ", dir=back" // Graphviz puts what an arrow leads to behind
		}
		fmt.Fprintf(b, "  %s -> %s [id=%s, label=%s, style=%s%s];\n", quoted(from.title), quoted(to.title),
			quoted(edgeID(prefix, i)), escaped(label), quoted(style), way)
	}
	for gap := range len(layers) - 1 {
		if !linked[gap] {
			fmt.Fprintf(b, "  %s -> %s [style=\"invis\"];\n", quoted(layers[gap][0].title), quoted(layers[gap+1][0].title))
		}
	}
}

// edgeID is the identifier of the i-th relation's line.
func edgeID(prefix string, i int) string { return fmt.Sprintf("%s-e%d", prefix, i+1) }

// ShapeID is the identifier of the i-th object's shape.
func ShapeID(prefix string, i int) string { return fmt.Sprintf("%s-n%d", prefix, i+1) }

// dotNames names each object by kind and full name, which an SVG viewer shows; one that comes twice gets a number.
func dotNames(nodes []model.GraphNode) map[string]string {
	names, taken := map[string]string{}, map[string]int{}
	for _, n := range nodes {
		name := objectName(n)
		taken[name]++
		if times := taken[name]; times > 1 {
			name += fmt.Sprintf(" (%d)", times)
		}
		names[n.ID] = name
	}
	return names
}

func objectName(n model.GraphNode) string {
	return words.OneLine(n.Kind + " " + model.Ref{Namespace: n.Namespace, Name: n.Name}.String())
}

// drawnName is the part of a name that says most in little room: of a long node name the host without its domain.
func drawnName(n model.GraphNode) string {
	name := words.OneLine(n.Name)
	if host, _, ok := strings.Cut(name, "."); ok && n.Kind == "Node" && len(name) > view.LabelColumns && host != "" {
		return host + ".…"
	}
	return name
}

// dotNode writes an object.
func dotNode(b *strings.Builder, box *drawnBox) {
	look := lookOf(box.GraphNode)
	style, border := "filled", "penwidth=\"1\""
	if view.Blocks(box.GraphNode) {
		style, border = "filled,bold", "penwidth=\"2\", peripheries=\"2\""
	}
	style += words.If(box.Kind == "Pod", ",rounded")
	style += words.If(box.Presence == model.Reconstructed, ",dashed")
	label := view.Each(box.lines(), func(line drawnLine) string { return escape(line.text) })
	fmt.Fprintf(b, "    %s [id=%s, label=\"%s\", shape=%s, style=%s, fillcolor=%s, color=%s, %s];\n",
		quoted(box.title), quoted(box.id), strings.Join(label, `\n`),
		quoted(look.shape), quoted(style), quoted(look.fill), quoted(look.line), border)
}

// quoted is a DOT string that stands for itself. Backslashes and ampersands become entities: Graphviz reads them in any string.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, "&#92;", `"`, `\"`, "&", "&amp;", "\n", " ").Replace(s) + `"`
}

// escaped is a quoted string for an attribute in which Graphviz reads backslash sequences and character entities.
func escaped(s string) string { return `"` + escape(s) + `"` }

func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", " ").Replace(s)
}
