package logline

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// skipByLetter takes records by an arbitrary rule, so that stretches begin and end everywhere.
var skipByLetter = Skipper{
	File: func(file []byte) Verdict {
		if len(file)%3 == 0 {
			return Verdict{Rule: ByText}
		}
		return Verdict{Mark: len(file) % Marks, Rule: IsSkipped}
	},
	Text: func(file, text []byte) Verdict {
		v := Verdict{Mark: len(file) % Marks, Rule: IsSkipped}
		switch n := len(text); {
		case n > 0 && text[n-1]%4 == 0:
			v.Rule = Wanted
		case n > 12 && text[n-1]%4 == 2:
			v.Rule, v.From, v.To = Repeats, 11, n
		case n > 12 && text[n-1]%4 == 1:
			v.Rule = Repeats
		}
		return v
	},
	Seed: maphash.MakeSeed(),
}

// toldOf wants what repeats in a stretch to stand among its records, in their order.
func toldOf(t *testing.T, st *Stretch, records []scanned) {
	t.Helper()
	for _, told := range st.Repetitions {
		n := slices.IndexFunc(records, func(r scanned) bool {
			return r.Time.Equal(told.Time) && r.File == string(told.File) && strings.Contains(r.Raw, string(told.Text))
		})
		if n < 0 || told.Hash != Hash(skipByLetter.Seed, told.Text, told.From, told.To) {
			t.Fatalf("%q at %v is no record of the stretch", told.Text, told.Time)
		}
		records = records[n+1:]
	}
}

// tallied is what a Stretch says of its records.
type tallied struct {
	Records                       int
	Floating                      bool
	First, Last, Earliest, Latest time.Time
	Up, Down                      int
	Back                          time.Duration
	Marks                         [Marks]int
	From                          *envelope.Origin
}

func (st *Stretch) tallied() tallied {
	return tallied{st.Records, st.Floating, st.At(st.First), st.At(st.Last), st.At(st.Earliest), st.At(st.Latest), st.Up, st.Down, st.Back,
		st.Marks, st.From}
}

// tally is a Stretch counted record by record.
func tally(records []scanned, floating bool) tallied {
	st := tallied{Floating: floating, First: records[0].Time, Earliest: records[0].Time, Latest: records[0].Time}
	st.From = records[0].From
	for i, r := range records {
		if !sameOrigin(r.From, st.From) {
			st.Records = -1 << 20 // no stretch has two writers
		}
		st.Records++
		st.Marks[len(r.File)%Marks]++
		if i > 0 && r.Time.After(st.Last) {
			st.Up++
		}
		if i > 0 && r.Time.Before(st.Last) {
			st.Down++
		}
		st.Last = r.Time
		if r.Time.After(st.Latest) {
			st.Latest = r.Time
		}
		if r.Time.Before(st.Earliest) {
			st.Earliest = r.Time
		}
		st.Back = max(st.Back, st.Latest.Sub(r.Time))
	}
	return st
}

// sameWithSkip wants a scanner that passes over records to say of all others, and in sum, what one says that gives each.
// It returns how many records were passed over, and how many of them repeat.
func sameWithSkip(t *testing.T, text string, block int, refuse func(*Stretch) bool) (passed, repeated int) {
	t.Helper()
	want, wantStats := scanAll(text)
	s := NewScanner(iotest.OneByteReader(strings.NewReader(text)))
	if len(text) > 1<<16 {
		s = NewScanner(strings.NewReader(text))
	}
	s.Block = block
	at := 0
	s.Skip(skipByLetter, func(st *Stretch) bool {
		if refuse(st) {
			return false
		}
		repeated += len(st.Repetitions)
		toldOf(t, st, want[at:min(len(want), at+st.Records)])
		if got := tally(want[at:min(len(want), at+st.Records)], st.Floating); !reflect.DeepEqual(got, st.tallied()) {
			t.Errorf("block %d: record %d: the stretch is %+v, its records make %+v", block, at, *st, got)
		}
		at += st.Records
		passed += st.Records
		return true
	})
	defer s.Close()
	for range s.Records {
		got := s.record()
		if at >= len(want) {
			t.Fatalf("block %d: there is no record %d: %+v", block, at, got)
		}
		if !reflect.DeepEqual(got, want[at]) {
			t.Fatalf("block %d: record %d is %+v, want %+v", block, at, got, want[at])
		}
		at++
	}
	if at != len(want) {
		t.Errorf("block %d: %d records, want %d", block, at, len(want))
	}
	if got := s.Stats(); !reflect.DeepEqual(got, wantStats) {
		t.Errorf("block %d: stats %+v, want %+v", block, got, wantStats)
	}
	return passed, repeated
}

