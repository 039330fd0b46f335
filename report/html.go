package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"

	"github.com/volpost/volpost/model"
)

//go:embed html
var htmlFiles embed.FS

// What the page shows before it says that the rest is in the JSON. Ticket systems refuse attachments above 7 MB.
const (
	htmlDetailed = 120     // incidents told in full; the others have a row in their group's table
	htmlGraphs   = 8       // drawings: Graphviz takes some 30 ms for each
	htmlTimeline = 2000    // rows
	htmlInputs   = 1500    // rows
	htmlProblems = 1000    // rows
	htmlQuotes   = 3 << 20 // bytes of quoted text
	htmlObjects  = 200     // rows of one incident's table of objects
	htmlRemedies = 24      // incidents whose remedies are all shown, with commands
)

// htmlPage is what the templates see.
type htmlPage struct {
	*view
	CSS      template.CSS
	Script   template.JS
	Policy   string // Content-Security-Policy
	Key      []fact // the answer in a few lines
	Primary  *incidentView
	Story    []htmlGroup
	Rows     []timelineRow // that concern an incident
	Others   []timelineRow
	RowsLeft int
	Zero     string
	ZeroAt   string   // the same for a script
	Objects  []string // that the timeline names
	Sums     []inputSum

	Quotes, OtherQuotes []htmlQuote // the second only for what concerns no incident

	objectNumber map[string]int // name → place in Objects from 1; for lookup only

	left map[*incidentView]bool // incidents that are not told in full
	full map[*incidentView]bool // incidents with all of their remedies
}

// htmlGroup is a group whose incidents carry what only the page shows.
type htmlGroup struct {
	groupView
	Incidents []htmlIncident
	Left      int // incidents that are not told in full
}

// htmlIncident adds the drawing and the table of objects to an incident.
type htmlIncident struct {
	*incidentView
	Page    *htmlPage
	Open    bool
	Left    bool // not told in full
	Full    bool // remedies with their commands
	SVG     template.HTML
	NoSVG   string // why there is no drawing
	Objects []model.GraphNode
	Axis    []tick
	Marks   []float64 // shares at which Multi-Attach began and ended
}

// tick is a label of the waterfall's axis.
type tick struct {
	Share  float64
	Anchor string // text-anchor
	Text   string
}

