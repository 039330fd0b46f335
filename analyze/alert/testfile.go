package alert

import (
	"fmt"
	"slices"
	"strings"
)

// expectation is what the rules of one name fire at a minute of the scenario; nothing where they must be silent.
type expectation struct {
	minute int
	rule   string
	alerts []expected
}

// expected is an alert: its severity, its value, and name, value, name, value … of its labels.
type expected struct {
	severity, value string
	labels          []string
}

// expectations are just before, during and after what each rule is for.
func (s *scenario) expectations() []expectation {
	pod := s.podAlert("uid-2")
	wait := append(slices.Clone(pod), "persistentvolumeclaim", "data", "volumename", "pv-db", "node", "node-b")
	node, twice, stuck := []string{"node", "node-a"}, []string{"volumename", "pv-twice"}, []string{"volumeattachment", "csi-b"}
	warn := func(labels []string) expected { return expected{severity: "warning", labels: labels} }
	critical := func(labels []string) expected { return expected{severity: "critical", labels: labels} }
	counted := func(e expected, n string) expected { e.value = n; return e }
	out := []expectation{
		silent(27, "MultiAttachWait"), fires(29, "MultiAttachWait", warn(wait)), fires(30, "MultiAttachWait", warn(wait)), fires(33, "MultiAttachWait", warn(wait)),
		fires(35, "MultiAttachWait", warn(wait), critical(wait)), silent(40, "MultiAttachWait"), silent(49, "MultiAttachWait"),
		silent(6, "VolumeStuckOnNotReadyNode"), fires(10, "VolumeStuckOnNotReadyNode", counted(warn(node), "2")),
		fires(30, "VolumeStuckOnNotReadyNode", counted(warn(node), "2"), counted(critical(node), "1")),
		fires(40, "VolumeStuckOnNotReadyNode", counted(warn(node), "1")),
		silent(5, "NodeNotReadyWithStatefulSet"), fires(10, "NodeNotReadyWithStatefulSet", warn(node)), silent(30, "NodeNotReadyWithStatefulSet"),
		silent(30, "PodStuckContainerCreating"), fires(35, "PodStuckContainerCreating", warn(pod)), silent(53, "PodStuckContainerCreating"),
		silent(24, "VolumeAttachedTwice"), silent(54, "VolumeAttachedTwice"), fires(57, "VolumeAttachedTwice", critical(twice)),
		silent(40, "VolumeAttachmentStuck"), fires(42, "VolumeAttachmentStuck", warn(stuck)), silent(50, "VolumeAttachmentStuck"),
		silent(39, "VolumeForceDetached"), fires(42, "VolumeForceDetached", warn([]string{"reason", "timeout"})),
		fires(47, "VolumeForceDetached", warn(nil), warn([]string{"reason", "timeout"})), silent(57, "VolumeForceDetached"),
		silent(24, "VolumeDetachFailing"), fires(28, "VolumeDetachFailing", warn([]string{"volume_plugin", "kubernetes.io/csi:csi.example.com"})), silent(42, "VolumeDetachFailing"), silent(46, "VolumeDetachFailing"),
		silent(59, "KubeStateMetricsAbsent"),
	}
	if s.reasons {
		return append(out, silent(20, "PodStuckTerminating"))
	}
	return append(out, silent(16, "PodStuckTerminating"), fires(20, "PodStuckTerminating", warn(s.podAlert("uid-1"))), silent(30, "PodStuckTerminating"))
}

func fires(minute int, rule string, alerts ...expected) expectation {
	return expectation{minute, rule, alerts}
}

func silent(minute int, rule string) expectation { return expectation{minute: minute, rule: rule} }

// podAlert are the labels of an alert about db-0.
func (s *scenario) podAlert(uid string) []string {
	out := []string{"namespace", "shop", "pod", "db-0"}
	if s.uid {
		out = append(out, "uid", uid)
	}
	return out
}

// TestFile is a file for "promtool test rules": each rule has to fire and stop, and to stay silent for look-alikes, with each release of
// kube-state-metrics.
func TestFile(s Setup) string {
	var b strings.Builder
	b.WriteString("# promtool test rules on the rules for " + s.String() + ", which are expected in " + RuleFile + ".\n")
	b.WriteString("rule_files:\n- " + RuleFile + "\nevaluation_interval: 1m\ntests:\n")
	for _, e := range exporters {
		one := scenario{Setup: s, exporter: e}
		one.play()
		b.WriteString("# kube-state-metrics " + e.name + "\n" + one.test(one.expectations()...))
	}
	return b.String() + s.absentTest()
}

// absentTest is a kube-state-metrics whose last sample of 70 counts for 5 minutes more, beside that of another cluster where there are several.
func (s Setup) absentTest() string {
	one, about := scenario{Setup: s}, []string(nil)
	one.write(one.inCluster(`kube_node_status_condition{node="node-a"}`, "one"), span{0, 70, 1})
	if s.ClusterLabel != "" {
		about = []string{s.ClusterLabel, "one"}
		one.write(one.inCluster(`kube_node_status_condition{node="node-a"}`, "two"), span{0, 90, 1})
	}
	return "# kube-state-metrics is gone\n" + one.test(silent(84, "KubeStateMetricsAbsent"), fires(88, "KubeStateMetricsAbsent", expected{severity: "warning", labels: about}))
}

// test is one test of promtool.
func (s *scenario) test(expectations ...expectation) string {
	var b strings.Builder
	b.WriteString("- interval: 1m\n  input_series:\n" + s.series.String() + "  alert_rule_test:\n")
	rules := Rules(s.Setup)
	for _, e := range expectations {
		fmt.Fprintf(&b, "  - eval_time: %dm\n    alertname: %s\n", e.minute, e.rule)
		if len(e.alerts) == 0 {
			b.WriteString("    exp_alerts: []\n")
			continue
		}
		b.WriteString("    exp_alerts:\n")
		for _, a := range e.alerts {
			at := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == e.rule && r.Severity == a.severity })
			b.WriteString(indent(s.expected(rules[at], a), "    "))
		}
	}
	return b.String()
}

// expected is an alert with its labels and its texts.
func (s *scenario) expected(r Rule, a expected) string {
	if s.ClusterLabel != "" && r.Name != "KubeStateMetricsAbsent" { // which may be of all
		a.labels = append([]string{s.ClusterLabel, "one"}, a.labels...)
	}
	var b strings.Builder
	fill := []string{"{{ $value }}", a.value}
	fmt.Fprintf(&b, "- exp_labels:\n    severity: %s\n", r.Severity)
	for i := 0; i+1 < len(a.labels); i += 2 {
		fmt.Fprintf(&b, "    %s: %s\n", a.labels[i], a.labels[i+1])
		fill = append(fill, "{{ $labels."+a.labels[i]+" }}", a.labels[i+1])
	}
	for _, missing := range []string{s.ClusterLabel, "volume_plugin", "driver_name"} {
		fill = append(fill, "{{ $labels."+missing+" }}", "")
	}
	text := strings.NewReplacer(fill...)
	fmt.Fprintf(&b, "  exp_annotations:\n    summary: %q\n    description: %q\n    runbook_url: %s\n", text.Replace(r.Summary), text.Replace(r.Description), r.RunbookURL())
	return b.String()
}
