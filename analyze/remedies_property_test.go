package analyze_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// TestLessEvidenceForRemedies: with any input removed, no remedy is called safe that rests on a proof and was not safe with
// all of the evidence; no prediction becomes narrower, and none is made where what it takes was missing. A prediction that
// was withheld because the replay contradicted what was seen can be made when that is no longer seen, and what was really
// done is a remedy of another kind when nobody tells of it.
func TestLessEvidenceForRemedies(t *testing.T) {
	compared := 0
	for _, c := range recordings.Sweep(cases(t)) {
		if c.remedy == "" {
			continue
		}
		full := judged(c.report(t))
		for name := range c.bundle {
			for key, less := range judged(c.without(name).report(t)) {
				before, known := full[key]
				if !known {
					continue
				}
				compared++
				if len(less.Safety.Needs) > 0 && less.Safety.State == "safe" && before.Safety.State != "safe" {
					t.Errorf("%s without %s: %s is safe, with it %s", c.name, name, key, before.Safety.State)
				}
				if less.PredictedEnd == nil || before.WasUsed || strings.HasPrefix(before.Why, "Withheld") {
					continue
				}
				if before.PredictedEnd == nil && before.Effect == "undecidable" {
					t.Errorf("%s without %s: %s is predicted, with it not: %s", c.name, name, key, before.Why)
				}
				if less.ID == "earlier-alert" && less.Why != before.Why {
					continue // it brings another remedy forward
				}
				if before.PredictedEnd != nil && width(less)+0.5 < width(before) {
					t.Errorf("%s without %s: %s is known to %.1f s, with it to %.1f s", c.name, name, key, width(less), width(before))
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d remedies were compared", compared)
	}
}

// without is the case without one of its files. One that had no other has an empty list in its place.
func (c oneCase) without(name string) oneCase {
	left := fstest.MapFS{}
	for other, f := range c.bundle {
		if other != name {
			left[other] = f
		}
	}
	if len(left) == 0 {
		left["empty.yaml"] = &fstest.MapFile{Data: []byte("apiVersion: v1\nkind: List\nitems: []\n"), Mode: 0o644}
	}
	c.bundle = left
	return c
}

// width is the length of the range of a prediction, in seconds.
func width(r model.Remediation) float64 {
	return r.PredictedEnd.Latest.Sub(r.PredictedEnd.Earliest).Seconds()
}

// judged are all remedies of a report, by incident and remedy.
func judged(r *model.Report) map[string]model.Remediation {
	out := map[string]model.Remediation{}
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			out[i.ID+" "+m.ID] = m
		}
	}
	return out
}
