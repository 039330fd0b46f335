package ingest

import (
	"fmt"
	"testing"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// TestQuietInputs: a log of an application that gave nothing is an input of its own up to a bound, with what it covers; one of a component
// always is, since it shows what did not happen.
func TestQuietInputs(t *testing.T) {
	r := newReading(t.Context(), "r", DefaultLimits())
	for n := range maxQuiet + 2 {
		p := r.newPart(fmt.Sprintf("b.tgz!%06d.log", n), layout.Place{})
		p.input.Kind, p.input.Bytes, p.input.Records = model.InputLog, 10, 1
		r.keep(p)
	}
	p := r.newPart("b.tgz!kcm.log", layout.Place{})
	p.input.Kind, p.input.Records, p.input.Component = model.InputLog, 1, "kube-controller-manager"
	r.keep(p)
	got := r.quietInputs()
	if len(r.parts) != 1 || len(got) != maxQuiet+1 || got[0].Records != 1 {
		t.Fatalf("%d parts, %d inputs, the first of %d records", len(r.parts), len(got), got[0].Records)
	}
	if last := got[maxQuiet]; last.Path != "b.tgz!…" || last.Bytes != 20 || len(r.s.Problems) != 1 {
		t.Errorf("the rest is %+v, problems %v", last, r.s.Problems)
	}
}