// lead are lines before which no line is passed over.
func lead(wrapped bool) string {
	line := "I0314 09:00:00.000001       1 lead.go:1] x\n"
	if wrapped {
		line = "2026-03-14T09:00:00.000002Z " + line
	}
	return strings.Repeat(line, maxGlueFree+1)
}

// crowd is lines as several workers write them, some with more lines of their own.
func crowd(n int, form func(at time.Time, line string) string) string {
	var b strings.Builder
	at := time.Date(2026, 12, 31, 23, 40, 0, 0, time.UTC)
	for i := range n {
		at = at.Add(time.Duration(i%7-1) * 37 * time.Millisecond * time.Duration(1+i%40*i%3))
		line := fmt.Sprintf("I%s %7d reconciler%s.go:%d] \"Started\" n=%d", at.Format("0102 15:04:05.000000"), i%9, strings.Repeat("x", i%5), i,
			i)
		b.WriteString(form(at, line))
		switch {
		case i%31 == 0:
			b.WriteString("\tgoes on\n")
		case i%97 == 0:
			b.WriteString("\n")
			b.WriteString(form(at, ""))
		case i%211 == 0:
			b.WriteString(form(at, "not a header"))
		}
	}
	return b.String()
}

// jsonLine writes a line as --logging-format=json does, with some that differ.
func jsonLine(at time.Time, line string) string {
	stamp := fmt.Sprintf("%d.%04d", at.UnixMilli(), at.Nanosecond()/100%10_000)
	n := at.Nanosecond() / 1000 % 13
	logger := []string{`"logger":"x",`, "", `"logger":"a\\nb",`, ""}[n%4]
	text := strings.Repeat("m", n)
	switch n {
	case 0:
		text += `\"x\"`
	case 1:
		return fmt.Sprintf(`{"ts":%s,"level":"info","msg":"x"}`, stamp) + "\n"
	case 2:
		return fmt.Sprintf(`{"ts":%s,%s"caller":"a/b.go:1","msg":"x","err":"y"}`, stamp, logger) + "\n"
	case 3:
		return fmt.Sprintf(`{"ts":%s,"caller":"a/b.go:1","msg":"x","level":"y"}`, stamp) + "\n"
	}
	return fmt.Sprintf(`{"ts":%s,%s"caller":"dir/file%s.go:%d","msg":"%s","v":%d,"n":%d}`, stamp, logger, strings.Repeat("x", n%5), n, text, n,
		len(line)) + "\n"
}

var tokyo, newYork = time.FixedZone("", 9*3600), time.FixedZone("", -5*3600)

// writer changes now and then.
func writer(at time.Time) string { return string(rune('a' + at.Minute()/3%3)) }

// dockerLine writes a line as Docker's json-file driver does, with some that it cuts, and some that differ.
func dockerLine(at time.Time, line string) string {
	form := func(log, stream string) string {
		return `{"log":"` + log + `","stream":"` + stream + `","time":"` + at.Format(time.RFC3339Nano) + `"}` + "\n"
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line)
	switch at.Nanosecond() / 1000 % 17 * min(1, len(line)) {
	case 0:
		return form(escaped[:len(escaped)/2], "stderr") + form("other\\n", "stdout") + form(escaped[len(escaped)/2:]+`\n`, "stderr")
	case 1:
		return form(escaped+` \u003c\n\tmore \\\" x\\\\\n`, "stderr")
	case 2:
		return form(escaped+`\u000d\n`, "stdout")
	case 3:
		return form(escaped+`\r\n`, "stdout")
	case 4:
		return form(escaped+`\\n`, "stderr")
	case 5:
		return form(escaped+`\n","stream":"x`, "stderr")
	case 6:
		return strings.Replace(form(escaped+`\n`, "stderr"), `,"time"`, `,"attrs":{"tag":"a"},"time"`, 1)
	}
	return form(escaped+`\n`, "stderr")
}

