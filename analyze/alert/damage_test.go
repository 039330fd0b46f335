package alert

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/model"
)

// broken is a cluster whose Select fails at a metric: when it is asked for it, or in the middle of its series.
func broken(metric string, inside bool) model.MetricSource {
	src := cluster("tsdb", model.MetricBlock, nil)
	whole := src.Select
	src.Input = "tsdb/index"
	src.Select = func(m []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		damage := model.Damage("block b: " + metric + " cannot be read: checksum mismatch")
		asked := strings.Contains(fmt.Sprint(m), metric)
		if asked && !inside {
			return damage
		}
		return whole(m, from, to, func(l model.Labels, samples model.Samples) error {
			if !asked {
				return each(l, samples)
			}
			return each(l, func(yield func(model.Sample, error) bool) { yield(model.Sample{}, damage) })
		})
	}
	return src
}

// TestDamageIsTold: what a rule selects and cannot be read is a problem that names the block, once, and never "has no series".
func TestDamageIsTold(t *testing.T) {
	const metric = "kube_volumeattachment_status_attached"
	for _, c := range []struct {
		what   string
		source model.MetricSource
		told   []model.Problem // by the bundle already
		want   int
	}{
		{"whole", cluster("tsdb", model.MetricBlock, nil), nil, 0},
		{"the metric", broken(metric, false), nil, 1},
		{"its series", broken(metric, true), nil, 1},
		{"told by the bundle", broken(metric, true),
			[]model.Problem{{Path: "tsdb/index", Message: "block b: " + metric + " cannot be read: checksum mismatch; what else is not known"}}, 0},
	} {
		var l evidence.Ledger
		r := Run(t.Context(), &model.Snapshot{Metrics: []model.MetricSource{c.source}, Problems: c.told}, nil, nil, &l)
		var got []string
		for _, p := range r.Problems {
			if p.Path == "tsdb/index" {
				got = append(got, p.Message)
			}
		}
		if len(got) != c.want || c.want > 0 && !strings.HasPrefix(got[0], "block b: "+metric) {
			t.Errorf("%s: problems %q, want %d", c.what, got, c.want)
		}
		for _, a := range r.Alerts {
			if c.what != "whole" && strings.Contains(a.Expr, metric) && a.Result != resultError && a.Result != resultCannot {
				t.Errorf("%s: %s is %s (%s)", c.what, a.Name, a.Result, a.Note)
			}
			if c.what != "whole" && strings.Contains(a.Note, "no series of "+metric) {
				t.Errorf("%s: %s says %s", c.what, a.Name, a.Note)
			}
		}
	}
}
