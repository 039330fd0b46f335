package analyze

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// twoClusters is a snapshot in which a node name occurs in two clusters.
func twoClusters(first, second string) *model.Snapshot {
	node := func(input string) model.Object[*corev1.Node] {
		return model.Object[*corev1.Node]{Ref: model.Ref{Kind: "Node", Name: "worker-1"},
			Content: model.Whole(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-1"}}), Input: input}
	}
	var clusters []string
	if first != "" && second != "" && first != second {
		clusters = []string{first, second}
	}
	return &model.Snapshot{
		Clusters: clusters,
		Nodes:    []model.Object[*corev1.Node]{node("a/nodes.yaml"), node("b/nodes.yaml")},
		Inputs:   []model.Input{{Path: "a/nodes.yaml", Cluster: first}, {Path: "b/nodes.yaml", Cluster: second}, {Path: "kcm.log"}},
		Observations: []model.Observation{{Kind: model.NodeReady, Node: "worker-1", Input: "a/nodes.yaml"},
			{Kind: model.NodeNotReady, Node: "worker-1", Input: "b/nodes.yaml"}},
		Problems: []model.Problem{{Severity: model.Info, Path: "kcm.log", Message: "x"}},
	}
}

func TestSplit(t *testing.T) {
	parts := split(twoClusters("c1", "c2"))
	if len(parts) != 3 || parts[0].cluster != "c1" || parts[1].cluster != "c2" || parts[2].cluster != "" {
		t.Fatalf("parts: %+v", parts)
	}
	for i, want := range []model.Kind{model.NodeReady, model.NodeNotReady} {
		s := parts[i].snapshot
		if len(s.Nodes) != 1 || len(s.Observations) != 1 || s.Observations[0].Kind != want || len(s.Inputs) != 1 {
			t.Errorf("part %d: %d nodes, observations %v, %d inputs", i, len(s.Nodes), s.Observations, len(s.Inputs))
		}
	}
	for _, same := range []*model.Snapshot{twoClusters("c1", "c1"), twoClusters("", ""), twoClusters("c1", "")} {
		if got := split(same); len(got) != 1 || got[0].snapshot != same {
			t.Errorf("a bundle of one cluster is split into %d parts", len(got))
		}
	}
}

func TestClustersAreJoined(t *testing.T) {
	s := twoClusters("c1", "c2")
	s.Inputs = append(s.Inputs, model.Input{Path: "metrics.txt", Bytes: 100, Clusters: []string{"c1", "c2"}})
	r := Run(t.Context(), s, Options{})
	if len(r.Bundle.Problems) != 1 || r.Verdict.Status != model.StatusInsufficient {
		t.Errorf("problems %v, verdict %v", r.Bundle.Problems, r.Verdict)
	}
	var inputs []string // each file once, also one that tells of both
	for _, in := range r.Bundle.Inputs {
		inputs = append(inputs, in.Path+" "+strings.Join(append(in.Clusters, in.Cluster), "+"))
	}
	if got, want := strings.Join(inputs, ", "), "a/nodes.yaml c1, b/nodes.yaml c2, kcm.log , metrics.txt c1+c2+"; got != want {
		t.Errorf("inputs of the joined report: %s, want %s", got, want)
	}
}

// TestJoinOfReports: the whole was collected when the last of its clusters was, and its verdict is that of the one that is still blocked.
func TestJoinOfReports(t *testing.T) {
	at := func(minute int) *model.Moment {
		return new(model.Exactly(time.Date(2026, 3, 14, 9, minute, 0, 0, time.UTC)))
	}
	report := func(captured *model.Moment, version string, open bool) *model.Report {
		return &model.Report{
			Bundle:    model.Bundle{CapturedAt: captured, KubernetesVersion: version},
			Verdict:   model.ReportVerdict{Status: model.StatusIncident, Incident: "i-1", Headline: "It waits."},
			Incidents: []model.Incident{{ID: "i-1", Span: model.Span{Open: open}}},
		}
	}
	parts := []part{{cluster: "a"}, {cluster: "b"}, {cluster: "c"}}
	got := join(&model.Snapshot{Clusters: []string{"a", "b", "c"}}, parts,
		[]*model.Report{report(at(1), "v1.30.1", false), report(at(3), "v1.31.0", true), report(at(2), "v1.30.1", true)})
	if b := got.Bundle; !b.CapturedAt.At.Equal(at(3).At) || b.KubernetesVersion != "v1.30.1, v1.31.0" {
		t.Errorf("collected at %v of versions %s", b.CapturedAt, b.KubernetesVersion)
	}
	if want := "It waits (cluster b, 1 of 3)."; got.Verdict.Headline != want {
		t.Errorf("headline %q, want %q", got.Verdict.Headline, want)
	}
	short, long := report(at(1), "v1.30.1", true), report(at(1), "v1.30.1", true)
	long.Incidents[0].Span.Seconds.Best = 600
	if got := join(&model.Snapshot{}, parts[:2], []*model.Report{short, long}).Verdict.Headline; got != "It waits (cluster b, 1 of 2)." {
		t.Errorf("of two that are blocked the headline is about the shorter: %s", got)
	}
}

// TestMountFault: what a mount said is its reason, without the frame of gRPC, and whole where it is short.
func TestMountFault(t *testing.T) {
	for said, want := range map[string]string{
		"": "", "rpc error: code = Internal desc = mount failed: exit status 32": "The mount says: mount failed: exit status 32",
		"Mounting command: mount\nOutput: mount: /dev/x is busy": "The mount says: /dev/x is busy",
		strings.Repeat("so ", 5) + strings.Repeat("it ", 12):     "The mount says: … " + strings.TrimSpace(strings.Repeat("it ", 12)),
	} {
		if got := mountFault(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
