package html

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// chartsOf are the charts of a report's incidents that are told in full.
func chartsOf(t *testing.T, r *model.Report) []htmlIncident {
	t.Helper()
	p, err := newHTMLPage(view.New(r), budgetFor(len(r.Incidents)))
	if err != nil {
		t.Fatal(err)
	}
	var out []htmlIncident
	for _, g := range p.Story {
		for _, in := range g.Incidents {
			if in.Chart != nil {
				out = append(out, in)
			}
		}
	}
	return out
}

// truthTimes are the instants of an affected volume that were measured at the API server.
type truthTimes struct {
	PV, NewNode, BlockingVA, NewVA, OldPodUID, NewPodUID string
	Times                                                map[string]*time.Time
}

// A state begins and ends where the API server saw it, as far as events are cut to a second; where it is not told it is unknown or
// not there, and never another state.
func TestChartAgreesWithTheTruth(t *testing.T) {
	right := 0
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) { right += chartAgrees(t, s.Name, samples.Bundle, samples.Truth) })
	}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		t.Run("played "+name, func(t *testing.T) { right += chartAgrees(t, name, recordings.Bundle, recordings.Truth) })
	}
	if t.Logf("%d states right", right); right < 12 || recordings.Long && right < 180 {
		t.Errorf("only %d states are told", right)
	}
}

// reports are those of the bundles that were read, for tests that run several times.
var reports = map[string]*model.Report{}

func chartAgrees(t *testing.T, name string, bundleOf func(string) (fs.FS, error), truthOf func(string) ([]byte, error)) (right int) {
	t.Helper()
	bundle, err := bundleOf(name)
	if err != nil {
		t.Fatal(err)
	}
	report := reports[name]
	if report == nil {
		opened := ingest.OpenFS(bundle, name)
		defer opened.Close()
		snapshot, err := ingest.Read(t.Context(), opened, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report = analyze.Run(t.Context(), snapshot, analyze.Options{})
		reports[name] = report
	}
	text, err := truthOf(name)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Affected []truthTimes }
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	for _, in := range chartsOf(t, report) {
		checkChart(t, in.Chart)
		for _, a := range truth.Affected {
			if a.PV == in.Volume.PersistentVolume && a.NewNode == in.To.Node {
				right += rowsAgree(t, in, a)
			}
		}
	}
	return right
}

// around is an instant of the truth with the words that a row must not have before it, and after.
type around struct{ at, role, uid, before, after string }

func rowsAgree(t *testing.T, in htmlIncident, a truthTimes) (right int) {
	t.Helper()
	checks := []around{
		{"nodeNotReady", "Old node", "", "NotReady", "Ready|heard of|unreachable"},
		{"nodeReadyAgain", "Old node", "", "Ready", "NotReady"},
		{"nodeObjectGone", "Old node", "", "deleted", "Ready|unreachable|heard of"},
		{"oldPodDeleteRequested", "Old pod", a.OldPodUID, "Terminating", "Ready|not Ready|scheduled|created"},
		{"oldPodGone", "Old pod", a.OldPodUID, "gone", "Ready|not Ready|scheduled|created|Terminating"},
		{"newVAAttached", a.NewVA, "", "attached", "attaching|-"},
		{"newPodReady", "New pod", a.NewPodUID, "Ready", "waits for the volume|starts|-"},
		{"newPodCreated", "New pod", a.NewPodUID, "created|scheduled|waits for the volume|Ready", "gone"},
	}
	if len(in.BlockingAttachment.Lives) < 2 {
		checks = append(checks, around{"oldVADeletionTimestamp", a.BlockingVA, "", "being deleted",
			"attached|attached, blocking|holds the volume, blocking"},
			around{"oldVAGone", a.BlockingVA, "", "gone", "being deleted|attached|attached, blocking|holds the volume, blocking"})
	}
	const slack = 2 * time.Second
	for _, c := range checks {
		at := a.Times[c.at]
		row := slices.IndexFunc(in.Chart.Rows, func(r chartRow) bool {
			return (r.Role == c.role || r.Full == c.role) && (c.uid == "" || r.Object.UID == "" || r.Object.UID == c.uid)
		})
		if at == nil || row < 0 || at.Add(-slack).Before(in.Chart.from) || at.Add(slack).After(in.Span.To.At) {
			continue
		}
		before, after := in.Chart.Rows[row].wordAt(in.Chart.ms(at.Add(-slack))), in.Chart.Rows[row].wordAt(in.Chart.ms(at.Add(slack)))
		if slices.Contains(strings.Split(c.before, "|"), before) {
			t.Errorf("%s: two seconds before %s the row %s says %q", in.Title, c.at, c.role, before)
		}
		if r := in.Chart.Rows[row]; c.at == "oldPodDeleteRequested" && !r.has("Terminating") && r.has("gone") {
			continue // as in the film's test: of a pod that a drain deletes nothing has the deletion. A Killing may be a failed probe's, too
		}
		if slices.Contains(strings.Split(c.after, "|"), after) {
			t.Errorf("%s: two seconds after %s the row %s says %q", in.Title, c.at, c.role, after)
		}
		if after != "-" && after != notReported {
			right++
		}
	}
	return right
}

