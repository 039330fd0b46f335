package alert

import "github.com/prometheus/prometheus/model/labels"

// overlay is what recording rules made, by metric. It hides the source's series of that name: the rules given are run, not the server's.
type overlay map[string][]*packed

// of are the series that matchers allow, where they name a recorded metric; false where they name none.
func (o overlay) of(matchers []*labels.Matcher) ([]*packed, bool) {
	name, _ := metricIn(matchers)
	all, ok := o[name]
	return allowed(all, matchers), ok
}

// has reports that a rule records a metric.
func (o overlay) has(name string) bool {
	_, ok := o[name]
	return ok
}
