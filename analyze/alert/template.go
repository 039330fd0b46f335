package alert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// labelTemplate is the template of a rule's label. Templates can query and loop: only labels and the value are filled in, no other is run.
type labelTemplate struct {
	name     string
	written  string
	parts    []labelPart
	verbatim bool // it holds something that is not filled in
	value    bool // it depends on the value
}

// labelPart is a text, or what is filled in.
type labelPart struct {
	text, label string
	value       bool
}

type templates []labelTemplate

// maxTemplate bounds the text of a label, in bytes.
const maxTemplate = 4 << 10

// filledIn is {{ $labels.name }}, {{ .Labels.name }}, {{ $value }} or {{ .Value }}, with the space that a dash removes.
var filledIn = regexp.MustCompile(`(?:\s*\{\{-\s|\{\{)\s*` +
	`(?:(?:\$labels|\.Labels)\.([\pL_][\pL\pN_]*)|\$value|\.Value)\s*(?:\s-\}\}\s*|\}\})`)

func (r tested) templates() templates {
	out := make(templates, 0, len(r.labels))
	for _, l := range r.labels {
		out = append(out, parseLabel(l))
	}
	return out
}

func parseLabel(l model.Label) labelTemplate {
	t := labelTemplate{name: l.Name, written: l.Value}
	if strings.Contains(l.Value, "{{") && (len(l.Value) > maxTemplate || strings.Contains(filledIn.ReplaceAllString(l.Value, ""), "{{")) {
		t.verbatim, t.value = true, strings.Contains(l.Value, "alue")
		t.parts = []labelPart{{text: l.Value}}
		return t
	}
	at := 0
	for _, m := range filledIn.FindAllStringSubmatchIndex(l.Value, -1) {
		part := labelPart{value: m[2] < 0}
		if m[2] >= 0 {
			part.label = l.Value[m[2]:m[3]]
		}
		t.parts = append(t.parts, labelPart{text: l.Value[at:m[0]]}, part)
		t.value, at = t.value || part.value, m[1]
	}
	t.parts = append(t.parts, labelPart{text: l.Value[at:]})
	return t
}

func (t labelTemplate) expand(series labels.Labels, value float64) string {
	var b strings.Builder
	for _, p := range t.parts {
		switch {
		case p.label != "":
			b.WriteString(series.Get(p.label))
		case p.value:
			fmt.Fprint(&b, value)
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// useValue reports that an alert is another one with each value.
func (t templates) useValue() bool {
	return slices.ContainsFunc(t, func(one labelTemplate) bool { return one.value && !one.verbatim })
}

// notes say what is special of a rule's labels.
func (t templates) notes(holds bool) []string {
	var out []string
	for _, one := range t {
		switch {
		case one.verbatim:
			out = append(out, fmt.Sprintf("The template of its label %s is not executed.", one.name))
		case one.value && holds:
			out = append(out, "Its label "+one.name+" holds the value: with each other value it is another alert, whose time to wait begins anew.")
		}
	}
	return out
}
