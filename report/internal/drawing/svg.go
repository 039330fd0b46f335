package drawing

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/graphviz"
	"github.com/volpost/volpost/report/internal/view"
)

// WriteSVG draws the objects around the incidents, as a file of its own.
func WriteSVG(w io.Writer, r *model.Report, zone *time.Location) error {
	return writeSVG(w, view.In(r, zone).PictureInZone(), "Objects of the incidents")
}

// ChainSVG draws a chain of objects, as a file of its own.
func ChainSVG(w io.Writer, c *model.Chain) error {
	return writeSVG(w, view.ChainPicture(c), "Objects and how they hang together")
}

// writeSVG writes a drawing as a file of its own; one without an object says so.
func writeSVG(w io.Writer, p view.Picture, title string) error {
	if len(p.Nodes) == 0 {
		_, err := io.WriteString(w, emptySVG)
		return err
	}
	svg, err := Draw(graphviz.SVG, p, "volpost", title, false)
	if err != nil {
		return fmt.Errorf("%w; volpost graph prints the objects as a tree", err)
	}
	_, err = io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+strings.Replace(svg, "</desc>", "</desc>\n"+darkStyle, 1))
	return err
}

// emptySVG is the picture of a bundle without objects: a caller gets a picture that says so.
const emptySVG = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 300 40" role="img" aria-labelledby="volpost-title">
<title id="volpost-title">No object to draw</title>
<text x="10" y="25" font-family="Helvetica,sans-Serif" font-size="12" fill="#666666">The report has no object to draw.</text>
</svg>
`

// darkStyle lightens what is drawn on the background itself. The attributes stay right where style is not applied.
const darkStyle = "<style>@media (prefers-color-scheme: dark) { .edge text, text.note { fill: #cfd3da } " +
	".edge path { stroke: #a9afb9 } .edge polygon { fill: #a9afb9 } }</style>\n"

// Engine lays a graph out and draws it: graphviz.SVG.
type Engine func(ctx context.Context, dot string) (string, error)

// Draw is a picture as one svg element. Objects stand in layers from owner to node, upright ones from the top to the bottom.
func Draw(svg Engine, p view.Picture, prefix, title string, upright bool) (string, error) {
	raw, err := svg(context.Background(), dotSource(p, prefix, upright))
	if err != nil {
		return "", fmt.Errorf("drawing the objects: %w", err)
	}
	d := drawing{p: p, prefix: prefix, title: title, boxes: map[string]*drawnBox{}, lines: map[string]string{}}
	for _, layer := range layersOf(p, prefix) {
		for _, box := range layer {
			d.boxes[box.id] = box
		}
	}
	for i, e := range p.Edges {
		d.lines[edgeID(prefix, i)] = strings.TrimSpace(words.OneLine(e.Relation + " " + e.State))
	}
	if err := d.copy(raw); err != nil {
		return "", fmt.Errorf("drawing the objects: %w", err)
	}
	return d.out.String(), nil
}

// drawing copies of Graphviz's document what draws, into an element that refers to nothing outside; titles and links are its own.
type drawing struct {
	p             view.Picture
	prefix, title string
	boxes         map[string]*drawnBox // by id; for lookup only
	lines         map[string]string    // id of a line → what it says
	out           strings.Builder
	box           *drawnBox // that is open, or nil
	texts         int       // lines of it
	edge          bool      // a line is open
	ends          []string  // what is written at the end of each element that is open
}

func (d *drawing) copy(raw string) error {
	decoder := xml.NewDecoder(strings.NewReader(raw))
	for {
		token, err := decoder.Token()
		switch t := token.(type) {
		case xml.StartElement:
			d.ends = append(d.ends, "")
			if err := d.start(t, decoder); err != nil {
				return err
			}
		case xml.EndElement:
			d.out.WriteString(d.ends[len(d.ends)-1])
			d.ends = d.ends[:len(d.ends)-1]
		}
		if err == io.EOF && d.out.Len() > 0 {
			return nil // the decoder has seen that each element ends
		}
		if err != nil {
			return fmt.Errorf("reading Graphviz's picture: %w", err)
		}
	}
}

// start writes the beginning of an element, and notes its end.
func (d *drawing) start(e xml.StartElement, decoder *xml.Decoder) error {
	end := &d.ends[len(d.ends)-1]
	if (d.out.Len() == 0) != (e.Name.Local == "svg") {
		return errors.New("graphviz gave something else than one svg element")
	}
	switch e.Name.Local {
	case "svg":
		*end = "</svg>\n"
		return d.head(attribute(e, "viewBox"))
	case "g":
		*end = d.group(e)
	case "text":
		var text string
		if err := decoder.DecodeElement(&text, &e); err != nil {
			return fmt.Errorf("reading Graphviz's picture: %w", err)
		}
		d.ends = d.ends[:len(d.ends)-1]
		d.words(e, text)
	case "polygon", "path", "ellipse", "polyline":
		if attribute(e, "fill") != "transparent" { // the background
			shape := attributes(e, "points", "d", "cx", "cy", "rx", "ry", "fill", "stroke", "stroke-width", "stroke-dasharray")
			fmt.Fprintf(&d.out, "<%s%s/>", e.Name.Local, shape)
		}
	}
	return nil
}

var drawnSize = regexp.MustCompile(`^-?[0-9.]+ -?[0-9.]+ ([0-9.]+) ([0-9.]+)$`)

func (d *drawing) head(box string) error {
	size := drawnSize.FindStringSubmatch(box)
	if size == nil {
		return errors.New("graphviz gave an svg element without size")
	}
	role := "img"
	if len(d.p.Links) > 0 {
		role = "group" // its links are for every reader
	}
	fmt.Fprintf(&d.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%s" preserveAspectRatio="xMinYMin meet"`+
		` role="%s" aria-labelledby="%[5]s-title %[5]s-desc" font-family="Helvetica,Arial,sans-serif" font-size="10.5">
<title id="%[5]s-title">%[6]s</title>
<desc id="%[5]s-desc">%[7]s and %[8]s. A double border and the words BLOCKS or BLOCKED THE VOLUME mark the attachment that keeps or kept`+
		" it; a dashed border marks an object that is not in the bundle. %[9]s</desc>\n",
		size[1], size[2], box, role, d.prefix, html.EscapeString(d.title), words.Count(len(d.p.Nodes), "object"),
		words.Count(len(d.p.Edges), "relation"), html.EscapeString(strings.TrimSpace(d.p.Note)))
	return nil
}

