package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// suppliedFlags are what the user states of a bundle where its evidence does not, as given.
type suppliedFlags struct {
	collectedAt, year, logZone string
}

func (f *suppliedFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.collectedAt, "collected-at", "",
		"the `TIME` of the collection, if nothing in the bundle says so, such as 2026-11-21T06:13:40Z")
	f.defineLogs(flags)
}

// defineLogs defines those that can be true of two bundles.
func (f *suppliedFlags) defineLogs(flags *pflag.FlagSet) {
	flags.StringVar(&f.year, "year", "", "the `YEAR` in which logs without years end, if nothing in the bundle says so")
	flags.StringVar(&f.logZone, "log-zone", "",
		"the `ZONE` of logs without one, if nothing in the bundle says so, such as Europe/Berlin or +05:30")
}

// given is the first of the flags that was given; "" for none.
func (f suppliedFlags) given() string {
	if f.collectedAt != "" {
		return "--collected-at"
	}
	if f.year != "" {
		return "--year"
	}
	if f.logZone != "" {
		return "--log-zone"
	}
	return ""
}

// The years that a cluster can be of.
const firstYear, lastYear = 2014, 2100

func (f suppliedFlags) parse() (model.Supplied, error) {
	var supplied model.Supplied
	if f.collectedAt != "" {
		at, ok := parseInstant(f.collectedAt)
		if !ok {
			return supplied, usagef("--collected-at %s is not a time with a date and a zone", f.collectedAt).
				hinted("write it as 2026-11-21T06:13:40Z or as '2026-11-21 06:13:40 +01:00'")
		}
		if at.Year() < firstYear || at.Year() > lastYear {
			return supplied, usagef("--collected-at %s is in the year %d", f.collectedAt, at.Year()).hinted("from %d to %d", firstYear, lastYear)
		}
		supplied.CollectedAt = at
	}
	if f.year != "" {
		year, err := strconv.Atoi(f.year)
		if err != nil || year < firstYear || year > lastYear {
			return supplied, usagef("--year %s is not a year that logs can be of", f.year).
				hinted("from %d to %d: the year of their last lines", firstYear, lastYear)
		}
		supplied.Year = year
	}
	if f.logZone != "" {
		zone, ok := parseZone(f.logZone)
		if !ok {
			return supplied, usagef("--log-zone knows no zone %q", f.logZone).hinted("%s", zoneHint)
		}
		supplied.LogZone, supplied.LogZoneName = zone, zone.String()
	}
	return supplied, nil
}

// instantForms are the ways to write an instant with its zone.
var instantForms = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00",
	"2006-01-02 15:04:05 -0700", "2006-01-02 15:04 Z07:00", "2006-01-02 15:04 -0700", time.RFC1123Z,
	// UTC alone in letters: others mean different zones to different people.
	"2006-01-02 15:04:05 UTC", "2006-01-02 15:04 UTC", "Mon Jan _2 15:04:05 UTC 2006",
}

func parseInstant(text string) (time.Time, bool) {
	for _, form := range instantForms {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// timezoneFlag is the flag for the zone of all times. It is not the system's, so that two people get the same bytes.
func timezoneFlag(flags *pflag.FlagSet, zone *string) {
	var utc []string
	for _, f := range report.Formats() {
		if !f.Zoned() {
			utc = append(utc, f.Name)
		}
	}
	flags.StringVar(zone, "timezone", "", "show times in this `ZONE`, such as Europe/Berlin or +05:30, in the formats for people; "+
		strings.Join(utc[:len(utc)-1], ", ")+" and "+utc[len(utc)-1]+" stay UTC")
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
