package alert

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// recordedAlerts is Prometheus' metric of its own alerts: alertname, alertstate and the alert's labels, 1 while it has that state.
const recordedAlerts = "ALERTS"

// maxRecorded bounds the recorded firings that are looked at.
const maxRecorded = 5000

// recordedFirings are the stretches in which alerts fired by what the servers wrote of themselves, by alert name.
func recordedFirings(list []server, rules []tested, cases []*reconstruct.Case) map[string][]model.Firing {
	out := map[string][]model.Firing{}
	n := 0
	for _, s := range list {
		matchers := []model.Matcher{named(recordedAlerts), {Name: "alertstate", Type: model.MatchEqual, Value: "firing"}}
		// Of a damaged series, what could be read counts.
		_ = s.Select(matchers, time.Time{}, time.Time{}, func(l model.Labels, samples model.Samples) error {
			if n++; n > maxRecorded {
				return errEnough
			}
			name, labels := l.Get("alertname"), s.ownLabels(l)
			for _, run := range s.stretches(samples) {
				run.labels = labels
				out[name] = append(out[name], firingOf(run, concernedBy(name, run, rules, cases)))
			}
			return nil
		})
	}
	return out
}

// activeFiring is when an alert that a server named as firing began to: the time of its rule after its expression had a result.
func activeFiring(a model.ActiveAlert, rules []tested, cases []*reconstruct.Case) (name string, f model.Firing, fires bool) {
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
	run := interval{from: a.At.Add(lasting), labels: labels}
	return name, firingOf(run, concernedBy(name, run, rules, cases)), true
}

// concernedBy is the case that a recorded firing is about; nil for none.
func concernedBy(name string, run interval, rules []tested, cases []*reconstruct.Case) *reconstruct.Case {
	if namesUsage(name, rules) {
		return nil
	}
	return append(concerned(run, cases), nil)[0]
}

// ofSeverity are the firings of the rule of a severity, where several have one name.
func ofSeverity(list []model.Firing, severity string) []model.Firing {
	return slices.DeleteFunc(slices.Clone(list), func(f model.Firing) bool {
		label := f.Labels["severity"]
		return severity != "" && label != "" && label != severity
	})
}

// ownLabels are the labels of an alert without those of the series that records it.
func (s server) ownLabels(l model.Labels) map[string]string {
	out := map[string]string{}
	for _, label := range l {
		if label.Name != model.MetricName && label.Name != "alertname" && label.Name != "alertstate" && label.Value != "" {
			out[label.Name] = label.Value
		}
	}
	return s.without(out)
}

// stretches are when a series had samples. Its own samples show what a gap is: rules are evaluated less often than targets are scraped.
func (s server) stretches(samples model.Samples) []interval {
	var out []interval
	var step time.Duration
	ended := true
	var previous time.Time
	for p, err := range samples {
		if err != nil {
			break
		}
		switch {
		case p.Stale:
			if !ended {
				out[len(out)-1].to = p.At
			}
			ended = true
			continue
		case ended:
			out = append(out, interval{from: p.At, before: p.At.Sub(s.from()) < maxLookback})
		default:
			last := p.At.Sub(previous)
			if step == 0 || last < step {
				step = last
			}
			if last > maxLookback {
				out[len(out)-1].to = previous.Add(step)
				out = append(out, interval{from: p.At})
			}
		}
		ended, previous = false, p.At
	}
	if n := len(out); n > 0 && !ended && s.to().Sub(previous) > maxLookback {
		out[n-1].to = previous
	}
	return out
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

// firingOf is an interval in which an alert fired, against a case that it concerns; nil for none.
func firingOf(f interval, c *reconstruct.Case) model.Firing {
	out := model.Firing{From: f.from, Labels: f.labels, ActiveBefore: f.before}
	if !f.to.IsZero() {
		out.To = new(f.to)
	}
	if c == nil {
		return out
	}
	out.Incident, out.LeadSeconds = new(c.ID()), new(c.Began.At.Sub(f.from).Seconds())
	if ended := c.Ended(); ended.Known() {
		out.BeforeEndSeconds = new(ended.At.Sub(f.from).Seconds())
	}
	return out
}

// concerned are the cases that a firing is about, nearest start first: its labels name one of their objects and it fired during them.
func concerned(f interval, cases []*reconstruct.Case) []*reconstruct.Case {
	var out []*reconstruct.Case
	for _, c := range cases {
		from, to := c.Span.From.Earliest, c.Span.To.Latest.Add(maxLookback) // or right after it
		if !f.from.After(to) && (f.to.IsZero() || f.to.After(from)) && concerns(f.labels, c) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *reconstruct.Case) int {
		return int(a.Began.At.Sub(f.from).Abs() - b.Began.At.Sub(f.from).Abs())
	})
	return out
}

// concerns reports that labels name an object of a case. The most specific label decides.
func concerns(labels map[string]string, c *reconstruct.Case) bool {
	// Where scraping renamed the exporter's labels, those without exported_ are of the exporter itself.
	namespace := first(labels, "exported_namespace", "namespace")
	if v := first(labels, "volumename", "persistentvolume"); v != "" {
		return v == c.Volume.PersistentVolume
	}
	if v := labels["volumeattachment"]; v != "" {
		return v == name(c.Attachment) || v == name(c.NewAttachmentName())
	}
	if v := labels["persistentvolumeclaim"]; v != "" {
		return v == c.Volume.Claim.Name && namespace == c.Volume.Claim.Namespace
	}
	if p := first(labels, "exported_pod", "pod"); p != "" && namespace != "" {
		return slices.ContainsFunc(slices.Concat(c.OldPods, c.NewPods), func(r model.Ref) bool {
			return r.Name == p && r.Namespace == namespace && (r.UID == "" || labels["uid"] == "" || labels["uid"] == r.UID)
		})
	}
	if w := c.Workload; w != nil && namespace == w.Namespace {
		if v := labels[strings.ToLower(w.Kind)]; v != "" {
			return v == w.Name
		}
	}
	node := first(labels, "exported_node", "node")
	return node != "" && node == c.From
}

// first is the value of the first of some labels that is there.
func first(labels map[string]string, names ...string) string {
	for _, n := range names {
		if v := labels[n]; v != "" {
			return v
		}
	}
	return ""
}

// bounds are from the beginning of the wait of a case to its end or, while it has none, to the end of its evidence.
func bounds(c *reconstruct.Case) (from, to time.Time) {
	to = c.Span.To.At
	if ended := c.Ended(); ended.Known() {
		to = ended.At
	}
	return c.Began.At, to
}
