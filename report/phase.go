package report

import (
	"time"

	"github.com/volpost/volpost/model"
)

// phaseView is one bar of the waterfall. Start and Width are parts of the whole span, from 0 to 1.
type phaseView struct {
	model.Phase
	Anchor       string
	Label        string
	Duration     string
	Governor     string // "parameter: value", or ""
	Start, Width float64
	Cites        []string
}

// phaseViews scales the phases to the span.
func phaseViews(v *view, in *incidentView) []phaseView {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	var out []phaseView
	for _, p := range in.Phases {
		bar := phaseView{Phase: p, Anchor: in.anchorFor("phase", string(p.ID)), Duration: span(p.Seconds)}
		bar.Label = phaseLabel(p)
		if g := p.GovernedBy; g != nil {
			bar.Governor = oneLine(g.Parameter)
			if g.Value != "" {
				bar.Governor += ": " + oneLine(g.Value)
			}
		}
		bar.Start = share(p.From.At, from, total)
		bar.Width = share(p.To.At, from, total) - bar.Start
		bar.Cites = v.cited(p.From.Evidence, p.To.Evidence)
		out = append(out, bar)
	}
	return out
}

// share is where an instant lies in a stretch, held within it.
func share(at, from time.Time, total time.Duration) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(at.Sub(from))/float64(total)))
}
