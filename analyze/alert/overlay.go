package alert

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"

	"github.com/volpost/volpost/model"
)

// overlay is what recording rules made, by metric. It hides the source's series of that name: the rules given are run, not the server's.
type overlay struct {
	series map[string][]storage.Series
}

func (o *overlay) put(name string, list []storage.Series) {
	if o.series == nil {
		o.series = map[string][]storage.Series{}
	}
	o.series[name] = append(o.series[name], list...)
}

// of are the series that matchers allow, where they name a recorded metric; false where they name none.
func (o *overlay) of(matchers []*labels.Matcher) ([]storage.Series, bool) {
	i := slices.IndexFunc(matchers, func(m *labels.Matcher) bool { return m.Name == model.MetricName && m.Type == labels.MatchEqual })
	if i < 0 {
		return nil, false
	}
	all, ok := o.series[matchers[i].Value]
	if !ok {
		return nil, false
	}
	var out []storage.Series
	for _, s := range all {
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(s.Labels().Get(m.Name)) }) {
			out = append(out, s)
		}
	}
	return out, true
}

// has reports that a rule records a metric.
func (o *overlay) has(name string) bool {
	_, ok := o.series[name]
	return ok
}
