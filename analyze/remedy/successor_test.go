package remedy

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestSuccessor: whether the owner of the old pod makes another when it is deleted, and where that can go.
func TestSuccessor(t *testing.T) {
	attached := cases.Of(model.AttachSucceeded, 70, "node-b", cases.Volume)
	replaced := func(c *wait.Case) string {
		r := successorOf(c)
		return fmt.Sprint(r.Owner.Name, " ", r.Comes, " ", r.Back, " ", r.OnlyTo)
	}
	owned := cases.OfOwner("ReplicaSet", "rs")
	cordon := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	taint := func(effect corev1.TaintEffect) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: effect}} }
	}
	tolerates := func(list ...corev1.Toleration) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Tolerations = list }
	}
	wants := func(labels map[string]string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.NodeSelector = labels }
	}
	labelled := func(value string) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Labels = map[string]string{"disk": value} }
	}
	nodes := model.Listed{Kind: "Node"}

	for _, r := range []struct {
		rule string
		list cases.Things
		want string
	}{
		{"nothing tells of another pod", cases.Things{}, "unknown unknown false"},
		{"nobody owns the old one", cases.Things{cases.PodOf(cases.OldPod, "node-a")}, "false unknown false"},
		{"a Job does", cases.Things{cases.PodOf(cases.OldPod, "node-a", cases.OfOwner("Job", "j")), cases.NodeOf("node-a")}, "j unknown unknown false"},
		{"a ReplicaSet of one", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), replicaSetOf(1), cases.NodeOf("node-a")},
			"rs true true false"},
		{"a ReplicaSet of none", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), replicaSetOf(0), cases.NodeOf("node-a")},
			"rs false true false"},
		{"of none, and the wait is over", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), replicaSetOf(0), attached},
			"rs unknown unknown false"},
		{"that does not say", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), replicaSetOf(-1)}, "rs unknown unknown false"},
		{"a cordoned node", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), cases.NodeOf("node-a", cordon)},
			"rs unknown false false"},
		{"and all others take it", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), nodes, cases.NodeOf("node-a", cordon), cases.NodeOf("node-b"), cases.NodeOf("node-c")},
			"rs unknown false false"},
		{"and only the wanted one takes it", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), nodes, cases.NodeOf("node-a", cordon), cases.NodeOf("node-b"),
			cases.NodeOf("node-c", cordon)}, "rs unknown false true"},
		{"and not even that takes it", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), nodes, cases.NodeOf("node-a", cordon), cases.NodeOf("node-b", cordon)},
			"rs unknown false false"},
		{"without a list of the Nodes", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), cases.NodeOf("node-a", cordon), cases.NodeOf("node-b"),
			cases.NodeOf("node-c", cordon)}, "rs unknown false false"},
		{"with an affinity", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned,
			func(p *corev1.Pod) { p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}} }), nodes, cases.NodeOf("node-a", cordon),
			cases.NodeOf("node-b")}, "rs unknown false false"},
		{"with an affinity to pods", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, func(p *corev1.Pod) { p.Spec.Affinity = &corev1.Affinity{} }), nodes,
			cases.NodeOf("node-a", cordon), cases.NodeOf("node-b")}, "rs unknown false true"},
		{"a taint", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), cases.NodeOf("node-a", taint("NoSchedule"))},
			"rs unknown false false"},
		{"a taint that only prefers", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned), cases.NodeOf("node-a", taint("PreferNoSchedule"))},
			"rs unknown true false"},
		{"a taint that it tolerates", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Key: "k", Value: "v"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown true false"},
		{"of another value", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Key: "k", Value: "x"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown false false"},
		{"of any value", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Key: "k", Operator: "Exists"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown true false"},
		{"of any key", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Operator: "Exists"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown true false"},
		{"of another key", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Key: "x", Operator: "Exists"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown false false"},
		{"of another effect", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned,
			tolerates(corev1.Toleration{Key: "k", Operator: "Exists", Effect: "NoExecute"})), cases.NodeOf("node-a", taint("NoSchedule"))},
			"rs unknown false false"},
		{"of its effect", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, tolerates(corev1.Toleration{Key: "k", Operator: "Exists", Effect: "NoSchedule"})),
			cases.NodeOf("node-a", taint("NoSchedule"))}, "rs unknown true false"},
		{"a label that it asks for", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, wants(map[string]string{"disk": "ssd"})),
			cases.NodeOf("node-a", labelled("ssd"))}, "rs unknown true false"},
		{"a label of another value", cases.Things{cases.PodOf(cases.OldPod, "node-a", owned, wants(map[string]string{"disk": "ssd"})),
			cases.NodeOf("node-a", labelled("hdd"))}, "rs unknown false false"},
	} {
		report := cases.Of(model.MultiAttach, 0, "node-b", cases.NewPod, cases.Volume, cases.Variant(model.UsedByPods))
		report.Holders, report.Pods = []string{"node-a"}, []model.Ref{cases.OldPod}
		if got := strings.TrimSpace(replaced(cases.Waits(cases.World(append(r.list, report)...))[0])); got != r.want {
			t.Errorf("%s: %s", r.rule, got)
		}
	}
}

// replicaSetOf is the ReplicaSet rs; below zero it does not say of how many.
func replicaSetOf(n int32) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "rs"}}
	if n >= 0 {
		rs.Spec.Replicas = &n
	}
	return rs
}
