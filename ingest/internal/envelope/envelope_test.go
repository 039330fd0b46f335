package envelope

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// walkAll reads a document that comes in pieces of some size, each of one line.
func walkAll(text string, size int) (entries []Entry, broken bool) {
	var r Reader
	line, begins := 0, true
	next := func() (int, []byte) {
		piece, _, _ := strings.Cut(text[:min(size, len(text))], "\n")
		if len(piece) < min(size, len(text)) {
			piece += "\n"
		}
		if begins {
			line++
		}
		begins = strings.HasSuffix(piece, "\n")
		text = text[len(piece):]
		return line, []byte(piece)
	}
	n, piece := next()
	_, broken = r.Document(n, piece, next)
	return r.Entries, broken
}

func TestServices(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"cloudwatch", `{"events":[{"logStreamName":"kube-scheduler-934e06efeb2e9416b02fa19f9a2d1774","timestamp":1773480413841,"message":"m",` +
			`"ingestionTime":1773480418000}]}`, "m 09:26:53.841 kube-scheduler"},
		{"insights", `{"results":[[{"field":"@timestamp","value":"2026-03-14 ` +
			`09:26:53.841"},{"field":"@message","value":"m"},{"field":"@logStream","value":"s"}],[{"field":"@message","value":"n"}]]}`,
			"m 09:26:53.841 s; n 00:00:00"},
		{"firehose", `{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":[{"id":"1","timestamp":1773480413841,` +
			`"message":"m"},{"id":"2","timestamp":1773480413842,"message":"n"}]}`, "m 09:26:53.841 s; n 09:26:53.842 s"},
		{"google", `[{"jsonPayload":{"message":"m"},"resource":{"labels":{"component_name":"c"}},"severity":"WARNING",` +
			`"timestamp":"2026-03-14T09:26:53.841Z","receiveTimestamp":"2026-03-14T10:00:00Z"},{"textPayload":"n"}]`,
			"m 09:26:53.841 c; n 00:00:00"},
		{"azure", `{"records":[{"category":"c","properties":{"log":"m\n","pod":"p"},"time":"2026-03-14T09:26:53.841Z"}]}`, "m 09:26:53.841 c"},
		{"log analytics", `{"tables":[{"name":"T","columns":[{"name":"TimeGenerated","type":"datetime"},{"name":"Message","type":"string"},` +
			`{"name":"ContainerName"}],"rows":[["2026-03-14T09:26:53.841Z","m","c","more"],["x",null,"c"]]}]}`, "m 09:26:53.841 c"},
		{"loki", `{"data":{"resultType":"streams","result":[{"stream":{"container":"c"},"values":[["1773480413841400123","m"],` +
			`["1773480413841400123","n"]]},{"stream":{"container":"d"},"values":[["1773480413841400123","o"]]}]}}`,
			"m 09:26:53.841400123 c; n 09:26:53.841400123 c; o 09:26:53.841400123 d"},
		{"elasticsearch", `{"hits":{"total":{"value":1},"hits":[{"_source":{"@timestamp":"2026-03-14T09:26:53.841Z","message":"m",` +
			`"kubernetes":{"container_name":"c"}}}]}}`, "m 09:26:53.841 c"},
		{"elastic agents", `{"_source":{"message":"m","kubernetes":{"container":{"name":"c"},"pod":{"name":"p"}}}}`, "m 00:00:00 c"},
		{"elasticsearch fields", `{"hits":{"hits":[{"fields":{"@timestamp":["2026-03-14T09:26:53.841Z"],"message":["m"],` +
			`"kubernetes.container_name":["c"]}}]}}`, "m 09:26:53.841"},
		{"fluent-bit", `{"date":1773480413.841,"log":"m","kubernetes":{"container_name":"c"}}`, "m 09:26:53.841 c"},
		{"journald null", `{"__REALTIME_TIMESTAMP":"1773480413841000","MESSAGE":null}`, ""},
		{"no message", `{"apiVersion":"v1","kind":"List","items":[{"metadata":{"name":"x"}}]}`, ""},
		{"decoded by the shipper", `{"level":"debug","msg":"m","message":"Received event"}`, "m 00:00:00"},
		{"cut inside the message", `{"log":"half a mess`, "half a mess 00:00:00"},
		{"cut after it", `[{"message":"m","stream":`, "m 00:00:00"},
		{"not json", `{"message":"m"]`, "m 00:00:00"},
		{"not json either", `{"a":X,"log":"m"}`, ""},
		{"cut in a key", `{"log":"m","stre`, "m 00:00:00"},
		{"empty members", `{"a":{},"b":[],"log":"m"}`, "m 00:00:00"},
		{"numbers and words", `{"a":-1,"b":true,"c":9.5e3,"container":null,"log":"m"}`, "m 00:00:00"},
		{"a number for a name", `{"container":-7,"log":"m"}`, "m 00:00:00 -7"},
		{"another for a name", `{"container":9,"log":"m"}`, "m 00:00:00 9"},
		{"the surer of two", `{"message":"m","log":"n"}`, "n 00:00:00"},
		{"the surer comes first", `{"log":"n","message":"m"}`, "n 00:00:00"},
		{"an empty name", `{"container":"c","containerName":"","log":"m"}`, "m 00:00:00 c"},
		{"a long name", `{"container":"` + strings.Repeat("c", maxLabel+1) + `","log":"m"}`, "m 00:00:00"},
		{"a list for a field", `[{"field":["@message"],"value":"x"},{"field":"@message","value":"m"}]`, "m 00:00:00"},
		{"blank", `{"log":" \n"}`, ""},
		{"no stream of CloudWatch", `{"logStream":"a-934e06efeb2e9416b02fa19f9a2d177","log":"m"}`,
			"m 00:00:00 a-934e06efeb2e9416b02fa19f9a2d177"},
		{"a hash alone", `{"logStream":"934e06efeb2e9416b02fa19f9a2d1774","log":"m"}`, "m 00:00:00 934e06efeb2e9416b02fa19f9a2d1774"},
		{"no hash at its end", `{"logStream":"a-934e06efeb2e9416b02fa19f9a2d177x","log":"m"}`,
			"m 00:00:00 a-934e06efeb2e9416b02fa19f9a2d177x"},
		{"a number for a message", `{"line":12,"message":"m"}`, "m 00:00:00"},
		{"the first of one rank", `{"message":"m","Message":"n"}`, "m 00:00:00"},
		{"the fourth that may be it", `{"text":"a","note":"b","message":"c","log":"m"}`, "m 00:00:00"},
		{"the fifth", `{"text":"a","note":"b","message":"c","Message":"d","log":"m"}`, "c 00:00:00"},
		{"the fifth, inside", `{"text":"a","note":"b","x":{"message":"c","Message":"d","log":"m"}}`, "c 00:00:00"},
		{"the first of two times", `{"time":1773480413841,"timestamp":1773480499999,"log":"m"}`, "m 09:26:53.841"},
		{"a number that is no time", `{"id":1773480413841,"log":"m"}`, "m 00:00:00"},
		{"the time beside the message", `{"time":1773480413841,"x":{"time":1773480414841,"log":"m"}}`, "m 09:26:54.841"},
		{"the time of something else", `{"time":1773480413841,"log":"m","x":{"time":1773480414841}}`, "m 09:26:53.841"},
		{"the only time", `{"log":"m","x":{"time":1773480414841}}`, "m 09:26:54.841"},
		{"no time inside", `{"time":1773480413841,"x":{"log":"m"}}`, "m 09:26:53.841"},
		{"the time of the list", `{"time":1773480413841,"items":[{"log":"m"}]}`, "m 09:26:53.841"},
		{"the time of another message", `{"time":1773480413841,"log":"m","items":[{"log":"n"}]}`, "n 00:00:00; m 09:26:53.841"},
		{"the longest name", `{"container":"` + strings.Repeat("c", maxLabel) + `","log":"m"}`, "m 00:00:00 " + strings.Repeat("c", maxLabel)},
		{"a name of another thing", `{"x":{"name":"c"},"log":"m"}`, "m 00:00:00"},
		{"a container in one name", `{"kubernetes.container.name":"c","log":"m"}`, "m 00:00:00 c"},
		{"a value without its field", `[{"value":"x","log":"m"}]`, "m 00:00:00"},
		{"a field that is no part of anything", `{"field":"@message","value":"m"}`, ""},
		{"another list", `{"message":"m","tags":["1773480413841","n"]}`, "m 00:00:00"},
		{"no rows", `{"columns":[{"name":"Message"}],"x":["m"]}`, ""},
		{"the last column", `{"columns":[` + strings.Repeat(`{"name":"x"},`, maxKey-1) + `{"name":"log"}],"rows":[[` +
			strings.Repeat(`"x",`, maxKey-1) + `"m"]]}`, "m 00:00:00"},
		{"a column too many", `{"columns":[` + strings.Repeat(`{"name":"x"},`, maxKey) + `{"name":"log"}],"rows":[[` +
			strings.Repeat(`"x",`, maxKey) + `"m"]]}`, ""},
		{"a source's own file", `{"message":"m","sourceLocation":{"file":"pkg/a.go","line":"12"}}`, "m 00:00:00"},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			entries, _ := walkAll(c.in, size)
			var got []string
			for _, e := range entries {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", strings.TrimSpace(string(e.Text)), e.Time.Format("15:04:05.999999999"),
					e.From.Container)))
				if !strings.Contains(c.in, string(e.Raw)) {
					t.Errorf("%s: raw %q", c.name, e.Raw)
				}
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("%s in pieces of %d: %s, want %s", c.name, size, s, c.want)
			}
		}
	}
}