var crowds = []struct {
	name string
	text string
}{
	{"plain", lead(false) + crowd(3000, func(_ time.Time, line string) string { return line + "\n" })},
	{"crlf", lead(false) + crowd(500, func(_ time.Time, line string) string { return line + "\r\n" })},
	{"stamped", lead(true) + crowd(3000, func(at time.Time, line string) string {
		return at.Add(time.Duration(at.Nanosecond()%5000)).Format("2006-01-02T15:04:05.000000000Z ") + line + "\n"
	})},
	{"another zone", lead(true) + crowd(500, func(at time.Time, line string) string {
		return at.Add(-8*time.Hour).Format("2006-01-02T15:04:05.000000000Z ") + line + "\n"
	})},
	{"cri", lead(true) + crowd(3000, func(at time.Time, line string) string {
		stamp := at.Format("2006-01-02T15:04:05.000000000Z ")
		if at.Nanosecond()%11 == 0 && len(line) > 60 {
			return stamp + "stderr P " + line[:60] + "\n" + stamp + "stdout F other\n" + stamp + "stderr F " + line[60:] + "\n"
		}
		return stamp + "stderr F " + line + "\n"
	})},
	{"json", lead(false) + crowd(3000, jsonLine)},
	{"json in cri", lead(true) + crowd(1000, func(at time.Time, line string) string {
		return at.Format("2006-01-02T15:04:05.000000000Z stderr F ") + jsonLine(at, line)
	})},
	{"json and text", lead(false) + crowd(500, func(at time.Time, line string) string {
		if at.Nanosecond()%5 == 0 {
			return line + "\n"
		}
		return jsonLine(at, line)
	})},
	{"local zone", lead(true) + crowd(3000, func(at time.Time, line string) string {
		return at.Add(time.Duration(at.Nanosecond()%5000)).In(newYork).Format("2006-01-02T15:04:05.999999999Z07:00 ") + line + "\n"
	})},
	{"local zone in cri", lead(true) + crowd(500, func(at time.Time, line string) string {
		return at.In(newYork).Format("2006-01-02T15:04:05.000000000-0700 stderr F ") + line + "\n"
	})},
	{"already another year", lead(true) + crowd(500, func(at time.Time, line string) string {
		return at.In(tokyo).Format("2006-01-02T15:04:05.000000000Z07:00 ") + line + "\n"
	})},
	{"prefix", lead(false) + crowd(3000, func(at time.Time, line string) string {
		return "[pod/kcm-" + writer(at) + "/kube-controller-manager] " + line + "\n"
	})},
	{"prefix with time stamps", lead(true) + crowd(1000, func(at time.Time, line string) string {
		return "[pod/kcm-" + writer(at) + "/c] " + at.In(newYork).Format("2006-01-02T15:04:05.999999999Z07:00 ") + line + "\n"
	})},
	{"prefix before json", lead(false) + crowd(500,
		func(at time.Time, line string) string { return "[pod/kcm-" + writer(at) + "/c] " + jsonLine(at, line) })},
	{"stern", lead(false) + crowd(3000, func(at time.Time, line string) string {
		return strings.Repeat("kube-system ", at.Nanosecond()/1e6%2) + "kcm-" + writer(at) + " kube-controller-manager " + line + "\n"
	})},
	{"stern -t", lead(true) + crowd(1000, func(at time.Time, line string) string {
		return "kcm-" + writer(at) + " manager " + at.Format("2006-01-02T15:04:05.000000000Z ") + line + "\n"
	})},
	{"journal", lead(false) + crowd(3000, func(at time.Time, line string) string {
		return at.Format("Jan _2 15:04:05") + " node-" + writer(at) + " kubelet[812]: " + line + "\n"
	})},
	{"journal in microseconds", lead(false) + crowd(1000, func(at time.Time, line string) string {
		return at.Format("Jan _2 15:04:05.000000") + " node-" + writer(at) + " kubelet: " + line + "\n"
	})},
	{"journal in ISO time", lead(true) + crowd(1000, func(at time.Time, line string) string {
		return at.In(newYork).Format("2006-01-02T15:04:05-0700") + " node-" + writer(at) + " k3s[812]: " + line + "\n"
	})},
	{"names within names", lead(false) + crowd(500, func(at time.Time, line string) string {
		return "pod-a-0 manager " + strings.Repeat("pod-a-0 ", max(0, at.Nanosecond()/1e6%4-2)) + line + "\n"
	})},
	{"names that are none", lead(true) + crowd(1000, func(at time.Time, line string) string {
		stamp := at.Format("2006-01-02T15:04:05.000000000Z")
		return []string{
			stamp + " " + line, stamp + " stderr F " + line, stamp + " stderr F node-a kubelet: " + line,
			stamp + " stderr F node-a kubelet[1]: " + line,
			stamp + " node-a kubelet[1]: " + line, stamp + " node-a Kubelet: " + line, stamp + " node-a kubelet:" + line, "[pod/a] " + line,
			"[pod/a/b]  " + line,
			"pod container " + line + " x[123]: " + line, "pod container  " + line, "pod container of it " + line, "pod " + line,
			"pod container of " + line,
			"Mar 14 09:26:53 node-a kubelet[1]: " + stamp + " " + line, "Mar 14 09:26:53: node-a kubelet[1]: " + line,
			"pod \x1b[1mcontainer\x1b[0m " + line,
			"pod/container-of-it " + stamp + " stderr F " + line, "ns/pod[container]: " + line, "a/b.log:" + line, "pod container " + line + "\r\r",
		}[(at.Nanosecond()/1e3+at.Second())%21] + "\n"
	})},
	{"no newline at the end", lead(false) + strings.TrimSuffix(crowd(70, func(_ time.Time, line string) string { return line + "\n" }), "\n")},
	{"long lines", lead(false) + crowd(60, func(_ time.Time, line string) string { return line + strings.Repeat(" long", 3000) + "\n" }) +
		"I0314 09:00:00.000001       1 lead.go:1] " + strings.Repeat("y", 3*pieceSize) + "\n" + crowd(60,
		func(_ time.Time, line string) string { return line + "\n" })},
	{"newest first", lead(false) +
		strings.Join(reversed(strings.SplitAfter(crowd(300, func(_ time.Time, line string) string { return line + "\n" }), "\n")), "")},
	{"not in a row", lead(false) + crowd(80, func(_ time.Time, line string) string { return line + "\n" }) + `[{"message":"x"},` + "\n" +
		crowd(80, func(_ time.Time, line string) string { return line + "\n" })},
	{"glued", lead(false)[:200] + "I0314 09:00:00.000001       1 lead.go:1] xI0314 09:00:00.000001       1 lead.go:1] y\n" + lead(false)},
	{"no log", strings.Repeat(strings.Repeat("x", 1000)+"\n", 5000)},
}

