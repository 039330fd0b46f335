package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// usual are limits that no text of these tests reaches.
var usual = Limits{Depth: 64, Values: 1 << 20, Piece: 1 << 20}

// small is a schema with each keyword that this package knows.
const small = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "small", "title": "t", "description": "d",
  "type": "object", "required": ["schema", "list"],
  "properties": {
    "schema": {"const": "v1"},
    "list": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}},
    "maybe": {"anyOf": [{"$ref": "#/$defs/item"}, {"type": "null"}]},
    "any": {"type": "object"}
  },
  "$defs": {"item": {"type": "object", "required": ["id", "at"], "properties": {
    "id": {"enum": ["a", "b/c", "d~e"]}, "at": {"type": "string", "format": "date-time"}, "line": {"type": "integer", "minimum": 1},
    "seconds": {"type": ["number", "null"]}, "yes": {"type": "boolean"}, "text": {"type": "string"}, "in": {"$ref": "#/$defs/item"}}}}
}`

// both is a schema compiled by this package and by a complete library.
type both struct {
	ours   *Schema
	theirs *jsonschema.Schema
}

func compile(t testing.TB, text string) both {
	t.Helper()
	ours, err := Compile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema", doc); err != nil {
		t.Fatal(err)
	}
	return both{ours, c.MustCompile("schema")}
}

func report(t testing.TB) both {
	t.Helper()
	text, err := os.ReadFile("../../schema/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, string(text))
}

// compare holds the answers for one text against those of encoding/json and the library.
func (b both) compare(t *testing.T, data []byte) (*Outline, *Fault) {
	t.Helper()
	out, fault := b.ours.Check(data, usual)
	if (out == nil) == (fault == nil) {
		t.Fatalf("%.200s: %v and %v", data, out, fault)
	}
	if fault != nil {
		if malformed := fault.Reason == Malformed || fault.Reason == CutOff || fault.Reason == Trailing; malformed && json.Valid(data) {
			t.Errorf("%.200s: fault %+v, json.Valid says %v", data, fault, json.Valid(data))
		}
		compareFault(t, data, fault)
		return out, fault
	}
	if !json.Valid(data) {
		t.Errorf("%.200s: no fault, and encoding/json refuses it", data)
		return out, fault
	}
	if hugeExponent(data) {
		return out, fault // the library multiplies it out
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	switch err := b.theirs.Validate(doc); {
	case err == nil && out.Breach != nil:
		if !strings.Contains(out.Breach.Message, "is not valid date-time") { // leap seconds and t are no times for Go
			t.Errorf("%.200s: %s, and the library takes it", data, out.Breach.Message)
		}
	case err != nil && out.Breach == nil:
		t.Errorf("%.200s: taken, and the library says %v", data, err)
	case err != nil:
		b.compareMessage(t, data, out.Breach, err)
	}
	return out, fault
}

// compareFault wants encoding/json to stop at the same place: at the end or before it. At the end within a word or an
// escape sequence it speaks of a space that is not there.
func compareFault(t *testing.T, data []byte, fault *Fault) {
	t.Helper()
	var syntax *json.SyntaxError
	err := json.Unmarshal(data, new(json.RawMessage))
	switch {
	case fault.Reason == CutOff && (!errors.As(err, &syntax) || int(syntax.Offset) < len(data)),
		fault.Reason == Malformed && (!errors.As(err, &syntax) || int(syntax.Offset) != fault.Offset+1):
		t.Errorf("%.200s: fault %+v, and encoding/json says %v", data, fault, err)
	}
}

// compareMessage wants the message among those of the library, of which it is as deep as any.
func (b both) compareMessage(t *testing.T, data []byte, breach *Breach, err error) {
	t.Helper()
	var broken *jsonschema.ValidationError
	if !errors.As(err, &broken) {
		t.Fatal(err)
	}
	var deepest int
	var messages []string
	var collect func(*jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			deepest = max(deepest, len(e.InstanceLocation))
			messages = append(messages, e.Error())
		}
		for _, c := range e.Causes {
			collect(c)
		}
	}
	collect(broken)
	if before, _, found := strings.Cut(breach.Message, " is not valid date-time"); found {
		if !slices.ContainsFunc(messages, func(m string) bool { return strings.HasPrefix(m, strings.TrimSuffix(before, "…'")) }) {
			return // only Go says so
		}
	} else if len(breach.Path) != deepest || !slices.Contains(messages, breach.Message) {
		t.Errorf("%.200s:\n%s, at depth %d of %d, is not among\n%s", data, breach.Message, len(breach.Path), deepest, strings.Join(messages, "\n"))
	}
	if place := valueAt(data, breach.Path); place >= 0 && place != breach.Offset {
		t.Errorf("%.200s: %v is at %d, not %d", data, breach.Path, place, breach.Offset)
	}
}

// hugeExponent tells whether a number may have an exponent of more than three digits.
func hugeExponent(data []byte) bool {
	for i, c := range data {
		if c|0x20 != 'e' || i == 0 || data[i-1] < '0' || data[i-1] > '9' {
			continue
		}
		digits := 0
		for _, d := range bytes.TrimLeft(data[i+1:], "+-") {
			if d < '0' || d > '9' {
				break
			}
			digits++
		}
		if digits > 3 {
			return true
		}
	}
	return false
}

// valueAt is where the value at a path begins; -1 when it is not found.
func valueAt(data []byte, path []string) int {
	in, base := data, 0
	for _, name := range path {
		var raw json.RawMessage
		if bytes.HasPrefix(bytes.TrimSpace(in), []byte("{")) {
			var members map[string]json.RawMessage
			if json.Unmarshal(in, &members) != nil {
				return -1
			}
			raw = members[name]
		} else {
			var elements []json.RawMessage
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || json.Unmarshal(in, &elements) != nil || i >= len(elements) {
				return -1
			}
			raw = elements[i]
		}
		at := bytes.Index(in, raw)
		if len(raw) == 0 || at < 0 || bytes.Count(in, raw) > 1 {
			return -1
		}
		base, in = base+at, in[at:at+len(raw)]
	}
	if len(path) == 0 {
		return len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	}
	return base
}
