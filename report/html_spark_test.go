package report

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// A run is a level line, a single sample a dot, and between runs there is nothing.
func TestSpark(t *testing.T) {
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	s := model.MetricSeries{About: "Ready of the old node", Metric: "kube_node_status_condition", Runs: []model.MetricRun{
		{From: at(0), To: at(30), Value: 1, Samples: 3}, {From: at(60), To: at(60), Value: 0, Samples: 1}, {From: at(500), To: at(600), Value: 1, Samples: 9}}}
	line := newSpark(s, at(0), at(100), at(50))
	if len(line.Steps) != 2 || line.Samples != 13 {
		t.Fatalf("%+v", line)
	}
	if got := line.Steps[0]; got != (sparkStep{From: 0, To: 0.3, Y: sparkTop}) {
		t.Errorf("the run is %+v", got)
	}
	if got := line.Steps[1]; got != (sparkStep{From: 0.6, To: 0.6, Y: sparkBottom, Single: true}) {
		t.Errorf("the single sample is %+v", got)
	}
	if want := "1 from T−00:50.0 to T−00:20.0, 0 at T+00:10.0"; line.Spoken != want {
		t.Errorf("%q, want %q", line.Spoken, want)
	}
}

// A series stands with its incident, and its samples lead back to it.
func TestSparksInPage(t *testing.T) {
	r := rich()
	r.Series = []model.MetricSeries{{Incident: r.Incidents[0].ID, About: "Ready <of> the old node", Metric: "m", Evidence: []string{"e6"}, Runs: []model.MetricRun{
		{From: start, To: start.Add(300 * time.Second), Value: 1, Samples: 11}}}}
	page := render(t, "html", r)
	containsAll(t, page, `<tr id="incident-i1-series-1">`, `Ready &lt;of&gt; the old node`, `<a href="#incident-i1-series-1">`)
}
