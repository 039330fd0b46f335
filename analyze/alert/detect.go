package alert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// Detect is the set-up of the cluster that a snapshot was taken of: how it is scraped is what its metrics show.
func Detect(s *model.Snapshot) Setup { return detect(s, servers(s.Metrics)) }

func detect(s *model.Snapshot, list []server) Setup {
	var out Setup
	if len(s.ClusterVersions) > 0 {
		out.OpenShift = true
		out.Because = append(out.Because, "The bundle has a ClusterVersion, which only OpenShift has.")
	}
	if len(list) == 0 {
		out.Because = append(out.Because, "The bundle has no metrics: honor_labels: true is assumed; --honor-labels=false is for the other.")
		return out
	}
	if label, metric := exported(list); label != "" {
		out.TargetLabels = true
		out.Because = append(out.Because, metric+" has the label "+label+", so kube-state-metrics is scraped with honor_labels: false.")
	} else {
		out.Because = append(out.Because, "No series has exported_ labels, so kube-state-metrics is scraped with honor_labels: true.")
	}
	if label := clusterLabel(list); label != "" {
		out.ClusterLabel = label
		out.Because = append(out.Because, fmt.Sprintf("kube_node_status_condition has the label %s.", label))
	}
	return out
}

// renamed are the labels that scraping renames, each with a metric of which it is one.
var renamed = []struct{ metric, label string }{
	{"kube_node_status_condition", "exported_node"}, {"kube_pod_info", "exported_node"}, {"kube_pod_info", "exported_pod"},
	{"kube_pod_info", "exported_namespace"}, {"kube_persistentvolumeclaim_info", "exported_namespace"},
}

// exported is a label that scraping with honor_labels: false has renamed; "" where none was.
func exported(list []server) (label, metric string) {
	for _, r := range renamed {
		if slices.ContainsFunc(list, func(s server) bool { return slices.Contains(s.labels(r.metric), r.label) }) {
			return r.label, r.metric
		}
	}
	return "", ""
}

// clusterLabel is the label that distinguishes clusters: cluster, else another with that word in its name; "" without one.
func clusterLabel(list []server) string {
	found := ""
	for _, s := range list {
		for _, name := range s.labels("kube_node_status_condition") {
			if name == defaultClusterLabel {
				return name
			}
			if strings.Contains(strings.ToLower(name), defaultClusterLabel) && (found == "" || name < found) {
				found = name
			}
		}
	}
	return found
}

// labels are those of some series of a metric, as the server has them.
func (s server) labels(metric string) []string {
	if has, _ := s.labelSet(metric, maxProbed); has != nil { // a series that cannot be read has its labels all the same
		return has.some
	}
	return nil
}
