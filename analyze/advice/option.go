package advice

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// option is a remedy that was judged, as the report has it.
func option(r model.Remediation, anchor model.Anchor) model.Option {
	o := model.Option{
		Remedy: r.ID, Title: r.Title, Anchor: anchor, DataRisk: cmp.Or(r.DataRisk, model.RiskNone), SideEffects: nonNil(r.SideEffects),
		Effort: cmp.Or(efforts[r.ID], model.EffortCommand), Steps: nonNil(r.Steps), Evidence: nonNil(r.Evidence),
	}
	if r.SavedSeconds != nil && (r.Effect == model.EffectShortens || r.Effect == model.EffectPrevents) {
		o.Saved, o.ReadyAt = r.SavedSeconds, r.PredictedEnd
	} else {
		o.Why = r.Why
	}
	return o
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// offered reports that a remedy may be offered: it fits, and does not surely harm. What is not known to help is offered without a time, where
// it can be carried out: by a command, or where the error of the storage says what to repair there.
func offered(r model.Remediation) bool {
	command := func(s model.Step) bool { return s.Command != "" && s.Part == model.StepAct }
	tells := r.ID == "fix-backend-attach" || slices.ContainsFunc(r.Steps, command)
	helps := shortens(r) || tells && r.Effect == model.EffectUndecidable
	return helps && safe(r)
}

// shortens reports that a remedy is known to shorten the wait, or to prevent it.
func shortens(r model.Remediation) bool {
	return r.Effect == model.EffectShortens || r.Effect == model.EffectPrevents
}

// safe reports that a remedy is not certain to harm, and that no condition of its safety is known not to be met.
func safe(r model.Remediation) bool {
	return r.DataRisk != model.RiskCertain && !slices.ContainsFunc(r.Safety.Needs, func(n model.Need) bool { return n.Met == model.No })
}

// worthwhile puts an option back that saves less than a fifth of the span and less than a minute while a later one of no more risk saves
// more. Behind one that saves more it is left out: seconds are not what would have been better.
func worthwhile(list []model.Option, span float64) []model.Option {
	slices.SortStableFunc(list, func(a, b model.Option) int {
		return cmp.Compare(outdone(a, b, span), outdone(b, a, span))
	})
	if len(list) > 0 && large(list[0], span) {
		list = slices.DeleteFunc(list, func(o model.Option) bool { return small(o, span) })
	}
	return list
}

// outdone is 1 of an option that saves little where another saves more at no more risk; else 0.
func outdone(o, other model.Option, span float64) int {
	if small(o, span) && large(other, span) && risk(other) <= risk(o) {
		return 1
	}
	return 0
}

// large reports that an option is known to save more than small ones do.
func large(o model.Option, span float64) bool { return o.Saved != nil && !small(o, span) }

// small reports that an option saves less than a fifth of the span and less than a minute.
func small(o model.Option, span float64) bool {
	return o.Saved != nil && o.Saved.Best < span/5 && o.Saved.Best < 60
}

func risk(o model.Option) int { return slices.Index(remedy.Risks(), o.DataRisk) }
