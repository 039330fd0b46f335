package main

import (
	"strconv"
	"strings"
	"time"
)

// stamp is a time as it is written: its layout, and for the name of an Event the hexadecimal nanoseconds.
type stamp struct {
	layout string // "" for a part that is no time
	prefix string
	at     time.Time
}

// hexNanos is the layout of what client-go puts behind the name of an Event: the nanoseconds of its first time, in hexadecimal.
const hexNanos = "hex"

// readStamp reads a time as Kubernetes writes it: RFC 3339, klog's header, Go's default, and the end of an Event's name.
func readStamp(s string) (stamp, bool) {
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n, err := strconv.ParseInt(rest, 16, 64)
		if err != nil {
			return stamp{}, false
		}
		at := time.Unix(0, n).UTC()
		return stamp{layout: hexNanos, prefix: ".", at: at}, at.Year() == 2026
	}
	for _, form := range []struct{ head, fraction, tail string }{
		{"2006-01-02T15:04:05", "", "Z"},
		{"2006-01-02 15:04:05", "", ""},
	} {
		fraction := ""
		if n := len(s) - len(form.head) - len(form.tail); n > 0 {
			fraction = "." + strings.Repeat("0", n-1)
		}
		layout := form.head + fraction + form.tail
		if at, err := time.Parse(layout, s); err == nil && at.Year() == 2026 {
			return stamp{layout: layout, at: at}, true
		}
	}
	if len(s) > 1 && strings.IndexByte("IWEF", s[0]) >= 0 {
		const layout = "0102 15:04:05.000000"
		at, err := time.Parse(layout, s[1:])
		return stamp{layout: layout, prefix: s[:1], at: at.AddDate(2026, 0, 0)}, err == nil
	}
	return stamp{}, false
}

// append writes the time, later by a duration.
func (s stamp) append(b []byte, shift time.Duration) []byte {
	at := s.at.Add(shift)
	b = append(b, s.prefix...)
	if s.layout == hexNanos {
		return strconv.AppendInt(b, at.UnixNano(), 16)
	}
	return at.AppendFormat(b, s.layout)
}
