package check

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// zones are four nodes: two in zone a, one in zone b, one without labels.
func zones() *topology {
	of := func(name string, labels map[string]string) model.Object[*corev1.Node] {
		return model.Object[*corev1.Node]{Ref: model.Ref{Kind: "Node", Name: name},
			Content: model.Whole(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})}
	}
	return newTopology([]node{
		of("a1", map[string]string{"zone": "a", "disk": "1", "gen": "5"}), of("a2", map[string]string{"zone": "a", "disk": "2"}),
		of("b1", map[string]string{"zone": "b", "gen": "7"}), of("x", nil),
	})
}

func expression(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func term(list ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: list}
}

// TestNodeSelectors: a node selector is read as the scheduler reads it: terms are alternatives, the requirements of one hold together.
func TestNodeSelectors(t *testing.T) {
	const in, not, gt, lt = corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt
	const exists, absent = corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist
	field := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{expression(key, op, values...)}}
	}
	for _, tt := range []struct {
		rule  string
		terms []corev1.NodeSelectorTerm
		want  string
	}{
		{"a label of one value", []corev1.NodeSelectorTerm{term(expression("zone", in, "a"))}, "a1 a2"},
		{"of two", []corev1.NodeSelectorTerm{term(expression("zone", in, "b", "a"))}, "a1 a2 b1"},
		{"of none that a node has", []corev1.NodeSelectorTerm{term(expression("zone", in, "c"))}, ""},
		{"two requirements", []corev1.NodeSelectorTerm{term(expression("zone", in, "a"), expression("disk", in, "2"))}, "a2"},
		{"the first is no value", []corev1.NodeSelectorTerm{term(expression("disk", exists), expression("zone", in, "a", "b"))}, "a1 a2"},
		{"two terms", []corev1.NodeSelectorTerm{term(expression("zone", in, "b")), term(expression("disk", in, "1"))}, "a1 b1"},
		{"two terms that allow one node", []corev1.NodeSelectorTerm{term(expression("zone", in, "a")), term(expression("disk", in, "1"))},
			"a1 a2"},
		{"a term without a requirement allows none", []corev1.NodeSelectorTerm{{}}, ""},
		{"no term allows none", nil, ""},
		{"not in", []corev1.NodeSelectorTerm{term(expression("zone", not, "a"))}, "b1 x"},
		{"exists", []corev1.NodeSelectorTerm{term(expression("disk", exists))}, "a1 a2"},
		{"does not exist", []corev1.NodeSelectorTerm{term(expression("disk", absent))}, "b1 x"},
		{"above", []corev1.NodeSelectorTerm{term(expression("gen", gt, "5"))}, "b1"},
		{"below", []corev1.NodeSelectorTerm{term(expression("gen", lt, "7"))}, "a1"},
		{"above a number between", []corev1.NodeSelectorTerm{term(expression("gen", gt, "6"))}, "b1"},
		{"below a number between", []corev1.NodeSelectorTerm{term(expression("gen", lt, "6"))}, "a1"},
		{"an empty value is no missing label", []corev1.NodeSelectorTerm{term(expression("zone", in, "a"), expression("gen", in, ""))}, ""},
		{"a missing label has no value", []corev1.NodeSelectorTerm{term(expression("gen", not, ""))}, "a1 a2 b1 x"},
		{"above no number", []corev1.NodeSelectorTerm{term(expression("gen", gt, "x"))}, ""},
		{"a label that is no number", []corev1.NodeSelectorTerm{term(expression("zone", gt, "-1"))}, ""},
		{"a label that is no number, below", []corev1.NodeSelectorTerm{term(expression("zone", lt, "1"))}, ""},
		{"below no number", []corev1.NodeSelectorTerm{term(expression("gen", gt, "-"))}, ""},
		{"above two numbers", []corev1.NodeSelectorTerm{term(expression("gen", gt, "1", "2"))}, ""},
		{"above none", []corev1.NodeSelectorTerm{term(expression("gen", gt))}, ""},
		{"a label that a node has not is not below", []corev1.NodeSelectorTerm{term(expression("nothing", lt, "1"))}, ""},
		{"an operator that is not known", []corev1.NodeSelectorTerm{term(expression("zone", "Like", "a"))}, ""},
		{"by name", []corev1.NodeSelectorTerm{field("metadata.name", in, "x", "a1")}, "a1 x"},
		{"not by name", []corev1.NodeSelectorTerm{field("metadata.name", not, "x", "a1")}, "a2 b1"},
		{"by another field", []corev1.NodeSelectorTerm{field("metadata.uid", not, "x")}, ""},
		{"a label and a name", []corev1.NodeSelectorTerm{{MatchExpressions: term(expression("zone", in, "a")).MatchExpressions,
			MatchFields: field("metadata.name", in, "a2", "b1").MatchFields}}, "a2"},
	} {
		reach := zones()
		for range 2 { // the second answer is remembered
			if got := reach.names(reach.allowedBy(&corev1.NodeSelector{NodeSelectorTerms: tt.terms})); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
			}
		}
	}
}

