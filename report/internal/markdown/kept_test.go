package markdown

import (
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/internal/view"
)

// What a ticket says of the reports and comparisons that package report keeps.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".md", func(w io.Writer, r *model.Report) error { return Write(w, r, nil) })
	reporttest.Kept(t, "", ".jira", func(w io.Writer, r *model.Report) error { return Jira(w, r, nil) })
	reporttest.Kept(t, "-diff", ".md", func(w io.Writer, d *model.Diff) error { return Diff(w, view.ForPeople(d)) })
	reporttest.Kept(t, "-diff", ".jira", func(w io.Writer, d *model.Diff) error { return JiraDiff(w, view.ForPeople(d)) })
}
