package alert

import (
	"fmt"
	"regexp"
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

// Setup is what the expressions depend on. They do not depend on the release of kube-state-metrics: see query.go.
type Setup struct {
	OpenShift    bool   // an AlertingRule of OpenShift's own monitoring
	TargetLabels bool   // scraped with honor_labels: false, so that clashing labels of the exporter are called exported_…
	ClusterLabel string // distinguishes the clusters of one store; "" when it holds one

	Labels []model.Label // of the object

	Because []string // how the above is known, one sentence each
}

// defaultClusterLabel is the label that expressions keep where none is known: one that series lack changes nothing.
const defaultClusterLabel = "cluster"

// String describes the set-up in a few words.
func (s Setup) String() string {
	words := []string{fmt.Sprintf("honor_labels: %t", !s.TargetLabels)}
	if s.ClusterLabel != "" {
		words = append(words, "several clusters by the label "+s.ClusterLabel)
	}
	return strings.Join(words, ", ")
}

var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// SetClusterLabel sets the label by which clusters differ.
func (s *Setup) SetClusterLabel(name string) error {
	if !labelName.MatchString(name) {
		return fmt.Errorf("%q is no name of a label", name)
	}
	s.ClusterLabel = name
	return nil
}
