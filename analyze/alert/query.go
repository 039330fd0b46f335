package alert

import (
	"fmt"
	"strings"
)

// The expressions aggregate every metric by the labels of the object that it is about before they join it. So neither a
// second replica, nor a new pod of kube-state-metrics that overlaps the old one, nor the labels of the scrape make a join
// fail with "many-to-many". The label cluster may be absent: an absent label is an empty one.

// owned are the labels of kube-state-metrics that the labels of a target can clash with.
var owned = []string{"namespace", "pod", "node"}

// metric is a selector of kube-state-metrics whose labels are what the exporter called them.
func (s Setup) metric(selector string, labels ...string) string {
	if !s.TargetLabels {
		return selector
	}
	for _, label := range owned {
		for _, l := range labels {
			if l == label {
				selector = fmt.Sprintf("label_replace(%s, %q, %q, %q, %q)", selector, label, "$1", "exported_"+label, "(.+)")
			}
		}
	}
	return selector
}

// by is one sample for each value of some labels, and of cluster.
func (s Setup) by(selector string, labels ...string) string {
	return fmt.Sprintf("max by (cluster, %s) (%s)", strings.Join(labels, ", "), s.metric(selector, labels...))
}

// podLabels are those that tell pods apart, in every metric of pods. StatefulSets reuse names.
func (s Setup) podLabels(more ...string) []string {
	out := []string{"namespace", "pod"}
	if !s.Release.Before(withUID) {
		out = append(out, "uid")
	}
	return append(out, more...)
}

// waiting are the pods whose containers the kubelet has not started: it reports PodInitializing where a pod has init
// containers, which kube-state-metrics 1.x does not know as a reason.
func (s Setup) waiting() string {
	if s.Release.Before(second) {
		return fmt.Sprintf("(%s == 1\n  and on (cluster, namespace, pod) %s == 1)",
			s.by("kube_pod_container_status_waiting", "namespace", "pod"), s.by(`kube_pod_status_phase{phase="Pending"}`, "namespace", "pod"))
	}
	return s.by(`kube_pod_container_status_waiting_reason{reason=~"ContainerCreating|PodInitializing"}`, s.podLabels()...)
}

// attachmentNode has the node of each VolumeAttachment.
func (s Setup) attachmentNode(more ...string) string {
	labels := append([]string{"volumeattachment", "node"}, more...)
	if s.Release.Before(second) {
		return fmt.Sprintf("max by (cluster, %s) (label_replace(kube_volumeattachment_info, %q, %q, %q, %q))", strings.Join(labels, ", "), "node", "$1", "nodeName", "(.+)")
	}
	return s.by("kube_volumeattachment_info", labels...)
}

func (s Setup) attachmentStatus() string {
	return s.by("kube_volumeattachment_status_attached", "volumeattachment")
}

func (s Setup) attachmentVolume() string {
	return s.by("kube_volumeattachment_spec_source_persistentvolume", "volumeattachment", "volumename")
}

// attached are the attached volumes with the node that has them.
func (s Setup) attached(more ...string) string {
	return fmt.Sprintf("((%s == 1)\n  * on (cluster, volumeattachment) group_right () %s\n  * on (cluster, volumeattachment) group_left (volumename) %s)",
		s.attachmentStatus(), s.attachmentNode(more...), s.attachmentVolume())
}

// ready is the condition of nodes: 0 covers the statuses False and Unknown.
func (s Setup) ready() string {
	return s.by(`kube_node_status_condition{condition="Ready",status="true"}`, "node")
}

// claims have the volume of each bound claim.
func (s Setup) claims() string {
	return s.by(`kube_persistentvolumeclaim_info{volumename!=""}`, "namespace", "persistentvolumeclaim", "volumename")
}

// sharedClaims are those that may be attached to several nodes.
func (s Setup) sharedClaims() string {
	return s.by(`kube_persistentvolumeclaim_access_mode{access_mode=~"ReadWriteMany|ReadOnlyMany"}`, "namespace", "persistentvolumeclaim")
}

