package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// pageOf is the page of a report with the budget of few incidents.
func pageOf(t *testing.T, r *model.Report) *htmlPage {
	t.Helper()
	p, err := newHTMLPage(view.New(r), budgetFor(len(r.Incidents)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStatesOfALane has the states of one object in a chart of 100 seconds: what is drawn, from when, and what is said of it.
func TestStatesOfALane(t *testing.T) {
	p := pageOf(t, rich())
	in := p.Incident[0]
	state := func(word model.StateWord, reported string, from, to float64) model.LaneState {
		s := model.LaneState{Word: word, Reported: reported}
		if from != 0 {
			s.From = new(at(from))
		}
		if to != 0 {
			s.To = new(at(to))
		}
		return s
	}
	node := func(states ...model.LaneState) model.Lane {
		return model.Lane{Object: nodeRef("n"), Role: model.RoleOldNode, States: states}
	}
	pod := func(name string, states ...model.LaneState) model.Lane {
		return model.Lane{Object: model.PodRef("shop", name, ""), Role: model.RoleNewPod, States: states}
	}
	p.Graph.Nodes = append(p.Graph.Nodes, model.GraphNode{Kind: "Pod", Namespace: "shop", Name: "lost", State: "gone"})
	for _, c := range []struct {
		lane        model.Lane
		words, bars string
	}{
		{node(), "unknown", "unknown 10-110"},
		{node(state(model.StateReady, "", 20, 0)), "unknown; 06:07:11 Ready", "unknown 10-20, fine 20-110"},
		{node(state(model.StateReady, "", 0, 0)), "Ready", "fine 10-110"},
		{node(state(model.StateReady, "", 5, 60)), "Ready; 06:07:51 unknown", "fine 10-60, unknown 60-110"},
		{node(state(model.StateReady, "", 0, 60), state(model.StateNotReady, "", 60, 0)), "Ready; 06:07:51 NotReady", "fine 10-60, hot 60-110"},
		{node(state(model.StateReady, "", 0, 50), state(model.StateNotReady, "", 60, 0)), "Ready; 06:07:41 unknown; 06:07:51 NotReady",
			"fine 10-50, unknown 50-60, hot 60-110"},
		{node(state(model.StateReady, "", 0, 0), state(model.StateNotReady, "", 60, 0)), "Ready; 06:07:51 NotReady", "fine 10-60, hot 60-110"},
		{node(state(model.StateReady, "", 1, 9), state(model.StateNotReady, "", 9, 0)), "NotReady", "hot 10-110"},
		{node(state(model.StateReady, "", 20, 0), state(model.StateNotReady, "", 111, 0)), "unknown; 06:07:11 Ready", "unknown 10-20, fine 20-110"},
		{node(state(model.StateReady, "", 0, 60), state(model.StateSilent, "", 60, 60), state(model.StateNotReady, "", 60, 0)),
			"Ready; 06:07:51 NotReady", "fine 10-60, hot 60-110"},
		{node(state(model.StateReady, "", 0, 60), state(model.StateReady, "", 60, 0)), "Ready", "fine 10-110"},
		{pod("a", state(model.StatePending, "created", 40, 0)), "not created yet; 06:07:31 created", "coming 40-110"},
		{pod("a", state(model.StatePending, "created", 40, 40.5), state(model.StateReady, "", 40.5, 0)),
			"not created yet; 06:07:32 Ready", "coming 40-40, fine 40-110"},
		{pod("a", state(model.StatePending, "created", 40, 41), state(model.StateReady, "", 41, 0)),
			"not created yet; 06:07:31 created; 06:07:32 Ready", "coming 40-41, fine 41-110"},
		{pod("lost", state(model.StateReady, "", 40, 0)), "unknown; 06:07:31 Ready or gone", "unknown 10-40, unknown 40-110"},
		{pod("lost", state(model.StateGone, "", 40, 0)), "unknown; 06:07:31 gone", "unknown 10-40, gone 40-110"},
		{pod("a", state(model.StateReady, "", 40, 0)), "unknown; 06:07:31 Ready", "unknown 10-40, fine 40-110"},
	} {
		ch := &chart{from: start.Add(10 * time.Second), to: start.Add(110 * time.Second), zero: start, Page: p}
		row := ch.object(in, &c.lane, "role", ch.to).ended(ch, ch.to)
		bars := strings.Join(view.Each(row.Bars, func(b chartBar) string { return fmt.Sprintf("%s %d-%d", b.Look.Name, b.From/1000, b.To/1000) }), ", ")
		if got := wordsOf(row); got != c.words || bars != c.bars {
			t.Errorf("%+v:\n%s (%s), want\n%s (%s)", c.lane.States, got, bars, c.words, c.bars)
		}
	}
}

// TestSinceWhen: a bar knows how well its beginning is known, but for that of a wait and of a state that began before the chart.
func TestSinceWhen(t *testing.T) {
	p := pageOf(t, rich())
	ch := &chart{from: start.Add(10 * time.Second), to: start.Add(110 * time.Second), zero: start, Page: p}
	for _, c := range []struct {
		word model.StateWord
		from float64
		want bool
	}{{model.StateReady, 20, true}, {model.StateReady, 10, true}, {model.StateReady, 5, false}, {model.StateWaiting, 20, false}} {
		lane := model.Lane{Object: model.PodRef("a", "b", ""), Role: model.RoleNewPod, States: []model.LaneState{{Word: c.word, From: new(at(c.from))}}}
		bars := ch.object(p.Incident[0], &lane, "", ch.to).Bars
		if last := bars[len(bars)-1]; last.since.IsZero() == c.want {
			t.Errorf("%s from %v: %+v", c.word, c.from, last.since)
		}
	}
}

// TestNamesOfRows: what a row is called, and which have one.
func TestNamesOfRows(t *testing.T) {
	p := pageOf(t, rich())
	in := p.Incident[0]
	ch := &chart{from: start.Add(10 * time.Second), to: start.Add(110 * time.Second), zero: start, Page: p}
	attachment := func(name string) model.Ref { return model.Ref{Kind: "VolumeAttachment", Name: name} }
	long := strings.Repeat("n", chartName+1)
	for _, c := range []struct {
		lane             model.Lane
		role, name, full string
	}{
		{model.Lane{Role: model.RoleOldNode, Object: nodeRef("n")}, "Old node", "n", "n"},
		{model.Lane{Role: model.RoleNewNode, Object: nodeRef("n")}, "New node", "n", "n"},
		{model.Lane{Role: model.RoleOldPod, Object: model.PodRef("a", "b", "")}, "Old pod", "b", "b"},
		{model.Lane{Role: model.RoleNewPod, Object: model.PodRef("a", "", "")}, "New pod", "", ""},
		{model.Lane{Role: model.RoleNewPod, Object: model.PodRef("a", long, "")}, "New pod", words.Shorten(long, chartName), long},
		{model.Lane{Role: model.RoleBlocking, Object: attachment("csi-1"), Node: "n"}, "Attachment to n", "csi-1", "csi-1"},
		{model.Lane{Role: model.RoleAttachment, Object: attachment("")}, "Attachment to a node that is not told", "shop/orders-db-data", "shop/orders-db-data"},
		{model.Lane{Role: model.RoleController, Object: nodeRef("n")}, "Controller", "who leads", "who leads"},
		{model.Lane{Object: nodeRef("n")}, "", "", ""},
	} {
		role, shown := ch.roleOf(&c.lane)
		if role != c.role || shown != (c.role != "") {
			t.Errorf("%+v: %q, %v", c.lane, role, shown)
		}
		if row := ch.object(in, &c.lane, role, ch.to); shown && (row.Name != c.name || row.Full != c.full) {
			t.Errorf("%+v: %q %q", c.lane, row.Name, row.Full)
		}
	}
	in.Lanes = nil
	for i := range chartObjects + 3 {
		in.Lanes = append(in.Lanes, model.Lane{Object: nodeRef(fmt.Sprint(i)), Role: model.RoleOldNode})
	}
	in.Lanes[2].Role = ""
	if rows := ch.objects(in, ch.to); len(rows) != chartObjects || rows[2].Name != "3" {
		t.Errorf("%d rows", len(rows))
	}
	// A new node that is there, and one who leads all the time, are nothing to see.
	for _, c := range []struct {
		role  model.LaneRole
		words []model.StateWord
		want  int
	}{
		{model.RoleNewNode, []model.StateWord{model.StateReady}, 0}, {model.RoleNewNode, []model.StateWord{model.StateAlive}, 0},
		{model.RoleNewNode, []model.StateWord{model.StateNotReady}, 1}, {model.RoleOldNode, []model.StateWord{model.StateReady}, 1},
		{model.RoleController, []model.StateWord{model.StateLeader}, 0}, {model.RoleController, []model.StateWord{model.StateNone}, 1},
		{model.RoleController, []model.StateWord{model.StateLeader, model.StateLeader}, 1},
	} {
		lane := model.Lane{Role: c.role}
		if c.role != model.RoleController {
			lane.Object = nodeRef("n")
		}
		for i, w := range c.words {
			lane.States = append(lane.States, model.LaneState{Word: w, From: new(at(float64(20 + i)))})
		}
		in.Lanes = []model.Lane{lane}
		if rows := ch.objects(in, ch.to); len(rows) != c.want {
			t.Errorf("%s %v: %d rows", c.role, c.words, len(rows))
		}
	}
}

// TestMarksOfARow: what lies closer than the gap is one mark, and of many the last are counted.
func TestMarksOfARow(t *testing.T) {
	ch := &chart{from: start, to: start.Add(1000 * time.Second), zero: start}
	var row chartRow
	for i, second := range []float64{0, 24, 48, 74, 99} {
		row.mark(ch, &entry{item: model.TimelineItem{At: at(second)}, kept: i != 1, anchor: fmt.Sprint("a", i)}, "x")
	}
	var got []string
	for _, m := range row.Marks {
		got = append(got, fmt.Sprintf("%d %.3f %s", m.At, m.X, m.Label))
	}
	if want := []string{"0 0.000 1–2", "48000 0.048 3", "74000 0.074 4", "99000 0.099 5"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if row.Words[0].Href != "a0" || row.Words[1].Href != "timeline-folded" || !strings.HasSuffix(row.Marks[0].Tip, "06:06:51 x; 06:07:15 x") {
		t.Errorf("%+v %+v", row.Words, row.Marks[0])
	}
	for range chartMarks {
		row.mark(ch, &entry{item: model.TimelineItem{At: at(500)}}, "x")
	}
	if len(row.Words) != chartMarks || row.More != 5 {
		t.Errorf("%d words, %d more", len(row.Words), row.More)
	}
}

// TestRunsOfASeries: what lies outside of the chart is not drawn, and only the first runs are put into words.
func TestRunsOfASeries(t *testing.T) {
	r := rich()
	p := pageOf(t, r)
	in := p.Incident[0]
	ch := &chart{from: start.Add(10 * time.Second), to: start.Add(110 * time.Second), zero: start, From: 10_000, To: 110_000}
	run := func(from, to int) model.MetricRun {
		return model.MetricRun{From: start.Add(time.Duration(from) * time.Second), To: start.Add(time.Duration(to) * time.Second), Value: 0.5, Samples: from}
	}
	p.Series = []model.MetricSeries{{Incident: "another", Runs: []model.MetricRun{run(20, 30)}},
		{Incident: in.ID, Runs: []model.MetricRun{run(1, 9), run(2, 10), run(20, 30), run(31, 32), run(33, 34), run(35, 36), run(37, 38), run(39, 40),
			run(110, 120), run(111, 120)}}}
	rows := p.metrics(ch, in)
	if len(rows) != 1 || len(rows[0].Bars) != 8 || len(rows[0].Words) != 6 || rows[0].More != 2 || rows[0].Anchor != in.Anchor+"-series-2" {
		t.Fatalf("%+v", rows)
	}
	if b := rows[0].Bars[1]; b.Tip != "0.5: 06:07:11 to 06:07:21, 20 samples" || b.From != 20_000 || b.To != 30_000 {
		t.Errorf("%+v", b)
	}
}

// TestShapeOf finds an object of the drawing: of two pods of one name the one with the same UID.
func TestShapeOf(t *testing.T) {
	nodes := []model.GraphNode{{Kind: "Node", Name: "a"}, {Kind: "Pod", Namespace: "x", Name: "a", UID: "1"}, {Kind: "Pod", Namespace: "x", Name: "a", UID: "2"}}
	for _, c := range []struct {
		ref  model.Ref
		want int
	}{{nodeRef("a"), 1}, {nodeRef("b"), 0}, {nodeRef(""), 0}, {model.PodRef("x", "a", "1"), 2}, {model.PodRef("x", "a", "2"), 3},
		{model.PodRef("x", "a", ""), 2}, {model.PodRef("y", "a", ""), 0}} {
		if got := shapeOf(nodes, c.ref); got != c.want {
			t.Errorf("%v: %d, want %d", c.ref, got, c.want)
		}
	}
}

func nodeRef(name string) model.Ref { return model.Ref{Kind: "Node", Name: name} }
