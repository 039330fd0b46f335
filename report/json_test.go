package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model"
)

// compiled is the embedded schema, with formats checked.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("volpost-report-v1", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("volpost-report-v1")
}

func validate(t *testing.T, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t).Validate(doc)
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

// The schema holds the whole contract, and more: it may grow by what nobody has to give.
func TestSchemaHoldsTheContract(t *testing.T) {
	text, err := os.ReadFile("../../shared/contract/report.schema.json")
	if err != nil {
		t.Skip("../shared is absent: the contract cannot be compared")
	}
	var contract, schema any
	if err := json.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if at := lacks(contract, schema, ""); at != "" {
		t.Errorf("report/schema/report.schema.json differs from the contract at %s", at)
	}
	required := schema.(map[string]any)["required"].([]any)
	schema.(map[string]any)["required"] = append(required[:len(required):len(required)], "more")
	if lacks(contract, schema, "") == "" {
		t.Error("a schema that asks for more is taken for the contract")
	}
}

// lacks is where a schema does not have what the contract has; empty when it has all. Properties and definitions may be more,
// everything else is the same.
func lacks(contract, schema any, at string) string {
	want, object := contract.(map[string]any)
	have, ok := schema.(map[string]any)
	if !object || !ok {
		if reflect.DeepEqual(contract, schema) {
			return ""
		}
		return at
	}
	grows := strings.HasSuffix(at, "/properties") || strings.HasSuffix(at, "/$defs")
	if !grows && len(want) != len(have) {
		return at
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if missing := lacks(want[key], have[key], at+"/"+key); missing != "" {
			return missing
		}
	}
	return ""
}

func TestJSONTimes(t *testing.T) {
	r := none()
	zone := time.FixedZone("elsewhere", 2*3600)
	r.Bundle.CapturedAt = &model.Moment{At: time.Date(2026, 11, 21, 8, 0, 0, 123456789, zone), Basis: model.Observed,
		Earliest: time.Date(12026, 1, 1, 0, 0, 0, 0, zone), Latest: time.Date(-5, 1, 1, 0, 0, 0, 0, zone)}
	text := render(t, "json", r)
	for _, want := range []string{`"at": "2026-11-21T06:00:00.123456Z"`, `"earliest": "9999-12-31T23:59:59.999999Z"`, `"latest": "0000-01-01T00:00:00Z"`} {
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
