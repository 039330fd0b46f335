package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// A moment says what is known of it, and no more.
func TestMoment(t *testing.T) {
	at := func(s float64) time.Time { return T.Add(time.Duration(s * float64(time.Second))) }
	clock := func(t time.Time) string { return t.Format("05") }
	for _, c := range []struct {
		from, to float64
		want     string
		vague    bool
	}{{0, 0, "00", false}, {0, 2, "01", false}, {0, 4, "02 ± 2 s", false}, {0, 15, "07 ± 7.5 s", false}, {0, 16, "between 00 and 16", true}} {
		m := Between(at(c.from), at(c.to))
		if got := m.Clock(clock); got != c.want || m.Vague() != c.vague {
			t.Errorf("%v to %v: %q, %v", c.from, c.to, got, m.Vague())
		}
	}
	if m := Between(at(5), at(1)); !m.Earliest.Equal(at(5)) || !m.Latest.Equal(at(5)) || m.Basis != Derived || m.IsZero() || !(Moment{}).IsZero() {
		t.Errorf("bounds the wrong way round: %+v", m)
	}
	m := WholeSecond(at(10.4)).Shift(time.Second).Widen(2*time.Second, 3*time.Second)
	if !m.At.Equal(at(11)) || !m.Earliest.Equal(at(9)) || !m.Latest.Equal(at(15).Add(-time.Microsecond)) {
		t.Errorf("%+v", m)
	}
	for _, c := range []struct{ a, b, want Basis }{{Observed, Derived, Derived}, {Derived, Observed, Derived}, {Derived, Assumed, Assumed}, {Assumed, Derived, Assumed}} {
		if got := (Moment{Basis: c.a}).As(c.b).Basis; got != c.want {
			t.Errorf("%s as %s is %s", c.a, c.b, got)
		}
	}
	if r := Exactly(at(1)).Until(Between(at(2), at(4))); r != (Range{2, 1, 3}) {
		t.Errorf("%+v", r)
	}
	if r := Exactly(at(9)).Until(Exactly(at(1))); r != (Range{}) {
		t.Errorf("a length below zero: %+v", r)
	}
	if !Earlier(at(2), at(1)).Equal(at(1)) || !Earlier(at(1), at(2)).Equal(at(1)) || !Later(at(2), at(1)).Equal(at(2)) || !Later(at(1), at(2)).Equal(at(2)) {
		t.Error("the first or the last of two times is the other")
	}
}

// A range is known in finite time, and half of it lies on either side of the best estimate.
func TestRange(t *testing.T) {
	r, never := Range{Best: 4, Min: 2, Max: 10}, math.Inf(1)
	for u, want := range map[float64]float64{0: 2, 0.25: 3, 0.5: 4, 0.75: 7, 1: 10} {
		if got := r.At(u); got != want {
			t.Errorf("at %v: %v, want %v", u, got, want)
		}
	}
	if (Range{never, never, never}).At(0.5) != never || (Range{Best: 3, Min: 3, Max: 3}).At(0.9) != 3 {
		t.Error("what has no width has one")
	}
	if !r.Known() || (Range{Best: never}).Known() || (Range{Best: math.NaN()}).Known() {
		t.Error("known, or not")
	}
}

func TestRefAndVolume(t *testing.T) {
	pod := PodRef("shop", "db", "u")
	for _, c := range []struct {
		other Ref
		same  bool
	}{{pod, true}, {PodRef("shop", "db", ""), true}, {PodRef("shop", "db", "v"), false}, {PodRef("x", "db", "u"), false}, {PodRef("shop", "x", "u"), false},
		{Ref{Kind: "Node", Namespace: "shop", Name: "db", UID: "u"}, false}} {
		if pod.Is(c.other) != c.same || c.other.Is(pod) != c.same {
			t.Errorf("%+v: %v", c.other, !c.same)
		}
	}
	if pod.Key() != "Pod/shop/db" || pod.String() != "shop/db" || (Ref{Kind: "Node", Name: "n"}).Key() != "Node/n" || (Ref{Name: "n"}).String() != "n" {
		t.Error("a name is written otherwise")
	}
	whole := VolumeID{UniqueName: "kubernetes.io/csi/d^h", Handle: "h", Driver: "d"}
	for _, part := range []VolumeID{{UniqueName: whole.UniqueName}, {Handle: "h", Driver: "d"}} {
		if got := part.Complete(); got != whole {
			t.Errorf("%+v", got)
		}
	}
	for _, part := range []VolumeID{{UniqueName: "kubernetes.io/aws-ebs/v"}, {Handle: "h"}, {Driver: "d"}, {}} {
		if got := part.Complete(); got != part || got.IsZero() != (part == VolumeID{}) {
			t.Errorf("%+v", got)
		}
	}
}