func reversed(lines []string) []string {
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return lines
}

// What is passed over changes nothing of what a scanner says, wherever the blocks are cut.
func TestSkip(t *testing.T) {
	for _, c := range crowds {
		t.Run(c.name, func(t *testing.T) {
			passed, repeated := 0, 0
			for _, block := range []int{1, 333, 4096, 0} {
				n, m := sameWithSkip(t, c.text, block, func(*Stretch) bool { return false })
				passed, repeated = passed+n, repeated+m
			}
			sameWithSkip(t, c.text, 4096, func(st *Stretch) bool { return st.Records%3 == 0 })
			if few := c.name == "glued" || c.name == "no log" || c.name == "already another year"; (passed == 0) != few {
				t.Errorf("%d records passed over", passed)
			}
			if c.name == "plain" && repeated < 100 {
				t.Errorf("%d records repeat", repeated)
			}
		})
	}
}

// A fault of the input comes to whoever scans, also when another goroutine reads.
func TestSkipWithFaults(t *testing.T) {
	text := crowds[0].text
	for _, c := range []struct {
		name string
		r    faulty
	}{{"error", faulty{}}, {"panic", faulty{panics: true}}} {
		t.Run(c.name, func(t *testing.T) {
			c.r.left = bytes.NewReader([]byte(text))
			s := NewScanner(&c.r)
			s.Block = 4096
			s.Skip(skipByLetter, func(*Stretch) bool { return true })
			defer s.Close()
			defer func() {
				if fault := recover(); (fault == errFault) != c.r.panics {
					t.Errorf("panic is %v", fault)
				}
			}()
			for range s.Records {
			}
			if st := s.Stats(); st.Err != errFault || st.Bytes != int64(len(text)) {
				t.Errorf("%+v", st)
			}
		})
	}
}

