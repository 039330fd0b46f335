package main

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// dump is an OpenMetrics dump of a server, which a test may change: what another server would have of the same cluster.
type dump struct {
	series []dumpedSeries
}

// dumpedSeries has its labels as they are written, with the name before them.
type dumpedSeries struct {
	labels string
	points []point
}

type point struct {
	at    time.Time
	value string // NaN for a stale marker
}

var recordedDumps sync.Map // of dump, by the name of the recording; nothing changes a dump

// recordedDump is the dump of a recording, read once.
func recordedDump(t testing.TB, name string) dump {
	t.Helper()
	if d, ok := recordedDumps.Load(name); ok {
		return d.(dump)
	}
	var d dump
	index := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(openRecording(t, name).file(t, "openmetrics.txt")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		end := strings.LastIndex(lines.Text(), "}") + 1
		if end == 0 {
			continue
		}
		key := lines.Text()[:end]
		value, at, _ := strings.Cut(strings.TrimSpace(lines.Text()[end:]), " ")
		seconds, err := strconv.ParseFloat(at, 64)
		if err != nil {
			t.Fatal(err)
		}
		i, ok := index[key]
		if !ok {
			i = len(d.series)
			index[key] = i
			d.series = append(d.series, dumpedSeries{labels: key})
		}
		d.series[i].points = append(d.series[i].points, point{time.UnixMilli(int64(seconds*1000 + 0.5)).UTC(), value})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	recordedDumps.Store(name, d)
	return d
}

// write is the text of the dump.
func (d dump) write() []byte {
	var out []byte
	for _, s := range d.series {
		for _, p := range s.points {
			out = append(append(append(append(out, s.labels...), ' '), p.value...), ' ')
			out = append(strconv.AppendFloat(out, float64(p.at.UnixMilli())/1000, 'f', 3, 64), '\n')
		}
	}
	return append(out, "# EOF\n"...)
}

// changed is a copy with what f makes of each series; one without points is left out.
func (d dump) changed(f func(s dumpedSeries) []dumpedSeries) dump {
	var out dump
	for _, s := range d.series {
		s.points = slices.Clone(s.points)
		for _, made := range f(s) {
			if len(made.points) > 0 {
				out.series = append(out.series, made)
			}
		}
	}
	return out
}

// ofObjects reports a series of kube-state-metrics.
func (s dumpedSeries) ofObjects() bool { return strings.HasPrefix(s.labels, "kube_") }

// up reports the series that says whether kube-state-metrics could be scraped.
func (s dumpedSeries) up() bool {
	return strings.HasPrefix(s.labels, "up{") && strings.Contains(s.labels, `job="kube-state-metrics"`)
}

// with has one more label, or another value of it.
func (s dumpedSeries) with(name, value string) dumpedSeries {
	if at := strings.Index(s.labels, name+`="`); at > 0 && strings.ContainsAny(s.labels[at-1:at], "{,") {
		rest := s.labels[at+len(name)+2:]
		s.labels = s.labels[:at] + name + `="` + value + rest[strings.Index(rest, `"`):]
		return s
	}
	s.labels = strings.Replace(s.labels, "{", "{"+name+`="`+value+`",`, 1)
	return s
}

// shifted has all its points later.
func (s dumpedSeries) shifted(by time.Duration) dumpedSeries {
	s.points = slices.Clone(s.points)
	for i := range s.points {
		s.points[i].at = s.points[i].at.Add(by)
	}
	return s
}

// scrapes are the times at which kube-state-metrics was scraped.
func (d dump) scrapes() []time.Time {
	var out []time.Time
	for _, s := range d.series {
		if s.up() {
			for _, p := range s.points {
				out = append(out, p.at)
			}
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// failed has scrapes of kube-state-metrics that failed: Prometheus marks all series of the target as stale at the first of them,
// writes up 0 at each, and has nothing else.
func (d dump) failed(at time.Time, n int) dump {
	scrapes := d.scrapes()
	first := slices.IndexFunc(scrapes, func(s time.Time) bool { return !s.Before(at) })
	lost := scrapes[first:min(first+n, len(scrapes))]
	return d.changed(func(s dumpedSeries) []dumpedSeries {
		var kept []point
		for i, p := range s.points {
			switch gone := slices.ContainsFunc(lost, p.at.Equal); {
			case gone && s.up():
				p.value = "0"
			case gone && s.ofObjects() && p.at.Equal(lost[0]) && i > 0 && s.points[i-1].value != "NaN":
				p.value = "NaN"
			case gone && s.ofObjects():
				continue
			}
			kept = append(kept, p)
		}
		s.points = kept
		return []dumpedSeries{s}
	})
}

// moved has kube-state-metrics on another node from a time on: its series have another instance. It was away for some scrapes,
// or, with a negative number, the old one and the new one were both there.
func (d dump) moved(at time.Time, away int) dump {
	scrapes := d.scrapes()
	first := slices.IndexFunc(scrapes, func(s time.Time) bool { return !s.Before(at) })
	ended := scrapes[min(first+max(0, -away), len(scrapes)-1)]
	begins := scrapes[min(first+max(0, away), len(scrapes)-1)]
	return d.changed(func(s dumpedSeries) []dumpedSeries {
		if !s.ofObjects() && !s.up() {
			return []dumpedSeries{s}
		}
		before, after := s, s.with("instance", "10.128.2.9:8080")
		before.points, after.points = nil, nil
		for _, p := range s.points {
			if p.at.Before(ended) {
				before.points = append(before.points, p)
			}
			if !p.at.Before(begins) {
				after.points = append(after.points, p)
			}
		}
		if n := len(before.points); n > 0 && before.points[n-1].value != "NaN" && before.points[n-1].at.Add(20*time.Second).After(ended) {
			before.points = append(before.points, point{ended, "NaN"})
		}
		return []dumpedSeries{before, after.shifted(4 * time.Second)}
	})
}

// labelled has a label on every series.
func (d dump) labelled(name, value string) dump {
	return d.changed(func(s dumpedSeries) []dumpedSeries { return []dumpedSeries{s.with(name, value)} })
}

// later has all its samples later.
func (d dump) later(by time.Duration) dump {
	return d.changed(func(s dumpedSeries) []dumpedSeries { return []dumpedSeries{s.shifted(by)} })
}

// and holds the series of two.
func (d dump) and(other dump) dump { return dump{slices.Concat(d.series, other.series)} }

// explained is what volpost says of a dump alone, or beside the files of a bundle.
func (d dump) explained(t *testing.T, beside fstest.MapFS) *model.Report {
	t.Helper()
	bundle := fstest.MapFS{}
	for p, f := range beside {
		bundle[p] = f
	}
	bundle["metrics/metrics.openmetrics"] = &fstest.MapFile{Data: d.write(), Mode: 0o644}
	_, r := explained(t, bundle, "bundle")
	return r
}

// wait is what matters of an incident that metrics show.
type wait struct {
	volume, from, to, cause string
	began, ended            time.Time
}

// waitsOf are the waits of one cluster of a report, in the order of volumes and times.
func waitsOf(r *model.Report, cluster string) []wait {
	var out []wait
	for _, i := range r.Incidents {
		if i.Cluster != cluster {
			continue
		}
		w := wait{i.Volume.PersistentVolume, i.From.Node, i.To.Node, string(i.Causes[0].Verdict) + " " + i.Causes[0].ID, i.MultiAttach.Began.At,
			time.Time{}}
		if i.MultiAttach.Ended != nil {
			w.ended = i.MultiAttach.Ended.At
		}
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b wait) int { return cmp.Or(cmp.Compare(a.volume, b.volume), a.began.Compare(b.began)) })
	return out
}

// sameWaits wants the same waits as another report tells, of volumes, nodes and causes, with times that are no further away than
// some scrapes.
func sameWaits(t *testing.T, got, want []wait, within time.Duration) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d waits, want %d:\n%+v\n%+v", len(got), len(want), got, want)
		return
	}
	for i, g := range got {
		w := want[i]
		if g.volume != w.volume || g.from != w.from || g.to != w.to || g.cause != w.cause || g.began.Sub(w.began).Abs() > within ||
			g.ended.Sub(w.ended).Abs() > within {
			t.Errorf("%+v\nwant\n%+v", g, w)
		}
	}
}

// withMetrics are the recordings that have metrics.
func withMetrics(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, r := range withPart(t, "openmetrics.txt") {
		out = append(out, r.name)
	}
	return out
}

// TestScrapesFail: neither a scrape that failed nor a kube-state-metrics that moved nor a second replica in the store is anything
// that happened to the cluster. What happened is told as without them.
func TestScrapesFail(t *testing.T) {
	for n, name := range withMetrics(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := recordedDump(t, name)
			base := d.explained(t, nil)
			at := d.scrapes()
			for i, v := range []struct {
				name string
				dump dump
			}{
				{"a scrape in the middle fails", d.failed(at[len(at)/2], 1)},
				{"a scrape fails when most is over", d.failed(at[len(at)*3/4], 1)},
				{"the last scrape fails", d.failed(at[len(at)-1], 1)},
				{"kube-state-metrics moves", d.moved(at[len(at)/2], 1)},
				{"the old and the new one overlap", d.moved(at[len(at)*3/4], -3)},
				{"two replicas, one with a hole",
					d.failed(at[len(at)/2], 3).labelled("prometheus_replica", "a").and(d.labelled("prometheus_replica", "b").later(7 * time.Second))},
			} {
				if i%2 == n%2 && !recordings.Long || (i+n)%2 == 1 {
					continue // the neighbours have it
				}
				t.Run(v.name, func(t *testing.T) {
					r := v.dump.explained(t, nil)
					sameWaits(t, waitsOf(r, ""), waitsOf(base, ""), 2*scrape)
					if got, want := r.Verdict.Status, base.Verdict.Status; got != want {
						t.Errorf("the verdict is %s, want %s", got, want)
					}
				})
			}
		})
	}
}

