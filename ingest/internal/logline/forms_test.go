package logline

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// nearlyAll are texts and all that come of each when a byte of it is another, is not there, or is there twice.
func nearlyAll(texts ...string) (out []string) {
	for _, s := range texts {
		out = append(out, s)
		for i := range len(s) {
			out = append(out, s[:i]+s[i+1:], s[:i]+s[i:i+1]+s[i:], s[:i])
			for _, c := range []byte(" 0123456789:./;?@]IWEFTZatz-_!~\\\"\x80") {
				out = append(out, s[:i]+string([]byte{c})+s[i+1:])
			}
		}
	}
	return out
}

// The forms as expressions, which say what the code for them reads byte by byte.
var (
	klogForm   = regexp.MustCompile(`^[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3,}) +(?:(\d+) +)?((?:[^\] ]*/)?)([^\] ]*):(\d+)\]( ?)`)
	stampForm  = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d*))?(?:[Zz]|([+-])(\d\d):?(\d\d))`)
	syslogForm = regexp.MustCompile(`^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ \d]\d) (\d\d):(\d\d):(\d\d)(?:\.(\d*))?`)
)

// inTime reports whether month, day, hour, minute and second are ones. A leap second is.
func inTime(parts ...string) bool {
	for i, most := range []int{12, 31, 23, 59, 60} {
		n, err := strconv.Atoi(string(bytes.TrimSpace([]byte(parts[i]))))
		if err != nil || n > most || n < 1 && i < 2 {
			return false
		}
	}
	return true
}

func nanosOf(fraction string) int {
	n, _ := strconv.Atoi((fraction + "000000000")[:9])
	return n
}

func number(s string) int {
	n, _ := strconv.Atoi(string(bytes.TrimSpace([]byte(s))))
	return n
}

// TestKlogForm compares the header of each near miss with what the expression finds.
func TestKlogForm(t *testing.T) {
	read := 0
	for _, s := range nearlyAll("W0314 09:26:53.841223       1 dir/r.go:344] hi", "I1231 23:59:60.123 a.go:1] x", "E0101 00:00:00.123456789012 7 a.go:1]x") {
		m := klogForm.FindStringSubmatchIndex(s)
		h, ok := parseKlog([]byte(s))
		part := func(n int) string { return s[m[2*n]:m[2*n+1]] }
		// A directory without a file is a name for the code, and a file needs one of its own.
		want := m != nil && len(s) >= 24 && m[20]-1 > m[16] && inTime(part(1), part(2), part(3), part(4), part(5))
		if ok != want {
			t.Errorf("%q: %v", s, ok)
			continue
		}
		if !ok {
			continue
		}
		read++
		got := fmt.Sprint(h.clock, h.thread, h.fileStart, h.fileEnd, h.text, h.textEnd)
		is := clock{month: number(part(1)), day: number(part(2)), hour: number(part(3)), minute: number(part(4)), second: number(part(5)),
			nanos: nanosOf(part(6))}
		if w := fmt.Sprint(is, m[14] >= 0, m[18], m[19], m[1], 0); got != w {
			t.Errorf("%q: %s, want %s", s, got, w)
		}
	}
	if read < 500 {
		t.Errorf("only %d are headers", read)
	}
}

// TestStampForm does the same with time stamps.
func TestStampForm(t *testing.T) {
	read := 0
	for _, s := range nearlyAll("2026-03-14T09:26:53.841400123Z x", "2026-12-31t23:59:60z", "2026-03-14T09:26:53+08:00 x", "2026-03-14T09:26:53.8-2359 ",
		"2026-03-14T09:26:53.8+0000 ", "2026-03-14T09:26:53.1234567891Z") {
		m := stampForm.FindStringSubmatch(s)
		at, n, ok := parseRFC3339([]byte(s))
		if want := m != nil && inTime(m[2], m[3], m[4], m[5], m[6]) && (m[8] == "" || number(m[9]) <= 23 && number(m[10]) <= 59); ok != want {
			t.Errorf("%q: %v", s, ok)
			continue
		}
		if !ok {
			continue
		}
		read++
		east := time.Duration(number(m[9]))*time.Hour + time.Duration(number(m[10]))*time.Minute
		if m[8] == "-" {
			east = -east
		}
		want := time.Date(number(m[1]), time.Month(number(m[2])), number(m[3]), number(m[4]), number(m[5]), number(m[6]), nanosOf(m[7]), time.UTC).Add(-east)
		if !at.Equal(want) || n != len(m[0]) {
			t.Errorf("%q: %v of %d bytes, want %v of %d", s, at, n, want, len(m[0]))
		}
	}
	if read < 500 {
		t.Errorf("only %d are time stamps", read)
	}
}

// TestSyslogForm does the same with the times of syslog.
func TestSyslogForm(t *testing.T) {
	texts := []string{"Mar 14 09:26:53.841223 host", "Dec  4 23:59:60 host"}
	for i := 0; i < len(months); i += 3 {
		texts = append(texts, months[i:i+3]+" 31 00:00:00")
	}
	read := 0
	for _, s := range append(nearlyAll(texts...), "anF 14 09:26:53", "nFe 14 09:26:53") {
		m := syslogForm.FindStringSubmatch(s)
		c, n, ok := parseSyslogTime([]byte(s))
		if want := m != nil && inTime("1", m[2], m[3], m[4], m[5]); ok != want {
			t.Errorf("%q: %v", s, ok)
		} else if ok {
			read++
			month, _ := time.Parse("Jan", m[1])
			want := clock{month: int(month.Month()), day: number(m[2]), hour: number(m[3]), minute: number(m[4]), second: number(m[5]), nanos: nanosOf(m[6])}
			if c != want || n != len(m[0]) {
				t.Errorf("%q: %+v of %d bytes, want %+v", s, c, n, want)
			}
		}
	}
	if read < 500 {
		t.Errorf("only %d are times", read)
	}
}

// TestPlainForm holds what is quick to what is whole: what a plain line says is what the scanner says of it.
func TestPlainForm(t *testing.T) {
	read := 0
	for _, s := range nearlyAll("W0314 09:26:53.841223       1 r.go:344] hi", "2026-03-14T09:26:53.841400123Z stderr F W0314 09:26:53.841223 1 r.go:344] hi",
		"2026-03-14T10:26:53.8+01:00 W0314 09:26:53.841223 1 r.go:344] hi", "2026-01-01T00:26:53.8+01:00 W0101 09:26:53.841223 1 r.go:344] hi there",
		"2026-12-31T23:26:53.8-01:00 W1231 09:26:53.841223 1 r.go:344] hi there", "2026-12-31T22:26:53.8-01:00 W1231 09:26:53.841223 1 r.go:344] hi there",
		"2026-02-01T00:26:53.8+01:00 W0201 09:26:53.841223 1 r.go:344] hi there",
		`{"ts":1773480413841.2231,"logger":"l","caller":"d/r.go:398","msg":"a text","v":0,"k":["x"]}`,
		`{"ts":1773480413841.2231,"caller":"r.go:398","msg":"","v":0}`,
		`{"ts":3999999999999.9,"caller":"r.go:398","msg":"a","v":9}`) {
		var p plainLine
		if !p.parse([]byte(s)) || bytes.ContainsAny(p.file, " /]") {
			continue
		}
		read++
		inner, _, w := unwrap([]byte(s), nil)
		inner = bytes.TrimSuffix(inner, []byte{'\r'})
		h, ok := parseHeader(inner)
		if !ok {
			t.Errorf("%q is no line", s)
			continue
		}
		text := inner
		if h.textEnd > 0 {
			text = inner[:h.textEnd]
		}
		if string(p.file) != string(inner[h.fileStart:h.fileEnd]) || string(p.text) != string(text[h.text:]) ||
			p.head != len(s)-len(inner) && p.head+1 != len(s)-len(inner) {
			t.Errorf("%q: %q %q %d", s, p.file, p.text, p.head)
		}
		if clock := h.clock.instant * 1000; p.instant && p.clock != clock || !p.instant && p.clock != h.clock.ofMonth()+int64(h.clock.nanos) {
			t.Errorf("%q: %d", s, p.clock)
		}
		month := time.Date(p.year, time.Month(p.month), 1, 0, 0, 0, 0, time.UTC)
		if p.wrapped && !month.Add(time.Duration(p.stamp)).Equal(w.time) {
			t.Errorf("%q: stamp %d of %v, want %v", s, p.stamp, month, w.time)
		}
	}
	if read < 3000 {
		t.Errorf("only %d are plain lines", read)
	}
	for s, want := range map[string]bool{`{"ts":1,"caller":"r.go:1","msg":"a","v":0}`: false, `{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":0}`: true,
		`{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":9,"k":1}`: true, `{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":10}`: false,
		`{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":9`: false, `{"ts":1773480413841,"caller":"r.go:1","msg":"\"","v":9}`: false,
		`{"ts":1773480413841,"caller":"r.go:1""msg":"a","v":0}`: false, `{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":-1}`: false,
		`{"ts":1773480413841,"logger":"l","caller":"r.go:1","msg":"a","v":0}`: true, `{"ts":1773480413841,"logger":"l\\","caller":"r.go:1","msg":"a","v":0}`: false,
		`{"ts":1773480413841,"caller":"d/","msg":"a","v":0}`: false, `{"ts":1773480413841,"caller":"r.go:1","msg":"","v":0}`: true,
		`{"ts":19911600000,"caller":"r.go:1","msg":"","v":0}`:    false,
		`{"ts":7911600000,"caller":"r.go:1","msg":"","v":0}`:     true,
		`{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":x}`: false, `{"ts":1773480413841,"caller":"r.go:1","msg":"a","v":9]`: false,
		"I0314 09:26:53.841223 1 " + strings.Repeat("r", maxPlace-3) + ":1] x": true, "I0314 09:26:53.841223 1 " + strings.Repeat("r",
			maxPlace-2) + ":1] x": false, `{"ts":"1","caller":"r.go:1","msg":"a","v":0}`: false, "": false,
		"I0314 09:26:53.841223 1 r.go:344] x": true, "I0314 09:26:53.841223 1 r.go:] x": false, "I0314 09:26:53.841223  r.go:344] x": false} {
		if got := new(plainLine).parse([]byte(s)); got != want {
			t.Errorf("%s: %v", s, got)
		}
	}
}
