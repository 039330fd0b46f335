package alert

import (
	"regexp"
	"strings"
)

// Rule is an alerting rule that volpost recommends. Two of one name are told apart by their severity.
type Rule struct {
	Name        string
	Expr        string // PromQL; may have several lines
	For         string // "" for none
	Severity    string // warning or critical
	Summary     string // one line; names the labels of the expression as Prometheus' templates do
	Description string
	Runbook     string // what to do first; "" for what stands at the rule of the same name before it
	// Replaces is the name of the popular rule that it replaces, and Why the reason; both "" for a rule without one.
	Replaces, Why string
}

var clusterWord = regexp.MustCompile(`\bcluster\b`)

// Rules are the rules for a set-up, the most specific first.
func Rules(s Setup) []Rule {
	out := []Rule{
		s.waitRule(), s.longWaitRule(), s.lostNodeRule(), s.neededRule(), s.statefulSetRule(), s.podWaitsRule(), s.twiceRule(),
		s.attachmentRule(), s.terminatingRule(), forcedRule(), detachRule(), s.absentRule(),
	}
	for i, r := range out {
		r = s.lasting(r)
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

func (s Setup) waitRule() Rule {
	return Rule{
		Name: "MultiAttachWait", Expr: s.multiAttachWait(), For: "2m", Severity: "warning",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} waits for a volume that another node holds",
		Description: "Volume {{ $labels.volumename }} (claim {{ $labels.namespace }}/{{ $labels.persistentvolumeclaim }}) is attached, but not to {{ $labels.node }}, where the pod waits for it.",
		Runbook:     "Find the VolumeAttachment of the volume (kubectl get volumeattachments) and the pod that used it on that node. Delete no VolumeAttachment before that node is proven to have stopped writing. Collect with volpost gather and run volpost analyze.",
		Why:         "No popular rule sees the wait itself: while Multi-Attach lasts there is no second VolumeAttachment. The longest ordinary handover in the recordings took 30 s.",
	}
}

func (s Setup) longWaitRule() Rule {
	r := s.waitRule()
	r.For, r.Severity, r.Runbook = "8m", "critical", ""
	r.Why = "Where nobody acts, the controller detaches by force six minutes after the old pod is gone: what has lasted for eight somebody has to end."
	return r
}

func (s Setup) lostNodeRule() Rule {
	return Rule{
		Name: "VolumeStuckOnNotReadyNode", Expr: s.onLostNodes(s.attached()), For: "2m", Severity: "warning",
		Summary:     "{{ $labels.node }} is not Ready or gone, and has volumes attached",
		Description: "Volumes that are attached to it: {{ $value }}. A pod that needs one of them elsewhere will wait.",
		Runbook:     "Find out whether the machine is off. If it is proven to be off and stays so, taint the Node with node.kubernetes.io/out-of-service=nodeshutdown:NoExecute (Kubernetes 1.26 and later); if it is not, bring it back or fence it first.",
		Replaces:    "VolumeStuckOnNotReadyNode",
		Why:         "It does not parse: * binds tighter than ==. With parentheses it never fires, because kube_volumeattachment_status_attached has no label node, or, where scraping adds one, it is the node of kube-state-metrics. One alert for each node, not for each volume.",
	}
}

func (s Setup) neededRule() Rule {
	return Rule{
		Name: "VolumeStuckOnNotReadyNode", Expr: s.neededOnLostNode(), For: "2m", Severity: "critical",
		Summary:     "{{ $labels.node }} is not Ready or gone, and pods wait for volumes that are attached to it",
		Description: "Volumes that are attached to it and for which a pod waits on another node: {{ $value }}.",
		Why:         "Only where a pod waits somebody has to get up: a node that reboots holds all of its volumes for some minutes.",
	}
}

func (s Setup) statefulSetRule() Rule {
	return Rule{
		Name: "NodeNotReadyWithStatefulSet", Expr: s.statefulSetOnLostNode(), For: "1m", Severity: "warning",
		Summary:     "{{ $labels.node }} is not Ready and has pods of StatefulSets",
		Description: "Those pods are not replaced until they are deleted for good, and their volumes stay on the node until then.",
		Runbook:     "Look at the Node's conditions and at its machine. Its pods are evicted after their toleration, 5 minutes by default.",
		Replaces:    "NodeNotReadyWithStatefulSet",
		Why:         "It fails with many-to-many when two clusters share a store or a restarted kube-state-metrics overlaps the old one, and with honor_labels: false it names the node of kube-state-metrics.",
	}
}

const creating = `kube_pod_container_status_waiting_reason{reason=~"ContainerCreating|PodInitializing"}`

func (s Setup) podWaitsRule() Rule {
	return Rule{
		Name: "PodStuckContainerCreating", For: "5m", Severity: "warning",
		Expr:        s.by(creating, "namespace", "pod", "uid") + " == 1",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} has not started its containers for 5 minutes",
		Description: "It waits for a volume, an image, a Secret or its network; MultiAttachWait says when it is a volume on another node.",
		Runbook:     "Read the events of the pod: kubectl describe pod.",
		Replaces:    "PodStuckContainerCreating",
		Why:         "It misses every pod with init containers, whose containers wait with the reason PodInitializing, and min_over_time makes it outlive the wait by up to 5 minutes. kube-state-metrics before 2.0 does not tell that reason.",
	}
}

