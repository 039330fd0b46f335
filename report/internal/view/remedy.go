package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// compared is how many remedies are drawn beside the incident as it was.
const compared = 3

// RemedyView is a remedy in words, with its place among those that are drawn.
type RemedyView struct {
	model.Remediation
	Number   int // from 1 among those that are drawn; 0 for the others
	Anchor   string
	Name     string
	Sentence string // the effect, with ranges and when it was applied
	Now      string // what it would do from the collection on, for an open incident
	Proof    []model.Need
	Met      []model.Need
	Cites    []string
}

// RemedyViews are the remedies of an incident by what is to be said of them.
type RemedyViews struct {
	Outlook string // of an open incident
	Model   string // how far the replay is to be trusted
	Helps   []RemedyView
	Worse   []RemedyView // those that lengthen the wait
	Open    []RemedyView // those that cannot be decided
	None    []RemedyView
	Misfits []RemedyView
	Fall    fall
	Advised bool // the first of Helps are those of the advice, in its order
}

// Any reports that there is something to say.
func (r RemedyViews) Any() bool {
	return r.Outlook+r.Model != "" || len(r.Helps)+len(r.Worse)+len(r.Open)+len(r.None)+len(r.Misfits) > 0
}

// Detailed are those that have more than a line: they change something, or what they change is not known.
func (r RemedyViews) Detailed() []RemedyView { return slices.Concat(r.Helps, r.Worse, r.Open) }

// newRemedyViews sorts the remedies by effect, then by risk, then those first that can still be applied, then as reported.
func newRemedyViews(v *View, in *IncidentView) RemedyViews {
	out := RemedyViews{Model: modelText(in.Incident)}
	if in.Model != nil {
		out.Outlook = in.Model.Outlook
	}
	advised, others := advisedRows(v, in)
	for _, r := range others {
		view := NewRemedyView(v, in, r)
		switch r.Effect {
		case model.EffectShortens, model.EffectPrevents:
			out.Helps = append(out.Helps, view)
		case model.EffectLengthens:
			out.Worse = append(out.Worse, view)
		case model.EffectNone:
			out.None = append(out.None, view)
		case model.EffectNotApplicable:
			out.Misfits = append(out.Misfits, view)
		default:
			out.Open = append(out.Open, view)
		}
	}
	slices.SortStableFunc(out.Helps, func(a, b RemedyView) int { return cmp.Compare(urgency(a), urgency(b)) })
	out.Helps, out.Advised = slices.Concat(advised, out.Helps), len(advised) > 0
	drawn, most := 0, len(out.Helps)
	if out.Advised {
		most = len(advised) // a picture of what nobody advises helps nobody
	}
	for i := range out.Helps {
		if r := &out.Helps[i]; drawn < compared && i < most && !r.WasUsed && len(r.PredictedPhases) > 0 && r.PredictedEnd != nil {
			drawn++
			r.Number = drawn
		}
	}
	if !out.Advised { // the order of the advice is that of every output
		slices.SortStableFunc(out.Helps, func(a, b RemedyView) int { return cmp.Compare(drawnFirst(a), drawnFirst(b)) })
	}
	if numbered := slices.DeleteFunc(slices.Clone(out.Helps), func(r RemedyView) bool { return r.Number == 0 }); len(numbered) > 0 {
		out.Fall = newFall(in.Incident, numbered)
	}
	if len(out.Detailed()) == 0 && in.Model != nil && in.Model.ResidualSeconds == nil && in.Model.Withheld == "" {
		out.Model = "" // nothing rests on it
	}
	return out
}

// urgency orders remedies by the risk for the data, and of those with an equal one those first that can still be applied.
func urgency(r RemedyView) int {
	class := 2 * riskClass(r.Remediation)
	if r.Now == "" {
		class++
	}
	return class
}

// drawnFirst orders remedies so that those that are drawn come before the others.
func drawnFirst(r RemedyView) int {
	if r.Number == 0 {
		return compared + 1
	}
	return r.Number
}

// NewRemedyView puts a remedy into words.
func NewRemedyView(v *View, in *IncidentView, r model.Remediation) RemedyView {
	out := RemedyView{Remediation: r, Anchor: in.anchorFor("remedy", r.ID), Name: cmp.Or(words.OneLine(r.Title), r.ID)}
	out.Sentence = remedySentence(in.Incident, r)
	if m := r.IfAppliedNow; m != nil {
		out.Now = "Applied when the bundle was collected: new pod Ready at " + Instant(*m) + "."
		if in.Span.Open && !in.Span.To.IsZero() {
			later := Span(in.Span.To.Until(*m)) + " later."
			out.Now = "Applied when the bundle was collected (" + ClockAt(in.Span.To.At) + "): new pod Ready " + later
		}
	}
	var cites [][]string
	for _, n := range r.Safety.Needs {
		if n.Met == model.Yes {
			out.Met = append(out.Met, n)
		} else {
			out.Proof = append(out.Proof, n)
		}
		cites = append(cites, n.Evidence)
	}
	out.Cites = v.Cited(cites...)
	return out
}

