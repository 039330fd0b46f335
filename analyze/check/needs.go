package check

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Need is an input that a check cannot do without.
type Need struct {
	What    string // as a noun phrase
	Command string // that collects it
	Met     func(*facts.World) bool
	Holds   []string // the kinds of object, or the components whose logs they are, of which one meets it
}

// The components whose logs are looked for, as ingest names them.
const (
	attacherLog   = "external-attacher"
	kubeletLog    = "kubelet"
	controllerLog = "kube-controller-manager"
)

const (
	attachmentsCommand = "kubectl get volumeattachments -o yaml --show-managed-fields"
	nodesCommand       = "kubectl get nodes -o yaml --show-managed-fields"
	volumesCommand     = "kubectl get pv -o yaml"
)

// A need of some objects is met by any of them, or by a list without any; a need of a list only by one that shows what does not exist.
var (
	needAttachments = Need{"the VolumeAttachments", attachmentsCommand, func(w *facts.World) bool {
		return len(w.Attachments) > 0 || w.Listed("VolumeAttachment", "")
	}, []string{"VolumeAttachment"}}
	needNodes = Need{"the Nodes", nodesCommand, func(w *facts.World) bool { return len(w.Nodes) > 0 }, []string{"Node"}}
	needPods  = Need{"the pods", "kubectl get pods -A -o yaml --show-managed-fields", func(w *facts.World) bool {
		return len(w.Pods) > 0 || w.Listed("Pod", "")
	}, []string{"Pod"}}
	needVolumes = Need{"the PersistentVolumes", volumesCommand, func(w *facts.World) bool {
		return len(w.Snapshot.PersistentVolumes) > 0 || w.Listed("PersistentVolume", "")
	}, []string{"PersistentVolume"}}

	needAttachmentList = needList("the list of the VolumeAttachments", attachmentsCommand, "VolumeAttachment")
	needNodeList       = Need{"the list of the Nodes", nodesCommand, nodesListed, []string{"Node"}}
	needVolumeList     = needList("the list of the PersistentVolumes", volumesCommand, "PersistentVolume")
)

func needList(what, command, kind string) Need {
	return Need{what, command, func(w *facts.World) bool { return w.Listed(kind, "") }, []string{kind}}
}

// A list of a kind, of any namespace, meets these needs: a single saved object says nothing of the others.
var (
	needClaims       = needKind("the PersistentVolumeClaims", "kubectl get pvc -A -o yaml", "PersistentVolumeClaim")
	needClasses      = needKind("the StorageClasses", "kubectl get storageclasses -o yaml", "StorageClass")
	needCSINodes     = needKind("the CSINodes", "kubectl get csinodes -o yaml", "CSINode")
	needDeployments  = needKind("the Deployments", "kubectl get deployments -A -o yaml", "Deployment")
	needStatefulSets = needKind("the StatefulSets", "kubectl get statefulsets -A -o yaml", "StatefulSet")
	needWorkloads    = needKind("the Deployments, StatefulSets and DaemonSets",
		"kubectl get deployments,statefulsets,daemonsets,replicasets -A -o yaml", "Deployment", "StatefulSet", "DaemonSet")
)

func needKind(what, command string, kinds ...string) Need {
	return Need{what, command, func(w *facts.World) bool { return listedSomewhere(w, kinds...) }, kinds}
}

func listedSomewhere(w *facts.World, kinds ...string) bool {
	return slices.ContainsFunc(w.Snapshot.Lists, func(l model.Listed) bool { return slices.Contains(kinds, l.Kind) })
}

// Lines of a component meet these.
var (
	needControllerLog = needLog(controllerLog, "kubectl logs -n kube-system KUBE-CONTROLLER-MANAGER")
	needAttacherLog   = needLog(attacherLog, "kubectl logs -n NAMESPACE CSI-CONTROLLER -c csi-attacher")
	needKubeletLog    = needLog(kubeletLog, "on the node: journalctl -u kubelet")
)

func needLog(component, command string) Need {
	return Need{"the log of the " + component, command, func(w *facts.World) bool { return w.HasLog(component) }, []string{component}}
}

var (
	// needReports is met when a Multi-Attach report would be in the bundle.
	needReports = Need{"the Events of the namespaces with the pods, or the log of the kube-controller-manager", eventsCommand, func(w *facts.World) bool {
		return w.LogCovers() || w.EventsCover()
	}, []string{"Event", controllerLog}}
	needUsage = Need{"the volume statistics of kubelets",
		`promtool tsdb dump-openmetrics --match '{__name__=~"kubelet_volume_stats_.*"}' PROMETHEUS-DATA > metrics.openmetrics`,
		func(w *facts.World) bool { return len(w.ByKind[model.VolumeUsage]) > 0 }, []string{model.HoldsMetrics}}
	// needCollectionTime is met by any time of collection, or a time before which it was not: ages are counted to it.
	needCollectionTime = Need{"the time of the collection, or any object or record with a time", "volpost gather",
		func(w *facts.World) bool { _, ok := collected(w); return ok }, nil}
)

const eventsCommand = "kubectl get events -A -o yaml"

func nodesListed(w *facts.World) bool { return len(w.Nodes) > 0 && w.Listed("Node", "") }

// nodeGone and volumeGone report that an object surely does not exist.
func nodeGone(w *facts.World, name string) bool {
	_, ok := w.Node(name)
	return !ok && name != "" && nodesListed(w)
}

func volumeGone(w *facts.World, name string) bool {
	_, ok := w.PV(name)
	return !ok && name != "" && w.Listed("PersistentVolume", "")
}

// collected is the earliest time at which the objects may have been collected; false when only a stand-in is known.
func collected(w *facts.World) (time.Time, bool) {
	at := w.Axis.CapturedAt
	if at == nil || at.Missing() != "" {
		return time.Time{}, false
	}
	return at.Earliest, true
}

// atLeast is the smallest age of a whole second at the collection; negative in the future and without a time of collection.
func atLeast(w *facts.World, t metav1.Time) time.Duration {
	end, ok := collected(w)
	if !ok || t.IsZero() {
		return -1
	}
	return end.Sub(model.WholeSecond(t.Time).Latest)
}

// ago writes an age down, and what it is counted to where no time of collection is recorded.
func ago(w *facts.World, t metav1.Time) string {
	s := "at least " + words.Duration(atLeast(w, t).Truncate(time.Second)) + " before the "
	if w.Axis.CapturedHow == model.CollectedNewest {
		return s + "newest time in the bundle, which does not record when it was collected"
	}
	return s + "collection"
}
