package main

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestWithin: work that takes longer than --max-time ends with what it was doing, and a signal ends it, too; without a limit, and in
// time, it is what it is. A panic comes out where it can be told.
func TestWithin(t *testing.T) {
	never := make(chan struct{})
	err := limits{time: time.Millisecond}.within(t.Context(), "the html report was written", func() error { <-never; return nil })
	if err == nil || !strings.Contains(err.Error(), "the limit of time (--max-time) is reached while the html report was written") {
		t.Errorf("%v", err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (limits{}).within(interrupted, "", func() error { <-never; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for _, l := range []limits{{}, {time: time.Hour}} {
		if err := l.within(t.Context(), "", func() error { return nil }); err != nil {
			t.Error(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a panic is lost")
				}
			}()
			_ = l.within(t.Context(), "", func() error { panic("x") })
		}()
	}
}

// timely are the commands with a limit of time that read a bundle, with what they say where an analysis is cut short; "" for nowhere.
var timely = []struct {
	name, where string
	args        []string
	run         func(app, context.Context, []string, *flags) error
	flags       flags
}{
	{"analyze", "stdout", []string{"sample:node-deleted"}, app.analyze, flags{outputs: []string{"text"}}},
	{"inspect", "stdout", []string{"sample:node-deleted"}, app.inspect, flags{output: "text"}},
	{"graph", "stdout", []string{"sample:many-volumes"}, app.graph, flags{output: "text"}},
	{"whatif", "stdout", []string{"sample:node-deleted"}, app.whatIf, flags{apply: []string{"force-delete-pod"}, output: "text"}},
	{"diff", "stdout", []string{"sample:node-deleted", "sample:node-deleted"}, app.diff, flags{output: "text"}},
	{"replay", "stderr", []string{"sample:node-deleted"}, app.replay, flags{}},
}

// expiredIn is a context whose time is up for those that a function of that name calls.
type expiredIn struct {
	context.Context
	name string
}

func (c expiredIn) Err() error {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for {
		frame, more := frames.Next()
		if strings.Contains(frame.Function, c.name) {
			return context.DeadlineExceeded
		}
		if !more {
			return nil
		}
	}
}

// TestMaxTime: whatever a command does when the time is up, it ends with what is there and says what it was doing.
func TestMaxTime(t *testing.T) {
	t.Parallel()
	said := func(texts ...string) string { return strings.Join(strings.Fields(strings.Join(texts, " ")), " ") }
	for _, c := range timely {
		var stdout, stderr bytes.Buffer
		a := app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, version: testVersion, began: time.Now().Add(time.Hour)}
		c.flags.limits = defaultLimits()
		if err := c.run(a, expiredIn{t.Context(), "volpost/analyze."}, c.args, &c.flags); err != nil || stdout.Len() < 100 {
			t.Errorf("%s: %v: %s", c.name, err, stdout.String())
		}
		text := map[string]string{"stdout": said(stdout.String()), "stderr": said(stderr.String())}[c.where]
		if !strings.Contains(strings.ToLower(text), "the limit of time (--max-time) is reached while the ") {
			t.Errorf("%s does not say on %s that its analysis was cut short: %s", c.name, c.where, text)
		}
		c.flags.time, c.flags.redact.on = time.Nanosecond, true
		if err := c.run(a, t.Context(), c.args, &c.flags); err == nil ||
			!strings.Contains(err.Error(), "is reached while the names were taken out") {
			t.Errorf("%s --redact: %v", c.name, err)
		}
		a.stdout, c.flags.redact.on = sleepy{}, false
		if err := c.run(a, t.Context(), c.args, &c.flags); err == nil || !strings.Contains(err.Error(), "was written") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// sleepy is a standard output that is slow.
type sleepy struct{}

func (sleepy) Write(p []byte) (int, error) { time.Sleep(50 * time.Millisecond); return len(p), nil }

// TestMaxTimeOfReading: a command line that gives no time to reading says so.
func TestMaxTimeOfReading(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := volpost("analyze", "sample:node-deleted", "-o", "json=r.json"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for _, args := range [][]string{
		{"analyze", "sample:node-deleted", "-o", "text"}, {"inspect", "sample:node-deleted"}, {"graph", "sample:node-deleted"},
		{"diff", "sample:node-deleted", "r.json"},
		{"whatif", "sample:node-deleted", "--apply", "force-delete-pod"}, {"replay", "sample:node-deleted"}, {"alerts", "sample:node-deleted"},
		{"verify", "r.json", "sample:node-deleted"}, {"fleet", "r.json"},
	} {
		got := volpost(append(args, "--max-time", "1ns")...)
		if text := strings.Join(strings.Fields(got.stdout+got.stderr), " "); got.code != exitFailed ||
			!strings.Contains(text, "the limit of time (--max-time) is reached while the ") {
			t.Errorf("%q: exit code %d: %s", args, got.code, text)
		}
	}
	if got := volpost("report", "r.json", "-o", "html", "--max-time", "1ns"); got.code != exitFailed ||
		!strings.Contains(got.stderr, "is reached while the html report was written") {
		t.Errorf("report: %d: %s", got.code, got.stderr)
	}
}
