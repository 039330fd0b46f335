package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/volpost/volpost/model"
)

// TestJSONIsPlain writes names with control characters of the second kind, direction marks and what is not seen, in every
// output that is JSON: none of them reaches the terminal, and all of them come back.
func TestJSONIsPlain(t *testing.T) {
	const evil = "a\u009b31m\u0085b\u202ec\u2066d\u200be\u061cf\x7fg\U000e0041h\u2028iüж日😀"
	r := rich()
	r.Verdict.Headline, r.Timeline[0].Text, r.Evidence[0].Text = evil, evil, evil
	outputs := map[string]func(io.Writer) error{
		"json":  func(w io.Writer) error { return Write(w, "json", r) },
		"jsonl": func(w io.Writer) error { return Write(w, "jsonl", r) },
		"fleet": func(w io.Writer) error {
			return Fleets.Write(w, "json", &model.Fleet{Skipped: []model.Problem{{Path: evil}}})
		},
		"whatif": func(w io.Writer) error { return WhatIfs.Write(w, "json", &model.WhatIf{Bundle: evil}) },
		"diff": func(w io.Writer) error {
			return Diffs.Write(w, "json", &model.Diff{Before: model.DiffSide{Name: evil}})
		},
	}
	t.Logf("%d tried", len(outputs))
	for name, write := range outputs {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := out.String()
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: %q", name, text[i:min(len(text), i+20)])
		}
		if name != "jsonl" &&
			!strings.Contains(text, `a\u009b31m\u0085b\u202ec\u2066d\u200be\u061cf\u007fg\udb40\udc41h\u2028iüж日😀`) {
			t.Errorf("%s lacks the name: %.300s", name, text)
		}
	}
	var out bytes.Buffer
	if err := Write(&out, "json", r); err != nil {
		t.Fatal(err)
	}
	var back model.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back.Verdict.Headline != evil || back.Timeline[0].Text != evil {
		t.Errorf("%q, %v", back.Verdict.Headline, err)
	}
}
