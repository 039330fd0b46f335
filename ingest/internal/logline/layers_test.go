package logline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

const klogLine = `W0314 09:26:53.841223       1 r.go:344] hi`

func TestLayers(t *testing.T) {
	const absolute, floats = "2026-03-14T09:26:53.841223Z", "0000-03-14T09:26:53.841223Z"
	for _, c := range []struct {
		name, in string
		time     string
		from     envelope.Origin
	}{
		{"kubectl --prefix", "[pod/p/c] " + klogLine, floats, envelope.Origin{Pod: "p", Container: "c"}},
		{"kubectl --prefix --timestamps", "[pod/p/c] 2026-03-14T09:26:53.9Z " + klogLine, absolute, envelope.Origin{Pod: "p", Container: "c"}},
		{"kubectl --prefix over docker", `[pod/p/c] {"log":"` + klogLine + `\n","stream":"stderr","time":"2026-03-14T09:26:53.9Z"}`, absolute,
			envelope.Origin{Pod: "p", Container: "c"}},
		{"kubectl --prefix over a service's entry", `[pod/p/c] {"message":"` + klogLine + `","timestamp":"2026-03-14T09:26:53.9Z"}`, absolute,
			envelope.Origin{Pod: "p", Container: "c"}},
		{"kubetail", "[p-0 c] " + klogLine, floats, envelope.Origin{Pod: "p-0", Container: "c"}},
		{"kubetail of one container", "[p-0] " + klogLine, floats, envelope.Origin{Pod: "p-0"}},
		{"stern", "p c " + klogLine, floats, envelope.Origin{Pod: "p", Container: "c"}},
		{"stern of all namespaces", "n p c " + klogLine, floats, envelope.Origin{Namespace: "n", Pod: "p", Container: "c"}},
		{"stern in colour", "\x1b[38;5;2mp\x1b[0m \x1b[1mc\x1b[0m 2026-03-14T09:26:53.9Z " + klogLine, absolute,
			envelope.Origin{Pod: "p", Container: "c"}},
		{"kail", "n/p[c]: " + klogLine, floats, envelope.Origin{Namespace: "n", Pod: "p", Container: "c"}},
		{"grep", "logs/a-1/b.log:2026-03-14T05:26:53.9-04:00 " + klogLine, absolute, envelope.Origin{}},
		{"grep over cri", "b.log:2026-03-14T05:26:53.9-04:00 stderr F " + klogLine, absolute, envelope.Origin{}},
		{"journald", "Mar 14 09:26:53 h k3s[89]: " + klogLine, floats, envelope.Origin{Host: "h", Unit: "k3s"}},
		{"journald without pid", "Mar  4 09:26:53 h kubelet: " + klogLine, floats, envelope.Origin{Host: "h", Unit: "kubelet"}},
		{"journald, other unit", "Mar 14 09:26:53.001122 h.lan atomic-openshift-master-controllers[3]: " + klogLine, floats,
			envelope.Origin{Host: "h.lan", Unit: "atomic-openshift-master-controllers"}},
		{"journald with its first letters lost", "ar 14 09:26:53 h kubelet[89]: " + klogLine, floats, envelope.Origin{}},
		{"journald iso", "2026-03-14T10:26:53+0100 h kubelet[89]: " + klogLine, absolute, envelope.Origin{Host: "h", Unit: "kubelet"}},
		{"rsyslog", "2026-03-14T10:26:53.9+01:00 h kubelet: " + klogLine, absolute, envelope.Origin{Host: "h", Unit: "kubelet"}},
		{"journald unix", "1773480413.900000 h kubelet[89]: " + klogLine, absolute, envelope.Origin{Host: "h", Unit: "kubelet"}},
		{"aws logs tail", "2026-03-14T09:26:53.841000+00:00 kube-controller-manager-934e06efeb2e9416b02fa19f9a2d1774 " + klogLine, absolute,
			envelope.Origin{Container: "kube-controller-manager"}},
		{"grafana text", "2026-03-14T09:26:53.841Z\t" + klogLine, absolute, envelope.Origin{}},
		{"prow", "I0807 08:47:19.594] " + klogLine, floats, envelope.Origin{}},
		{"stern json", `{"message":"` + klogLine + `","namespace":"n","podName":"p","containerName":"c"}`, floats,
			envelope.Origin{Namespace: "n", Pod: "p", Container: "c"}},
		{"three layers", `[pod/p/c] 2026-03-14T09:26:54Z {"log":"2026-03-14T09:26:53.9Z stderr F ` + klogLine + `\n","stream":"stderr"}`,
			absolute, envelope.Origin{Pod: "p", Container: "c"}},
	} {
		got, st := scanAll(c.in + "\n")
		if len(got) != 1 {
			t.Errorf("%s: %d records, %+v", c.name, len(got), st)
			continue
		}
		r := got[0]
		var from envelope.Origin
		if r.From != nil {
			from = *r.From
		}
		if r.Time.Format(time.RFC3339Nano) != c.time || r.Message != "hi" || r.File != "r.go" || from != c.from ||
			!strings.Contains(c.in, r.Raw) {
			t.Errorf("%s: %v %+v %+v", c.name, r.Time.Format(time.RFC3339Nano), r, from)
		}
	}
}

