package main

import (
	"testing"
	"time"
)

// A zone is a name or an offset, and never the system's own.
func TestTimezone(t *testing.T) {
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[string]string{"Europe/Berlin": "14:00 CEST", "+05:30": "17:30 UTC+05:30", "-03:00": "09:00 UTC-03:00",
		"UTC": "12:00 UTC"} {
		o, err := readOptions(zone)
		if err != nil {
			t.Errorf("%s: %v", zone, err)
		} else if got := at.In(o.Zone).Format("15:04 MST"); got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
	for _, zone := range []string{"Local", "Berlin", "25", "../../etc/passwd", "+5"} {
		if _, err := readOptions(zone); err == nil {
			t.Errorf("%q is a zone", zone)
		}
	}
	if o, err := readOptions(""); err != nil || o.Zone != nil {
		t.Errorf("no zone gives %v, %v", o.Zone, err)
	}
}
