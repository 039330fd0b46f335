package report

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/report/internal/view"
)

// A zone is for the formats for people. Quotes, commands and what machines read keep their times.
func TestMachinesKeepUTC(t *testing.T) {
	r, zone := rich(), time.FixedZone("UTC+05:30", 19800)
	for _, f := range Formats() {
		if f.Name == "svg" {
			continue // which needs a program
		}
		if same := zoned(t, f.Name, r, zone) == zoned(t, f.Name, r, nil); same == f.Zoned() {
			t.Errorf("%s is the same in another zone: %v; its entry in formats has no zone: %v", f.Name, same, !f.Zoned())
		}
		if machine := f.Name == "json" || f.Name == "jsonl"; machine && f.Zoned() {
			t.Errorf("%s takes a zone", f.Name)
		}
	}
	r.Evidence[0].Text, r.Verdict.Why = "E at 06:06:51", "It fell silent at 06:06:51."
	v := view.In(r, zone)
	if v.Evidence[0].Text != "E at 06:06:51" || v.Verdict.Why != "It fell silent at 11:36:51." {
		t.Errorf("%q, %q", v.Evidence[0].Text, v.Verdict.Why)
	}
	if text := zoned(t, "csv", r, zone); !strings.Contains(text, "+05:30") {
		t.Error("the table does not have the offset")
	}
}