// sharedVolumes are the volumes of those claims or, where the volumes' own modes are known, the volumes.
func (s Setup) sharedVolumes() string {
	if !s.Release.Before(withPVModes) {
		return fmt.Sprintf("label_replace(max by (cluster, persistentvolume) (kube_persistentvolume_access_mode{access_mode=~%q}), %q, %q, %q, %q)",
			"ReadWriteMany|ReadOnlyMany", "volumename", "$1", "persistentvolume", "(.+)")
	}
	return fmt.Sprintf("(%s\n  * on (cluster, namespace, persistentvolumeclaim) group_left () %s)", s.claims(), s.sharedClaims())
}

// podInfo is kube_pod_info of pods that are on a node.
func (s Setup) podInfo(matchers string, labels ...string) string {
	placed := `node!=""`
	if s.TargetLabels {
		placed = `host_ip!=""` // node can be that of the target
	}
	return s.by("kube_pod_info{"+matchers+placed+"}", labels...)
}

// multiAttachWait: a pod waits, its volume is attached somewhere, and not on the pod's node.
func (s Setup) multiAttachWait() string {
	pod := "cluster, " + strings.Join(s.podLabels(), ", ")
	return fmt.Sprintf(`(
  (
    %s
    * on (%s) group_right () %s
    * on (cluster, namespace, persistentvolumeclaim) group_left (volumename) %s
    * on (%s) group_left (node) %s
  )
  unless on (cluster, volumename, node) %s
)
and on (cluster, volumename) %s
unless on (cluster, namespace, persistentvolumeclaim) %s`,
		s.waiting(), pod, s.by("kube_pod_spec_volumes_persistentvolumeclaims_info", s.podLabels("persistentvolumeclaim")...),
		s.claims(), pod, s.podInfo("", s.podLabels("node")...), s.attached(), s.attached(), s.sharedClaims())
}

// volumeOnLostNode covers a Node object that was deleted, too; but not where no Node is reported at all.
func (s Setup) volumeOnLostNode() string {
	return fmt.Sprintf("max by (cluster, volumeattachment, node, attacher, volumename) %s\nunless on (cluster, node) (%s == 1)\nand on (cluster) %s",
		s.attached("attacher"), s.ready(), `max by (cluster) (kube_node_status_condition{condition="Ready",status="true"})`)
}

func (s Setup) statefulSetOnLostNode() string {
	return fmt.Sprintf("count by (cluster, node) (\n  %s\n  and on (cluster, node) (%s == 0)\n)",
		s.podInfo(`created_by_kind="StatefulSet",`, s.podLabels("node")...), s.ready())
}

func (s Setup) podWaits() string {
	if s.Release.Before(second) {
		return s.waiting()
	}
	return s.waiting() + " == 1"
}

func (s Setup) attachedTwice() string {
	return fmt.Sprintf("count by (cluster, volumename) (\n  %s\n  * on (cluster, volumeattachment) group_left () (%s == 1)\n) > 1\nunless on (cluster, volumename) %s",
		s.attachmentVolume(), s.attachmentStatus(), s.sharedVolumes())
}

// attachmentStuck cannot see a detach that hangs: no metric tells of the deletion of a VolumeAttachment.
func (s Setup) attachmentStuck() string {
	unattached := s.attachmentStatus() + " == 0"
	if s.dropsCreated() {
		return unattached
	}
	return fmt.Sprintf("(time() - %s) > 300\nand on (cluster, volumeattachment) (%s)", s.by("kube_volumeattachment_created", "volumeattachment"), unattached)
}

// stuckTerminating: the value is the time of the request and the grace period.
func (s Setup) stuckTerminating() string {
	return fmt.Sprintf("(time() - %s) > 600", s.by("kube_pod_deletion_timestamp", s.podLabels()...))
}

// used is over the kubelet's own metrics; each node that mounts a volume reports it.
func (s Setup) used(part string) string {
	return fmt.Sprintf("max by (cluster, namespace, persistentvolumeclaim) (\n  %s\n  / %s\n) > %s",
		s.metric("kubelet_volume_stats_used_bytes", "namespace"), s.metric("kubelet_volume_stats_capacity_bytes", "namespace"), part)
}
