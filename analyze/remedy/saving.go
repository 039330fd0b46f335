package remedy

import (
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// predicted writes down the end of a replay.
func (i *Incident) predicted(out *model.Remediation, p replay.Prediction) {
	out.PredictedEnd = new(i.Scenario.Moment(p.Ready))
	if p.Attach.Known() && p.Attach.Max > 0 {
		out.PredictedAttach = new(i.Scenario.Moment(p.Attach))
	}
	out.PredictedPhases = i.Scenario.Phases(p.Typic, i.Case.Span.StartsAt)
}

// rewritesPast reports whether the phases of a replay save time of one that was over before the act: then the replay has another past than
// the incident, and its phases are withheld.
func (i *Incident) rewritesPast(out *model.Remediation) bool {
	spent := func(list []model.Phase, id model.PhaseID) (sum float64) {
		for _, p := range list {
			if p.ID == id {
				sum += p.Seconds.Best
			}
		}
		return sum
	}
	return out.AppliedAt != nil && slices.ContainsFunc(i.Case.Phases, func(p model.Phase) bool {
		over := p.To.Latest.Before(out.AppliedAt.Earliest)
		return over && spent(i.Case.Phases, p.ID)-spent(out.PredictedPhases, p.ID) > noticeable
	})
}

// noticeable is the least saving, in seconds, that is called one.
const noticeable = 5.0

// save writes down what a remedy saves: at most what its phases took, and of an open incident at most until the collection.
func (i *Incident) save(out *model.Remediation, by model.Range, ended bool) {
	saved := model.Range{Best: tenth(by.Best), Min: tenth(by.Min), Max: tenth(by.Max)}
	most := tenth(i.most(out.Phases))
	saved.Max = min(saved.Max, most)
	saved.Best = min(saved.Best, saved.Max)
	if span := i.Case.Span.Seconds.Best; ended && span > 0 { // it may end at the attach, before the containers start
		saved.Best = min(saved.Best, tenth(span))
	}
	saved.Min = min(saved.Min, saved.Best)
	switch {
	case !ended && !i.Asis.Ready.Known():
		out.Effect = model.EffectShortens // from a wait without an end
		saved.Min, saved.Best, saved.Max = max(saved.Min, 0), max(saved.Best, 0), max(saved.Max, 0)
		if saved.Max <= 0 {
			out.Why = join(out.Why, "Without it the wait does not end.")
			return
		}
		out.Why = join(out.Why, "Without it the wait does not end; the saving is counted to the collection.")
	case saved.Min >= 0 && saved.Best >= noticeable:
		out.Effect = model.EffectShortens
	case saved.Max <= 0 && saved.Best <= -noticeable:
		out.Effect = model.EffectLengthens
		out.Why = join(out.Why, fmt.Sprintf("With it the new pod is Ready %s later.", words.Whole(-saved.Best)))
	default:
		out.Effect, out.Why = model.EffectNone, join(out.Why, unclearGain(saved))
	}
	out.SavedSeconds = &saved
}

// unclearGain says why a range is no saving: it reaches from sooner to later, or is too small.
func unclearGain(saved model.Range) string {
	if max(-saved.Min, saved.Max) < noticeable {
		return fmt.Sprintf("It makes a difference of less than %.0f s.", noticeable)
	}
	if saved.Max <= 0 {
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s later.", words.Whole(-saved.Min))
	}
	if saved.Min >= 0 {
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s sooner.", words.Whole(saved.Max))
	}
	return "No clear gain: the new pod becomes Ready between " + words.Whole(saved.Max) + " sooner and " + words.Whole(-saved.Min) + " later."
}

// most is what the incident spent in some phases, in seconds, the most that can be saved there: no more than the whole.
func (i *Incident) most(ids []string) float64 {
	sum := 0.0
	for _, p := range i.Case.Phases {
		if slices.ContainsFunc(ids, func(id string) bool { return p.MayBe(model.PhaseID(id)) }) {
			sum += p.Seconds.Max
		}
	}
	return min(sum, i.Case.Span.Seconds.Max)
}

// phases are those of the incident that a remedy can shorten.
func (i *Incident) phases(r Remedy) []string {
	out := []string{}
	for _, p := range i.Case.Phases {
		for _, id := range r.Phases {
			if p.MayBe(id) && !slices.Contains(out, string(id)) {
				out = append(out, string(id))
			}
		}
	}
	return out
}

// instant is a time of the axis that the replay chose.
func instant(s *replay.Scenario, at float64) *model.Moment {
	return new(s.Moment(model.Range{Min: at, Best: at, Max: at}))
}

func tenth(s float64) float64 { return math.Round(s*10) / 10 }
