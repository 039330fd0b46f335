package diff

import (
	"math"
	"slices"

	"github.com/volpost/volpost/model"
)

// phases compares the phases of two incidents, in the order of the second. Lengths whose ranges touch are the same.
func phases(was, is *model.Incident) []model.PhaseChange {
	out := []model.PhaseChange{}
	for _, p := range slices.Concat(is.Phases, was.Phases) {
		if !slices.ContainsFunc(out, func(c model.PhaseChange) bool { return c.ID == p.ID }) {
			out = append(out, phase(p.ID, was, is))
		}
	}
	return out
}

func phase(id model.PhaseID, was, is *model.Incident) model.PhaseChange {
	before, openBefore := length(was, id)
	after, openAfter := length(is, id)
	out := model.PhaseChange{ID: id, Before: before, After: after}
	switch {
	case openBefore && openAfter:
		out.Unfinished = "both"
	case openBefore:
		out.Unfinished = "before"
	case openAfter:
		out.Unfinished = "after"
	}
	switch {
	case before == nil:
		out.Change = "only-after"
	case after == nil:
		out.Change = "only-before"
	case after.Min > before.Max:
		out.Change = "longer"
	case after.Max < before.Min:
		out.Change = "shorter"
	default:
		out.Change = "same"
	}
	if before != nil && after != nil {
		out.By = &model.Range{Best: micro(after.Best - before.Best), Min: micro(after.Min - before.Max), Max: micro(after.Max - before.Min)}
	}
	return out
}

// length is how long a phase took, all its stretches together, and whether it had not ended at the collection.
func length(in *model.Incident, id model.PhaseID) (sum *model.Range, open bool) {
	for i, p := range in.Phases {
		if p.ID != id {
			continue
		}
		if sum == nil {
			sum = &model.Range{}
		}
		sum.Best, sum.Min, sum.Max = sum.Best+p.Seconds.Best, sum.Min+p.Seconds.Min, sum.Max+p.Seconds.Max
		open = in.Span.Open && i == len(in.Phases)-1
	}
	return sum, open
}

// micro cuts a difference of seconds to the microseconds that times have.
func micro(seconds float64) float64 { return math.Round(seconds*1_000_000) / 1_000_000 }