// modelText says how far the replay with nothing changed lies from what happened.
func modelText(in model.Incident) string {
	m := in.Model
	switch {
	case m == nil:
		return ""
	case m.Withheld != "":
		if first, why, both := strings.Cut(m.Withheld, ". "); both && strings.HasSuffix(m.Outlook, why) { // it is said already
			return "No prediction: " + first + "."
		}
		return "No prediction: " + m.Withheld
	case m.ResidualSeconds != nil:
		return fmt.Sprintf("Replayed with nothing changed, the model reproduces this incident to within %s.", words.Seconds(*m.ResidualSeconds))
	case in.Span.Open:
		return "The incident had not ended when the bundle was collected, and the model agrees; its error cannot be measured here."
	}
	return "How far the model lies from what happened cannot be measured here: nothing in the bundle tells when the new pod was Ready."
}

// Alternatives is said once for all remedies.
const Alternatives = "The remedies are alternatives: what they save is never added up."

// remedySentence is the effect of a remedy with its numbers.
func remedySentence(in model.Incident, r model.Remediation) string {
	text := effectText(r)
	late := in.Span.Open && r.AppliedAt != nil && !in.Span.To.IsZero() && r.AppliedAt.At.After(in.Span.To.At)
	if late && r.PredictedEnd != nil {
		text = "ends the wait" // nothing of it could have been saved by the time of the collection
	}
	if r.AppliedAt != nil {
		done := words.If(r.WasUsed, ", done at ") + words.If(!r.WasUsed, ", applied at ")
		text += done + ClockAt(r.AppliedAt.At) + words.If(late, ", after the collection")
	} else if r.Kind == model.Preventive && r.PredictedEnd != nil {
		text += ", configured before the incident"
	}
	if r.PredictedEnd != nil && !r.WasUsed {
		text += "; new pod Ready " + readyText(in, *r.PredictedEnd)
	}
	return words.Capital(text) + "."
}

// readyText is when the new pod would have been Ready.
func readyText(in model.Incident, m model.Moment) string {
	text := "at " + ClockAt(m.At)
	if m.Latest.Sub(m.Earliest) >= time.Second {
		text += " (" + ClockAt(m.Earliest) + "–" + ClockAt(m.Latest) + ")"
	}
	if in.Span.From.IsZero() {
		return text
	}
	return text + ", " + words.Seconds(in.Span.From.Until(m).Best) + " after the beginning"
}

var effectLabels = []Label{
	{model.EffectShortens, "shortens"}, {model.EffectPrevents, "prevents the wait"}, {model.EffectLengthens, "lengthens"},
	{model.EffectNone, "no effect"}, {model.EffectNotApplicable, "does not apply"}, {model.EffectUndecidable, "not known"},
}

func effectText(r model.Remediation) string {
	text := Find(effectLabels, r.Effect)
	s := r.SavedSeconds
	if s == nil || r.Effect == model.EffectNone {
		return text
	}
	if r.Effect == model.EffectLengthens {
		return text + " by " + Span(model.Range{Best: -s.Best, Min: -s.Max, Max: -s.Min})
	}
	if r.Effect == model.EffectPrevents {
		return text + ", saves " + Span(*s)
	}
	return text + " by " + Span(*s)
}

// NeedText is a condition of safety with what is known of it.
func NeedText(n model.Need) string { return n.Text + " (" + Find(needLabels, n.Met) + ")" }

var needLabels = []Label{{model.Yes, "met"}, {model.No, "not met"}, {model.NotKnown, "nothing in the bundle proves it"}}

// NotApplying says that remedies have nothing to act on, without their number: one more remedy would change every report.
func (r RemedyViews) NotApplying() string {
	return words.If(len(r.Misfits) > 0, "The other remedies do not apply here")
}

// OffPaper says how many of those that help the page has and its print has not: paper has the one that was used, and what is advised with its
// steps on the first sheet.
func (r RemedyViews) OffPaper() string {
	more := len(slices.DeleteFunc(slices.Clone(r.Helps), func(one RemedyView) bool { return one.WasUsed }))
	return words.If(more > 0, words.Plural(more, "more is", "more are")+" in the page.")
}

// Then are the remedies that change something and are shown together: of an open incident those that can be done now.
func (r RemedyViews) Then(open bool) []RemedyView {
	return slices.DeleteFunc(slices.Concat(r.Helps, r.Worse), func(one RemedyView) bool { return open && one.Kind == model.Preventive })
}

// Before are those of an open incident that would have had to be set up before it.
func (r RemedyViews) Before(open bool) []RemedyView {
	return slices.DeleteFunc(slices.Concat(r.Helps, r.Worse), func(one RemedyView) bool { return !open || one.Kind != model.Preventive })
}

// Idle counts the remedies that change nothing here.
func (r RemedyViews) Idle() string {
	return "Other remedies: " + partsText(part{len(r.None), "without effect"}, part{len(r.Misfits), "not applicable"})
}

// Others counts the remedies that do not help.
func (r RemedyViews) Others() string {
	text := partsText(part{len(r.Worse), "would lengthen it"}, part{len(r.Open), "not known"},
		part{len(r.None), "without effect"}, part{len(r.Misfits), "not applicable"})
	return words.If(text != "", "Of the other remedies, "+text)
}

// ByReason joins remedies that have the same reason.
func ByReason(list []RemedyView) []string {
	var reasons []string
	ids := map[string][]string{}
	for _, r := range list {
		reason := cmp.Or(strings.TrimSpace(r.Why), "no reason is given")
		if len(ids[reason]) == 0 {
			reasons = append(reasons, reason)
		}
		ids[reason] = append(ids[reason], r.ID+words.If(r.WasUsed, " (was used)"))
	}
	return Each(reasons, func(reason string) string { return strings.Join(ids[reason], ", ") + ": " + reason })
}
