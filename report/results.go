package report

import (
	"io"
	"slices"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/html"
	"github.com/volpost/volpost/report/internal/jsonout"
	"github.com/volpost/volpost/report/internal/markdown"
	"github.com/volpost/volpost/report/internal/tables"
	"github.com/volpost/volpost/report/internal/text"
	"github.com/volpost/volpost/report/internal/view"
)

// Outputs are the formats of a result beside the report, the default first.
type Outputs[T any] []output[T]

type output[T any] struct {
	name  string
	write func(io.Writer, *T) error
}

// The outputs of a comparison, of the sums over many reports, of the answer to a question, of what a report says of its bundle, and of a chain
// of objects.
var (
	Diffs = Outputs[model.Diff]{
		{"text", people(text.Diff)}, {"json", jsonout.Value[model.Diff]}, {"md", people(markdown.Diff)}, {"jira", people(markdown.JiraDiff)},
	}
	Fleets = Outputs[model.Fleet]{
		{"text", people(text.Fleet)}, {"html", people(html.Fleet)}, {"csv", people(tables.Fleet)}, {"json", jsonout.Value[model.Fleet]},
	}
	WhatIfs = Outputs[model.WhatIf]{{"text", text.WhatIf}, {"json", jsonout.Value[model.WhatIf]}}
	Bundles = Outputs[model.Report]{{"text", text.Bundle}, {"json", bundleJSON}}
	Graphs  = Outputs[model.Chain]{{"text", text.Graph}, {"dot", drawing.ChainDOT}, {"svg", drawing.ChainSVG}}
)

// people gives a writer names that are visible.
func people[T any](write func(io.Writer, *T) error) func(io.Writer, *T) error {
	return func(w io.Writer, v *T) error { return write(w, view.ForPeople(v)) }
}

func bundleJSON(w io.Writer, r *model.Report) error { return jsonout.Value(w, &r.Bundle) }

// Names are the formats by the names that a user asks for them.
func (o Outputs[T]) Names() []string {
	return view.Each(o, func(f output[T]) string { return f.name })
}

// Write renders a result in one of the formats.
func (o Outputs[T]) Write(w io.Writer, format string, v *T) error {
	if i := slices.Index(o.Names(), format); i >= 0 {
		return o[i].write(w, v)
	}
	return unknown(format, o.Names())
}
