package model

import (
	"math"
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
