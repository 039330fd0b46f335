package readback

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/schema"
)

const breaks = "does not keep the schema "

// Agrees wants what Read said of a text to be what the library says of the whole at once, and what is said when every list is
// judged element by element. The library takes leap seconds and a small t, which no report can be decoded with.
func Agrees(t *testing.T, library *jsonschema.Schema, text []byte, said error) {
	t.Helper()
	if said != nil && !strings.HasPrefix(said.Error(), breaks) && !strings.HasPrefix(said.Error(), "is no report that can be rendered") {
		return // of no use, whatever the schema says
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var whole *jsonschema.ValidationError
	if err := library.Validate(doc); err != nil && !errors.As(err, &whole) {
		t.Fatal(err)
	}
	var read *Error
	errors.As(said, &read)
	broken := read != nil && strings.HasPrefix(read.Msg, breaks)
	switch {
	case broken != (whole != nil):
		t.Errorf("%.200s: %v, and the library says %v", text, said, whole)
	case broken:
		agreesOnWords(t, whole, read)
	}
	if _, err := inPieces(t, string(text), 1); !equalErrors(err, said) {
		t.Errorf("%.200s: %v in pieces, %v as a whole", text, err, said)
	}
}

// agreesOnWords wants one of the library's messages, word by word.
func agreesOnWords(t *testing.T, whole *jsonschema.ValidationError, read *Error) {
	t.Helper()
	for _, e := range leaves(whole) {
		if strings.HasSuffix(read.Msg, words.Shorten(words.OneLine(words.Visible(e.Error())), 300)) {
			return
		}
	}
	t.Errorf("%s, line %d, is not among %v", read.Msg, read.Line, whole)
}

// equalErrors compares what is said and of which line.
func equalErrors(a, b error) bool {
	var one, other *Error
	if !errors.As(a, &one) || !errors.As(b, &other) {
		return a == nil && b == nil
	}
	return *one == *other
}

// TestSchemaJudgesByElement: of the lists that are judged in pieces, and of a report as a whole, the schema says nothing that
// pieces cannot tell.
func TestSchemaJudgesByElement(t *testing.T) {
	type keywords = map[string]json.RawMessage
	var root keywords
	var properties map[string]keywords
	if err := json.Unmarshal(schema.JSON(), &root); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(root["properties"], &properties); err != nil {
		t.Fatal(err)
	}
	only := func(of string, has keywords, known ...string) {
		for keyword := range has {
			if !slices.Contains(known, keyword) {
				t.Errorf("%s has %q, which is judged of pieces only", of, keyword)
			}
		}
	}
	only("a report", root, "$schema", "$id", "title", "description", "type", "required", "properties", "$defs")
	for _, name := range lists {
		if list := properties[name]; string(list["type"]) != `"array"` || list["items"] == nil {
			t.Errorf("%s is not a list by the schema: %s", name, list)
		}
		only(name, properties[name], "type", "items", "description")
	}
}

// TestBreachIsTheFirst: of several elements that break the schema the first is named, by its index in the whole list, at its deepest place,
// however the list is cut, and every time.
func TestBreachIsTheFirst(t *testing.T) {
	text := render(t, many(25))
	begin := strings.Index(text, `"timeline": [`)
	at := begin + strings.Index(text[begin:], `"basis": "observed"`)
	text = text[:at] + strings.ReplaceAll(strings.ReplaceAll(text[at:], `"basis": "`, `"basis": "x`), `"text": "`, `"other": "`)
	for range 5 {
		for _, piece := range []int{1, 700, 1 << 30} {
			_, err := inPieces(t, text, piece)
			var read *Error
			if !errors.As(err, &read) || read.Line != lineAt([]byte(text), at) {
				t.Fatalf("%d bytes each: %+v, want line %d", piece, err, lineAt([]byte(text), at))
			}
			if !strings.HasPrefix(read.Msg, breaks+"volpost/report/v1: at '/timeline/") ||
				!strings.Contains(read.Msg, "/at/basis': value must be one of 'observed', 'derived', 'assumed'") {
				t.Errorf("%d bytes each: %s", piece, read.Msg)
			}
		}
	}
}
