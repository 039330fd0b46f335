package view

import (
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// PhaseView is one bar of the waterfall. Start and Width are parts of the whole span, from 0 to 1.
type PhaseView struct {
	model.Phase
	Anchor       string
	Name         string // see PhaseName
	Label        string
	Clock        string // when it began; "" where nothing is dated
	Took         string
	Duration     string // with its bounds
	Open         bool   // it had not ended at the collection
	Governor     string // "parameter: value", or ""
	Start, Width float64
	Cites        []string
}

// GovernorText is "parameter: value" of what set the length of a phase, or "".
func GovernorText(p model.Phase) string {
	if p.GovernedBy == nil {
		return ""
	}
	return words.OneLine(p.GovernedBy.Parameter) + words.If(p.GovernedBy.Value != "", ": "+words.OneLine(words.Spelled(p.GovernedBy.Value)))
}

// phaseViews scales the phases to the span.
func phaseViews(v *View, in *IncidentView) []PhaseView {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	var out []PhaseView
	for n, p := range in.Phases {
		bar := PhaseView{Phase: p, Anchor: in.anchorFor("phase", string(p.ID)), Name: PhaseName(p), Label: PhaseLabel(p), Governor: GovernorText(p),
			Clock: ClockOf(p.From.At), Took: words.Seconds(p.Seconds.Best), Duration: Span(p.Seconds), Open: in.Span.Open && n == len(in.Phases)-1}
		bar.Start = Share(p.From.At, from, total)
		bar.Width = Share(p.To.At, from, total) - bar.Start
		bar.Cites = v.Cited(p.From.Evidence, p.To.Evidence)
		out = append(out, bar)
	}
	return out
}

// Share is where an instant lies in a stretch, held within it.
func Share(at, from time.Time, total time.Duration) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(at.Sub(from))/float64(total)))
}

// Line is a phase as a line of text on the scale of the span. A phase too short for a column still shows as a thin line.
func (b PhaseView) Line() string {
	const barColumns = 32
	start := min(int(b.Start*barColumns+0.5), barColumns-1)
	end := min(int((b.Start+b.Width)*barColumns+0.5), barColumns)
	mark := strings.Repeat("█", max(0, end-start))
	if end <= start || b.Width*barColumns < 0.5 {
		mark, end = "▏", start+1
	}
	return strings.Repeat("·", start) + mark + strings.Repeat("·", barColumns-end)
}
