package reconstruct

import "github.com/volpost/volpost/model"

// Cite makes a field of an object quotable like an observation: a statement about the state at collection, without a
// time of its own. It is nil when the file does not have the field.
func Cite[T any](o model.Object[T], field string) *model.Observation {
	src, quote := o.SourceOf(field)
	if quote.Text == "" {
		return nil
	}
	return &model.Observation{Kind: model.KubernetesEvent, Object: o.Ref, Input: o.Input, Count: 1, Source: src, Quote: quote}
}

// CiteAll makes those of some fields quotable that the file has.
func CiteAll[T any](o model.Object[T], fields ...string) []*model.Observation {
	var out []*model.Observation
	for _, f := range fields {
		if c := Cite(o, f); c != nil {
			out = append(out, c)
		}
	}
	return out
}