// writeHTML writes one page that needs nothing else: no script, no request, no font.
func writeHTML(w io.Writer, r *model.Report) error {
	page, err := newHTMLPage(newView(r))
	if err != nil {
		return err
	}
	t, err := template.New("page.gohtml").Funcs(htmlFuncs).ParseFS(htmlFiles, "html/*.gohtml")
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// htmlFuncs are the few words that the templates need.
var htmlFuncs = template.FuncMap{
	"anchor": anchor, "place": place, "instant": instant, "instantOr": instantOr, "collection": collection, "timeOfDay": timeOfDay, "span": span, "number": number, "count": count,
	"line": oneLine, "refs": refs, "bytes": bytesText,
	"status":    func(s model.Status) string { return find(statusLabels, string(s)) },
	"percent":   func(share float64) string { return fmt.Sprintf("%.3f%%", share*100) },
	"paint":     paint,
	"add1":      func(i int) int { return i + 1 },
	"thousands": func(n int) string { return number(int64(n)) },
	"claimsOf":  func(p *htmlPage, name string, list []claim) claimList { return claimList{p, name, list} },
	"factsOf":   func(p *htmlPage, list []fact) factList { return factList{p, list} },
	"rowsOf":    func(p *htmlPage, rows []timelineRow, title string) rowList { return rowList{p, rows, title} },
	"quoteOf":   func(p *htmlPage, q htmlQuote) shownQuote { return shownQuote{p, q} },
	"reasons":   byReason,
	"need":      needText,
	"safety":    func(state string) string { return find(safetyLabels, state) },

	"alternatives": func() string { return alternatives },
	"noProof":      func() string { return noProof },

	"barOf": func(bar phaseView, marks []float64) markedBar { return markedBar{bar, marks} },

	"firstInputs":      func(list []model.Input) []model.Input { return list[:min(len(list), htmlInputs)] },
	"inspected":        inspected,
	"inspectionCounts": inspectionCounts,
	"firstProblems":    func(list []model.Problem) []model.Problem { return list[:min(len(list), htmlProblems)] },
	"leftInputs":       func(list []model.Input) int { return max(len(list)-htmlInputs, 0) },
	"leftProblems":     func(list []model.Problem) int { return max(len(list)-htmlProblems, 0) },
}

// claimList is what the claims template sees.
type claimList struct {
	Page *htmlPage
	Name string
	List []claim
}

// rowList is what the rows template sees.
type rowList struct {
	Page  *htmlPage
	Rows  []timelineRow
	Title string
}

// shownQuote is what the quote template sees.
type shownQuote struct {
	Page  *htmlPage
	Quote htmlQuote
}

// Short is the place of a quote without the directory that all of them share.
func (p *htmlPage) Short(s model.Source) string { return p.short(s) }

// markedBar is what the bar template sees.
type markedBar struct {
	Bar   phaseView
	Marks []float64
}

// factList is what the facts template sees.
type factList struct {
	Page *htmlPage
	List []fact
}

// cite is a link to a quote. The identifier is stable over re-runs, the mark is short.
type cite struct{ ID, Mark string }

// Cites keeps the identifiers that are quotes of this report, as links.
func (p *htmlPage) Cites(ids []string) []cite {
	var out []cite
	for _, id := range p.cited(ids) {
		out = append(out, cite{id, p.mark(id)})
	}
	return out
}

func newHTMLPage(v *view) (*htmlPage, error) {
	css, script, err := pageParts()
	if err != nil {
		return nil, err
	}
	p := &htmlPage{view: v, objectNumber: map[string]int{}, CSS: template.CSS(css), Script: template.JS(script), Policy: policy(css, script), Primary: v.primary(), Sums: inputSums(v.Bundle.Inputs)}
	p.Key = v.keyFacts(p.Primary)
	p.story()
	p.timeline()
	p.quotes()
	return p, nil
}

// story gives each incident its drawing. When there are more than the page can hold, the first of each group has one.
func (p *htmlPage) story() {
	told, drawn, few := 0, 0, len(p.Incident) <= htmlGraphs
	p.left, p.full = map[*incidentView]bool{}, map[*incidentView]bool{}
	for i, g := range p.Group {
		group := htmlGroup{groupView: g}
		for j, in := range g.Members {
			h := htmlIncident{incidentView: in, Page: p, Open: i == 0 && j == 0 || len(p.Incident) <= 2}
			if told++; told > htmlDetailed {
				h.Left = true
				p.left[in] = true
				group.Left++
				group.Incidents = append(group.Incidents, h)
				continue
			}
			h.Axis, h.Marks, h.Full = axis(in), marks(in), told <= htmlRemedies
			p.full[in] = h.Full
			part := p.pictureOf([]*incidentView{in})
			h.Objects = part.Nodes[:min(len(part.Nodes), htmlObjects)]
			if (few || j == 0) && drawn < htmlGraphs {
				drawn++
				h.drawGraph(part)
			} else {
				h.NoSVG = "Not drawn, to keep this page small."
			}
			group.Incidents = append(group.Incidents, h)
		}
		p.Story = append(p.Story, group)
	}
}

// drawGraph draws the objects; when that fails, the table of the same objects stands alone and the page says so.
func (h *htmlIncident) drawGraph(part picture) {
	svg, err := draw(part, h.Anchor+"-graph", fmt.Sprintf("Objects of incident %d", h.Number))
	if err != nil {
		h.NoSVG = "Not drawn: " + err.Error() + "."
		return
	}
	h.SVG = template.HTML(svg)
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
	case model.PhaseRelease, model.PhaseUnmountWait:
		return "#c1551f"
	case model.PhaseDetach, model.PhaseAttach:
		return "#8464c0"
	}
	return "#587b87"
}
