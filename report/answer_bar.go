package report

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// barPart is one stretch of the answer's bar.
type barPart struct {
	Phase    model.PhaseID
	Label    string  // what it waited for, in a word or two
	Governor string  // what set its length: "tolerationSeconds: 300 s", or ""
	From, To string  // clock times; "" where nothing is dated
	Seconds  string  // how long
	Share    float64 // of the whole bar, from 0 to 1
	Open     bool    // it had not ended at the collection
}

// barLabels are what a stretch of the bar is called: by what ends it.
var barLabels = []label{
	{string(model.PhaseDetection), "loss noticed"},
	{string(model.PhaseEviction), "pods evicted"},
	{string(model.PhaseReplacement), "new pod made"},
	{string(model.PhaseScheduling), "new pod placed"},
	{string(model.PhaseRelease), "old pod released"},
	{string(model.PhaseUnmountWait), "unmounted"},
	{string(model.PhaseDetach), "detached"},
	{string(model.PhaseAttach), "attached"},
	{string(model.PhaseMount), "Ready"},
}

// answerBar is an incident in stretches that fill it.
func answerBar(in *incidentView) []barPart {
	var out []barPart
	total := in.Span.To.At.Sub(in.Span.From.At)
	for n, p := range in.Phases {
		part := barPart{
			Phase: p.ID, Label: barLabel(p), From: clockOf(p.From.At), To: clockOf(p.To.At), Seconds: words.Seconds(p.Seconds.Best),
			Share: share(p.To.At, in.Span.From.At, total) - share(p.From.At, in.Span.From.At, total),
			Open:  in.Span.Open && n == len(in.Phases)-1,
		}
		part.Governor = governorText(p)
		out = append(out, part)
	}
	return out
}

// barLabel is the label of a stretch; of one that is not told apart, its first and its last.
func barLabel(p model.Phase) string {
	switch {
	case len(p.Undivided) > 0:
		return find(barLabels, words.OneLine(string(p.Undivided[0]))) + " … " + find(barLabels, words.OneLine(string(p.Undivided[len(p.Undivided)-1])))
	case p.ID == model.PhaseUnmountWait && p.GovernedBy != nil && strings.HasPrefix(p.GovernedBy.Parameter, "maxWaitForUnmountDuration"):
		return "unmount timer"
	}
	return find(barLabels, words.OneLine(string(p.ID)))
}
