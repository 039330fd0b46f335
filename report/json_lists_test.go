package report

import (
	"bytes"
	"testing"

	"github.com/volpost/volpost/report/internal/jsonout"
)

// TestReportIsWrittenAsAtOnce: the parts in which a report is written leave no trace in the bytes.
func TestReportIsWrittenAsAtOnce(t *testing.T) {
	for _, c := range fixtures() {
		var want bytes.Buffer
		if err := jsonout.Value(&want, c.report); err != nil {
			t.Fatal(err)
		}
		if of(t, "json", c.name, c.report) != want.String() {
			t.Errorf("%s: the JSON report is written otherwise", c.name)
		}
	}
}
