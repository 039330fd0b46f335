package readback

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/samples/recordings"
)

// inPieces reads a report whose lists are judged in pieces of so many bytes.
func inPieces(t *testing.T, text string, piece int) (*model.Report, error) {
	t.Helper()
	f, err := formOf([]byte(text), piece)
	if err != nil {
		t.Fatal(err)
	}
	return f.decode()
}

// TestPieces: each list of some elements is cut, and rest is what is left.
func TestPieces(t *testing.T) {
	f, err := formOf([]byte(render(t, rich())), 1)
	if err != nil {
		t.Fatal(err)
	}
	cut := map[string]int{}
	for _, p := range f.pieces {
		if cut[p.list]++; p.index != cut[p.list]-1 || !json.Valid(p.text) {
			t.Errorf("piece %d of %s begins at %d: %s", cut[p.list], p.list, p.index, p.text)
		}
	}
	var rest model.Report
	if err := json.Unmarshal(f.rest, &rest); err != nil || len(rest.Incidents)+len(rest.Timeline)+len(rest.Evidence) > 0 || rest.Schema == "" {
		t.Errorf("%v: %s", err, f.rest)
	}
	if r := rich(); cut["incidents"] != len(r.Incidents) || cut["timeline"] != len(r.Timeline) || cut["evidence"] != len(r.Evidence) || len(cut) < 4 {
		t.Errorf("%v", cut)
	}
}

// TestTokensAreCounted: elements of lists are counted each by itself, all else together.
func TestTokensAreCounted(t *testing.T) {
	if !recordings.Long {
		t.Skip("long: reads hundreds of megabytes")
	}
	many := strings.Repeat("0,", maxJoined/2) + "0"
	for text, want := range map[string]string{
		`{"timeline":[[` + many + `],[` + many + `]],"x":[` + many + `]}`:                                      "",
		`{"x":[` + many + `],"timeline":[` + many + `],"y":[` + many + `]}`:                                    "outside of its lists",
		`{"timeline":[` + many + `,` + many + `],"x":[` + many + `],"evidence":[[` + many + `,` + many + `]]}`: "one element",
		`{"timeline":[` + strings.Repeat(many+",", 8) + many + `]}`:                                            "has more than 33",
	} {
		if _, err := formOf([]byte(text), pieceBytes); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %q", text, err, want)
		}
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
					!strings.Contains(read.Msg, "Go int") {
					t.Errorf("%s after %s, %d bytes each: %+v, want line %d", field, at, piece, err, line)
				}
			}
		}
	}
}
