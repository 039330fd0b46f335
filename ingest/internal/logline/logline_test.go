package logline

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/samples/recordings"
)

// scanned is a record with what its head tells beside it.
type scanned struct {
	Record
	File       string
	From       *envelope.Origin
	JSON, Bare bool
}

// record is the current record.
func (s *Scanner) record() (r scanned) {
	h := s.Head()
	r.File, r.From, r.JSON, r.Bare = string(h.File), h.From, h.JSON, h.Bare
	s.ReadRecord(&r.Record)
	return r
}

// scanAll reads every record of a text.
func scanAll(text string) ([]scanned, Stats) {
	s := NewScanner(strings.NewReader(text))
	var out []scanned
	for range s.Records {
		out = append(out, s.record())
	}
	return out, s.Stats()
}

// TestLeave: who has seen enough is given nothing more, wherever the scanner is.
func TestLeave(t *testing.T) {
	for _, text := range []string{strings.Repeat(klogLine+"\n", 200), klogLine + klogLine + klogLine,
		`{"events":[{"message":"` + klogLine + `"},{"message":"` + klogLine + `"},` + "\n" + `{"message":"` + klogLine + `"}]}`} {
		s := NewScanner(strings.NewReader(text))
		s.Skip(skipByLetter, func(*Stretch) bool { return true })
		for range s.Records {
			break
		}
		s.Close()
	}
}

func TestHeaders(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v.UTC()
	}
	for _, c := range []struct {
		name, in      string
		ok            bool
		time          string
		floating      bool
		file, message string
	}{
		{"padded thread", `I0315 10:22:33.123456       1 reconciler.go:388] hello`, true, "0000-03-15T10:22:33.123456Z", true, "reconciler.go",
			"hello"},
		{"one blank", `W0122 20:26:52.501003 1 file.go:7] hi`, true, "0000-01-22T20:26:52.501003Z", true, "file.go", "hi"},
		{"no thread", `E0122 20:26:52.501003 file.go:7] hi`, true, "0000-01-22T20:26:52.501003Z", true, "file.go", "hi"},
		{"directory", `I0122 20:26:52.501003  12345 pkg/file.go:7] hi`, true, "0000-01-22T20:26:52.501003Z", true, "file.go", "hi"},
		{"leap day", `I0229 20:26:52.501003  12345 file.go:7] hi`, true, "0000-02-29T20:26:52.501003Z", true, "file.go", "hi"},
		{"no line number", `I0122 20:26:52.501003 1 file.go] hi`, false, "", false, "", ""},
		{"month 13", `I1322 20:26:52.501003 1 file.go:1] hi`, false, "", false, "", ""},
		{"a word", `Info: something is 12:33:33.12 here:7] hi`, false, "", false, "", ""},
		{"cri", `2026-03-14T09:26:53.841400123Z stderr F W0314 09:26:53.841223       1 a.go:344] hi`, true, "2026-03-14T09:26:53.841223Z", false,
			"a.go", "hi"},
		{"cri tags", `2026-03-14T09:26:53.841400123+00:00 stderr F:x W0314 09:26:53.841223       1 a.go:344] hi`, true,
			"2026-03-14T09:26:53.841223Z", false, "a.go", "hi"},
		{"timestamps", `2026-11-21T06:05:21.706455232Z I1121 06:05:21.704621   27999 flags.go:64] FLAG: --v="4"`, true,
			"2026-11-21T06:05:21.704621Z", false, "flags.go", `FLAG: --v="4"`},
		{"wrapper elsewhere", `2026-03-14T17:33:01.112400456+08:00 I0314 09:33:01.112233       1 a.go:238] x`, true,
			"2026-03-14T09:33:01.112233Z", false, "a.go", "x"},
		{"header elsewhere", `2026-03-14T09:33:01.112400456Z I0314 15:03:01.112233       1 a.go:238] x`, true, "2026-03-14T09:33:01.112233Z",
			false, "a.go", "x"},
		{"new year by wrapper", `2026-12-31T23:33:01.1Z I0101 00:33:01.012233       1 a.go:238] x`, true, "2026-12-31T23:33:01.012233Z", false,
			"a.go", "x"},
		{"old year by wrapper", `2027-01-01T00:00:00.01Z I1231 23:59:59.999233       1 a.go:238] x`, true, "2026-12-31T23:59:59.999233Z", false,
			"a.go", "x"},
		{"docker", `{"log":"W0314 09:26:53.841223       1 r.go:344] say \"x\" ` +
			`\u003c\n","stream":"stderr","time":"2026-03-14T09:26:53.841400123Z"}`, true, "2026-03-14T09:26:53.841223Z", false, "r.go", `say "x" <`},
		{"json 1.30", `{"ts":1773480413841.2231,"logger":"l","caller":"reconciler/reconciler.go:398","msg":"a \"b\"","v":0,"k":["x"]}`, true,
			"2026-03-14T09:26:53.841223Z", false, "reconciler.go", `a "b"`},
		{"json error", `{"ts":1773480413841.2231,"caller":"reconciler.go:398","msg":"a\n","err":"x"}`, true, "2026-03-14T09:26:53.841223Z", false,
			"reconciler.go", `a`},
		{"json 1.19", `{"ts":1773480413841.2231,"msg":"a","v":0}`, true, "2026-03-14T09:26:53.841223Z", false, "", `a`},
		{"zap of others", `{"level":"info","ts":1773480413.8,"caller":"a.go:3","msg":"a"}`, false, "", false, "", ""},
		{"zap with ts first", `{"ts":1773480413.8,"level":"info","msg":"a"}`, false, "", false, "", ""},
		{"byte order mark", "\ufeffI0122 20:26:52.501003 1 file.go:7] hi", true, "0000-01-22T20:26:52.501003Z", true, "file.go", "hi"},
		{"crlf", "I0122 20:26:52.501003 1 file.go:7] hi\r", true, "0000-01-22T20:26:52.501003Z", true, "file.go", "hi"},
	} {
		got, _ := scanAll(c.in + "\n")
		if (len(got) == 1) != c.ok {
			t.Errorf("%s: %d records", c.name, len(got))
			continue
		}
		if !c.ok {
			continue
		}
		r := got[0]
		if !r.Time.Equal(at(c.time)) || r.Floating != c.floating || r.File != c.file || r.Message != c.message {
			t.Errorf("%s: %v %v %s %q", c.name, r.Time, r.Floating, r.File, r.Message)
		}
	}
}

