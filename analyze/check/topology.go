package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func lookVolumeNoNode(w *facts.World, s *scene, hit func(Hit)) {
	open := map[string]bool{}
	for _, node := range w.Nodes {
		if r := w.Readiness(node.Ref.Name); !node.Value().Spec.Unschedulable && (!r.Known || r.Ready) {
			open[node.Ref.Name] = true
		}
	}
	for _, g := range grouped(boundVolumes(w), func(pv volume) string { return affinityText(pv.Value()) }) {
		nodes := facts.Picked(w.Nodes, s.nodes.ofVolume(g[0].Value()))
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
		if cond, field := facts.ReadyCondition(n); field != "" && cond.Status != corev1.ConditionTrue {
			h.Shown = append(h.Shown, facts.CiteAll(n, field+"status")...)
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

func lookPodVolumeConflict(w *facts.World, s *scene, hit func(Hit)) {
	for _, p := range w.PodsWithoutNode() {
		condition := unscheduled(p)
		if condition < 0 {
			continue
		}
		if h, ok := conflict(w, s.nodes, p); ok {
			h.Shown = append(h.Shown, facts.CiteAll(p, fmt.Sprintf("status.conditions[%d].message", condition))...)
			hit(h)
		}
	}
}

// unscheduled is the index of the condition by which the scheduler says that it found no node; -1 without one.
func unscheduled(p pod) int {
	if p.Value().Spec.NodeName != "" || p.Value().DeletionTimestamp != nil || facts.Finished(p.Value()) {
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
		p.Ref, words.List(places), nodesText(facts.Picked(w.Nodes, own), len(w.Nodes)))
	return h, true
}

// nodesText names some nodes, or says that they are all.
func nodesText(list []node, all int) string {
	if len(list) == all {
		return "any node"
	}
	return words.List(facts.Each(list, nameOf))
}

func lookClassNoNode(w *facts.World, s *scene, hit func(Hit)) {
	for _, c := range w.Classes {
		if len(c.Value().AllowedTopologies) == 0 || len(s.nodes.ofClass(c.Value())) > 0 {
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

func lookImmediateBinding(w *facts.World, s *scene, hit func(Hit)) {
	placed := map[string][]volume{}
	for _, pv := range boundVolumes(w) {
		name := pv.Value().Spec.StorageClassName
		if name != "" && pv.Value().Spec.NodeAffinity != nil && len(s.nodes.ofVolume(pv.Value())) < len(w.Nodes) {
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

// topology returns which nodes of the bundle a node selector allows, as the scheduler reads it: their indices, ascending. It remembers what it
// found: the volumes of a zone all ask the same, and local volumes each ask for one node. It is not safe for concurrent use.
type topology struct {
	nodes   []node
	all     []int
	byLabel map[[2]string][]int // key and value
	known   map[string][]int
	common  map[[2]*int][]int // by the first elements of two lists that it made
}

func newTopology(nodes []node) *topology {
	t := &topology{nodes, make([]int, len(nodes)), map[[2]string][]int{}, map[string][]int{}, map[[2]*int][]int{}}
	for n, node := range nodes {
		t.all[n] = n
		for k, v := range node.Value().Labels {
			t.byLabel[[2]string{k, v}] = append(t.byLabel[[2]string{k, v}], n)
		}
	}
	return t
}

// allowedBy are the nodes that a selector allows; all of them when it is nil. The result is shared and not to be changed.
func (t *topology) allowedBy(sel *corev1.NodeSelector) []int {
	if sel == nil {
		return t.all
	}
	key, _ := sel.Marshal() // only equal ones are written alike
	known, ok := t.known[string(key)]
	if !ok {
		for _, term := range sel.NodeSelectorTerms {
			known = append(known, facts.Where(t.candidates(term), func(n int) bool { return termAllows(term, t.nodes[n].Value()) })...)
		}
		slices.Sort(known)
		known = slices.Compact(known)
		t.known[string(key)] = known
	}
	return known
}

// ofVolume are the nodes from which a PersistentVolume can be reached.
func (t *topology) ofVolume(pv *corev1.PersistentVolume) []int {
	if pv.Spec.NodeAffinity == nil {
		return t.all
	}
	return t.allowedBy(pv.Spec.NodeAffinity.Required)
}

// ofClass are the nodes for which a StorageClass allows volumes: its terms are alternatives.
func (t *topology) ofClass(class *storagev1.StorageClass) []int {
	if len(class.AllowedTopologies) == 0 {
		return t.all
	}
	sel := &corev1.NodeSelector{}
	for _, term := range class.AllowedTopologies {
		var out corev1.NodeSelectorTerm
		for _, e := range term.MatchLabelExpressions {
			out.MatchExpressions = append(out.MatchExpressions, oneOf(e.Key, e.Values...))
		}
		sel.NodeSelectorTerms = append(sel.NodeSelectorTerms, out)
	}
	return t.allowedBy(sel)
}

func oneOf(key string, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
}

// candidates are the nodes that one expression of a term allows, or all.
func (t *topology) candidates(term corev1.NodeSelectorTerm) (out []int) {
	for _, e := range term.MatchExpressions {
		if e.Operator == corev1.NodeSelectorOpIn {
			for _, v := range e.Values {
				out = append(out, t.byLabel[[2]string{e.Key, v}]...)
			}
			return out
		}
	}
	return t.all
}

// termAllows: all requirements must hold; a term without any allows nothing (component-helpers nodeaffinity, 1.13–1.36).
func termAllows(term corev1.NodeSelectorTerm, node *corev1.Node) bool {
	fails := func(e corev1.NodeSelectorRequirement) bool {
		r, err := labels.NewRequirement(e.Key, operators[e.Operator], e.Values)
		return err != nil || !r.Matches(labels.Set(node.Labels))
	}
	named := func(e corev1.NodeSelectorRequirement) bool { // the API admits In and NotIn of one name
		return e.Key != "metadata.name" || slices.Contains(e.Values, node.Name) != (e.Operator == corev1.NodeSelectorOpIn)
	}
	return len(term.MatchExpressions)+len(term.MatchFields) > 0 && !slices.ContainsFunc(term.MatchExpressions, fails) &&
		!slices.ContainsFunc(term.MatchFields, named)
}

// operators are those of a node selector as package labels has them.
var operators = map[corev1.NodeSelectorOperator]selection.Operator{ // for lookup only
	corev1.NodeSelectorOpIn: selection.In, corev1.NodeSelectorOpNotIn: selection.NotIn, corev1.NodeSelectorOpExists: selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist, corev1.NodeSelectorOpGt: selection.GreaterThan, corev1.NodeSelectorOpLt: selection.LessThan,
}

// ofPod are the nodes that a pod's nodeSelector and required node affinity allow; taints and resources are not looked at.
func (t *topology) ofPod(p *corev1.PodSpec) []int {
	var affinity *corev1.NodeSelector
	if p.Affinity != nil && p.Affinity.NodeAffinity != nil {
		affinity = p.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	if len(p.NodeSelector) == 0 {
		return t.allowedBy(affinity)
	}
	var term corev1.NodeSelectorTerm
	for k, v := range p.NodeSelector {
		term.MatchExpressions = append(term.MatchExpressions, oneOf(k, v))
	}
	slices.SortFunc(term.MatchExpressions, func(a, b corev1.NodeSelectorRequirement) int { return cmp.Compare(a.Key, b.Key) })
	return t.both(t.allowedBy(&corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}), t.allowedBy(affinity))
}

// both are the nodes of one list of the topology that another has too.
func (t *topology) both(a, b []int) []int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 || len(b) == len(t.all) {
		return a
	}
	key := [2]*int{&a[0], &b[0]}
	out, known := t.common[key]
	if !known {
		out = facts.Where(a, func(n int) bool { _, in := slices.BinarySearch(b, n); return in })
		t.common[key] = out
	}
	return out
}
