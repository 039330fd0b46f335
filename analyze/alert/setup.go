package alert

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

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