// TestSelectorsApart: a Topology that remembers its answers does not take one selector for another that is written alike.
func TestSelectorsApart(t *testing.T) {
	const in, not = corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn
	reach := zones()
	name := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{expression("metadata.name", in, "a1")}}
	for _, tt := range []struct {
		sel  []corev1.NodeSelectorTerm
		want string
	}{
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "a"))}, "a1 a2"},
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "b"))}, "b1"},
		{[]corev1.NodeSelectorTerm{term(expression("zone", not, "b"))}, "a1 a2 x"},
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "a", "b"))}, "a1 a2 b1"},
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "ab"))}, ""},
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "a"), expression("disk", in, "1"))}, "a1"},
		{[]corev1.NodeSelectorTerm{term(expression("zone", in, "a")), term(expression("disk", in, "1"))}, "a1 a2"},
		{[]corev1.NodeSelectorTerm{name}, "a1"},
		{[]corev1.NodeSelectorTerm{term(expression("metadata.name", in, "a1"))}, ""},
	} {
		if got := reach.names(reach.allowedBy(&corev1.NodeSelector{NodeSelectorTerms: tt.sel})); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.sel, got, tt.want)
		}
	}
}

// TestNodesOf: which nodes a volume, a class and a pod allow.
func TestNodesOf(t *testing.T) {
	const in = corev1.NodeSelectorOpIn
	reach, every := zones(), "a1 a2 b1 x"
	selector := func(list ...corev1.NodeSelectorRequirement) *corev1.NodeSelector {
		return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term(list...)}}
	}
	affinity := func(s *corev1.NodeSelector) *corev1.Affinity {
		return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: s}}
	}
	volumeIn := func(a *corev1.VolumeNodeAffinity) string {
		return reach.names(reach.ofVolume(&corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{NodeAffinity: a}}))
	}
	class := func(terms ...corev1.TopologySelectorTerm) string {
		return reach.names(reach.ofClass(&storagev1.StorageClass{AllowedTopologies: terms}))
	}
	zone := func(values ...string) corev1.TopologySelectorTerm {
		return corev1.TopologySelectorTerm{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: "zone", Values: values}}}
	}
	both := zone("a")
	both.MatchLabelExpressions = append(both.MatchLabelExpressions, corev1.TopologySelectorLabelRequirement{Key: "disk",
		Values: []string{"2"}})
	pod := func(labels map[string]string, a *corev1.Affinity) string {
		return reach.names(reach.ofPod(&corev1.PodSpec{NodeSelector: labels, Affinity: a}))
	}
	for _, tt := range []struct{ rule, got, want string }{
		{"a selector that is not there allows all", reach.names(reach.allowedBy(nil)), every},
		{"a volume without affinity", volumeIn(nil), every},
		{"a volume without required affinity", volumeIn(&corev1.VolumeNodeAffinity{}), every},
		{"a volume of a zone", volumeIn(&corev1.VolumeNodeAffinity{Required: selector(expression("zone", in, "b"))}), "b1"},
		{"a class without topologies", class(), every},
		{"a class of a zone", class(zone("b")), "b1"},
		{"a class of two zones", class(zone("a"), zone("b")), "a1 a2 b1"},
		{"a class of a zone and a disk", class(both), "a2"},
		{"a pod that asks for nothing", pod(nil, nil), every},
		{"a pod with affinity to pods", pod(nil, &corev1.Affinity{}), every},
		{"a pod that prefers", pod(nil, affinity(nil)), every},
		{"a pod with labels", pod(map[string]string{"zone": "a", "disk": "1"}, nil), "a1"},
		{"a pod with affinity", pod(nil, affinity(selector(expression("zone", in, "a")))), "a1 a2"},
		{"a pod with both", pod(map[string]string{"zone": "a"}, affinity(selector(expression("gen", in, "5", "7")))), "a1"},
		{"a pod whose two exclude each other", pod(map[string]string{"zone": "b"}, affinity(selector(expression("disk", in, "1", "2")))), ""},
		{"a pod whose labels no node has", pod(map[string]string{"zone": "c"}, affinity(selector(expression("disk", in, "1")))), ""},
		{"a pod whose affinity no node meets", pod(map[string]string{"zone": "a"}, affinity(selector(expression("disk", in, "3")))), ""},
		{"many and few", reach.names(reach.both(reach.allowedBy(selector(expression("zone", in, "a", "b"))),
			reach.allowedBy(selector(expression("zone", in, "b"))))), "b1"},
		{"few and many", reach.names(reach.both(reach.allowedBy(selector(expression("disk", in, "2"))),
			reach.allowedBy(selector(expression("zone", in, "a", "b"))))), "a2"},
		{"the same asked again", reach.names(reach.both(reach.allowedBy(selector(expression("disk", in, "2"))),
			reach.allowedBy(selector(expression("zone", in, "a", "b"))))), "a2"},
		{"the many with others", reach.names(reach.both(reach.allowedBy(selector(expression("disk", in, "1"))),
			reach.allowedBy(selector(expression("zone", in, "a", "b"))))), "a1"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, tt.got, tt.want)
		}
	}
}

// names are those of nodes.
func (t *topology) names(list []int) string {
	return strings.Join(facts.Each(facts.Picked(t.nodes, list), nameOf), " ")
}
