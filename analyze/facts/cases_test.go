package facts_test

import (
	"context"
	"io/fs"
	"slices"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestWorlds: what is known of every bundle, a golden for each question; with what a case in it asks by.
func TestWorlds(t *testing.T) {
	g := cases.Open(t, "world")
	for _, b := range bundles() {
		w := facts.NewWorld(b.Snapshot)
		axis := w.Axis
		axis.Inputs = slices.DeleteFunc(slices.Clone(axis.Inputs), func(i model.Input) bool { return i.Clock == nil })
		g.Add("Axis", b, 0, cases.Text(axis))
		g.Ask(b, 0, w, nil)
		for n, c := range cases.Waits(w) {
			g.Ask(b, n+1, w, c)
		}
	}
	g.Close()
}