// has reports whether a row shows a word at any time.
func (r chartRow) has(word string) bool {
	return slices.ContainsFunc(r.Bars, func(b chartBar) bool { return b.Word == word })
}

// wordAt is what a row shows at an instant, or "-".
func (r chartRow) wordAt(ms int64) string {
	word := "-"
	for _, b := range r.Bars {
		if b.From <= ms && ms < b.To {
			word = b.Word
		}
	}
	return word
}

// checkChart: bars are in view and in order, and each has a word; the clock has at least six times.
func checkChart(t *testing.T, c *chart) {
	t.Helper()
	if len(c.Ticks) < 6 || len(c.Ticks) > 20 {
		t.Errorf("%s has %d ticks", c.ID, len(c.Ticks))
	}
	written := 0.0
	for _, tick := range c.Ticks {
		wide := letter * float64(len(tick.Text))
		from := tick.Share - map[string]float64{"start": 0, "middle": wide / 2, "end": wide}[tick.Anchor]
		if tick.Text != "" && from < written-0.002 {
			t.Errorf("%s: %s runs into the time before it", c.ID, tick.Text)
		}
		if tick.Text != "" {
			written = from + wide
		}
	}
	for _, r := range c.Rows {
		end := int64(-1 << 60)
		for _, b := range r.Bars {
			if b.X < 0 || b.Wide <= 0 || b.X+b.Wide > 1.0001 || b.To < b.From || b.From < end {
				t.Errorf("%s, %s %s: the bar %+v", c.ID, r.Role, r.Name, b)
			}
			if b.Word == "" || b.Tip == "" {
				t.Errorf("%s, %s: a bar has no word", c.ID, r.Role)
			}
			if r.Kind != "phases" && r.Kind != "metric" {
				end = b.To
			}
		}
		if len(r.Words) == 0 {
			t.Errorf("%s: the row %s is not told in words", c.ID, r.Role)
		}
	}
}

// row is the first row of a role.
func (c *chart) row(role string) chartRow {
	if i := slices.IndexFunc(c.Rows, func(r chartRow) bool { return r.Role == role }); i >= 0 {
		return c.Rows[i]
	}
	return chartRow{}
}

func wordsOf(r chartRow) string {
	var out []string
	for _, w := range r.Words {
		out = append(out, strings.TrimSpace(w.Time+" "+w.Text))
	}
	return strings.Join(out, "; ")
}

