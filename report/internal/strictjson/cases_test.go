package strictjson

import (
	"fmt"
	"strings"
	"testing"
)

// item is an item of the small schema.
const item = `{"id": "a", "at": "2026-11-21T06:06:51Z"}`

// TestCheck: each keyword, with the place and the words of the first deepest breach.
func TestCheck(t *testing.T) {
	b := compile(t, small)
	whole := `{"schema": "v1", "list": [` + item + `]}`
	for name, c := range map[string]struct{ text, want string }{
		"whole":           {whole, ""},
		"nullable":        {strings.Replace(whole, "}]}", `, "seconds": null}], "maybe": null, "any": {"k": []}}`, 1), ""},
		"no object":       {`[]`, `at '': got array, want object`},
		"missing":         {`{}`, `at '': missing properties 'schema', 'list'`},
		"missing one":     {`{"schema": "v1"}`, `at '': missing property 'list'`},
		"const":           {strings.Replace(whole, "v1", "v2", 1), `at '/schema': value must be 'v1'`},
		"const of number": {strings.Replace(whole, `"v1"`, "1", 1), `at '/schema': value must be 'v1'`},
		"enum":            {strings.Replace(whole, `"a"`, `"x"`, 1), `at '/list/0/id': value must be one of 'a', 'b/c', 'd~e'`},
		"escaped":         {strings.Replace(whole, `"a"`, `"\u0061"`, 1), ""},
		"escaped key":     {strings.Replace(whole, `"id"`, `"\u0069d"`, 1), ""},
		"null item":       {strings.Replace(whole, item, `null`, 1), `at '/list/0': got null, want object`},
		"maybe a text":    {strings.Replace(whole, "]}", `], "maybe": "x"}`, 1), `at '/maybe': got string, want object`},
		"maybe a part":    {strings.Replace(whole, "]}", `], "maybe": {"id": "a"}}`, 1), `at '/maybe': missing property 'at'`},
		"empty list":      {`{"schema": "v1", "list": []}`, `at '/list': minItems: got 0, want 1`},
		"two types":       {strings.Replace(whole, "}]}", `, "seconds": "1"}]}`, 1), `at '/list/0/seconds': got string, want null or number`},
		"minimum":         {strings.Replace(whole, "}]}", `, "line": 0}]}`, 1), `at '/list/0/line': minimum: got 0, want 1`},
		"fraction":        {strings.Replace(whole, "}]}", `, "line": 1.5}]}`, 1), `at '/list/0/line': got number, want integer`},
		"whole fraction":  {strings.Replace(whole, "}]}", `, "line": 1.50e1}]}`, 1), ""},
		"small exponent":  {strings.Replace(whole, "}]}", `, "line": 100e-2}]}`, 1), ""},
		"too small":       {strings.Replace(whole, "}]}", `, "line": 10e-2}]}`, 1), `at '/list/0/line': got number, want integer`},
		"endless":         {strings.Replace(whole, "}]}", `, "line": 1e99999999999999999999}]}`, 1), ""},
		"endlessly small": {strings.Replace(whole, "}]}", `, "line": 1e-99999999999999999999}]}`, 1), `at '/list/0/line': got number, want integer`},
		"time":            {strings.Replace(whole, "2026-11-21T", "2026-11-31T", 1), `at '/list/0/at': '2026-11-31T06:06:51Z' is not valid date-time: want RFC 3339, such as 2026-11-21T06:06:51Z`},
		"deepest":         {strings.Replace(whole, item, `{"in": {"id": 1}}`, 1), `at '/list/0/in/id': value must be one of 'a', 'b/c', 'd~e'`},
		"first":           {strings.Replace(whole, item, item+`, {"id": "y"}, {"id": "z"}`, 1), `at '/list/1/id': value must be one of 'a', 'b/c', 'd~e'`},
		"other members":   {strings.Replace(whole, "]}", `], "x/y": [1, {"k": "\ud800"}, true, false, -0.5e+7]}`, 1), ""},
	} {
		out, fault := b.compare(t, []byte(c.text))
		switch {
		case fault != nil:
			t.Errorf("%s: %+v", name, fault)
		case c.want == "" && out.Breach != nil:
			t.Errorf("%s: %s", name, out.Breach.Message)
		case c.want != "" && (out.Breach == nil || out.Breach.Message != c.want):
			t.Errorf("%s: %+v, want %s", name, out.Breach, c.want)
		}
	}
}

