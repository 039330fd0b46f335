package alert

import (
	"fmt"
	"slices"
	"strings"
)

// expectation is what a rule fires at a minute of the scenario.
type expectation struct {
	minute int
	rule   string
	labels [][]string // one list of name, value, name, value … for each alert; none where it must be silent
}

// expectations are just before, during and after what each rule is for.
func (s Setup) expectations() []expectation {
	old, pod := s.podAlert("uid-1"), s.podAlert("uid-2")
	wait := append(slices.Clone(pod), "persistentvolumeclaim", "data", "volumename", "pv-db", "node", "node-b")
	lost := []string{"volumeattachment", "csi-a", "node", "node-a", "attacher", "csi.example.com", "volumename", "pv-db"}
	set, twice := []string{"node", "node-a"}, []string{"volumename", "pv-twice"}
	stuck, full := []string{"volumeattachment", "csi-b"}, []string{"namespace", "shop", "persistentvolumeclaim", "data"}
	out := []expectation{
		silent(25, "MultiAttachWait"), fires(30, "MultiAttachWait", wait), silent(40, "MultiAttachWait"),
		silent(6, "VolumeStuckOnNotReadyNode"), fires(10, "VolumeStuckOnNotReadyNode", lost), silent(40, "VolumeStuckOnNotReadyNode"),
		silent(5, "NodeNotReadyWithStatefulSet"), fires(10, "NodeNotReadyWithStatefulSet", set), silent(30, "NodeNotReadyWithStatefulSet"),
		silent(30, "PodStuckContainerCreating"), fires(35, "PodStuckContainerCreating", pod), silent(48, "PodStuckContainerCreating"),
		silent(40, "VolumeAttachedTwice"), fires(55, "VolumeAttachedTwice", twice),
		silent(40, "VolumeAttachmentStuck"), fires(44, "VolumeAttachmentStuck", stuck), silent(50, "VolumeAttachmentStuck"),
		silent(9, "PVC_HighUsage"), fires(15, "PVC_HighUsage", full), silent(34, "PVC_CriticalUsage"), fires(40, "PVC_CriticalUsage", full),
	}
	if !s.Release.Before(second) {
		out = append(out, silent(16, "PodStuckTerminating"), fires(20, "PodStuckTerminating", old), silent(30, "PodStuckTerminating"))
	}
	return out
}

func fires(minute int, rule string, labels []string) expectation {
	return expectation{minute, rule, [][]string{labels}}
}

func silent(minute int, rule string) expectation { return expectation{minute: minute, rule: rule} }

// podAlert are the labels of an alert about db-0.
func (s Setup) podAlert(uid string) []string {
	out := []string{"namespace", "shop", "pod", "db-0"}
	if !s.Release.Before(withUID) {
		out = append(out, "uid", uid)
	}
	return out
}

// TestFile is a file for "promtool test rules" that runs the rules of a set-up, in the file RuleFile beside it, over a
// scenario in which each of them has to fire and to stop, and over look-alikes for which they must be silent.
func TestFile(s Setup) string {
	var b strings.Builder
	b.WriteString("# promtool test rules on the rules for " + s.String() + ", which are expected in " + RuleFile + ".\n")
	b.WriteString("rule_files:\n- " + RuleFile + "\nevaluation_interval: 1m\ntests:\n- interval: 1m\n  input_series:\n")
	for _, series := range s.series() {
		fmt.Fprintf(&b, "  - series: '%s'\n    values: '%s'\n", series.labels, series.values())
	}
	b.WriteString("  alert_rule_test:\n")
	rules, _ := Rules(s)
	for _, e := range s.expectations() {
		at := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == e.rule })
		fmt.Fprintf(&b, "  - eval_time: %dm\n    alertname: %s\n", e.minute, e.rule)
		if len(e.labels) == 0 {
			b.WriteString("    exp_alerts: []\n")
			continue
		}
		b.WriteString("    exp_alerts:\n")
		for _, labels := range e.labels {
			b.WriteString(indent(s.expected(rules[at], labels), "    "))
		}
	}
	return b.String()
}

// expected is an alert with its labels and its texts.
func (s Setup) expected(r Rule, labels []string) string {
	if s.MultiCluster {
		labels = append([]string{"cluster", "one"}, labels...)
	}
	var b, fill = strings.Builder{}, []string{}
	fmt.Fprintf(&b, "- exp_labels:\n    severity: %s\n", r.Severity)
	for i := 0; i+1 < len(labels); i += 2 {
		fmt.Fprintf(&b, "    %s: %s\n", labels[i], labels[i+1])
		fill = append(fill, "{{ $labels."+labels[i]+" }}", labels[i+1])
	}
	text := strings.NewReplacer(fill...)
	fmt.Fprintf(&b, "  exp_annotations:\n    summary: %q\n    description: %q\n    runbook: %q\n", text.Replace(r.Summary), text.Replace(r.Description), text.Replace(r.Runbook))
	return b.String()
}
