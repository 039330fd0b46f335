package report

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/schema"
)

func validate(t *testing.T, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return reporttest.Schema(t).Validate(doc)
}

func TestJSONKeepsTheSchema(t *testing.T) {
	for _, c := range fixtures() {
		if err := validate(t, render(t, "json", c.report)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The validator is not one that accepts everything.
func TestSchemaRefuses(t *testing.T) {
	text := render(t, "json", rich())
	for _, change := range [][2]string{
		{`"status": "incident"`, `"status": "disaster"`},
		{`"basis": "observed"`, `"basis": "guessed"`},
		{`"at": "2026-11-21T06:06:51.686Z"`, `"at": "yesterday"`},
		{`"groups": [`, `"groups": null, "other": [`},
	} {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("the fixture has no %s", change[0])
		}
		if validate(t, strings.ReplaceAll(text, change[0], change[1])) == nil {
			t.Errorf("the schema accepts %s", change[1])
		}
	}
}

// TestSchemaOnlyGrows: version 1 of the report promises its readers that fields and identifiers are added and none goes or
// becomes required; schema-first.json is what it promised at first.
func TestSchemaOnlyGrows(t *testing.T) {
	first, err := os.ReadFile("testdata/schema-first.json")
	if err != nil {
		t.Fatal(err)
	}
	var was, is any
	if err := json.Unmarshal(first, &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(schema.JSON(), &is); err != nil {
		t.Fatal(err)
	}
	for _, lost := range taken("", was, is) {
		t.Error(lost)
	}
	if len(taken("", is, was)) == 0 {
		t.Error("the two do not differ: nothing is compared")
	}
}

// opened are identifiers of which version 1 once listed all: a report may have others now, and those are examples.
var opened = []string{"/$defs/incident/properties/causes/items/properties/id", "/$defs/remediation/properties/id"}

// taken is what a schema no longer has of an earlier one.
func taken(path string, was, is any) []string {
	switch w := was.(type) {
	case map[string]any:
		n, _ := is.(map[string]any)
		var out []string
		for key, value := range w {
			now := key
			if key == "enum" && slices.Contains(opened, path) {
				now = "examples"
			}
			if _, ok := n[now]; !ok && key != "description" {
				out = append(out, path+"/"+now+" is gone")
			} else if key != "description" {
				out = append(out, taken(path+"/"+now, value, n[now])...)
			}
		}
		return out
	case []any:
		n, _ := is.([]any)
		var out []string
		for _, value := range w {
			if !slices.ContainsFunc(n, func(v any) bool { return len(taken(path, value, v)) == 0 }) {
				out = append(out, fmt.Sprintf("%s has no %v", path, value))
			}
		}
		if strings.HasSuffix(path, "/required") && len(n) != len(w) {
			out = append(out, path+" asks for more")
		}
		return out
	}
	if was != is {
		return []string{fmt.Sprintf("%s is %v and was %v", path, is, was)}
	}
	return nil
}

// TestLaterIdentifiers: a report with a cause, a remedy and a finding of a later version is read, and a cause has the label that the
// report gives it; without one it has its identifier.
func TestLaterIdentifiers(t *testing.T) {
	r := rich()
	i := &r.Incidents[0]
	i.Causes = []model.Cause{{ID: "later-cause", Label: "Moon in the\nway", Explains: "incident", Verdict: model.Likely},
		{ID: "later-still", Explains: "incident", Verdict: model.Likely}}
	i.Remediations[0].ID = "later-remedy"
	r.Findings = []model.Finding{{ID: "later-check", Severity: "info", Title: "Something else", Text: "It is so."}}
	back, err := Read(strings.NewReader(render(t, "json", r)))
	if err != nil {
		t.Fatal(err)
	}
	containsAll(t, render(t, "html", back), `Moon in the\nway (later-cause)`, "<b>later-still</b> <code>later-still<",
		"Something else")
	containsAll(t, render(t, "text", back), "later-remedy", "Something else")
}

func TestJSONTimes(t *testing.T) {
	r := none()
	zone := time.FixedZone("elsewhere", 2*3600)
	r.Bundle.CapturedAt = &model.Moment{At: time.Date(2026, 11, 21, 8, 0, 0, 123456789, zone), Basis: model.Observed,
		Earliest: time.Date(12026, 1, 1, 0, 0, 0, 0, zone), Latest: time.Date(-5, 1, 1, 0, 0, 0, 0, zone)}
	text := render(t, "json", r)
	for _, want := range []string{`"at": "2026-11-21T06:00:00.123456Z"`, `"earliest": "9999-12-31T23:59:59.999999Z"`,
		`"latest": "0000-01-01T00:00:00Z"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestJSONIsReadBack(t *testing.T) {
	text := render(t, "json", rich())
	var r model.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if again := render(t, "json", &r); again != text {
		t.Error("a report that was read back is written otherwise")
	}
	for _, f := range []string{"text", "html"} {
		if render(t, f, &r) != render(t, f, rich()) {
			t.Errorf("%s: a report that was read back is rendered otherwise", f)
		}
	}
	if !strings.Contains(render(t, "json", hostile()), "<script>") {
		t.Error("JSON escapes what only HTML must")
	}
}

func BenchmarkJSON(b *testing.B) { benchmark(b, "json") }
func BenchmarkHTML(b *testing.B) { benchmark(b, "html") }
func BenchmarkText(b *testing.B) { benchmark(b, "text") }

// benchmark renders one incident and two hundred; the rate is of bytes written.
func benchmark(b *testing.B, format string) {
	for _, c := range []struct {
		name   string
		report *model.Report
	}{{"rich", rich()}, {"crowd", many(200)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(render(b, format, c.report))))
			for b.Loop() {
				render(b, format, c.report)
			}
		})
	}
}

// TestSchemaSaysWhatEachFieldIs wants a description on every property: whoever writes a query has the schema and not the code.
func TestSchemaSaysWhatEachFieldIs(t *testing.T) {
	var whole any
	if err := json.Unmarshal(schema.JSON(), &whole); err != nil {
		t.Fatal(err)
	}
	seen := 0
	var look func(path string, v any)
	look = func(path string, v any) {
		switch node := v.(type) {
		case []any:
			for _, inner := range node {
				look(path, inner)
			}
		case map[string]any:
			properties, _ := node["properties"].(map[string]any)
			for name, property := range properties {
				p, _ := property.(map[string]any)
				text, _ := p["description"].(string)
				if seen++; len(text) < 6 {
					t.Errorf("%s/%s has no description", path, name)
				}
			}
			for key, inner := range node {
				look(path+"/"+key, inner)
			}
		}
	}
	look("", whole)
	if seen < 200 {
		t.Errorf("only %d properties were looked at", seen)
	}
}
