package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// writeDOT writes the objects around the incidents as Graphviz source.
func writeDOT(w io.Writer, r *model.Report, zone *time.Location) error {
	v := newViewIn(r, zone)
	_, err := io.WriteString(w, dotSource(v.pictureInZone(), "volpost"))
	return err
}

// look is how a kind of object is drawn. Shapes tell the kinds apart without colour; fills are light under dark text in
// any surroundings. Graphviz takes six-digit colours only.
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
	blockingLook = look{"", "doubleoctagon", "#fbe3e0", "#a31515"}
)

// The states of the VolumeAttachment that keeps the volume, or that kept it; the second can go on with a time.
const (
	blocking = "blocking"
	blocked  = "blocked"
)

// blocks reports whether an object is the attachment that keeps the volume, or kept it.
func blocks(n model.GraphNode) bool {
	return n.Kind == "VolumeAttachment" && (n.State == blocking || strings.HasPrefix(n.State, blocked))
}

// stateText is an object's state in the picture; the blocker's stands out by its capitals.
func stateText(n model.GraphNode) string {
	switch {
	case !blocks(n):
		return shorten(oneLine(n.State), labelColumns)
	case n.State == blocking:
		return "BLOCKS THE VOLUME"
	}
	return "BLOCKED THE VOLUME" + shorten(oneLine(strings.TrimPrefix(n.State, blocked)), labelColumns)
}

func lookOf(n model.GraphNode) look {
	if blocks(n) {
		return blockingLook
	}
	for _, l := range looks {
		if l.kind == n.Kind {
			return l
		}
	}
	return ownerLook
}

// dotSource writes a picture. Its identifiers begin with prefix, so that several pictures can share one page.
func dotSource(p picture, prefix string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", quoted("objects"))
	fmt.Fprintf(&b, "  graph [id=%s, bgcolor=\"transparent\", rankdir=\"LR\", nodesep=\"0.25\", ranksep=\"0.4\", pad=\"0.1\"", quoted(prefix))
	if p.Note != "" {
		fmt.Fprintf(&b, ", label=%s, labelloc=\"b\", fontname=\"Helvetica\", fontsize=\"11\", fontcolor=\"#444444\"", escaped(strings.TrimSpace(p.Note)))
	}
	b.WriteString("];\n")
	b.WriteString("  node [fontname=\"Helvetica\", fontsize=\"11\", fontcolor=\"#1a1a1a\", style=\"filled\", margin=\"0.12,0.06\"];\n")
	b.WriteString("  edge [fontname=\"Helvetica\", fontsize=\"10\", fontcolor=\"#444444\", color=\"#666666\", arrowsize=\"0.7\"];\n")
	names := dotNames(p.Nodes)
	for i, n := range p.Nodes {
		dotNode(&b, n, names[n.ID], shapeID(prefix, i), p.Links[n.ID])
	}
	for i, e := range p.Edges {
		label := e.Relation
		if e.State != "" {
			label += " (" + e.State + ")"
		}
		style := "solid"
		if e.State == string(model.Reconstructed) {
			style = "dashed"
		}
		fmt.Fprintf(&b, "  %s -> %s [id=%s, label=%s, style=%s];\n", quoted(names[e.From]), quoted(names[e.To]),
			quoted(fmt.Sprintf("%s-e%d", prefix, i+1)), escaped(shorten(oneLine(label), labelColumns)), quoted(style))
	}
	b.WriteString("}\n")
	return b.String()
}

// shapeID is the identifier of the i-th object's shape.
func shapeID(prefix string, i int) string { return fmt.Sprintf("%s-n%d", prefix, i+1) }

// dotNames names each object by kind and full name, which an SVG viewer shows as the title; a name that comes twice,
// such as two incarnations of a pod, gets a number.
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
	return oneLine(n.Kind + " " + model.Ref{Namespace: n.Namespace, Name: n.Name}.String())
}

// labelColumns is the longest name that is drawn in full; a VolumeAttachment's has 68 characters.
const labelColumns = 30

// drawnName is the part of a name that tells most in little room: of a long node name the host without its domain.
func drawnName(n model.GraphNode) string {
	name := oneLine(n.Name)
	if host, _, ok := strings.Cut(name, "."); ok && n.Kind == "Node" && len(name) > labelColumns && host != "" {
		return host + ".…"
	}
	return name
}

// dotNode writes an object. link is the anchor that a click leads to, or "".
func dotNode(b *strings.Builder, n model.GraphNode, name, id, link string) {
	look := lookOf(n)
	label := []string{shorten(oneLine(n.Kind), labelColumns), shorten(drawnName(n), labelColumns)}
	if n.Namespace != "" {
		label[0] += " in " + shorten(oneLine(n.Namespace), labelColumns)
	}
	if n.State != "" {
		label = append(label, stateText(n))
	}
	style, width := "filled", "1"
	if blocks(n) {
		style, width = "filled,bold", "2"
	}
	if n.Kind == "Pod" {
		style += ",rounded"
	}
	if n.Presence == model.Reconstructed {
		style += ",dashed"
		label = append(label, "(reconstructed)")
	}
	for i := range label {
		label[i] = escape(label[i])
	}
	tip := "tooltip=" + escaped(name)
	if link != "" {
		tip = "URL=" + quoted("#"+link)
	}
	fmt.Fprintf(b, "  %s [id=%s, label=\"%s\", %s, shape=%s, style=%s, fillcolor=%s, color=%s, penwidth=%s];\n",
		quoted(name), quoted(id), strings.Join(label, `\n`), tip,
		quoted(look.shape), quoted(style), quoted(look.fill), quoted(look.line), quoted(width))
}

// quoted is a DOT string that stands for itself: an identifier or an attribute without escapes. A quoted string is never
// an HTML-like label, whatever it begins with. Only the quote can be escaped in it, so that a backslash at its end could
// not be written; and Graphviz takes what looks like a character entity for one. Both become entities.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, "&#92;", `"`, `\"`, "&", "&amp;", "\n", " ").Replace(s) + `"`
}

// escaped is a quoted string for an attribute in which Graphviz reads backslash sequences and character entities.
func escaped(s string) string { return `"` + escape(s) + `"` }

func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", " ").Replace(s)
}
