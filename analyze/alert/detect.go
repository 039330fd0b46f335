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

// exported is a label that scraping with honor_labels: false has renamed, and a metric that has it; "" where none was.
func exported(list []server) (label, metric string) {
	for _, metric := range []string{"kube_node_status_condition", "kube_pod_info", "kube_persistentvolumeclaim_info"} {
		for _, own := range []string{"node", "pod", "namespace"} {
			label := "exported_" + own
			if slices.ContainsFunc(list, func(s server) bool { return slices.Contains(s.labels(metric), label) }) {
				return label, metric
			}
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
