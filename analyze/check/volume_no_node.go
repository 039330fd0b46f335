package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var volumeNoNode = Check{
	ID: "volume-no-node", Severity: "warning",
	Title:  "A volume can be reached from no node that could take its pod",
	Remedy: "Bring a node back where the volume is; a volume of one zone cannot be moved to another, only copied.",
	Doc: Doc{
		Means: `A PersistentVolume of one zone, or of one node, says so in its node affinity. When no node has these labels, or when all that have them are
not Ready or cordoned, a pod that uses the volume stays Pending.`,
		DecidedBy: "A bound PersistentVolume with a required node affinity, against the labels, the Ready condition and spec.unschedulable of the Nodes in the list.",
		LeftAlone: "Volumes that are not bound or are being deleted. Taints, resources and the pods' own wishes: see pod-volume-conflict.",
		References: []string{
			"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#node-affinity",
			"kubernetes pkg/scheduler/framework/plugins/volumebinding and volumezone, 1.13–1.36",
		},
	},
	Needs: []Need{needVolumes, needNodeList},
	Look:  lookVolumeNoNode,
}

func lookVolumeNoNode(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	topology := reconstruct.NewTopology(w)
	open := map[string]bool{}
	for _, node := range w.Nodes {
		if r := w.Readiness(node.Ref.Name); !node.Value().Spec.Unschedulable && (!r.Known || r.Ready) {
			open[node.Ref.Name] = true
		}
	}
	groups := grouped(boundVolumes(w), func(pv volume) string { return affinityText(pv.Value()) })
	var out []Hit
	for _, g := range groups {
		if g[0].Value().Spec.NodeAffinity == nil {
			continue
		}
		nodes := topology.OfVolume(g[0].Value())
		if slices.ContainsFunc(nodes, func(n node) bool { return open[n.Ref.Name] }) {
			continue
		}
		out = append(out, unreachable(g, nodes))
	}
	return out
}

// node is a copy of a Node.
type node = model.Object[*corev1.Node]

// unreachable is the finding for volumes that ask for the same nodes.
func unreachable(g []volume, nodes []node) Hit {
	names := namesOfVolumes(g)
	h := Hit{Text: fmt.Sprintf("%s can be used on nodes with %s only, and no node of the bundle has that.", volumesText(names), affinityText(g[0].Value()))}
	if len(nodes) > 0 {
		h.Text = fmt.Sprintf("%s can be used on nodes with %s only, and %s.", volumesText(names), affinityText(g[0].Value()), closed(nodes))
		h.Remedy = fmt.Sprintf("Bring one of these nodes back (%s), or uncordon it: kubectl uncordon %s", words.List(nodeNames(nodes)), word(nodes[0].Ref.Name))
	}
	for _, pv := range g {
		h.Objects = append(h.Objects, pv.Ref)
	}
	for _, pv := range first(g) {
		h.Shown = append(h.Shown, reconstruct.CiteAll(pv, "spec.nodeAffinity")...)
		h.Shown = append(h.Shown, affinityEvidence(pv)...)
	}
	for _, n := range first(nodes) {
		h.Objects = append(h.Objects, n.Ref)
		h.Shown = append(h.Shown, reconstruct.CiteAll(n, "spec.unschedulable")...)
		for i, c := range n.Value().Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
				h.Shown = append(h.Shown, reconstruct.CiteAll(n, fmt.Sprintf("status.conditions[%d].status", i))...)
			}
		}
	}
	return h
}

// closed says of nodes why none takes a pod.
func closed(nodes []node) string {
	var parts []string
	for _, n := range nodes {
		why := "is not Ready"
		if n.Value().Spec.Unschedulable {
			why = "is cordoned"
		}
		parts = append(parts, n.Ref.Name+" "+why)
	}
	return "of these " + words.List(parts)
}

func boundVolumes(w *reconstruct.World) []volume {
	var out []volume
	for _, pv := range w.PVs {
		if pv.Value().Status.Phase == corev1.VolumeBound && pv.Value().DeletionTimestamp == nil {
			out = append(out, pv)
		}
	}
	return out
}

func namesOfVolumes(list []volume) []string {
	var out []string
	for _, pv := range list {
		out = append(out, pv.Ref.Name)
	}
	return out
}

func volumesText(names []string) string {
	if len(names) == 1 {
		return "Volume " + names[0]
	}
	return fmt.Sprintf("%d volumes (%s)", len(names), words.List(names))
}

// affinityText writes a volume's required nodes as kubectl describe does: key in [values], terms joined with or.
func affinityText(pv *corev1.PersistentVolume) string {
	if pv.Spec.NodeAffinity == nil || pv.Spec.NodeAffinity.Required == nil {
		return ""
	}
	return selectorText(pv.Spec.NodeAffinity.Required)
}

func selectorText(s *corev1.NodeSelector) string {
	var terms []string
	for _, t := range s.NodeSelectorTerms {
		var parts []string
		for _, e := range slices.Concat(t.MatchExpressions, t.MatchFields) {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Key, strings.ToLower(string(e.Operator)), valuesText(e.Values))))
		}
		terms = append(terms, strings.Join(parts, " and "))
	}
	return shorten(strings.Join(terms, " or "))
}

func valuesText(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return "[" + words.List(values) + "]"
}

// affinityEvidence quotes the first value of each requirement.
func affinityEvidence(pv volume) []*model.Observation {
	var out []*model.Observation
	if pv.Value().Spec.NodeAffinity == nil || pv.Value().Spec.NodeAffinity.Required == nil {
		return nil
	}
	for t, term := range first(pv.Value().Spec.NodeAffinity.Required.NodeSelectorTerms) {
		for e := range first(term.MatchExpressions) {
			field := fmt.Sprintf("spec.nodeAffinity.required.nodeSelectorTerms[%d].matchExpressions[%d].", t, e)
			out = append(out, reconstruct.CiteAll(pv, field+"key", field+"values[0]")...)
		}
	}
	return out
}
