package readback_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/internal/readback"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/samples/recordings"
)

// quick are the formats that draw nothing.
var quick = []string{"text", "md", "jira", "json", "csv", "jsonl", "dot"}

// TestReadChangedAnywhere replaces each kind of value at each place by what somebody might put there: Read refuses it or
// every format renders it. Nothing that a terminal or a page acts on gets through.
func TestReadChangedAnywhere(t *testing.T) {
	one := reporttest.Fixture("rich")
	one.Incidents, one.Groups, one.Timeline, one.Evidence = one.Incidents[:1], one.Groups[:1], one.Timeline[:3], one.Evidence[:3]
	one.Graph.Nodes, one.Graph.Edges = one.Graph.Nodes[:3], one.Graph.Edges[:2]
	var doc any
	if err := json.Unmarshal([]byte(render(t, "json", one)), &doc); err != nil {
		t.Fatal(err)
	}
	seen, accepted, refused, library := map[string]bool{}, 0, 0, reporttest.Schema(t)
	change := func(path string, set func(any), values ...any) {
		if seen[path] {
			return
		}
		if seen[path] = true; !recordings.Long && len(seen)%5 != 0 {
			return
		}
		for _, v := range values {
			set(v)
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			r, err := readback.Read(bytes.NewReader(text))
			readback.Agrees(t, library, text, err)
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
	if accepted < 20 || refused < 20 || recordings.Long && accepted < 100 {
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
	for _, r := range []*model.Report{reporttest.Fixture("none"), reporttest.Fixture("bare"), reporttest.Fixture("rich")} {
		f.Add([]byte(render(f, "json", r)))
	}
	f.Add([]byte(`{"schema":"volpost/report/v1","incidents":[{}]}`))
	library := reporttest.Schema(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readback.Read(bytes.NewReader(data))
		readback.Agrees(t, library, data, err)
		var read *readback.Error
		if err != nil {
			if !errors.As(err, &read) || read.Hint == "" || read.Msg == "" {
				t.Errorf("an error without a reason or a hint: %v", err)
			}
			return
		}
		for _, format := range quick {
			render(t, format, r)
		}
		if _, err := readback.Read(strings.NewReader(render(t, "json", r))); err != nil {
			t.Errorf("what was read cannot be read back: %v", err)
		}
	})
}

func render(t testing.TB, format string, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, format, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
