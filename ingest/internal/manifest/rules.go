package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// RuleSet is the groups of a PrometheusRule (monitoring.coreos.com/v1), without the lines of their expressions.
type RuleSet struct{ Groups []model.RuleGroup }

// ruleGroups is the form of rule files and PrometheusRules (rulefmt of Prometheus 2 and 3; the Prometheus Operator's v1).
type ruleGroups struct {
	Groups []struct {
		Name, Interval lenient
		Labels         map[string]lenient
		Rules          []struct {
			Alert, Record, Expr, For lenient

			KeepFiringFor lenient `json:"keep_firing_for"`
			Labels        map[string]lenient
		}
	}
}

// lenient is a text, be it written as a number or as a truth value.
type lenient string

// UnmarshalJSON implements json.Unmarshaler.
func (l *lenient) UnmarshalJSON(data []byte) error {
	var text string
	if string(data) == "null" {
		return nil
	}
	if json.Unmarshal(data, &text) == nil {
		*l = lenient(text)
		return nil
	}
	if len(data) > 0 && (data[0] == '{' || data[0] == '[') {
		return fmt.Errorf("%.20s stands where a text is expected", data)
	}
	*l = lenient(data)
	return nil
}

func (g ruleGroups) model() []model.RuleGroup {
	var out []model.RuleGroup
	for _, from := range g.Groups {
		to := model.RuleGroup{Name: string(from.Name), Interval: string(from.Interval)}
		for _, r := range from.Rules {
			labels := map[string]lenient{}
			maps.Copy(labels, from.Labels)
			maps.Copy(labels, r.Labels)
			rule := model.Rule{Alert: string(r.Alert), Record: string(r.Record), Expr: string(r.Expr), For: string(r.For),
				KeepFiringFor: string(r.KeepFiringFor), Labels: sortedLabels(labels)}
			to.Rules = append(to.Rules, rule)
		}
		out = append(out, to)
	}
	return out
}

func decodeRules(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              ruleGroups `json:"spec"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	return &doc.ObjectMeta, &RuleSet{doc.Spec.model()}, nil
}

// Rules are the groups of a record of a RuleSet with the lines of their expressions. It is cheap while found runs only.
func (r Record) Rules(set *RuleSet) []model.RuleGroup {
	text, root := r.cite.source()
	locate(set.Groups, text.line, root, "spec.")
	return set.Groups
}

// What a group, a rule and a label of it take beside their text: "- {}" is a rule, and has the labels of its group.
const groupBytes, ruleBytes, labelBytes = 100, 200, 48

// holdRules keeps the groups of a PrometheusRule.
func holdRules(r *Record) (content any, bytes int) {
	groups := r.Rules(r.Value.(*RuleSet))
	for _, g := range groups {
		bytes += groupBytes
		for _, rule := range g.Rules {
			bytes += ruleBytes + len(rule.Labels)*labelBytes
		}
	}
	return model.Whole(groups), bytes + r.Length
}

// locate gives rules the lines of their expressions.
func locate(groups []model.RuleGroup, first int, root *yaml.Node, prefix string) {
	for g := range groups {
		for i := range groups[g].Rules {
			groups[g].Rules[i].Line = first + expressionLine(root, fmt.Sprintf("%sgroups[%d].rules[%d].expr", prefix, g, i)) - 1
		}
	}
}

// expressionLine is the line of the document at which the text of a scalar begins: that of a block begins on the next line.
func expressionLine(root *yaml.Node, path string) int {
	node, _ := descend(root, nil, path)
	if node == nil {
		return 1
	}
	if node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return node.Line + 1
	}
	return node.Line
}

// ruleFileHead is a file of rules for Prometheus: groups at the margin, in them rules with an alert or a record and an expression.
var (
	ruleFileHead = regexp.MustCompile(`^(?:(?:#[^\n]*|---)?\r?\n)*groups: *\r?\n`)
	ruleOfFile   = regexp.MustCompile(`(?m)^ *-? *(?:alert|record): *\S`)
	exprOfFile   = regexp.MustCompile(`(?m)^ *-? *expr: *\S`)
)

// IsRuleFile reports whether a file begins as one of rules.
func IsRuleFile(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return ruleFileHead.Match(head) && ruleOfFile.Match(head) && exprOfFile.Match(head)
}

// ReadRules reads rule files, PrometheusRules, lists of those, several of these, or a server's answer. Its Problems say what is not read.
func ReadRules(data []byte, path string) model.RuleFile {
	r := rulesReader{out: model.RuleFile{Path: path}}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	switch {
	case len(data) > MaxObject:
		r.problem(0, "is a rule file of %d bytes; the limit is %d", len(data), MaxObject)
	case IsRuleAnswer(data):
		file, _, err := ReadRuleAnswer(data, path)
		if r.out.Groups = file.Groups; err != nil {
			r.problem(0, "%v", err)
		}
	case looksJSON(data) && json.Valid(data):
		r.plainOr(chunk{raw: data, line: 1, json: true, depth: MaxDepth})
	default:
		for d := range documents(data) {
			if c := (chunk{raw: d.raw, line: d.line, depth: MaxDepth}); d.keys["groups"].line > 0 && d.keys["kind"].line == 0 {
				r.plain(c)
			} else {
				r.objects(c)
			}
		}
	}
	return r.out
}

type rulesReader struct{ out model.RuleFile }

func (r *rulesReader) problem(line int, format string, args ...any) {
	r.out.Problems = append(r.out.Problems,
		model.Problem{Severity: model.Failure, Path: r.out.Path, Line: line, Message: fmt.Sprintf(format, args...)})
}

// plainOr reads JSON that is either.
func (r *rulesReader) plainOr(c chunk) {
	if root, err := c.root(); err == nil && has(root, "groups") && !has(root, "kind") {
		r.plain(c)
		return
	}
	r.objects(c)
}

// plain reads groups as Prometheus has them.
func (r *rulesReader) plain(c chunk) {
	if tooMany(c.raw) {
		r.problem(c.line, "more than %d values are refused", maxMarks)
		return
	}
	root, err := c.root()
	if err == nil && root == nil {
		err = errors.New("it is empty")
	}
	var data []byte
	if err == nil {
		data, err = c.asJSON(root, Limits{Depth: MaxDepth, Nodes: MaxNodes})
	}
	if err != nil {
		r.problem(errorLine(err, c), "cannot be read: %s", errorText(err))
		return
	}
	var groups ruleGroups
	if err := json.Unmarshal(data, &groups); err != nil {
		r.problem(c.line, "groups of rules are not what they should be: %v", err)
		return
	}
	list := groups.model()
	locate(list, c.line, root, "")
	r.out.Groups = append(r.out.Groups, list...)
}

// objects reads what has a kind.
func (r *rulesReader) objects(c chunk) {
	moved := append(bytes.Repeat([]byte("\n"), c.line-1), c.raw...) // problems name lines of the whole file
	res := Read(moved, r.out.Path, func(rec Record) {
		if set, ok := rec.Value.(*RuleSet); ok {
			r.out.Groups = append(r.out.Groups, rec.Rules(set)...)
		}
	})
	r.out.Problems = append(r.out.Problems, res.Problems...)
}