// Of what no event tells nothing is drawn but the hatch; what an event tells of begins there.
func TestUnknownStaysUnknown(t *testing.T) {
	c := chartsOf(t, rich())[0].Chart
	for role, want := range map[string]string{"Old pod": "unknown", "Old node": "unknown; 06:06:51 heard of; 06:07:31 NotReady"} {
		if got := c.row(role); wordsOf(got) != want || got.Bars[0].Look != lookUnknown {
			t.Errorf("the row %s is %+v, want %q", role, got.Bars, want)
		}
	}
	pod := model.PodRef("shop", "orders-db-56659c7b56-lp2jr", "db9ca7e0-b36b-46df-a147-b835d73e3e1e")
	r := rich()
	deleted := at(341)
	l := slices.IndexFunc(r.Incidents[0].Lanes, func(l model.Lane) bool { return l.Object == pod })
	r.Incidents[0].Lanes[l].States = []model.LaneState{{Word: model.StateTerminating, From: &deleted}}
	r.Graph.Nodes[1].UID = pod.UID
	if got := wordsOf(chartsOf(t, r)[0].Chart.row("Old pod")); got != "unknown; 06:12:32 Terminating or gone" {
		t.Errorf("a pod whose end nothing tells: %s", got)
	}
	r.Graph.Nodes[1].State = "Terminating"
	if got := wordsOf(chartsOf(t, r)[0].Chart.row("Old pod")); got != "unknown; 06:12:32 Terminating" {
		t.Errorf("a pod that is there still: %s", got)
	}
}

