package alert

// Rule is an alerting rule that volpost recommends.
type Rule struct {
	Name        string
	Expr        string // PromQL; may have several lines
	For         string // "" for none
	Severity    string // warning or critical
	Summary     string // one line; names the labels of the expression as Prometheus' templates do
	Description string
	Runbook     string // what to do first
	// Replaces is the name of the popular rule that it replaces, and Why the reason; both "" for a rule without one.
	Replaces, Why string
}

// Omitted is a popular rule that nothing can replace in a set-up.
type Omitted struct{ Name, Why string }

// Rules are the rules for a set-up, the most specific first, and what it cannot have.
func Rules(s Setup) ([]Rule, []Omitted) {
	out := []Rule{s.waitRule(), s.lostNodeRule(), s.statefulSetRule(), s.podWaitsRule(), s.twiceRule(), s.attachmentRule()}
	var omitted []Omitted
	if s.Release.Before(second) {
		omitted = append(omitted, Omitted{"PodStuckTerminating", "kube_pod_deletion_timestamp exists since kube-state-metrics 2.0."})
	} else {
		out = append(out, s.terminatingRule())
	}
	out = append(out, s.usageRule("PVC_HighUsage", "0.7", "10m", "warning"), s.usageRule("PVC_CriticalUsage", "0.9", "5m", "critical"))
	if s.MultiCluster {
		for i := range out {
			out[i].Description = "Cluster {{ $labels.cluster }}: " + out[i].Description
		}
	}
	return out, omitted
}

func (s Setup) waitRule() Rule {
	return Rule{
		Name: "MultiAttachWait", Expr: s.multiAttachWait(), For: "1m", Severity: "critical",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} waits for a volume that another node holds",
		Description: "Volume {{ $labels.volumename }} (claim {{ $labels.namespace }}/{{ $labels.persistentvolumeclaim }}) is attached, but not to {{ $labels.node }}, where the pod waits for it.",
		Runbook:     "Find the VolumeAttachment of the volume (kubectl get volumeattachments) and the pod that used it on that node. Delete no VolumeAttachment before that node is proven to have stopped writing. Collect with volpost gather and run volpost analyze.",
		Why:         "No popular rule sees the wait itself: while Multi-Attach lasts there is no second VolumeAttachment.",
	}
}

func (s Setup) lostNodeRule() Rule {
	return Rule{
		Name: "VolumeStuckOnNotReadyNode", Expr: s.volumeOnLostNode(), For: "2m", Severity: "critical",
		Summary:     "Volume {{ $labels.volumename }} is attached to {{ $labels.node }}, which is not Ready or gone",
		Description: "VolumeAttachment {{ $labels.volumeattachment }} keeps the volume on that node. A pod that needs it elsewhere will wait.",
		Runbook:     "Find out whether the machine is off. If it is proven to be off and stays so, taint the Node with node.kubernetes.io/out-of-service=nodeshutdown:NoExecute (Kubernetes 1.26 and later); if it is not, bring it back or fence it first.",
		Replaces:    "VolumeStuckOnNotReadyNode",
		Why:         "It does not parse: * binds tighter than ==. With parentheses it never fires, because kube_volumeattachment_status_attached has no label node, or, where scraping adds one, it is the node of kube-state-metrics.",
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

func (s Setup) podWaitsRule() Rule {
	return Rule{
		Name: "PodStuckContainerCreating", Expr: s.podWaits(), For: "5m", Severity: "warning",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} has not started its containers for 5 minutes",
		Description: "It waits for a volume, an image, a Secret or its network; MultiAttachWait says when it is a volume on another node.",
		Runbook:     "Read the events of the pod: kubectl describe pod.",
		Replaces:    "PodStuckContainerCreating",
		Why:         "It misses every pod with init containers, whose containers wait with the reason PodInitializing, and min_over_time makes it outlive the wait by up to 5 minutes.",
	}
}

func (s Setup) twiceRule() Rule {
	return Rule{
		Name: "VolumeAttachedTwice", Expr: s.attachedTwice(), Severity: "critical",
		Summary:     "Volume {{ $labels.volumename }} is attached to several nodes and is not a shared one",
		Description: "Two nodes may be writing to one file system.",
		Runbook:     "Stop the pods of one of the two nodes before anything else, then check the file system.",
		Replaces:    "count by (volumename) of attached VolumeAttachments > 1",
		Why:         "It fires for every volume that is shared on purpose. It never shows Multi-Attach, because the controller refuses the second VolumeAttachment.",
	}
}

func (s Setup) attachmentRule() Rule {
	r := Rule{
		Name: "VolumeAttachmentStuck", Expr: s.attachmentStuck(), Severity: "warning",
		Summary:     "VolumeAttachment {{ $labels.volumeattachment }} has not been attached for 5 minutes",
		Description: "The CSI driver or its external-attacher does not complete the attach.",
		Runbook:     "Read status.attachError of the VolumeAttachment, then the log of the external-attacher.",
		Replaces:    "VolumeAttachmentStuck",
		Why:         "It works as written but carries the labels of the scrape.",
	}
	if s.dropsCreated() {
		r.For = "5m"
		r.Why = "It never fires: OpenShift's monitoring drops kube_volumeattachment_created."
	}
	return r
}

func (s Setup) terminatingRule() Rule {
	return Rule{
		Name: "PodStuckTerminating", Expr: s.stuckTerminating(), Severity: "warning",
		Summary:     "Pod {{ $labels.namespace }}/{{ $labels.pod }} still exists 10 minutes after the end of its grace period",
		Description: "Its kubelet has not confirmed that it stopped. Its volumes stay on the node.",
		Runbook:     "Look at the pod's node. Force the deletion only when the machine is proven to be off: it may still be writing.",
		Replaces:    "PodStuckTerminating",
		Why:         "It works as written but carries the labels of the scrape.",
	}
}

func (s Setup) usageRule(name, part, lasting, severity string) Rule {
	return Rule{
		Name: name, Expr: s.used(part), For: lasting, Severity: severity,
		Summary:     "Claim {{ $labels.namespace }}/{{ $labels.persistentvolumeclaim }} is more than " + percent(part) + " full",
		Description: "A full volume stops what writes to it.",
		Runbook:     "Expand the claim where its StorageClass allows it (allowVolumeExpansion), or free space.",
		Replaces:    name,
		Why:         "It works as written but fires once for each node that mounts a shared volume.",
	}
}

func percent(part string) string { return part[len("0."):] + "0 %" }
