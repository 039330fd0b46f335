package redact_test

import (
	"bytes"
	"testing"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestTextsComeBack wants the key to give back every text, byte for byte.
func TestTextsComeBack(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		r := sampleReport(t, s.Name)
		out, key := redact.Of(r)
		for _, f := range report.Formats() {
			if f.Name == "html" || f.Name == "svg" || f.Name == "json" {
				continue
			}
			var before, after bytes.Buffer
			if err := report.Write(&before, f.Name, r); err != nil {
				t.Fatal(err)
			}
			if err := report.Write(&after, f.Name, out); err != nil {
				t.Fatal(err)
			}
			back, err := key.Text(after.String())
			if err != nil {
				t.Fatal(err)
			}
			if want := before.String(); back != want {
				t.Errorf("%s as %s: %s", s.Name, f.Name, difference(want, back))
			}
		}
	}
}
