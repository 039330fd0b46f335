package alert

import (
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// stretch is a time in which a series has a value. A value that is NaN is none.
type stretch struct {
	from, to time.Time // from is included, to is not; a zero to is for ever
	value    float64
}

// timed is a series by its stretches; a later one in the list overrides an earlier one.
type timed struct {
	labels    model.Labels
	stretches []stretch
}

// at is the value at a time.
func (s timed) at(t time.Time) (float64, bool) {
	for _, st := range slices.Backward(s.stretches) {
		if !t.Before(st.from) && (st.to.IsZero() || t.Before(st.to)) {
			return st.value, !math.IsNaN(st.value)
		}
	}
	return 0, false
}

// samples are what scrapes at every interval since the Unix epoch see, with a stale marker where the series ends.
func (s timed) samples(from, to time.Time, interval time.Duration) model.Samples {
	return func(yield func(model.Sample, error) bool) {
		t := from.Truncate(interval)
		if t.Before(from) {
			t = t.Add(interval)
		}
		_, present := s.at(t.Add(-interval))
		for ; !t.After(to); t = t.Add(interval) {
			v, now := s.at(t)
			if (now || present) && !yield(model.Sample{At: t, Value: v, Stale: !now}, nil) {
				return
			}
			present = now
		}
	}
}

// scraped makes a source of series.
func scraped(list []timed, interval time.Duration) model.MetricSource {
	slices.SortStableFunc(list, func(a, b timed) int { return a.labels.Compare(b.labels) })
	return model.MetricSource{
		Interval: interval,
		Select: func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
			allowed, err := compile(matchers)
			if err != nil {
				return err
			}
			for _, s := range list {
				if !allowed(s.labels) {
					continue
				}
				if err := each(s.labels, s.samples(from, to, interval)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// compile makes one test of some matchers.
func compile(matchers []model.Matcher) (func(model.Labels) bool, error) {
	tests := make([]func(model.Labels) bool, 0, len(matchers))
	for _, m := range matchers {
		switch m.Type {
		case model.MatchEqual, model.MatchNotEqual:
			tests = append(tests, func(l model.Labels) bool { return (l.Get(m.Name) == m.Value) == (m.Type == model.MatchEqual) })
		default:
			expr, err := regexp.Compile("^(?s:" + m.Value + ")$")
			if err != nil {
				return nil, err
			}
			tests = append(tests, func(l model.Labels) bool { return expr.MatchString(l.Get(m.Name)) == (m.Type == model.MatchRegexp) })
		}
	}
	return func(l model.Labels) bool {
		return !slices.ContainsFunc(tests, func(test func(model.Labels) bool) bool { return !test(l) })
	}, nil
}