// group opens the group of an object, of a line or of the whole, and returns how it ends.
func (d *drawing) group(e xml.StartElement) string {
	id := attribute(e, "id")
	d.box, d.texts, d.edge = d.boxes[id], 0, false
	if d.box != nil {
		fmt.Fprintf(&d.out, `<g class="node" id="%s"><title>%s</title>`, id, html.EscapeString(d.box.title))
		if link := d.p.Links[d.box.ID]; link != "" {
			fmt.Fprintf(&d.out, `<a href="#%s">`, html.EscapeString(link))
			return "</a></g>\n"
		}
		return "</g>\n"
	}
	if says, ok := d.lines[id]; ok {
		d.edge = true
		fmt.Fprintf(&d.out, `<g class="edge" id="%s"><title>%s</title>`, id, html.EscapeString(says))
		return "</g>\n"
	}
	fmt.Fprintf(&d.out, "<g%s>\n", attributes(e, "transform"))
	return "</g>\n"
}

// words writes a line of an object, the name of a relation, or the note.
func (d *drawing) words(e xml.StartElement, text string) {
	look := ` font-size="9.5"`
	if d.box != nil && d.texts < len(d.box.lines()) {
		line := d.box.lines()[d.texts]
		look, text = line.look, line.text
		d.texts++
	} else if !d.edge {
		look = ` class="note"`
	}
	text = html.EscapeString(strings.TrimSpace(text))
	fmt.Fprintf(&d.out, "<text%s%s>%s</text>", attributes(e, "text-anchor", "x", "y", "fill"), look, text)
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// drawnValue is a number, a colour, a path or a transformation.
var drawnValue = regexp.MustCompile(`^([-+#A-Za-z0-9., ]+|scale\([0-9. ]+\) rotate\([0-9. ]+\) translate\([-0-9. ]+\))$`)

// attributes are those of some names, as they are written.
func attributes(e xml.StartElement, names ...string) string {
	out := ""
	for _, name := range names {
		if value := attribute(e, name); drawnValue.MatchString(value) {
			out += fmt.Sprintf(` %s="%s"`, name, value)
		}
	}
	return out
}

const (
	boxLetter = 20 // letters of a line in a drawing
	boxBold   = 17 // of a name's line
)

// drawnBox is an object in a drawing.
type drawnBox struct {
	model.GraphNode
	id, title   string
	name, state []string // lines
	notes       []string
}

// drawnLine is a line of text in an object, and the attributes of its look.
type drawnLine struct{ text, look string }

func (b *drawnBox) lines() []drawnLine {
	out := []drawnLine{{words.Shorten(words.OneLine(b.Kind), boxLetter+4), ` font-size="9"`}}
	add := func(texts []string, look string) {
		for _, text := range texts {
			out = append(out, drawnLine{text, look})
		}
	}
	add(b.name, ` font-weight="bold"`)
	add(b.state, ` class="state" font-size="9.5"`)
	add(b.notes, ` font-size="9.5"`)
	return out
}

// layersOf sorts the objects into layers and leaves empty ones out.
func layersOf(p view.Picture, prefix string) [][]*drawnBox {
	all := make([][]*drawnBox, len(view.LayerKinds())+ownerDepth)
	depth, names := ownerDepths(p), dotNames(p.Nodes)
	for i, n := range p.Nodes {
		layer := ownerDepth + slices.Index(view.LayerKinds(), n.Kind)
		if layer < ownerDepth {
			layer = ownerDepth - 1 - depth[n.ID]
		}
		all[layer] = append(all[layer], newBox(n, ShapeID(prefix, i), names[n.ID]))
	}
	all = slices.DeleteFunc(all, func(l []*drawnBox) bool { return len(l) == 0 })
	place := standing(all)
	for _, e := range p.Edges {
		from, to := place[e.From], place[e.To]
		if from.drawnBox == nil || to.drawnBox == nil || adjacent(from, to) {
			continue
		}
		_, name, _ := strings.Cut(to.title, " ")
		from.notes = append(from.notes, words.Shorten(words.OneLine(e.Relation)+" "+name, boxLetter))
	}
	return all
}

// placed is an object and its layer.
type placed struct {
	*drawnBox
	layer int
}

// standing finds objects by their ids; of two with one id the first.
func standing(layers [][]*drawnBox) map[string]placed {
	place := map[string]placed{}
	for i, layer := range layers {
		for _, box := range layer {
			if place[box.ID].drawnBox == nil {
				place[box.ID] = placed{box, i}
			}
		}
	}
	return place
}

// adjacent reports whether two objects are there and stand in neighbouring layers.
func adjacent(a, b placed) bool {
	return a.drawnBox != nil && b.drawnBox != nil && max(a.layer, b.layer)-min(a.layer, b.layer) == 1
}

// ownerDepth is how many layers of owners there can be.
const ownerDepth = 3

// ownerDepths are how far an owner stands from the pods that it owns at last.
func ownerDepths(p view.Picture) map[string]int {
	depth, kind := map[string]int{}, map[string]string{}
	for _, n := range p.Nodes {
		kind[n.ID] = n.Kind
	}
	for range ownerDepth {
		for _, e := range p.Edges {
			if !slices.Contains(view.LayerKinds(), kind[e.From]) && !slices.Contains(view.LayerKinds(), kind[e.To]) && e.From != e.To {
				depth[e.From] = min(max(depth[e.From], depth[e.To]+1), ownerDepth-1)
			}
		}
	}
	return depth
}

func newBox(n model.GraphNode, id, title string) *drawnBox {
	name := drawnName(n)
	if n.Namespace != "" {
		name = words.OneLine(n.Namespace) + "/" + name
	}
	box := &drawnBox{GraphNode: n, id: id, title: title, name: twoLines(name), state: folded(view.StateText(n), boxLetter)}
	if n.Presence == model.Reconstructed {
		box.notes = append(box.notes, "(reconstructed)")
	}
	if len(box.state) == 0 {
		box.state = []string{" "} // room for the clock's words
	}
	return box
}

// twoLines folds a name, shortened to as much as two lines hold.
func twoLines(name string) []string {
	lines := folded(name, boxBold)
	for most := 2 * boxBold; len(lines) > 2; most-- {
		lines = folded(words.Shorten(name, most), boxBold)
	}
	return lines
}

// folded breaks a text into lines that fit into a box: after a blank, a dash or a slash where there is one.
func folded(text string, letters int) (out []string) {
	rest := []rune(text)
	for words.Columns(string(rest)) > letters && len(out) < 3 {
		end, seam := 0, 0
		for end < len(rest) && words.Columns(string(rest[:end+1])) <= letters {
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
		out = append(out, words.Shorten(string(rest), letters))
	}
	return out
}