// What only looks like a prefix, and log lines that others quote, are no records.
func TestNoLayer(t *testing.T) {
	for _, in := range []string{
		`2026-11-21T06:12:35Z the controller said: ` + klogLine,
		`error from server: ` + klogLine + ` (exit 1)`,
		`{"level":"info","msg":"started","ts":"2026-03-14T09:26:53Z"}`,
		`{"message":"GET /healthz 200","pod":"p"}`,
		`[info] ` + klogLine[6:],
		`[p c d] ` + klogLine,
		`Mar 14 09:26:53 h sshd[1]: Accepted publickey for core`,
		`[{"a":[1,2,{"b":"c"}]}]`,
		`a,b,message` + "\n" + `1,2,hello`,
		`time,level,message` + "\n" + `2026-03-14T09:26:53Z,info,hello`,
	} {
		if got, _ := scanAll(in + "\n"); len(got) != 0 {
			t.Errorf("%q gives %+v", in, got)
		}
	}
}

// Blanks may stand before a header, and no marks.
func TestMarksBefore(t *testing.T) {
	for _, mark := range []string{"| ", "> ", "  ", "\t"} {
		if got, _ := scanAll(mark + "I0811 04:01:25.024480       1 a.go:1] m\n"); (len(got) == 1) != strings.HasPrefix(mark, " ") {
			t.Errorf("%q: %+v", mark, got)
		}
	}
}

// Where the first lines have lost a newline, later ones are looked at, too.
func TestGluedLater(t *testing.T) {
	const line = "I0811 04:01:25.024480       1 a.go:1] m"
	text := strings.Repeat(line+"\n", 2*maxGlueFree) + line + line + "\n"
	if got, _ := scanAll(line + line + "\n" + text); len(got) != 2+2*maxGlueFree+2 {
		t.Errorf("%d records", len(got))
	}
	if got, _ := scanAll(text); len(got) != 2*maxGlueFree+1 {
		t.Errorf("%d records without one", len(got))
	}
}

func TestOtherStreamBetweenPieces(t *testing.T) {
	text := "2026-03-14T09:26:53.8Z stderr P I0314 09:26:53.841223       1 a.go:1] one \n" +
		"2026-03-14T09:26:53.8Z stdout F I0314 09:26:53.841224       1 b.go:1] other\n" +
		"2026-03-14T09:26:53.9Z stderr F two\n" +
		"2026-03-14T09:26:54.8Z stderr F I0314 09:26:54.741223       1 a.go:1] next\n"
	got, _ := scanAll(text)
	if len(got) != 3 || got[0].Message != "one two" || got[1].Message != "other" || got[1].Line != 2 || got[2].Message != "next" {
		t.Errorf("%+v", got)
	}
	// The rest of the line never comes.
	got, _ = scanAll(strings.SplitAfter(text, "other\n")[0])
	if len(got) != 2 || got[1].Message != "other" {
		t.Errorf("%+v", got)
	}
}

