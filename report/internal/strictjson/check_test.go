package strictjson

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// usual are limits that few texts of these tests reach.
var usual = Limits{Depth: 64, Values: 1 << 20, Together: 1 << 20, Number: 400, Piece: 1 << 20}

// TestFaults: what cannot be used at all, and where.
func TestFaults(t *testing.T) {
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
		"huge exponent":     {`{"a": [1e999, -0.1E-9999]}`, HugeNumber, 14, ""},
		"many digits":       {`{"a": ` + strings.Repeat("7", 401) + `}`, HugeNumber, 6, ""},
		"deep":              {`{"a": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, TooDeep, 6 + 64, ""},
	} {
		_, fault := compare(t, []byte(c.text))
		if fault == nil || fault.Reason != c.reason || fault.Offset != c.offset || fault.Key != c.key {
			t.Errorf("%s: %+v, want %+v", name, fault, c)
		}
	}
}

// TestTakes: what is well-formed, however odd.
func TestTakes(t *testing.T) {
	for _, text := range []string{" null\n", `"\ud800\/\u00Ff"`, "\"\xff\"", `[-0.5e+7, 0, -0, 10, 1E-999, true, false, {}, [], ""]`,
		`{"": {"": 1}, " ": 2}`,
		`{"a": {"b": 1}, "b": {"b": 1}}`, "\t[\r\n]", strings.Repeat("7", 400), strings.Repeat("[", 65) + strings.Repeat("]", 65)} {
		if _, fault := compare(t, []byte(text)); fault != nil {
			t.Errorf("%.80s: %+v", text, fault)
		}
	}
}

func TestTooMany(t *testing.T) {
	text := []byte(`{"x": [1, 2, 3]}`)
	if _, fault := Check(text, Limits{Depth: 2, Values: 5, Together: 5, Number: 1}); fault != nil {
		t.Errorf("%+v", fault)
	}
	if _, fault := Check(text, Limits{Depth: 2, Values: 4, Together: 5, Number: 1}); fault == nil || fault.Reason != TooMany ||
		fault.Offset != 13 {
		t.Errorf("%+v", fault)
	}
	if _, fault := Check(text, Limits{Depth: 1, Values: 5, Together: 5, Number: 1}); fault == nil || fault.Reason != TooDeep {
		t.Errorf("%+v", fault)
	}
}

// TestTooManyTogether: elements of the members that are asked for are counted each by itself, all others together.
func TestTooManyTogether(t *testing.T) {
	text := []byte(`{"list": [[1, 2], [3, 4], 5], "x": [6], "other": [[7, 8]]}`)
	for _, c := range []struct{ limit, offset int }{{5, 0}, {4, 49}, {3, 36}, {2, 14}} {
		limits := usual
		limits.Together = c.limit
		_, fault := Check(text, limits, "list", "other")
		if c.offset == 0 && fault != nil || c.offset > 0 && (fault == nil || fault.Reason != TooManyTogether || fault.Offset != c.offset) {
			t.Errorf("%d: %+v", c.limit, fault)
		}
	}
}

// TestMembers: the members of the outermost object that are asked for, and the cuts of those that are lists.
func TestMembers(t *testing.T) {
	const item = `{"id": "a", "list": [7, 8]}`
	text := `{"x": [0, 1], "any": {"list": [1, 2, 3]}, "l\u0069st": [ ` + item + `, ` + item + `,` + item + `], "schema": "v1"}`
	limits := usual
	limits.Piece = len(item) + 3
	members, fault := Check([]byte(text), limits, "schema", "any", "list")
	if fault != nil {
		t.Fatal(fault)
	}
	var got []string
	for _, m := range members {
		got = append(got, m.Name+"="+text[m.Start:m.End])
		for i, c := range m.Cuts {
			if !strings.HasPrefix(text[c.Offset:], item) || c.Index != 2*i {
				t.Errorf("a cut at %d: %.20s", c.Index, text[c.Offset:])
			}
		}
		if m.Name == "list" && len(m.Cuts) != 2 || m.Name != "list" && len(m.Cuts) != 0 {
			t.Errorf("%s has cuts %v", m.Name, m.Cuts)
		}
	}
	want := []string{`any={"list": [1, 2, 3]}`, "list=[ " + item + ", " + item + "," + item + "]", `schema="v1"`}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	for _, text := range []string{`[{"list": [1, 2]}]`, `"list"`, `{"LIST": [1]}`} {
		if members, fault := Check([]byte(text), usual, "list"); fault != nil || members != nil {
			t.Errorf("%s: %v, %v", text, members, fault)
		}
	}
}
