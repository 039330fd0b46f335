package alert

import (
	"fmt"
	"strings"
)

// RuleFile is the name that the test file gives the rule file.
const RuleFile = "volpost-rules.yaml"

// group is the name of the rule group.
const group = "volpost-volumes"

// PrometheusRule is the rules for a set-up as an object of the Prometheus Operator.
func PrometheusRule(s Setup) string {
	return heading(s) + `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: volpost-volumes
  labels:
    role: alert-rules
spec:
` + indent(groups(s), "  ")
}

// PlainRules is the rules for a set-up as a rule file of Prometheus, the form that promtool reads.
func PlainRules(s Setup) string { return heading(s) + groups(s) }

func heading(s Setup) string {
	text := "Alerting rules for volumes that cannot move, for " + s.String() + ".\n"
	for _, because := range s.Because {
		text += because + "\n"
	}
	return indent(text, "# ")
}

func groups(s Setup) string {
	rules, omitted := Rules(s)
	var b strings.Builder
	b.WriteString("groups:\n- name: " + group + "\n  rules:\n")
	for _, r := range rules {
		b.WriteString(indent(comment(r), "  ") + indent(r.yaml(), "  "))
	}
	for _, o := range omitted {
		fmt.Fprintf(&b, "  # Not possible here: %s. %s\n", o.Name, o.Why)
	}
	return b.String()
}

// comment says what a rule replaces, and why.
func comment(r Rule) string {
	if r.Replaces == "" {
		return "# New. " + r.Why + "\n"
	}
	return "# Replaces the popular rule " + r.Replaces + ". " + r.Why + "\n"
}

func (r Rule) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- alert: %s\n  expr: |\n%s", r.Name, indent(r.Expr+"\n", "    "))
	if r.For != "" {
		fmt.Fprintf(&b, "  for: %s\n", r.For)
	}
	fmt.Fprintf(&b, "  labels:\n    severity: %s\n  annotations:\n    summary: %q\n    description: %q\n    runbook: %q\n", r.Severity, r.Summary, r.Description, r.Runbook)
	return b.String()
}

// indent puts a prefix before every line that is not empty.
func indent(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(prefix)
		}
		b.WriteString(line)
	}
	return b.String()
}
