package alert

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// recordedAlerts is Prometheus' metric of its own alerts: alertname, alertstate and the alert's labels, 1 while it has that state.
const recordedAlerts = "ALERTS"

// maxRecorded bounds the recorded firings that are looked at.
const maxRecorded = 5000

// recordedFirings are the stretches in which alerts fired by what the servers wrote of themselves, by alert name.
func (r *Result) recordedFirings(list []server, rules []tested, cases []*wait.Case) map[string][]model.Firing {
	out := map[string][]model.Firing{}
	n := 0
	for _, s := range list {
		matchers := []model.Matcher{named(recordedAlerts), {Name: "alertstate", Type: model.MatchEqual, Value: "firing"}}
		err := s.Select(matchers, time.Time{}, time.Time{}, func(l model.Labels, samples model.Samples) error {
			if n++; n > maxRecorded {
				return errEnough
			}
			name, labels := l.Get("alertname"), ownLabels(l)
			stretches, err := s.stretches(samples)
			r.lost.note(s.Input, err) // what could be read counts
			for _, run := range stretches {
				run.Labels = labels
				out[name] = append(out[name], against(run, concernedBy(name, run, rules, cases)))
			}
			return nil
		})
		r.lost.note(s.Input, err)
	}
	return out
}

// activeFiring is when an alert that a server named as firing began to: the time of its rule after its expression had a result.
func activeFiring(a model.ActiveAlert, rules []tested, cases []*wait.Case) (name string, f model.Firing, fires bool) {
	labels := map[string]string{}
	for _, l := range a.Labels {
		labels[l.Name] = l.Value
	}
	name = labels["alertname"]
	delete(labels, "alertname")
	if a.State != "firing" || name == "" || a.At.IsZero() {
		return "", f, false
	}
	hold := a.For
	same := func(r tested) bool { return r.name == name && (r.severity == "" || r.severity == labels["severity"]) }
	if i := slices.IndexFunc(rules, same); hold == "" && i >= 0 {
		hold = rules[i].hold
	}
	lasting, _, _ := tested{hold: hold}.durations() // what is no duration is none
	run := model.Firing{From: a.At.Add(lasting), Labels: labels}
	return name, against(run, concernedBy(name, run, rules, cases)), true
}

// concernedBy is the case that a recorded firing is about; nil for none.
func concernedBy(name string, run model.Firing, rules []tested, cases []*wait.Case) *wait.Case {
	if namesUsage(name, rules) {
		return nil
	}
	return append(concerned(run, cases), nil)[0]
}

// ofSeverity are the firings of the rule of a severity, where several have one name.
func ofSeverity(list []model.Firing, severity string) []model.Firing {
	return slices.DeleteFunc(slices.Clone(list), func(f model.Firing) bool {
		return words.Differ(severity, f.Labels["severity"])
	})
}

// ownLabels are the labels of an alert without those of the series that records it.
func ownLabels(l model.Labels) map[string]string {
	out := map[string]string{}
	for _, label := range l {
		if own := []string{model.MetricName, "alertname", "alertstate"}; label.Value != "" && !slices.Contains(own, label.Name) {
			out[label.Name] = label.Value
		}
	}
	withoutReplica(out)
	return out
}

// stretches are when a series had samples.
func (s server) stretches(samples model.Samples) (out []model.Firing, err error) {
	runs, err := s.runs(samples, maxLookback)
	for i, r := range runs {
		f := model.Firing{From: r.From, To: r.stale, ActiveBefore: r.From.Sub(s.from()) < maxLookback}
		if over := i+1 < len(runs) || s.to().Sub(r.To) > maxLookback; f.To == nil && over {
			f.To = &r.To
		}
		out = append(out, f)
	}
	return out, err
}

// onlyRecorded are the alerts that fired by the servers' own account, concern an incident, and have no rule here.
func onlyRecorded(recorded map[string][]model.Firing, known []model.Alert, sources []string) []model.Alert {
	var out []model.Alert
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		if slices.ContainsFunc(known, func(a model.Alert) bool { return a.Name == name }) ||
			!slices.ContainsFunc(recorded[name], func(f model.Firing) bool { return f.Incident != nil }) {
			continue
		}
		list := once(recorded[name])
		out = append(out, model.Alert{
			Name: name, Origin: recordedAlerts, Expr: fmt.Sprintf("%s{alertname=%q,alertstate=\"firing\"}", recordedAlerts, name),
			Parses: true, Result: resultFired, Firings: list, Recorded: list, Over: model.OverMetrics, Sources: sources,
			Note: "The rule is not in the bundle; this is when the server says that it fired.",
		})
	}
	return out
}
