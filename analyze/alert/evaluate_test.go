package alert

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"

	"github.com/volpost/volpost/model"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return epoch.Add(time.Duration(n) * time.Minute) }

// upFor is a series that exists in some minutes, both ends included, and is scraped every minute.
func upFor(stretches ...[2]int) model.MetricSource {
	s := timed{labels: series("up", "job", "a")}
	for _, st := range stretches {
		s.stretches = append(s.stretches, stretch{minute(st[0]), minute(st[1] + 1), 1})
	}
	return scraped([]timed{s}, time.Minute)
}

// answeredBy is what a server answers of a source: the values at each step, and no marker where a series ends.
func answeredBy(m model.MetricSource) model.MetricSource {
	whole := m.Select
	m.Form = model.MetricAPI
	m.Select = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return whole(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			return each(l, func(yield func(model.Sample, error) bool) {
				for s, err := range samples {
					if !s.Stale && !yield(s, err) {
						return
					}
				}
			})
		})
	}
	return m
}

func newEvaluator(source model.MetricSource) evaluator {
	return evaluatorOf((&memo{source: source}).get)
}

func (e evaluator) one(r tested, w window) outcome {
	return e.run(context.Background(), []tested{r}, w)[0]
}

// TestEnded: a step of answers without a value ends the series there, in the middle and in the end, and one that was asked for at wider
// steps than others is not cut to pieces.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		minutes []int
		want    string
	}{
		{[]int{1, 2, 5, 6}, "1 2 3- 5 6 7-"},
		{[]int{0, 5, 10, 20}, "0 5 10 15- 20 25-"},
		{[]int{4}, "4 5-"},
		{nil, ""},
	} {
		var points []promql.FPoint
		for _, m := range c.minutes {
			points = append(points, promql.FPoint{T: minute(m).UnixMilli(), F: 1})
		}
		var got []string
		for _, p := range ended(points, time.Minute.Milliseconds()) {
			text := fmt.Sprint(int(instant(p.T).Sub(epoch).Minutes()))
			if value.IsStaleNaN(p.F) {
				text += "-"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
}

// TestStates: the states of an alert follow for and keep_firing_for as Prometheus' do.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		what       string
		up         [][2]int
		hold, keep string
		fired      [][2]int // from and to; -1 for still firing
		pending    bool
	}{
		{what: "at once", up: [][2]int{{5, 7}}, fired: [][2]int{{5, 8}}},
		{what: "after its time", up: [][2]int{{5, 9}}, hold: "3m", fired: [][2]int{{8, 10}}, pending: true},
		{what: "too short", up: [][2]int{{5, 7}}, hold: "3m", pending: true},
		{what: "begins anew after a gap", up: [][2]int{{5, 8}, {10, 13}}, hold: "3m", fired: [][2]int{{8, 9}, {13, 14}}, pending: true},
		{what: "kept over a gap", up: [][2]int{{5, 8}, {10, 13}}, hold: "3m", keep: "2m", fired: [][2]int{{8, 16}}, pending: true},
		{what: "to the end", up: [][2]int{{15, 40}}, hold: "1m", fired: [][2]int{{16, -1}}, pending: true},
		{what: "never"},
	} {
		rule, whole := tested{expr: "up == 1", hold: c.hold, keep: c.keep}, window{minute(0), minute(20), time.Minute}
		o := newEvaluator(upFor(c.up...)).one(rule, whole)
		answers := newEvaluator(answeredBy(upFor(c.up...))).one(rule, whole)
		if !reflect.DeepEqual(o.fired, answers.fired) {
			t.Errorf("%s: over answers it fires %+v, over samples %+v", c.what, answers.fired, o.fired)
		}
		if o.err != nil || o.pending != c.pending || len(o.fired) != len(c.fired) {
			t.Errorf("%s: %+v", c.what, o)
			continue
		}
		for i, f := range o.fired {
			to := -1
			if f.To != nil {
				to = int(f.To.Sub(epoch).Minutes())
			}
			if got := [2]int{int(f.From.Sub(epoch).Minutes()), to}; got != c.fired[i] || f.Labels["job"] != "a" {
				t.Errorf("%s: fired %v, want %v", c.what, got, c.fired[i])
			}
		}
	}
}

