package alert

import (
	"errors"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// damages are what of metrics could not be read while rules were run over them: sentences, with the input.
type damages map[string]string

func (d damages) note(input string, err error) {
	if damaged(err) {
		for text := range strings.Lines(err.Error()) { // several are joined by lines
			d[strings.TrimSpace(text)] = input
		}
	}
}

// damaged reports that an error is of what could not be read.
func damaged(err error) bool { return err != nil && errors.As(err, new(model.Damage)) }

// problems are those that are not reported yet.
func (d damages) problems(reported []model.Problem) []model.Problem {
	var out []model.Problem
	for text, input := range d {
		if !slices.ContainsFunc(reported, func(p model.Problem) bool { return strings.HasPrefix(p.Message, text) }) {
			out = append(out, model.Problem{Severity: model.Warning, Path: input, Message: text + "; what rules over it show is not known"})
		}
	}
	slices.SortFunc(out, func(a, b model.Problem) int { return strings.Compare(a.Path+a.Message, b.Path+b.Message) })
	return out
}
