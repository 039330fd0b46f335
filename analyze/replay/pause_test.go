package replay

import (
	"math"
	"testing"
)

// Tries of a kubelet of 1.34.3 on a busy mount came, after the first: 0.6, 1.6, 3.6, 7.7, 15.8, 31.8, 63.8, 128, 250 and 372 s.
func TestNextTry(t *testing.T) {
	for at, want := range map[float64]float64{0: 0, 0.1: 0.5, 20: 31.5, 64: 127.5, 300: 371.5, 372: 493.5} {
		if got := nextTry(0, at, firstBackoff, maxBackoff); got != want {
			t.Errorf("the first try from %g s on is at %g s, want %g", at, got, want)
		}
	}
	if got := nextTry(never, 10, firstBackoff, maxBackoff); !math.IsInf(got, 1) {
		t.Errorf("without a try: %g", got)
	}
}

// The kubelet unmounts with its first try after the holder of the mount has ended, and the node reports it with its next status.
func TestEndHolder(t *testing.T) {
	s := free(10)
	s.Stuck, s.Tried = true, 10
	p := s.Predict(Plan{}.With(Act{Kind: EndHolder, At: 200}))
	if try := nextTry(10, 200, firstBackoff, maxBackoff); p.Ready.Min < try || p.Ready.Max > try+reportPeriod+15 {
		t.Errorf("Ready %+v, with a try at %g", p.Ready, try)
	}
	s.NotReady = exactly(50)
	if p := s.Predict(Plan{}.With(Act{Kind: EndHolder, At: 200})); p.Ready.Known() {
		t.Errorf("on a node that was lost: Ready %+v", p.Ready)
	}
}
