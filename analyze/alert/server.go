package alert

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
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

// without removes the labels by which a server differs from its replicas: its rules do not see them.
func (s server) without(labels map[string]string) map[string]string {
	for _, l := range s.External {
		if model.IsReplicaLabel(l.Name) && labels[l.Name] == l.Value {
			delete(labels, l.Name)
		}
	}
	return labels
}

// maxReplicas bounds how often rules are run over one source.
const maxReplicas = 8

// replicas makes a source for each replica that writes into a common store (Thanos, Mimir), without the labels by which they differ.
func replicas(all []model.MetricSource) []model.MetricSource {
	var out []model.MetricSource
	for _, m := range all {
		found := replicasIn(m)
		if len(found) < 2 || len(found) > maxReplicas {
			out = append(out, m)
			continue
		}
		for _, own := range found {
			one := m
			one.Select = ofReplica(m.Select, own)
			if m.Scraped != nil {
				one.Scraped = ofReplica(m.Scraped, own)
			}
			out = append(out, one)
		}
	}
	return out
}

// replicasIn are the labels of each replica on the series of an exporter that gives objects no such labels.
func replicasIn(m model.MetricSource) []model.Labels {
	var out []model.Labels
	if m.Select == nil {
		return nil
	}
	for _, metric := range decides {
		// A series that cannot be read has its labels all the same.
		_ = m.Select([]model.Matcher{named(metric)}, time.Time{}, time.Time{}, func(l model.Labels, _ model.Samples) error {
			own, _ := split(l)
			if own != nil && !slices.ContainsFunc(out, func(o model.Labels) bool { return o.Compare(own) == 0 }) {
				out = append(out, own)
			}
			if len(out) > maxReplicas {
				return errEnough
			}
			return nil
		})
	}
	return out
}

// split takes the labels of a replica from those of a series.
func split(l model.Labels) (own, rest model.Labels) {
	for _, x := range l {
		if model.IsReplicaLabel(x.Name) && x.Value != "" {
			own = append(own, x)
		} else {
			rest = append(rest, x)
		}
	}
	return own, rest
}

// ofReplica selects what a replica has, and what is of none.
func ofReplica(all selector, replica model.Labels) selector {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return all(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			own, rest := split(l)
			if own != nil && own.Compare(replica) != 0 {
				return nil
			}
			return each(rest, samples)
		})
	}
}

// damages collect what of metrics could not be read while rules were run over them. Several goroutines add to them.
type damages struct {
	mu   sync.Mutex
	seen map[string]string // sentences, with the input
}

// maxDamages bounds how many are reported.
const maxDamages = 20

// watched are sources whose errors are noted, by all that select from them.
func (d *damages) watched(all []model.MetricSource) []model.MetricSource {
	out := slices.Clone(all)
	for i, m := range all {
		for _, s := range []*selector{&out[i].Select, &out[i].Scraped} {
			if *s != nil {
				*s = d.noted(m.Input, *s)
			}
		}
	}
	return out
}

type selector = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error

func (d *damages) noted(input string, whole selector) selector {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		err := whole(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			return each(l, func(yield func(model.Sample, error) bool) {
				for s, err := range samples {
					d.note(input, err)
					if !yield(s, err) {
						return
					}
				}
			})
		})
		d.note(input, err)
		return err
	}
}

func (d *damages) note(input string, err error) {
	if !damaged(err) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for text := range strings.Lines(err.Error()) { // several are joined by lines
		d.seen[strings.TrimSpace(text)] = input
	}
}

// damaged reports that an error is of what could not be read.
func damaged(err error) bool { return err != nil && errors.As(err, new(model.Damage)) }

// problems are those that are not reported yet.
func (d *damages) problems(reported []model.Problem) []model.Problem {
	var out []model.Problem
	for text, input := range d.seen {
		if !slices.ContainsFunc(reported, func(p model.Problem) bool { return strings.HasPrefix(p.Message, text) }) {
			out = append(out, model.Problem{Severity: model.Warning, Path: input, Message: text + "; what rules over it show is not known"})
		}
	}
	slices.SortFunc(out, func(a, b model.Problem) int { return strings.Compare(a.Path+a.Message, b.Path+b.Message) })
	if more := len(out) - maxDamages; more > 0 {
		out = append(out[:maxDamages], model.Problem{Severity: model.Warning, Path: out[maxDamages].Path,
			Message: fmt.Sprintf("%d more series that rules select cannot be read", more)})
	}
	return out
}
