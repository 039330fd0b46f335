package report

import (
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
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

// governorText is "parameter: value" of what set the length of a phase, or "".
func governorText(p model.Phase) string {
	if p.GovernedBy == nil {
		return ""
	}
	return words.OneLine(p.GovernedBy.Parameter) + onlyWith(p.GovernedBy.Value != "", ": "+words.OneLine(words.Spelled(p.GovernedBy.Value)))
}

// phaseViews scales the phases to the span.
func phaseViews(v *view, in *incidentView) []phaseView {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	var out []phaseView
	for _, p := range in.Phases {
		bar := phaseView{Phase: p, Anchor: in.anchorFor("phase", string(p.ID)), Duration: span(p.Seconds)}
		bar.Label = phaseLabel(p)
		bar.Governor = governorText(p)
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
