package alert

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// RuleFile is the name that the test file gives the rule file.
const RuleFile = "volpost-rules.yaml"

//go:embed testdata/scenario.txt
var scenario string

// exporters are the releases of kube-state-metrics that differ, and the lines of the scenario that hold for them: whether every metric of
// pods has the uid, reasons of waiting are there when they do not apply (and PodInitializing never), and volumes have access modes.
var exporters = []struct {
	name  string
	lines []string
}{
	{"1.9", []string{"all", "no-uid", "reasons"}}, {"2.0", []string{"all", "no-uid", "no-reasons"}},
	{"2.1 to 2.19", []string{"all", "uid", "no-reasons"}}, {"2.20", []string{"all", "uid", "no-reasons", "modes"}},
}

// testsFor is a file for "promtool test rules": each rule has to fire and stop, and to stay silent for look-alikes, with each release.
func testsFor(s Setup) string {
	var b strings.Builder
	b.WriteString("# promtool test rules on the rules for " + s.String() + ", which are expected in " + RuleFile + ".\n")
	b.WriteString("rule_files:\n- " + RuleFile + "\nevaluation_interval: 1m\ntests:\n")
	for _, e := range exporters {
		one := promTest{Setup: s}
		for line := range strings.Lines(scenario) {
			when, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !slices.Contains(e.lines, when) {
				continue
			}
			if series, values, ok := strings.Cut(text, "} "); ok {
				one.add(s.inCluster(s.asScraped(strings.TrimSpace(series)+"}", e.lines), "one"), values)
			} else {
				hidden := func(field string) bool { return strings.HasPrefix(field, "uid=") && slices.Contains(e.lines, "no-uid") }
				one.expect(slices.DeleteFunc(strings.Fields(text), hidden)...)
			}
		}
		if s.ClusterLabel != "" { // the other cluster has a Ready node-a: without the label, the two would be taken for one
			one.add(s.inCluster(`kube_node_status_condition{node="node-a",condition="Ready",status="true"}`, "two"), "1+0x60")
		}
		b.WriteString("# kube-state-metrics " + e.name + "\n" + one.String())
	}
	return b.String() + s.absentTest()
}

// Labels that releases and set-ups have or lack.
var (
	uidLabel     = regexp.MustCompile(`,uid="[^"]*"`)
	clashesLabel = regexp.MustCompile(`\b(namespace|pod|node)="([^"]*)"`)
)

// asScraped is a series with the labels that the rules see. Labels of the target stand where those of the exporter were renamed.
func (s Setup) asScraped(series string, lines []string) string {
	if slices.Contains(lines, "no-uid") && !strings.HasPrefix(series, "kube_pod_info{") {
		series = uidLabel.ReplaceAllString(series, "")
	}
	if strings.HasPrefix(series, "kube_volumeattachment_info{") && slices.Contains(lines, "reasons") { // 1.9; some charts add the label node
		return strings.NewReplacer(",node=", ",nodeName=", ",attacher=", `,node="of-the-target",attacher=`).Replace(series)
	}
	if !s.TargetLabels {
		return series
	}
	series = clashesLabel.ReplaceAllString(series, `exported_$1="$2",$1="of-the-target"`)
	return strings.ReplaceAll(series, `exported_node="",`, "") // Prometheus renames no empty label
}

// inCluster is a series with the label of a cluster, where a store holds several.
func (s Setup) inCluster(series, cluster string) string {
	if s.ClusterLabel == "" {
		return series
	}
	return strings.Replace(series, "{", "{"+s.ClusterLabel+`="`+cluster+`",`, 1)
}

// absentTest is a kube-state-metrics whose last sample of 70 counts for 5 minutes more, beside another cluster's where there are several.
func (s Setup) absentTest() string {
	one, fires := promTest{Setup: s}, []string{"88", "KubeStateMetricsAbsent", "warning"}
	one.add(s.inCluster(`kube_node_status_condition{node="node-a"}`, "one"), "1+0x70")
	if s.ClusterLabel != "" {
		one.add(s.inCluster(`kube_node_status_condition{node="node-a"}`, "two"), "1+0x90")
		fires = append(fires, s.ClusterLabel+"=one")
	}
	one.expect("84", "KubeStateMetricsAbsent")
	one.expect(fires...)
	return "# kube-state-metrics is gone\n" + one.String()
}

// promTest is one test of promtool.
type promTest struct {
	Setup
	series, tests strings.Builder
	last          string // minute and rule
}

func (p *promTest) String() string {
	return "- interval: 1m\n  input_series:\n" + p.series.String() + "  alert_rule_test:\n" + p.tests.String()
}

func (p *promTest) add(series, values string) {
	fmt.Fprintf(&p.series, "  - series: '%s'\n    values: '%s'\n", series, values)
}

// expect adds what a rule does: minute, name and, where it is not silent, severity, value and labels. Those of one minute are one test.
func (p *promTest) expect(fields ...string) {
	test := fmt.Sprintf("  - eval_time: %sm\n    alertname: %s\n", fields[0], fields[1])
	switch {
	case len(fields) == 2:
		p.tests.WriteString(test + "    exp_alerts: []\n")
		return
	case test != p.last:
		p.tests.WriteString(test + "    exp_alerts:\n")
	}
	p.last = test
	rules := Rules(p.Setup)
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == fields[1] && r.Severity == fields[2] })
	p.tests.WriteString(indent(p.alert(rules[at], fields[3:]), "    "))
}

// alert is an alert with its labels and its texts.
func (p *promTest) alert(r Rule, labels []string) string {
	if p.ClusterLabel != "" && r.Name != "KubeStateMetricsAbsent" { // which may be of all
		labels = append([]string{p.ClusterLabel + "=one"}, labels...)
	}
	var b strings.Builder
	var fill []string
	fmt.Fprintf(&b, "- exp_labels:\n    severity: %s\n", r.Severity)
	for _, l := range labels {
		name, value, _ := strings.Cut(l, "=")
		if name == "$value" {
			fill = append(fill, "{{ $value }}", value)
			continue
		}
		fmt.Fprintf(&b, "    %s: %s\n", name, value)
		fill = append(fill, "{{ $labels."+name+" }}", value)
	}
	for _, missing := range []string{p.ClusterLabel, "volume_plugin", "driver_name"} {
		fill = append(fill, "{{ $labels."+missing+" }}", "")
	}
	text := strings.NewReplacer(fill...)
	fmt.Fprintf(&b, "  exp_annotations:\n    summary: %q\n    description: %q\n    runbook_url: %s\n",
		text.Replace(r.Summary), text.Replace(r.Description), r.RunbookURL())
	return b.String()
}
