package alert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Rule is an alerting rule that volpost recommends. Two of one name differ in their severity.
type Rule struct {
	Name        string
	Expr        string // PromQL; may have several lines
	expr        func(Setup) string
	For         string // "" for none
	Severity    string // warning or critical
	Summary     string // one line; names the labels of the expression as Prometheus' templates do
	Description string
	// Replaces is the name of the popular rule that it replaces, and Why the reason; both "" for a rule without one.
	Replaces, Why string
}

var clusterWord = regexp.MustCompile(`\bcluster\b`)

// Rules are the rules for a set-up, the most specific first.
func Rules(s Setup) []Rule {
	out := slices.Clone(recommended)
	for i, r := range out {
		r = s.lasting(r)
		r.Expr = r.expr(s)
		if s.ClusterLabel != "" {
			r.Expr = clusterWord.ReplaceAllString(r.Expr, s.ClusterLabel)
			r.Description = "Cluster {{ $labels." + s.ClusterLabel + " }}: " + r.Description
		}
		out[i] = r
	}
	return out
}

// RunbookURL is where the section of a rule stands.
func (r Rule) RunbookURL() string {
	return "https://github.com/volpost/volpost/blob/main/docs/alerts.md#" + strings.ToLower(r.Name)
}

// recommended are the rules, the most specific first.
var recommended = []Rule{
	{
		Name: "MultiAttachWait", expr: Setup.multiAttachWait, For: "2m", Severity: "warning",
		Summary: "Pod {{ $labels.namespace }}/{{ $labels.pod }} waits for a volume that another node holds",
		Description: "Volume {{ $labels.volumename }} (claim {{ $labels.namespace }}/{{ $labels.persistentvolumeclaim }}) is attached, " +
			"but not to {{ $labels.node }}, where the pod waits for it.",
		Why: "No popular rule sees it: in Multi-Attach there is no second VolumeAttachment. The longest ordinary handover recorded took 30 s.",
	}, {
		Name: "MultiAttachWait", expr: Setup.multiAttachWait, For: "8m", Severity: "critical",
		Summary: "Pod {{ $labels.namespace }}/{{ $labels.pod }} waits for a volume that another node holds",
		Description: "Volume {{ $labels.volumename }} (claim {{ $labels.namespace }}/{{ $labels.persistentvolumeclaim }}) is attached, " +
			"but not to {{ $labels.node }}, where the pod waits for it.",
		Why: "Without an act the controller detaches by force six minutes after the old pod is gone; a wait of eight minutes needs one.",
	}, {
		Name: "VolumeStuckOnNotReadyNode", expr: Setup.attachedToLostNode, For: "2m", Severity: "warning", Replaces: "VolumeStuckOnNotReadyNode",
		Summary:     "{{ $labels.node }} is not Ready or gone, and has volumes attached",
		Description: "Volumes that are attached to it: {{ $value }}. A pod that needs one of them elsewhere will wait.",
		Why: "It does not parse: * binds tighter than ==. With parentheses it never fires, because kube_volumeattachment_status_attached has " +
			"no label node, or, where scraping adds one, it is the node of kube-state-metrics. One alert for each node, not for each volume.",
	}, {
		Name: "VolumeStuckOnNotReadyNode", expr: Setup.neededOnLostNode, For: "2m", Severity: "critical",
		Summary:     "{{ $labels.node }} is not Ready or gone, and pods wait for volumes that are attached to it",
		Description: "Volumes that are attached to it and for which a pod waits on another node: {{ $value }}.",
		Why:         "Only where a pod waits somebody has to get up: a node that reboots holds all of its volumes for some minutes.",
	}, {
		Name: "NodeNotReadyWithStatefulSet", expr: Setup.statefulSetOnLostNode, For: "1m", Severity: "warning",
		Replaces:    "NodeNotReadyWithStatefulSet",
		Summary:     "{{ $labels.node }} is not Ready and has pods of StatefulSets",
		Description: "Those pods are not replaced until they are deleted for good, and their volumes stay on the node until then.",
		Why: "It fails with many-to-many when two clusters share a store or a restarted kube-state-metrics overlaps the old one, and " +
			"with honor_labels: false it names the node of kube-state-metrics.",
	}, {
		Name: "PodStuckContainerCreating", expr: Setup.podWaits, For: "5m", Severity: "warning", Replaces: "PodStuckContainerCreating",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} has not started its containers for 5 minutes",
		Description: "It waits for a volume, an image, a Secret or its network; MultiAttachWait says when it is a volume on another node.",
		Why: "It misses every pod with init containers, whose containers wait with the reason PodInitializing, and min_over_time makes it " +
			"outlive the wait by up to 5 minutes. kube-state-metrics before 2.0 does not have that reason.",
	}, {
		Name: "VolumeAttachedTwice", expr: Setup.attachedTwice, For: "5m", Severity: "critical", Replaces: "VolumeAttachedTwice",
		Summary:     "Volume {{ $labels.volumename }} is attached to several nodes and is not a shared one",
		Description: "Two nodes may be writing to one file system.",
		Why: "It fires for every volume that is shared on purpose and, when the server restarts while a volume moves, as long as the last " +
			"sample of the old VolumeAttachment counts, 5 minutes. It never shows Multi-Attach: the controller refuses the second VolumeAttachment.",
	}, {
		Name: "VolumeAttachmentStuck", expr: Setup.notAttached, For: "5m", Severity: "warning", Replaces: "VolumeAttachmentStuck",
		Summary:     "VolumeAttachment {{ $labels.volumeattachment }} has not been attached for 5 minutes",
		Description: "The CSI driver or its external-attacher does not complete the attach.",
		Why:         "It carries the labels of the scrape, and never fires on OpenShift, whose monitoring drops kube_volumeattachment_created.",
	}, {
		Name: "PodStuckTerminating", expr: Setup.terminating, For: "10m", Severity: "warning", Replaces: "PodStuckTerminating",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} still exists 10 minutes after the end of its grace period",
		Description: "Its kubelet has not confirmed that it stopped. Its volumes stay on the node.",
		Why:         "It works as written but carries the labels of the scrape. kube_pod_deletion_timestamp exists since kube-state-metrics 2.0.",
	}, {
		Name: "VolumeForceDetached", expr: Setup.forceDetached, Severity: "warning",
		Summary:     "The attach-detach controller has detached a volume by force",
		Description: "A node did not confirm an unmount within six minutes. If it runs, it may be writing to a volume that another node has now.",
		Why:         "Needs kube-controller-manager's metrics, not exposed by managed control planes. Out-of-service detaches are not counted.",
	}, {
		Name: "VolumeDetachFailing", expr: Setup.detachFails, For: "5m", Severity: "warning",
		Summary:     "Volumes of {{ $labels.volume_plugin }}{{ $labels.driver_name }} cannot be detached",
		Description: "Detaching has failed again and again for 5 minutes. A pod that needs such a volume on another node waits.",
		Why:         "Needs metrics of kube-controller-manager (since 1.21) or external-attacher (--http-endpoint); kube-state-metrics has none.",
	}, {
		Name: "KubeStateMetricsAbsent", expr: Setup.exporterAbsent, For: "10m", Severity: "warning",
		Summary:     "kube-state-metrics reports nothing",
		Description: "Without it no other rule on volumes can fire. It may have been on a node that is lost.",
		Why:         "Every other rule is silent without its exporter.",
	},
}

