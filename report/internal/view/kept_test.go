package view_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/html"
	"github.com/volpost/volpost/report/internal/markdown"
	"github.com/volpost/volpost/report/internal/reporttest"
	"github.com/volpost/volpost/report/internal/tables"
	"github.com/volpost/volpost/report/internal/text"
	"github.com/volpost/volpost/report/internal/view"
)

// The words that the formats share, as they stand in the reports, comparisons and sums that package report keeps.
func TestKept(t *testing.T) {
	reporttest.Kept(t, "", ".txt", func(w io.Writer, r *model.Report) error { return text.Write(w, r, nil) })
	reporttest.Kept(t, "", ".md", func(w io.Writer, r *model.Report) error { return markdown.Write(w, r, nil) })
	reporttest.Kept(t, "", ".csv", func(w io.Writer, r *model.Report) error { return tables.CSV(w, r, nil) })
	reporttest.Kept(t, "", ".dot", func(w io.Writer, r *model.Report) error { return drawing.WriteDOT(w, r, nil) })
	reporttest.Kept(t, "", ".html", func(w io.Writer, r *model.Report) error {
		var page bytes.Buffer
		err := html.Write(&page, r, nil)
		_, writeErr := io.WriteString(w, reporttest.WithoutStyle(page.String()))
		return errors.Join(err, writeErr)
	})
	reporttest.Kept(t, "-diff", ".text", func(w io.Writer, d *model.Diff) error { return text.Diff(w, view.ForPeople(d)) })
	reporttest.Kept(t, "-fleet", ".text", func(w io.Writer, f *model.Fleet) error { return text.Fleet(w, view.ForPeople(f)) })
}
