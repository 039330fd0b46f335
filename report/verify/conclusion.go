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

// Conclusions compares a report with one made anew, field by field, but for the program and the bundle's name, files and gaps. What is empty
// is the same as what is absent.
func Conclusions(given, again *model.Report) ([]Conclusion, error) {
	a, err := concluded(given)
	if err != nil {
		return nil, err
	}
	b, err := concluded(again)
	if err != nil {
		return nil, err
	}
	var out []Conclusion
	anew := map[string]string{}
	for _, v := range b {
		anew[v.field] = v.text
	}
	for _, v := range a {
		if anew[v.field] != v.text {
			out = append(out, Conclusion{v.field, v.text, anew[v.field]})
		}
		delete(anew, v.field)
	}
	for _, v := range b {
		if _, missing := anew[v.field]; missing {
			out = append(out, Conclusion{Field: v.field, Bundle: v.text})
		}
	}
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

// value is one innermost value of a report, as JSON.
type value struct{ field, text string }

// concluded are the values of a report, in the order of their fields.
func concluded(r *model.Report) ([]value, error) {
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
	err := values.Decode(&out)
	return innermost(nil, "", out), err
}

// innermost adds the values that are not empty.
func innermost(out []value, field string, v any) []value {
	switch x := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			out = innermost(out, strings.TrimPrefix(field+"."+name, "."), x[name])
		}
	case []any:
		for i, element := range x {
			out = innermost(out, fmt.Sprintf("%s[%d]", field, i), element)
		}
	case nil:
	default:
		if v != "" {
			out = append(out, value{field, asJSON(v)})
		}
	}
	return out
}

// asJSON is a value in one line.
func asJSON(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(out.Bytes()))
}