// TestFaults: what cannot be used at all, and where.
func TestFaults(t *testing.T) {
	b := compile(t, small)
	many := `{`
	for i := range 100 {
		many += fmt.Sprintf(`"k%d": 0,`, i)
	}
	for name, c := range map[string]struct {
		text   string
		reason Reason
		offset int
		key    string
	}{
		"empty":             {"", CutOff, 0, ""},
		"word":              {`{"a": nul}`, Malformed, 9, ""},
		"cut word":          {`{"a": nul`, CutOff, 9, ""},
		"cut text":          {`{"a": "x`, CutOff, 8, ""},
		"cut escape":        {`{"a": "x\`, CutOff, 9, ""},
		"no escape":         {`{"a": "\x"}`, Malformed, 8, ""},
		"no code":           {`{"a": "\u00g0"}`, Malformed, 11, ""},
		"control character": {"{\"a\": \"\x01\"}", Malformed, 7, ""},
		"number":            {`{"a": -}`, Malformed, 7, ""},
		"leading zero":      {`{"a": 01}`, Malformed, 7, ""},
		"no fraction":       {`{"a": 1.}`, Malformed, 8, ""},
		"no exponent":       {`{"a": 1e+}`, Malformed, 9, ""},
		"comma":             {`{"a": 1,}`, Malformed, 8, ""},
		"list comma":        {`{"a": [1,]}`, Malformed, 9, ""},
		"no colon":          {`{"a" 1}`, Malformed, 5, ""},
		"no comma":          {`{"a": 1 "b": 2}`, Malformed, 8, ""},
		"no key":            {`{1: 2}`, Malformed, 1, ""},
		"null byte":         {"{\"a\": \x00}", Malformed, 6, ""},
		"two values":        {`{"a": 1} {}`, Trailing, 9, ""},
		"key twice":         {`{"a": 1, "b": 2, "a": 3}`, KeyTwice, 20, "a"},
		"known key twice":   {`{"list": 1, "list": 3}`, KeyTwice, 18, "list"},
		"in capitals":       {`{"list": 1, "LIST": 3}`, KeyTwice, 18, "LIST"},
		"capitals first":    {`{"LIST": 1, "list": 3}`, KeyTwice, 18, "list"},
		"twice in capitals": {`{"LIST": 1, "List": 3}`, KeyTwice, 18, "List"},
		"folded":            {"{\"schema\": 1, \"\u017fchema\": 3}", KeyTwice, 23, "\u017fchema"},
		"escaped":           {`{"k": 1, "\u212a": 3}`, KeyTwice, 17, "\u212a"},
		"invalid encoding":  {"{\"\xff\": 1, \"\xfe\": 3}", KeyTwice, 12, "\ufffd"},
		"one of many":       {many + `"k7": 0}`, KeyTwice, len(many) + 4, "k7"},
		"deep":              {`{"a": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, TooDeep, 6 + 64, ""},
	} {
		_, fault := b.compare(t, []byte(c.text))
		if fault == nil || fault.Reason != c.reason || fault.Offset != c.offset || fault.Key != c.key {
			t.Errorf("%s: %+v, want %+v", name, fault, c)
		}
	}
}

func TestTooMany(t *testing.T) {
	b := compile(t, small)
	text := []byte(`{"x": [1, 2, 3]}`)
	if _, fault := b.ours.Check(text, Limits{Depth: 2, Values: 5}); fault != nil {
		t.Errorf("%+v", fault)
	}
	if _, fault := b.ours.Check(text, Limits{Depth: 2, Values: 4}); fault == nil || fault.Reason != TooMany || fault.Offset != 13 {
		t.Errorf("%+v", fault)
	}
	if _, fault := b.ours.Check(text, Limits{Depth: 1, Values: 5}); fault == nil || fault.Reason != TooDeep {
		t.Errorf("%+v", fault)
	}
}

// TestMembers: the members of the outermost object that the schema describes, and the cuts of its lists.
func TestMembers(t *testing.T) {
	text := `{"x": [0, 1], "any": {"list": [1, 2, 3]}, "list": [ ` + item + `, ` + item + `,` + item + `], "schema": "v1"}`
	out, fault := compile(t, small).ours.Check([]byte(text), Limits{Depth: 64, Values: 100, Piece: len(item) + 3})
	if fault != nil || out.Breach != nil {
		t.Fatal(fault, out)
	}
	var got []string
	for _, m := range out.Members {
		got = append(got, m.Name+"="+text[m.Start:m.End])
		for _, c := range m.Cuts {
			if !strings.HasPrefix(text[c:], item) {
				t.Errorf("a cut at %.20s", text[c:])
			}
		}
		if m.Name == "list" && len(m.Cuts) != 2 || m.Name != "list" && len(m.Cuts) != 0 {
			t.Errorf("%s has cuts %v", m.Name, m.Cuts)
		}
	}
	if strings.Join(got, "\n") != "any={\"list\": [1, 2, 3]}\nlist=[ "+item+", "+item+","+item+"]\nschema=\"v1\"" {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, text := range []string{
		`{"type": "object", "additionalProperties": false}`,
		`{"type": "objects"}`,
		`{"properties": {"a": {"pattern": "x"}}}`,
		`{"properties": {"a": {"enum": [1]}}}`,
		`{"properties": {"a": {"format": "uri"}}}`,
		`{"items": {"$ref": "#/$defs/none"}}`,
		`{"items": {"$ref": "other.json"}}`,
		`{"items": {"$ref": "#/$defs/a", "type": "string"}, "$defs": {"a": {}}}`,
		`{"anyOf": [{"type": "string"}, {"type": "number"}]}`,
		`{"anyOf": [{"type": "string"}]}`,
		`{"required": ["a"]}`,
		`{`,
	} {
		if _, err := Compile([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
