package redact_test

import (
	"bytes"
	"testing"

	"regexp"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
)

var boxText = regexp.MustCompile(`label="[^"]*"`)

// TestTextsComeBack wants the key to give back every text, byte for byte.
func TestTextsComeBack(t *testing.T) {
	for _, s := range some(t) {
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
			want := before.String()
			if f.Name == "dot" { // a box breaks and shortens the names in it, as docs/redaction.md says
				want, back = boxText.ReplaceAllString(want, ""), boxText.ReplaceAllString(back, "")
			}
			if back != want {
				t.Errorf("%s as %s: %s", s.Name, f.Name, difference(want, back))
			}
		}
	}
}
