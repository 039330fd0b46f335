package report

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// writeSVG draws the objects around the incidents, as a file of its own.
func writeSVG(w io.Writer, r *model.Report, zone *time.Location) error {
	v := newViewIn(r, zone)
	return writeDrawing(w, v.pictureInZone(), "Objects of the incidents")
}

// writeDrawing writes a drawing as a file of its own; one without an object says so.
func writeDrawing(w io.Writer, p picture, title string) error {
	svg := emptySVG
	if len(p.Nodes) > 0 {
		svg = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.Replace(draw(p, "volpost", title, false), "</desc>", "</desc>\n"+darkStyle, 1)
	}
	_, err := io.WriteString(w, svg)
	return err
}

// emptySVG is the picture of a bundle without objects: a caller that asked for a picture gets one that says so.
const emptySVG = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 300 40" role="img" aria-labelledby="volpost-title">
<title id="volpost-title">No object to draw</title>
<text x="10" y="25" font-family="Helvetica,sans-Serif" font-size="12" fill="#666666">The report has no object to draw.</text>
</svg>
`

// darkStyle lightens what is drawn on the background itself. The attributes stay right where style is not applied.
const darkStyle = `<style>@media (prefers-color-scheme: dark) { .edge text, text.note { fill: #cfd3da } .edge path { stroke: #a9afb9 } .edge polygon { fill: #a9afb9 } }</style>
`

const (
	boxWide   = 124 // pixels
	boxLine   = 13  // height of a line of text
	boxGap    = 12  // between objects of one layer
	layerGap  = 26  // between layers: all edges are in it, so that none crosses a text
	boxHead   = 16  // room for the names of the relations
	boxLetter = 20  // letters of a line
	boxBold   = 17  // letters of a name's line
)

// drawnBox is an object in a drawing.
type drawnBox struct {
	model.GraphNode
	id          string
	name, state []string // lines
	notes       []string
	x, y        int
}

// draw lays a picture out and returns one svg element with a title. Objects stand in layers, in the order in which a volume is
// looked for: owner, pod, claim, volume, attachment, node. Edges join neighbouring layers only, in the room between them; a relation
// that leads further, such as that of a pod to its node, is a line of text in its object. An upright drawing goes from the top to the
// bottom, for a narrow screen.
func draw(p picture, prefix, title string, upright bool) string {
	layers, place := layersOf(p, prefix)
	wide, high := arrange(layers, upright)
	var b strings.Builder
	role := "img"
	if len(p.Links) > 0 {
		role = "group" // its links are for everybody
	}
	if p.Note != "" {
		high += boxHead
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="100%%" height="%d" viewBox="0 0 %d %d" preserveAspectRatio="xMinYMin meet" role="%s" aria-labelledby="%[5]s-title %[5]s-desc" font-family="Helvetica,Arial,sans-serif" font-size="10.5">
<title id="%[5]s-title">%[6]s</title>
<desc id="%[5]s-desc">%[7]s and %[8]s. A double border and the words BLOCKS or BLOCKED THE VOLUME mark the attachment that keeps or kept it; a dashed border marks an object that is not in the bundle. %[9]s</desc>
`, high, wide, high, role, prefix, html.EscapeString(title), count(len(p.Nodes), "object"), count(len(p.Edges), "relation"), html.EscapeString(strings.TrimSpace(p.Note)))
	said := map[string]bool{}
	for i, e := range p.Edges {
		if from, to := place[e.From], place[e.To]; from.box != nil && to.box != nil && max(from.layer, to.layer)-min(from.layer, to.layer) == 1 {
			drawEdge(&b, e, fmt.Sprintf("%s-e%d", prefix, i+1), from, to, upright, said)
		}
	}
	names := dotNames(p.Nodes)
	for _, layer := range layers {
		for _, box := range layer {
			drawBox(&b, box, names[box.ID], p.Links[box.ID])
		}
	}
	if p.Note != "" {
		fmt.Fprintf(&b, `<text class="note" y="%d" fill="#444444">%s</text>`+"\n", high-4, html.EscapeString(strings.TrimSpace(p.Note)))
	}
	return b.String() + "</svg>\n"
}

// placed is where an object stands.
type placed struct {
	box   *drawnBox
	layer int
}

