package logline

import (
	"bytes"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// wrapper is what stands around the line that the process wrote.
type wrapper struct {
	time    time.Time
	has     bool
	partial bool // the runtime cut the process's line here; the next physical line continues it
	cri     bool
	stream  byte             // of CRI: the third letter of stdout or stderr
	from    *envelope.Origin // nil when the wrapper names none
	civil   int64            // journald's and syslog's time, which has neither year nor zone: Unix microseconds in year 0
	isCivil bool
}

// unwrap removes the wrapper of a physical line. scratch is reused for docker lines, whose content must be unescaped.
func unwrap(line, scratch []byte) (inner, newScratch []byte, w wrapper) {
	if len(line) == 0 {
		return line, scratch, w
	}
	if line[0] == '{' && bytes.HasPrefix(line, dockerPrefix) {
		return unwrapDocker(line, scratch)
	}
	t, n, ok := parseRFC3339(line)
	if !ok || n < len(line) && line[n] != ' ' {
		return line, scratch, w
	}
	w.time, w.has = t, true
	inner, _ = criTag(line[min(n+1, len(line)):], &w) // a bare time stamp is an empty line of the process
	return inner, scratch, w
}

var dockerPrefix = []byte(`{"log":"`)

// unwrapDocker reads a line of docker's json-file driver. A log value without a final newline is a piece that the driver cut at 16 KiB.
func unwrapDocker(line, scratch []byte) (inner, newScratch []byte, w wrapper) {
	start := len(dockerPrefix) - 1
	end := skipString(line, start)
	if end < 0 {
		return line, scratch, w
	}
	scratch = envelope.Unescape(scratch[:0], line[start+1:end-1])
	f := fields{b: line, i: end}
	for key, from, to, more := f.next(); more; key, from, to, more = f.next() {
		if string(key) != "time" || to < from+2 {
			continue
		}
		if t, n, ok := parseRFC3339(line[from+1 : to-1]); ok && n == to-from-2 {
			w.time, w.has = t, true
		}
		break
	}
	inner, whole := bytes.CutSuffix(scratch, []byte{'\n'})
	w.partial = !whole
	return inner, scratch, w
}

// parseRFC3339 reads a stamp with a zone at the start of b, and its length: "T" or "t", any fraction, Z, ±hh:mm or ±hhmm.
func parseRFC3339(b []byte) (t time.Time, n int, ok bool) {
	if !fits(b, "0000-00-00A00:00:00") || b[10]|0x20 != 't' {
		return t, 0, false
	}
	c := clock{month: two(b[5:]), day: two(b[8:])}
	valid := c.timeOfDay(b[11:])
	if c.nanos, n = fraction(b, 19); !valid || n == len(b) {
		return t, 0, false
	}
	east, used := 0, 1
	if b[n]|0x20 != 'z' {
		if east, used, ok = zone(b[n:]); !ok {
			return t, 0, false
		}
	}
	return c.in(two(b)*100 + two(b[2:])).Add(-time.Duration(east) * time.Second), n + used, true
}

// zone reads ±hh:mm or ±hhmm into seconds east of UTC.
func zone(b []byte) (seconds, n int, ok bool) {
	if n = len("+hh:mm"); !fits(b, "A00:00") {
		if n = len("+hhmm"); !fits(b, "A0000") {
			return 0, 0, false
		}
	}
	h, m := two(b[1:]), two(b[n-2:])
	if seconds = h*3600 + m*60; b[0] == '-' {
		return -seconds, n, h <= 23 && m <= 59
	}
	return seconds, n, b[0] == '+' && h <= 23 && m <= 59
}

// fraction reads ".123" at b[i:] into nanoseconds and returns the index after it.
func fraction(b []byte, i int) (nanos, end int) {
	if i >= len(b) || b[i] != '.' {
		return 0, i
	}
	first := i + 1
	for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		if i < first+9 {
			nanos = nanos*10 + int(b[i]-'0')
		}
	}
	for n := i; n < first+9; n++ {
		nanos *= 10
	}
	return nanos, i
}

// digits are the characters of a number, and nameChars those of a pod, a unit, a stream or a file.
const (
	digits    = "0123456789"
	nameChars = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.@/()\\"
)

// isMadeOf reports that there are bytes, all of them among some.
func isMadeOf(b []byte, of string) bool { return len(b) > 0 && len(bytes.Trim(b, of)) == 0 }
