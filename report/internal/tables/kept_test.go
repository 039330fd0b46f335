package tables

import (
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/internal/view"
)

// What the tables have of the reports and sums that package report keeps.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".csv", func(w io.Writer, r *model.Report) error { return CSV(w, r, nil) })
	reporttest.Kept(t, "", ".jsonl", JSONL)
	reporttest.Kept(t, "-fleet", ".csv", func(w io.Writer, f *model.Fleet) error { return Fleet(w, view.ForPeople(f)) })
}