func TestStructured(t *testing.T) {
	const h = "I0315 10:22:33.123456       1 r.go:1] "
	for _, c := range []struct {
		name, in, message string
		kv                []Pair
	}{
		{"quoted", `"m" k="v" n="a \"b\""`, "m", []Pair{{"k", "v"}, {"n", `a "b"`}}},
		{"list", `"m" pods=[a/b c/d] x=1`, "m", []Pair{{"pods", "[a/b c/d]"}, {"x", "1"}}},
		{"json list", `"m" pods=["a/b","c/d"] x=[]`, "m", []Pair{{"pods", `["a/b","c/d"]`}, {"x", "[]"}}},
		{"quoted list", `"m" pods="[a/b]" x=true`, "m", []Pair{{"pods", "[a/b]"}, {"x", "true"}}},
		{"json with brackets in strings", `"m" v={"a":"}] k=\"z","b":[{}]} k="w"`, "m", []Pair{{"v", `{"a":"}] k=\"z","b":[{}]}`}, {"k", "w"}}},
		{"go struct", `"m" v={VolumeToAttach:{A:false B:kubernetes.io/csi/d^h C:[&Pod{M:{n  ns map[a:b c="d"]}}]}} k="w"`, "m",
			[]Pair{{"v", `{VolumeToAttach:{A:false B:kubernetes.io/csi/d^h C:[&Pod{M:{n  ns map[a:b c="d"]}}]}}`}, {"k", "w"}}},
		{"bare with blanks", `"m" volumeName=kubernetes.io/vsphere-volume/[ds one] kube vols/x.vmdk nodeName="n"`, "m",
			[]Pair{{"volumeName", "kubernetes.io/vsphere-volume/[ds one] kube vols/x.vmdk"}, {"nodeName", "n"}}},
		{"block", "\"m\" err=<\n\tone\n\ttwo k=\"v\"\n > node=\"n\"", "m", []Pair{{"err", "one\ntwo k=\"v\""}, {"node", "n"}}},
		{"printf with a quoted word first", `"csi-1" is already attached`, `"csi-1" is already attached`, nil},
		{"printf", `FLAG: --v="4"`, `FLAG: --v="4"`, nil},
		{"cut value", `"m" k="v`, "m", []Pair{{"k", "v"}}},
	} {
		got, _ := scanAll(h + c.in + "\n" + h + "x\n")
		if len(got) != 2 {
			t.Errorf("%s: %d records", c.name, len(got))
			continue
		}
		r := got[0]
		if r.Message != c.message || len(r.KV) != len(c.kv) {
			t.Errorf("%s: %q %q", c.name, r.Message, r.KV)
			continue
		}
		for i := range c.kv {
			if r.KV[i] != c.kv[i] {
				t.Errorf("%s: pair %d is %q, want %q", c.name, i, r.KV[i], c.kv[i])
			}
		}
		if r.Raw != h+c.in {
			t.Errorf("%s: raw %q", c.name, r.Raw)
		}
	}
}

