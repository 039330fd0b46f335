package clock

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// seconds are the offsets between two, for a table.
func seconds(from, to float64) span {
	return span{time.Duration(from * float64(time.Second)), time.Duration(to * float64(time.Second))}
}

// TestVote: the span that the most facts allow, what touches overlaps, and of equals the one nearest to zero counts.
func TestVote(t *testing.T) {
	of := func(w int, allows ...span) fact { return fact{allows: allows, weight: w} }
	for _, c := range []struct {
		name  string
		facts []fact
		want  ballot
	}{
		{"two that overlap", []fact{of(1, seconds(0, 2)), of(1, seconds(1, 3))}, ballot{seconds(1, 2), 2, 1, 2}},
		{"two that touch", []fact{of(1, seconds(1, 2)), of(1, seconds(2, 3))}, ballot{seconds(2, 2), 2, 0, 2}},
		{"two apart, of which one is nearer", []fact{of(1, seconds(-9, -8)), of(1, seconds(5, 6))}, ballot{seconds(5, 6), 1, 0, 2}},
		{"and the other way round", []fact{of(1, seconds(-6, -5)), of(1, seconds(8, 9))}, ballot{seconds(-6, -5), 1, 0, 2}},
		{"the heavier", []fact{of(3, seconds(8, 9)), of(2, seconds(1, 2))}, ballot{seconds(8, 9), 3, 0, 5}},
		{"one that recurs", []fact{of(1, seconds(-5, -4), seconds(3, 4)), of(1, seconds(3, 4))}, ballot{seconds(3, 4), 2, 0, 2}},
		{"and may be right", []fact{of(1, seconds(-1, 1), seconds(3, 4)), of(1, seconds(3, 4))}, ballot{seconds(3, 4), 2, 1, 2}},
		{"that ends at zero", []fact{of(1, seconds(-1, 0))}, ballot{seconds(-1, 0), 1, 1, 1}},
		{"that begins there", []fact{of(1, seconds(0, 1))}, ballot{seconds(0, 1), 1, 1, 1}},
		{"nothing", nil, ballot{}},
	} {
		if got := vote(c.facts); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ of, want []span }{
		{[]span{seconds(3, 4), seconds(0, 1)}, []span{seconds(0, 1), seconds(3, 4)}},
		{[]span{seconds(1, 2), seconds(0, 1)}, []span{seconds(0, 2)}},
		{[]span{seconds(0, 9), seconds(1, 2)}, []span{seconds(0, 9)}},
	} {
		if got := joined(slices.Clone(c.of)); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v", c.of, got)
		}
	}
	for s, want := range map[span]time.Duration{
		seconds(3590, 3610): time.Hour, seconds(890, 910): 15 * time.Minute, seconds(50, 70): time.Minute, seconds(90, 91): 91 * time.Second,
		seconds(-0.25, -0.15): -200 * time.Millisecond, seconds(1.0104, 1.0116): 1011 * time.Millisecond, {1000400 * time.Microsecond, 1000600 * time.Microsecond}: 1000500 * time.Microsecond,
		seconds(-1, 1): 0, seconds(3600, 3610): time.Hour, seconds(3590, 3600): time.Hour,
	} {
		if got := within(s); got != want {
			t.Errorf("%v: %s, want %s", s, got, want)
		}
	}
}

