package facts

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

// The middle of two samples is not before what the kubelet did to the pod between them, nor is it after the second sample.
func TestEndOfAPodBetweenSamples(t *testing.T) {
	at := func(second int64) model.Moment { return model.Exactly(time.Unix(1785600000+second, 0).UTC()) }
	sampled := model.Between(at(10).At, at(20).At)
	for _, c := range []struct {
		name string
		gone model.Moment
		kind model.Kind
		uid  string
		told model.Moment
		want int64
	}{
		{"it is stopped after the middle", sampled, model.PodKilling, "u-1", at(18), 18},
		{"before the middle", sampled, model.PodKilling, "u-1", at(12), 15},
		{"after the second sample", sampled, model.ContainerDied, "u-1", at(21), 15},
		{"the next of the name", sampled, model.PodReady, "u-2", at(18), 15},
		{"either of the name", sampled, model.PodReady, "", at(18), 15},
		{"a moment that is less exact", sampled, model.PodReady, "u-1", at(18).Widen(9*time.Second, 9*time.Second), 15},
		{"its volume only", sampled, model.UnmountSucceeded, "u-1", at(18), 15},
		{"an exact end", at(15), model.ContainerDied, "u-1", at(18), 15},
	} {
		all := []model.Observation{
			{Kind: model.PodGone, Pod: model.PodRef("ns", "p", "u-1"), At: c.gone, Source: model.Source{Kind: model.SourceMetric}},
			{Kind: c.kind, Pod: model.PodRef("ns", "p", c.uid), At: c.told},
		}
		got := endInOrder(all)[0].At
		if want := at(c.want).At; !got.At.Equal(want) || got.Earliest != c.gone.Earliest || got.Latest != c.gone.Latest {
			t.Errorf("%s: gone at %+v, want %s", c.name, got, want)
		}
		if !all[0].At.At.Equal(c.gone.At) {
			t.Errorf("%s: the bundle's own statement changed", c.name)
		}
	}
}
