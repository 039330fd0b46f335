package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// compare holds the answer for one text against those of encoding/json.
func compare(t *testing.T, data []byte) ([]Member, *Fault) {
	t.Helper()
	members, fault := Check(data, usual, "schema", "list")
	if fault == nil {
		if !json.Valid(data) {
			t.Errorf("%.200s: no fault, and encoding/json refuses it", data)
		} else if key := keyTwice(t, data); key != "" {
			t.Errorf("%.200s: no fault, and %q comes twice", data, key)
		}
		compareMembers(t, data, members)
		return members, fault
	}
	if members != nil {
		t.Errorf("%.200s: members beside a fault", data)
	}
	var syntax *json.SyntaxError
	err := json.Unmarshal(data, new(json.RawMessage))
	switch {
	// At the end within a word or an escape sequence, encoding/json speaks of a space that is not there.
	case fault.Reason == CutOff && (!errors.As(err, &syntax) || int(syntax.Offset) < len(data)),
		fault.Reason == Malformed && (!errors.As(err, &syntax) || int(syntax.Offset) != fault.Offset+1),
		fault.Reason == Trailing && err == nil,
		fault.Reason == KeyTwice && err == nil && keyTwice(t, data) == "":
		t.Errorf("%.200s: fault %+v, and encoding/json says %v", data, fault, err)
	}
	return members, fault
}

// keyTwice is the first key that an object has twice without regard to case, read by encoding/json; empty when there is none.
func keyTwice(t *testing.T, data []byte) string {
	t.Helper()
	type object struct {
		keys  []string // nil in an array
		isKey bool     // the next token is one
	}
	var around []*object
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		inner := (*object)(nil)
		if len(around) > 0 {
			inner = around[len(around)-1]
		}
		key, text := token.(string)
		switch {
		case token == json.Delim('}') || token == json.Delim(']'):
			around = around[:len(around)-1]
			continue
		case inner != nil && inner.isKey && text:
			for _, k := range inner.keys {
				if strings.EqualFold(k, key) {
					return key + " "
				}
			}
			inner.keys, inner.isKey = append(inner.keys, key), false
			continue
		case inner != nil && inner.keys != nil:
			inner.isKey = true // behind this value
		}
		switch token {
		case json.Delim('{'):
			around = append(around, &object{keys: []string{}, isKey: true})
		case json.Delim('['):
			around = append(around, &object{})
		}
	}
}

// compareMembers holds the members against what encoding/json finds under their names.
func compareMembers(t *testing.T, data []byte, members []Member) {
	t.Helper()
	var whole map[string]json.RawMessage
	if json.Unmarshal(data, &whole) != nil {
		whole = nil // no object
	}
	for _, name := range []string{"schema", "list"} {
		var got []byte
		for _, m := range members {
			if m.Name == name {
				got = data[m.Start:m.End]
			}
		}
		if !bytes.Equal(got, whole[name]) {
			t.Errorf("%.200s: %s is %q, want %q", data, name, got, whole[name])
		}
	}
}

// FuzzCheck holds the answers for any text against those of encoding/json.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{`{"schema": "v1", "list": [{"id": "\u0061", "seconds": -0.5E-7}, 1], "SCHEMA ": [true, false, null]}`,
		`{"schema": "v1", "\u017fchema": {"a": [], "b": {}}}`, `[[[["\ud83d\ude00\"` + "\xff", "{}{}", `[1e9999]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, data) })
}

// BenchmarkCheck reads a list as it is in reports: indented, of small objects.
func BenchmarkCheck(b *testing.B) {
	one := "    {\n      \"id\": \"a\",\n      \"at\": \"2026-11-21T06:06:51.686Z\",\n      \"line\": 17,\n      \"text\": \"Multi-Attach " +
		"error for volume\"\n    }"
	data := []byte("{\n  \"schema\": \"v1\",\n  \"list\": [\n" + one + string(bytes.Repeat([]byte(",\n"+one), 10_000)) + "\n  ]\n}\n")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, fault := Check(data, usual, "list"); fault != nil {
			b.Fatal(fault)
		}
	}
}