// TestWeights: how exact a happening is stated, and where beyond that it may lie.
func TestWeights(t *testing.T) {
	for l, want := range map[lag]string{
		{0, 3 * time.Second}: "120 0", {0, 3*time.Second + 1}: "60 1", {-3 * time.Second, 0}: "120 0", {-10 * time.Second, 0}: "60 2",
		{-10*time.Second + 1, 0}: "60 1", {-time.Hour, time.Minute}: "60 2",
	} {
		if got := fmt.Sprint(l.weight(), " ", int(l.side())); got != want {
			t.Errorf("%v: %s, want %s", l, got, want)
		}
	}
	for _, c := range []struct {
		s    span
		a, b side
		want time.Duration
	}{
		{seconds(5, 6), neither, neither, 5 * time.Second}, {seconds(5, 6), later, neither, 0}, {seconds(5, 6), neither, earlier, 0},
		{seconds(5, 6), earlier, later, 5 * time.Second}, {seconds(-6, -5), neither, later, 0}, {seconds(-6, -5), earlier, neither, 0},
		{seconds(-6, -5), later, earlier, 5 * time.Second}, {seconds(-1, 1), neither, neither, 0},
	} {
		if got := c.s.contradicts(record{open: c.a}, record{open: c.b}); got != c.want {
			t.Errorf("%v: %s, want %s", c, got, c.want)
		}
	}
	of := func(weight, zero, total int, from, to float64) ballot {
		return ballot{seconds(from, to), weight, zero, total}
	}
	for b, want := range map[ballot]bool{
		of(240, 80, 400, 3, 4): true, of(240, 81, 400, 3, 4): false, of(240, 0, 480, 3, 4): false, of(240, 0, 479, 3, 4): true,
		of(239, 0, 300, 3, 4): false, of(240, 0, 240, 2, 4): false, of(240, 0, 240, -4, -3): true, of(240, 0, 240, -1, 4): false,
	} {
		if got := b.tells(); got != want {
			t.Errorf("%+v: %v", b, got)
		}
	}
	log, object := Source{Stream: "a.log"}, Source{Stream: "Pod" + objects}
	than := func(name Source, zero, total int) verdict {
		return verdict{group{name: name}, ballot{zero: zero, total: total}, nil, name.rank()}
	}
	for _, c := range []struct {
		v, w verdict
		want bool
	}{
		{than(log, 0, 10), than(log, 2, 10), true}, {than(log, 2, 10), than(log, 0, 10), false}, {than(log, 0, 10), than(log, 1, 10), false},
		{than(log, 1, 11), than(log, 0, 10), true}, {than(log, 0, 10), than(log, 1, 11), false}, {than(log, 0, 10), than(object, 0, 10), true},
		{than(object, 0, 10), than(log, 0, 10), false}, {than(log, 0, 10), than(log, 0, 10), false}, {than(log, 0, 4), than(log, 90, 100), true},
		{than(log, 80, 100), than(log, 0, 4), false},
	} {
		if got := c.v.beats(c.w); got != c.want {
			t.Errorf("%+v before %+v: %v", c.v, c.w, got)
		}
	}
}

