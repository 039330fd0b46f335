package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func lookVolumeNoNode(w *facts.World, cases []*wait.Case, hit func(Hit)) {
	reach := newTopology(w)
	open := map[string]bool{}
	for _, node := range w.Nodes {
		if r := w.Readiness(node.Ref.Name); !node.Value().Spec.Unschedulable && (!r.Known || r.Ready) {
			open[node.Ref.Name] = true
		}
	}
	for _, g := range grouped(boundVolumes(w), func(pv volume) string { return affinityText(pv.Value()) }) {
		nodes := reach.ofVolume(g[0].Value())
		if g[0].Value().Spec.NodeAffinity != nil && !slices.ContainsFunc(nodes, func(n node) bool { return open[n.Ref.Name] }) {
			hit(unreachable(g, nodes))
		}
	}
}

// unreachable is the finding for volumes that ask for the same nodes.
func unreachable(g []volume, nodes []node) Hit {
	why := "no node of the bundle has that"
	h := Hit{Objects: facts.Each(g, refOf), Shown: quoted(g, func(pv volume) []*model.Observation {
		return append(facts.CiteAll(pv, "spec.nodeAffinity"), affinityEvidence(pv)...)
	})}
	if len(nodes) > 0 {
		why = closed(nodes)
		h.Remedy = fmt.Sprintf("Bring one of these nodes back (%s), or uncordon it: kubectl uncordon %s",
			words.List(facts.Each(nodes, nameOf)), word(nodes[0].Ref.Name))
	}
	h.Text = fmt.Sprintf("%s can be used on nodes with %s only, and %s.", volumesText(facts.Each(g, nameOf)), affinityText(g[0].Value()), why)
	for _, n := range first(nodes) {
		h.Objects = append(h.Objects, n.Ref)
		h.Shown = append(h.Shown, facts.CiteAll(n, "spec.unschedulable")...)
		for i, c := range n.Value().Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
				h.Shown = append(h.Shown, facts.CiteAll(n, fmt.Sprintf("status.conditions[%d].status", i))...)
			}
		}
	}
	return h
}

// closed says of nodes why none takes a pod.
func closed(nodes []node) string {
	return "of these " + words.List(facts.Each(nodes, func(n node) string {
		if n.Value().Spec.Unschedulable {
			return n.Ref.Name + " is cordoned"
		}
		return n.Ref.Name + " is not Ready"
	}))
}

func boundVolumes(w *facts.World) []volume {
	return facts.Where(w.PVs, func(pv volume) bool {
		return pv.Value().Status.Phase == corev1.VolumeBound && pv.Value().DeletionTimestamp == nil
	})
}

// affinityText writes a volume's required nodes as kubectl describe does: key in [values], terms joined with or.
func affinityText(pv *corev1.PersistentVolume) string {
	terms := facts.Each(affinityTerms(pv), func(t corev1.NodeSelectorTerm) string {
		return strings.Join(facts.Each(slices.Concat(t.MatchExpressions, t.MatchFields), func(e corev1.NodeSelectorRequirement) string {
			return strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Key, strings.ToLower(string(e.Operator)), valuesText(e.Values)))
		}), " and ")
	})
	return shorten(strings.Join(terms, " or "))
}

func affinityTerms(pv *corev1.PersistentVolume) []corev1.NodeSelectorTerm {
	if pv.Spec.NodeAffinity == nil || pv.Spec.NodeAffinity.Required == nil {
		return nil
	}
	return pv.Spec.NodeAffinity.Required.NodeSelectorTerms
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
	for t, term := range first(affinityTerms(pv.Value())) {
		for e := range first(term.MatchExpressions) {
			field := fmt.Sprintf("spec.nodeAffinity.required.nodeSelectorTerms[%d].matchExpressions[%d].", t, e)
			out = append(out, facts.CiteAll(pv, field+"key", field+"values[0]")...)
		}
	}
	return out
}

func lookPodVolumeConflict(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	reach := newTopology(w)
	for _, p := range w.PodsWithoutNode() {
		condition := unscheduled(p)
		if condition < 0 {
			continue
		}
		if h, ok := conflict(w, reach, p); ok {
			h.Shown = append(h.Shown, facts.CiteAll(p, fmt.Sprintf("status.conditions[%d].message", condition))...)
			hit(h)
		}
	}
}

