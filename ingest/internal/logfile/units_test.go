package logfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// TestOwner: the component that a source file and a text prove, with texts that say the words elsewhere or of another file.
func TestOwner(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"taint_eviction.go", "x", "kube-controller-manager"}, {"csi_handler.go", "x", "external-attacher"}, {"schedule_one.go", "x", "kube-scheduler"},
		{"pod_workers.go", "x", "kubelet"}, {"cacher.go", "x", "kube-apiserver"}, {"x.go", "AttachVolume.", ""}, {"reconciler.go", "x", ""},
		{"reconciler.go", "the attacherDetacher.AttachVolume", "kube-controller-manager"}, {"reconciler.go", "operationExecutor.X", "kubelet"},
		{"operation_generator.go", "AttachVolume.Attach", "kube-controller-manager"}, {"operation_generator.go", "the AttachVolume.Attach", ""},
		{"operation_generator.go", "a MountVolume", "kubelet"}, {"controller.go", "now Starting CSI attacher", "external-attacher"},
		{"flags.go", "FLAG: --etcd-servers=x", "kube-apiserver"}, {"flags.go", " FLAG: --etcd-servers=x", ""}, {"flags.go", "FLAG: --etcd", ""},
		{"", "Multi-Attach error for", "kube-controller-manager"}, {"", "a Multi-Attach error for", ""}, {"", "operationExecutor.", ""},
	} {
		got := ""
		if n := owner([]byte(c.file), []byte(c.text)); n >= 0 {
			got = componentNames[n]
		}
		if got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
	for in, want := range map[string]string{"kubelet": "kubelet", "csi-attacher": "external-attacher", "controller-manager": "kube-controller-manager",
		"scheduler": "kube-scheduler", "apiserver": "kube-apiserver", "attacher": "", "": ""} {
		if got := ComponentOf(in); got != want {
			t.Errorf("container %q: %q, want %q", in, got, want)
		}
	}
}

// TestProbes: which durations imply a last sign of life, and which two of them are the same.
func TestProbes(t *testing.T) {
	for duration, want := range map[string]probe{"40s": {noon.Add(-40 * time.Second), true}, "0s": {noon, true}, "-1s": {}, "x": {}} {
		if got := probeBefore(noon, duration); got != want {
			t.Errorf("%s: %v", duration, got)
		}
	}
	here := probe{noon, true}
	for p, want := range map[probe]bool{here: true, {noon, false}: false, {noon.Add(sameInstant), true}: false, {noon.Add(sameInstant - 1), true}: true,
		{noon.Add(1 - sameInstant), true}: true} {
		if p.near(here) != want || here.near(p) != want {
			t.Errorf("%v is near: %v", p, !want)
		}
	}
}

// TestSoonAfter: how long a controller that began may not have seen its nodes, by the period that it says.
func TestSoonAfter(t *testing.T) {
	for _, c := range []struct {
		flag  string
		after time.Duration
		want  bool
	}{
		{"", -time.Microsecond, false}, {"", 0, true}, {"", 20*time.Second - 1, true}, {"", 20 * time.Second, false},
		{"--node-monitor-period=1s", 12*time.Second - 1, true}, {"--node-monitor-period=1s", 12 * time.Second, false},
		{"--node-monitor-period=0s", 12 * time.Second, true}, {"--node-monitor-period=1h", 21 * time.Second, false},
		{"--node-monitor-period=59m", time.Hour, true}, {"--node-monitor-period=x", 20*time.Second - 1, true}, {"--v=1s", 12 * time.Second, true},
	} {
		var h heartbeats
		h.see(&model.Observation{Kind: model.ProcessFlag, Detail: c.flag})
		h.see(&model.Observation{Kind: model.LeaderAcquired, At: model.Exactly(noon)})
		h.see(&model.Observation{Kind: model.LeaderAcquired, Object: model.Ref{Kind: "Node", Name: "an echo"}, At: model.Exactly(noon.Add(time.Hour))})
		if h.soonAfter(h.started, noon.Add(c.after)) != c.want || h.soonAfter(time.Time{}, noon.Add(c.after)) {
			t.Errorf("%s %s: %v", c.flag, c.after, !c.want)
		}
		ready := model.Observation{Kind: model.NodeReady, At: model.Between(noon.Add(c.after), noon.Add(c.after))}
		ready.At.Basis = model.Derived
		seen, other := ready, ready
		seen.At.Basis, other.Kind = model.Observed, model.NodeRegistered
		if h.stale(&ready) != c.want || h.stale(&seen) || h.stale(&other) {
			t.Errorf("%s %s: stale %v", c.flag, c.after, !c.want)
		}
		missed := model.Observation{Kind: model.NodeHeartbeatMissed, Count: 3}
		beat, ok := h.implied(&missed, probe{noon.Add(c.after), true})
		if ok == c.want || ok && (beat.Count != 1 || beat.At.Latest != noon.Add(c.after) || beat.At.Earliest != noon.Add(c.after-h.passPeriod()-passSlack)) {
			t.Errorf("%s %s: %v %+v", c.flag, c.after, ok, beat)
		}
	}
	h := heartbeats{began: noon}
	for _, p := range []probe{{}, {noon.Add(-1), true}, {noon, true}} {
		if _, ok := h.implied(&model.Observation{}, p); ok {
			t.Errorf("%v implies a sign of life", p)
		}
	}
}

