package reconstruct

import "github.com/volpost/volpost/model"

// Cite makes a field of an object quotable like an observation: a statement about the state at collection, without a
// time of its own.
func Cite[T any](o model.Object[T], field string) *model.Observation {
	src, quote := o.SourceOf(field)
	if quote.Text == "" {
		return nil
	}
	return &model.Observation{Kind: model.KubernetesEvent, Object: o.Ref, Input: o.Input, Count: 1, Source: src, Quote: quote}
}
