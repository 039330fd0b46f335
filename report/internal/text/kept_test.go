package text

import (
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/internal/view"
)

// What the text says of the reports, comparisons and sums that package report keeps.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".txt", func(w io.Writer, r *model.Report) error { return Write(w, r, nil) })
	reporttest.Kept(t, "-diff", ".text", func(w io.Writer, d *model.Diff) error { return Diff(w, view.ForPeople(d)) })
	reporttest.Kept(t, "-fleet", ".text", func(w io.Writer, f *model.Fleet) error { return Fleet(w, view.ForPeople(f)) })
}
