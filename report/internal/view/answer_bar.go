package view

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// BarPart is one stretch of the answer's bar.
type BarPart struct {
	Phase    model.PhaseID
	Label    string  // what it waited for, in a word or two
	Governor string  // what set its length: "tolerationSeconds: 300 s", or ""
	From, To string  // clock times; "" where nothing is dated
	Seconds  string  // how long
	Share    float64 // of the whole bar, from 0 to 1
	Open     bool    // it had not ended at the collection
}

// barLabels are what a stretch of the bar is called: by what ends it.
var barLabels = []Label{
	{string(model.PhaseDetection), "loss noticed"}, {string(model.PhaseEviction), "pods evicted"},
	{string(model.PhaseReplacement), "new pod made"}, {string(model.PhaseScheduling), "new pod placed"},
	{string(model.PhaseRelease), "old pod released"}, {string(model.PhaseUnmountWait), "unmounted"},
	{string(model.PhaseDetach), "detached"}, {string(model.PhaseAttach), "attached"}, {string(model.PhaseMount), "Ready"},
}

// answerBar is an incident in stretches that fill it.
func answerBar(in *IncidentView) []BarPart {
	var out []BarPart
	total := in.Span.To.At.Sub(in.Span.From.At)
	for n, p := range in.Phases {
		part := BarPart{
			Phase: p.ID, Label: barLabel(p), From: ClockOf(p.From.At), To: ClockOf(p.To.At), Seconds: words.Seconds(p.Seconds.Best),
			Share: Share(p.To.At, in.Span.From.At, total) - Share(p.From.At, in.Span.From.At, total),
			Open:  in.Span.Open && n == len(in.Phases)-1, Governor: GovernorText(p),
		}
		out = append(out, part)
	}
	return out
}

// barLabel is the label of a stretch, by what ends it.
func barLabel(p model.Phase) string {
	label := func(id model.PhaseID) string { return Find(barLabels, words.OneLine(string(id))) }
	switch n := len(p.Undivided); {
	case n > 0:
		return label(p.Undivided[n-1]) // what ends it
	case p.ID == model.PhaseUnmountWait && p.GovernedBy != nil && strings.HasPrefix(p.GovernedBy.Parameter, "maxWaitForUnmountDuration"):
		return "unmount timer"
	}
	return label(p.ID)
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
