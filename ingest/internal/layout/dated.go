package layout

import (
	"path"
	"regexp"
	"strings"
	"time"
)

// Collected is a time of collection that a name or a file says, as an interval.
type Collected struct {
	Earliest, Latest time.Time
	Text             string // what says so
	Line             int    // of a file; 0 for a name
}

const (
	// collectionTakes is how long a collection may go on after it was given its name.
	collectionTakes = 15 * time.Minute
	// anyZoneBefore and anyZoneAfter bound local times of unknown zone: zones reach from UTC-12 to UTC+14.
	anyZoneBefore, anyZoneAfter = 14 * time.Hour, 12 * time.Hour
)

// datedNames are names of directories and archives. Layouts end in Z for UTC, in MST when a zone follows; others are of an unknown zone.
var datedNames = []struct {
	name   *regexp.Regexp
	layout string
}{
	{regexp.MustCompile(`^must-gather\.local\..*\.(\d{8}T\d{6}Z)\.`), "20060102T150405Z"},
	{regexp.MustCompile(`^(?:longhorn-support-bundle|supportbundle)_[0-9a-f-]+_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)`), "2006-01-02T15-04-05Z"},
	{regexp.MustCompile(`^support-bundle-(\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d)`), "2006-01-02T15_04_05"},
	{regexp.MustCompile(`^support-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[A-Z]{2,5})`), "2006-01-02T15-04-05-MST"},
	{regexp.MustCompile(`^[a-z0-9.-]+-(\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d)(?:\.tar\.gz|\.tgz|$)`), "2006-01-02_15_04_05"},
	{regexp.MustCompile(`^sosreport-.*-(\d{4}-\d\d-\d\d)-[a-z]+(?:\.tar\.\w+|$)`), "2006-01-02"},
}

// Dated says from a path when what lies below it was collected. at is the path up to the name that says so.
func Dated(p string) (s Collected, at string, ok bool) {
	for start := 0; start < len(p); {
		name := p[start:]
		if end := strings.IndexAny(name, "/!"); end >= 0 {
			name = name[:end]
		}
		for _, d := range datedNames {
			if m := d.name.FindStringSubmatch(name); m != nil {
				if t, err := time.Parse(d.layout, m[1]); err == nil {
					return spanOf(t, d.layout, Collected{Text: name}), p[:start+len(name)], true
				}
			}
		}
		start += len(name) + 1
	}
	return Collected{}, "", false
}

// spanOf sets the bounds of a time by what its layout says of the zone. Names of zones other than UTC and GMT are ambiguous.
func spanOf(t time.Time, layout string, s Collected) Collected {
	zone, _ := t.Zone()
	plain := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	switch {
	case strings.Contains(layout, "-07 "):
		s.Earliest, s.Latest = t.UTC(), t.UTC().Add(collectionTakes)
	case strings.HasSuffix(layout, "Z"), strings.Contains(layout, "MST") && (zone == "UTC" || zone == "GMT"):
		s.Earliest, s.Latest = plain, plain.Add(collectionTakes)
	default:
		s.Earliest, s.Latest = plain.Add(-anyZoneBefore), plain.Add(anyZoneAfter+collectionTakes)
	}
	if layout == time.DateOnly {
		s.Latest = s.Latest.Add(24 * time.Hour)
	}
	return s
}

// dateLayouts are what date(1) prints in the C and in English locales. Digits come first: the layout of a name takes them for one.
var dateLayouts = []string{"Mon Jan _2 15:04:05 -07 2006", "Mon Jan _2 15:04:05 MST 2006", "Mon Jan _2 03:04:05 PM MST 2006",
	"Mon _2 Jan 2006 03:04:05 PM MST"}

// DateOutput reads the output of date(1).
func DateOutput(data []byte) (Collected, bool) {
	for i, line := range strings.Split(string(data), "\n") {
		text := strings.TrimRight(line, "\r ")
		for _, layout := range dateLayouts {
			if t, err := time.Parse(layout, text); err == nil {
				return spanOf(t, layout, Collected{Text: text, Line: i + 1}), true
			}
		}
	}
	return Collected{}, false
}

// created is the line of support-bundle-kit's metadata.yaml that says when.
var created = regexp.MustCompile(`^bundleCreatedAt:\s*["']?([^"'\s]+)`)

// Created reads support-bundle-kit's metadata.yaml. It is also what distinguishes such a file from others of that name.
func Created(data []byte) (Collected, bool) {
	for _, s := range stamps(data, func(line string) (time.Time, error) { return ofMatch(created, line, time.RFC3339Nano) }) {
		return Collected{Earliest: s.At, Latest: s.At.Add(collectionTakes), Text: s.Text, Line: s.Line}, true
	}
	return Collected{}, false
}

// lineTime is the time that begins a line of kubectl-gather's own log.
var lineTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))\s`)

// LogSpan is from the first to the last line of a collector's own log that begins with a time and its zone.
func LogSpan(data []byte) (s Collected, ok bool) {
	for _, l := range stamps(data, func(line string) (time.Time, error) {
		return ofMatch(lineTime, line, time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700")
	}) {
		if !ok || l.At.Before(s.Earliest) {
			s.Earliest, ok = l.At, true
		}
		if !l.At.Before(s.Latest) {
			s.Latest, s.Text, s.Line = l.At, l.Text, l.Line
		}
	}
	return s, ok
}

// Stamp is one line of a timestamp file.
type Stamp struct {
	At   time.Time
	Line int
	Text string
}

// Stamps reads a timestamp file: lines of Go's time.String, such as
//
//	2026-03-14 11:00:03.482391022 +0100 CET m=+5.120394011
//
// oc appends one when it begins and one when it ends; several runs append more. Other lines are left out.
func Stamps(data []byte) []Stamp {
	return stamps(data, func(line string) (time.Time, error) {
		// The name of the zone is ambiguous; its offset is not.
		fields := strings.Fields(line)
		return time.Parse("2006-01-02 15:04:05.999999999 -0700", strings.Join(fields[:min(len(fields), 3)], " "))
	})
}

// stamps are the lines of which the time can be read.
func stamps(data []byte, read func(line string) (time.Time, error)) (out []Stamp) {
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		if at, err := read(line); err == nil {
			out = append(out, Stamp{At: at.UTC(), Line: i + 1, Text: line})
		}
	}
	return out
}

// ofMatch is the time that a part of a line writes in one of some layouts.
func ofMatch(form *regexp.Regexp, line string, layouts ...string) (t time.Time, err error) {
	m := append(form.FindStringSubmatch(line), "", "")
	for _, layout := range layouts {
		if t, err = time.Parse(layout, m[1]); err == nil {
			break
		}
	}
	return t, err
}

// ownCluster is a line of the summary that oc adm must-gather prints and keeps in must-gather.logs (oc 4.16 and later).
var ownCluster = regexp.MustCompile(`(?m)^(?:\[must-gather *\] OUT .*)?ClusterID: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\r?$`)

// ClusterID reads OpenShift's id of the cluster out of what a collector keeps of its own output. Two ids are none.
func ClusterID(name string, data []byte) (id string) {
	if path.Base(name) != "must-gather.logs" {
		return ""
	}
	for _, m := range ownCluster.FindAllSubmatch(data, -1) {
		if id != "" && id != string(m[1]) {
			return ""
		}
		id = string(m[1])
	}
	return id
}
