package alert

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// server is a source of metrics over which rules are run, with what is known of it.
type server struct {
	model.MetricSource
	scraped model.MetricSource // whose Select is Scraped: what rules see
	has     []string           // of probes, in their order
	scrapes []time.Time        // of the exporter that the decisive metrics come from, in order
	step    time.Duration
}

// probes are metrics that show what a source is good for; the first one present shows when the exporter was scraped.
var probes = []string{
	"kube_node_status_condition", "kube_volumeattachment_info", "kube_persistentvolumeclaim_info", "kube_pod_info", "up",
	"kubelet_volume_stats_used_bytes", recordedAlerts,
}

// forms are the forms that rules can be run over, best first. An exposition is a single scrape.
var forms = []model.MetricForm{model.MetricBlock, model.MetricHead, model.MetricDump, model.MetricOpenMetrics, model.MetricAPI}

// servers are the sources to run rules over: the best form of each series. Two of one form are two servers, and are never mixed.
func servers(all []model.MetricSource) []server {
	var candidates []server
	for _, m := range all {
		if m.Select == nil || !slices.Contains(forms, m.Form) {
			continue
		}
		if s := look(m); len(s.scrapes) > 1 {
			candidates = append(candidates, s)
		}
	}
	slices.SortStableFunc(candidates, func(a, b server) int {
		return cmp.Or(cmp.Compare(slices.Index(forms, a.Form), slices.Index(forms, b.Form)), cmp.Compare(a.Path, b.Path))
	})
	var out []server
	for _, c := range candidates {
		if !slices.ContainsFunc(out, c.copyOf) {
			out = append(out, c)
		}
	}
	return out
}

// copyOf reports that a source of a worse form has nothing that another one lacks.
func (s server) copyOf(o server) bool {
	if o.Form == s.Form || o.from().After(s.from().Add(maxLookback)) || o.to().Before(s.to().Add(-maxLookback)) {
		return false
	}
	return !slices.ContainsFunc(s.External, func(l model.Label) bool { return o.External.Has(l.Name) && o.External.Get(l.Name) != l.Value }) &&
		!slices.ContainsFunc(s.has, func(p string) bool { return !slices.Contains(o.has, p) })
}

func (s server) from() time.Time { return s.scrapes[0] }
func (s server) to() time.Time   { return s.scrapes[len(s.scrapes)-1] }

// errEnough ends a selection early.
var errEnough = errors.New("enough")

// maxProbed is how many series are looked at to learn when an exporter was scraped.
const maxProbed = 40

func look(m model.MetricSource) server {
	s := server{MetricSource: m, scraped: m}
	if m.Scraped != nil {
		s.scraped.Select = m.Scraped
	}
	for _, p := range probes {
		// What cannot be read is not absent.
		if err := some(m, p, 1, func(model.Labels, model.Samples) {}); !errors.Is(err, errEnough) && !damaged(err) {
			continue
		}
		s.has = append(s.has, p)
		if len(s.scrapes) == 0 {
			s.scrapes = scrapesOf(m, p)
		}
	}
	s.step = usualDelta(s.scrapes)
	return s
}

// some looks at the first series of a metric; errEnough says that there may be more.
func some(m model.MetricSource, metric string, most int, each func(model.Labels, model.Samples)) error {
	n := 0
	return m.Select([]model.Matcher{named(metric)}, time.Time{}, time.Time{}, func(l model.Labels, samples model.Samples) error {
		each(l, samples)
		if n++; n == most {
			return errEnough
		}
		return nil
	})
}

func named(metric string) model.Matcher {
	return model.Matcher{Name: model.MetricName, Type: model.MatchEqual, Value: metric}
}

// scrapesOf are the times at which some series of a metric have samples. Stale markers are scrapes, too.
func scrapesOf(m model.MetricSource, metric string) []time.Time {
	var out []time.Time
	_ = some(m, metric, maxProbed, func(_ model.Labels, samples model.Samples) {
		for s, err := range samples {
			if err != nil {
				return // a damaged series ends early; the others count
			}
			out = append(out, s.At)
		}
	})
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// usualDelta is the median distance of two scrapes.
func usualDelta(scrapes []time.Time) time.Duration {
	var deltas []time.Duration
	for i := range scrapes[min(1, len(scrapes)):] {
		deltas = append(deltas, scrapes[i+1].Sub(scrapes[i]))
	}
	slices.Sort(deltas)
	return append(deltas, 0)[len(deltas)/2]
}

// gaps are stretches inside of a window without a scrape for longer than a series lives on without samples.
func (s server) gaps(from, to time.Time) []window {
	var out []window
	for i := 1; i < len(s.scrapes); i++ {
		a, b := s.scrapes[i-1], s.scrapes[i]
		if b.Sub(a) > max(maxLookback, 3*s.step/2) && b.After(from) && a.Before(to) {
			out = append(out, window{from: a, to: b})
		}
	}
	return out
}

// covers reports that the samples show a time from its beginning, after one scrape at least, to its end.
func (s server) covers(from, to time.Time) bool {
	return s.from().Before(from) && !s.to().Before(to.Add(-max(maxLookback, 3*s.step/2))) && len(s.gaps(from, to)) == 0
}

// paths names sources.
func paths(list []server) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, s.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withoutReplica removes the labels by which a server differs from its replicas: its rules do not see them.
func withoutReplica(labels map[string]string) {
	maps.DeleteFunc(labels, func(name, _ string) bool { return model.IsReplicaLabel(name) })
}