func TestGlued(t *testing.T) {
	const a, b = `I0811 04:01:25.024480       1 a.go:1] it is "x" and another`, `I0811 04:01:26.024480       1 b.go:2] more`
	got, _ := scanAll(a + b + "\n")
	if len(got) != 2 || got[0].Raw != a || got[1].Raw != b || got[1].Line != 1 {
		t.Errorf("%+v", got)
	}
	// A header inside quotes is a part of the message.
	got, _ = scanAll(`I0811 04:01:25.024480       1 a.go:1] it said "` + b + `" and died` + "\n")
	if len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestWrapped(t *testing.T) {
	const begin = `Aug 24 11:52:10 h u[3]: E0824 11:52:10.198074   23519 n.go:267] Operation for "kubernetes-dynamic-`
	got, _ := scanAll(begin + "\npvc-1\" failed\nAug 24 11:52:11 h u[3]: E0824 11:52:11.198074   23519 n.go:267] next\nAug 24 11:52:12 h ato")
	if len(got) != 2 || got[0].Message != `Operation for "kubernetes-dynamic-pvc-1" failed` || got[1].Message != "next" {
		t.Errorf("%+v", got)
	}
	const long = `I0811 04:01:25.024480       1 a.go:1] AttachVolume.Attach succeeded for volume "pvc-0000-`
	if got, _ = scanAll(long + "\n1111\" x\n"); got[0].Message != `AttachVolume.Attach succeeded for volume "pvc-0000-1111" x` {
		t.Errorf("%+v", got)
	}
	// The same inside a block, whose lines are lines.
	got, _ = scanAll(`I0811 04:01:25.024480       1 a.go:1] "AttachVolume.Attach failed for a volume" err=<` + "\n\tit's \"one\n\ttwo\n >\n")
	if got[0].Get("err") != "it's \"one\ntwo" {
		t.Errorf("%+v", got)
	}
}

func TestBare(t *testing.T) {
	known := func(_ *envelope.Origin, file, text []byte) bool {
		return strings.HasPrefix(string(text), "attacher")
	}
	for _, c := range []struct {
		in, time, file string
		floating       bool
	}{
		{"attacher starts", "0001-01-01T00:00:00Z", "", false},
		{"reconciler.go:12] attacher starts", "0001-01-01T00:00:00Z", "reconciler.go", false},
		{"WARNING 2025-04-18T20:16:21.632591315Z attacher starts", "2025-04-18T20:16:21.632591315Z", "", false},
		{`{"textPayload":"attacher starts","timestamp":"2025-04-18T20:16:21.6Z","sourceLocation":{"file":"a/r.go"}}`, "2025-04-18T20:16:21.6Z",
			"r.go", false},
		{"Mar 14 17:26:53 h k[1]: attacher starts", "0000-03-14T17:26:53Z", "", true},
		{`time="2025-07-23T07:20:43Z" level=info msg="attacher starts" file="c.go:514"`, "2025-07-23T07:20:43Z", "c.go", false},
	} {
		s, n := NewScanner(strings.NewReader(c.in+"\n")), 0
		s.Known = known
		for range s.Records {
			n++
			r := s.record()
			if r.Time.Format(time.RFC3339Nano) != c.time || r.Floating != c.floating || r.Message != "attacher starts" || r.File != c.file {
				t.Errorf("%s: %+v", c.in, r)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d records", c.in, n)
		}
	}
	s := NewScanner(strings.NewReader("an attacher starts\ncontroller.go:12] Attaching\n"))
	s.Known = known
	for range s.Records {
		t.Errorf("%+v", s.record())
	}
}

// A document may break off anywhere; what comes after it is read as lines again.
func TestBrokenDocuments(t *testing.T) {
	entry := `{"timestamp":1773480413841,"message":"` + klogLine + `"}`
	for _, c := range []struct {
		in   string
		want int
	}{
		{`{"events":[` + entry + `,` + entry + `]}`, 2},
		{"{\n\"events\": [\n" + entry + ",\n" + entry + "\n]\n}\n" + klogLine, 3},
		{"{\n\"events\": [\n" + entry + ",\n" + klogLine, 2},
		{`{"events":[` + entry + `,{"timestamp":1773480413841,"message":"` + klogLine, 2},
		{entry + entry + "," + entry, 3},
		{entry + "\n" + klogLine + "\n" + entry, 3},
		{klogLine + "\n{\n \"error\": {\"message\": \"x\"}\n}\n" + klogLine, 2},
		{"[" + strings.Repeat(entry+",", 5000) + entry + "]", 5001},
		{"[\n" + strings.Repeat("[", 100) + "\n" + klogLine, 1},
		{`{"message":"` + klogLine + `\n\tmore\n` + klogLine + `\n"}`, 2},
	} {
		got, st := scanAll(c.in)
		if len(got) != c.want || st.Bytes != int64(len(c.in)) {
			t.Errorf("%.100q: %d records of %d, %+v", c.in, len(got), c.want, st)
		}
		for _, r := range got {
			if !strings.Contains(strings.Split(c.in, "\n")[r.Line-1], strings.Split(r.Raw, "\n")[0]) || r.Raw == "" && r.Line == 0 {
				t.Errorf("%.100q: line %d does not hold %.100q", c.in, r.Line, r.Raw)
			}
		}
	}
}

func TestClocks(t *testing.T) {
	line := func(wrapper, header string) string { return wrapper + " I" + header + "       1 a.go:1] x\n" }
	for _, c := range []struct {
		name, in, want string
		moved          int
	}{
		{"summer time ends", line("2026-10-25T00:59:59.9Z", "1025 02:59:59.800000") + line("2026-10-25T01:00:00.2Z", "1025 02:00:00.100000"),
			"2026-10-25T00:59:59.8Z 2026-10-25T01:00:00.1Z", 2},
		{"summer time begins", line("2026-03-29T00:59:59.9Z", "0329 01:59:59.800000") + line("2026-03-29T01:00:00.2Z", "0329 03:00:00.100000"),
			"2026-03-29T00:59:59.8Z 2026-03-29T01:00:00.1Z", 2},
		{"midnight", line("2026-03-14T23:59:59.9Z", "0314 23:59:59.800000") + line("2026-03-15T00:00:00.2Z", "0315 00:00:00.100000"),
			"2026-03-14T23:59:59.8Z 2026-03-15T00:00:00.1Z", 0},
		{"leap day", line("2024-02-29T12:00:00Z", "0229 12:00:00.000000") + line("2024-03-01T00:00:00Z", "0301 00:00:00.000000"),
			"2024-02-29T12:00:00Z 2024-03-01T00:00:00Z", 0},
		{"leap day, east of it", line("2024-02-29T20:00:00Z", "0301 04:00:00.000000"), "2024-02-29T20:00:00Z", 0},
		{"leap day that floats", "I0229 12:00:00.000000 1 a.go:1] x\n", "0000-02-29T12:00:00Z", 0},
		{"newest first over a new year", "I0101 00:00:01.000000 1 a.go:1] x\nI1231 23:59:59.000000 1 a.go:1] x\n",
			"0000-01-01T00:00:01Z -0001-12-31T23:59:59Z", 0},
	} {
		got, st := scanAll(c.in)
		var times []string
		for _, r := range got {
			times = append(times, r.Time.Format(time.RFC3339Nano))
		}
		if fmt.Sprint(times) != "["+c.want+"]" || st.ZoneMoved != c.moved {
			t.Errorf("%s: %v %+v", c.name, times, st)
		}
	}
}

// A journal without year and zone is placed by the instants that it prints itself.
func TestAnchors(t *testing.T) {
	const k3s = "Mar 14 17:26:54 h k3s[1]: time=\"2026-03-14T17:26:54+08:00\" level=info msg=\"Tunnel server\"\n"
	_, st := scanAll(k3s + "Mar 14 17:26:53 h k3s[1]: " + klogLine + "\n" + k3s)
	if len(st.Anchors) != 1 || st.Anchors[0].Offset != 8*time.Hour || st.Anchors[0].Civil.Year() != 2026 {
		t.Errorf("%+v", st.Anchors)
	}
	_, st = scanAll("Mar 14 17:26:54 h k3s[1]: time=\"2026-03-14T17:03:54+08:00\" level=info msg=\"late\"\n")
	if len(st.Anchors) != 0 {
		t.Errorf("%+v", st)
	}
}