// TestTwoClustersInOneStore: each cluster is told of by itself, and a healthy one has no incident of the other's.
func TestTwoClustersInOneStore(t *testing.T) {
	names := withMetrics(t)
	for i, name := range names {
		other := names[(i+1)%len(names)]
		if i%3 > 0 {
			continue
		}
		t.Run(name+" and "+other, func(t *testing.T) {
			t.Parallel()
			one, two := recordedDump(t, name), recordedDump(t, other)
			two = two.later(one.scrapes()[0].Sub(two.scrapes()[0]))
			both := one.labelled("cluster", "eu").and(two.labelled("cluster", "us")).explained(t, nil)
			if got := strings.Join(both.Bundle.Clusters, " "); got != "eu us" {
				t.Fatalf("the clusters are %q", got)
			}
			sameWaits(t, waitsOf(both, "eu"), waitsOf(one.explained(t, nil), ""), 0)
			sameWaits(t, waitsOf(both, "us"), waitsOf(two.explained(t, nil), ""), 0)
		})
	}
}

// TestClustersWithoutALabel: what shows two clusters as one is not used.
func TestClustersWithoutALabel(t *testing.T) {
	one, two := recordedDump(t, "out-of-service-v1.30"), recordedDump(t, "slow-stop-v1.30")
	r := one.and(two.later(one.scrapes()[0].Sub(two.scrapes()[0]))).explained(t, nil)
	if len(r.Incidents) > 0 || r.Verdict.Status != model.StatusInsufficient || !hasProblem(r, "two clusters that no label tells apart") {
		t.Errorf("%s with %d incidents, problems %+v", r.Verdict.Status, len(r.Incidents), r.Bundle.Problems)
	}
}

