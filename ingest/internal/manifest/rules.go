package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	commonmodel "github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// ruleNodes reads groups of rules as files and PrometheusRules have them (rulefmt of Prometheus 2 and 3; the Prometheus Operator's v1), and
// as a server answers them, with other names and durations in seconds. What a text is written as, be it a number, does not matter.
type ruleNodes struct {
	first int // line of the file that line 1 of the nodes is
	err   error
}

// groupsOf are the groups below a node, with the lines of their expressions.
func groupsOf(root *yaml.Node, first int) ([]model.RuleGroup, error) {
	r := &ruleNodes{first: first}
	var out []model.RuleGroup
	for _, g := range r.list(root, "groups") {
		to := model.RuleGroup{Name: r.text(g, "name"), Interval: r.duration(g, "interval")}
		for _, n := range r.list(g, "rules") {
			labels := r.labels(g)
			maps.Copy(labels, r.labels(n))
			to.Rules = append(to.Rules, r.rule(n, labels))
		}
		out = append(out, to)
	}
	return out, r.err
}

func (r *ruleNodes) rule(n *yaml.Node, labels map[string]string) model.Rule {
	rule := model.Rule{Alert: r.text(n, "alert"), Record: r.text(n, "record"), Expr: r.text(n, "expr"), For: r.text(n, "for"),
		KeepFiringFor: r.text(n, "keep_firing_for"), Labels: sortedLabels(labels)}
	if expr, _ := descend(n, nil, "expr"); expr != nil {
		rule.Line = r.first + expr.Line - 1
		if expr.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			rule.Line++ // the text of a block begins on the next line
		}
		return rule
	}
	rule.Expr, rule.For, rule.KeepFiringFor = r.text(n, "query"), r.duration(n, "duration"), r.duration(n, "keepFiringFor")
	if name := r.text(n, "name"); r.text(n, "type") == "recording" {
		rule.Record = name
	} else {
		rule.Alert = name
	}
	return rule
}

func (r *ruleNodes) fail(n *yaml.Node, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("yaml: line %d: %s", n.Line, what) // as the parser says it
	}
}

// list are the elements of a field.
func (r *ruleNodes) list(n *yaml.Node, field string) []*yaml.Node {
	list, _ := descend(n, nil, field)
	if list == nil || list.Tag == "!!null" {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		r.fail(list, field+" of rules are not what they should be")
		return nil
	}
	return list.Content
}

// text is a field's, "" where there is none.
func (r *ruleNodes) text(n *yaml.Node, field string) string {
	v, _ := descend(n, nil, field)
	if v == nil || v.Tag == "!!null" {
		return ""
	}
	if v.Kind != yaml.ScalarNode {
		r.fail(v, "a list or mapping stands where a text is expected")
	}
	return v.Value
}

// duration is a field's as Prometheus writes it, which a server answers in seconds; "" for none.
func (r *ruleNodes) duration(n *yaml.Node, field string) string {
	text := r.text(n, field)
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if s <= 0 || s > maxDuration {
		return ""
	}
	return commonmodel.Duration(s * float64(time.Second)).String()
}

func (r *ruleNodes) labels(n *yaml.Node) map[string]string {
	out := map[string]string{}
	if of, _ := descend(n, nil, "labels"); of != nil && of.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(of.Content); i += 2 {
			name := of.Content[i].Value
			out[name] = r.text(of, name)
		}
	}
	return out
}

func sortedLabels(of map[string]string) []model.Label {
	var out []model.Label
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, model.Label{Name: name, Value: of[name]})
	}
	return out
}

// decodeRules reads what a PrometheusRule is called: its groups are read of the nodes.
func decodeRules(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	return &doc.ObjectMeta, &doc, nil
}

// rules are the groups of a record of a PrometheusRule.
func (r *Record) rules() ([]model.RuleGroup, error) {
	text, root := r.cite.source()
	spec, _ := descend(root, nil, "spec")
	return groupsOf(spec, text.line)
}

// What a group, a rule and a label of it take beside their text: "- {}" is a rule, and has the labels of its group.
const groupBytes, ruleBytes, labelBytes = 100, 200, 48

// holdRules keeps the groups of a PrometheusRule, as far as they are ones.
func holdRules(r *Record) (content any, bytes int) {
	groups, _ := r.rules()
	for _, g := range groups {
		bytes += groupBytes
		for _, rule := range g.Rules {
			bytes += ruleBytes + len(rule.Labels)*labelBytes
		}
	}
	return model.Whole(groups), bytes + r.Length
}

// ruleHead begins Prometheus' answers about rules and alerts (web/api/v1, 2.0–3.15); a must-gather has the former since OpenShift 4.8.
var ruleHead = regexp.MustCompile(`^\s*\{\s*"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"(groups|alerts)"\s*:`)