// tested is a rule that is run over series.
type tested struct {
	name, origin string
	severity     string // as its label says
	line         int    // of the rule in the file that origin names; 0 for one that no file brings
	expr         string
	hold, keep   string // for and keep_firing_for, as Prometheus writes durations; "" for none
	labels       []model.Label
	interval     time.Duration // of its group; 0 for ruleInterval
	corrected    string        // the expression that replaces it
	flaw         string        // why it cannot fire, where that is so in every set-up
	usage        bool          // it is about how full volumes are
}

// Origins of rules that no file brings.
const (
	Builtin = "builtin"
	seed    = "seed"
)

// popular are rules as they circulate, word for word, by the name of the rule that replaces each.
var popular = []tested{
	{name: "PodStuckContainerCreating", hold: "5m", expr: `min_over_time(
  kube_pod_container_status_waiting_reason{reason="ContainerCreating"}[5m]
) == 1`},
	{name: "NodeNotReadyWithStatefulSet", hold: "1m", expr: `count by (node) (
  kube_pod_info{created_by_kind="StatefulSet"}
    * on(node) group_left()
    (kube_node_status_condition{condition="Ready", status="true"} == 0)
) > 0`},
	{name: "VolumeStuckOnNotReadyNode", hold: "2m", expr: `(
  kube_volumeattachment_status_attached == 1
    * on(volumeattachment) group_left(volumename)
    kube_volumeattachment_spec_source_persistentvolume
)
  * on(node) group_left()
  (kube_node_status_condition{condition="Ready", status="true"} == 0)`,
		flaw: "It does not parse, because * binds tighter than ==. With parentheses it would still see nothing: " +
			"kube_volumeattachment_status_attached has no label node."},
	{name: "VolumeAttachedTwice", expr: `count by (volumename) (
  kube_volumeattachment_spec_source_persistentvolume
    * on(volumeattachment) group_left()
    (kube_volumeattachment_status_attached == 1)
) > 1`},
	{name: "VolumeAttachmentStuck", expr: `(time() - kube_volumeattachment_created) > 300
and kube_volumeattachment_status_attached == 0`},
	{name: "PodStuckTerminating", expr: `kube_pod_deletion_timestamp > 0
and (time() - kube_pod_deletion_timestamp) > 600`},
}

// catalogue are the recommended rules for a set-up, then the popular ones.
func catalogue(s Setup) []tested {
	var out []tested
	replaced := map[string]string{}
	for _, r := range Rules(s) {
		out = append(out, tested{name: r.Name, origin: Builtin, severity: r.Severity, expr: r.Expr, hold: r.For})
		if replaced[r.Name] == "" {
			replaced[r.Name] = r.Expr
		}
	}
	for _, p := range popular {
		p.origin, p.corrected = seed, replaced[p.name]
		if p.name == "VolumeAttachmentStuck" && s.OpenShift {
			p.flaw = "OpenShift's monitoring drops kube_volumeattachment_created."
		}
		out = append(out, p)
	}
	return out
}

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
