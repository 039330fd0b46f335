package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// TestReadRendersTheSame: what was read renders byte for byte as what was written, in every format.
func TestReadRendersTheSame(t *testing.T) {
	for _, c := range fixtures() {
		if c.name == "crowd" {
			continue // many of many
		}
		back, err := Read(strings.NewReader(of(t, "json", c.name, c.report)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, f := range Formats() {
			if got := render(t, f.Name, back); got != of(t, f.Name, c.name, c.report) {
				t.Errorf("%s: %s is rendered otherwise from JSON", c.name, f.Name)
			}
		}
	}
}

// No format may use what JSON does not hold.
func TestNormalLeavesOutWhatJSONDoes(t *testing.T) {
	r := rich()
	r.Bundle.Inputs[0].Component, r.Bundle.Inputs[0].Floating = "kubelet", true
	if in := view.Normal(r, words.Visible, nil).Bundle.Inputs[0]; in.Component != "" || in.Floating || in.Path == "" {
		t.Errorf("%+v", in)
	}
}

func TestReadRefuses(t *testing.T) {
	whole := render(t, "json", rich())
	deep := `{"schema":"volpost/report/v1","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}"
	for name, c := range map[string]struct {
		text       string
		line       int
		msg, hint  string
		replaceOld string
	}{
		"empty":          {"", 0, "is empty", "analyze", ""},
		"blank":          {" \n\n", 0, "is empty", "analyze", ""},
		"yaml":           {"apiVersion: v1\n", 1, "does not begin with {", "volpost analyze reads bundles", ""},
		"html":           {"<!doctype html>", 1, "does not begin with {", "volpost analyze", ""},
		"utf-16":         {"\xff\xfe{\x00", 1, "UTF-16", "PowerShell", ""},
		"other json":     {`{"kind": "List", "items": []}`, 1, "names no schema", "volpost analyze", ""},
		"array":          {`[1]`, 1, "does not begin with {", "volpost analyze", ""},
		"newer":          {`{"schema": "volpost/report/v2"}`, 1, `schema "volpost/report/v2", and this version knows "volpost/report/v1"`, "later", ""},
		"hostile schema": {`{"schema": "\u001b[31m` + strings.Repeat("x", 500) + `"}`, 1, `x1b[31mxxx`, "analyze", ""},
		"what-if":        {`{"schema": "volpost/whatif/v1"}`, 1, "whatif", "analyze", ""},
		"truncated":      {whole[:len(whole)/2], -1, "cut off", "copy the file again", ""},
		"in a string":    {whole[:strings.Index(whole, "stayed attached")], -1, "cut off", "copy", ""},
		"two":            {whole + whole, -1, "goes on after the end", "one report", ""},
		"no json":        {"{\n\"schema\": volpost}", 2, "is no JSON", "copy", ""},
		"deep":           {deep, 1, "nested", "analyze", ""},
		"key twice":      {"{\"schema\": \"volpost/report/v1\",\n\"schema\": \"volpost/report/v1\"}", 2, `the key "schema" twice`, "copy", ""},
		"key in capitals": {"{\"schema\": \"volpost/report/v1\",\n\"evidence\": [],\n\"Evidence\": []}", 3, `the key "Evidence" twice`, "copy",
			""},
		"folded key":     {"{\"schema\": \"volpost/report/v1\",\n\"\u017fchema\": 1}", 2, "twice", "copy", ""},
		"status":         {`"status": "disaster"`, -1, "/verdict/status", "changed by hand", `"status": "incident"`},
		"time":           {`"at": "yesterday"`, -1, "/at", "changed by hand", `"at": "2026-11-21T06:06:51.686Z"`},
		"null list":      {`"groups": null, "other": [`, -1, "/groups", "changed by hand", `"groups": [`},
		"number":         {`"line": "nine"`, -1, "/line", "changed by hand", `"line": 17`},
		"control code":   {"\"graph\": {\x01", -1, "invalid character '\\x01'", "copy", `"graph": {`},
		"escape":         {`"edges\q": [`, -1, "invalid character 'q' in string escape code", "copy", `"edges": [`},
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
		var read *ReadError
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
	many := strings.Repeat(`{},`, limits.Together) + `{}]`
	for name, text := range map[string]string{
		"unknown":  `{"schema":"volpost/report/v1","other":[` + many + `}`,
		"graph":    `{"schema":"volpost/report/v1","graph":{"nodes":[` + many + `}}`,
		"incident": `{"schema":"volpost/report/v1","incidents":[{"phases":[` + many + `}]}`,
	} {
		_, err := Read(strings.NewReader(text))
		var read *ReadError
		if !errors.As(err, &read) || !strings.Contains(read.Msg, "values outside of its lists") || read.Line != 1 || read.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// quick are the formats that draw nothing.
var quick = []string{"text", "md", "jira", "json", "csv", "jsonl", "trace", "junit", "dot"}

// TestReadChangedAnywhere replaces each kind of value at each place by what somebody might put there: Read refuses it or
// every format renders it. Nothing that a terminal or a page acts on gets through.
func TestReadChangedAnywhere(t *testing.T) {
	one := rich()
	one.Incidents, one.Groups, one.Timeline, one.Evidence = one.Incidents[:1], one.Groups[:1], one.Timeline[:3], one.Evidence[:3]
	one.Graph.Nodes, one.Graph.Edges = one.Graph.Nodes[:3], one.Graph.Edges[:2]
	var doc any
	if err := json.Unmarshal([]byte(render(t, "json", one)), &doc); err != nil {
		t.Fatal(err)
	}
	seen, accepted, refused, library := map[string]bool{}, 0, 0, compiled(t)
	change := func(path string, set func(any), values ...any) {
		if seen[path] {
			return
		}
		seen[path] = true
		for _, v := range values {
			set(v)
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Read(bytes.NewReader(text))
			agrees(t, library, text, err)
			if err != nil {
				refused++
				continue
			}
			accepted++
			for _, format := range quick {
				out := render(t, format, r)
				if format != "json" && strings.ContainsAny(out, "\x1b\x00\u202e") {
					t.Errorf("%s: %s lets %v through", path, format, v)
				}
			}
		}
	}
	changeAll(doc, "", change)
	t.Logf("%d tried", accepted+refused)
	if accepted < 100 || refused < 100 {
		t.Errorf("%d accepted, %d refused: the test tries next to nothing", accepted, refused)
	}
}

// changeAll calls change for each leaf and each list, with what to put there; afterwards it puts back what was there.
func changeAll(v any, path string, change func(string, func(any), ...any)) {
	visit := func(child any, path string, set func(any)) {
		switch child.(type) {
		case string:
			change(path, set, "", "\x1b[2J\u202e\x00<script>", "9999-12-31T23:59:59.999999Z")
		case float64:
			change(path, set, -1, 1e18)
		case []any:
			change(path, set, []any{}, nil)
		case map[string]any:
			change(path, set, nil)
		case nil, bool:
			change(path, set, true, map[string]any{})
		}
		set(child)
		changeAll(child, path, change)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			visit(child, path+"."+key, func(n any) { v[key] = n })
		}
	case []any:
		for i, child := range v {
			visit(child, path+"[]", func(n any) { v[i] = n })
		}
	}
}

// Whatever is read either is refused with a reason or renders, and what renders is read back.
func FuzzRead(f *testing.F) {
	for _, r := range []*model.Report{none(), bare(), rich()} {
		f.Add([]byte(render(f, "json", r)))
	}
	f.Add([]byte(`{"schema":"volpost/report/v1","incidents":[{}]}`))
	library := compiled(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		agrees(t, library, data, err)
		var read *ReadError
		if err != nil {
			if !errors.As(err, &read) || read.Hint == "" || read.Msg == "" {
				t.Errorf("an error without a reason or a hint: %v", err)
			}
			return
		}
		for _, format := range quick {
			render(t, format, r)
		}
		if _, err := Read(strings.NewReader(render(t, "json", r))); err != nil {
			t.Errorf("what was read cannot be read back: %v", err)
		}
	})
}
