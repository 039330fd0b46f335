package main

import (
	"strings"
	"testing"
	"time"
)

// An instant is a date, a time and a zone; letters other than UTC mean several zones.
func TestParseInstant(t *testing.T) {
	want := time.Date(2026, time.November, 21, 6, 13, 0, 0, time.UTC)
	for _, text := range []string{
		"2026-11-21T06:13:00Z", "2026-11-21T06:13Z", "2026-11-21T07:13:00+01:00", "2026-11-21T07:13:00+0100", "2026-11-21 06:13:00Z",
		"2026-11-21 07:13:00 +01:00",
		"2026-11-21 07:13:00 +0100", "2026-11-21 07:13 +01:00", "2026-11-21 06:13:00 UTC", "2026-11-21 06:13 UTC", "Sat Nov 21 06:13:00 UTC 2026",
		"Sat, 21 Nov 2026 07:13:00 +0100",
	} {
		if got, ok := parseInstant(text); !ok || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%q: %s %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "2026-11-21", "2026-11-21T06:13:00", "2026-11-21 06:13", "06:13:00Z", "2026-11-21 06:13:00 CET",
		"Sat Nov 21 06:13:00 CET 2026", "5m", "1763705580"} {
		if got, ok := parseInstant(text); ok {
			t.Errorf("%q is no instant: %s", text, got)
		}
	}
}

// What is said is checked before anything is read, and each error says what would be right.
func TestSaidFlags(t *testing.T) {
	good, err := suppliedFlags{collectedAt: "2026-11-21T06:13:00Z", year: "2026", logZone: "+05:30"}.parse()
	if err != nil || good.Year != 2026 || good.LogZoneName != "UTC+05:30" || good.CollectedAt.IsZero() {
		t.Errorf("%+v %v", good, err)
	}
	if none, err := (suppliedFlags{}).parse(); err != nil || none.LogZone != nil || none.Year != 0 || !none.CollectedAt.IsZero() {
		t.Errorf("nothing said: %+v %v", none, err)
	}
	for _, flags := range []suppliedFlags{{collectedAt: "noon"}, {collectedAt: "0001-01-01T00:00:00Z"}, {year: "26"}, {year: "2013"},
		{year: "x"}, {logZone: "Local"}, {logZone: "5"}} {
		_, err := flags.parse()
		if f, ok := err.(*failure); !ok || f.code != exitUsage || f.hint == "" || !strings.HasPrefix(f.msg, flags.given()+" ") {
			t.Errorf("%+v: %v", flags, err)
		}
	}
}

// Each bundle of a comparison has its own time of collection, and a report has its own already.
func TestSaidOfTwo(t *testing.T) {
	paths, two, one, reports := []string{"a", "b"}, [2]bool{}, [2]bool{true, false}, [2]bool{true, true}
	f := flags{collected: []string{"2026-11-21T06:13:00Z", "2026-11-22T06:13:00Z"}, supplied: suppliedFlags{year: "2026"}}
	if of, err := f.ofEach(paths, two); err != nil || of[0].supplied.collectedAt != f.collected[0] ||
		of[1].supplied.collectedAt != f.collected[1] || of[1].supplied.year != "2026" {
		t.Errorf("%+v %v", of, err)
	}
	f.collected = f.collected[:1]
	if of, err := f.ofEach(paths, one); err != nil || of[1].supplied.collectedAt != f.collected[0] || of[0] != nil {
		t.Errorf("%+v %v", of, err)
	}
	if _, err := f.ofEach(paths, two); err == nil {
		t.Error("one time for two bundles")
	}
	for _, settled := range []flags{{supplied: suppliedFlags{logZone: "UTC"}}, {collected: f.collected}} {
		if _, err := settled.ofEach(paths, reports); err == nil {
			t.Errorf("%+v of two reports", settled)
		}
	}
	if _, err := (&flags{}).ofEach(paths, reports); err != nil {
		t.Error(err)
	}
}
