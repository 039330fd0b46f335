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
		{"no hash at its end", `{"logStream":"a-934e06efeb2e9416b02fa19f9a2d177x","log":"m"}`,
			"m 00:00:00 a-934e06efeb2e9416b02fa19f9a2d177x"},
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
	for _, title := range []string{"a,b,c", "Message", "time,level", `{"log":"x","time":"y"}`, "[a,log,time,b]", "I0314, a message, a time"} {
		if NewTable([]byte(title)) != nil {
			t.Errorf("%q is taken for titles", title)
		}
	}
}

func TestParseTime(t *testing.T) {
	const want = "2026-03-14T09:26:53"
	for _, s := range []string{"2026-03-14T09:26:53Z", "2026-03-14T17:26:53+08:00", "2026-03-14T17:26:53+0800", "2026-03-14 09:26:53.000",
		"3/14/2026, 9:26:53.000 AM", "1773480413", "1773480413.5", "1773480413000", "1773480413000000", "1773480413000000000"} {
		if got := ParseTime(s).Format("2006-01-02T15:04:05"); got != want {
			t.Errorf("%s: %s", s, got)
		}
	}
	for _, s := range []string{"", "x", "12", "99999999999", "Mar 14, 2026 @ 17:26:53.841", "0001-01-01T00:00:00Z", "NaN", "Inf", "1e400",
		"-1773480413"} {
		if got := ParseTime(s); !got.IsZero() {
			t.Errorf("%s: %v", s, got)
		}
	}
	if got := ParseTime("1773480413841400123").Nanosecond(); got != 841400123 {
		t.Errorf("%d nanoseconds", got)
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