// A part of a snapshot is what lies in the files of one cluster and is not said of another.
func TestOfCluster(t *testing.T) {
	at := Exactly(T)
	s := &Snapshot{
		Clusters: []string{"a", "b"}, CapturedAt: &at,
		Inputs:       []Input{{Path: "x/a.yaml", Cluster: "a"}, {Path: "x/b.yaml", Cluster: "b"}, {Path: "tsdb", Clusters: []string{"a", "b"}}},
		Observations: []Observation{{Input: "x/a.yaml"}, {Input: "x/b.yaml"}, {Input: "tsdb", Cluster: "a"}, {Input: "tsdb", Cluster: "b"}},
		Metrics:      []MetricSource{{Input: "tsdb", Cluster: "b"}, {Input: "tsdb", Cluster: "a"}, {Input: "x/b.yaml"}},
		Aged:         []Aged{{Input: "x/a.yaml"}, {Input: "x/b.yaml"}}, Lists: []Listed{{Kind: "Pod", Cluster: "a"}, {Kind: "Pod", Cluster: "b"}},
		RuleFiles: []RuleFile{{Path: "x/a.yaml"}, {Path: "x/b.yaml"}}, ActiveAlerts: []ActiveAlert{{Input: "x/a.yaml"}, {Input: "x/b.yaml"}},
		ClusterVersions: []Object[ClusterVersion]{{Input: "x/b.yaml"}},
	}
	p := s.OfCluster("a")
	got := []int{len(p.Inputs), len(p.Observations), len(p.Metrics), len(p.Aged), len(p.Lists), len(p.RuleFiles), len(p.ActiveAlerts), len(p.ClusterVersions)}
	if want := []int{2, 2, 1, 1, 1, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if p.Inputs[1].Cluster != "a" || p.Inputs[1].Clusters != nil || p.Lists[0].Cluster != "" || p.Metrics[0].Cluster != "a" || p.CapturedAt != nil {
		t.Errorf("%+v", p)
	}
	s.CapturedFrom.Source.Path = "x/a.yaml"
	if p, other := s.OfCluster("a"), s.OfCluster("b"); p.CapturedAt == nil || p.Collections != nil || other.CapturedAt != nil {
		t.Errorf("collected at %v, and the other at %v", p.CapturedAt, other.CapturedAt)
	}
	s.Collections = []Collection{{Root: "x", CapturedAt: Exactly(T.Add(time.Hour))}, {Root: "y", CapturedAt: at}, {Root: ".", CapturedAt: at}}
	if p := s.OfCluster("a"); p.CapturedAt == nil || !p.CapturedAt.At.Equal(T.Add(time.Hour)) || p.Collections != nil {
		t.Errorf("collected %+v", p.Collections)
	}
	s.Collections[1].Root = "x/a.yaml"
	if p := s.OfCluster("a"); len(p.Collections) != 2 || !p.CapturedAt.At.Equal(T) {
		t.Errorf("collected %+v", p.Collections)
	}
	if one := s.OfInputs(map[string]bool{"x/b.yaml": true}); len(one.ClusterVersions) != 1 || len(one.Observations) != 4 {
		t.Errorf("%+v", one)
	}
}

// A collection holds what lies below its root, archives included, and the innermost counts.
func TestCollections(t *testing.T) {
	s := &Snapshot{Collections: []Collection{{Root: "."}, {Root: "a"}, {Root: "a/b"}, {Root: "a", How: CollectedNamed}}}
	for path, want := range map[string]string{"a/b/c": "a/b", "a/b": "a/b", "a!b!c": "a/b", "a/x": "a", "ab": ".", "x/y": "."} {
		of := s.Collected().Of(path)
		if of == nil || of.Root != want || of.How != "" || !of.Holds(path) {
			t.Errorf("%s: %+v", path, of)
		}
	}
	if (Collected{}).Of("a") != nil || (Collection{Root: "a"}).Holds("ab/c") || (Collection{Root: "a"}).Holds("b") {
		t.Error("held by none")
	}
}

func TestInputs(t *testing.T) {
	var in Input
	in.Cover(time.Time{}, T.Add(2*time.Second), T.Add(time.Second), T.Add(3*time.Second), T.Add(2*time.Second))
	if !in.From.Equal(T.Add(time.Second)) || !in.To.Equal(T.Add(3*time.Second)) {
		t.Errorf("%v to %v", in.From, in.To)
	}
	for p, want := range map[Problem]bool{{Severity: Failure, Path: "."}: true, {Severity: Failure, Path: "x"}: false, {Severity: Warning, Path: "."}: false} {
		if p.CutsShort() != want {
			t.Errorf("%+v", p)
		}
	}
	berlin := Supplied{LogZone: time.FixedZone("", 3600)}
	if got := berlin.OffsetAt(T); got != time.Hour {
		t.Error(got)
	}
	s := Snapshot{ClusterVersions: []Object[ClusterVersion]{{Content: Whole(ClusterVersion{ClusterID: "c"})}, {Content: Whole(ClusterVersion{})}}}
	if got := s.Identities(); len(got) != 1 || !strings.HasPrefix(got[0], IdentityOpenShift+"-") || len(got[0]) != len(IdentityOpenShift)+13 {
		t.Error(got)
	}
}

// What an object is at an instant: nothing before its first state, nor after one that ends; before a creation it is not there yet.
func TestLane(t *testing.T) {
	at := func(s float64) *Moment { return new(Exactly(T.Add(time.Duration(s * float64(time.Second))))) }
	l := Lane{States: []LaneState{{Word: StatePending, Reported: "created", From: at(1)}, {Word: StateReady, Reported: "Ready", From: at(2), To: at(3)}}}
	for s, want := range map[float64]int{0: -1, 1: 0, 1.5: 0, 2: 1, 2.5: 1, 3: -1, 4: -1} {
		when := at(s).At
		if got := l.At(when); got != want || l.Is(when, StateReady, StateGone) != (want == 1) || l.Early(when) != (s < 1) {
			t.Errorf("at %v: %d, want %d", s, got, want)
		}
	}
	always := Lane{States: []LaneState{{Word: StateAttached}}}
	if always.At(T) != 0 || always.Early(T) || (&Lane{}).Early(T) || (&Lane{}).At(T) != -1 {
		t.Error("a state without a beginning has one")
	}
	for want, s := range map[string]LaneState{"not Ready": {Word: StatePending, Reported: "not Ready"}, "gone": {Word: StateGone}, "silent": {Word: StateSilent, Reported: "Ready"}} {
		if s.Called() != want {
			t.Errorf("%s is called %s", want, s.Called())
		}
	}
	for _, c := range []struct {
		span Span
		want string
	}{{Span{Down: true}, "down"}, {Span{Open: true}, "waiting"}, {Span{StartsAt: StartsAtReport}, "waiting"}, {Span{StartsAt: StartsAtDeletion}, "moving"}} {
		if c.span.Word() != c.want {
			t.Errorf("%+v: %s", c.span, c.span.Word())
		}
	}
	p := Phase{ID: PhaseUndivided, Undivided: []PhaseID{PhaseDetach, PhaseAttach}}
	if !p.MayBe(PhaseMount, PhaseAttach) || !p.MayBe(PhaseUndivided) || p.MayBe(PhaseMount) {
		t.Errorf("%+v", p)
	}
}

func TestLabels(t *testing.T) {
	l := Labels{{MetricName, "up"}, {"a", ""}, {"job", `x"`}}
	if l.Get("job") != `x"` || l.Get("z") != "" || !l.Has("a") || l.Has("b") || l.String() != `up{a="",job="x\""}` {
		t.Error(l)
	}
	for name, want := range map[string]bool{"replica": true, "__replica__": true, "prometheus_replica": true, "replicas": false, "job": false} {
		if IsReplicaLabel(name) != want {
			t.Error(name)
		}
	}
	for _, c := range []struct {
		a, b Labels
		want int
	}{{l, l, 0}, {l[:2], l, -1}, {Labels{{"a", "1"}}, Labels{{"a", "2"}}, -1}, {Labels{{"b", "1"}}, Labels{{"a", "2"}}, 1}} {
		if c.a.Compare(c.b) != c.want {
			t.Errorf("%v and %v: %d", c.a, c.b, c.a.Compare(c.b))
		}
	}
}

// Of several copies of an object the one with the highest version counts, in the order of appearance; a field that is not there is cited
// by its object.
func TestObjects(t *testing.T) {
	ref := func(name string) Ref { return Ref{Kind: "Node", Name: name} }
	all := []Object[int]{{Ref: ref("a"), ResourceVersion: 1, Content: Whole(7)}, {Ref: ref("b"), Line: 2}, {Ref: ref("a"), ResourceVersion: 3}, {Ref: ref("a"), ResourceVersion: 2}}
	got := Newest(all)
	if len(got) != 2 || got[0].ResourceVersion != 3 || got[1].Line != 2 || len(Newest(all[:2])) != 2 || all[0].Value() != 7 || all[1].Value() != 0 {
		t.Errorf("%+v", got)
	}
	o := Object[int]{Input: "n.yaml", Line: 4, Cite: func(field string) (int, Quote, bool) { return 9, Quote{Text: field}, field == "spec" }}
	if src, q := o.SourceOf("spec"); src.Line != 9 || src.Field != "spec" || q.Text != "spec" {
		t.Errorf("%+v %+v", src, q)
	}
	for _, o := range []Object[int]{o, {Input: "n.yaml", Line: 4}} {
		if src, q := o.SourceOf("status"); src != (Source{Kind: SourceManifest, Path: "n.yaml", Line: 4}) || q.SHA256 != emptySHA256 {
			t.Errorf("%+v %+v", src, q)
		}
	}
}

// Observations have one order, whatever order they were read in.
func TestOrder(t *testing.T) {
	o := func(second, line int, field string, kind Kind, node, pod string) Observation {
		return Observation{At: Exactly(T.Add(time.Duration(second) * time.Second)), Source: Source{Line: line, Field: field}, Kind: kind, Node: node, Pod: PodRef("", pod, "")}
	}
	sorted := []Observation{o(0, 9, "", "z", "", ""), o(1, 1, "b", "z", "", ""), o(1, 2, "a", "z", "", ""), o(1, 2, "b", "a", "z", ""), o(1, 2, "b", "b", "a", "z"),
		o(1, 2, "b", "b", "b", "a"), o(1, 2, "b", "b", "b", "b")}
	list := slices.Clone(sorted)
	slices.Reverse(list)
	SortObservations(list)
	if fmt.Sprint(list) != fmt.Sprint(sorted) {
		t.Errorf("%v", list)
	}
	SortObservations(list)
	if fmt.Sprint(list) != fmt.Sprint(sorted) {
		t.Errorf("sorted again: %v", list)
	}
	i := Incident{MultiAttach: MultiAttachWait{Began: Moment{At: T.Add(time.Hour), Basis: Derived}}}
	if i.Zero() != T {
		t.Error(i.Zero())
	}
	i.MultiAttach.Began = Exactly(T.Add(time.Hour))
	if i.Zero() == T {
		t.Error("a dated beginning is left")
	}
	if first := FirstOf(Option{Remedy: "a"}, Option{Remedy: "b"}); first.Remedy != "a" || FirstOf() != nil {
		t.Error(first)
	}
}