// TestBetween: what the records of one happening say of two clocks.
func TestBetween(t *testing.T) {
	noon := time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)
	rec := func(source int, from, to float64, more ...any) record {
		r := record{source: source, from: noon.Add(seconds(from, 0).from), to: noon.Add(seconds(to, 0).from), weight: exactly}
		for _, m := range more {
			switch m := m.(type) {
			case int:
				r.weight = m
			case model.Kind:
				r.line = m
			}
		}
		return r
	}
	tab := &table{sources: []Source{{Stream: "a.log"}, {Stream: "b.log"}, {Stream: sampled}, {Stream: "c.log"}}, moved: make([]time.Duration, 4)}
	for _, c := range []struct {
		name        string
		own, others []record
		apart       time.Duration
		weight      int
		allows      []span
	}{
		{"one pair", []record{rec(0, 10, 11)}, []record{rec(1, 2, 3)}, 7 * time.Second, exactly, []span{seconds(7, 9)}},
		{"the nearer of two", []record{rec(0, 10, 11), rec(0, 30, 31)}, []record{rec(1, 2, 3)}, 7 * time.Second, exactly, []span{seconds(7, 9), seconds(27, 29)}},
		{"in either order", []record{rec(0, 30, 31), rec(0, 10, 11)}, []record{rec(1, 2, 3)}, 7 * time.Second, exactly, []span{seconds(7, 9), seconds(27, 29)}},
		{"two that write the same line", []record{rec(0, 10, 11, model.MultiAttach)}, []record{rec(1, 2, 3, model.MultiAttach)}, -1, 0, nil},
		{"two other lines", []record{rec(0, 10, 11, model.MultiAttach)}, []record{rec(1, 2, 3, model.AttachStarted)}, 7 * time.Second, exactly, []span{seconds(7, 9)}},
		{"the lighter of a pair", []record{rec(0, 10, 11)}, []record{rec(1, 2, 3, about)}, 7 * time.Second, about, []span{seconds(7, 9)}},
		{"samples", []record{rec(0, 10, 11)}, []record{rec(2, 2, 3)}, 0, exactly, []span{seconds(7, 9)}},
		{"of samples", []record{rec(2, 10, 11)}, []record{rec(1, 2, 3)}, 0, exactly, []span{seconds(7, 9)}},
	} {
		f := tab.between(c.own, c.others)
		if f.apart != c.apart || f.weight != c.weight || !slices.Equal(f.allows, c.allows) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
	tab.moved = []time.Duration{2 * time.Second, 5 * time.Second, 0, 0}
	if f := tab.between([]record{rec(0, 10, 11)}, []record{rec(1, 2, 3)}); f.apart != 10*time.Second {
		t.Errorf("after both were set: %+v", f)
	}
	tab = &table{number: map[Source]int{}, records: map[string][]record{}}
	for n := range recurring + 3 {
		tab.add(Source{Stream: "a"}, "x", rec(0, float64(n), float64(n)), nil)
	}
	tab.add(Source{Stream: "b"}, "x", rec(0, 0, 0), nil)
	if len(tab.records["x"]) != recurring+1 || len(tab.order) != 1 || alone(tab.records["x"]) || !alone(tab.records["x"][:recurring]) {
		t.Errorf("%d records of %v", len(tab.records["x"]), tab.order)
	}
}