func TestContinuation(t *testing.T) {
	text := "truncated line\nI0315 10:22:33.123456       1 a.go:1] one\n  more\n\nI0315 10:22:34.123456       1 a.go:1] two"
	got, st := scanAll(text)
	if len(got) != 2 || got[0].Message != "one\n  more" || got[0].Line != 2 || got[1].Line != 5 || st.Orphans != 1 {
		t.Errorf("%+v %+v", got, st)
	}
	// Prose between lines is no part of them, inside a wrapper a blank line is.
	got, st = scanAll("  I0315 10:22:33.123456 1 a.go:1] one\n\nSix minutes later:\n\n  I0315 10:22:34.123456 1 a.go:1] two\n")
	if len(got) != 2 || got[0].Message != "one" || got[0].Raw != "  I0315 10:22:33.123456 1 a.go:1] one" || st.Orphans != 1 ||
		st.Indented != 2 {
		t.Errorf("%+v %+v", got, st)
	}
	got, st = scanAll("```\nI0315 10:22:33.123456 1 a.go:1] one\n```\nprose\nI0315 10:22:34.123456 1 a.go:1] two\n  more\n")
	if len(got) != 2 || got[0].Message != "one" || got[1].Message != "two\n  more" || st.Orphans != 3 {
		t.Errorf("%+v %+v", got, st)
	}
	got, _ = scanAll("2026-03-14T09:26:53.8Z I0314 09:26:53.841223       1 a.go:1] one\n2026-03-14T09:26:53.8Z \n2026-03-14T09:26:53.8Z   " +
		"more\n")
	if len(got) != 1 || got[0].Message != "one\n\n  more" {
		t.Errorf("%+v", got)
	}
}

func TestPartialLines(t *testing.T) {
	text := "2026-03-14T09:26:53.8Z stderr P I0314 09:26:53.841223       1 a.go:1] \"m\" k=\"one \n" +
		"2026-03-14T09:26:53.9Z stderr P I0314 09:26:53.8 \n" +
		"2026-03-14T09:26:53.9Z stderr F two\" n=\"x\"\n" +
		"2026-03-14T09:26:54.8Z stderr F I0314 09:26:54.741223       1 a.go:1] next\n"
	got, _ := scanAll(text)
	if len(got) != 2 || got[0].Get("k") != "one I0314 09:26:53.8 two" || got[0].Get("n") != "x" || strings.Count(got[0].Raw, "\n") != 2 {
		t.Errorf("%+v", got)
	}
}

