package html

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

//go:embed page/fleet.html
var fleetPage string

// fleetHTML is what the page of a fleet shows.
type fleetHTML struct {
	Facts     []string
	Tables    []view.FleetTable
	Generator string
}

// Fleet writes one page that needs nothing else.
func Fleet(w io.Writer, f *model.Fleet) error {
	t, err := template.New("fleet").Parse(fleetPage)
	if err != nil {
		return err
	}
	return t.Execute(w, fleetHTML{view.FleetFacts(f), view.FleetTables(f), f.Generator.Name + " " + f.Generator.Version})
}
