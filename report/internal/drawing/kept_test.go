package drawing

import (
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
)

// The drawings of the reports that package report keeps, and their sources.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".dot", func(w io.Writer, r *model.Report) error { return WriteDOT(w, r, nil) })
	reporttest.Kept(t, "", ".svg", func(w io.Writer, r *model.Report) error { return WriteSVG(w, r, nil) })
}
