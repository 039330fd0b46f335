package verify_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/report/verify"
	"github.com/volpost/volpost/samples"
)

// scraped is a source with one series; a value "stale" ends it, and "-" is a scrape that is missing.
func scraped(node, values string) model.MetricSource {
	labels := model.Labels{{Name: model.MetricName, Value: "up"}, {Name: "node", Value: node}}
	return model.MetricSource{Path: "tsdb", Select: func(by []model.Matcher, _, _ time.Time, each func(model.Labels, model.Samples) error) error {
		if by[0].Value != "up" {
			return nil
		}
		return each(labels, func(yield func(model.Sample, error) bool) {
			for i, v := range strings.Fields(values) {
				s := model.Sample{At: time.UnixMilli(1_700_000_000_062 + int64(i)*15_000), Stale: v == "stale"}
				if _, err := fmt.Sscan(v, &s.Value); err != nil && !s.Stale {
					continue
				}
				if !yield(s, nil) {
					return
				}
			}
		})
	}}
}

// cited is a report that quotes the series, with the samples of the given scrapes.
func cited(node string, from, to int, runs ...[3]int) *model.Report {
	at := func(i int) time.Time { return time.UnixMilli(1_700_000_000_062 + int64(i)*15_000) }
	stamp := func(i int) string { return fmt.Sprintf("@%d.%03d", at(i).Unix(), at(i).UnixMilli()%1000) }
	var parts []string
	series := model.MetricSeries{Evidence: []string{"e-1"}}
	for _, r := range runs { // value, first, last
		parts = append(parts, fmt.Sprint(r[0], " ", stamp(r[1])))
		if r[2] > r[1] {
			parts = append(parts, fmt.Sprint(r[0], " ", stamp(r[2])))
		}
		series.Runs = append(series.Runs, model.MetricRun{From: at(r[1]), To: at(r[2]), Value: float64(r[0])})
	}
	name := `up{node="` + node + `"}`
	q := mask.Quote(name + " " + strings.Join(parts, ", "))
	return &model.Report{Series: []model.MetricSeries{series}, Evidence: []model.Evidence{{ID: "e-1", Text: q.Text, Truncated: q.Truncated, SHA256: q.SHA256,
		Source: model.Source{Kind: model.SourceMetric, Path: "tsdb", Series: name, Field: stamp(from) + ".." + stamp(to)}}}}
}

// TestSeries compares what series have shown for a while, and finds each sample that is another.
func TestSeries(t *testing.T) {
	long := strings.Repeat("worker-", 300)
	ready := [][3]int{{1, 1, 3}, {0, 4, 4}, {1, 5, 6}, {1, 8, 9}} // a scrape is missing between the last two
	forged := func(change func(e *model.Evidence)) *model.Report {
		r := cited("a", 1, 9, ready...)
		change(&r.Evidence[0])
		return r
	}
	for _, c := range []struct {
		name   string
		r      *model.Report
		source model.MetricSource
		want   verify.What // "" for no difference
	}{
		{"the same", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), ""},
		{"it has ended between", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 0 1 1 stale 1 1 5"), ""},
		{"no runs beside it", func() *model.Report { r := cited("a", 1, 9, ready...); r.Series = nil; return r }(),
			scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), ""},
		{"a quote that is cut", cited(long, 1, 9, ready...), scraped(long, "5 1 1 1 0 1 1 - 1 1 5"), ""},
		{"behind the cut, another value", cited(long, 1, 9, ready...), scraped(long, "5 1 1 1 0 1 1 - 1 2 5"), verify.Tail},
		{"a quoted value", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 1 1 1 - 1 1 5"), verify.Changed},
		{"a little", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 0.001 1 1 - 1 1 5"), verify.Changed},
		{"a value within a run", cited("a", 1, 9, ready...), scraped("a", "5 1 0 1 0 1 1 - 1 1 5"), verify.Changed},
		{"the first", cited("a", 1, 9, ready...), scraped("a", "5 - 1 1 0 1 1 - 1 1 5"), verify.Changed},
		{"the last", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 0 1 1 - 1 - 5"), verify.Changed},
		{"another between", cited("a", 1, 9, ready...), scraped("a", "5 1 1 1 0 1 1 3 1 1 5"), verify.Changed},
		{"none any more", cited("a", 1, 9, ready...), scraped("a", "5"), verify.Changed},
		{"another series", cited("a", 1, 9, ready...), scraped("b", "5 1 1 1 0 1 1 - 1 1 5"), verify.Missing},
		{"a forged value", forged(func(e *model.Evidence) { e.Text = strings.Replace(e.Text, " 0 @", " 1 @", 1) }),
			scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), verify.Forged},
		{"a forged time", forged(func(e *model.Evidence) { e.Source.Field = strings.Replace(e.Source.Field, "@17", "@18", 1) }),
			scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), verify.Changed},
		{"where it became another is left out", cited("a", 1, 6, [3]int{1, 1, 3}, [3]int{0, 6, 6}), scraped("a", "5 1 1 1 0 0 0 5"), verify.Changed},
		{"where it was one for the last time is left out", cited("a", 1, 6, [3]int{1, 1, 1}, [3]int{0, 4, 6}), scraped("a", "5 1 1 1 0 0 0 5"),
			verify.Changed},
		{"a time in another form", forged(func(e *model.Evidence) {
			e.Source.Field = strings.Replace(e.Source.Field, "@1700000015.", "@170.0000015", 1)
		}),
			scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), verify.Missing},
		{"no time", forged(func(e *model.Evidence) { e.Source.Field = ".." }), scraped("a", "5 1 1 1 0 1 1 - 1 1 5"), verify.Missing},
	} {
		k := verify.New(c.r)
		k.Metrics([]model.MetricSource{{Path: "tsdb"}, c.source})
		got := k.Differences()
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].What != c.want) {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

// TestSeriesOfABlock changes each sample that a report quotes of a block, and wants each to be found.
func TestSeriesOfABlock(t *testing.T) {
	bundle, err := samples.Bundle("drained-apart")
	if err != nil {
		t.Fatal(err)
	}
	r := reportOf(t, bundle)
	opened := ingest.OpenFS(bundle, "bundle")
	defer opened.Close()
	snapshot, err := ingest.Read(t.Context(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for i, m := range snapshot.Metrics {
		snapshot.Metrics[i].Select = func(by []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
			return m.Select(by, from, to, func(l model.Labels, list model.Samples) error {
				return each(l, func(yield func(model.Sample, error) bool) {
					for s, err := range list {
						if s.Value++; !yield(s, err) {
							return
						}
					}
				})
			})
		}
	}
	k := verify.New(r)
	k.Metrics(snapshot.Metrics)
	for _, d := range k.Differences() {
		found[d.Evidence] = d.What == verify.Changed && d.Found != "" && d.Found != d.Quoted
	}
	n := 0
	for _, s := range r.Series {
		for _, id := range s.Evidence {
			if n++; !found[id] {
				t.Errorf("%s is not found to be changed: %s", id, s.Series)
			}
		}
	}
	if n == 0 {
		t.Error("no quote of a series")
	}
}