func hasProblem(r *model.Report, text string) bool {
	return slices.ContainsFunc(r.Bundle.Problems, func(p model.Problem) bool { return strings.Contains(p.Message, text) })
}

// TestMetricsOfAnotherCluster: they are named and not used; of a central store those of the bundle's own cluster are.
func TestMetricsOfAnotherCluster(t *testing.T) {
	for _, c := range []struct{ own, other, why string }{
		{"unmount-never-ends", "node-lost-nobody-acts", "the nodes are others"},
		{"unmount-never-ends", "out-of-service-v1.30", "is another machine in each"},
		{"unmount-stuck", "two-incidents", "the nodes are others"},
		{"handover", "many-volumes", "the nodes are others"},
	} {
		t.Run(c.own+" and "+c.other, func(t *testing.T) {
			t.Parallel()
			bundle := files(t, openRecording(t, c.own).last(t).bundle)
			own, other := recordedDump(t, c.own), recordedDump(t, c.other)
			other = other.later(own.scrapes()[0].Sub(other.scrapes()[0]))
			_, alone := explained(t, bundle, "bundle")
			beside := other.explained(t, bundle)
			sameWaits(t, waitsOf(beside, ""), waitsOf(alone, ""), 0)
			if !hasProblem(beside, c.why) {
				t.Errorf("not told: %+v", beside.Bundle.Problems)
			}
			central := own.labelled("cluster", "eu").and(other.labelled("cluster", "us")).explained(t, bundle)
			sameWaits(t, waitsOf(central, ""), waitsOf(own.explained(t, bundle), ""), 0)
			if !hasProblem(central, "the metrics of cluster us are of another cluster") || len(central.Bundle.Clusters) > 0 {
				t.Errorf("not told: %+v", central.Bundle.Problems)
			}
		})
	}
}
