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
	if line[0] < '0' || line[0] > '9' {
		return line, scratch, w
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
	if len(b) < 20 || b[4] != '-' || b[7] != '-' || (b[10] != 'T' && b[10] != 't') || b[13] != ':' || b[16] != ':' {
		return t, 0, false
	}
	c, bad := clock{}, byte(0)
	year := int(two(b[0], b[1], &bad)*100 + two(b[2], b[3], &bad))
	c.month, c.day = int(two(b[5], b[6], &bad)), int(two(b[8], b[9], &bad))
	c.nanos, n = fraction(b, 19)
	if !c.timeOfDay(b[11:], &bad) || c.month < 1 || c.month > 12 || c.day < 1 || c.day > 31 || n >= len(b) {
		return t, 0, false
	}
	offset := 0
	if c := b[n]; c == 'Z' || c == 'z' {
		n++
	} else if (c == '+' || c == '-') && len(b) >= n+5 {
		var used int
		if offset, used, ok = zone(b[n:]); !ok {
			return t, 0, false
		}
		n += used
	} else {
		return t, 0, false
	}
	return c.in(year).Add(-time.Duration(offset) * time.Second), n, true
}

// zone reads ±hh:mm or ±hhmm into seconds east of UTC.
func zone(b []byte) (seconds, n int, ok bool) {
	h, ok1 := digits(b[1:3])
	rest, n := b[3:], 3
	if rest[0] == ':' {
		rest, n = rest[1:], 4
	}
	if len(rest) < 2 {
		return 0, 0, false
	}
	m, ok2 := digits(rest[:2])
	if !ok1 || !ok2 || h > 23 || m > 59 {
		return 0, 0, false
	}
	seconds = h*3600 + m*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, n + 2, true
}

// fraction reads ".123" at b[i:] into nanoseconds and returns the index after it.
func fraction(b []byte, i int) (nanos, end int) {
	if i >= len(b) || b[i] != '.' {
		return 0, i
	}
	scale := 100_000_000
	for i++; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		nanos += int(b[i]-'0') * scale
		scale /= 10
	}
	return nanos, i
}

func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(b) > 0
}