// TestMarkingFills: the node of a pod that becomes not ready, where nothing else says of which it is.
func TestMarkingFills(t *testing.T) {
	m := marking{node: "n"}
	for _, c := range []struct {
		o    model.Observation
		want string
	}{
		{model.Observation{Kind: model.PodNotReady}, "n"}, {model.Observation{Kind: model.PodReady}, ""},
		{model.Observation{Kind: model.PodNotReady, Node: "m"}, "m"}, {model.Observation{Kind: model.PodNotReady, Pod: model.PodRef("a", "p", "")}, ""},
	} {
		if m.fill(&c.o); c.o.Node != c.want {
			t.Errorf("%s: %q, want %q", c.o.Kind, c.o.Node, c.want)
		}
	}
}

// TestRepeatsHour: only a step from the last minutes of an hour to its first is that of a clock that is set back.
func TestRepeatsHour(t *testing.T) {
	for _, c := range []struct {
		before, after time.Duration
		want          bool
	}{
		{55 * time.Minute, 0, true}, {55*time.Minute - 1, 0, false}, {59 * time.Minute, 5*time.Minute - 1, true}, {59 * time.Minute, 5 * time.Minute, false},
		{59 * time.Minute, -1, false},
	} {
		if repeatsHour(noon.Add(c.before), noon.Add(c.after)) != c.want {
			t.Errorf("from %s to %s: %v", c.before, c.after, !c.want)
		}
	}
}

// TestOrdererSees: what is out of order, and how many steps go forward and back.
func TestOrdererSees(t *testing.T) {
	for _, c := range []struct {
		name               string
		at                 []time.Duration
		up, down, disorder int
	}{
		{"one", []time.Duration{0}, 0, 0, 0}, {"forward", []time.Duration{0, 1}, 1, 0, 0}, {"the same", []time.Duration{0, 0}, 0, 0, 0},
		{"back within the slack", []time.Duration{slack, 0}, 0, 1, 0}, {"back beyond it", []time.Duration{slack + 1, 0}, 0, 1, 2},
		{"back behind the newest", []time.Duration{0, slack + 1, slack, 0}, 1, 2, 4},
	} {
		var q orderer
		for i, d := range c.at {
			q.see(noon.Add(d), false, i+1)
		}
		q.see(time.Time{}, false, 9)
		if q.up != c.up || q.down != c.down || q.disorder != c.disorder || q.spans[0].records != len(c.at) || q.spans[1].records != 0 ||
			!q.spans[0].to.Equal(noon.Add(slices.Max(c.at))) || !q.spans[0].from.Equal(noon.Add(slices.Min(c.at))) {
			t.Errorf("%s: %+v", c.name, q)
		}
	}
}

// TestOrdererKeeps: a log counts as in order from its 128th statement on; of one that is not, so many statements or bytes are sorted at once.
func TestOrdererKeeps(t *testing.T) {
	s := statement{o: &model.Observation{Kind: model.AttachStarted}}
	long := strings.Repeat("x", maxBytes)
	for _, c := range []struct {
		name      string
		disorder  int
		before    int // statements that are kept
		raw       string
		kept      int
		cut, flow bool
	}{
		{"few", 0, firstKept - 2, "", firstKept - 1, false, false}, {"enough", 0, firstKept - 1, "", 0, false, true},
		{"out of order", 1, firstKept - 1, "", firstKept, false, false}, {"most", 1, maxSorted - 2, "", maxSorted - 1, false, false},
		{"too many", 1, maxSorted - 1, "", 0, true, false}, {"long", 1, 0, long[1:], 1, false, false}, {"too long", 1, 0, long, 0, true, false},
	} {
		q := orderer{fold: &folder{}, disorder: c.disorder, kept: slices.Repeat([]statement{s}, c.before)}
		q.add(statement{o: s.o, raw: c.raw})
		if len(q.kept) != c.kept || q.cut != c.cut || q.flows() != c.flow {
			t.Errorf("%s: %d are kept, cut %v, flows %v", c.name, len(q.kept), q.cut, q.flows())
		}
	}
}

// TestFolderKeeps: statements up to a number and to a length of their quotes; the first one that is lost is told.
func TestFolderKeeps(t *testing.T) {
	for _, c := range []struct {
		n, bytes int
		want     bool
	}{{maxObservations - 1, 0, true}, {maxObservations, 0, false}, {0, maxKept, true}, {0, maxKept + 1, false}} {
		f := folder{n: c.n, kept: c.bytes}
		first, again := f.keep(&model.Observation{Source: model.Source{Line: 7}}, "x"), f.keep(&model.Observation{Source: model.Source{Line: 8}}, "")
		if got := first != nil; got != c.want || !got && (again != nil || f.lost != 2 || f.lostAt != 7) || got && f.kept != c.bytes+1 {
			t.Errorf("%+v: %v, %d lost from %d on, %d bytes", c, got, f.lost, f.lostAt, f.kept)
		}
	}
}

