package alert

import (
	"regexp"
	"slices"
	"strings"
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
		Why: "Without an operator action the controller detaches by force six minutes after the old pod is gone; a wait of eight minutes needs one.",
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
		Why:         "Without its exporter no other rule fires.",
	},
}
