package facts

import "github.com/volpost/volpost/model"

// FromMetric tests for samples.
func FromMetric(o *model.Observation) bool { return o.Source.Kind == model.SourceMetric }
