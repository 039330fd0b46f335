package readback

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/volpost/volpost/model/words"
)

func TestReadRefuses(t *testing.T) {
	whole := render(t, rich())
	deep := `{"schema":"volpost/report/v1","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}"
	for name, c := range map[string]struct {
		text       string
		line       int
		msg, hint  string
		replaceOld string
	}{
		"empty":      {"", 0, "is empty", "analyze", ""},
		"blank":      {" \n\n", 0, "is empty", "analyze", ""},
		"yaml":       {"apiVersion: v1\n", 1, "does not begin with {", "volpost analyze reads bundles", ""},
		"html":       {"<!doctype html>", 1, "does not begin with {", "volpost analyze", ""},
		"utf-16":     {"\xff\xfe{\x00", 1, "UTF-16", "PowerShell", ""},
		"other json": {`{"kind": "List", "items": []}`, 1, "names no schema", "volpost analyze", ""},
		"array":      {`[1]`, 1, "does not begin with {", "volpost analyze", ""},
		"newer": {`{"schema": "volpost/report/v2"}`, 1, `schema "volpost/report/v2", and this version knows "volpost/report/v1"`,
			"later", ""},
		"hostile schema": {`{"schema": "\u001b[31m` + strings.Repeat("x", 500) + `"}`, 1, `x1b[31mxxx`, "analyze", ""},
		"what-if":        {`{"schema": "volpost/whatif/v1"}`, 1, "whatif", "analyze", ""},
		"truncated":      {whole[:len(whole)/2], -1, "cut off", "copy the file again", ""},
		"in a string":    {whole[:strings.Index(whole, "stayed attached")], -1, "cut off", "copy", ""},
		"two":            {whole + whole, -1, "goes on after the end", "one report", ""},
		"no json":        {"{\n\"schema\": volpost}", 2, "is no JSON", "copy", ""},
		"deep":           {deep, 1, "nested", "analyze", ""},
		"key twice":      {"{\"schema\": \"volpost/report/v1\",\n\"schema\": \"volpost/report/v1\"}", 2, `the key "schema" twice`, "copy", ""},
		"escaped key":    {"{\"schema\": \"volpost/report/v1\",\n\"\\u0073chema\": 1}", 2, "twice", "copy", ""},
		"bad encoding":   {"\"line\": \"\xff\"", -1, "UTF-8", "copy", `"line": 17`},
		"status":         {`"status": "disaster"`, -1, "/verdict/status", "changed by hand", `"status": "incident"`},
		"time":           {`"at": "yesterday"`, -1, "/at", "changed by hand", `"at": "2026-11-21T06:06:51.686Z"`},
		"leap second":    {`"at": "2026-11-21T23:59:60Z"`, -1, "no report that can be rendered", "copy", `"at": "2026-11-21T06:06:51.686Z"`},
		"small letters":  {`"at": "2026-11-21t06:06:51z"`, -1, "no report that can be rendered", "copy", `"at": "2026-11-21T06:06:51.686Z"`},
		"long time":      {`"at": "` + strings.Repeat("x", 1000) + `"`, -1, "/at", "changed by hand", `"at": "2026-11-21T06:06:51.686Z"`},
		"null list":      {`"groups": null, "other": [`, -1, "/groups", "changed by hand", `"groups": [`},
		"number":         {`"line": "nine"`, -1, "/line", "changed by hand", `"line": 17`},
		"control code":   {"\"graph\": {\x01", -1, "invalid character '\\x01'", "copy", `"graph": {`},
		"escape":         {`"edges\q": [`, -1, "invalid escape sequence", "copy", `"edges": [`},
		"endless number": {`"line": 1e999999999`, -1, "exponent", "copy", `"line": 17`},
		"huge number":    {`"line": 1e99`, -1, "", "", `"line": 17`},
	} {
		text := c.text
		if c.replaceOld != "" {
			if !strings.Contains(whole, c.replaceOld) {
				t.Fatalf("%s: the fixture has no %s", name, c.replaceOld)
			}
			text = strings.Replace(whole, c.replaceOld, c.text, 1)
			c.line = 1 + strings.Count(whole[:strings.Index(whole, c.replaceOld)], "\n")
		}
		_, err := Read(strings.NewReader(text))
		var read *Error
		if !errors.As(err, &read) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.line >= 0 && read.Line != c.line || !strings.Contains(read.Msg, c.msg) || !strings.Contains(read.Hint, c.hint) || read.Hint == "" {
			t.Errorf("%s: line %d, want %d: %s\nhint: %s", name, read.Line, c.line, read.Msg, read.Hint)
		}
		if len(read.Msg) > 500 || strings.ContainsAny(read.Msg, "\n\x1b\u202e") {
			t.Errorf("%s: the message is not for a terminal: %q", name, read.Msg)
		}
	}
}

// TestNamesAgreeInCase: a name in another case is another name, which no version has, and stands for nothing.
func TestNamesAgreeInCase(t *testing.T) {
	whole := render(t, rich())
	text := strings.Replace(whole, "\n  \"evidence\": [", "\n  \"evidence\": [], \"Evidence\": [", 1)
	if r, err := Read(strings.NewReader(text)); err != nil || len(r.Evidence) > 0 || len(r.Timeline) == 0 {
		t.Errorf("%v, %d of evidence", err, len(r.Evidence))
	}
}

func TestReadErrorOfTheReader(t *testing.T) {
	_, err := Read(io.MultiReader(strings.NewReader("{"), broken{}))
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestReadHugeObject: keys of one object are not compared with each other one by one.
func TestReadHugeObject(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"schema":"volpost/report/v1"`)
	for i := range 50_000 {
		b.WriteString(`,"k` + strings.Repeat("x", i%3) + words.Number(i) + `":0`)
	}
	b.WriteString("}")
	if _, err := Read(&b); err == nil || !strings.Contains(err.Error(), "does not keep the schema") {
		t.Errorf("%v", err)
	}
}

// TestReadHugeTree: a few bytes become hundreds in the trees that the schema is judged of, and no part of a report is as large.
func TestReadHugeTree(t *testing.T) {
	many := strings.Repeat(`{},`, maxJoined/2) + `{}]`
	for name, text := range map[string]string{
		"unknown":  `{"schema":"volpost/report/v1","other":[` + many + `}`,
		"graph":    `{"schema":"volpost/report/v1","graph":{"nodes":[` + many + `}}`,
		"incident": `{"schema":"volpost/report/v1","incidents":[{"phases":[` + many + `}]}`,
	} {
		_, err := Read(strings.NewReader(text))
		var read *Error
		if !errors.As(err, &read) || !strings.Contains(read.Msg, "values outside of its lists") || read.Line != 1 || read.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// endless is a device that never ends.
type endless struct {
	what byte
	read int
}

// TestReadOfADevice gives up on what never ends once it has seen that it is no report.
func TestReadOfADevice(t *testing.T) {
	for _, what := range []byte{0, 'x', 0xff, '['} {
		device := &endless{what: what}
		if _, err := Read(device); err == nil || device.read > 1<<16 {
			t.Errorf("%d bytes were read of a device that gives %q: %v", device.read, what, err)
		}
	}
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.what
	}
	e.read += len(p)
	return len(p), nil
}