func TestEvent(t *testing.T) {
	entries, _ := walkAll(`{"metadata":{"name":"p.17a","namespace":"n"},"reason":"FailedAttachVolume","message":"m","type":"Warning",`+
		`"count":3,`+
		`"firstTimestamp":"2026-03-14T09:26:53Z","lastTimestamp":"2026-03-14T09:28:53Z","involvedObject":{"kind":"Pod","namespace":"n",`+
		`"name":"p","uid":"u","labels":{"app":"x"}},"source":{"component":"attachdetach-controller"}}`, 1<<20)
	if len(entries) != 1 || entries[0].Event == nil {
		t.Fatalf("%+v", entries)
	}
	e := entries[0].Event
	if e.Reason != "FailedAttachVolume" || e.Kind != "Pod" || e.Namespace != "n" || e.Name != "p" || e.UID != "u" || e.Count != 3 ||
		e.Component != "attachdetach-controller" || e.Last.Sub(e.First) != 2*time.Minute || string(entries[0].Text) != "m" {
		t.Errorf("%+v", e)
	}
	if entries, _ = walkAll(`{"involvedObject":"p","reason":"r","note":"m","count":1,"eventTime":"2026-03-14T09:26:53.5Z","reportingController":"c"}`,
		1<<20); len(entries) != 1 || entries[0].Event == nil || entries[0].Event.Name != "p" || entries[0].Event.Count != 1 ||
		entries[0].Event.Component != "c" || entries[0].Event.First.Nanosecond() != 5e8 {
		t.Errorf("%+v", entries)
	}
	// A reason alone is no event.
	two := `{"reason":"x","message":"m","involvedObject":{"name":"p"}}`
	if entries, _ = walkAll(`[`+two+`,`+strings.ReplaceAll(two, `"p"`, `"q"`)+`]`, 1<<20); len(entries) != 2 ||
		entries[0].Event.Name != "p" || entries[1].Event.Name != "q" {
		t.Errorf("of two: %+v", entries)
	}
	if entries, _ = walkAll(`{"reason":"x","message":"m"}`, 1<<20); len(entries) != 1 || entries[0].Event != nil {
		t.Errorf("%+v", entries)
	}
}

