package view

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// BarPart is one stretch of the answer's bar.
type BarPart struct {
	Phase    model.PhaseID
	Label    string  // its name, see PhaseName
	Governor string  // what set its length: "tolerationSeconds: 300 s", or ""
	From, To string  // clock times; "" where nothing is dated
	Seconds  string  // how long
	Share    float64 // of the whole bar, from 0 to 1
	Open     bool    // it had not ended at the collection
}

// answerBar is an incident in stretches that fill it.
func answerBar(in *IncidentView) []BarPart {
	var out []BarPart
	total := in.Span.To.At.Sub(in.Span.From.At)
	for n, p := range in.Phases {
		part := BarPart{
			Phase: p.ID, Label: PhaseName(p), From: ClockOf(p.From.At), To: ClockOf(p.To.At), Seconds: words.Seconds(p.Seconds.Best),
			Share: Share(p.To.At, in.Span.From.At, total) - Share(p.From.At, in.Span.From.At, total),
			Open:  in.Span.Open && n == len(in.Phases)-1, Governor: GovernorText(p),
		}
		out = append(out, part)
	}
	return out
}

// PhaseName is the one name that a phase has in every output, that of the JSON report; of an undivided stretch with the first and the last
// phase that it consists of.
func PhaseName(p model.Phase) string {
	name := words.OneLine(string(p.ID))
	if n := len(p.Undivided); n > 1 {
		name += " (" + words.OneLine(string(p.Undivided[0])) + " to " + words.OneLine(string(p.Undivided[n-1])) + ")"
	}
	return name
}

// BarText names the stretches of a bar with how long each was.
func BarText(parts []BarPart) string {
	names := Each(parts, func(p BarPart) string { return p.Label + " " + p.Seconds + words.If(p.Open, " so far") })
	text := strings.Join(names, " · ")
	if from := parts[0].From; from != "" {
		text = "from " + from + ": " + text
	}
	return text
}
