package ingest

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// provider is who runs the control plane, where its logs are not in the cluster.
type provider string

const (
	eks provider = "EKS"
	gke provider = "GKE"
	aks provider = "AKS"
	k3s provider = "k3s"
)

// providerLabels are labels that a managed service puts on each of its nodes.
var providerLabels = []struct {
	label string
	of    provider
}{
	{"eks.amazonaws.com/nodegroup", eks}, {"alpha.eksctl.io/cluster-name", eks}, {"eks.amazonaws.com/compute-type", eks},
	{"cloud.google.com/gke-nodepool", gke},
	{"kubernetes.azure.com/cluster", aks}, {"kubernetes.azure.com/agentpool", aks},
}

// providerOf says from labels and versions of nodes who runs the control plane; "" for clusters that run it themselves.
func providerOf(s *model.Snapshot) provider {
	for _, n := range s.Nodes {
		for _, l := range providerLabels {
			if _, ok := n.Value().Labels[l.label]; ok {
				return l.of
			}
		}
		switch version := n.Value().Status.NodeInfo.KubeletVersion; {
		case strings.Contains(version, "-eks-"):
			return eks
		case strings.Contains(version, "-gke."):
			return gke
		case strings.Contains(version, "+k3s"):
			return k3s
		}
	}
	return ""
}

// controllerLogs are the commands for the log of kube-controller-manager.
var controllerLogs = map[provider]string{
	eks: "aws logs filter-log-events --log-group-name /aws/eks/CLUSTER/cluster --log-stream-name-prefix kube-controller-manager- " +
		"--start-time MILLISECONDS --end-time MILLISECONDS > kube-controller-manager.json",
	gke: `gcloud logging read 'resource.type="k8s_control_plane_component" AND resource.labels.component_name="controller-manager"' ` +
		`--freshness=1d --format=json > kube-controller-manager.json`,
	aks: `az monitor log-analytics query --workspace WORKSPACE-ID ` +
		`--analytics-query "AKSControlPlane | where Category == 'kube-controller-manager'" --output json > kube-controller-manager.json`,
	k3s: "journalctl -u k3s --utc -o short-iso-precise --since 'YYYY-MM-DD hh:mm' > k3s.log",
	"": "kubectl -n kube-system logs -l component=kube-controller-manager " +
		"--timestamps --tail=-1 --prefix=false > kube-controller-manager.log",
}

// auditLogs are the commands for the audit log, where it does not lie in a place of the cluster's own choice.
var auditLogs = map[provider]string{
	eks: `aws logs filter-log-events --log-group-name /aws/eks/CLUSTER/cluster --log-stream-name-prefix kube-apiserver-audit- ` +
		`--filter-pattern volumeattachments --start-time MILLISECONDS --end-time MILLISECONDS > audit.json`,
	gke: `gcloud logging read 'logName:"cloudaudit.googleapis.com%2Factivity" AND protoPayload.methodName:"volumeattachments"' ` +
		`--freshness=1d --format=json > audit.json`,
	aks: `az monitor log-analytics query --workspace WORKSPACE-ID ` +
		`--analytics-query "AKSAuditAdmin | where RequestUri has 'volumeattachments'" --output json > audit.json`,
}

// controllerLogNote is what a managed service collects only when it was asked to before the incident.
func (p provider) controllerLogNote() string {
	if p == "" || p == k3s {
		return ""
	}
	return "; " + string(p) + " keeps this log only while its control-plane logging is switched on"
}
