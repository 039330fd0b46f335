package view

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// The clocks that a sentence of the program holds are moved, and nothing that only looks like one.
func TestSentencesInZone(t *testing.T) {
	w := wallsFor(t, "Asia/Kolkata", "2026-11-22T18:08:19Z", "2026-11-22T18:40:00Z")
	for in, want := range map[string]string{
		"silent at 18:08:19; gone":                     "silent at 23:38:19; gone",
		"silent at 18:08:19.25: gone":                  "silent at 23:38:19.25: gone",
		"3 times until 18:31:02)":                      "3 times until 00:01:02)",
		"from 18:08:19 UTC":                            "from 23:38:19 UTC+05:30",
		"Ready since 2026-11-20 23:59:59.":             "Ready since 2026-11-21 05:29:59.",
		"evicted at 2026-11-20 23:59:59 UTC, when":     "evicted at 2026-11-21 05:29:59 UTC+05:30, when",
		"after 2026-11-22T18:10:00Z, when":             "after 2026-11-22T23:40:00+05:30, when",
		"2026-11-22 18:08:19–18:10:00 UTC":             "2026-11-22 23:38:19–23:40:00 UTC+05:30",
		`line 3 prints "2026-11-22 18:08:19 +0000"`:    `line 3 prints "2026-11-22 18:08:19 +0000"`,
		"it says “due 18:08:19” at 18:08:19":           "it says “due 18:08:19” at 23:38:19",
		"lease until 18:08:19 CET":                     "lease until 18:08:19 CET",
		"2026-11-22 18:08:19 +0000":                    "2026-11-22 18:08:19 +0000",
		"address 02:42:18:08:19:ac, T+18:08:19, 18:08": "address 02:42:18:08:19:ac, T+18:08:19, 18:08",
		"at 29:99:99":                                  "at 29:99:99 UTC",
		"made at 2000-01-02 03:04:05":                  "made at 2000-01-02 03:04:05",
	} {
		if got := w.sentence(in); got != want {
			t.Errorf("%q\nbecame %q\nwant   %q", in, got, want)
		}
	}
}

// Where summer time ends, a clock is moved by the instant of the report that has it; one that may be of either side stays, and says so.
func TestSummerTimeEnds(t *testing.T) {
	w := wallsFor(t, "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")
	for in, want := range map[string]string{
		"at 00:30:00 and 01:30:00": "at 02:30:00 and 02:30:00",
		"until 00:45:10":           "until 00:45:10 UTC",
		"at 2026-10-25 00:45:10 UTC and 2026-10-25 01:45:10 UTC": "at 2026-10-25 02:45:10 UTC+02:00 and 2026-10-25 02:45:10 UTC+01:00",
	} {
		if got := w.sentence(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	again := wallsFor(t, "Europe/Berlin", "2026-10-24T22:30:00Z", "2026-10-25T22:30:00Z", "2026-10-26T22:30:00Z").sentence("at 22:30:00")
	if again != "at 22:30:00 UTC" {
		t.Errorf("a clock of two days, with two offsets, became %q", again)
	}
}

// wallsFor are those of a story with these instants.
func wallsFor(t *testing.T, zone string, instants ...string) *walls {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	r := &model.Report{}
	for _, text := range instants {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		r.Timeline = append(r.Timeline, model.TimelineItem{At: model.WholeSecond(at)})
	}
	return wallsOf(r, location)
}
