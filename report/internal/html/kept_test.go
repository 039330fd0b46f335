package html

import (
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
)

// The pages of the reports that package report keeps.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".html", func(w io.Writer, r *model.Report) error {
		_, err := io.WriteString(w, reporttest.WithoutStyle(render(t, r)))
		return err
	})
}
