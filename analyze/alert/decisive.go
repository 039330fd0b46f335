package alert

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/model/words"
)

// Bounds of the series that are shown of the incidents.
const (
	maxShown     = 25 // incidents
	maxShownPods = 3  // of one side of an incident
	maxRuns      = 200
	maxCited     = 24 // runs of a series whose samples are quoted
)

// shown is one series to look for.
type shown struct {
	about    string
	matchers []model.Matcher
	uid      string // of a pod, where it is known
}

// decisive are the series that show the incidents, out of the first server that has them.
func decisive(list []server, cases []*wait.Case, l *evidence.Ledger) []model.MetricSeries {
	var out []model.MetricSeries
	for _, c := range cases[:min(len(cases), maxShown)] {
		for _, w := range wanted(c) {
			for _, s := range list {
				found := s.show(w, c, l)
				out = append(out, found...)
				if len(found) > 0 {
					break
				}
			}
		}
	}
	return out
}

// wanted are the series that show a case: of its nodes, VolumeAttachments and pods.
func wanted(c *wait.Case) []shown {
	var out []shown
	add := func(about, uid, metric string, pairs ...string) {
		w := shown{about: about, uid: uid, matchers: []model.Matcher{named(metric)}}
		for i := 0; i+1 < len(pairs); i += 2 {
			w.matchers = append(w.matchers, model.Matcher{Name: pairs[i], Type: model.MatchEqual, Value: pairs[i+1]})
		}
		out = append(out, w)
	}
	if c.From != "" {
		add("the old node is Ready", "", "kube_node_status_condition", "node", c.From, "condition", "Ready", "status", "true")
	}
	for _, p := range c.OldPods[:min(len(c.OldPods), maxShownPods)] {
		add("the old pod is being deleted, and its deadline", p.UID, "kube_pod_deletion_timestamp", "namespace", p.Namespace, "pod", p.Name)
	}
	if n := c.Attachment.Name; n != "" {
		add("the volume is attached to the old node", "", "kube_volumeattachment_status_attached", "volumeattachment", n)
	}
	for _, p := range c.NewPods[:min(len(c.NewPods), maxShownPods)] {
		add("the new pod waits", p.UID, "kube_pod_container_status_waiting_reason", "namespace", p.Namespace, "pod", p.Name)
	}
	if n := c.NewAttachmentName().Name; n != "" {
		add("the volume is attached to the new node", "", "kube_volumeattachment_status_attached", "volumeattachment", n)
	}
	for _, p := range c.NewPods[:min(len(c.NewPods), maxShownPods)] {
		add("the new pod is Ready", p.UID, "kube_pod_status_ready", "namespace", p.Namespace, "pod", p.Name, "condition", "true")
	}
	return out
}

// show reads the series of a server that show a part of a case, with some time before and after it.
func (s server) show(w shown, c *wait.Case, l *evidence.Ledger) []model.MetricSeries {
	from, to := c.Span.From.Earliest.Add(-lookAfter), c.Span.To.Latest.Add(lookAfter)
	var out []model.MetricSeries
	// A series that cannot be read to its end is shown as far as it can; reading it was a problem of the bundle already.
	_ = s.Select(w.matchers, from, to, func(labels model.Labels, samples model.Samples) error {
		if words.Differ(labels.Get("uid"), w.uid) {
			return nil
		}
		name, runs := labels.String(), []model.MetricRun{}
		stretches, _ := s.runs(samples, 3*s.step/2)
		for _, r := range stretches {
			runs = append(runs, r.MetricRun)
		}
		if len(runs) == 0 {
			return nil
		}
		out = append(out, model.MetricSeries{
			Incident: c.ID(), About: w.about, Metric: labels.Get(model.MetricName), Series: name, Path: s.Path, Runs: runs,
			Evidence: []string{s.quote(name, runs, l)},
		})
		return nil
	})
	return out
}

// run is samples of one value, and the stale marker that ended them.
type run struct {
	model.MetricRun
	stale *time.Time
}

// runs joins samples of one value that follow each other within a time. Histograms and values that are not finite are none.
func (s server) runs(samples model.Samples, within time.Duration) (out []run, err error) {
	ended := true
	for p, err := range samples {
		if err != nil || len(out) == maxRuns {
			return out, err
		}
		if p.Stale || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
			if !ended {
				out[len(out)-1].stale = new(p.At)
			}
			ended = true
			continue
		}
		if n := len(out); !ended && out[n-1].Value == p.Value && p.At.Sub(out[n-1].To) <= within {
			out[n-1].To, out[n-1].Samples = p.At, out[n-1].Samples+1
			continue
		}
		out = append(out, run{MetricRun: model.MetricRun{From: p.At, To: p.At, Value: p.Value, Samples: 1}})
		ended = false
	}
	return out, nil
}

// quote cites the first and the last sample of each run.
func (s server) quote(series string, runs []model.MetricRun, l *evidence.Ledger) string {
	var parts []string
	for _, r := range runs[:min(len(runs), maxCited)] {
		parts = append(parts, sampleText(r.Value, r.From))
		if r.Samples > 1 {
			parts = append(parts, sampleText(r.Value, r.To))
		}
	}
	last := runs[min(len(runs), maxCited)-1].To
	return l.Quote(model.Source{Kind: model.SourceMetric, Path: s.Path, Series: series, Field: stamp(runs[0].From) + ".." + stamp(last)},
		mask.Quote(series+" "+strings.Join(parts, ", ")))
}

// sampleText is a sample as quotes of metrics have it: its value and its time as PromQL's @ modifier takes it.
func sampleText(value float64, at time.Time) string {
	return strconv.FormatFloat(value, 'f', -1, 64) + " " + stamp(at)
}

func stamp(at time.Time) string {
	return "@" + strconv.FormatFloat(float64(at.UnixMilli())/1000, 'f', 3, 64)
}
