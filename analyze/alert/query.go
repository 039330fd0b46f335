package alert

import (
	"fmt"
	"slices"
	"strings"
)

// The expressions aggregate every metric by the labels of its object before a join, so that a second replica, a restarted
// kube-state-metrics or labels of the scrape make no join fail with "many-to-many". An absent label cluster is an empty one.
//
// They hold for kube-state-metrics from 1.9, the first with VolumeAttachments. What changed is looked for in both forms: 1.9 calls the
// node of an attachment nodeName; before 2.1 only kube_pod_info has the uid; before 2.0 there is no reason PodInitializing, and
// reasons that do not apply have the value 0. No rule fires because a release lacks something: access modes are the claims' (1.6), those of
// volumes (2.20) only add to them.

// owned are the labels of kube-state-metrics that the labels of a target can clash with.
var owned = []string{"namespace", "pod", "node"}

// metric is a selector of kube-state-metrics whose labels are what the exporter called them.
func (s Setup) metric(selector string, labels ...string) string {
	if !s.TargetLabels {
		return selector
	}
	for _, label := range owned {
		if slices.Contains(labels, label) {
			selector = fmt.Sprintf("label_replace(%s, %q, %q, %q, %q)", selector, label, "$1", "exported_"+label, "(.+)")
		}
	}
	return selector
}

// by is one sample for each value of some labels, and of cluster.
func (s Setup) by(selector string, labels ...string) string {
	return fmt.Sprintf("max by (cluster, %s) (%s)", strings.Join(labels, ", "), s.metric(selector, labels...))
}

// waiting are pods that have not started, by phase or container reason. What joins this looks at where the volume is.
func (s Setup) waiting() string {
	return s.by(`
      kube_pod_status_phase{phase="Pending"} == 1
      or kube_pod_container_status_waiting_reason{reason=~"ContainerCreating|PodInitializing"} == 1
    `, "namespace", "pod", "uid")
}

// attachmentNode has the node of each VolumeAttachment.
func (s Setup) attachmentNode(more ...string) string {
	labels := append([]string{"volumeattachment", "node"}, more...)
	return fmt.Sprintf(`max by (cluster, %s) (label_replace(%s, "node", "$1", "nodeName", "(.+)"))`,
		strings.Join(labels, ", "), s.metric("kube_volumeattachment_info", "node"))
}

func (s Setup) attachmentStatus() string {
	return s.by("kube_volumeattachment_status_attached", "volumeattachment")
}

func (s Setup) attachmentVolume() string {
	return s.by("kube_volumeattachment_spec_source_persistentvolume", "volumeattachment", "volumename")
}

// attached are the attached volumes with the node that has them.
func (s Setup) attached() string {
	return fmt.Sprintf("((%s == 1)\n  * on (cluster, volumeattachment) group_right () %s\n"+
		"  * on (cluster, volumeattachment) group_left (volumename) %s)", s.attachmentStatus(), s.attachmentNode(), s.attachmentVolume())
}

// ready is the condition of nodes: 0 covers the statuses False and Unknown.
func (s Setup) ready() string {
	return s.by(`kube_node_status_condition{condition="Ready",status="true"}`, "node")
}

// claims have the volume of each bound claim.
func (s Setup) claims() string {
	return s.by(`kube_persistentvolumeclaim_info{volumename!=""}`, "namespace", "persistentvolumeclaim", "volumename")
}

// sharedVolumes may be attached to several nodes: by their claims or, where known, by their own modes, which the controller uses.
func (s Setup) sharedVolumes() string {
	const shared = `{access_mode=~"ReadWriteMany|ReadOnlyMany"}`
	return fmt.Sprintf("(%s\n  * on (cluster, namespace, persistentvolumeclaim) group_left () %s\n"+
		"  or label_replace(max by (cluster, persistentvolume) (kube_persistentvolume_access_mode%s), %q, %q, %q, %q))",
		s.claims(), s.by("kube_persistentvolumeclaim_access_mode"+shared, "namespace", "persistentvolumeclaim"), shared,
		"volumename", "$1", "persistentvolume", "(.+)")
}

// podInfo is kube_pod_info of pods that are on a node.
func (s Setup) podInfo(matchers string, labels ...string) string {
	placed := `node!=""`
	if s.TargetLabels {
		placed = `host_ip!=""` // node can be that of the target
	}
	return s.by("kube_pod_info{"+matchers+placed+"}", labels...)
}

const mountedClaims = "kube_pod_spec_volumes_persistentvolumeclaims_info"