// The rows of a StatefulSet whose pod comes back under its name, word for word: a state that several sources tell of begins once.
func TestChartWords(t *testing.T) {
	bundle, err := samples.Bundle("statefulset")
	if err != nil {
		t.Fatal(err)
	}
	opened := ingest.OpenFS(bundle, "statefulset")
	defer opened.Close()
	snapshot, err := ingest.Read(t.Context(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := chartsOf(t, analyze.Run(t.Context(), snapshot, analyze.Options{}))[0].Chart
	for role, want := range map[string]string{
		"Old node": "Ready; about 15:27:56 unreachable; 15:28:49 NotReady",
		"Attachment to worker-2": "unknown; 15:27:18 attaching; 15:27:20 attached; 15:31:56 attached, blocking; 15:37:54 being deleted; " +
			"15:37:56 gone",
		"New pod": "not created yet; 15:31:55 created; 15:31:56 waits for the volume; 15:37:57 starts; 15:38:01 Ready",
	} {
		if got := wordsOf(c.row(role)); got != want {
			t.Errorf("%s: %s, want %s", role, got, want)
		}
	}
}

// Acts and alerts are marks with numbers, which their words repeat; those that lie too close together are one mark.
func TestChartMarks(t *testing.T) {
	r := rich()
	one, end := r.Incidents[0].ID, start.Add(700*time.Second)
	r.Alerts = []model.Alert{
		{Name: "Silent", Origin: "seed", Expr: "up", Result: "never"},
		{Name: "MultiAttachWait", Origin: "builtin", Expr: "x", Result: "fired", Note: "synthesised", Firings: []model.Firing{
			{From: start.Add(420 * time.Second), To: &end, Incident: &one}, {From: start.Add(424 * time.Second), Incident: &one},
			{From: start.Add(650 * time.Second)}}},
	}
	r.Timeline = append(r.Timeline,
		model.TimelineItem{ID: "act", At: at(500), Kind: model.InferredAction, By: model.ByPerson, Text: "somebody deleted the pod",
			Incidents: []string{one}, Evidence: []string{"e1"}})
	c := chartsOf(t, r)[0].Chart
	alerts, acts := c.row("Alerts"), c.row("Operator actions")
	if len(alerts.Marks) != 1 || alerts.Marks[0].Label != "1–2" ||
		wordsOf(alerts) != "06:13:51 MultiAttachWait (recommended), until 06:18:31; 06:13:55 MultiAttachWait (recommended)" {
		t.Errorf("alerts: %+v, %s", alerts.Marks, wordsOf(alerts))
	}
	if len(acts.Marks) != 1 || acts.Marks[0].Label != "1" || wordsOf(acts) != "06:15:11 somebody deleted the pod" ||
		acts.Words[0].Href != "timeline-act" {
		t.Errorf("acts: %+v, %s", acts.Marks, wordsOf(acts))
	}
}

// A series is a row of runs; between two runs nothing is drawn. Its evidence leads back to it.
func TestChartMetrics(t *testing.T) {
	r := rich()
	r.Series = []model.MetricSeries{{Incident: r.Incidents[0].ID, About: "Ready <of> the old node", Metric: "m", Evidence: []string{"e6"},
		Runs: []model.MetricRun{
			{From: start, To: start.Add(300 * time.Second), Value: 1, Samples: 11},
			{From: start.Add(400 * time.Second), To: start.Add(400 * time.Second), Value: 0, Samples: 1}}}}
	row := chartsOf(t, r)[0].Chart.row("Metric")
	if len(row.Bars) != 2 || row.Bars[0].Word != "1" || row.Bars[1].Wide != chartLeast || row.Bars[0].X+row.Bars[0].Wide > row.Bars[1].X {
		t.Errorf("%+v", row.Bars)
	}
	containsAll(t, render(t, r), ` id="incident-i1-series-1"`, `Ready &lt;of&gt; the old node`, `<a href="#incident-i1-series-1">`)
	after := r.Incidents[0].Span.To.At.Add(time.Hour)
	r.Series[0].Runs = []model.MetricRun{{From: after, To: after.Add(time.Minute), Value: 1, Samples: 5}}
	if row := chartsOf(t, r)[0].Chart.row("Metric"); len(row.Bars) != 0 || wordsOf(row) != "no sample in this time" {
		t.Errorf("a series that begins after the chart: %+v, %q", row.Bars, wordsOf(row))
	}
	containsAll(t, render(t, r), ` id="incident-i1-series-1"`)
}

// A word is shown where it has room.
func TestRoom(t *testing.T) {
	for wide, want := range map[float64]string{0.5: "", 0.2: "m", 0.1: "l", 0.01: "x"} {
		if got := room("NotReady", wide); got != want {
			t.Errorf("in %v of the width a word is %q, want %q", wide, got, want)
		}
	}
}

// The clock has times that one reads: at least six, on whole steps, whatever the span.
func TestTicks(t *testing.T) {
	for _, span := range []time.Duration{time.Second, 9 * time.Second, 11 * time.Minute, 3 * time.Hour, 40 * time.Hour, 90 * 24 * time.Hour} {
		c := &chart{from: start, to: start.Add(span), zero: start}
		c.ticks()
		if n := len(c.Ticks); n < 4 && span < 2*time.Second || n < 6 && span >= 2*time.Second || n > 20 {
			t.Errorf("a span of %s has %d ticks", span, n)
		}
	}
}

// TestChartSaysHowManyPods: a chart that has no row for some pods says so, and one that has a row for each does not.
func TestChartSaysHowManyPods(t *testing.T) {
	c := &chart{Rows: []chartRow{{Role: oldPod}, {Role: "Old node"}}}
	var in model.Incident
	in.From.Pods, in.To.Pods = []model.Ref{model.PodRef("team", "a", "")}, []model.Ref{model.PodRef("team", "a", "")}
	if got := c.podsShown(in); got != "" {
		t.Errorf("all are shown: %q", got)
	}
	in.To.Pods = append(in.To.Pods, model.PodRef("team", "b", ""), model.PodRef("team", "c", ""))
	if got := c.podsShown(in); got != " 1 of 3 pods are shown." {
		t.Errorf("one is shown: %q", got)
	}
}

// What the controller does not count any more is released, whatever was reported of it before; its containers' end is said where it was.
func TestReleasedInTheChart(t *testing.T) {
	in, lane := &view.IncidentView{}, &model.Lane{Object: model.Ref{Kind: "Pod", Name: "db-0"}, Role: model.RoleOldPod}
	for reported, want := range map[string]string{"Terminating": "released", "running": "released", "containers stopped": "containers stopped"} {
		if got, _ := podWord(in, lane, model.LaneState{Word: model.StateReleased, Reported: reported}); got != want {
			t.Errorf("%s: %s", reported, got)
		}
	}
}
