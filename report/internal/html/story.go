package html

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/graphviz"
	"github.com/volpost/volpost/report/internal/view"
)

// htmlIncident adds chart, drawing and table of objects to an incident.
type htmlIncident struct {
	*view.IncidentView
	Page    *htmlPage
	Open    bool
	Full    bool // with all remedies and their commands, a chart and a drawing
	SVG     template.HTML
	NoSVG   string // why there is no drawing
	Tree    string // the objects, where they could not be drawn
	Objects []htmlObject
	Unnamed int // objects that are left out of the table
	Chart   *chart
}

// story gives each incident that is shown its part of the page.
func (p *htmlPage) story() {
	rows := 0
	for i, g := range p.Group {
		group := htmlGroup{GroupView: g, Cause: causeText(g.Members[0]), Longest: longest(g.Members)}
		leaders := slices.DeleteFunc(p.leaders(g.Members), func(in *view.IncidentView) bool { return !p.hasPart(in) })
		if len(leaders) == 0 {
			if rows++; rows <= p.budget.members {
				p.Brief = append(p.Brief, group)
			} else {
				p.LeftGroups++
			}
			continue
		}
		for j, in := range leaders {
			h := htmlIncident{IncidentView: in, Page: p, Open: i == 0 && j == 0 || len(p.parts) <= 2, Full: p.parts[in]}
			h.fill(p)
			group.Incidents = append(group.Incidents, h)
		}
		if len(g.Members) > 1 {
			group.Rows, group.Clock = p.volumeRows(g.Members)
			if room := max(p.budget.members-rows, 0); len(group.Rows) > room {
				group.keepRows(room)
			}
			rows += len(group.Rows)
		}
		p.Story = append(p.Story, group)
	}
}

// longest is the longest of a group's incidents in words.
func longest(members []*view.IncidentView) string {
	best, most := "unknown", -1.0
	for _, in := range members {
		if seconds := view.LastedSeconds(in.Incident); seconds > most { // not where it is unknown
			best, most = in.Lasted, seconds
		}
	}
	return best
}

func (h *htmlIncident) fill(p *htmlPage) {
	if !h.Full {
		return
	}
	part := p.PictureOf([]*view.IncidentView{h.IncidentView})
	h.Objects, h.Unnamed = p.objectsOf(h, part)
	h.Chart = p.incidentChart(h.IncidentView)
	h.drawGraph(graphviz.SVG, part)
}

// drawGraph draws the objects across for wide screens and paper, and upright for narrow ones, or says why not and has a tree.
func (h *htmlIncident) drawGraph(svg drawing.Engine, part view.Picture) {
	part.Links = map[string]string{}
	for _, o := range h.Objects {
		part.Links[o.ID] = o.Anchor
	}
	if len(part.Nodes) == 0 {
		h.NoSVG = "The report has no object to draw."
		return
	}
	var err error
	if h.SVG, err = drawBoth(svg, part, h.Anchor, fmt.Sprintf("Objects of incident %d", h.Number)); err != nil {
		h.NoSVG = "Not drawn: " + words.OneLine(err.Error()) + "."
		h.Tree = view.Tree(model.Graph{Nodes: part.Nodes, Edges: part.Edges})
		return
	}
	for i, row := range h.Chart.Rows {
		if n := shapeOf(part.Nodes, row.Object); n > 0 {
			h.Chart.Rows[i].Shape = drawing.ShapeID(h.Anchor+"-graph", n-1) + " " + drawing.ShapeID(h.Anchor+"-upright", n-1)
		}
	}
}

// drawBoth draws a picture across and upright.
func drawBoth(svg drawing.Engine, part view.Picture, anchor, title string) (template.HTML, error) {
	across, err := drawing.Draw(svg, part, anchor+"-graph", title, false)
	upright, uprightErr := drawing.Draw(svg, part, anchor+"-upright", title, true)
	if err := errors.Join(err, uprightErr); err != nil {
		return "", err
	}
	upright = `<details class="more upright"><summary>The same, upright</summary>` + upright + `</details>`
	return template.HTML(`<div class="wide">` + across + `</div>` + upright), nil
}

// Drawn are the objects of the findings of a page without an incident: drawn, or as a tree where they could not be.
func (p *htmlPage) Drawn() template.HTML {
	if !p.DrawsFindings() {
		return ""
	}
	out, err := drawBoth(graphviz.SVG, p.PictureOf(nil), "findings", "Objects of the findings")
	if err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(view.Tree(p.Graph)) + "</pre>")
	}
	return out
}

// paints are the colours of phases' bars. Luminance 0.18 gives a contrast of 4.5 with white letters, 3 with the tracks.
var paints = map[string]string{"node": "#4378b6", "pod": "#5e7f2f", "wait": "#c1551f", "move": "#8464c0", "mount": "#587b87"} // for lookup only

func paint(id model.PhaseID) string { return paints[paintClass(id)] }

func causeText(in *view.IncidentView) string {
	if len(in.Causes) == 0 {
		return "none established"
	}
	c := in.Causes[0]
	return view.CauseLabel(c) + " (" + c.ID + "), " + cmp.Or(string(c.Verdict), string(model.Undecidable))
}

// htmlObject is a row of an incident's table of objects.
type htmlObject struct {
	model.GraphNode
	Anchor string
	Cites  []string
	Blocks bool
}

// objectsOf are the objects of a picture with the quotes that name them, and how many are left out.
func (p *htmlPage) objectsOf(h *htmlIncident, part view.Picture) (list []htmlObject, left int) {
	shown := part.Nodes[:min(len(part.Nodes), view.GraphNodes)]
	for i, n := range shown {
		o := htmlObject{GraphNode: n, Anchor: h.Anchor + "-object-" + strconv.Itoa(i+1), Blocks: view.Blocks(n)}
		o.Cites = p.witnesses[model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name}.Key()]
		list = append(list, o)
	}
	return list, len(part.Nodes) - len(shown)
}

// objectNumbers gives each object a number, from 1: its place in the datalist "objects", shorter than its name in each row.
func (p *htmlPage) objectNumbers(list []model.Ref) []int {
	var out []int
	for _, r := range list {
		name := words.OneLine(r.Kind + " " + r.String())
		n, known := p.objectNumber[name]
		if !known {
			p.Objects = append(p.Objects, name)
			n = len(p.Objects)
			p.objectNumber[name] = n
		}
		out = append(out, n)
	}
	return out
}

// objectWitnesses are for each object some quotes of the timeline that name it, those of incidents before others.
func objectWitnesses(v *view.View) map[string][]string {
	out := map[string][]string{}
	for _, concerning := range []bool{true, false} {
		for _, item := range v.Timeline {
			if len(item.Incidents) > 0 != concerning {
				continue
			}
			for _, r := range item.About {
				if key := r.Key(); len(out[key]) < citesShown {
					out[key] = append(out[key], v.Cited(item.Evidence)...)
				}
			}
		}
	}
	return out
}