// TestOrigin has each member that says who wrote a message, and what only looks like one.
func TestOrigin(t *testing.T) {
	for in, want := range map[string]Origin{
		`"podName":"p","namespace_name":"n","container":"c","hostname":"h","_SYSTEMD_UNIT":"kubelet.service","stream":"stderr"`: {
			Pod: "p", Namespace: "n", Container: "c", Host: "h", Unit: "kubelet", Stream: "stderr"},
		`"SYSLOG_IDENTIFIER":"i","_SYSTEMD_UNIT":"u.service"`: {Unit: "i"},
		`"container":"c","category":"x"`:                      {Container: "c"},
		`"stream":"stdout"`:                                   {Stream: "stdout"},
		`"stream":"x"`:                                        {},
		`"sourceLocation":{"file":"pkg/a.go","line":"12","function":"f"}`: {File: "a.go"},
		`"x":{"file":"pkg/a.go"}`:                                      {},
		`"pod":{"name":"p"},"container":{"name":"c"},"x":{"name":"y"}`: {Pod: "p", Container: "c"},
		`"kubernetes.pod.name":"p","x.name":"y"`:                       {Pod: "p"},
		`"pod":"outer","x":{"pod":"inner"}`:                            {Pod: "inner"},
		`"source":{"host":"h"}`:                                        {},
	} {
		entries, _ := walkAll(`{"log":"m",`+in+`}`, 1<<20)
		if len(entries) != 1 || entries[0].From != want || entries[0].Event != nil {
			t.Errorf("%s: %+v", in, entries)
		}
	}
}

