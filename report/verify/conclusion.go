package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// Conclusion is one in which a report differs from what is concluded from the bundle now.
type Conclusion struct {
	Field  string // such as verdict.headline or incidents[0].causes[1].verdict
	Report string // as JSON; "" where the report has nothing
	Bundle string
}

// Conclusions compares a report with one made anew, field by field, but for the program and the bundle's name, files and gaps.
func Conclusions(given, again *model.Report) ([]Conclusion, error) {
	a, err := concluded(given)
	if err != nil {
		return nil, err
	}
	b, err := concluded(again)
	if err != nil {
		return nil, err
	}
	out := differing(nil, "", a, b)
	slices.SortStableFunc(out, func(x, y Conclusion) int { return cmp.Compare(x.rank(), y.rank()) })
	return out, nil
}

// rank is how early a reader wants to see it.
func (c Conclusion) rank() int {
	if strings.HasPrefix(c.Field, "verdict.") {
		return 0
	}
	if strings.HasPrefix(c.Field, "incidents[") {
		return 1
	}
	return 2
}

// concluded is a report as the generic values of its JSON.
func concluded(r *model.Report) (map[string]any, error) {
	only := *r
	only.Generator, only.Redaction = model.Generator{}, nil
	only.Bundle.Root, only.Bundle.Inputs, only.Bundle.Unreadable = "", nil, nil
	var text bytes.Buffer
	if err := report.Write(&text, "json", &only); err != nil {
		return nil, err
	}
	values := json.NewDecoder(&text)
	values.UseNumber()
	var out map[string]any
	return out, values.Decode(&out)
}

// differing adds the innermost values that differ. What is empty is the same as what is absent.
func differing(out []Conclusion, field string, a, b any) []Conclusion {
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok || b == nil {
			return differingFields(out, field, x, y)
		}
	case []any:
		if y, ok := b.([]any); ok || b == nil {
			for i := range max(len(x), len(y)) {
				out = differing(out, fmt.Sprintf("%s[%d]", field, i), at(x, i), at(y, i))
			}
			return out
		}
	case nil:
		if b != nil && !empty(b) {
			return append(out, Conclusion{Field: field, Bundle: asJSON(b)})
		}
		return out
	}
	if a == b || empty(a) && empty(b) {
		return out
	}
	return append(out, Conclusion{Field: field, Report: asJSON(a), Bundle: asJSON(b)})
}

func differingFields(out []Conclusion, field string, a, b map[string]any) []Conclusion {
	if b == nil && !empty(a) {
		return append(out, Conclusion{Field: field, Report: asJSON(a)})
	}
	both := map[string]any{}
	maps.Copy(both, a)
	maps.Copy(both, b)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		inner := name
		if field != "" {
			inner = field + "." + name
		}
		out = differing(out, inner, a[name], b[name])
	}
	return out
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// empty reports whether a value says nothing.
func empty(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		for _, inner := range x {
			if !empty(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// asJSON is a value in one line; "" for none.
func asJSON(v any) string {
	if v == nil {
		return ""
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(out.Bytes()))
}
