package alert

import (
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// labelTemplate is the template of a rule's label. Templates can query and loop, so none is executed: only labels and the value are filled
// in, and any other template stays as written.
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

// declarations are what Prometheus puts before every template (rules.AlertingRule.Eval).
const declarations = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$externalURL := .ExternalURL}}{{$value := .Value}}"

// declared is how many nodes they are.
const declared = 4

func (r tested) templates() templates {
	out := make(templates, 0, len(r.labels))
	for _, l := range r.labels {
		out = append(out, parseLabel(l))
	}
	return out
}

func parseLabel(l model.Label) labelTemplate {
	t := labelTemplate{name: l.Name, written: l.Value}
	if !strings.Contains(l.Value, "{{") {
		t.parts = []labelPart{{text: l.Value}}
		return t
	}
	asWritten := labelTemplate{name: l.Name, written: l.Value, parts: []labelPart{{text: l.Value}}, verbatim: true, value: strings.Contains(l.Value, "alue")}
	if len(l.Value) > maxTemplate {
		return asWritten
	}
	tree := parse.New(l.Name)
	tree.Mode = parse.SkipFuncCheck
	tree, err := tree.Parse(declarations+l.Value, "", "", map[string]*parse.Tree{})
	if err != nil {
		return asWritten
	}
	for _, node := range tree.Root.Nodes[declared:] {
		part, ok := partOf(node)
		if !ok {
			return asWritten
		}
		t.parts = append(t.parts, part)
		t.value = t.value || part.value
	}
	return t
}

// partOf reads a text, {{ $labels.name }}, {{ .Labels.name }}, {{ $value }} or {{ .Value }}.
func partOf(node parse.Node) (labelPart, bool) {
	switch n := node.(type) {
	case *parse.TextNode:
		return labelPart{text: string(n.Text)}, true
	case *parse.ActionNode:
		if len(n.Pipe.Decl) > 0 || len(n.Pipe.Cmds) != 1 || len(n.Pipe.Cmds[0].Args) != 1 {
			return labelPart{}, false
		}
		var path []string
		switch arg := n.Pipe.Cmds[0].Args[0].(type) {
		case *parse.VariableNode:
			path = arg.Ident
		case *parse.FieldNode:
			path = arg.Ident
		}
		switch {
		case len(path) == 2 && (path[0] == "$labels" || path[0] == "Labels"):
			return labelPart{label: path[1]}, true
		case len(path) == 1 && (path[0] == "$value" || path[0] == "Value"):
			return labelPart{value: true}, true
		}
	}
	return labelPart{}, false
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
			out = append(out, fmt.Sprintf("Its label %s holds the value, so that with each other value it is another alert, whose time to wait begins anew.", one.name))
		}
	}
	return out
}