// TestEventMembers has what an exporter may leave out of an Event, or say twice.
func TestEventMembers(t *testing.T) {
	const first, other = `"2026-03-14T09:26:53Z"`, `"2026-03-14T09:26:54Z"`
	at := func(second int) time.Time { return time.Date(2026, 3, 14, 9, 26, second, 0, time.UTC) }
	for in, want := range map[string]Event{
		`"firstTimestamp":` + first + `,"eventTime":` + other:    {First: at(53)},
		`"eventTime":` + other + `,"firstTimestamp":` + first:    {First: at(53)},
		`"eventTime":` + other + `,"firstTimestamp":null`:        {First: at(54)},
		`"eventTime":` + other + `,"firstTimestamp":"x"`:         {First: at(54)},
		`"lastTimestamp":` + first:                               {Last: at(53)},
		`"count":0`:                                              {},
		`"count":1`:                                              {Count: 1},
		`"count":-1`:                                             {},
		`"reportingComponent":"c","source":{"component":"d"}`:    {Component: "c"},
		`"reportingComponent":"c","reportingController":"d"`:     {Component: "c"},
		`"source":{"component":"d","host":"h"}`:                  {Component: "d", Host: "h"},
		`"regarding":{"kind":"Pod","namespace":"n","other":"x"}`: {Kind: "Pod", Namespace: "n"},
		`"namespace":"ours"`:                                     {Namespace: "ours"},
		`"namespace":"ours","regarding":{"namespace":"its"}`:     {Namespace: "its"},
	} {
		want.Reason, want.Name = "r", "p"
		entries, _ := walkAll(`{"message":"m","reason":"r","involvedObject":"p",`+in+`}`, 1<<20)
		if len(entries) != 1 || entries[0].Event == nil || *entries[0].Event != want {
			t.Errorf("%s: %+v, want %+v", in, entries, want)
		}
	}
	if entries, _ := walkAll(`{"message":"m","involvedObject":{"name":"p"}}`, 1<<20); len(entries) != 1 || entries[0].Event != nil {
		t.Errorf("without a reason: %+v", entries)
	}
}

// TestPrefer: of several members, the one that its reader knows is the message, whatever its rank; of one, that one.
func TestPrefer(t *testing.T) {
	for in, want := range map[string]string{
		`{"log":"a","message":"!m"}`:    "!m",
		`{"log":"a","message":"m"}`:     "a",
		`{"log":"a"}`:                   "a",
		`{"log":"a"`:                    "a",
		`{"log":"a\"","message":"!\""}`: `!"`,
	} {
		r := Reader{Prefer: func(text []byte) bool { return text[0] == '!' }}
		r.Document(1, []byte(in), nil)
		if len(r.Entries) != 1 || string(r.Entries[0].Text) != want {
			t.Errorf("%s: %+v", in, r.Entries)
		}
	}
}

func TestTable(t *testing.T) {
	table := NewTable([]byte("TimeGenerated [UTC],Category,Message,PodName\r"))
	if table == nil {
		t.Fatal("no table")
	}
	if _, ok := table.Row([]byte(`"3/14/2026, 9:26:53.841 AM",c,"say ""x""`), 2); ok {
		t.Error("a row inside quotes is whole")
	}
	e, ok := table.Row([]byte("more\",p\r"), 3)
	if !ok || string(e.Text) != "say \"x\"\nmore" || string(e.Raw) != `say ""x""` || e.Line != 2 || e.From.Pod != "p" ||
		e.Time.Format("15:04:05.000") != "09:26:53.841" {
		t.Errorf("%+v", e)
	}
	for _, title := range []string{"a,b,c", "Message", "time,level", "_raw,_indextime", "Date,Host,Service", `{"log":"x","time":"y"}`, "[a,log,time,b]", "I0314, a message, a time",
		"{,log,time", `log,time,"a`, "log,time," + strings.Repeat("x", 8<<10), strings.Repeat("x,", maxKey) + "log,time"} {
		if NewTable([]byte(title)) != nil {
			t.Errorf("%q is taken for titles", title)
		}
	}
	for _, title := range []string{",log,time", `log,time,"a"`, `"_time",host,source,"_raw"`, "_messagetime,_raw", "Date,Host,Service,Message", "Date,Line", "log,time," + strings.Repeat("x", 8<<10-len("log,time,")),
		strings.Repeat("x,", maxKey-2) + "log,time"} {
		if NewTable([]byte(title)) == nil {
			t.Errorf("%q are no titles", title)
		}
	}
}

