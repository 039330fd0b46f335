package report

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// computing is a timeline whose texts a spreadsheet would compute.
func computing() *model.Report {
	r := rich()
	for i, text := range []string{"=HYPERLINK(\"http://e.example\")", "+1", "-1", "@SUM(1)", "\t=1", "x;=cmd|' /c calc'!A0", "a,\"=1\"", "＝1",
		"\n=1"} {
		r.Timeline[i].Text = text
		r.Timeline[i].About = []model.Ref{{Kind: text, Name: text}}
	}
	return r
}

func TestCSVComputesNothing(t *testing.T) {
	for name, r := range map[string]*model.Report{"rich": rich(), "hostile": hostile(), "computing": computing()} {
		for _, separator := range []rune{',', ';', '\t'} {
			in := csv.NewReader(strings.NewReader(render(t, "csv", r)))
			in.Comma, in.LazyQuotes, in.FieldsPerRecord = separator, separator != ',', -1
			rows, err := in.ReadAll()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for n, row := range rows {
				if separator == ',' && (len(row) != len(rows[0]) || n == 0 && strings.Join(row[:3], " ") != "message datetime timestamp_desc") {
					t.Errorf("%s: row %d is %q", name, n, row)
				}
				for _, cell := range row {
					if bare := strings.TrimLeft(cell, " \t\"'"); bare != "" && strings.ContainsAny(bare[:1], "=+-@") &&
						!strings.Contains(cell[:strings.Index(cell, bare)], "'") {
						t.Errorf("%s: a spreadsheet that splits at %q computes %q", name, separator, cell)
					}
				}
			}
		}
	}
}

// Every item of the timeline has its row, in both forms.
func TestEventsAreComplete(t *testing.T) {
	r := rich()
	rows, err := csv.NewReader(strings.NewReader(render(t, "csv", r))).ReadAll()
	if err != nil || len(rows) != len(r.Timeline)+1 {
		t.Errorf("%d rows for %d items (%v)", len(rows), len(r.Timeline), err)
	}
	if lines := strings.Count(render(t, "jsonl", r), "\n"); lines != len(r.Timeline) {
		t.Errorf("%d lines for %d items", lines, len(r.Timeline))
	}
	for _, want := range []string{
		`"message":"The old node became NotReady (Unknown)","datetime":"2026-11-21T06:07:31.000000+00:00","timestamp_desc":"Node: ` +
			`node-not-ready (observed)","timestamp":1795241251000000`,
		`"latest":"2026-11-21T06:07:31.999999+00:00"`, `"place":"namespaces/kube-system/pods/kcm/logs/current.log:8200"`,
	} {
		if text := render(t, "jsonl", r); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
