package alert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	commonmodel "github.com/prometheus/common/model"

	"github.com/volpost/volpost/model"
)

// Setup is what the expressions depend on. They do not depend on the release of kube-state-metrics: see query.go.
type Setup struct {
	OpenShift    bool   // an AlertingRule of OpenShift's own monitoring
	TargetLabels bool   // scraped with honor_labels: false, so that clashing labels of the exporter are called exported_…
	ClusterLabel string // distinguishes the clusters of one store; "" when it holds one

	Labels []model.Label // of the object

	Because []string // how the above is known, one sentence each

	holds []hold
}

// hold is a duration that takes the place of a rule's for.
type hold struct{ rule, severity, lasting string }

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

// SetFor sets how long the condition of a rule has to hold, as RULE=DURATION or RULE/SEVERITY=DURATION.
func (s *Setup) SetFor(text string) error {
	what, lasting, ok := strings.Cut(text, "=")
	name, severity, _ := strings.Cut(what, "/")
	var names []string
	for _, r := range Rules(Setup{}) {
		if r.Name == name && (severity == "" || severity == r.Severity) {
			names = nil
			break
		}
		names = append(names, r.Name+"/"+r.Severity)
	}
	if !ok || names != nil {
		return fmt.Errorf("%q names none of the rules %s", text, strings.Join(names, ", "))
	}
	if d, err := commonmodel.ParseDuration(lasting); err != nil || time.Duration(d) <= 0 {
		return fmt.Errorf("%q is no duration of Prometheus, such as 90s, 5m or 1h30m", lasting)
	}
	s.holds = append(s.holds, hold{name, severity, lasting})
	return nil
}

// lasting puts the durations of SetFor into a rule; the last one counts.
func (s Setup) lasting(r Rule) Rule {
	for _, h := range slices.Backward(s.holds) {
		if h.rule == r.Name && (h.severity == "" || h.severity == r.Severity) {
			r.For = h.lasting
			break
		}
	}
	return r
}

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
