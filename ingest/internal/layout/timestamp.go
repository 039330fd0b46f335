package layout

import (
	"strings"
	"time"
)

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
	var stamps []Stamp
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		// The name of the zone is ambiguous; its offset is not.
		at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", strings.Join(fields[:3], " "))
		if err == nil {
			stamps = append(stamps, Stamp{At: at.UTC(), Line: i + 1, Text: line})
		}
	}
	return stamps
}