// TestSources: whose clock a statement has its time from, and how often a source states it.
func TestSources(t *testing.T) {
	noon := time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)
	said := func(kind model.SourceKind, how func(*model.Observation)) *model.Observation {
		o := &model.Observation{Kind: model.NodeReady, Node: "a", Input: "x/a.log", At: model.Exactly(noon), Source: model.Source{Kind: kind, Path: "tsdb"}}
		how(o)
		return o
	}
	field := func(kind model.Kind, field string, how ...func(*model.Observation)) *model.Observation {
		return said(model.SourceManifest, func(o *model.Observation) {
			o.Kind, o.Source.Field, o.Object = kind, field, model.Ref{Kind: "Node", Name: "a"}
			for _, h := range how {
				h(o)
			}
		})
	}
	for _, c := range []struct {
		o    *model.Observation
		want string
	}{
		{said(model.SourceEvent, func(o *model.Observation) { o.Object.Namespace = "prod" }), "the Events|prod|the control plane"},
		{said(model.SourceEvent, func(o *model.Observation) { o.Component = "kubelet" }), "the Events|default|the kubelet of a"},
		{said(model.SourceLog, func(*model.Observation) {}), "x/a.log||the control plane"},
		{said(model.SourceLog, func(o *model.Observation) { o.Input = "x/logs/current.log" }), "x/logs/||the control plane"},
		{said(model.SourceLog, func(o *model.Observation) { o.Input = "a.log" }), "a.log||the control plane"},
		{said(model.SourceMetric, func(o *model.Observation) { o.At = model.WholeSecond(noon) }), "the metrics|tsdb|the values"},
		{said(model.SourceMetric, func(o *model.Observation) { o.At = model.Between(noon, noon.Add(30*time.Second)) }), "the metrics|tsdb|the samples"},
		{said(model.SourceAudit, func(*model.Observation) {}), "the audit log||the API server"},
		{said(model.SourceText, func(*model.Observation) {}), "the Events|default|the control plane"},
		{field(model.NodeReady, "metadata.creationTimestamp"), "Node objects|a|the API server"},
		{field(model.PodScheduled, "status.conditions[0]"), "Node objects|a|the API server"},
		{field(model.NodeReady, "status.conditions[0]"), "Node objects|a|the kubelet of a"},
		{field(model.NodeNotReady, "status.conditions[0]"), "Node objects|a|the control plane"},
		{field(model.NodeNotReady, "status.conditions[0]", func(o *model.Observation) { o.Detail = "False" }), "Node objects|a|the kubelet of a"},
		{field(model.NodeTainted, "spec.taints[0]"), "Node objects|a|the control plane"},
		{field(model.PodEvictionDecided, "status.conditions[0]"), "Node objects|a|the control plane"},
		{field(model.LeaderAcquired, "spec.acquireTime"), "Node objects|a|the control plane"},
		{field(model.PodReady, "status.conditions[0]", func(o *model.Observation) { o.Node = "" }), "Node objects|a|the control plane"},
	} {
		got := "none"
		if s, ok := sourceOf(c.o); ok {
			got = s.Stream + "|" + s.Part + "|" + s.Writer
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.o.Source, got, c.want)
		}
	}
	count := func(kind model.SourceKind, n int, last time.Duration) *model.Observation {
		return said(kind, func(o *model.Observation) { o.Count, o.Last = n, o.At.Shift(last) })
	}
	for _, c := range []struct {
		o    *model.Observation
		want string
	}{
		{count(model.SourceEvent, 1, time.Minute), "12:00"}, {count(model.SourceEvent, 2, 0), "12:00"}, {count(model.SourceMetric, 9, time.Minute), "12:00"},
		{count(model.SourceEvent, 2, time.Minute), "12:00 12:01"}, {count(model.SourceEvent, 3, time.Hour), "12:00-13:00"},
	} {
		got := ""
		for _, m := range times(c.o) {
			if got != "" {
				got += " "
			}
			got += m.Earliest.Format("15:04")
			if m.Latest.Sub(m.Earliest) > time.Minute {
				got += "-" + m.Latest.Format("15:04")
			}
		}
		if got != c.want {
			t.Errorf("%d times: %s, want %s", c.o.Count, got, c.want)
		}
	}
	for stream, want := range map[string]string{"ns/x/pods/kcm-0/kcm/kcm/logs/": "ns/x/pods/kcm-0/", "ns/x/pods/kcm-0": "", "kcm.log": "", "a/b/": ""} {
		if got := podOf(stream); got != want {
			t.Errorf("%s: %q", stream, got)
		}
	}
	began := map[string]time.Time{}
	for _, c := range []struct {
		kind   model.Kind
		source model.SourceKind
		after  time.Duration
		want   bool
	}{
		{model.AttachStarted, model.SourceLog, 0, false}, {model.ControllerStarted, model.SourceLog, 0, false}, {model.AttachStarted, model.SourceLog, time.Minute, true},
		{model.AttachSucceeded, model.SourceLog, time.Minute, true}, {model.AttachSucceeded, model.SourceEvent, time.Minute, false},
		{model.DetachStarted, model.SourceLog, time.Minute, false}, {model.AttachStarted, model.SourceLog, 2 * time.Minute, false},
		{model.LeaderAcquired, model.SourceLog, time.Hour, false}, {model.AttachStarted, model.SourceLog, time.Hour + time.Second, true},
	} {
		if got := reattached(said(c.source, func(o *model.Observation) { o.Kind, o.At = c.kind, o.At.Shift(c.after) }), began); got != c.want {
			t.Errorf("%s after %s: %v", c.kind, c.after, got)
		}
	}
}

