package logline

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// TestJSONHeader has lines of --logging-format=json with their file, message and microseconds, and what is none.
func TestJSONHeader(t *testing.T) {
	for in, want := range map[string]string{
		`{"ts":1773480413841.2238,"msg":"a"}`:                          "|a|1773480413841224",
		`{"ts":1773480413841,"msg":""}`:                                "||1773480413841000",
		`{"ts":1773480413841,"msg":"ab`:                                "|ab|1773480413841000",
		`{"ts":1773480413841,"msg":"`:                                  "||1773480413841000",
		`{"ts":1773480413841,"msg":5}`:                                 "",
		`{"ts":1773480413841,"msg":5,"caller":"a.go:1"}`:               "",
		`{"ts":1773480413841,"caller":"a.go:1","msg":"a"}`:             "a.go|a|1773480413841000",
		`{"ts":1773480413841,"caller":"/a.go:1","msg":"a"}`:            "a.go|a|1773480413841000",
		`{"ts":1773480413841,"caller":"b/a.go","msg":"a"}`:             "a.go|a|1773480413841000",
		`{"ts":1773480413841,"caller":":1","msg":"a"}`:                 "|a|1773480413841000",
		`{"ts":1773480413841,"caller":"","msg":"a"}`:                   "|a|1773480413841000",
		`{"ts":1773480413841,"caller":12,"msg":"a"}`:                   "|a|1773480413841000",
		`{"ts":1773480413841,"caller":"x`:                              "",
		`{"ts":1773480413841,"msg":"a","caller":"a.go:1"}`:             "a.go|a|1773480413841000",
		`{"ts":1773480413841,"msg":"a","v":0,"caller":"a.go:1"}`:       "|a|1773480413841000",
		`{"ts":1773480413841,"severity":"x","msg":"a"}`:                "",
		`{"ts":1773480413841,"a":1,"b":2,"c":3,"d":4,"msg":"a"}`:       "|a|1773480413841000",
		`{"ts":1773480413841,"a":1,"b":2,"c":3,"d":4,"e":5,"msg":"a"}`: "",
		`{"ts":1773480413841}`:                                         "",
		`{"ts":"x","msg":"a"}`:                                         "",
		`{"ts":100000000,"msg":"a"}`:                                   "",
		`{"ts":100000001,"msg":"a"}`:                                   "|a|100000001000000",
		`{"ts":99999999999,"msg":"a"}`:                                 "|a|99999999999000000",
		`{"ts":100000000000,"msg":"a"}`:                                "|a|100000000000000",
		`{"ts":3999999999999,"msg":"a"}`:                               "|a|3999999999999000",
		`{"ts":4000000000000,"msg":"a"}`:                               "",
		`{"ts" : 1773480413841,"msg":"a"}`:                             "",
		`{"ts":1773480413841 , "msg" : "a"}`:                           "",
		`{"ts":1773480413841,"k":{"a":["}",1]},"msg":"a"}`:             "|a|1773480413841000",
		`{"ts":1773480413841,"k":,"msg":"a"}`:                          "",
	} {
		h, ok := parseJSON([]byte(in))
		got := ""
		if ok {
			got = fmt.Sprintf("%s|%s|%d", in[h.fileStart:h.fileEnd], in[h.text:h.textEnd], h.clock.instant)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestPairForm compares what begins a pair with an expression, for each byte.
func TestPairForm(t *testing.T) {
	form := regexp.MustCompile(`^ [a-zA-Z0-9_./!()-]{1,78}=`)
	texts := []string{" =", "k=", " ", " k", "  k=", " " + strings.Repeat("k", 78) + "=", " " + strings.Repeat("k", 79) + "="}
	for c := range 256 {
		texts = append(texts, " k"+string([]byte{byte(c)})+"=v", " "+string([]byte{byte(c)})+"=v")
	}
	for _, s := range texts {
		if got := beginsPair(s); got != form.MatchString(s) {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestValues takes the value off the beginning of what follows a key.
func TestValues(t *testing.T) {
	for in, want := range map[string][2]string{
		``:                      {},
		`"a" k=1`:               {"a", " k=1"},
		`"a\"b" k=1`:            {`a"b`, " k=1"},
		`"a\d" k=1`:             {`a\d`, " k=1"},
		`"a`:                    {"a", ""},
		`{"a":1} k=1`:           {`{"a":1}`, " k=1"},
		`{} k=1`:                {`{}`, " k=1"},
		`[["a",1]] k=1`:         {`[["a",1]]`, " k=1"},
		`{"a":1 k=1`:            {`{"a":1 k=1`, ""},
		`{a k=1} k=1`:           {`{a k=1}`, " k=1"},
		`[a k=1] k=1`:           {`[a k=1]`, " k=1"},
		`f(a k=1) k=1`:          {`f(a k=1)`, " k=1"},
		`a} k=1`:                {`a}`, " k=1"},
		`{a k=1`:                {`{a k=1`, ""},
		`a b k=1`:               {"a b", " k=1"},
		`[`:                     {"[", ""},
		`<x k=1`:                {"<x", " k=1"},
		"<\n\ta\r\n\tb\n > k=1": {"a\nb", " k=1"},
		"<\n\ta":                {"a", ""},
	} {
		if value, rest := takeValue(in); value != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", in, value, rest)
		}
	}
	for in, want := range map[string]bool{`"m"`: true, `"m" k=1`: true, `"m" k`: false, `"m`: false, `m`: false, `"`: false, ``: false, `""`: true,
		"\"m\" \n": true, `"m" k=1 j`: true, `m" k=1`: false} {
		if _, _, ok := parseStructured(in, nil); ok != want {
			t.Errorf("%q: %v", in, ok)
		}
	}
}

// TestTestEvents has an Event as tests print it, and what lacks a part of it.
func TestTestEvents(t *testing.T) {
	const whole = "At 2020-08-07 08:30:36 +0000 UTC - event for p-1: {kubelet n} FailedMapVolume: it failed: x"
	e, message := testEvent([]byte(whole))
	want := envelope.Event{Reason: "FailedMapVolume", Name: "p-1", Component: "kubelet", Host: "n", First: time.Date(2020, 8, 7, 8, 30, 36, 0, time.UTC)}
	if e == nil || *e != want || string(message) != "it failed: x" {
		t.Errorf("%+v %s", e, message)
	}
	if e, _ = testEvent([]byte("At 2020-08-07 08:30:36 +0000 - event for p: {kubelet } R: x")); e == nil || e.Component != "kubelet" || e.Host != "" {
		t.Errorf("%+v", e)
	}
	for _, gone := range []string{"At ", "2020-08-07 ", "+0000 UTC ", " - event for", ": {", "} ", "p-1", "FailedMapVolume"} {
		in := strings.Replace(whole, gone, "", 1)
		if e, message := testEvent([]byte(in)); e != nil || string(message) != in {
			t.Errorf("%q: %+v", in, e)
		}
	}
	if e, _ := testEvent([]byte(strings.ReplaceAll(whole, ": ", " "))); e != nil {
		t.Errorf("without colons: %+v", e)
	}
	if e, _ := testEvent([]byte(strings.Replace(whole, "p-1", "p 1", 1))); e != nil {
		t.Errorf("of no name: %+v", e)
	}
}

// TestNamesBefore has what tools put before a line, and what only looks like it.
func TestNamesBefore(t *testing.T) {
	long := strings.Repeat("x", maxPrefix)
	for in, want := range map[string]string{
		"[pod/p/c] x": "p c 10", "[pod/p] x": "  0", "[pod/p/c]x": "  0", "pod/p/c] x": "  0", "[pod/p/" + long + "] x": "  0", "[pod//] ": "  8",
	} {
		pod, container, n := podNames([]byte(in))
		if got := fmt.Sprintf("%s %s %d", pod, container, n); got != want {
			t.Errorf("%.40q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"h u[12]: x": "h u 9", "h u: x": "h u 5", "h u[12]:": "h u 9", "h u:": "h u 5", "h u[12] x": "  0", " u: x": "  0", "h : x": "  0", "hu: x": "  0",
		"h u v: x": "  0", "h [1]: x": "  0", "h u[12: x": "  0", "h u]: x": "  0", "h " + long + ": x": "  0", "h a.b@c: x": "h a.b@c 9", "h :": "  0", "h": "  0",
	} {
		host, unit, n := unitNames([]byte(in))
		if got := fmt.Sprintf("%s %s %d", host, unit, n); got != want {
			t.Errorf("%.40q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]bool{"u[12]: ": true, "[1]: ": true, "u[1x]: ": false, "u[]: ": false, "u12]: ": false, "u[12]:": false, "": false} {
		if got := hasPID([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]bool{klogLine: true, "2026-03-14T09:26:53Z x": true, "2026-03-14T09:26:53Z": false, "2026-03-14T09:26:53Zx": false,
		"": false, "x": false, "2026": false, `{"ts":1773480413841,"msg":"a"}`: true} {
		if got := begins([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]string{"kube.x\t{}": "{}", "\t{}": "\t{}", "kube.x\tabc": "kube.x\tabc", "kube.x\t": "kube.x\t", "{}": "{}"} {
		if got := afterTag([]byte(in)); string(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	for in, want := range map[string]string{"a\x1b[36mb\x1b[0mc": "abc", "a\x1bb": "a\x1bb", "a\x1b": "a\x1b", "a\x1b[1;31": "a", "\x1b[m\x1b[@x": "x",
		"\x1b[1~x": "x", "\x1b[1\x7fmx": "x"} {
		if got := plainText(nil, []byte(in)); string(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	for n, want := range map[int]int{0: 0, 1: 1, maxIndent: maxIndent, maxIndent + 1: 0} {
		if got := indent([]byte(strings.Repeat(" ", n) + klogLine)); got != want {
			t.Errorf("%d blanks: %d", n, got)
		}
	}
	if indent([]byte("  no header")) != 0 {
		t.Error("blanks before no header")
	}
}

// TestTags has what a runtime puts between time and line.
func TestTags(t *testing.T) {
	for in, want := range map[string]string{
		"stderr F x": "x true false e", "stdout P x": "x true true o", "stderr F:a x": "x true false e", "stderr F": " true false e", "stdout F ": " true false o",
		"stderr X x": "stderr X x false false \x00", "stderr FF x": "stderr FF x false false \x00", "stderr  x": "stderr  x false false \x00",
		"stderr": "stderr false false \x00", "stdin F x": "stdin F x false false \x00", "stderr ": "stderr  false false \x00",
	} {
		var w wrapper
		rest, ok := criTag([]byte(in), &w)
		if got := fmt.Sprintf("%s %v %v %c", rest, ok, w.partial, w.stream); got != want || w.cri != ok {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	const stamp = "2026-03-14T09:26:53.5Z"
	for in, want := range map[string]string{
		`{"log":"x\n","time":"` + stamp + `"}`:                 "x true false",
		`{"log":"x","stream":"stderr","time":"` + stamp + `"}`: "x true true",
		`{"log":"x\n","time":"` + stamp + ` "}`:                "x false false",
		`{"log":"x\n","time":1}`:                               "x false false",
		`{"log":"x\n","time":1,"time":"` + stamp + `"}`:        "x true false",
		`{"log":"x\n","other":"` + stamp + `"}`:                "x false false",
		`{"log":"x\n","time":"","a":1}`:                        "x false false",
		`{"log":"x\n"}`:                                        "x false false",
		`{"log":"x`:                                            `{"log":"x false false`,
		stamp + " x":                                           "x true false",
		stamp:                                                  " true false",
		stamp + "x":                                            stamp + "x false false",
		stamp + "\tx":                                          stamp + "\tx false false",
	} {
		inner, _, w := unwrap([]byte(in), nil)
		if got := fmt.Sprintf("%s %v %v", inner, w.has, w.partial); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestStampLayer has the times that a tool puts before a line.
func TestStampLayer(t *testing.T) {
	for in, want := range map[string]string{
		"2026-03-14T09:26:53.5Z x":          "x false 53.5",
		"2026-03-14T09:26:53.5Z stderr F x": "x true 53.5",
		"2026-03-14T09:26:53.5Z\tx":         "x true 53.5",
		"2026-03-14T09:26:53.5Z\ttag\t{}":   "{} true 53.5",
		"2026-03-14T09:26:53.5Zx":           "",
		"2026-03-14T09:26:53.5Z":            "",
		"2026-03-14 09:26:53 x":             "x false 53",
		"2026-03-14 09:26:53.841\tx":        "x false 53.841",
		"2026-03-14 09:26:53.841223999 x":   "x false 53.841223999",
		"2026-03-14 09:26:53x":              "",
		"2026-03-14 09:26:53":               "",
		"1773480413 x":                      "x false 53",
		"1773480413.25 x":                   "x false 53.25",
		"177348041 x":                       "",
		"1773480413x":                       "",
		"17734804130000000000 x":            "",
	} {
		var w wrapper
		rest, sure := stampLayer([]byte(in), &w)
		got := ""
		if rest != nil {
			got = fmt.Sprintf("%s %v %s", rest, sure, w.time.Format("5.999999999"))
		}
		if got != want || w.has != (rest != nil) && !strings.HasSuffix(in, "Zx") {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestFloatingYear steps over a new year, forward and back, and over nothing else.
func TestFloatingYear(t *testing.T) {
	for _, c := range []struct{ months, years []int }{
		{[]int{11, 1}, []int{0, 1}}, {[]int{12, 2}, []int{0, 1}}, {[]int{10, 1}, []int{0, 0}}, {[]int{11, 3}, []int{0, 0}},
		{[]int{1, 12}, []int{0, -1}}, {[]int{2, 11}, []int{0, -1}}, {[]int{3, 11}, []int{0, 0}}, {[]int{2, 10}, []int{0, 0}}, {[]int{12}, []int{0}},
		{[]int{12, 1, 6, 12, 1}, []int{0, 1, 1, 1, 1}}, {[]int{1, 12, 6, 1, 12}, []int{0, -1, -1, -1, -1}},
	} {
		var p placer
		for i, m := range c.months {
			if got := p.floatingYear(m); got != c.years[i] {
				t.Errorf("%v: %d at %d, want %d", c.months, got, i, c.years[i])
			}
		}
	}
}

// TestPlacing has headers beside the stamps of a wrapper: how far they may be apart, and where a zone begins.
func TestPlacing(t *testing.T) {
	day := time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		wrapper, header time.Duration // of the day
		want            time.Duration
	}{
		{12 * time.Hour, 12*time.Hour - time.Second, 12*time.Hour - time.Second},
		{12 * time.Hour, 20*time.Hour - time.Second, 12*time.Hour - time.Second},
		{12 * time.Hour, 12*time.Hour - zoneSlack, 12*time.Hour - zoneSlack + zoneStep},
		{12 * time.Hour, 12*time.Hour - zoneSlack + time.Second, 12*time.Hour - zoneSlack + time.Second},
		{20 * time.Hour, 6 * time.Hour, 20 * time.Hour},
		{20 * time.Hour, 6*time.Hour + time.Second, 20*time.Hour + time.Second},
		{20 * time.Hour, 6*time.Hour - zoneStep, 20 * time.Hour},
		{20 * time.Hour, 6*time.Hour - zoneStep - time.Second, 20 * time.Hour},
	} {
		at := day.Add(c.header)
		clock := clock{month: int(at.Month()), day: at.Day(), hour: at.Hour(), minute: at.Minute(), second: at.Second()}
		var p placer
		if got := p.besideWrapper(&clock, day.Add(c.wrapper), 1); !got.Equal(day.Add(c.want)) {
			t.Errorf("%v beside %v: %v, want %v", c.header, c.wrapper, got.Sub(day), c.want)
		}
	}
	// The zone in force stays up to half a step, on both sides, and what changes is told with its line.
	for lag, moved := range map[time.Duration]int{zoneSlack: 0, zoneSlack + time.Second: 2, -zoneSlack: 0, -zoneSlack - time.Second: 2} {
		p, noon := placer{}, clock{month: 3, day: 14, hour: 12}
		p.besideWrapper(&noon, day.Add(12*time.Hour), 1)
		p.besideWrapper(&noon, day.Add(12*time.Hour+lag), 2)
		p.besideWrapper(&noon, day.Add(18*time.Hour), 3)
		if want := max(moved, 3*btoi(moved == 0)); p.moved != want {
			t.Errorf("after %v: line %d, want %d", lag, p.moved, want)
		}
	}
	const half = 183 * 24 * time.Hour
	for _, d := range []time.Duration{half, half + 1, -half, -half - 1} {
		got := Nearest(day, func(year int) time.Time { return day.Add(d).AddDate(year-day.Year(), 0, 0) })
		want := day.Year() + map[time.Duration]int{half: 0, half + 1: -1, -half: 0, -half - 1: 1}[d]
		if is := day.Add(d).AddDate(want-day.Year(), 0, 0); !got.Equal(is) {
			t.Errorf("%v: %v, want %v", d, got, is)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestOrigins: lines of one writer belong together, of two they do not.
func TestOrigins(t *testing.T) {
	a := envelope.Origin{Pod: "p", Container: "c", Unit: "u", Host: "h"}
	for name, change := range map[string]func(*envelope.Origin){"pod": func(o *envelope.Origin) { o.Pod = "x" },
		"container": func(o *envelope.Origin) { o.Container = "x" }, "unit": func(o *envelope.Origin) { o.Unit = "x" },
		"host": func(o *envelope.Origin) { o.Host = "x" }, "": func(o *envelope.Origin) { o.File = "x" }} {
		b := a
		if change(&b); sameOrigin(&a, &b) != (name == "") {
			t.Errorf("another %s", name)
		}
	}
	if !sameOrigin(nil, nil) || sameOrigin(&a, nil) || sameOrigin(nil, &a) || !sameOrigin(&a, &a) {
		t.Error("who is not known is nobody")
	}
}

// TestAnchorOf has lines of which the time is known beside a civil one.
func TestAnchorOf(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	civil := time.Date(0, 3, 14, 12, 0, 0, 0, time.UTC).UnixMicro()
	for _, c := range []struct {
		w       wrapper
		instant time.Duration // after noon
		want    int
	}{
		{wrapper{civil: civil, isCivil: true}, 0, 1}, {wrapper{civil: civil, isCivil: true}, time.Minute, 1},
		{wrapper{civil: civil, isCivil: true}, time.Minute + time.Second, 0}, {wrapper{civil: civil, isCivil: true}, -time.Minute - time.Second, 0},
		{wrapper{civil: civil, isCivil: true}, maxZone, 1}, {wrapper{civil: civil, isCivil: true}, maxZone + zoneStep, 0},
		{wrapper{civil: civil, isCivil: true}, -maxZone - zoneStep, 0}, {wrapper{civil: civil}, 0, 0}, {wrapper{civil: civil, isCivil: true, has: true}, 0, 0},
	} {
		s := NewScanner(bytes.NewReader(nil))
		s.anchor(&piece{line: 7, w: c.w}, noon.Add(c.instant))
		s.anchor(&piece{line: 8, w: c.w}, noon.Add(c.instant)) // says the same
		if got := s.stats.Anchors; len(got) != c.want || c.want == 1 && (got[0].Line != 7 || !got[0].Civil.Equal(noon)) {
			t.Errorf("%+v and %v: %+v", c.w, c.instant, got)
		}
	}
	s := NewScanner(bytes.NewReader(nil))
	for i := range 2 * maxAnchors {
		s.anchor(&piece{w: wrapper{civil: civil, isCivil: true}}, noon.Add(time.Duration(i%2)*time.Hour))
	}
	if len(s.stats.Anchors) != maxAnchors {
		t.Errorf("%d anchors", len(s.stats.Anchors))
	}
}

// TestQuotes has quotes that are escaped, and those that are not.
func TestQuotes(t *testing.T) {
	for in, want := range map[string]bool{``: false, `"`: true, `""`: false, `"\"`: true, `\"`: false, `\\"`: true, `a"b"c"`: true} {
		if got := oddQuotes([]byte(in)); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
	for in, want := range map[string]int{`"a" x`: 3, `"a\" b" x`: 7, `"a`: -1, `"a\"`: -1, `"`: -1} {
		if got := skipString(in, 0); got != want {
			t.Errorf("%s: %d", in, got)
		}
	}
	for in, want := range map[string]int{`"a",1`: 3, `12,1`: 2, `12}`: 2, `12`: 2, `{"a":"}"},1`: 9, `[[1],2]x`: 7, `[1`: -1, `{"a`: -1, `{"a":1`: -1, `]`: 0} {
		if got := skipValue(in, 0); got != want {
			t.Errorf("%s: %d", in, got)
		}
	}
}
