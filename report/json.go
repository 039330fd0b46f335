package report

import (
	_ "embed"
	"encoding/json"
	"io"
	"reflect"

	"github.com/volpost/volpost/model"
)

//go:embed schema/report.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) that the json format keeps to.
func Schema() []byte { return append([]byte(nil), schema...) }

// writeJSON writes the report itself, indented. Characters that mean something in HTML stay as they are: names are to
// be searched for as the cluster has them.
func writeJSON(w io.Writer, r *model.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(copyValue(reflect.ValueOf(r)).Interface())
}
