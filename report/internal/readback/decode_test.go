package readback

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/internal/strictjson"
)

// inPieces reads a report whose lists are cut wherever they can be.
func inPieces(t *testing.T, text string, piece int) (*model.Report, error) {
	t.Helper()
	every := limits
	every.Piece = piece
	members, fault := strictjson.Check([]byte(text), every, lists...)
	if fault != nil {
		t.Fatalf("%+v", fault)
	}
	return decode([]byte(text), members)
}

// TestDivide: each list of some elements is cut.
func TestDivide(t *testing.T) {
	text := []byte(render(t, rich()))
	every := limits
	every.Piece = 1
	members, fault := strictjson.Check(text, every, lists...)
	if fault != nil {
		t.Fatal(fault)
	}
	cut := map[string]int{}
	for _, p := range divide(text, members) {
		if cut[p.list]++; p.list != "" && p.index != cut[p.list]-1 {
			t.Errorf("piece %d of %s begins at %d", cut[p.list], p.list, p.index)
		}
	}
	if r := rich(); cut[""] != 1 || cut["incidents"] != len(r.Incidents) || cut["timeline"] != len(r.Timeline) ||
		cut["evidence"] != len(r.Evidence) || len(cut) < 4 {
		t.Errorf("%v", cut)
	}
}

// TestDecodeInPieces: what is decoded in pieces is what encoding/json decodes at once.
func TestDecodeInPieces(t *testing.T) {
	for name, r := range map[string]*model.Report{"rich": rich(), "many": many(25), "hostile": reporttest.Fixture("hostile")} {
		text := render(t, r)
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
	whole := render(t, r)
	for _, at := range []string{`"generator": {`, `"bundle": {`, `"incidents": [`, `"findings": [`, `"timeline": [`, `"graph": {`,
		`"evidence": [`} {
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
				var read *Error
				if !errors.As(err, &read) || read.Line != line || !strings.Contains(read.Msg, "number 1e99") ||
					!strings.Contains(read.Msg, "of type int") {
					t.Errorf("%s after %s, %d bytes each: %+v, want line %d", field, at, piece, err, line)
				}
			}
		}
	}
}
