package facts

import "github.com/volpost/volpost/model"

// FromAudit tests for what the API server itself logged.
func FromAudit(o *model.Observation) bool { return o.Source.Kind == model.SourceAudit }
