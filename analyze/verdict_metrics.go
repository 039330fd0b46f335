package analyze

import (
	"fmt"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// alarmed is a sentence about the first of volpost's own rules that fires over the bundle's metrics on a volume that a pod wants, while
// no incident is found: then nobody may call the bundle clean. "" when none does.
func alarmed(r *model.Report) string {
	for _, a := range r.Alerts {
		if a.Origin != alert.Builtin || a.Over != model.OverMetrics {
			continue
		}
		for _, f := range a.Firings {
			if volume, pod := f.Labels["volumename"], f.Labels["pod"]; volume != "" && pod != "" {
				return fmt.Sprintf("%s fires from %s UTC: pod %s wants volume %s, which is attached elsewhere",
					a.Name, f.From.UTC().Format("2006-01-02 15:04:05"), model.Ref{Namespace: f.Labels["namespace"], Name: pod}, volume)
			}
		}
	}
	return ""
}

// unseen is what keeps the metrics of a bundle from showing every wait; "" when they show it, or when there are none.
func unseen(w *reconstruct.World) string {
	for _, o := range w.Told(model.WaitsSampled) {
		if o.Detail != "" {
			return "the metrics have a pause from " + o.Detail + " UTC"
		}
	}
	for _, o := range w.Told(model.WaitsHidden) {
		return "the metrics lack " + o.Detail
	}
	return ""
}

// sampledCoverage says what metrics without a wait show, and their limit: a wait between two scrapes, or two steps of a query, would
// not be seen.
func sampledCoverage(w *reconstruct.World, o *model.Observation) (text, limit string) {
	at, between := "scrape", "two scrapes"
	for _, m := range w.Snapshot.Metrics {
		if m.Path == o.Source.Path && m.Form == model.MetricAPI {
			at, between = "step of the query", "two steps, which are "+words.Seconds(m.Interval.Seconds())+" apart,"
		}
	}
	return fmt.Sprintf("No pod waited for a volume that was attached elsewhere at any %s from %s to %s UTC.",
		at, o.At.At.UTC().Format("2006-01-02 15:04:05"), o.Last.At.UTC().Format("15:04:05")), "A wait between " + between + " would not show"
}
