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

// output is a format of a result beside the report.
type output[T any] struct {
	name  string
	write func(io.Writer, *T) error
}

// The outputs of a comparison, of the sums over many reports, of the answer to a question and of a chain of objects; the default first.
var (
	diffs = []output[model.Diff]{
		{"text", people(text.Diff)}, {"json", jsonout.Value[model.Diff]}, {"md", people(markdown.Diff)}, {"jira", people(markdown.JiraDiff)},
	}
	fleets = []output[model.Fleet]{
		{"text", people(text.Fleet)}, {"html", people(html.Fleet)}, {"csv", people(tables.Fleet)}, {"json", jsonout.Value[model.Fleet]},
	}
	whatIfs = []output[model.WhatIf]{{"text", text.WhatIf}, {"json", jsonout.Value[model.WhatIf]}}
	bundles = []output[model.Report]{{"text", text.Bundle}, {"json", bundleJSON}}
	graphs  = []output[model.Chain]{{"text", text.Graph}, {"dot", drawing.ChainDOT}, {"svg", drawing.ChainSVG}}
)

// people gives a writer names that are visible.
func people[T any](write func(io.Writer, *T) error) func(io.Writer, *T) error {
	return func(w io.Writer, v *T) error { return write(w, view.ForPeople(v)) }
}

func names[T any](list []output[T]) []string {
	return view.Each(list, func(o output[T]) string { return o.name })
}

func writeAs[T any](w io.Writer, format string, v *T, list []output[T]) error {
	if i := slices.Index(names(list), format); i >= 0 {
		return list[i].write(w, v)
	}
	return unknown(format, names(list))
}

// BundleFormats are the outputs of what a report says of its bundle, the default first.
func BundleFormats() []string { return names(bundles) }

// WriteBundle writes what a report says of its bundle in one of BundleFormats.
func WriteBundle(w io.Writer, format string, r *model.Report) error {
	return writeAs(w, format, r, bundles)
}

func bundleJSON(w io.Writer, r *model.Report) error { return jsonout.Value(w, &r.Bundle) }

// DiffFormats are the outputs of a comparison, the default first.
func DiffFormats() []string { return names(diffs) }

// WriteDiff renders a comparison in one of DiffFormats.
func WriteDiff(w io.Writer, format string, d *model.Diff) error { return writeAs(w, format, d, diffs) }

// FleetFormats are the outputs of a fleet, the default first.
func FleetFormats() []string { return names(fleets) }

// WriteFleet renders the sums over many reports in one of FleetFormats.
func WriteFleet(w io.Writer, format string, f *model.Fleet) error {
	return writeAs(w, format, f, fleets)
}

// WhatIfFormats are the outputs of an answer, the default first.
func WhatIfFormats() []string { return names(whatIfs) }

// WriteWhatIf renders the answer to a question in one of WhatIfFormats.
func WriteWhatIf(w io.Writer, format string, answer *model.WhatIf) error {
	return writeAs(w, format, answer, whatIfs)
}

// GraphFormats are the outputs of objects and their relations: a tree of text, Graphviz source or a drawing.
func GraphFormats() []string { return names(graphs) }

// WriteGraph renders objects and their relations in one of GraphFormats.
func WriteGraph(w io.Writer, format string, c *model.Chain) error {
	return writeAs(w, format, c, graphs)
}