// TestMoves: what sets a time right, of a source that several clocks cover, and where the clock is doubtful.
func TestMoves(t *testing.T) {
	log, other := Source{Stream: "a.log", Writer: Control}, Source{Stream: "b.log", Writer: Control}
	hour, second := time.Hour, time.Second
	for _, c := range []struct {
		list []Offset
		want move
	}{
		{nil, move{}},
		{[]Offset{{Source: other, Ahead: hour}}, move{}},
		{[]Offset{{Source: log, Ahead: hour, Uncertainty: second}}, move{hour, second, second}},
		{[]Offset{{Source: log, Ahead: hour, Uncertainty: second}, {Source: Source{Stream: logs}, Ahead: -3 * hour, Uncertainty: 2 * second}}, move{-2 * hour, 3 * second, 3 * second}},
		{[]Offset{{Source: log, Ahead: hour, Uncertainty: second, Doubtful: true}}, move{hour, second, hour + second}},
		{[]Offset{{Source: log, Ahead: -hour, Uncertainty: second, Doubtful: true}}, move{-hour, hour + second, second}},
	} {
		if got := moveOf(log, c.list); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.list, got, c.want)
		}
	}
	noon := time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)
	if m := (move{hour, second, 2 * second}).of(model.Exactly(noon)); !m.At.Equal(noon.Add(-hour)) || m.At.Sub(m.Earliest) != second || m.Latest.Sub(m.At) != 2*second || m.Basis != model.Derived {
		t.Errorf("%+v", m)
	}
	if m := (move{hour, 0, 0}).of(model.Moment{}); !m.IsZero() {
		t.Errorf("nothing becomes %+v", m)
	}
	ofLog := Witness{Source: model.Source{Kind: model.SourceLog}}
	for _, c := range []struct {
		o    Offset
		want string
	}{
		{Offset{Source: Source{Writer: "the kubelet of a"}}, "the kubelet of a"}, {Offset{Source: Source{Stream: logs}, Own: ofLog}, "the logs"},
		{Offset{Source: Source{Stream: "pods/p/"}, Own: ofLog}, "this log, and of others beside it,"}, {Offset{Source: Source{Stream: "a.log"}, Own: ofLog}, "this log"},
		{Offset{Source: Source{Stream: "Pod objects"}}, "Pod objects"}, {Offset{Source: Source{"Pod objects", "prod", APIServer}}, "the API server in Pod objects of prod"},
	} {
		if got := c.o.name(); got != c.want {
			t.Errorf("%+v: %q", c.o.Source, got)
		}
	}
	if a, b := (Witness{Says: "x", At: noon}).text(), (Witness{Says: "x", At: noon, Quote: model.Quote{Text: " a  line "}}).text(); a != `"x" is of 2026-03-14 12:00:00 UTC` || b != `"a  line" is of 2026-03-14 12:00:00 UTC` {
		t.Error(a, b)
	}
	if a, b := place(model.Source{Path: "p"}), place(model.Source{Path: "p", Line: 3}); a != "p" || b != "p:3" {
		t.Error(a, b)
	}
}

