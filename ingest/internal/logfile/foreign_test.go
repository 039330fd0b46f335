package logfile

import (
	"testing"
	"time"
)

const driverLines = `level=info ts=2026-03-14T09:26:53.770537039Z component=api-volume-service msg="attaching volume" volume-id=1 server-id=2
level=info ts=2026-03-14T09:36:53Z component=api-volume-service msg="attaching volume" volume-id=3 server-id=2
`

// A driver's own log has times and says nothing.
func TestForeignLog(t *testing.T) {
	if _, ok := Sniff([]byte(driverLines)); !ok {
		t.Error("not recognised")
	}
	r := readText(driverLines, Hint{})
	in := r.Input
	if in.Kind != "log" || in.Records != 2 || in.Used != 0 || in.Floating || len(r.Observations) != 0 || len(r.Problems) != 0 {
		t.Errorf("%+v %v", r.Input, r.Problems)
	}
	if in.From == nil || in.To == nil || in.To.Sub(*in.From).Truncate(time.Second) != 9*time.Minute+59*time.Second {
		t.Errorf("from %v to %v", in.From, in.To)
	}
}

// Beside a component's lines, it does not widen what these cover, nor place their clock.
func TestForeignLinesInALog(t *testing.T) {
	r := readText("I0314 12:00:00.000000       1 reconciler.go:1] x\n"+driverLines, Hint{})
	if in := r.Input; in.Records != 3 || !in.Floating || in.From == nil || !in.From.Equal(*in.To) {
		t.Errorf("%+v", in)
	}
}
