package alert

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// overlay is what recording rules made, by metric. It hides the source's series of that name: the rules given are run, not the server's.
type overlay map[string][]*packed

// of are the series that matchers allow, where they name a recorded metric; false where they name none.
func (o overlay) of(matchers []*labels.Matcher) ([]*packed, bool) {
	i := slices.IndexFunc(matchers, func(m *labels.Matcher) bool { return m.Name == model.MetricName && m.Type == labels.MatchEqual })
	if i < 0 {
		return nil, false
	}
	all, ok := o[matchers[i].Value]
	return allowed(all, matchers), ok
}

// has reports that a rule records a metric.
func (o overlay) has(name string) bool {
	_, ok := o[name]
	return ok
}