// layersOf sorts the objects into layers, leaves empty ones out, and puts those that belong together beside each other.
func layersOf(p picture, prefix string) ([][]*drawnBox, map[string]placed) {
	all := make([][]*drawnBox, len(layerKinds)+ownerDepth)
	depth, names := ownerDepths(p), dotNames(p.Nodes)
	for i, n := range p.Nodes {
		layer := ownerDepth + slices.Index(layerKinds, n.Kind)
		if layer < ownerDepth {
			layer = ownerDepth - 1 - depth[n.ID]
		}
		all[layer] = append(all[layer], newBox(n, shapeID(prefix, i)))
	}
	all = slices.DeleteFunc(all, func(l []*drawnBox) bool { return len(l) == 0 })
	place := map[string]placed{}
	for i, layer := range all {
		slices.SortStableFunc(layer, func(a, b *drawnBox) int { return rankIn(p, a, place, i-1) - rankIn(p, b, place, i-1) })
		for _, box := range layer {
			if place[box.ID].box == nil {
				place[box.ID] = placed{box, i}
			}
		}
		for at, box := range layer {
			box.y = at
		}
	}
	for _, e := range p.Edges {
		from, to := place[e.From], place[e.To]
		if from.box == nil || to.box == nil || max(from.layer, to.layer)-min(from.layer, to.layer) == 1 {
			continue
		}
		_, name, _ := strings.Cut(names[e.To], " ")
		from.box.notes = append(from.box.notes, shorten(oneLine(e.Relation)+" "+name, boxLetter))
	}
	return all, place
}

// layerKinds are the kinds of the layers behind the owners'; ownerDepth is how many layers of owners there can be.
var layerKinds = []string{"Pod", "PersistentVolumeClaim", "PersistentVolume", "VolumeAttachment", "Node"}

const ownerDepth = 3

// ownerDepths are how far an owner stands from the pods that it owns at last.
func ownerDepths(p picture) map[string]int {
	depth, kind := map[string]int{}, map[string]string{}
	for _, n := range p.Nodes {
		kind[n.ID] = n.Kind
	}
	for range ownerDepth {
		for _, e := range p.Edges {
			if !slices.Contains(layerKinds, kind[e.From]) && !slices.Contains(layerKinds, kind[e.To]) && e.From != e.To {
				depth[e.From] = min(max(depth[e.From], depth[e.To]+1), ownerDepth-1)
			}
		}
	}
	return depth
}

// rankIn is the place of an object's first neighbour in the layer before.
func rankIn(p picture, box *drawnBox, place map[string]placed, before int) int {
	best := 1 << 20
	for _, e := range p.Edges {
		other := ""
		switch box.ID {
		case e.From:
			other = e.To
		case e.To:
			other = e.From
		default:
			continue
		}
		if o := place[other]; o.box != nil && o.layer == before {
			best = min(best, o.box.y)
		}
	}
	return best
}

func newBox(n model.GraphNode, id string) *drawnBox {
	name := drawnName(n)
	if n.Namespace != "" {
		name = oneLine(n.Namespace) + "/" + name
	}
	box := &drawnBox{GraphNode: n, id: id, name: folded(shorten(name, 2*boxBold-3), boxBold), state: folded(stateText(n), boxLetter)}
	if n.Presence == model.Reconstructed {
		box.notes = append(box.notes, "(reconstructed)")
	}
	if len(box.state) == 0 {
		box.state = []string{""} // room for the clock's words
	}
	return box
}

// folded breaks a text into lines that fit into a box: after a blank, a dash or a slash where there is one.
func folded(text string, letters int) (out []string) {
	rest := []rune(text)
	for columns(string(rest)) > letters && len(out) < 3 {
		end, seam := 0, 0
		for end < len(rest) && columns(string(rest[:end+1])) <= letters {
			end++
			if strings.ContainsRune(" -/", rest[end-1]) && end > letters/3 {
				seam = end
			}
		}
		if seam > 0 {
			end = seam
		}
		out, rest = append(out, strings.TrimSpace(string(rest[:end]))), rest[end:]
	}
	if len(rest) > 0 {
		out = append(out, shorten(string(rest), letters))
	}
	return out
}

// arrange gives each object its place, in the middle of its layer, and answers the size of the drawing.
func arrange(layers [][]*drawnBox, upright bool) (wide, high int) {
	across := 0
	for _, layer := range layers {
		across = max(across, extent(layer, upright))
	}
	along := 1
	for _, layer := range layers {
		at, deep := 1+(across-extent(layer, upright))/2, 0
		for _, box := range layer {
			if upright {
				box.x, box.y = at, along
				at, deep = at+boxWide+boxGap, max(deep, box.height())
			} else {
				box.x, box.y = along, at+boxHead
				at, deep = at+box.height()+boxGap, boxWide
			}
		}
		along += deep + layerGap
	}
	if along += 1 - layerGap; upright {
		return max(across+2, 2*boxWide), along
	}
	return along, across + boxHead + 2
}

