package upstream

import "testing"

func TestRemovers(t *testing.T) {
	for user, want := range map[string]Remover{
		"system:serviceaccount:kube-system:karpenter":                       Karpenter,
		"system:serviceaccount:kube-system:cluster-autoscaler":              ClusterAutoscaler,
		"system:serviceaccount:kube-system:cloud-node-lifecycle-controller": "",
		"system:serviceaccount:karpenter":                                   "",
	} {
		if got, _ := RemovalActor(user, ""); got != want {
			t.Errorf("RemovalActor(%q) = %q, want %q", user, got, want)
		}
	}
	if _, ok := RemovalEvent("Disrupted", "some-operator"); ok {
		t.Error("any operator's Disrupted counts as Karpenter's")
	}
	for _, reason := range []string{"DisruptionBlocked", "ScaleDownFailed", "SpotRebalanceRecommendation", "NodeNotReady"} {
		if who, ok := RemovalEvent(reason, ""); ok {
			t.Errorf("%s announces a removal by %s", reason, who)
		}
	}
	if _, ok := RemovalTaint("DeletionCandidateOfClusterAutoscaler"); ok {
		t.Error("a candidate counts as being removed")
	}
}
