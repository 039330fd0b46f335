package report

import (
	_ "embed"
	"io"
	"reflect"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

//go:embed schema/report.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) that the json format keeps to.
func Schema() []byte { return append([]byte(nil), schema...) }

// writeJSON writes the report itself, indented. Characters that mean something in HTML stay as they are: names are to
// be searched for as the cluster has them.
func writeJSON(w io.Writer, r *model.Report) error {
	whole := view.CopyValue(reflect.ValueOf(r)).Interface().(*model.Report)
	rest := *whole
	rest.Incidents, rest.Timeline, rest.Evidence = []model.Incident{}, []model.TimelineItem{}, []model.Evidence{}
	return writeLists(w, rest, "  ", listOf("incidents", 8, whole.Incidents), listOf("timeline", 512, whole.Timeline), listOf("evidence", 512, whole.Evidence))
}