// managerHead begins the alerts of an Alertmanager (api/v2/alerts, 0.16–0.28), which amtool prints, too, or what it sends to a webhook.
var managerHead = regexp.MustCompile(`^\s*\[\s*\{[^\[\]]*?"(?:fingerprint|startsAt)"\s*:|` +
	`^\s*\{\s*"receiver"\s*:\s*"[^"]*"\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"alerts"\s*:`)

// IsRuleAnswer reports whether a file begins as an answer of /api/v1/rules or /api/v1/alerts, or as one of an Alertmanager.
func IsRuleAnswer(head []byte) bool {
	return looksJSON(head) && (ruleHead.Match(head) || managerHead.Match(head))
}

// ReadRuleAnswer reads such an answer: the rules, and the alerts active then. Its error is a sentence.
func ReadRuleAnswer(data []byte, path string) (out model.RuleFile, active []model.ActiveAlert, err error) {
	out.Path = path
	root := Tree(data)
	if root == nil {
		return out, nil, errors.New("is an answer about rules or alerts that is no complete JSON")
	}
	answer, _ := descend(root, nil, "data")
	if answer == nil {
		answer = root
	}
	r := &ruleNodes{}
	alerts := answer.Content // of an Alertmanager
	if answer.Kind == yaml.MappingNode {
		out.Groups, r.err = groupsOf(answer, 1)
		alerts = r.list(answer, "alerts")
	}
	for _, g := range r.list(answer, "groups") {
		for _, n := range r.list(g, "rules") {
			active = append(active, r.active(r.list(n, "alerts"), r.duration(n, "duration"), path)...)
		}
	}
	if active = append(active, r.active(alerts, "", path)...); r.err != nil {
		return model.RuleFile{Path: path}, nil, fmt.Errorf("is an answer about rules or alerts that cannot be read: %s", errorText(r.err))
	}
	return out, active, nil
}

// active are alerts of Prometheus, or of an Alertmanager, which knows only such as fire. What it sends has those, too, that have ended.
func (r *ruleNodes) active(list []*yaml.Node, lasting, path string) (out []model.ActiveAlert) {
	for _, n := range list {
		a := model.ActiveAlert{Labels: sortedLabels(r.labels(n)), State: r.text(n, "state"), For: lasting, Input: path}
		since := r.text(n, "activeAt")
		if a.State == "" {
			a.State, a.For, since = "firing", "0s", r.text(n, "startsAt")
		}
		at, _ := time.Parse(time.RFC3339, since) // one without a time is active all the same
		if a.At = at.UTC(); textAt(n, "status") != "resolved" {
			out = append(out, a)
		}
	}
	return out
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
	case looksJSON(data):
		r.document(chunk{raw: data, line: 1, json: json.Valid(data), depth: MaxDepth}, bytes.Contains(data, []byte(`"kind"`)))
	default:
		for d := range documents(data) {
			r.document(chunk{raw: d.raw, line: d.line, depth: MaxDepth}, d.keys["groups"].line == 0 || d.keys["kind"].line > 0)
		}
	}
	return r.out
}

type rulesReader struct{ out model.RuleFile }

func (r *rulesReader) problem(line int, format string, args ...any) {
	r.out.Problems = append(r.out.Problems,
		model.Problem{Severity: model.Failure, Path: r.out.Path, Line: line, Message: fmt.Sprintf(format, args...)})
}

// document reads what has a kind, or groups as Prometheus has them.
func (r *rulesReader) document(c chunk, kind bool) {
	if kind {
		moved := append(bytes.Repeat([]byte("\n"), c.line-1), c.raw...) // problems name lines of the whole file
		res := Read(moved, r.out.Path, func(rec Record) {
			if rec.Kind == "PrometheusRule" {
				groups, err := rec.rules()
				r.add(c, groups, err)
			}
		})
		r.out.Problems = append(r.out.Problems, res.Problems...)
		return
	}
	if tooMany(c.raw) {
		r.problem(c.line, "more than %d values are refused", maxMarks)
		return
	}
	root, err := c.root()
	if err == nil && root == nil {
		err = errors.New("it is empty")
	}
	if err == nil {
		err = Limits{Depth: MaxDepth, Nodes: MaxNodes}.weigh(root)
	}
	if err != nil {
		r.problem(errorLine(err, c), "cannot be read: %s", errorText(err))
		return
	}
	groups, err := groupsOf(root, c.line)
	r.add(c, groups, err)
}

func (r *rulesReader) add(c chunk, groups []model.RuleGroup, err error) {
	if err != nil {
		r.problem(errorLine(err, c), "%s", errorText(err))
		return
	}
	r.out.Groups = append(r.out.Groups, groups...)
}
