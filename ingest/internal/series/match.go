package series

import (
	"fmt"
	"regexp"

	"github.com/volpost/volpost/model"
)

// test is a compiled matcher.
type test struct {
	model.Matcher
	exp *regexp.Regexp
}

// compile makes the tests of some matchers.
func compile(matchers []model.Matcher) ([]test, error) {
	out := make([]test, len(matchers))
	for i, m := range matchers {
		out[i].Matcher = m
		switch m.Type {
		case model.MatchEqual, model.MatchNotEqual:
		case model.MatchRegexp, model.MatchNotRegexp:
			exp, err := regexp.Compile("^(?s:" + m.Value + ")$")
			if err != nil {
				return nil, fmt.Errorf("the expression of %s%s%q cannot be read: %w", m.Name, m.Type, m.Value, err)
			}
			out[i].exp = exp
		default:
			return nil, fmt.Errorf("%q compares no labels", m.Type)
		}
	}
	return out, nil
}

// allow reports whether labels pass all tests.
func allow(tests []test, l model.Labels) bool {
	for _, t := range tests {
		value, pass := l.Get(t.Name), false
		switch t.Type {
		case model.MatchEqual:
			pass = value == t.Value
		case model.MatchNotEqual:
			pass = value != t.Value
		case model.MatchRegexp:
			pass = t.exp.MatchString(value)
		case model.MatchNotRegexp:
			pass = !t.exp.MatchString(value)
		}
		if !pass {
			return false
		}
	}
	return true
}
