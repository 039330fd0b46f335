// Package jsonout writes JSON as all of this program's is written: names can be searched, and none reaches a terminal as an order.
package jsonout

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/volpost/volpost/model/words"
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

// spelled writes JSON with characters spelled out as \u… that a terminal obeys or a reader is misled by. Each Write has whole characters.
type spelled struct{ w io.Writer }

// Write implements io.Writer.
func (s spelled) Write(p []byte) (int, error) {
	from := 0
	for at := 0; at < len(p); {
		if p[at] < 0x7f {
			at++
			continue
		}
		r, size := utf8.DecodeRune(p[at:])
		if !words.Hidden(r) {
			at += size
			continue
		}
		if _, err := s.w.Write(p[from:at]); err != nil {
			return from, err
		}
		if _, err := s.w.Write(spelledOut(r)); err != nil {
			return at, err
		}
		at += size
		from = at
	}
	n, err := s.w.Write(p[from:])
	return from + n, err
}

// spelledOut is a character as JSON spells it.
func spelledOut(r rune) []byte {
	var out bytes.Buffer
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&out, `\u%04x`, unit)
	}
	return out.Bytes()
}
