package check

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// topology returns which nodes of the bundle a node selector allows, as the scheduler reads it. It remembers its answers: the volumes of a
// zone all ask the same, and local volumes each ask for one node. It is not safe for concurrent use.
type topology struct {
	nodes   []model.Object[*corev1.Node]
	byLabel map[string]map[string][]int // key, value: nodes
	known   map[string][]model.Object[*corev1.Node]
	common  map[[2]nodeList][]model.Object[*corev1.Node]
	names   map[nodeList]map[string]bool
}

// nodeList identifies a list that the topology has made: it makes each only once.
type nodeList struct {
	first  *model.Object[*corev1.Node]
	length int
}

func listOf(nodes []model.Object[*corev1.Node]) nodeList { return nodeList{&nodes[0], len(nodes)} }

// newTopology indexes the nodes of a world.
func newTopology(w *facts.World) *topology {
	t := &topology{nodes: w.Nodes, byLabel: map[string]map[string][]int{}, known: map[string][]model.Object[*corev1.Node]{},
		common: map[[2]nodeList][]model.Object[*corev1.Node]{}, names: map[nodeList]map[string]bool{}}
	for n, node := range w.Nodes {
		for k, v := range node.Value().Labels {
			if t.byLabel[k] == nil {
				t.byLabel[k] = map[string][]int{}
			}
			t.byLabel[k][v] = append(t.byLabel[k][v], n)
		}
	}
	return t
}

// allowedBy are the nodes that a selector allows; all of them when it is nil. The result is shared and not to be changed.
func (t *topology) allowedBy(sel *corev1.NodeSelector) []model.Object[*corev1.Node] {
	if sel == nil {
		return t.nodes
	}
	key, _ := sel.Marshal() // only equal ones are written alike
	known, ok := t.known[string(key)]
	if !ok {
		known = facts.Picked(t.nodes, t.allowed(sel))
		t.known[string(key)] = known
	}
	return known
}

// ofVolume are the nodes from which a PersistentVolume can be reached.
func (t *topology) ofVolume(pv *corev1.PersistentVolume) []model.Object[*corev1.Node] {
	if pv.Spec.NodeAffinity == nil {
		return t.nodes
	}
	return t.allowedBy(pv.Spec.NodeAffinity.Required)
}

// ofClass are the nodes for which a StorageClass allows volumes: its terms are alternatives.
func (t *topology) ofClass(class *storagev1.StorageClass) []model.Object[*corev1.Node] {
	if len(class.AllowedTopologies) == 0 {
		return t.nodes
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

// allowed are the indices, ascending.
func (t *topology) allowed(sel *corev1.NodeSelector) []int {
	var out []int
	for _, term := range sel.NodeSelectorTerms {
		for _, n := range t.candidates(term) {
			if termAllows(term, t.nodes[n].Value()) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// candidates are the nodes that one expression of a term allows, or all.
func (t *topology) candidates(term corev1.NodeSelectorTerm) []int {
	for _, e := range term.MatchExpressions {
		if e.Operator == corev1.NodeSelectorOpIn {
			var out []int
			for _, v := range e.Values {
				out = append(out, t.byLabel[e.Key][v]...)
			}
			return out
		}
	}
	out := make([]int, len(t.nodes))
	for n := range out {
		out[n] = n
	}
	return out
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
func (t *topology) ofPod(p *corev1.PodSpec) []model.Object[*corev1.Node] {
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
func (t *topology) both(a, b []model.Object[*corev1.Node]) []model.Object[*corev1.Node] {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if len(a) == len(t.nodes) {
		return b
	}
	if len(b) == len(t.nodes) {
		return a
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	key := [2]nodeList{listOf(a), listOf(b)}
	if known, ok := t.common[key]; ok {
		return known
	}
	in := t.names[key[1]]
	if in == nil {
		in = make(map[string]bool, len(b))
		for _, n := range b {
			in[n.Ref.Name] = true
		}
		t.names[key[1]] = in
	}
	var out []model.Object[*corev1.Node]
	for _, n := range a {
		if in[n.Ref.Name] {
			out = append(out, n)
		}
	}
	t.common[key] = out
	return out
}
