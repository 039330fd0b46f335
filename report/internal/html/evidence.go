package html

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// htmlQuote is one entry of the evidence appendix.
type htmlQuote struct {
	model.Evidence
	Anchor string
	Mark   string
	Left   bool // the text is left out to keep the page small
	Aside  bool // only observations that concern no incident rest on it
	By     []link
	ByMore int
}

// quoteFile are quotes that follow one another in one file.
type quoteFile struct {
	Path   string
	Quotes []htmlQuote
}

// Aside says so of all of the file's quotes.
func (f quoteFile) Aside() bool {
	return !slices.ContainsFunc(f.Quotes, func(q htmlQuote) bool { return !q.Aside })
}

// link leads to a claim.
type link struct{ Anchor, Text string }

// backLinks is how many claims a quote links back to.
const backLinks = 6

// quotes lists quotes, each once, in the order of the files. Without room for all, those that the page cites first stay.
func (p *htmlPage) quotes() {
	by, order := p.citations()
	p.shown = map[string]bool{}
	left := map[string]bool{}
	room := p.budget.quotes
	others := map[string]bool{}
	for _, row := range p.Others {
		others[row.Anchor] = true
	}
	for _, id := range order {
		e := p.Evidence[p.EvidenceAt[id]]
		size := 190 + len(e.Source.Field) + len(e.Source.Series) + 75*min(len(by[id]), backLinks)
		if size+len(e.Text) <= room {
			room -= size + len(e.Text)
		} else if size <= room {
			room -= size
			left[id] = true
		} else {
			continue
		}
		p.shown[id] = true
	}
	for i, e := range p.Evidence {
		if p.EvidenceAt[e.ID] != i {
			continue // the same identifier again: the first is the one that claims refer to
		}
		if !p.shown[e.ID] {
			p.Unquoted++
			continue
		}
		q := htmlQuote{Evidence: e, Anchor: view.Anchor(e.ID), Mark: p.Mark(e.ID), By: by[e.ID], Left: left[e.ID]}
		q.Aside = len(p.Incident) > 0 && (len(q.By) == 0 || others[q.By[0].Anchor])
		if len(q.By) > backLinks {
			q.By, q.ByMore = q.By[:backLinks], len(q.By)-backLinks
		}
		if last := len(p.Quoted) - 1; last < 0 || p.Quoted[last].Path != e.Source.Path {
			p.Quoted = append(p.Quoted, quoteFile{Path: e.Source.Path})
		}
		file := &p.Quoted[len(p.Quoted)-1]
		file.Quotes = append(file.Quotes, q)
	}
}

// citations are the places of the page that cite each quote, and the quotes in the order in which the page cites them.
func (p *htmlPage) citations() (by map[string][]link, order []string) {
	by = map[string][]link{}
	add := func(anchor, text string, ids []string) {
		for _, id := range ids {
			if len(by[id]) == 0 {
				order = append(order, id)
			}
			if last := by[id]; len(last) == 0 || last[len(last)-1].Anchor != anchor {
				by[id] = append(by[id], link{anchor, text})
			}
		}
	}
	for _, g := range p.Group {
		for _, in := range g.Members {
			if full, hasPart := p.parts[in]; hasPart {
				p.citesOf(in, full, add)
			}
		}
	}
	for i, f := range p.Found {
		add(fmt.Sprintf("finding-%d", i+1), "finding "+f.ID, p.Cited(f.Evidence))
	}
	for _, i := range p.Questions {
		add("inspection-"+view.Anchor(i.ID), "inspection "+i.ID, p.Cited(i.Evidence))
	}
	for _, rows := range [][]timelineRow{p.Rows, p.Others} {
		for _, row := range rows {
			add(row.Anchor, "timeline "+row.Offset, row.Cites)
		}
	}
	for i, e := range p.Evidence {
		if p.EvidenceAt[e.ID] == i && len(by[e.ID]) == 0 {
			order = append(order, e.ID)
		}
	}
	return by, order
}

// citesOf adds what the part of one incident cites.
func (p *htmlPage) citesOf(in *view.IncidentView, full bool, add func(anchor, text string, ids []string)) {
	name := "incident"
	if p.Several() {
		name = fmt.Sprintf("incident %d", in.Number)
	}
	for _, f := range slices.Concat(in.Story().Facts, in.Story().Block) {
		add(in.Anchor, name, f.Evidence)
	}
	if a := in.Advice(); a != nil {
		for _, d := range a.Done {
			add(in.Anchor, name+", what was done", d.Cites)
		}
	}
	for _, c := range in.Story().Cause {
		add(c.Anchor, name+", cause "+c.ID, p.Cited(c.For, c.Against))
	}
	for _, b := range in.Story().Bars {
		add(b.Anchor, name+", phase "+string(b.ID), b.Cites)
	}
	if full {
		for i, s := range p.Series {
			if s.Incident == in.ID {
				add(seriesAnchor(in, i), name+", metric "+s.Metric, s.Evidence)
			}
		}
	}
	for _, o := range in.Story().Why {
		add(o.Anchor, name+", "+o.Operand.Operand, o.Cites)
	}
	if window := in.IntegrityWindow; window != nil {
		add(in.Anchor+"-integrity", name+", integrity window", p.Cited(window.Evidence))
	}
	for _, r := range in.Story().Remedies.Detailed() {
		if full {
			add(r.Anchor, name+", remedy "+r.ID, r.Cites)
		}
	}
}