// TestTableRows reads tables of titles and rows, the first of them on line 2; raw is what is quoted.
func TestTableRows(t *testing.T) {
	long := strings.Repeat("x", MaxMessage)
	for _, c := range []struct {
		rows, text, raw string
		line            int
		lost            int64
	}{
		{"2026-03-14T09:26:53Z,m,p", "m", "m", 2, 0},
		{"2026-03-14T09:26:53Z,m", "m", "m", 2, 0},
		{"2026-03-14T09:26:53Z,m,p,more", "m", "m", 2, 0},
		{"\"2026-03-14T09:26:53Z\n\",m,p", "m", "m", 3, 0},
		{"x,\"\"\"m\"\"\",p", `"m"`, `""m""`, 2, 0},
		{"x,say \"m\" now,p", `say "m" now`, `say "m" now`, 2, 0},
		{`x,"a ""b"" "c" d",p`, `a "b" "c" d`, `x,"a ""b"" "c" d",p`, 2, 0},
		{"\"x\n\",\"a \"\"b\"\" \"c\" d\",p", `a "b" "c" d`, `","a ""b"" "c" d",p`, 3, 0},
		{"x," + long, long[3:], long[3:], 2, 3},
		{"x,,p", "", "", 0, 0},
		{"x", "", "", 0, 0},
	} {
		table := NewTable([]byte("time,log,pod"))
		var e Entry
		for i, line := range strings.Split(c.rows, "\n") {
			e, _ = table.Row([]byte(line), 2+i)
		}
		if string(e.Text) != c.text || string(e.Raw) != c.raw || e.Line != c.line || e.Lost != c.lost {
			t.Errorf("%.80q: line %d, %.80q, %.80q, lost %d", c.rows, e.Line, e.Text, e.Raw, e.Lost)
		}
	}
	// A message of several columns is the surest, and what a row lost is not missing in the next.
	table := NewTable([]byte("time,message,log"))
	if e, _ := table.Row([]byte("x,a,"+long), 2); string(e.Text) != long[5:] || e.Lost != 5 {
		t.Errorf("%.80q, lost %d", e.Text, e.Lost)
	}
	if e, ok := table.Row([]byte("x,a,b"), 3); !ok || string(e.Text) != "b" || e.Lost != 0 || e.Line != 3 {
		t.Errorf("%+v", e)
	}
}

func TestParseTime(t *testing.T) {
	const want = "2026-03-14T09:26:53"
	for _, s := range []string{"2026-03-14T09:26:53Z", "2026-03-14T17:26:53+08:00", "2026-03-14T17:26:53+0800", "2026-03-14 09:26:53.000",
		"2026-03-14 09:26:53.000 UTC",
		"3/14/2026, 9:26:53.000 AM", "1773480413", "1773480413.5", "1773480413000", "1773480413000000", "1773480413000000000"} {
		if got := ParseTime(s).Format("2006-01-02T15:04:05"); got != want {
			t.Errorf("%s: %s", s, got)
		}
	}
	for _, s := range []string{"", "x", "12", "99999999999", "Mar 14, 2026 @ 17:26:53.841", "2026-03-14 17:26:53.000 CST", "0001-01-01T00:00:00Z", "NaN", "Inf", "1e400",
		"-1773480413", "1000000000", "10000000000", "99999999999999", "99999999999999999", "9100000000000000000", "1.5e15", "1.5e18",
		"1000000000000", "10000000000000", "1000000000000000", "10000000000000000", "1000000000000000000", "9000000000000000000",
		"2000-12-31T00:00:00Z", "2200-01-01T00:00:00Z"} {
		if got := ParseTime(s); !got.IsZero() {
			t.Errorf("%s: %v", s, got)
		}
	}
	for s, want := range map[string]int{"1773480413841400123": 841400123, "1773480413.5": 5e8, "1773480413841.5": 841500000, "1773480413": 0} {
		if got := ParseTime(s).Nanosecond(); got != want {
			t.Errorf("%s: %d nanoseconds", s, got)
		}
	}
	for s, year := range map[string]int{"2001-01-01T00:00:00Z": 2001, "2199-12-31T00:00:00Z": 2199} {
		if got := ParseTime(s).Year(); got != year {
			t.Errorf("%s: %d", s, got)
		}
	}
}

