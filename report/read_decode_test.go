package report

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// inPieces reads a report whose lists are cut wherever they can be.
func inPieces(t *testing.T, text string, piece int) (*model.Report, error) {
	t.Helper()
	keeps, err := promise()
	if err != nil {
		t.Fatal(err)
	}
	every := limits
	every.Piece = piece
	outline, fault := keeps.Check([]byte(text), every)
	if fault != nil || outline.Breach != nil {
		t.Fatalf("%+v, %+v", fault, outline)
	}
	if n := len(divide([]byte(text), outline.Members)); piece == 1 && n < 10 {
		t.Fatalf("%d pieces: the test tries next to nothing", n)
	}
	return decode([]byte(text), outline.Members)
}

// TestDecodeInPieces: what is decoded in pieces is what encoding/json decodes at once.
func TestDecodeInPieces(t *testing.T) {
	for name, r := range map[string]*model.Report{"rich": rich(), "many": many(25), "hostile": hostile()} {
		text := render(t, "json", r)
		for _, blanks := range []bool{true, false} {
			if !blanks {
				var packed strings.Builder
				var doc json.RawMessage = []byte(text)
				if err := json.NewEncoder(&packed).Encode(doc); err != nil {
					t.Fatal(err)
				}
				text = packed.String()
			}
			var want model.Report
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			for _, piece := range []int{1, 700, 1 << 30} {
				if got, err := inPieces(t, text, piece); err != nil || !reflect.DeepEqual(*got, want) {
					t.Errorf("%s, %d bytes each: decoded otherwise, %v", name, piece, err)
				}
			}
		}
	}
}

// TestDecodeNamesTheLine: what no field can hold is found in any piece, the first one in the order of the file.
func TestDecodeNamesTheLine(t *testing.T) {
	r := rich()
	r.Redaction = &model.Redaction{Key: "k", Pseudonyms: 7} // stands behind all lists
	whole := render(t, "json", r)
	for _, at := range []string{`"generator": {`, `"bundle": {`, `"incidents": [`, `"findings": [`, `"timeline": [`, `"graph": {`, `"evidence": [`} {
		// A number that is an integer by the schema, and too large for one of Go, in the first place after at that has one.
		begin := strings.Index(whole, at)
		for _, field := range []string{`"line": `, `"reports": `, `"bytes": `, `"pseudonyms": `} {
			i := strings.Index(whole[begin:], field)
			if i < 0 {
				continue
			}
			i += begin + len(field)
			end := i + strings.IndexAny(whole[i:], ",\n")
			text := whole[:i] + "1e99" + whole[end:]
			line := lineAt([]byte(text), i)
			for _, piece := range []int{1, 1 << 30} {
				_, err := inPieces(t, text, piece)
				var read *ReadError
				if !errors.As(err, &read) || read.Line != line || !strings.Contains(read.Msg, "number 1e99") || !strings.Contains(read.Msg, "of type int") {
					t.Errorf("%s after %s, %d bytes each: %+v, want line %d", field, at, piece, err, line)
				}
			}
		}
	}
}
