package logline

import (
	"bytes"
	"math"
)

// What stands between the values of a line of --logging-format=json that is no error, since Kubernetes 1.23.
var (
	jsonLogger = []byte(`"logger":"`)
	jsonCaller = []byte(`"caller":"`)
	jsonMsg    = []byte(`"msg":"`)
	jsonV      = []byte(`,"v":`)
)

// parseJSON reads `{"ts":1700000000000.1234,["logger":"x",]"caller":"dir/file.go:1","msg":"text","v":0` in this order; text stays escaped.
func (p *plainLine) parseJSON(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, jsonPrefix)
	if !ok {
		return false
	}
	stamp, rest, ok := cutByte(rest, ',')
	if !ok || !isDecimal(stamp) {
		return false
	}
	micros, ok := parseMillis(stamp)
	if !ok || micros > math.MaxInt64/1000 {
		return false // beyond the year 2262 it has no nanoseconds
	}
	p.clock = micros * 1e3
	if after, has := bytes.CutPrefix(rest, jsonLogger); has {
		if _, rest, ok = cutMember(after); !ok {
			return false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, jsonCaller); !ok {
		return false
	}
	caller, rest, ok := cutMember(rest)
	if !ok {
		return false
	}
	if p.file = caller[bytes.LastIndexByte(caller, '/')+1:]; bytes.IndexByte(p.file, ':') >= 0 {
		p.file = p.file[:bytes.LastIndexByte(p.file, ':')]
	}
	if rest, ok = bytes.CutPrefix(rest, jsonMsg); !ok || len(p.file) == 0 {
		return false
	}
	n := bytes.IndexByte(rest, '"')
	if n < 0 || bytes.IndexByte(rest[:n], '\\') >= 0 {
		return false
	}
	p.text = rest[:n]
	rest, ok = bytes.CutPrefix(rest[n+1:], jsonV)
	return ok && len(rest) > 1 && rest[0]-'0' <= 9 && bytes.IndexByte([]byte(",}"), rest[1]) >= 0
}

// cutMember cuts a short string without escapes off, with the comma behind it.
func cutMember(b []byte) (value, rest []byte, ok bool) {
	value, rest, ok = cutByte(b, '"')
	rest, next := bytes.CutPrefix(rest, []byte{','})
	return value, rest, ok && next && bytes.IndexByte(value, '\\') < 0
}

// cutByte cuts b at the first c, which must not be far.
func cutByte(b []byte, c byte) (before, after []byte, ok bool) {
	n := bytes.IndexByte(b[:min(len(b), maxPlace)], c)
	if n < 0 {
		return nil, nil, false
	}
	return b[:n], b[n+1:], true
}

// isDecimal reports whether b is written with digits and a point only.
func isDecimal(b []byte) bool { return len(bytes.Trim(b, ".0123456789")) == 0 }