var errFault = fmt.Errorf("disk on fire")

// faulty fails at its end.
type faulty struct {
	left   *bytes.Reader
	panics bool
}

func (f *faulty) Read(b []byte) (int, error) {
	if f.left.Len() > 0 {
		return f.left.Read(b)
	}
	if f.panics {
		panic(errFault)
	}
	return 0, errFault
}

func FuzzSkip(f *testing.F) {
	for _, c := range crowds {
		if c.name != "long lines" && c.name != "no log" {
			from := min(len(c.text), len(lead(strings.HasPrefix(c.text, "2026"))))
			f.Add(c.text[from:min(len(c.text), from+3000)], uint16(100), strings.HasPrefix(c.text, "2026"))
		}
	}
	f.Add("I1231 23:59:59.999999 1 a.go:1] x\nI0101 00:00:00.000000 1 a.go:1] y\nE0101 00:00:00.000001 1 a.go:1] z\n", uint16(50), false)
	f.Add("2026-12-31T23:59:59.999999Z I1231 23:59:59.999999 1 a.go:1] x\n2027-01-01T00:00:00Z I0101 00:00:00.000000 1 a.go:1] y\n",
		uint16(50), true)
	f.Fuzz(func(t *testing.T, text string, block uint16, wrapped bool) {
		sameWithSkip(t, lead(wrapped)+text, 1+int(block)%5000, func(*Stretch) bool { return false })
	})
}

// A line is taken as every other is, whatever stood in the lines before it.
func TestPlainLineForgets(t *testing.T) {
	const second = ((13*24+9)*3600 + 26*60 + 53) * 1e9
	var p plainLine
	zeros := strings.Repeat("\x00", 19) // bytes that were never set
	for range 2 {
		for _, stamp := range []struct {
			text  string
			ok    bool
			nanos int64
		}{
			{zeros + ".841400123Z ", false, 0}, {"", true, 0}, {"2026-03-14T09:26:53.841400123Z ", true, second + 841400123},
			{"2026-03-99T09:26:53.841400123Z ", false, 0}, {"2026-03-14T09:26:53.8Z stderr F ", true, second + 8e8},
			{"2026-03-99T09:26:53.8Z ", false, 0},
			{"2026-03-14T09:26:53.84140012xZ ", false, 0}, {"2026-03-14T09:26:53Z stdout F ", true, second}, {"2026-04-14T09:26:53Z ", false, 0},
		} {
			for _, header := range []struct {
				text string
				ok   bool
			}{{"I" + zeros[:13], false}, {"I0314 09:26:53", true}, {"I0399 09:26:53", false}, {"I0314 09:26:53", true}} {
				line := stamp.text + header.text + ".841223       1 a.go:1] x"
				ok := p.parse([]byte(line))
				if ok != (stamp.ok && header.ok) ||
					ok && (p.month != 3 || p.clock != second+841223e3 || p.stamp != stamp.nanos || p.wrapped != (stamp.text != "")) {
					t.Errorf("%q: %v %+v", line, ok, p)
				}
			}
		}
	}
}

func TestDigits(t *testing.T) {
	six := func(s string) (int64, bool) { return sixDigits(binary.LittleEndian.Uint64([]byte(s))) }
	for n := range int64(1_000_000) {
		if got, ok := six(fmt.Sprintf(".%06d ", n)); got != n || !ok {
			t.Fatalf("%d is read as %d, %v", n, got, ok)
		}
	}
	for i := range 8 {
		for c := range 256 {
			digit := c >= '0' && c <= '9'
			b := []byte(".990099 ")
			b[i] = byte(c)
			if _, ok := six(string(b)); ok != (i == 0 && c == '.' || i == 7 && c == ' ' || i > 0 && i < 7 && digit) {
				t.Errorf("%q is taken: %v", b, ok)
			}
		}
	}
}
