package logline

import (
	"bytes"
	"strconv"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

var jsonPrefix = []byte(`{"ts":`)

// parseJSON reads the beginning of a line of --logging-format=json: ts first, then, by version, logger, caller, msg and
// v (component-base logs/json, 1.19–1.36). Lines of other zap loggers, which have a level, are not taken.
func parseJSON(b []byte) (h header, ok bool) {
	if !bytes.HasPrefix(b, jsonPrefix) {
		return h, false
	}
	h.json = true
	seenTime, seenMessage := false, false
	f := fields{b: b, i: 1}
	for range 6 {
		key, start, end, more := f.next()
		if !more {
			break
		}
		last := seenMessage
		switch string(key) {
		case "ts":
			if h.clock.instant, seenTime = parseMillis(b[start:end]); !seenTime {
				return h, false
			}
		case "caller":
			h.fileStart, h.fileEnd = callerFile(b, start, end)
		case "msg":
			if b[start] != '"' {
				return h, false
			}
			h.text, h.textEnd, seenMessage = start+1, end, true
			if end > start+1 && b[end-1] == '"' {
				h.textEnd--
			}
		case "level", "severity":
			return h, false
		}
		if last {
			break
		}
	}
	return h, seenTime && seenMessage
}

// callerFile finds the base name in a caller such as "reconciler/reconciler.go:437".
func callerFile(b []byte, start, end int) (from, to int) {
	if b[start] != '"' || end < start+2 {
		return 0, 0
	}
	start, end = start+1, end-1
	if slash := bytes.LastIndexByte(b[start:end], '/'); slash >= 0 {
		start += slash + 1
	}
	if colon := bytes.LastIndexByte(b[start:end], ':'); colon >= 0 {
		end = start + colon
	}
	return start, end
}

// parseMillis reads Unix milliseconds with a fraction into microseconds. A value too small for that is in seconds, as zap's default is.
func parseMillis(b []byte) (micros int64, ok bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(f > 1e8 && f < 4e12) {
		return 0, false
	}
	if f < 1e11 {
		f *= 1000
	}
	return int64(f*1000 + 0.5), true
}

// jsonPairs are the members of a JSON line that are not its header. Strings are unescaped, the rest is verbatim.
func jsonPairs(b []byte) []Pair {
	var out []Pair
	f := fields{b: b, i: 1}
	for {
		key, start, end, more := f.next()
		if !more {
			return out
		}
		switch string(key) {
		case "ts", "caller", "msg", "v":
			continue
		}
		value := b[start:end]
		if value[0] == '"' {
			value = envelope.Unescape(nil, bytes.TrimSuffix(value[1:], []byte(`"`)))
		}
		out = append(out, Pair{Key: string(envelope.Unescape(nil, key)), Value: string(value)})
	}
}
