package check

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var attachLimit = Check{
	ID: "attach-limit", Severity: "info",
	Title:  "A node has as many volumes of a driver as it can attach",
	Remedy: "Run pods with volumes on other nodes, or add nodes; the limit is that of the machine type.",
	Doc: Doc{
		Means: `The kubelet publishes for each CSI driver how many of its volumes the node can have (CSINode, allocatable.count). The scheduler puts no pod
with a further volume there. More volumes than the limit means that attaching may fail, or that the limit was lowered since.`,
		DecidedBy: "allocatable.count of the CSINode, against the volumes of the driver that VolumeAttachments attach to the node or that its pods use; each volume counts once. A warning when they are more than the limit, or when a pod is not scheduled with the reason \"node(s) exceed max volume count\".",
		LeftAlone: "Drivers that publish no limit; pods that have ended; attachments that are being deleted.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/storage-limits/",
			"kubernetes pkg/scheduler/framework/plugins/nodevolumelimits (ErrReasonMaxVolumeCountExceeded), 1.17–1.36",
		},
	},
	Needs: []Need{needCSINodes, needAttachments, needVolumes},
	Look:  lookAttachLimit,
}

// needCSINodes is met when the bundle has CSINodes.
var needCSINodes = needKind("CSINode", "the CSINodes", "kubectl get csinodes -o yaml")

// maxVolumeCount is the scheduler's reason.
const maxVolumeCount = "exceed max volume count"

// ofDriver names a driver on a node.
type ofDriver struct{ node, driver string }

// use is what a node has of a driver: its volumes by handle, and the first object that says so.
type use struct {
	volumes map[string]bool
	ref     model.Ref
	cite    func() []*model.Observation
}

func lookAttachLimit(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	have := volumesByNode(w)
	refused := refusedForCount(w)
	var out []Hit
	for _, n := range w.CSINodes {
		for i, d := range n.Value().Spec.Drivers {
			if d.Allocatable == nil || d.Allocatable.Count == nil || *d.Allocatable.Count <= 0 {
				continue
			}
			limit, list := int(*d.Allocatable.Count), have[ofDriver{n.Ref.Name, d.Name}].volumes
			if len(list) < limit {
				continue
			}
			h := Hit{
				Objects: []model.Ref{n.Ref, nodeRef(n.Ref.Name)},
				Shown:   reconstruct.CiteAll(n, fmt.Sprintf("spec.drivers[%d].name", i), fmt.Sprintf("spec.drivers[%d].allocatable.count", i)),
				Text:    fmt.Sprintf("Node %s has %s of %s, and can attach %d.", n.Ref.Name, words.Plural(len(list), "volume", "volumes"), d.Name, limit),
			}
			if len(list) > limit {
				h.Severity = "warning"
			}
			if refused != nil {
				h.Severity = "warning"
				h.Text += fmt.Sprintf(" Pod %s is not scheduled because nodes are at that limit.", refused.Object)
				h.Objects, h.Shown = append(h.Objects, refused.Object), append(h.Shown, refused)
			}
			out = append(out, h)
		}
	}
	return out
}

// volumesByNode are the volumes of each driver on each node, each once.
func volumesByNode(w *reconstruct.World) map[ofDriver]use {
	out := map[ofDriver]use{}
	add := func(node string, pv *corev1.PersistentVolume, ref model.Ref, cite func() []*model.Observation) {
		if node == "" || pv == nil || pv.Spec.CSI == nil {
			return
		}
		key := ofDriver{node, pv.Spec.CSI.Driver}
		if out[key].volumes == nil {
			out[key] = use{map[string]bool{}, ref, cite}
		}
		out[key].volumes[pv.Spec.CSI.VolumeHandle] = true
	}
	for _, a := range attachments(w, func(a attachment) bool { return a.Value().DeletionTimestamp == nil }) {
		if a.volume != nil && a.volume.PV != nil {
			add(a.node(), a.volume.PV.Value(), a.Ref, func() []*model.Observation { return reconstruct.CiteAll(*a.Object, "spec.attacher", "spec.nodeName") })
		}
	}
	for _, p := range w.PodsWithClaims() {
		if finished(p) {
			continue
		}
		for _, name := range reconstruct.ClaimsOf(p.Value()) {
			if v := w.Volumes.OfClaim(p.Ref.Namespace, name); v != nil && v.PV != nil {
				add(p.Value().Spec.NodeName, v.PV.Value(), p.Ref, func() []*model.Observation { return citeClaim(p, name) })
			}
		}
	}
	return out
}

// refusedForCount quotes a pod that the scheduler cannot place for that reason; nil without one.
func refusedForCount(w *reconstruct.World) *model.Observation {
	for _, p := range w.PodsWithoutNode() {
		i := unscheduled(p)
		if i >= 0 && strings.Contains(p.Value().Status.Conditions[i].Message, maxVolumeCount) {
			return reconstruct.Cite(p, fmt.Sprintf("status.conditions[%d].message", i))
		}
	}
	return nil
}
