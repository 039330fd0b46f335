package alert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/volpost/volpost/model"
)

// damages collect what of metrics could not be read while rules were run over them. Several goroutines add to them.
type damages struct {
	mu   sync.Mutex
	seen map[string]string // sentences, with the input
}

// maxDamages bounds how many are reported.
const maxDamages = 20

// watched are sources whose errors are noted, by all that select from them.
func (d *damages) watched(all []model.MetricSource) []model.MetricSource {
	out := slices.Clone(all)
	for i, m := range all {
		for _, s := range []*selector{&out[i].Select, &out[i].Scraped} {
			if *s != nil {
				*s = d.noted(m.Input, *s)
			}
		}
	}
	return out
}

type selector = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error

func (d *damages) noted(input string, whole selector) selector {
	return func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		err := whole(matchers, from, to, func(l model.Labels, samples model.Samples) error {
			return each(l, func(yield func(model.Sample, error) bool) {
				for s, err := range samples {
					d.note(input, err)
					if !yield(s, err) {
						return
					}
				}
			})
		})
		d.note(input, err)
		return err
	}
}

func (d *damages) note(input string, err error) {
	if !damaged(err) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for text := range strings.Lines(err.Error()) { // several are joined by lines
		d.seen[strings.TrimSpace(text)] = input
	}
}

// damaged reports that an error is of what could not be read.
func damaged(err error) bool { return err != nil && errors.As(err, new(model.Damage)) }

// problems are those that are not reported yet.
func (d *damages) problems(reported []model.Problem) []model.Problem {
	var out []model.Problem
	for text, input := range d.seen {
		if !slices.ContainsFunc(reported, func(p model.Problem) bool { return strings.HasPrefix(p.Message, text) }) {
			out = append(out, model.Problem{Severity: model.Warning, Path: input, Message: text + "; what rules over it show is not known"})
		}
	}
	slices.SortFunc(out, func(a, b model.Problem) int { return strings.Compare(a.Path+a.Message, b.Path+b.Message) })
	if more := len(out) - maxDamages; more > 0 {
		out = append(out[:maxDamages], model.Problem{Severity: model.Warning, Path: out[maxDamages].Path,
			Message: fmt.Sprintf("%d more series that rules select cannot be read", more)})
	}
	return out
}
