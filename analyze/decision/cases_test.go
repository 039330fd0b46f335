package decision_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: what is answered in every case, a golden for each operand, with its text, since when and until when.
func TestCases(t *testing.T) {
	answers := cases.Open(t, "")
	for _, b := range cases.Thinner(bundles()) {
		for n, c := range cases.Waits(facts.NewWorld(b.Snapshot)) {
			var l evidence.Ledger
			for _, o := range decision.Operands(c, &l) {
				question := o.Operand
				o.Operand = ""
				answers.Add(question, b, n+1, cases.Places(&l, cases.Text(o)))
			}
			if w, ok := decision.Integrity(c); ok {
				answers.Add("integrity", b, n+1, cases.Text(w))
			}
		}
	}
	answers.Close()
}