// TestHostileRules: what cannot be evaluated says why, within bounds.
func TestHostileRules(t *testing.T) {
	broken := upFor([2]int{0, 20})
	whole := broken.Select
	broken.Select = func(m []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		return whole(m, from, to, func(l model.Labels, s model.Samples) error {
			return each(l, func(yield func(model.Sample, error) bool) {
				for sample, err := range s {
					if !yield(sample, err) {
						return
					}
					yield(model.Sample{}, errors.New("the chunk is damaged"))
					return
				}
			})
		})
	}
	for _, c := range []struct {
		rule   tested
		source model.MetricSource
		want   string
	}{
		{tested{expr: "up =="}, upFor(), "parse error"},
		{tested{expr: "up[5m]"}, upFor(), "needs an instant vector"},
		{tested{expr: `"text"`}, upFor(), "needs an instant vector"},
		{tested{expr: "up", hold: "soon"}, upFor(), "not a valid duration"},
		{tested{expr: "up"}, broken, "the chunk is damaged"},
		{tested{expr: "count_over_time(up[3h:1ms])"}, upFor([2]int{-200, 20}), "subqueries"},
		{tested{expr: strings.Repeat("(", 100_000)}, upFor(), "parse error"},
	} {
		o := newEvaluator(c.source).one(c.rule, window{minute(0), minute(20), 30 * time.Second})
		if o.err == nil || !strings.Contains(o.err.Error(), c.want) {
			t.Errorf("%.40s: %v, want %s", c.rule.expr, o.err, c.want)
		}
	}
}

// TestTimeEndsInSelect: a rule whose series nobody has time to read fails for want of time, and not because of them.
func TestTimeEndsInSelect(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slow := upFor()
	slow.Select = func([]model.Matcher, time.Time, time.Time, func(model.Labels, model.Samples) error) error {
		cancel()
		return context.DeadlineExceeded
	}
	if o := newEvaluator(slow).run(ctx, []tested{{expr: "up"}}, window{minute(0), minute(20), time.Minute}); !errors.Is(o[0].err, errTime) {
		t.Error(o)
	}
}

// TestPopularRulesAreWhatIsSaidOfThem: each parses or not as its text says, and each replacement parses.
func TestPopularRulesAreWhatIsSaidOfThem(t *testing.T) {
	for _, s := range setups() {
		for _, r := range catalogue(s) {
			_, err := parse(r.expr)
			if wrong := strings.Contains(r.flaw, "does not parse"); (err != nil) != wrong {
				t.Errorf("%s %s: %v", r.origin, r.name, err)
			}
			if r.flaw != "" && r.corrected == "" {
				t.Errorf("%s has no replacement", r.name)
			}
		}
	}
}

// TestFailures: a rule ends when each of its evaluations failed, or at one more than so many of more evaluations.
func TestFailures(t *testing.T) {
	fault := errors.New("it is broken")
	for _, c := range []struct{ failed, steps, ends int }{
		{1, 2, -1}, {2, 2, 2}, {maxFailures, maxFailures + 5, -1}, {maxFailures + 1, maxFailures + 5, maxFailures + 1},
	} {
		var o outcome
		ends := -1
		for n := 1; n <= c.failed; n++ {
			if err := o.fail(fault, c.steps); err != nil {
				if ends = n; !errors.Is(err, fault) {
					t.Error(err)
				}
			}
		}
		if ends != c.ends || o.failed != c.failed || o.failure != fault {
			t.Errorf("%d of %d fail: it ends at %d, want %d; %+v", c.failed, c.steps, ends, c.ends, o)
		}
	}
}

// TestGapNote: the first gap has its times, the others are counted.
func TestGapNote(t *testing.T) {
	for _, c := range []struct {
		scrapes []int
		want    string
	}{
		{[]int{0, 1, 2, 3}, ""},
		{[]int{0, 1, 9, 10}, "m has no samples from 00:01:00 to 00:09:00: there nothing is seen, and the time to wait starts again."},
		{[]int{0, 9, 10, 20}, "m has no samples from 00:00:00 to 00:09:00 and in 1 more gap: " +
			"there nothing is seen, and the time to wait starts again."},
	} {
		s := server{MetricSource: model.MetricSource{Path: "m"}, step: time.Minute}
		for _, m := range c.scrapes {
			s.scrapes = append(s.scrapes, minute(m))
		}
		if got := s.gapNote(window{from: minute(0), to: minute(30)}); got != c.want {
			t.Errorf("scrapes at %v: %q, want %q", c.scrapes, got, c.want)
		}
	}
}
