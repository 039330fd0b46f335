package logline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// TestWhatContinues has lines behind a record that are a part of it, the rest of a broken line, or none of it.
func TestWhatContinues(t *testing.T) {
	const head = "I0811 04:01:25.024480       1 a.go:1] "
	wide := strings.Repeat("w", minWrap)
	for in, want := range map[string]string{
		"hi\nmore\n":                        "hi\nmore/0",
		"hi\n{ no document\n":               "hi\n{ no document/0",
		"hi\n\nmore\n":                      "hi/1",
		"hi\n``\nmore\n":                    "hi\n``\nmore/0",
		"hi\n-- Logs begin\nmore\n":         "hi/2",
		"hi\n--Logs begin\n":                "hi\n--Logs begin/0",
		"hi\ntime=\"x\nmore\n":              "hi/2",
		"hi\nMar 14 09:26:53 h\nmore\n":     "hi/2",
		"hi\nMar 99 09:26:53 h\n":           "hi\nMar 99 09:26:53 h/0",
		"hi\n2026-03-14T09:26:53Z more\n":   "hi\nmore/0",
		"a \"" + wide + "\nb\" c\n":         "a \"" + wide + "b\" c/0",
		"a \"" + wide + "\n b\" c\n":        "a \"" + wide + "\n b\" c/0",
		"a \"" + wide + "\n\tb\" c\n":       "a \"" + wide + "\n\tb\" c/0",
		"a " + wide + "\nb c\n":             "a " + wide + "\nb c/0",
		"a \"\nb\" c\n":                     "a \"\nb\" c/0",
		"\"m\" e=<\n\t\"" + wide + "\nb\n":  "m/0",
		"\"" + wide + "\nb\nc\" d\n":        "\"" + wide + "b\nc\" d/0",
		strings.Repeat("\"x", 8191) + "\nb": strings.Repeat("\"x", 8191) + "b/0",
		strings.Repeat("\"x", 8193) + "\nb": strings.Repeat("\"x", 8193) + "\nb/0",
	} {
		got, st := scanAll(head + in)
		if is := fmt.Sprintf("%s/%d", got[0].Message, st.Orphans); len(got) != 1 || is != want {
			t.Errorf("%.100q: %.100q, want %.100q", in, is, want)
		}
	}
	// A terminal breaks no line that a runtime wrote, but one of a journal.
	for before, want := range map[string]string{"2026-08-11T04:01:25.1Z ": "a \"" + wide + "\nb\"", "Aug 11 04:01:25 h u[1]: ": "a \"" + wide + "b\""} {
		if got := messages(before + head + "a \"" + wide + "\nb\"\n"); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q", before, got)
		}
	}
	// What is a log stays one, however much of another text follows.
	got, st := scanAll(head + "hi\n\n" + strings.Repeat(strings.Repeat("x", 1023)+"\n", maxBarren>>10+1) + head + "next\n")
	if len(got) != 2 || st.NotALog {
		t.Errorf("%d records, %+v", len(got), st)
	}
}