// extent is how much room a layer takes across.
func extent(layer []*drawnBox, upright bool) int {
	sum := -boxGap
	for _, box := range layer {
		if upright {
			sum += boxWide + boxGap
		} else {
			sum += box.height() + boxGap
		}
	}
	return sum
}

func (b *drawnBox) height() int { return (1+len(b.name)+len(b.state)+len(b.notes))*boxLine + 8 }

// drawEdge draws a relation from the side of one object to the side of another, with an arrow at what it leads to. The relation's name
// stands once in each gap, beside the edges.
func drawEdge(b *strings.Builder, e model.GraphEdge, id string, from, to placed, upright bool, said map[string]bool) {
	first, second, back := from.box, to.box, from.layer > to.layer
	if back {
		first, second = second, first
	}
	x1, y1, x2, y2 := first.x+boxWide, first.y+first.height()/2, second.x, second.y+second.height()/2
	middle := fmt.Sprintf("%d %d %d %d", (x1+x2)/2, y1, (x1+x2)/2, y2)
	if upright {
		x1, y1, x2, y2 = first.x+boxWide/2, first.y+first.height(), second.x+boxWide/2, second.y
		middle = fmt.Sprintf("%d %d %d %d", x1, (y1+y2)/2, x2, (y1+y2)/2)
	}
	dash := ""
	if e.State == string(model.Reconstructed) {
		dash = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(b, `<g class="edge" id="%s"><title>%s</title><path d="M%d %dC%s %d %d" fill="none" stroke="#666666"%s/>`, id, html.EscapeString(oneLine(e.Relation+" "+e.State)), x1, y1, middle, x2, y2, dash)
	x, y, by := x2, y2, -6
	if back {
		x, y, by = x1, y1, 6
	}
	if upright {
		fmt.Fprintf(b, `<polygon points="%d,%d %d,%d %d,%d" fill="#666666"/>`, x, y, x-3, y+by, x+3, y+by)
	} else {
		fmt.Fprintf(b, `<polygon points="%d,%d %d,%d %d,%d" fill="#666666"/>`, x, y, x+by, y-3, x+by, y+3)
	}
	if name := fmt.Sprint(min(from.layer, to.layer), e.Relation); !said[name] {
		said[name] = true
		drawRelation(b, e, min(from.layer, to.layer), (x1+x2)/2, (y1+y2)/2, upright, said)
	}
	b.WriteString("</g>\n")
}

// drawRelation writes the name of a relation over its gap; of several, the first.
func drawRelation(b *strings.Builder, e model.GraphEdge, gap, x, y int, upright bool, said map[string]bool) {
	key := fmt.Sprint("gap ", gap)
	if said[key] {
		return
	}
	said[key] = true
	at := fmt.Sprintf(`x="%d" y="11" text-anchor="middle"`, x)
	if upright {
		at = fmt.Sprintf(`x="1" y="%d"`, y+3)
	}
	fmt.Fprintf(b, `<text %s font-size="9.5" fill="#444444">%s</text>`, at, html.EscapeString(shorten(oneLine(e.Relation), boxLetter)))
}

// drawBox draws an object. link is the anchor that a click leads to, or "".
func drawBox(b *strings.Builder, box *drawnBox, name, link string) {
	look, width, dash, round := lookOf(box.GraphNode), "1.2", "", 2
	if box.Kind == "Pod" {
		round = 9
	}
	if box.Presence == model.Reconstructed {
		dash = ` stroke-dasharray="5 3"`
	}
	fmt.Fprintf(b, `<g class="node" id="%s"><title>%s</title>`, box.id, html.EscapeString(name))
	if link != "" {
		fmt.Fprintf(b, `<a href="#%s">`, link)
	}
	rect := func(in int) {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s" stroke="%s" stroke-width="%s"%s/>`, box.x+in, box.y+in, boxWide-2*in, box.height()-2*in, round, look.fill, look.line, width, dash)
	}
	if rect(0); blocks(box.GraphNode) {
		width = "2"
		rect(3)
	}
	y := box.y + 4
	line := func(text, more string) {
		y += boxLine
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#1a1a1a"%s>%s</text>`, box.x+boxWide/2, y-2, more, html.EscapeString(text))
	}
	line(shorten(oneLine(box.Kind), boxLetter+4), ` font-size="9"`)
	for _, text := range box.name {
		line(text, ` font-weight="bold"`)
	}
	for _, text := range box.state {
		line(text, ` class="state" font-size="9.5"`)
	}
	for _, text := range box.notes {
		line(text, ` font-size="9.5"`)
	}
	if link != "" {
		b.WriteString("</a>")
	}
	b.WriteString("</g>\n")
}
