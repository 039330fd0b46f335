package report

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// The head names both offsets of a report across a change, and each date has its own.
func TestZoneTextAcrossAChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := &model.Report{Timeline: []model.TimelineItem{
		{ID: "a", At: model.WholeSecond(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC))},
		{ID: "b", At: model.WholeSecond(time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC))},
	}}
	v := view.In(r, berlin)
	if got, want := v.Times(), "Times are Europe/Berlin (UTC+02:00, from 2026-10-25 02:00:00 on UTC+01:00)."; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	got := view.Instant(v.Timeline[0].At) + ", " + view.Instant(v.Timeline[1].At)
	if got != "2026-10-25 02:30:00 UTC+02:00, 2026-10-25 02:30:00 UTC+01:00" {
		t.Error(got)
	}
}

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
