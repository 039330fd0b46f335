package audit

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/volpost/volpost/model"
)

func messages(problems []model.Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%s:%d %s", p.Severity, p.Line, p.Message))
	}
	return strings.Join(out, "\n")
}

// Damage costs the damaged events, is one problem each, and leaves the rest.
func TestDamage(t *testing.T) {
	good := ev("delete", podRef)
	const told = "pod-deletion-requested shop/db-0"
	long := ev("create", vaRef, "requestObject", `{"metadata":{"annotations":{"a":"`+strings.Repeat("x", MaxEvent)+`"}}}`)
	for _, c := range []struct{ name, log, want, problem string }{
		{"cut at the end", good + good[:300], told, "1 audit events are cut"},
		{"cut inside", ev("create", vaRef)[:400] + "\n" + good, told, "1 audit events are cut"},
		{"two cut", ev("create", vaRef)[:400] + "\n" + ev("create", vaRef)[:400] + "\n" + good, told, "2 audit events are cut"},
		{"too long", long + good, told, "longer than 8 MiB"},
		{"too long in a list", "[" + long + "," + good + "]", told, "longer than 8 MiB"},
		{"cut inside a list", "[" + ev("create", vaRef)[:200] + "\n" + good, told, "1 audit events are cut"},
		{"other lines between", "I0314 09:26:53.841223 1 x.go:1] {\n" + good + "\x00\x00\n", told, ""},
		{"user of another type", ev("create", vaRef, "user", `"x"`) + good, told, "1 audit events are cut"},
		{"bodies of another type", ev("create", vaRef, "requestObject", `"x"`, "responseObject", `[1]`) + good,
			"attachment-created csi-0c7e; " + told, ""},
		{"deep", strings.Repeat("[", 1<<20) + good, told, ""},
		{"deep inside", ev("create", vaRef, "requestObject", strings.Repeat(`{"a":`, 20000)+"1"+strings.Repeat("}", 20000)) + good, told,
			"1 audit events are cut"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := Read(strings.NewReader(c.log), "x")
			if got := say(res.Observations); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := messages(res.Problems); c.problem == "" && got != "" || !strings.Contains(got, c.problem) || strings.Count(got, "\n") > 0 {
				t.Errorf("problems %s", got)
			}
			if in := res.Input; in.Used+in.Skipped != in.Records || in.Bytes != int64(len(c.log)) {
				t.Errorf("%+v, of %d bytes", in, len(c.log))
			}
		})
	}
}

func TestReadError(t *testing.T) {
	log := ev("delete", podRef)
	for _, text := range []string{log, "[" + log} {
		res := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("gone"))), "x")
		if say(res.Observations) != "pod-deletion-requested shop/db-0" ||
			!strings.Contains(messages(res.Problems), "could not be read to its end: gone") {
			t.Errorf("%s; %s", say(res.Observations), messages(res.Problems))
		}
	}
}

// endless repeats a text, of which it counts the copies.
type endless struct {
	copies int
	line   func(int) string
	rest   string
}

func (e *endless) Read(b []byte) (int, error) {
	if e.rest == "" {
		if e.copies == 0 {
			return 0, io.EOF
		}
		e.copies--
		e.rest = e.line(e.copies)
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// A log with more requests than are kept gives the last of them, a problem that says so, and bounded memory.
func TestManyRequests(t *testing.T) {
	const n = 3 * maxFacts
	log := &endless{copies: n, line: func(i int) string {
		return ev("delete", strings.Replace(podRef, "db-0", fmt.Sprint("db-", i), 1), "auditID", fmt.Sprintf(`"id-%d"`, i)) +
			ev("patch", strings.Replace(vaState, "0c7e", fmt.Sprint(i), 1), "requestObject",
				fmt.Sprintf(`{"status":{"attached":true,"detachError":{"message":"%d"}}}`, i))
	}}
	res := Read(log, "x")
	var pods, others int
	for _, o := range res.Observations {
		if o.Object.Kind == "Pod" {
			pods++
		} else {
			others++
		}
	}
	last := res.Observations[len(res.Observations)-1]
	if pods != maxFacts || others != maxFacts || last.Pod.Name != "db-0" || res.Input.Used != 2*n {
		t.Errorf("%d pods, %d others, last %s, %+v", pods, others, last.Pod.Name, res.Input)
	}
	if got := messages(res.Problems); strings.Count(got, "only the last 5000") != 2 {
		t.Error(got)
	}
}

// One line of 160 MiB, as a line and as a list, is counted and not kept.
func TestEndlessLine(t *testing.T) {
	block, copies := strings.Repeat("x", 1<<20), 160
	if testing.Short() {
		copies = 3 * MaxEvent >> 20
	}
	for _, open := range []string{`{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"`, "[{\"a\":\"", "["} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := Read(io.MultiReader(strings.NewReader(open), &endless{copies: copies, line: func(int) string { return block }}), "x")
		runtime.ReadMemStats(&after)
		if len(res.Observations) > 0 || res.Input.Bytes != int64(len(open)+copies<<20) {
			t.Errorf("%+v", res.Input)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 6*MaxEvent {
			t.Errorf("%q: %d MiB allocated", open, grown>>20)
		}
	}
}

// What the bytes of a line decide, decoding decides too: looking first only saves time.
func TestGlance(t *testing.T) {
	logs := []string{}
	for _, c := range cases {
		logs = append(logs, c.log)
		for _, f := range forms {
			logs = append(logs, f.form(c.log))
		}
	}
	for _, log := range logs {
		sameWithout(t, log)
	}
}

func sameWithout(t *testing.T, log string) {
	t.Helper()
	fast, slow := read(strings.NewReader(log), "x", true), read(strings.NewReader(log), "x", false)
	if a, b := say(fast.Observations), say(slow.Observations); a != b {
		t.Errorf("%.300q\nwith    %s\nwithout %s", log, a, b)
	}
}

func TestGlanceRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGlance compares each form, and TestVerdicts holds the rules")
	}
	for _, data := range recordedLogs(t) {
		sameWithout(t, string(data))
	}
}
