package view

import (
	"math"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// advisedRows are the remedies that the advice names, in its order and with its moments and numbers, and the remediations that it does not
// name. What was done is told as an act, with its worth, and by no other row.
func advisedRows(v *View, in *IncidentView) (rows []RemedyView, others []model.Remediation) {
	a := in.Incident.Advice
	if a == nil {
		return nil, in.Remediations
	}
	named := map[string]bool{}
	for _, o := range slices.Concat(a.Now, a.Better, a.Prevent) {
		for _, r := range in.Remediations {
			if r.ID == o.Remedy {
				row := NewRemedyView(v, in, asAdvised(in.Incident, r, o))
				row.Sentence, row.Now = words.Capital(in.optionView(o).Effect())+".", ""
				if o.Saved == nil && strings.Contains(row.Sentence, lowerFirst(strings.TrimSuffix(words.OneLine(row.Why), "."))) {
					row.Why = "" // it is said already
				}
				if len(row.Proof) == 0 && len(row.Met) == 0 && o.DataRisk == model.RiskOnceProven {
					row.Proof = []model.Need{{Text: words.Capital(provenBy(o.Steps)) + ".", Met: model.NotKnown}}
				}
				rows = append(rows, row)
				named[r.ID] = true
				break
			}
		}
	}
	for _, d := range a.Done {
		if d.Remedy != nil {
			named[*d.Remedy] = true
		}
	}
	return rows, slices.DeleteFunc(slices.Clone(in.Remediations), func(r model.Remediation) bool { return named[r.ID] })
}

// asAdvised is a remedy at the moment of an option, with what it saves then.
func asAdvised(in model.Incident, r model.Remediation, o model.Option) model.Remediation {
	if !sameEnd(r, o) {
		r.PredictedPhases = phasesUpTo(in, o)
	}
	r.WasUsed, r.IfAppliedNow, r.Kind, r.PredictedEnd = false, nil, model.Reactive, o.ReadyAt
	if o.Anchor == model.AnchorBefore || o.At == nil {
		r.Kind = model.Preventive
	}
	r.DataRisk, r.SideEffects = o.DataRisk, o.SideEffects
	if o.Why != "" || o.InsteadOf != nil {
		r.Why = o.Why
	}
	if len(o.Steps) > 0 {
		r.Steps, r.Commands = o.Steps, nil
		for _, s := range o.Steps {
			if s.Command != "" {
				r.Commands = append(r.Commands, s.Command)
			}
		}
	}
	return r
}

// nearEnds is by how much two ends may differ that are one, in seconds.
const nearEnds = 1.0

// sameEnd reports that the phases of a remediation are those of the option.
func sameEnd(r model.Remediation, o model.Option) bool {
	if r.PredictedEnd == nil || r.SavedSeconds == nil || o.Saved == nil || r.WasUsed {
		return false
	}
	return math.Abs(r.SavedSeconds.Best-o.Saved.Best) < nearEnds && (o.ReadyAt == nil || o.ReadyAt.At.Sub(r.PredictedEnd.At).Abs().Seconds() < nearEnds)
}

// phasesUpTo are the phases as they were up to the moment of an option, and from then on one that the report does not divide.
func phasesUpTo(in model.Incident, o model.Option) []model.Phase {
	if o.At == nil || o.ReadyAt == nil {
		return nil
	}
	var out []model.Phase
	for _, p := range in.Phases {
		if !p.From.At.Before(o.At.At) {
			break
		}
		if p.To.At.After(o.At.At) {
			p.To = *o.At
			p.Seconds = p.From.Until(p.To)
		}
		out = append(out, p)
	}
	rest := model.Phase{ID: model.PhaseUndivided, From: *o.At, To: *o.ReadyAt}
	rest.Seconds = rest.From.Until(rest.To)
	return append(out, rest)
}