// unscheduled is the index of the condition by which the scheduler says that it found no node; -1 without one.
func unscheduled(p pod) int {
	if p.Value().Spec.NodeName != "" || p.Value().DeletionTimestamp != nil || finished(p) {
		return -1
	}
	return slices.IndexFunc(p.Value().Status.Conditions, notScheduled)
}

func notScheduled(c corev1.PodCondition) bool {
	return c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse
}

// conflict looks for a node that the pod and all of its volumes allow.
func conflict(w *facts.World, t *topology, p pod) (Hit, bool) {
	own := t.ofPod(&p.Value().Spec)
	left := own
	h := Hit{Objects: []model.Ref{p.Ref}}
	var places []string
	for _, name := range facts.ClaimsOf(p.Value()) {
		_, pv, ok := claimed(w, p.Ref.Namespace, name)
		if !ok || pv.Value().Spec.NodeAffinity == nil {
			continue
		}
		reach := t.ofVolume(pv.Value())
		if len(reach) == 0 {
			return Hit{}, false
		}
		left = t.both(left, reach)
		h.Objects = append(h.Objects, pv.Ref)
		h.Shown = append(h.Shown, affinityEvidence(pv)...)
		places = append(places, fmt.Sprintf("%s is on nodes with %s", pv.Ref.Name, affinityText(pv.Value())))
	}
	if len(left) > 0 || len(own) == 0 || len(places) == 0 {
		return Hit{}, false
	}
	h.Text = fmt.Sprintf("Pod %s is not scheduled, and no node can take it: %s; by its own selector and affinity it may run on %s.",
		p.Ref, words.List(places), nodesText(own, len(w.Nodes)))
	return h, true
}

// nodesText names some nodes, or says that they are all.
func nodesText(list []node, all int) string {
	if len(list) == all {
		return "any node"
	}
	return words.List(facts.Each(list, nameOf))
}

func lookClassNoNode(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	reach := newTopology(w)
	for _, c := range w.Classes {
		if len(c.Value().AllowedTopologies) == 0 || len(reach.ofClass(c.Value())) > 0 {
			continue
		}
		h := Hit{Objects: []model.Ref{c.Ref}}
		var terms []string
		for t, term := range c.Value().AllowedTopologies {
			for e, x := range term.MatchLabelExpressions {
				terms = append(terms, x.Key+" in "+valuesText(x.Values))
				if t < maxShown && e < maxShown {
					field := fmt.Sprintf("allowedTopologies[%d].matchLabelExpressions[%d].", t, e)
					h.Shown = append(h.Shown, facts.CiteAll(c, field+"key", field+"values[0]")...)
				}
			}
		}
		h.Text = fmt.Sprintf("StorageClass %s allows volumes only where nodes have %s; none of the %s has that.",
			c.Ref.Name, words.List(terms), words.Count(len(w.Nodes), "node"))
		hit(h)
	}
}

func lookImmediateBinding(w *facts.World, _ []*wait.Case, hit func(Hit)) {
	reach := newTopology(w)
	placed := map[string][]volume{}
	for _, pv := range boundVolumes(w) {
		name := pv.Value().Spec.StorageClassName
		if name != "" && pv.Value().Spec.NodeAffinity != nil && len(reach.ofVolume(pv.Value())) < len(w.Nodes) {
			placed[name] = append(placed[name], pv)
		}
	}
	for _, c := range w.Classes {
		mode := c.Value().VolumeBindingMode
		if list := placed[c.Ref.Name]; len(list) > 0 && (mode == nil || *mode == storagev1.VolumeBindingImmediate) {
			hit(Hit{
				Objects: []model.Ref{c.Ref, list[0].Ref},
				Shown:   append(facts.CiteAll(c, "volumeBindingMode", "provisioner"), affinityEvidence(list[0])...),
				Text: fmt.Sprintf("StorageClass %s creates volumes at once, and %s of it can be reached from some nodes only (%s: nodes with %s).",
					c.Ref.Name, words.Count(len(list), "volume"), list[0].Ref.Name, affinityText(list[0].Value())),
			})
		}
	}
}