// TestAbout: whom a statement says that something happened to, and to nobody where it tells of another thing.
func TestAbout(t *testing.T) {
	h := handles{of: map[string]model.VolumeID{"pv": {Driver: "d", Handle: "h", PersistentVolume: "pv"}}, driver: map[string]string{"h": "d"}, lost: map[string]bool{"a": true}}
	pod := model.PodRef("prod", "web-0", "u")
	for _, c := range []struct {
		name string
		of   func(*model.Observation, handles) string
		o    model.Observation
		want string
	}{
		{"a pod", onPod, model.Observation{Pod: pod}, "prod/web-0"}, {"no pod", onPod, model.Observation{Pod: model.Ref{Namespace: "prod"}}, ""},
		{"a taint of a lost node", ofLostNode, model.Observation{Node: "a", Detail: "node.kubernetes.io/unreachable:NoExecute"}, "a"},
		{"of one that is not ready", ofLostNode, model.Observation{Node: "a", Detail: "node.kubernetes.io/not-ready:NoExecute"}, "a"},
		{"another", ofLostNode, model.Observation{Node: "a", Detail: "x:NoExecute"}, ""},
		{"the Lease of a lost node", ofLease, model.Observation{Node: "a", Source: model.Source{Kind: model.SourceManifest}}, "a"},
		{"of one that is there", ofLease, model.Observation{Node: "b", Source: model.Source{Kind: model.SourceManifest}}, ""},
		{"a line about it", ofLease, model.Observation{Node: "b", Source: model.Source{Kind: model.SourceLog}}, "b"},
		{"a condition", ofLease, model.Observation{Node: "a", Detail: "condition", Source: model.Source{Kind: model.SourceLog}}, ""},
		{"a container's start", ofStart, model.Observation{Detail: "Started", Component: "kubelet", Object: pod}, "u"},
		{"its image", ofStart, model.Observation{Detail: "Pulled", Component: "kubelet", Object: pod}, ""},
		{"a start by another", ofStart, model.Observation{Detail: "Started", Component: "x", Object: pod}, ""},
		{"a kubelet's start", ofStarting, model.Observation{Detail: "Starting", Component: "kubelet", Node: "a"}, "a"},
		{"something else of it", ofStarting, model.Observation{Detail: "Rebooted", Component: "kubelet", Node: "a"}, ""},
		{"the start of another", ofStarting, model.Observation{Detail: "Starting", Component: "kube-proxy", Node: "a"}, ""},
		{"the controller's leadership", onLease, model.Observation{Source: model.Source{Kind: model.SourceManifest}, Detail: "x"}, "kube-system/kube-controller-manager"},
		{"by a line", onLease, model.Observation{Source: model.Source{Kind: model.SourceLog}, Detail: "x"}, "x"},
		{"a volume by its name", onVolume, model.Observation{Volume: model.VolumeID{PersistentVolume: "pv"}}, "h"},
		{"by its handle", onVolume, model.Observation{Volume: model.VolumeID{PersistentVolume: "pv", Handle: "i"}}, "i"},
		{"by a name that nothing knows", onVolume, model.Observation{Volume: model.VolumeID{PersistentVolume: "q"}}, "q"},
		{"of a pod", onVolumeOnce, model.Observation{Pod: pod, Volume: model.VolumeID{Handle: "h"}}, "h|web-0"},
		{"an attachment by its name", onAttachment, model.Observation{Attachment: "x", Node: "a"}, "x"},
		{"by its volume and the end of a path", onAttachment, model.Observation{Node: "zones/z/a", Volume: model.VolumeID{Handle: "h"}}, model.AttachmentName("h", "d", "a")},
		{"on no node", onAttachment, model.Observation{Volume: model.VolumeID{Handle: "h"}}, ""},
		{"of no driver", onAttachment, model.Observation{Node: "a", Volume: model.VolumeID{Handle: "i"}}, ""},
		{"its deletion", byDetach, model.Observation{Attachment: "x"}, "x"},
		{"by the controller", byDetach, model.Observation{Attachment: "x", Actor: "system:serviceaccount:kube-system:attachdetach-controller"}, "x"},
		{"by a person", byDetach, model.Observation{Attachment: "x", Actor: "ann"}, ""},
		{"a condition that the controller set", byController, model.Observation{Node: "a", Source: model.Source{Kind: model.SourceEvent}}, "a"},
		{"and no kubelet", byKubelet, model.Observation{Node: "a", Source: model.Source{Kind: model.SourceEvent}}, ""},
		{"that a kubelet set", byKubelet, model.Observation{Node: "a", Component: "kubelet", Source: model.Source{Kind: model.SourceEvent}}, "a"},
		{"and no controller", byController, model.Observation{Node: "a", Component: "kubelet", Source: model.Source{Kind: model.SourceEvent}}, ""},
	} {
		if got := c.of(&c.o, h); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	s := &model.Snapshot{}
	with := handlesOf(s, []model.Observation{{Volume: model.VolumeID{PersistentVolume: "pv", Handle: "h", Driver: "d"}}, {Volume: model.VolumeID{PersistentVolume: "q", Handle: "i"}},
		{Volume: model.VolumeID{PersistentVolume: "r", Driver: "d"}}, {Volume: model.VolumeID{Handle: "j", Driver: "d"}}})
	if len(with.of) != 1 || len(with.driver) != 1 || with.driver["h"] != "d" {
		t.Errorf("%+v", with)
	}
}

// TestGroups: sources go together by stream, part, writer and pod, the larger first; a group of logs has two at least, and the collection is in none.
func TestGroups(t *testing.T) {
	tab := &table{number: map[Source]int{}, records: map[string][]record{}}
	add := func(list ...Source) string {
		for _, s := range list {
			tab.add(s, "x", record{}, nil)
		}
		text := ""
		for _, g := range tab.groups() {
			text += fmt.Sprintf("%s|%s|%s %v; ", g.name.Stream, g.name.Part, g.name.Writer, g.members)
		}
		return text
	}
	if got, want := add(Source{"the Events", "prod", Control}), "the Events|| [0]; the Events||the control plane [0]; the Events|prod| [0]; "+
		"the Events|prod|the control plane [0]; ||the control plane [0]; "; got != want {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		s    Source
		name Source
		want []int
	}{
		{Source{"a.log", "", Control}, Source{Stream: logs}, nil}, {Source{"b.log", "", Control}, Source{Stream: logs}, []int{1, 2}},
		{Source{"Pod objects", "prod", APIServer}, Source{Writer: APIServer}, nil}, {Source{"Pod objects", "prod", "the kubelet of a"}, Source{Stream: "Pod objects"}, []int{3, 4}},
		{Source{collected, "", APIServer}, Source{Stream: collected}, nil}, {Source{"n/pods/p/c/x.log", "", Control}, Source{Stream: "n/pods/p/"}, []int{6}},
		{Source{"Pod objects", "test", APIServer}, Source{Stream: "Pod objects", Part: "prod"}, []int{3, 4}},
		{Source{"the Events", "prod", "the kubelet of a"}, Source{Writer: "the kubelet of a"}, []int{4, 8}},
	} {
		add(c.s)
		var got []int
		list := tab.groups()
		for i, g := range list {
			if g.name == c.name {
				got = g.members
			}
			if i > 0 && len(g.members) > len(list[i-1].members) {
				t.Errorf("%v is behind a smaller one", g.name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestFutureOf: what is stated after the collection is a record of it by each source, the newest of each, unless two streams have such.
func TestFutureOf(t *testing.T) {
	noon := time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)
	said := func(input string, after time.Duration, how ...func(*model.Observation)) model.Observation {
		o := model.Observation{Kind: model.AttachStarted, Input: input, At: model.Exactly(noon.Add(after)), Source: model.Source{Kind: model.SourceLog, Path: input}}
		for _, h := range how {
			h(&o)
		}
		return o
	}
	assumed := func(o *model.Observation) { o.At.Basis = model.Assumed }
	sample := func(o *model.Observation) { o.Source.Kind = model.SourceMetric }
	for _, c := range []struct {
		name string
		list []model.Observation
		want string
	}{
		{"the newest", []model.Observation{said("a.log", time.Minute), said("a.log", 3*time.Minute), said("a.log", 2*time.Minute)}, "12:03 "},
		{"before it, and at it", []model.Observation{said("a.log", -time.Minute), said("a.log", 0)}, ""},
		{"two logs", []model.Observation{said("a.log", time.Minute), said("b.log", time.Minute)}, ""},
		{"an assumed time", []model.Observation{said("a.log", time.Minute, assumed)}, ""},
		{"a sample", []model.Observation{said("a.log", time.Minute, sample)}, ""},
	} {
		tab := &table{number: map[Source]int{}, records: map[string][]record{}}
		tab.future(c.list, noon)
		got := ""
		for _, r := range tab.records["collection"] {
			got += r.witness().At.Format("15:04") + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPart: the records of a group together, of others a list for each, of which there are enough at some point.
func TestPart(t *testing.T) {
	list := []record{{source: 3}, {source: 1}, {source: 2}, {source: 1}, {source: 3}}
	together(list)
	own, others := group{members: []int{2, 3}}.part(list)
	if len(own) != 3 || own[0].source != 3 || own[2].source != 2 || len(others) != 1 || len(others[0]) != 2 {
		t.Errorf("%v %v", own, others)
	}
	list = nil
	for n := range 40 {
		list = append(list, record{source: n})
	}
	if own, others = (group{members: []int{39}}).part(list); len(own) != 1 || len(others) != witnesses || others[0][0].source != 0 {
		t.Errorf("%v %v", own, others)
	}
}
