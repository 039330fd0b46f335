package cause_test

import (
	"context"
	"fmt"
	"io/fs"
	"testing"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: what each cause says of every case, a golden for each, with its place among the others, its reasons and its evidence.
func TestCases(t *testing.T) {
	answers := cases.Open(t, "")
	for _, b := range cases.Thinner(bundles()) {
		for n, c := range cases.Waits(facts.NewWorld(b.Snapshot)) {
			var l evidence.Ledger
			for place, k := range cause.Explain(c, &l) {
				id := k.ID
				k.ID = ""
				answers.Add(id, b, n+1, fmt.Sprintf("%d. ", place+1)+cases.Places(&l, cases.Text(k)))
			}
		}
	}
	answers.Close()
}
