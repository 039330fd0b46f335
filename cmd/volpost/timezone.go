package main

import (
	"strings"
	"time"
	_ "time/tzdata" // the zones, for systems that have none

	"github.com/spf13/pflag"

	"github.com/volpost/volpost/report"
)

// timezoneFlag is the flag for the zone of all times. It is not the system's, so that two people get the same bytes.
func timezoneFlag(flags *pflag.FlagSet, zone *string) {
	var utc []string
	for _, f := range report.Formats() {
		if !f.Zoned() {
			utc = append(utc, f.Name)
		}
	}
	flags.StringVar(zone, "timezone", "", "times of this `ZONE`, such as Europe/Berlin or +05:30, in the formats for people; "+strings.Join(utc[:len(utc)-1], ", ")+" and "+utc[len(utc)-1]+" stay UTC")
}

// readOptions understands --timezone: a name of the IANA database, or an offset from UTC.
func readOptions(zone string) (report.Options, error) {
	if zone == "" {
		return report.Options{}, nil
	}
	location, ok := parseZone(zone)
	if !ok {
		return report.Options{}, usagef("--timezone knows no zone %q", zone).hinted("%s", zoneHint)
	}
	return report.Options{Zone: location}, nil
}

const zoneHint = "a name such as Europe/Berlin, or an offset such as +05:30"

// parseZone reads a zone by its name or its offset.
func parseZone(zone string) (*time.Location, bool) {
	if at, err := time.Parse("-07:00", zone); err == nil {
		_, offset := at.Zone()
		return time.FixedZone("UTC"+zone, offset), true
	}
	if zone == "Local" || zone == "" { // which is another zone on each system
		return nil, false
	}
	location, err := time.LoadLocation(zone)
	return location, err == nil
}
