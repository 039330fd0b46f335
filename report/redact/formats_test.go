package redact_test

import (
	"bytes"
	"testing"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
	"github.com/volpost/volpost/samples"
)

// TestTextsComeBack wants the key to give back every text byte for byte that cuts and breaks no name.
func TestTextsComeBack(t *testing.T) {
	for _, s := range redact.Few(samples.List()) {
		r := redact.SampleReport(t, s.Name)
		out, key := redact.Of(r)
		for _, format := range []string{"csv", "jsonl"} {
			var before, after bytes.Buffer
			if err := report.Write(&before, format, r); err != nil {
				t.Fatal(err)
			}
			if err := report.Write(&after, format, out); err != nil {
				t.Fatal(err)
			}
			back, err := key.Text(after.String())
			if err != nil {
				t.Fatal(err)
			}
			if want := before.String(); back != want {
				t.Errorf("%s as %s: %s", s.Name, format, difference(want, back))
			}
		}
	}
}
