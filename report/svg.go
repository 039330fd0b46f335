package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/graphviz"
)

// writeSVG draws the objects around the incidents, as a file of its own.
func writeSVG(w io.Writer, r *model.Report) error {
	v := newView(r)
	if len(v.Graph.Nodes) == 0 {
		_, err := io.WriteString(w, emptySVG)
		return err
	}
	svg, err := draw(v.pictureOf(v.Incident), "volpost", "Objects of the incidents")
	if err != nil {
		return err
	}
	svg = strings.Replace(svg, "</desc>", "</desc>\n"+darkStyle, 1)
	_, err = io.WriteString(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+svg)
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
const darkStyle = `<style>@media (prefers-color-scheme: dark) {
.edge text, .graph > text { fill: #cfd3da } .edge path { stroke: #a9afb9 } .edge polygon { fill: #a9afb9; stroke: #a9afb9 }
}</style>
`

// draw lays a picture out and returns one svg element with a title. A failure of Graphviz, also a panic, is an error.
func draw(p picture, prefix, title string) (svg string, err error) {
	if len(p.Nodes) == 0 {
		return "", errors.New("no object to draw")
	}
	defer func() {
		if cause := recover(); cause != nil {
			svg, err = "", fmt.Errorf("drawing the object graph: Graphviz failed: %v", cause)
		}
	}()
	raw, err := graphviz.SVG(context.Background(), dotSource(p, prefix))
	if err != nil {
		return "", fmt.Errorf("drawing the object graph: %w", err)
	}
	return inline(raw, p, prefix, title)
}

var (
	svgComment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
	svgTooltip = regexp.MustCompile(`</?a[ >][^<>]*>\n?|</a>\n?`)
	svgLink    = regexp.MustCompile(`<a xlink:href="(#[^"]*)"[^>]*>`)
	svgAnchor  = regexp.MustCompile(`<g id="a_[^"<>]*"`)
	svgOpen    = regexp.MustCompile(`(?s)<svg width="(\d+)pt" height="(\d+)pt"\s+viewBox="([-0-9. ]+)"[^>]*>`)
)

// inline turns Graphviz's document into an element that fills the width it is given, up to its natural size, names
// itself, and refers to nothing outside. Its links lead to anchors of the page; tooltips, which Graphviz writes as links
// without a target, go: the titles say the same.
func inline(raw string, p picture, prefix, title string) (string, error) {
	start := strings.Index(raw, "<svg")
	if start < 0 {
		return "", errors.New("graphviz gave no svg element")
	}
	body := svgComment.ReplaceAllString(raw[start:], "")
	role := "img"
	if len(p.Links) > 0 {
		role = "group" // its links are for everybody
		body = svgLink.ReplaceAllString(body, `<a href="$1">`)
	} else {
		body = svgTooltip.ReplaceAllString(body, "")
	}
	body = svgAnchor.ReplaceAllString(body, "<g")
	body = strings.ReplaceAll(body, "&#45;", "-") // escaped for comments, which are gone
	open := svgOpen.FindStringSubmatchIndex(body)
	if open == nil {
		return "", errors.New("graphviz gave an svg element without size")
	}
	height, box := body[open[4]:open[5]], body[open[6]:open[7]]
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="100%%" height="%spt" viewBox="%s" preserveAspectRatio="xMinYMin meet" role="%[8]s" aria-labelledby="%[3]s-title %[3]s-desc">
<title id="%[3]s-title">%[4]s</title>
<desc id="%[3]s-desc">%[5]s and %[6]s. A double border and the words BLOCKS or BLOCKED THE VOLUME mark the attachment that keeps or kept it; a dashed border marks an object that is not in the bundle. %[7]s</desc>`,
		height, box, prefix, title, count(len(p.Nodes), "object"), count(len(p.Edges), "relation"), strings.TrimSpace(p.Note), role)
	return head + body[open[1]:], nil
}
