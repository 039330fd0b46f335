package logline

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// stampLayer takes a stamp off: RFC 3339 (runtimes, journalctl -o short-iso), CloudWatch's, seconds since 1970 (-o short-unix).
func stampLayer(b []byte, w *wrapper) (rest []byte, sure bool) {
	if t, n, ok := parseRFC3339(b); ok && n < len(b) {
		w.time, w.has = t, true
		switch b[n] {
		case '\t': // Grafana's text download, fluentd's out_file
			return afterTag(b[n+1:]), true
		case ' ':
			return criTag(b[n+1:], w)
		}
		return nil, false
	}
	if fits(b, "0000-00-00 00:00:00") {
		for n := min(len(b), 29); n >= 19; n-- {
			if b[n-1] < '0' || b[n-1] > '9' {
				continue
			}
			if t := envelope.ParseTime(string(b[:n])); !t.IsZero() && n < len(b) && (b[n] == ' ' || b[n] == '\t') {
				w.time, w.has = t, true
				return b[n+1:], false
			}
		}
		return nil, false
	}
	if n := bytes.IndexByte(b[:min(len(b), 20)], ' '); n > 9 {
		if t := envelope.ParseTime(string(b[:n])); !t.IsZero() {
			w.time, w.has = t, true
			return b[n+1:], false
		}
	}
	return nil, false
}

// afterTag skips the tag that fluentd's out_file has between time and record.
func afterTag(b []byte) []byte {
	if i := bytes.IndexByte(b[:min(len(b), maxPrefix)], '\t'); i > 0 && i+1 < len(b) && b[i+1] == '{' {
		return b[i+1:]
	}
	return b
}

// criTag takes "stdout F " or "stderr P " off what follows a time stamp, if it is there; the tag may have further fields after a colon.
func criTag(rest []byte, w *wrapper) ([]byte, bool) {
	if !bytes.HasPrefix(rest, []byte("stderr ")) && !bytes.HasPrefix(rest, []byte("stdout ")) {
		return rest, false
	}
	tag, _, _ := bytes.Cut(rest[7:], []byte{' '})
	if len(tag) == 0 || (tag[0] != 'F' && tag[0] != 'P') || (len(tag) > 1 && tag[1] != ':') {
		return rest, false
	}
	w.cri, w.partial, w.stream = true, tag[0] == 'P', rest[3]
	return rest[min(7+len(tag)+1, len(rest)):], true
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// parseSyslogTime reads `Mar 14 17:26:53`, fraction or not, without year and zone (journalctl -o short and short-precise, rsyslog, ginkgo).
func parseSyslogTime(b []byte) (c clock, n int, ok bool) {
	if !fits(b, "AAA A0 00:00:00") {
		return c, 0, false
	}
	month := strings.Index(months, string(b[:3]))
	day, err := strconv.Atoi(strings.TrimPrefix(string(b[4:6]), " "))
	c.month, c.day = month/3+1, day
	if err != nil || month%3 != 0 || !c.timeOfDay(b[7:]) {
		return c, 0, false
	}
	c.nanos, n = fraction(b, 15)
	return c, n, true
}