func TestNewYearFloats(t *testing.T) {
	got, _ := scanAll("I1231 23:59:59.000000 1 a.go:1] a\nI0101 00:00:01.000000 1 a.go:1] b\nI1231 23:59:59.500000 1 a.go:1] c\nI0101 " +
		"00:00:02.000000 1 a.go:1] d\n")
	want := []int{0, 1, 0, 1}
	for i, r := range got {
		if r.Time.Year() != want[i] {
			t.Errorf("record %d in year %d", i, r.Time.Year())
		}
	}
}

func TestBounds(t *testing.T) {
	h := "I0315 10:22:33.123456       1 a.go:1] "
	got, st := scanAll(h + strings.Repeat("x", 3*MaxRecord) + "\n" + h + "next\n")
	if len(got) != 2 || len(got[0].Raw) != MaxRecord || got[1].Message != "next" || st.TooLong != 1 || st.Dropped == 0 {
		t.Errorf("%d records, %+v", len(got), st)
	}
	got, st = scanAll(h + "first\n" + strings.Repeat("more\n", 2*MaxRecord/5) + h + "next\n")
	if len(got) != 2 || len(got[0].Raw) > MaxRecord || st.TooLong != 1 {
		t.Errorf("%d records, %+v", len(got), st)
	}
	got, _ = scanAll(h + strings.Repeat("x", 2*MaxRecord) + "\nmore\n")
	if len(got) != 1 || strings.Contains(got[0].Raw, "more") {
		t.Error("a record is not one piece of its file")
	}
	got, st = scanAll(strings.Repeat("\x00\xff\x07 noise\n", 1<<20))
	if len(got) != 0 || !st.NotALog || st.Bytes != 10<<20 {
		t.Errorf("%d records, %+v", len(got), st)
	}
}

func TestZoneOffset(t *testing.T) {
	_, st := scanAll("2026-03-14T09:33:01.1Z I0314 15:03:01.112233       1 a.go:238] x\n")
	if st.ZoneOffset == nil || *st.ZoneOffset != 5*time.Hour+30*time.Minute {
		t.Errorf("%v", st.ZoneOffset)
	}
}

