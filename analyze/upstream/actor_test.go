package upstream

import (
	"testing"

	"github.com/volpost/volpost/model"
)

func TestActorOf(t *testing.T) {
	const account = "system:serviceaccount:"
	for _, c := range []struct {
		user, agent, name string
		person            model.Truth
	}{
		{"kubernetes-admin", "kubectl/v1.34.3", "a person with kubectl (user kubernetes-admin)", model.True},
		{"system:admin", "oc/4.14.0", "a person with oc (user system:admin)", model.True},
		{"alice", "Mozilla/5.0", "a person with a browser (user alice)", model.True},
		{"alice (through system:serviceaccount:cattle-system:rancher)", "kubectl/v1.30.0",
			"a person with kubectl (user alice) through system:serviceaccount:cattle-system:rancher", model.True},
		{"jenkins", "kubectl/v1.30.0", "user jenkins with kubectl", model.Unknown},
		{"alice", "Go-http-client/2.0", "user alice with Go-http-client", model.Unknown},
		{"alice", "", "user alice", model.Unknown},
		{account + "kube-system:pod-garbage-collector", "kube-controller-manager/v1.34.3", "pod GC", model.False},
		{account + "other:pod-garbage-collector", "x/v1", "a program under the service account other:pod-garbage-collector", model.False},
		{account + "kube-system:attachdetach-controller", "kube-controller-manager/v1.34.3", "the attach/detach controller", model.False},
		{account + "openshift-cluster-csi-drivers:csi-controller-sa", "csi-attacher-4.12.0/v0.0.0", "the external-attacher", model.False},
		{account + "longhorn-system:longhorn-service-account", "longhorn-manager/v1.6.2", "Longhorn", model.False},
		{account + "karpenter:karpenter", "karpenter.sh/v1.0.0", "Karpenter", model.False},
		{account + "medik8s:self-node-remediation-controller-manager", "manager/v0.0.0", "self node remediation (medik8s)", model.False},
		{account + "ops:toolbox", "kubectl/v1.30.0", "kubectl under the service account ops:toolbox", model.Unknown},
		{account + "ops:toolbox", "reaper/v1.0", foreign + "ops:toolbox", model.False},
		{account + "ops:toolbox", "", "the service account ops:toolbox", model.Unknown},
		{account + "kube-system:cloud-node-lifecycle-controller", "aws-cloud-controller-manager/v1.28", "the cloud controller manager",
			model.False},
		{"system:node:worker-1", "kubelet/v1.34.3", "the kubelet of worker-1", model.False},
		{"system:kube-scheduler", "kube-scheduler/v1.34.3", "the scheduler", model.False},
		{"system:masters-proxy", "kubectl/v1.30.0", "system:masters-proxy", model.Unknown},
		{"eks:node-manager", "x/1", "eks:node-manager", model.Unknown},
		{"", "kubectl-taint", "an unknown user (kubectl)", model.Unknown},
		{"", "kube-controller-manager", "kube-controller-manager", model.False},
		{"", "csi-attacher-4.12.0", "the external-attacher", model.False},
		{"", "manager", "manager", model.Unknown},
		{"", "octopus", "octopus", model.Unknown},
		{"", "", "", model.Unknown},
	} {
		if got := ActorOf(c.user, c.agent); got.Name != c.name || got.Person != c.person {
			t.Errorf("ActorOf(%q, %q) = %+v, want %q, %s", c.user, c.agent, got, c.name, c.person)
		}
	}
}
