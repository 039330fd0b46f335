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
				if less.ID == "earlier-alert" && less.Why != before.Why || less.done < before.done {
					continue // it brings another remedy forward; the end of a pod of which nobody tells is assumed to stay where it was
				}
				if before.PredictedEnd != nil && width(less.Remediation)+0.5 < width(before.Remediation) {
					t.Errorf("%s without %s: %s is known to %.1f s, with it to %.1f s", c.name, name, key, width(less.Remediation), width(before.Remediation))
				}
			}
		}
	}
	if compared < 800 { // of a sweep, which another case moves
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

// judgement is a remedy, and how many acts are known to have been done in its incident.
type judgement struct {
	model.Remediation
	done int
}

// judged are all remedies of a report, by incident and remedy.
func judged(r *model.Report) map[string]judgement {
	out := map[string]judgement{}
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			one := judgement{Remediation: m}
			if i.Advice != nil {
				one.done = len(i.Advice.Done)
			}
			out[i.ID+" "+m.ID] = one
		}
	}
	return out
}
