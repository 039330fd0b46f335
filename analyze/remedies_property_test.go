package analyze_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

// TestLessEvidenceProvesNoStop: with any input removed, no remedy is called safe that rests on a proof and was not safe
// with all of the evidence.
func TestLessEvidenceProvesNoStop(t *testing.T) {
	for _, c := range cases(t) {
		if c.remedy == "" {
			continue
		}
		full := safetyOf(c.report(t))
		for name := range c.bundle {
			less := c
			less.bundle = fstest.MapFS{}
			for other, f := range c.bundle {
				if other != name {
					less.bundle[other] = f
				}
			}
			if !hasFiles(less.bundle) {
				continue
			}
			for key, state := range safetyOf(less.report(t)) {
				if before, known := full[key]; known && state == "safe" && before != "safe" {
					t.Errorf("%s without %s: %s is safe, with it %s", c.name, name, key, before)
				}
			}
		}
	}
}

func hasFiles(f fs.ReadDirFS) bool {
	list, err := f.ReadDir(".")
	return err == nil && len(list) > 0
}

// safetyOf is the state of every remedy that needs something, by incident and remedy.
func safetyOf(r *model.Report) map[string]string {
	out := map[string]string{}
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			if len(m.Safety.Needs) > 0 {
				out[i.ID+" "+m.ID] = m.Safety.State
			}
		}
	}
	return out
}
