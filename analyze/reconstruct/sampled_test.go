package reconstruct

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// A wider bound of what another source of samples bounds more narrowly is not used: not of something else, not what lies beside it, and
// not when the narrower source ends long before.
func TestFinerSamples(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(1785600000+int64(second), 0).UTC() }
	said := func(pod, uid, detail string, from, to, last int) model.Observation {
		return model.Observation{
			Kind: model.PodNotReady, Pod: model.PodRef("n", pod, uid), Detail: detail, Source: model.Source{Kind: model.SourceMetric},
			At: model.Between(at(from), at(to)), Last: model.Moment{At: at(last), Earliest: at(last), Latest: at(last)},
		}
	}
	narrow := said("p", "1", "d", 100, 130, 130)
	for _, c := range []struct {
		what  string
		wide  model.Observation
		finer bool
	}{
		{"a step of five minutes", said("p", "1", "d", 0, 300, 300), true},
		{"the same bound", said("p", "1", "d", 100, 130, 130), false},
		{"another pod", said("q", "1", "d", 0, 300, 300), false},
		{"another pod of the name", said("p", "2", "d", 0, 300, 300), false},
		{"something else of it", said("p", "1", "e", 0, 300, 300), false},
		{"later", said("p", "1", "d", 110, 300, 300), false},
		{"earlier", said("p", "1", "d", 0, 120, 120), false},
		{"what goes on after the narrower source", said("p", "1", "d", 0, 300, 500), false},
	} {
		all := []model.Observation{narrow, c.wide}
		if got := newFiner(all).again(&all[1]); (got == &all[0]) != c.finer {
			t.Errorf("%s: %+v", c.what, got)
		}
		if got := newFiner(all).again(&all[0]); got != nil {
			t.Errorf("%s: the narrower one gives way to %+v", c.what, got)
		}
	}
}
