package verify_test

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/report/verify"
	"github.com/volpost/volpost/samples"
)

// TestSeries compares what series have shown for a while with what they are read as now.
func TestSeries(t *testing.T) {
	quoted := func(text string) model.Evidence {
		q := mask.Quote(text)
		return model.Evidence{ID: "e-1", Text: q.Text, Truncated: q.Truncated, SHA256: q.SHA256,
			Source: model.Source{Kind: model.SourceMetric, Path: "tsdb", Series: "up", Field: "@1..@9"}}
	}
	long := strings.Repeat("worker-", 300)
	forged, elsewhere := quoted("up 1 @1, 0 @9"), quoted("up 1 @1, 0 @9")
	forged.Text = "up 1 @1, 1 @9"
	elsewhere.Source.Field = "@1..@8"
	for _, c := range []struct {
		name       string
		has, again model.Evidence
		want       verify.What // "" for no difference
	}{
		{"the same", quoted("up 1 @1, 0 @9"), quoted("up 1 @1, 0 @9"), ""},
		{"a quote that is cut", quoted(long + "1"), quoted(long + "1"), ""},
		{"behind the cut, another value", quoted(long + "1"), quoted(long + "2"), verify.Tail},
		{"another value", quoted("up 1 @1, 0 @9"), quoted("up 1 @1, 2 @9"), verify.Changed},
		{"a forged value", forged, quoted("up 1 @1, 0 @9"), verify.Forged},
		{"a forged time", elsewhere, quoted("up 1 @1, 0 @9"), verify.Changed},
		{"none any more", quoted("up 1 @1, 0 @9"), model.Evidence{}, verify.Missing},
	} {
		k := verify.New(&model.Report{Evidence: []model.Evidence{c.has}})
		k.Samples(nil, &model.Report{Evidence: []model.Evidence{c.again}})
		got := k.Differences()
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0].What != c.want) {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

// TestSeriesOfABlock changes each quote of a series that a report has, and wants each to be found.
func TestSeriesOfABlock(t *testing.T) {
	bundle, err := samples.Bundle("drained-apart")
	if err != nil {
		t.Fatal(err)
	}
	r, n := reportOf(t, bundle), 0
	for i, e := range r.Evidence {
		if e.Source.Kind == model.SourceMetric && e.Source.Line == 0 {
			n, r.Evidence[i].Text = n+1, e.Text+"1"
		}
	}
	if got := check(t, r, bundle); len(got) != n || n == 0 || len(r.Series) == 0 {
		t.Errorf("%d quotes of series, %d found to be changed", n, len(got))
	}
}