// podNode is the node of each pod with its uid or, for pods whose claims have none, without.
func (s Setup) podNode() string {
	return fmt.Sprintf("(\n      %s\n      or %s\n        and on (cluster, namespace, pod) %s\n    )",
		s.podInfo("", "namespace", "pod", "uid", "node"), s.podInfo("", "namespace", "pod", "node"),
		s.by(mountedClaims+`{uid=""}`, "namespace", "pod"))
}

// multiAttachWait: a pod waits, its volume is attached somewhere, and not on the pod's node.
func (s Setup) multiAttachWait() string {
	return fmt.Sprintf(`(
  (
    %s
    * on (cluster, namespace, pod, uid) group_right () %s
    * on (cluster, namespace, persistentvolumeclaim) group_left (volumename) %s
    * on (cluster, namespace, pod, uid) group_left (node) %s
  )
  unless on (cluster, volumename, node) %s
)
and on (cluster, volumename) %s
unless on (cluster, volumename) %s`, s.waiting(), s.by(mountedClaims, "namespace", "pod", "uid", "persistentvolumeclaim"),
		s.claims(), s.podNode(), s.attached(), s.attached(), s.sharedVolumes())
}

// onLostNodes counts attached volumes by node, where that is not Ready or deleted; but not where no Node is reported at all.
func (s Setup) onLostNodes(volumes string) string {
	return fmt.Sprintf("count by (cluster, node) (%s)\nunless on (cluster, node) (%s == 1)\nand on (cluster) %s",
		volumes, s.ready(), `max by (cluster) (kube_node_status_condition{condition="Ready",status="true"})`)
}

func (s Setup) attachedToLostNode() string { return s.onLostNodes(s.attached()) }

// neededOnLostNode is the same of the volumes for which a pod waits.
func (s Setup) neededOnLostNode() string {
	return s.onLostNodes(fmt.Sprintf("\n%s\nand on (cluster, volumename) (\n%s)\n", s.attached(), indent(s.multiAttachWait()+"\n", "  ")))
}

func (s Setup) statefulSetOnLostNode() string {
	return fmt.Sprintf("count by (cluster, node) (\n  %s\n  and on (cluster, node) (%s == 0)\n)",
		s.podInfo(`created_by_kind="StatefulSet",`, "namespace", "pod", "node"), s.ready())
}

func (s Setup) attachedTwice() string {
	return fmt.Sprintf("count by (cluster, volumename) (\n  %s\n  * on (cluster, volumeattachment) group_left () (%s == 1)\n) > 1\n"+
		"unless on (cluster, volumename) %s", s.attachmentVolume(), s.attachmentStatus(), s.sharedVolumes())
}

// forcedDetaches is the counter before and since Kubernetes 1.28, without those by the out-of-service taint.
const forcedDetaches = `{__name__=~"attachdetach_controller_forced_detaches|` +
	`attach_detach_controller_attachdetach_controller_forced_detaches",reason!="out-of-service"}`

// forceDetached: the counter has no series before the first forced detach, and increase sees none in the series' first sample.
func (Setup) forceDetached() string {
	return fmt.Sprintf("sum by (cluster, reason) (\n  increase(%s[10m]) > 0\n  or %s > 0\n    unless %s offset 10m\n"+
		"    and on (cluster, job, instance) (up offset 10m == 1)\n)", forcedDetaches, forcedDetaches, forcedDetaches)
}

// detachFails: the controller tries again after 2 min at most.
func (Setup) detachFails() string {
	return `sum by (cluster, volume_plugin) (increase(` +
		`storage_operation_duration_seconds_count{operation_name="volume_detach",status="fail-unknown"}[5m])) > 0
or sum by (cluster, driver_name) (increase(` +
		`csi_sidecar_operations_seconds_count{method_name=~".*/ControllerUnpublishVolume",grpc_status_code!="OK"}[5m])) > 0`
}

// exporterAbsent: of several clusters, one that was there an hour ago counts, too.
func (s Setup) exporterAbsent() string {
	const absent = "absent(kube_node_status_condition)"
	if s.ClusterLabel == "" {
		return absent
	}
	return absent + "\nor max by (cluster) (kube_node_status_condition offset 1h)\n" +
		"  unless on (cluster) max by (cluster) (kube_node_status_condition)"
}

func (s Setup) podWaits() string {
	return s.by(`kube_pod_container_status_waiting_reason{reason=~"ContainerCreating|PodInitializing"}`, "namespace", "pod", "uid") + " == 1"
}

// notAttached cannot see a detach that hangs: no metric shows the deletion of a VolumeAttachment.
func (s Setup) notAttached() string { return s.attachmentStatus() + " == 0" }

// terminating compares with the request and the grace period.
func (s Setup) terminating() string {
	return "time() > " + s.by("kube_pod_deletion_timestamp", "namespace", "pod", "uid")
}
