// Package jsonout writes JSON as all of this program's is written: names can be searched, and none reaches a terminal as an order.
package jsonout

import (
	"io"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// Report writes the report itself, a part at a time.
func Report(w io.Writer, r *model.Report) error {
	whole := view.CopyValue(r)
	rest := *whole
	rest.Incidents, rest.Timeline, rest.Evidence = []model.Incident{}, []model.TimelineItem{}, []model.Evidence{}
	return WriteLists(w, rest, "  ",
		ListOf("incidents", 8, whole.Incidents), ListOf("timeline", 512, whole.Timeline), ListOf("evidence", 512, whole.Evidence))
}

// Value writes what is written at once.
func Value[T any](w io.Writer, v *T) error { return Encoder(w, "  ").Encode(view.CopyValue(v)) }
