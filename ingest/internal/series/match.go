package series

import (
	"fmt"
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/volpost/volpost/model"
)

// compile makes Prometheus' matchers.
func compile(matchers []model.Matcher) ([]*labels.Matcher, error) {
	kinds := []model.MatchType{model.MatchEqual, model.MatchNotEqual, model.MatchRegexp, model.MatchNotRegexp} // as labels.MatchType counts
	out := make([]*labels.Matcher, len(matchers))
	for i, m := range matchers {
		kind := slices.Index(kinds, m.Type)
		if kind < 0 {
			return nil, fmt.Errorf("%q compares no labels", m.Type)
		}
		var err error
		if out[i], err = labels.NewMatcher(labels.MatchType(kind), m.Name, m.Value); err != nil {
			return nil, fmt.Errorf("the expression of %s%s%q cannot be read: %w", m.Name, m.Type, m.Value, err)
		}
	}
	return out, nil
}

// allow reports whether labels pass all matchers.
func allow(matchers []*labels.Matcher, l model.Labels) bool {
	return !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(l.Get(m.Name)) })
}