// TestDocuments: which lines begin a document, and which are a log's own.
func TestDocuments(t *testing.T) {
	for in, want := range map[string]bool{`{"a":1}`: true, ` {"a":1}`: true, `[1]`: true, ``: false, `  `: false, `x{}`: false, `|{}`: false, `"x"`: false,
		`{"log":"x","stream":"stderr"}`: false, `{"log":"x","time":"y"}`: false, `{"log":"x"}`: true, `{"ts":1773480413841,"msg":"a"}`: false,
		"\t\t": false} {
		s := NewScanner(bytes.NewReader(nil))
		if got := s.mayBeEnvelope([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
		if s.cut = true; s.mayBeEnvelope([]byte(in)) {
			t.Errorf("%q continues a line, and is a document", in)
		}
	}
	for before, want := range map[string]string{"Mar 14 09:26:53.123: INFO: ": "hi", "Mar 14 09:26:53.123: longer than ten: ": "", "Mar 14 09:26:53: x": "",
		"I0807 08:47:19.594] ": "hi", "I0807 08:47:19] ": "", "I9907 08:47:19.594] ": ""} {
		if got := strings.Join(messages(before+klogLine+"\n"), " "); got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}

// TestDecide: which lines may be passed over. Of what repeats it is all but the first, where the times allow it and nobody wants each.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		file, text   string
		instant, all bool
		want         string
	}{
		{"a.go", "x", false, false, "true true true true"}, {"a b", "x", false, false, "false false false false"},
		{"a/b", "x", false, false, "false false false false"}, {"abc.go", "a text of an a", false, false, "false true true true"},
		{"abc.go", "a text of an a", true, false, "false true false true"}, {"abc.go", "a text of an a", false, true, "false true false true"},
		{"abc.go", "a text of a p\x00", false, false, "false true false true"}, {"abc.go", "a text of a \x03", false, false, "true true true true"},
		{"abc.go", "", false, false, "true true true true"},
	} {
		s := &sorter{skipper: skipByLetter, all: new(atomic.Bool)}
		s.all.Store(c.all)
		var got []string
		for range 2 {
			pass, plain := s.decide(&plainLine{file: []byte(c.file), text: []byte(c.text), instant: c.instant})
			got = append(got, fmt.Sprint(pass, plain))
		}
		if is := strings.Join(got, " "); is != c.want {
			t.Errorf("%s %q, %v %v: %s, want %s", c.file, c.text, c.instant, c.all, is, c.want)
		}
	}
}

// TestWordsBefore has names before a line, in the forms that are read quickly.
func TestWordsBefore(t *testing.T) {
	const stamp = "2026-03-14T09:26:53.8Z stderr F "
	for in, want := range map[string]int{
		"Mar 14 09:26:53 h": 16, "Mar 14 09:26:53.123 h": 20, "Xar 14 09:26:53 h": 0, "Mar 14 09:26:53": 0, "Mar 14 09:26:53.1": 0, "Mar 14 09:26:53xh": 0,
		"Mar 14 09:26:5": 0,
	} {
		if got := new(plainLine).parseSyslog([]byte(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]int{
		"namespace pod c " + klogLine: 16, "pod-name cont " + klogLine: 14, "pod-nam con " + klogLine: 12, "pod-nam co " + klogLine: 0,
		"pod-name-long " + klogLine:           0,
		"namespace pod c " + stamp + klogLine: 16, "namespace pod c d " + klogLine: 0, "namespace  c " + klogLine: 0, "name{pace pod c " + klogLine: 0,
		"namespace pod c " + klogLine[:31]: 0, "namespace pod c " + klogLine[:32]: 16, "namespace pod c X" + klogLine[1:]: 0,
		"namespace pod c {" + klogLine: 16, "namespace pod c I" + stamp: 0,
	} {
		if got := wordNames([]byte(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"[pod/p/c] " + klogLine: "[pod/p/c] ", "[pod/p/c] \x1b" + klogLine: "", "[pod/p] " + klogLine: "", "Mar 14 09:26:53 h u[1]: " + klogLine: "h u[1]: ",
		"Mar 14 09:26:53 h u[1]: X" + klogLine[1:]: "", "Mar 14 09:26:53 h " + klogLine: "", "[pod/p/c] " + klogLine + "\r\r": "", "": "",
		"2026-03-14T10:26:53.8+0100 host-x u[1]: " + klogLine: "host-x u[1]: ", "2026-03-14T10:26:53.8+0100 h u[1]: " + klogLine: "",
		"2026-01-01T00:26:53.8+01:00 W0101 00:26:53.841223       1 r.go:344] hi": "", "2026-12-31T23:26:53.8-01:00 W1231 23:26:53.841223       1 r.go:344] hi": "",
		"[pod/p/c] ": "", "apod-name cont " + klogLine: "apod-name cont ", "zpod-name cont " + klogLine: "zpod-name cont ",
		"Mar 14 09:26:53 h u[1]: " + `{"ts":1773480413841.2231,"caller":"r.go:398","msg":"a","v":0}`: "h u[1]: ",
		"2026-01-01T01:00:00.0+01:00 W0101 01:00:00.000001       1 r.go:344] hi":                     "-",
		"2026-01-01T01:26:53.8+01:00 W0101 01:26:53.841223       1 r.go:344] hi":                     "-",
		"2026-12-31T22:26:53.8-01:00 W1231 22:26:53.841223       1 r.go:344] hi":                     "-",
	} {
		var p plainLine
		got := ""
		if p.parse([]byte(in)) {
			if got = string(p.names); got == "" {
				got = "-"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestEntriesThatGoOn: an indented entry of a log service continues the one before, of the same writer, and blanks before no header are none.
func TestEntriesThatGoOn(t *testing.T) {
	entry := func(text, pod string) string {
		return `{"message":"` + text + `","timestamp":"2026-03-14T09:26:53.9Z","podName":"` + pod + `"}` + "\n"
	}
	for in, want := range map[string]string{
		entry(klogLine, "p") + entry(`\tmore`, "p"): "hi\n\tmore p", entry(klogLine, "p") + entry("more", "p"): "hi p", entry(klogLine,
			"p") + entry(`\tmore`, "q"): "hi p",
		entry(klogLine, "p") + entry(klogLine, "q"): "hi p hi q", entry(klogLine, "p") + entry("", "p") + entry(" more", "p"): "hi\n more p",
	} {
		var got []string
		records, _ := scanAll(in)
		for _, r := range records {
			got = append(got, r.Message, r.From.Pod)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]int{"  no header\n": 0, "  " + klogLine + "\n": 1, klogLine + "\n": 0} {
		if _, st := scanAll(in); st.Indented != want {
			t.Errorf("%q: %d are indented", in, st.Indented)
		}
	}
}

// TestEndOfLine: what a text file of Windows ends a line with is no part of its text.
func TestEndOfLine(t *testing.T) {
	for in, want := range map[string]string{klogLine: "hi", klogLine + "\r": "hi", klogLine + "\r\r": "hi\r", klogLine + "H": "hiH"} {
		var p plainLine
		if !p.parse([]byte(in)) || string(p.text) != want {
			t.Errorf("%q: %q, want %q", in, p.text, want)
		}
	}
}

// TestSameBeginning: which lines of a stretch count their times from one beginning.
func TestSameBeginning(t *testing.T) {
	st := Stretch{wrapped: true, month: 3, year: 2026, names: []byte("n")}
	for _, c := range []struct {
		line plainLine
		want bool
	}{
		{plainLine{wrapped: true, month: 3, year: 2026, names: []byte("n")}, true}, {plainLine{month: 3, year: 2026, names: []byte("n")}, false},
		{plainLine{wrapped: true, month: 4, year: 2026, names: []byte("n")}, false}, {plainLine{wrapped: true, month: 3, year: 2027, names: []byte("n")}, false},
		{plainLine{wrapped: true, month: 3, year: 2026}, false}, {plainLine{wrapped: true, month: 3, year: 2026, names: []byte("n"), instant: true}, false},
	} {
		if got := st.takes(&c.line); got != c.want {
			t.Errorf("%+v: %v", c.line, got)
		}
	}
	if st.ends = maxRepetitions; st.takes(&plainLine{wrapped: true, month: 3, year: 2026, names: []byte("n")}) {
		t.Error("more repetitions than one stretch holds")
	}
}

// TestLineEnds: where data are cut into blocks.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct {
		before, long, want int
	}{{0, 10, 0}, {5, 10, 5}, {5, pieceSize - 1, 5}, {5, pieceSize, 5 + pieceSize}, {0, 2*pieceSize + 1, 2 * pieceSize}, {5, 0, 5}, {0, 0, 0}} {
		data := append(bytes.Repeat([]byte("\n"), c.before), bytes.Repeat([]byte("x"), c.long)...)
		if got := lineEnd(data); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
