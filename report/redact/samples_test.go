package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/redact"
	"github.com/volpost/volpost/samples"
)

func text(t *testing.T, r *model.Report) string {
	t.Helper()
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRestore wants the key to give back the very report.
func TestRestore(t *testing.T) {
	for _, s := range redact.Few(samples.List()) {
		r := redact.SampleReport(t, s.Name)
		before := text(t, r)
		out, key := redact.Of(r)
		if text(t, r) != before {
			t.Errorf("%s: the original has changed", s.Name)
		}
		back, err := key.Report(out)
		if err != nil {
			t.Fatal(err)
		}
		if after := text(t, back); after != before {
			t.Errorf("%s: %s", s.Name, difference(before, after))
		}
	}
}

func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := 0
			for from < min(len(a[i]), len(b[i])) && a[i][from] == b[i][from] {
				from++
			}
			from = max(0, from-60)
			return "want …" + a[i][from:min(len(a[i]), from+160)] + "\ngot  …" + b[i][from:min(len(b[i]), from+160)]
		}
	}
	return "lengths differ"
}
