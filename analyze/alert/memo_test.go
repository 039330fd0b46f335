package alert

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/volpost/volpost/model"
)

// ofPods is a source of up for some pods, scraped twice a minute for six hours.
func ofPods(n int) model.MetricSource {
	list := make([]timed, n)
	for i := range list {
		list[i] = timed{series("up", "namespace", fmt.Sprint("team-", i%50), "pod", fmt.Sprint("app-", i)),
			[]stretch{{minute(0), minute(360), 1}}}
	}
	return scraped(list, 30*time.Second)
}

// TestMemoSize: a series takes little more than its samples and its labels, and a memo knows how much it takes.
func TestMemoSize(t *testing.T) {
	const n, perSeries = 2000, 1300
	source := ofPods(n)
	m := &memo{source: source}
	before := alive()
	_, err := m.get([]*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, model.MetricName, "up")}, minute(0), minute(360))
	if err != nil {
		t.Fatal(err)
	}
	took := alive() - before
	t.Logf("%d bytes for each series, by its own count %d", took/n, m.bytes/n)
	if took/n > perSeries {
		t.Errorf("a series takes %d bytes, at most %d are wanted", took/n, perSeries)
	}
	if took > 13*m.bytes/10 {
		t.Errorf("%d bytes are taken, %d are counted", took, m.bytes)
	}
	runtime.KeepAlive(m)
	runtime.KeepAlive(source)
}

// alive is how many bytes are in use.
func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestPieces: a query has as many evaluations as the one before it told, so that none is given up for the samples that it has in memory.
func TestPieces(t *testing.T) {
	const n = 20_000
	e := newEvaluator(ofPods(n))
	e.engine = promql.NewEngine(promql.EngineOpts{MaxSamples: usualSamples * 11 / 10, Timeout: noTimeout, LookbackDelta: maxLookback,
		Parser: parser.NewParser(parser.Options{})})
	if o := e.one(tested{expr: "max by (pod) (up) > 1"}, window{minute(10), minute(70), 30 * time.Second}); o.err != nil || o.failed > 0 {
		t.Error(o.err, o.failure)
	}
}

// TestMemoShared: rules that look at one metric select it once.
func TestMemoShared(t *testing.T) {
	source, selected := upFor([2]int{0, 30}), 0
	whole := source.Select
	source.Select = func(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
		selected++
		return whole(matchers, from, to, each)
	}
	m := memo{source: source, from: minute(5).Add(-maxLookback), to: minute(25)}
	for _, o := range evaluatorOf(m.get).all(t.Context(), []tested{{expr: "up == 1"}, {expr: "up > 0"}}, window{minute(5), minute(25), time.Minute}) {
		if len(o.fired) != 1 {
			t.Errorf("fired %v, %v", o.fired, o.err)
		}
	}
	if selected != 1 {
		t.Errorf("selected %d times", selected)
	}
}

// TestDamageIsReadOnce: what cannot be read is not read again for the next rule, unless it wants another stretch.
func TestDamageIsReadOnce(t *testing.T) {
	reads, damage := 0, model.Damage("the chunk is damaged")
	m := &memo{lost: damages{}, source: model.MetricSource{Select: func([]model.Matcher, time.Time, time.Time, func(model.Labels, model.Samples) error) error {
		reads++
		return damage
	}}}
	up := []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, model.MetricName, "up")}
	for _, c := range []struct{ to, want int }{{10, 1}, {5, 1}, {20, 2}} {
		if list, err := m.get(up, minute(0), minute(c.to)); list != nil || err != damage || reads != c.want {
			t.Errorf("to %d: %v, %v, read %d times", c.to, list, err, reads)
		}
	}
}
