package alert

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// group is the name of the rule group.
const group = "volpost-volumes"

// PrometheusRule is the rules for a set-up as an object of the Prometheus Operator.
func PrometheusRule(s Setup) string {
	head := "  labels:\n"
	if len(s.Labels) == 0 {
		head = "  # A Prometheus with a ruleSelector reads only objects that it selects: that of kube-prometheus-stack those with the\n" +
			"  # label release, the name of its Helm release. volpost alerts --label release=NAME\n" + head
	}
	return heading(s) + `apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: volpost-volumes
` + head + labelLines(append([]model.Label{{Name: "role", Value: "alert-rules"}}, s.Labels...)) + "spec:\n" + indent(groups(s), "  ")
}

// AlertingRule is the rules for a set-up as an object of OpenShift's own monitoring.
func AlertingRule(s Setup) string {
	labels := words.If(len(s.Labels) > 0, "  labels:\n"+labelLines(s.Labels))
	return heading(s) + "# An AlertingRule, because OpenShift supports no other own rules on what its monitoring collects: " +
		`a PrometheusRule in a
# project sees the metrics of that project only, and one in openshift-monitoring is not supported.
apiVersion: monitoring.openshift.io/v1
kind: AlertingRule
metadata:
  name: volpost-volumes
  namespace: openshift-monitoring
` + labels + "spec:\n" + indent(groups(s), "  ")
}

func labelLines(list []model.Label) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "    %s: %q\n", l.Name, l.Value)
	}
	return b.String()
}

// PlainRules is the rules for a set-up as a rule file of Prometheus, the form that promtool reads.
func PlainRules(s Setup) string { return heading(s) + groups(s) }

func heading(s Setup) string {
	text := "Alerting rules for volumes that cannot move, for kube-state-metrics 1.9 and later, " + s.String() + ".\n"
	for _, because := range s.Because {
		text += because + "\n"
	}
	return indent(text, "# ")
}

func groups(s Setup) string {
	var b strings.Builder
	b.WriteString("groups:\n- name: " + group + "\n  rules:\n")
	for _, r := range Rules(s) {
		b.WriteString(indent(comment(r), "  ") + indent(r.yaml(), "  "))
	}
	return b.String()
}

// comment says what a rule replaces, and why.
func comment(r Rule) string {
	if r.Replaces == "" {
		return "# " + r.Why + "\n"
	}
	return "# Replaces the popular rule " + r.Replaces + ". " + r.Why + "\n"
}

func (r Rule) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- alert: %s\n  expr: |\n%s", r.Name, indent(r.Expr+"\n", "    "))
	if r.For != "" {
		fmt.Fprintf(&b, "  for: %s\n", r.For)
	}
	fmt.Fprintf(&b, "  labels:\n    severity: %s\n  annotations:\n    summary: %q\n    description: %q\n    runbook_url: %s\n",
		r.Severity, r.Summary, r.Description, r.RunbookURL())
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
