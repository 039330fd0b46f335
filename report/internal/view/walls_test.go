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
		"at 29:99:99":                                  "at 29:99:99",
		"made at 2000-01-02 03:04:05":                  "made at 2000-01-02 03:04:05",
	} {
		if got := w.sentence(in); got != want {
			t.Errorf("%q\nbecame %q\nwant   %q", in, got, want)
		}
	}
}

// Of a story over the end of summer time all clocks have the offset with which it begins, and the zone is called by that.
func TestSummerTimeEnds(t *testing.T) {
	w := wallsFor(t, "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z")
	if got := w.sentence("at 00:30:00 and 2026-10-25 01:45:10 UTC"); got != "at 02:30:00 and 2026-10-25 03:45:10 UTC+02:00" {
		t.Error(got)
	}
	summer, winter := wallsFor(t, "Europe/Berlin", "2026-10-24T22:30:00Z"), wallsFor(t, "Europe/Berlin", "2026-10-25T02:30:00Z")
	for of, want := range map[*walls]string{w: "UTC+02:00", summer: "Europe/Berlin (UTC+02:00)", winter: "Europe/Berlin (UTC+01:00)"} {
		if got := (&View{Walls: of}).ZoneText(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if wallsFor(t, "Europe/Berlin") != nil {
		t.Error("a report without a time has a zone")
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
