package report

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/volpost/volpost/model"
)

// htmlIncident adds chart, drawing and table of objects to an incident.
type htmlIncident struct {
	*incidentView
	Page    *htmlPage
	Open    bool
	Full    bool // with all remedies and their commands, a chart and a drawing
	SVG     template.HTML
	Film    *htmlFilm // for the script; nil where there is no drawing
	NoSVG   string    // why there is no drawing
	Objects []htmlObject
	Unnamed int // objects that are left out of the table
	Chart   *chart
	Sparks  []spark
	Axis    []tick
	Marks   []float64 // shares at which Multi-Attach began and ended
}

// story gives each incident that is told what the page shows of it.
func (p *htmlPage) story() {
	rows := 0
	for i, g := range p.Group {
		group := htmlGroup{groupView: g, Cause: causeText(g.Members[0]), Longest: longest(g.Members)}
		leaders := slices.DeleteFunc(p.leaders(g.Members), func(in *incidentView) bool { return !p.hasPart(in) })
		if len(leaders) == 0 {
			if rows++; rows <= p.budget.members {
				p.Brief = append(p.Brief, group)
			} else {
				p.LeftGroups++
			}
			continue
		}
		for j, in := range leaders {
			h := htmlIncident{incidentView: in, Page: p, Open: i == 0 && j == 0 || len(p.told) <= 2, Full: p.told[in]}
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

// longest is the longest wait of a group's incidents in words.
func longest(members []*incidentView) string {
	best, most := "unknown", -1.0
	for _, in := range members {
		seconds := -0.5
		if ended := in.MultiAttach.Ended; ended != nil {
			seconds = in.MultiAttach.Began.Until(*ended).Best
		} else if in.Span.Open {
			seconds = in.MultiAttach.Began.Until(in.Span.To).Best
		}
		if seconds > most {
			best, most = in.Wait, seconds
		}
	}
	return best
}

func (h *htmlIncident) fill(p *htmlPage) {
	h.Axis, h.Marks = axis(h.incidentView), marks(h.incidentView)
	if !h.Full {
		return
	}
	part := p.pictureOf([]*incidentView{h.incidentView})
	h.Objects, h.Unnamed = p.objectsOf(h, part)
	h.Chart, h.Sparks = p.incidentChart(h.incidentView), p.sparks(h.incidentView)
	h.drawGraph(part)
}

// drawGraph draws the objects; when that fails, the table of the same objects stands alone and the page says so. Each
// object leads to its row, which leads to the evidence.
func (h *htmlIncident) drawGraph(part picture) {
	part.Links = map[string]string{}
	for _, o := range h.Objects {
		part.Links[o.ID] = o.Anchor
	}
	svg, err := draw(part, h.Anchor+"-graph", fmt.Sprintf("Objects of incident %d", h.Number))
	if err != nil {
		h.NoSVG = "Not drawn: " + err.Error() + "."
		return
	}
	h.SVG = template.HTML(svg)
	h.Film = newHTMLFilm(h.Page.Report, h.incidentView, part, h.Anchor+"-graph")
}

// tick is a label of the waterfall's axis.
type tick struct {
	Share  float64
	Anchor string // text-anchor
	Text   string
}

// axis labels the ends and the middle of a waterfall by their distance from the first Multi-Attach report.
func axis(in *incidentView) []tick {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	if total <= 0 {
		return nil
	}
	return []tick{
		{0, "start", offset(in.Zero, from)},
		{0.5, "middle", offset(in.Zero, from.Add(total/2))},
		{1, "end", offset(in.Zero, from.Add(total))},
	}
}

// marks are where Multi-Attach began and ended in the span.
func marks(in *incidentView) []float64 {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	if total <= 0 {
		return nil
	}
	out := []float64{share(in.MultiAttach.Began.At, from, total)}
	if ended := in.MultiAttach.Ended; ended != nil {
		out = append(out, share(ended.At, from, total))
	}
	return out
}

// paint is the colour of a phase's bar: by who is waited for. The phase's name stands beside it. Each has the one luminance, 0.18,
// that gives white letters on it a contrast of 4.5, and the bar itself 3 against the light and the dark track.
func paint(id model.PhaseID) string {
	switch id {
	case model.PhaseDetection, model.PhaseEviction:
		return "#4378b6"
	case model.PhaseReplacement, model.PhaseScheduling:
		return "#5e7f2f"
	case model.PhaseRelease, model.PhaseUnmountWait, model.PhaseUndivided:
		return "#c1551f"
	case model.PhaseDetach, model.PhaseAttach:
		return "#8464c0"
	}
	return "#587b87"
}

func causeText(in *incidentView) string {
	if len(in.Causes) == 0 {
		return "none established"
	}
	c := in.Causes[0]
	return find(causeLabels, c.ID) + " (" + c.ID + "), " + or(string(c.Verdict), string(model.Undecidable))
}
