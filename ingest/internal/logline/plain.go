package logline

import (
	"bytes"
	"encoding/binary"
	"math"
)

// plainLine is what a line in klog's usual form says:
//
//	[2006-01-02T15:04:05.999999999Z [stderr F ]]Lmmdd hh:mm:ss.uuuuuu threadid file:line] text
//
// or in the usual form of --logging-format=json (plainjson.go), or behind names (plainnames.go).
type plainLine struct {
	wrapped     bool
	instant     bool  // clock is nanoseconds since 1970; year and month are 0
	year, month int   // year of the time stamp; the month is also that of the header
	clock       int64 // of the header: nanoseconds since its month began
	stamp       int64 // the same of the time stamp, 0 without one
	file, text  []byte
	names       []byte // of the writer, with all that stands between them and the header or the time stamp behind them
	namesForm   namesForm
	head        int // where the header begins

	from, to, mark int // for readers of many
	repeats        bool
	repeat         Repetition // of one that repeats, without its time

	date, time uint64 // the bytes of the header that second was read from
	second     int64  // clock without its fraction
	stamped    stampSecond

	known     []byte // names that are in form
	knownForm namesForm
	syslog    [len(syslogSecond)]byte // the time before names that is in form
}

// parse returns false for any other form, be it one that unwrap and parseKlog take.
func (p *plainLine) parse(line []byte) bool {
	p.wrapped, p.instant, p.year, p.stamp, p.names, p.head = false, false, 0, 0, nil, 0
	whole, stamped := len(line), 0
	if whole > 0 && !isLevel(line[0]) && (line[0] < '0' || line[0] > '9') || whole > 3 && line[3] == ' ' {
		if line[0] != '{' {
			n := p.parseNames(line)
			if n == 0 {
				return false
			}
			line = line[n:]
		}
	}
	if len(line) > 0 && line[0] >= '0' && line[0] <= '9' {
		n := 0
		if n, stamped = p.parseStamp(line); n == 0 {
			return false
		}
		tagged := line[n-2] == 'F' // as no stamp ends
		line, p.wrapped = line[n:], true
		if p.names == nil && !tagged && line[0] >= 'a' && line[0] <= 'z' { // journalctl -o short-iso
			if n = p.parseUnit(line); n < minNames {
				return false
			}
			line = line[n:]
		}
	}
	p.head = whole - len(line)
	if len(line) > 0 && line[0] == '{' { // a time stamp before it says nothing more
		p.wrapped, p.instant, p.year, p.month, p.stamp = false, true, 0, 0, 0
		return p.parseJSON(line)
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return p.parseHeader(line) && (!p.wrapped || p.month == stamped)
}

// isLevel recognises the letters with which klog's headers begin.
func isLevel(c byte) bool { return c == 'I' || c == 'W' || c == 'E' || c == 'F' }

// parseHeader reads `Lmmdd hh:mm:ss.uuuuuu threadid file:line] text`.
func (p *plainLine) parseHeader(b []byte) bool {
	if len(b) < 32 || !isLevel(b[0]) {
		return false
	}
	if date, clock := binary.LittleEndian.Uint64(b[1:]), binary.LittleEndian.Uint64(b[7:]); date != p.date || clock != p.time || p.month == 0 {
		if p.date, p.time = date, clock; !p.parseSecond(b) {
			p.month = 0
			return false
		}
	}
	micros, ok := sixDigits(binary.LittleEndian.Uint64(b[14:]))
	if p.clock = p.second + micros*1e3; !ok || p.clock == 0 {
		return false // 0: at new year it may be the zero time
	}
	from := skipBlanks(b, 22)
	i := skipDigits(b, from)
	if i == from || i == len(b) || b[i] != ' ' {
		return false
	}
	return p.parsePlace(b, skipBlanks(b, i))
}

// parseSecond reads `mmdd hh:mm:ss` of a header. A leap second is left to code that knows the calendar.
func (p *plainLine) parseSecond(b []byte) bool {
	var c clock
	ok := c.parseCivil(b)
	p.month, p.second = c.month, c.ofMonth()
	return ok && c.second < 60
}

// sixDigits is the number in the eight bytes `.123456 `, the first of which is the lowest.
func sixDigits(b uint64) (n int64, ok bool) {
	b ^= 0x20_30_30_30_30_30_30_2e // of digits, their values remain, and of what stands around them nothing
	if b>>56 != 0 || b&0xff != 0 || (b+0x00_76_76_76_76_76_76_00|b)&0x80_80_80_80_80_80_80_80 != 0 {
		return 0, false
	}
	b >>= 8
	pairs := (b*10 + b>>8) & 0xff_00_ff_00_ff
	return int64(pairs&0xff)*10_000 + int64(pairs>>16&0xff)*100 + int64(pairs>>32), true
}

// parsePlace reads `file:line] text` from b[i:]. Whether the file's name is a plain one is left to decide.
func (p *plainLine) parsePlace(b []byte, i int) bool {
	end := min(len(b), i+maxPlace)
	n := bytes.IndexByte(b[i:end], ':')
	if n <= 0 {
		return false
	}
	p.file = b[i : i+n]
	number := i + n + 1
	if i = skipDigits(b[:end], number); i == number || i == end || b[i] != ']' {
		return false
	}
	if i++; i < len(b) && b[i] == ' ' {
		i++
	}
	p.text = b[i:]
	return true
}

// parseStamp reads the stamp of a runtime, kubectl or journalctl: the length with all before the header, 0 for none, and its month.
func (p *plainLine) parseStamp(b []byte) (n, stampMonth int) {
	if n = p.parseInstant(b); n == 0 || n+9 >= len(b) || b[n] != ' ' {
		return 0, 0
	}
	n++
	if tag := string(b[n : n+9]); tag == "stderr F " || tag == "stdout F " {
		n += 9
	}
	return n, p.stamped.month
}

// parseInstant reads an RFC 3339 time and returns its length, 0 for none. Behind it are bytes that it may look at.
func (p *plainLine) parseInstant(b []byte) (n int) {
	if len(b) < 32 {
		return 0
	}
	if string(b[:19]) != string(p.stamped.text[:]) || p.stamped.month == 0 {
		if copy(p.stamped.text[:], b); !p.parseStampSecond(b) {
			p.stamped.month = 0
			return 0
		}
	}
	nanos, n := fraction(b, 19)
	if n >= len(b) {
		return 0
	}
	p.year, p.stamp = p.stamped.year, p.stamped.second+int64(nanos)
	if b[n] == 'Z' {
		return n + 1
	}
	return p.parseZone(b, n)
}

// parseZone reads the offset of a time stamp at b[n:], moves the stamp to UTC, and returns where the offset ends, 0 for nowhere. A
// stamp that gets into another year is left to code that knows the calendar.
func (p *plainLine) parseZone(b []byte, n int) int {
	east, used, ok := zone(b[n:])
	p.stamp -= int64(east) * 1e9
	month := p.stamped.month
	if !ok || month == 1 && p.stamp < 0 || month == 12 && p.stamp >= 31*secondsOfDay*1e9 {
		return 0
	}
	return n + used
}

// stampSecond is a time stamp without its fraction, and the bytes that it was read from.
type stampSecond struct {
	text        [len("2006-01-02T15:04:05")]byte
	year, month int
	second      int64 // nanoseconds since the month began
}

// parseStampSecond reads `2006-01-02T15:04:05`.
func (p *plainLine) parseStampSecond(b []byte) bool {
	if !fits(b, "0000-00-00T00:00:00") {
		return false
	}
	c := clock{month: two(b[5:]), day: two(b[8:])}
	ok := c.timeOfDay(b[11:])
	p.stamped.year, p.stamped.month, p.stamped.second = two(b)*100+two(b[2:]), c.month, c.ofMonth()
	return ok && c.second < 60
}

const secondsOfDay = 24 * 60 * 60

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
	if !ok || len(bytes.Trim(stamp, ".0123456789")) > 0 {
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