func TestBounds(t *testing.T) {
	entries, broken := walkAll(`{"message":"`+strings.Repeat("x", 3*MaxMessage)+`"}`, 4096)
	if len(entries) != 1 || len(entries[0].Raw) != MaxMessage || entries[0].Lost != 2*MaxMessage || broken {
		t.Errorf("%d entries", len(entries))
	}
	for name, text := range map[string]string{"nesting": strings.Repeat("[", 1000), "a number": `{"a":` + strings.Repeat("1", 9*MaxMessage),
		"a string": `{"a":"` + strings.Repeat("1", 9*MaxMessage)} {
		if _, broken = walkAll(text, 1<<16); !broken {
			t.Errorf("%s without bound", name)
		}
	}
	for n, want := range map[int]bool{maxDepth: false, maxDepth + 1: true} {
		if _, broken = walkAll(strings.Repeat("[", n)+strings.Repeat("]", n), 1<<16); broken != want {
			t.Errorf("nesting of %d: %v", n, broken)
		}
	}
	// A document as a whole has no bound, and of its names so many are kept, each cut.
	var many strings.Builder
	many.WriteByte('{')
	for i := range 2 * maxKey {
		fmt.Fprintf(&many, `"%d%s":"%s",`, i, strings.Repeat("k", maxKey), strings.Repeat("x", maxValue/maxKey))
	}
	var r Reader
	if _, broken = r.Document(1, []byte(many.String()+`"log":"m"}`), nil); broken || len(r.Entries) != 1 || len(r.names) != maxKey {
		t.Errorf("%v, %d entries, %d names", broken, len(r.Entries), len(r.names))
	}
	for name := range r.names {
		if len(name) > maxKey {
			t.Errorf("a name of %d bytes is kept", len(name))
		}
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(`{"events":[{"timestamp":1773480413841,"message":"m\u00e9"}]}`, 3)
	f.Add(`[[{"field":"@message","value":"m"}],{"values":[["1","m"]]},{"columns":[{"name":"log"}],"rows":[["x"]]}]`, 1)
	f.Add(`{"MESSAGE":[1,2,300],"involvedObject":{"name":"x"},"reason":"r","log":"a`, 5)
	f.Add(`{"a":tru,"b":-1e5,"log":"\`, 100)
	f.Add(`{"MESSAGE""00000`, 5)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < 1 {
			return
		}
		whole, _ := walkAll(text, len(text)+1)
		pieces, _ := walkAll(text, size)
		if fmt.Sprintf("%+v", describe(whole)) != fmt.Sprintf("%+v", describe(pieces)) {
			t.Fatalf("in pieces %+v, whole %+v", describe(pieces), describe(whole))
		}
		for _, e := range whole {
			if !strings.Contains(text, string(e.Raw)) || e.Line < 1 || e.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%+v", e)
			}
		}
	})
}

func describe(list []Entry) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "%d %q %q %v %+v %+v\n", e.Line, e.Raw, e.Text, e.Time, e.From, e.Event)
	}
	return b.String()
}

func FuzzTable(f *testing.F) {
	f.Add("time,Message\n2026-03-14T09:26:53Z,\"a \"\"b\"\"\nc\"\n1,2,3,4\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		table := NewTable([]byte(lines[0]))
		if table == nil {
			return
		}
		for i, l := range lines[1:] {
			if e, ok := table.Row([]byte(l), i+2); ok && !strings.Contains(text, string(e.Raw)) {
				t.Fatalf("raw %q", e.Raw)
			}
		}
	})
}
