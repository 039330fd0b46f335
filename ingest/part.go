package ingest

import (
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// part is what one file gives. Parts are made independently of each other and joined in the order of their paths.
type part struct {
	model.Snapshot
	place  layout.Place
	input  *model.Input // nil for a directory
	events []event
	lists  []manifest.List
	stamps []layout.Stamp
	// version is the content of a collector's version file.
	version string
	audit   bool
}

// event is an Event's observation with what tells it from its copies in other files.
type event struct {
	uid             string
	resourceVersion uint64
	observation     model.Observation
}

func (p *part) problem(s model.Severity, line int, message string) {
	p.Problems = append(p.Problems, model.Problem{Severity: s, Path: p.input.Path, Line: line, Message: message})
}

// object is a record as the model has it.
func object[T any](r manifest.Record, path string, value T) model.Object[T] {
	return model.Object[T]{
		Ref: r.Ref, Value: value, ResourceVersion: r.ResourceVersion, Input: path, Cite: r.Cite,
		Source: model.Source{Kind: model.SourceManifest, Path: path, Line: r.Line},
	}
}

// keep appends an object to its list and the statements that it makes to the observations.
func keep[T any](p *part, list *[]model.Object[T], r manifest.Record, value T, state func(model.Object[T]) []model.Observation) {
	o := object(r, p.input.Path, value)
	*list = append(*list, o)
	if state != nil {
		p.Observations = append(p.Observations, state(o)...)
	}
}
