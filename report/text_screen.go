package report

import (
	"io"
	"strings"

	"github.com/volpost/volpost/model"
)

// A terminal's screen. What somebody pasted is answered on one: who reads it stands before a cluster, and the rest is in the other
// formats.
const (
	screenLines   = 40
	screenHead    = 8        // lines of the first sentence; names can be long
	screenCause   = 9        // lines of the first cause, with what is inferred
	pastedBytes   = 64 << 10 // of a bundle that is small enough to have been pasted, of whatever kind
	screenFinding = 5
)

// pasted reports that the evidence is what somebody copied, and not what a collector wrote.
func (v *view) pasted() bool {
	bytes, text := int64(0), true
	for _, in := range v.Bundle.Inputs {
		bytes += in.Bytes
		text = text && (in.Used == 0 || in.Kind == model.InputText)
	}
	return len(v.Bundle.Inputs) > 0 && len(v.Bundle.Layouts) == 0 && (text || bytes <= pastedBytes)
}

// writeScreen writes the answer to what was pasted, on one screen; of anything else the whole text.
func writeScreen(w io.Writer, r *model.Report) error {
	v := newView(r)
	if !v.pasted() {
		return writeText(w, r)
	}
	s := &oneScreen{left: screenLines - 3} // the blank line and the two of the end
	s.add(screenHead, func(p *page) {
		p.wrap(strings.ToUpper(find(statusLabels, string(v.Verdict.Status)))+": ", "  ", v.Verdict.Headline)
	})
	s.add(screenCause, func(p *page) { screenCauseOf(p, v) })
	for n, step := range v.Next() {
		if !s.fits(func(p *page) { oneStep(p, n, step) }) {
			s.fits(func(p *page) { oneStep(p, n, model.NextStep{Command: step.Command, Decides: step.Decides}) })
		}
	}
	if text := v.Withheld(); text != "" {
		s.fits(func(p *page) { p.line(""); p.wrap("NOT READ: ", "  ", text) })
	}
	for _, f := range v.Findings {
		s.add(screenFinding, func(p *page) { p.line(""); p.wrap(strings.ToUpper(f.Severity)+": ", "  ", f.Title+": "+f.Text) })
	}
	s.page.line("")
	s.page.wrap("MORE: ", "  ", "gaps: "+v.Gaps.String()+". -o text and the HTML report have the evidence, and what to collect.")
	_, err := io.WriteString(w, s.page.String())
	return err
}

// oneScreen is a page with an end.
type oneScreen struct {
	page page
	left int
}

// fits writes a block if it fits as a whole.
func (s *oneScreen) fits(write func(*page)) bool {
	var p page
	write(&p)
	if n := strings.Count(p.String(), "\n"); n <= s.left {
		s.left -= n
		s.page.WriteString(p.String())
		return true
	}
	return false
}

// add writes a block, and of a longer one the first lines.
func (s *oneScreen) add(lines int, write func(*page)) {
	var p page
	write(&p)
	all := strings.SplitAfter(p.String(), "\n")
	if limit := min(lines, s.left); len(all)-1 > limit {
		if limit == 0 {
			return
		}
		all = append(all[:limit-1], "  …\n")
	}
	s.left -= strings.Count(strings.Join(all, ""), "\n")
	s.page.WriteString(strings.Join(all, ""))
}

// screenCauseOf is how sure the first cause is, why, and what it infers.
func screenCauseOf(p *page, v *view) {
	for _, in := range v.Incident {
		if in.ID != v.Verdict.Incident || len(in.Cause()) == 0 {
			continue
		}
		c := in.Cause()[0]
		if c.ID == "unknown" && len(in.Cause()) > 1 {
			c = in.Cause()[1] // what is suspected
		}
		p.line("")
		p.wrap(strings.ToUpper(string(c.Verdict))+": ", "  ", c.ID+": "+c.Summary)
		for _, missing := range c.MissingClaims {
			p.wrap("  not shown: ", "    ", missing.Sentence)
		}
	}
}
