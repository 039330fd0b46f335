package report

import (
	"fmt"
	"time"

	"github.com/volpost/volpost/model"
)

// htmlQuote is one entry of the evidence appendix.
type htmlQuote struct {
	model.Evidence
	Anchor string
	Mark   string
	Left   bool // the text is left out to keep the page small
	By     []link
	ByMore int
}

// link leads to a claim.
type link struct{ Anchor, Text string }

// backLinks is how many claims a quote links back to.
const backLinks = 8

// quotes lists each quote once, with the claims that rest on it. Those that only the other observations rest on come
// last, and folded.
func (p *htmlPage) quotes() {
	by := p.citations()
	used := 0
	others := map[string]bool{}
	for _, row := range p.Others {
		others[row.Anchor] = true
	}
	for i, e := range p.Evidence {
		if p.evidence[e.ID] != i {
			continue // the same identifier again: the first is the one that claims refer to
		}
		q := htmlQuote{Evidence: e, Anchor: anchor(e.ID), Mark: p.mark(e.ID), By: by[e.ID]}
		if len(q.By) > backLinks {
			q.By, q.ByMore = q.By[:backLinks], len(q.By)-backLinks
		}
		if used += len(e.Text); used > htmlQuotes {
			q.Text, q.Left = "", true
		}
		if len(q.By) == 0 || others[q.By[0].Anchor] {
			p.OtherQuotes = append(p.OtherQuotes, q)
		} else {
			p.Quotes = append(p.Quotes, q)
		}
	}
}

// citations collects, for each quote, the places of the page that cite it, in the page's order.
func (p *htmlPage) citations() map[string][]link {
	by := map[string][]link{}
	add := func(anchor, text string, ids []string) {
		for _, id := range ids {
			if last := by[id]; len(last) == 0 || last[len(last)-1].Anchor != anchor {
				by[id] = append(by[id], link{anchor, text})
			}
		}
	}
	for _, g := range p.Group {
		for _, in := range g.Members {
			if p.left[in] {
				continue
			}
			name := fmt.Sprintf("incident %d", in.Number)
			for _, f := range append(append([]fact(nil), in.Facts...), in.Block...) {
				add(in.Anchor, name, f.Evidence)
			}
			for _, b := range in.Bars {
				add(b.Anchor, name+", phase "+string(b.ID), b.Cites)
			}
			for _, o := range in.Why {
				add(o.Anchor, name+", "+o.Operand.Operand, o.Cites)
			}
			for _, c := range in.Cause {
				add(c.Anchor, name+", cause "+c.ID, p.cited(c.For, c.Against))
			}
			for _, r := range in.Remedies.Told() {
				if p.full[in] {
					add(r.Anchor, name+", remedy "+r.ID, r.Cites)
				}
			}
			if window := in.IntegrityWindow; window != nil {
				add(in.Anchor+"-integrity", name+", integrity window", p.cited(window.Evidence))
			}
		}
	}
	for i, f := range p.Findings {
		add(fmt.Sprintf("finding-%d", i+1), "finding "+f.ID, p.cited(f.Evidence))
	}
	for _, i := range p.Inspection {
		add("inspection-"+anchor(i.ID), "inspection "+i.ID, p.cited(i.Evidence))
	}
	for _, rows := range [][]timelineRow{p.Rows, p.Others} {
		for _, row := range rows {
			add(row.Anchor, "timeline "+row.Offset, row.Cites)
		}
	}
	return by
}

// zero is the instant from which the timeline counts.
func (p *htmlPage) zero() time.Time {
	if p.Primary != nil {
		return p.Primary.Zero
	}
	return p.Timeline[0].At.At
}
