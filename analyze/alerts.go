package analyze

import (
	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// AlertSetup is what alerting rules depend on.
type AlertSetup = alert.Setup

// DetectAlertSetup is the set-up of the cluster that a snapshot was taken of, as its metrics show it.
func DetectAlertSetup(s *model.Snapshot) AlertSetup { return alert.Detect(s) }

// AlertRules are the recommended alerting rules as YAML, with comments that say which popular rules they replace, and why: as an object of
// the Prometheus Operator, or of OpenShift's monitoring where that is the set-up, or plain, as a rule file of Prometheus.
func AlertRules(s AlertSetup, plain bool) string {
	if plain {
		return alert.PlainRules(s)
	}
	if s.OpenShift {
		return alert.AlertingRule(s)
	}
	return alert.PrometheusRule(s)
}

// alarm is when the first recommended alert would have fired for a case.
func alarm(r alert.Result, c *wait.Case) remedy.Alarm {
	first, ok := r.Firsts[c.ID()]
	if !ok {
		return remedy.Alarm{Tested: r.Tested[c.ID()]}
	}
	return remedy.Alarm{
		Tested: true, Rule: first.Rule, At: first.Firing.From, Recorded: first.Over == model.OverMetrics, Evidence: first.Firing.Evidence,
	}
}