func (s Setup) twiceRule() Rule {
	return Rule{
		Name: "VolumeAttachedTwice", Expr: s.attachedTwice(), For: "5m", Severity: "critical",
		Summary:     "Volume {{ $labels.volumename }} is attached to several nodes and is not a shared one",
		Description: "Two nodes may be writing to one file system.",
		Runbook:     "Stop the pods of one of the two nodes before anything else, then check the file system.",
		Replaces:    "VolumeAttachedTwice",
		Why:         "It fires for every volume that is shared on purpose, and, when the server restarts while a volume moves, for as long as the last sample of the old VolumeAttachment counts, 5 minutes. It never shows Multi-Attach, because the controller refuses the second VolumeAttachment.",
	}
}

// attachmentRule cannot see a detach that hangs: no metric tells of the deletion of a VolumeAttachment.
func (s Setup) attachmentRule() Rule {
	return Rule{
		Name: "VolumeAttachmentStuck", Expr: s.attachmentStatus() + " == 0", For: "5m", Severity: "warning",
		Summary:     "VolumeAttachment {{ $labels.volumeattachment }} has not been attached for 5 minutes",
		Description: "The CSI driver or its external-attacher does not complete the attach.",
		Runbook:     "Read status.attachError of the VolumeAttachment, then the log of the external-attacher.",
		Replaces:    "VolumeAttachmentStuck",
		Why:         "It carries the labels of the scrape, and never fires on OpenShift, whose monitoring drops kube_volumeattachment_created.",
	}
}

func (s Setup) terminatingRule() Rule {
	return Rule{
		Name: "PodStuckTerminating", For: "10m", Severity: "warning",
		Expr:        "time() > " + s.by("kube_pod_deletion_timestamp", "namespace", "pod", "uid"), // request and grace period
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} still exists 10 minutes after the end of its grace period",
		Description: "Its kubelet has not confirmed that it stopped. Its volumes stay on the node.",
		Runbook:     "Look at the pod's node. Force the deletion only when the machine is proven to be off: it may still be writing.",
		Replaces:    "PodStuckTerminating",
		Why:         "It works as written but carries the labels of the scrape. kube_pod_deletion_timestamp exists since kube-state-metrics 2.0.",
	}
}

func forcedRule() Rule {
	return Rule{
		Name: "VolumeForceDetached", Expr: forceDetached(), Severity: "warning",
		Summary:     "The attach-detach controller has detached a volume by force",
		Description: "A node had not confirmed within six minutes that a volume is unmounted. If it still runs, it may be writing to a volume that another node has by now.",
		Runbook:     "Find the volume and the node in the log of kube-controller-manager, or run volpost analyze on it. If the node is alive, stop it, then check the file system.",
		Why:         "Needs the metrics of kube-controller-manager, which managed control planes do not expose. What the taint out-of-service detaches is not counted.",
	}
}

func detachRule() Rule {
	return Rule{
		Name: "VolumeDetachFailing", Expr: detachFails(), For: "5m", Severity: "warning",
		Summary:     "Volumes of {{ $labels.volume_plugin }}{{ $labels.driver_name }} cannot be detached",
		Description: "Detaching has failed again and again for 5 minutes. A pod that needs such a volume on another node waits.",
		Runbook:     "Read status.detachError of the VolumeAttachments that have a deletionTimestamp, then the log of the external-attacher.",
		Why:         "Needs the metrics of kube-controller-manager (Kubernetes 1.21 and later) or of the external-attacher (--http-endpoint): kube-state-metrics tells nothing of a detach.",
	}
}

func (s Setup) absentRule() Rule {
	return Rule{
		Name: "KubeStateMetricsAbsent", Expr: s.exporterAbsent(), For: "10m", Severity: "warning",
		Summary:     "kube-state-metrics reports nothing",
		Description: "Without it no other rule on volumes can fire. It may have been on a node that is lost.",
		Runbook:     "Find its pod (kubectl get pods -A -o wide | grep kube-state-metrics), and look at its node and at the target in the server.",
		Why:         "Every other rule is silent without its exporter.",
	}
}
