package report

import (
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// nasty is a name with something that each format gives a meaning to.
const nasty = "<script>alert(1)</script>]]>\"'\\N\\L&lt;<!--{{.}}\u202egpj\u200b\x00\x1b[31m\xff\nnext<i>|`$(x)`中文"

// hostile is the rich report with every string made nasty that a bundle can set. Identifiers stay different from each
// other, because they are made by volpost.
func hostile() *model.Report {
	r := rich()
	taint(reflect.ValueOf(r).Elem(), "")
	r.Schema, r.Generator = model.SchemaVersion, model.Generator{Name: "volpost", Version: "v0.1.0"}
	return r
}

// keptFields hold words of volpost's own vocabulary, not text of a bundle.
var keptFields = map[string]bool{
	"Status": true, "Basis": true, "Severity": true, "Verdict": true, "Value": true, "Operand": true, "Explains": true, "Variant": true,
	"NameBasis": true, "StartsAt": true, "Presence": true, "ID": true, "From": false, "Evidence": true, "For": true, "Against": true,
	"Incidents": true,
	"SHA256":    true, "State": true, "Parameter": true, "Effect": true, "Met": true, "DataRisk": true, "Anchor": true, "Effort": true,
	"Part": true, "Remedy": true, "Word": true, "Role": true,
}

func taint(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.String:
		kind := v.Type() == reflect.TypeFor[model.SourceKind]() || v.Type() == reflect.TypeFor[model.Kind]()
		if keptFields[field] || kind || v.Len() == 0 || field == "edge" {
			return
		}
		v.SetString(v.String() + nasty)
	case reflect.Pointer:
		if !v.IsNil() {
			taint(v.Elem(), field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			taint(v.Index(i), field)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[model.Report]() || v.Type().PkgPath() == reflect.TypeFor[model.Report]().PkgPath() {
			taintFields(v)
		}
	}
}

func taintFields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Name
		if v.Type() == reflect.TypeFor[model.GraphEdge]() && (name == "From" || name == "To") {
			name = "edge" // refers to a node by its identifier
		}
		if v.Type() == reflect.TypeFor[model.Remediation]() && name == "Kind" {
			continue // reactive or preventive
		}
		if f.IsExported() {
			taint(v.Field(i), name)
		}
	}
}

func TestHostileNames(t *testing.T) {
	formats := []string{"text", "html", "md", "jira", "csv", "jsonl", "dot", "svg"}
	t.Logf("%d tried", len(formats))
	for _, format := range formats {
		out := render(t, format, hostile())
		for _, bad := range []string{"\u202e", "\u200b", "\x00", "\x1b", "\xff"} {
			if strings.Contains(out, bad) {
				t.Errorf("%s contains %q as it is", format, bad)
			}
		}
		if !strings.Contains(out, `u202e`) {
			t.Errorf("%s does not show the direction override", format)
		}
		if !strings.Contains(out, "中文") {
			t.Errorf("%s lost the Chinese text", format)
		}
	}
	for _, format := range []string{"html", "svg"} {
		out := withoutOwnScript(t, render(t, format, hostile()))
		for _, bad := range []string{"<script", "]]>", "<i>", "alert(1)</"} {
			if strings.Contains(out, bad) {
				t.Errorf("%s contains %q as it is", format, bad)
			}
		}
	}
}