// TestFolderSpills: to another reader goes what is complete, once the log has many statements.
func TestFolderSpills(t *testing.T) {
	whole := model.Observation{Component: "kubelet"}
	floating, anybodys := whole, whole
	floating.Floating, anybodys.Component = true, ""
	for _, c := range []struct {
		n    int
		o    model.Observation
		want bool
	}{{spillAfter, whole, true}, {spillAfter - 1, whole, false}, {spillAfter, floating, false}, {spillAfter, anybodys, false}} {
		got := ""
		f := folder{n: c.n, spill: func(o model.Observation) bool { got = o.Quote.Text; return true }}
		if f.spilled(&c.o, "as it stands") != c.want || (got == "as it stands") != c.want {
			t.Errorf("%d %+v: %v %q", c.n, c.o, !c.want, got)
		}
	}
}

// TestWriters: what the wrappers of all records agree in.
func TestWriters(t *testing.T) {
	for _, c := range []struct{ name, origins, want string }{
		{"one", "a/p/c", "a/p/c"}, {"one, and what names nothing", "a/p/c //", "a/p/c"}, {"two pods", "a/p/c a/q/c", "a//c"},
		{"back again", "a/p/c a/q/c a/p/c", "a//c"}, {"two containers", "a/p/c a/p/d", "a/p/"}, {"named later", "// a/p/c", "a/p/c"},
	} {
		var w writers
		for _, o := range strings.Fields(c.origins) {
			p := strings.Split(o, "/")
			w.see(&envelope.Origin{Namespace: p[0], Pod: p[1], Container: p[2]})
		}
		w.see(nil)
		var in, known model.Input
		known.Pod, known.Container = "own", "own"
		w.name(&in)
		w.name(&known)
		if got := fmt.Sprintf("%s/%s/%s", in.Namespace, in.Pod, in.Container); got != c.want || known.Namespace != "" || known.Pod != "own" ||
			known.Container != "own" {
			t.Errorf("%s: %s, want %s; %+v", c.name, got, c.want, known)
		}
	}
	h := &logline.Head{From: &envelope.Origin{Host: "h"}}
	for _, c := range []struct {
		o    model.Observation
		want string
	}{
		{model.Observation{Kind: model.MountFailed, Component: "kubelet"}, "h"}, {model.Observation{Kind: model.MountFailed, Component: "kubelet", Node: "n"}, "n"},
		{model.Observation{Kind: model.MountFailed}, ""}, {model.Observation{Kind: model.ProcessFlag, Component: "kubelet"}, ""},
	} {
		if new(writers).fill(&c.o, h); c.o.Node != c.want {
			t.Errorf("%+v, want node %q", c.o, c.want)
		}
	}
}

// TestReadEvent: the times and the object that an exporter leaves out.
func TestReadEvent(t *testing.T) {
	first, record := noon, noon.Add(time.Minute+time.Microsecond)
	for _, c := range []struct {
		name   string
		e      envelope.Event
		object model.Ref
		at     model.Moment
	}{
		{"whole", envelope.Event{Reason: "FailedMount", Kind: "Pod", Name: "p", First: first}, model.PodRef("", "p", ""), model.WholeSecond(first)},
		{"no kind", envelope.Event{Reason: "FailedScheduling", Name: "p", First: first}, model.PodRef("", "p", ""), model.WholeSecond(first)},
		{"of another thing", envelope.Event{Reason: "NodeNotReady", Name: "p", First: first}, model.Ref{Name: "p"}, model.WholeSecond(first)},
		{"no time", envelope.Event{Reason: "FailedMount", Name: "p"}, model.PodRef("", "p", ""), model.Exactly(record)},
	} {
		rec := &logline.Record{Event: &c.e}
		rec.Time, rec.Floating, rec.Line = record, true, 5
		if o := readEvent(rec)[0]; o.Object != c.object || !o.At.At.Equal(c.at.At) || !o.At.Latest.Equal(c.at.Latest) || o.Source.Line != 5 ||
			o.Floating != c.e.First.IsZero() {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}

// TestAnchors: of several clocks the one in force at a line counts, in the year that brings a time nearest to it.
func TestAnchors(t *testing.T) {
	list := []logline.Anchor{{Line: 1, Civil: noon, Offset: time.Hour}, {Line: 10, Civil: noon, Offset: 2 * time.Hour}}
	for line, want := range map[int]time.Duration{1: time.Hour, 9: time.Hour, 10: 2 * time.Hour, 11: 2 * time.Hour} {
		if got := nearest(list, line).Offset; got != want {
			t.Errorf("line %d: %s, want %s", line, got, want)
		}
	}
	m := moment(model.Between(noon.AddDate(-2026, 0, 0), noon.AddDate(-2026, 0, 0).Add(time.Second)), list[0])
	if m.Latest.Sub(m.Earliest) != time.Second || m.Earliest.Year() != 2026 || m.Basis == model.Observed || !moment(model.Moment{}, list[0]).IsZero() {
		t.Errorf("%+v", m)
	}
}