func FuzzLogline(f *testing.F) {
	f.Add("2026-03-14T09:26:53.8Z stderr P I0314 09:26:53.841223       1 a.go:1] \"m\" k=<\n\tx\n >\n")
	f.Add(`{"log":"W0314 09:26:53.841223       1 r.go:344] \ud83d\ude00 x\n","time":"2026-03-14T09:26:53.841400123Z"}`)
	f.Add(`{"ts":1773480413841.2231,"logger":"l","caller":"r/r.go:398","msg":"a","v":0,"k":{"a":[1,"}"]}}`)
	f.Add(`{"ts":1773480413841.2231,"msg":"a","k":,"v":0}`)
	f.Add("I0315 10:22:33.123456       1 a.go:1] \"m\" v={A:{b c [d]} pods=[a b]\nI0101 00:00:00.000000 a.go:1]")
	for _, seed := range []string{
		"{\n \"events\": [\n  {\"logStreamName\": \"kube-controller-manager-934e06efeb2e9416b02fa19f9a2d1774\", \"timestamp\": 1773480413841, " +
			"\"message\": \"W0314 09:26:53.841223 1 r.go:344] x\"}\n ]}\n",
		`{"results":[[{"field":"@timestamp","value":"2026-03-14 09:26:53.841"},{"field":"@message","value":"W0314 09:26:53.841223 1 r.go:344] ` +
			`\"x\""}]]}`,
		`{"data":{"result":[{"stream":{"pod":"p"},"values":[["1773480413841400123","{\"log\":\"W0314 09:26:53.841223 1 r.go:344] ` +
			`x\\n\",\"stream\":\"stderr\"}"]]}]}}`,
		`{"tables":[{"columns":[{"name":"TimeGenerated"},{"name":"log_s"}],"rows":[["2026-03-14T09:26:53Z","W0314 09:26:53.841223 1 r.go:344] ` +
			`x\nmore"]]}]}`,
		`{"__REALTIME_TIMESTAMP":"1773480413841500","_HOSTNAME":"s","MESSAGE":[87,48,51,49,52]}` + "\n",
		"time,Message\n2026-03-14T09:26:53Z,\"W0314 09:26:53.841223 1 r.go:344] \"\"x\"\"\nmore\"\n",
		"2026-03-14T09:26:53+00:00\tkube.x\t{\"message\":\"W0314 09:26:53.841223 1 r.go:344] x\"}\n",
		"-- Logs begin at Sat 2026-03-07 00:00:01 UTC, end at Sat 2026-03-14 17:40:00 UTC. --\nMar 14 17:26:53 h k3s[1]: W0314 17:26:53.841223 " +
			"1 r.go:344] x\nMar 14 17:26:54 h k3s[1]: time=\"2026-03-14T17:26:54+08:00\" level=info msg=\"y\" file=\"a.go:1\"\n",
		"\x1b[36mp\x1b[0m c W0314 09:26:53.841223 1 r.go:344] x\nn/p[c]: W0314 09:26:53.841223 1 r.go:344] x\n[pod/p/c] W0314 09:26:53.841223 " +
			"1 r.go:344] x\nlogs/a.log:2026-03-14T09:26:53Z stderr F W0314 09:26:53.841223 1 r.go:344] x\n",
		"I0807 08:47:19.594] Aug  7 08:47:18.762: INFO: At 2020-08-07 08:30:36 +0000 UTC - event for p: {kubelet n} FailedMapVolume: x\n",
		"W0811 04:01:25.024422 1 r.go:328] xI0811 04:01:25.024480 1 e.go:209] y\n",
		"2026-03-14T09:26:53Z stderr P W0314 09:26:53.841223 1 r.go:344] x\n2026-03-14T09:26:53Z stdout F y\n2026-03-14T09:26:53Z stderr F z\n",
		`{"level":"debug","msg":"Multi-Attach","namespace":"n","reason":"FailedAttachVolume","involvedObject":"p",` +
			`"time":"2021-02-04T05:04:43Z","message":"Received event"}`,
		"level=info ts=2026-03-14T09:26:53.77Z component=api msg=\"attaching volume\" volume-id=1\nlevel=info ts=2026-03-14 component= msg=\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewScanner(strings.NewReader(text))
		s.Known = func(_ *envelope.Origin, _, text []byte) bool { return strings.HasPrefix(string(text), "x") }
		lines := strings.Split(text, "\n")
		for range s.Records {
			h := s.Head()
			r := s.record()
			if r.Line != h.Line || r.Line < 1 || r.Line > len(lines) {
				t.Fatalf("line %d of %d, head says %d", r.Line, len(lines), h.Line)
			}
			if !strings.Contains(text, r.Raw) {
				t.Fatalf("raw %q is not in the text", r.Raw)
			}
			if first, _, _ := strings.Cut(r.Raw, "\n"); !strings.Contains(lines[r.Line-1], strings.TrimRight(first, "\r")) {
				t.Fatalf("raw %q is not on line %d", r.Raw, r.Line)
			}
		}
		if n := s.Stats().Bytes; n != int64(len(text)) {
			t.Fatalf("%d bytes counted of %d", n, len(text))
		}
	})
}

func BenchmarkScan(b *testing.B) {
	bundle, err := recordings.Bundle("force-delete-verbose")
	if err != nil {
		b.Fatal(err)
	}
	paths, _ := fs.Glob(bundle, "*/namespaces/openshift-kube-controller-manager/pods/*/kube-controller-manager/kube-controller-manager/logs/current.log")
	if len(paths) == 0 {
		b.Fatal("no log of a controller")
	}
	data, err := fs.ReadFile(bundle, paths[0])
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewScanner(strings.NewReader(string(data)))
		for range s.Records {
			_ = s.Head()
		}
	}
}
