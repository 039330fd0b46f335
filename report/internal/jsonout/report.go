// Package jsonout writes JSON as all of this program's is written: names can be searched, and none reaches a terminal as an order.
package jsonout

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/volpost/volpost/report/internal/view"
)

// options are those of encoding/json, but that characters with a meaning in HTML stay, because names are searched for, and that lists are
// never null, as the schema wants it.
var options = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false), json.FormatNilSliceAsNull(false), json.FormatNilMapAsNull(false))

// Value writes a value, indented, as it goes: a report can be larger than the memory that is free.
func Value[T any](w io.Writer, v *T) error {
	return write(w, view.CopyValue(v), jsontext.WithIndent("  "))
}

// Line writes a value in a line of its own.
func Line(w io.Writer, v any) error { return write(w, v) }

func write(w io.Writer, v any, form ...json.Options) error {
	if err := json.MarshalWrite(spelled{w}, v, append(form, options)...); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
