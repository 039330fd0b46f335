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
