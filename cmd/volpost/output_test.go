package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

func TestDefaultOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	got := volpost("analyze", "sample:handover")
	if got.code != exitOK || got.stderr != "wrote volpost-report.html\n" {
		t.Fatalf("exit code %d, standard error %q", got.code, got.stderr)
	}
	html, err := os.ReadFile(defaultFile)
	if err != nil || !bytes.HasPrefix(bytes.ToLower(html), []byte("<!doctype html")) {
		t.Errorf("%v: %.60q", err, html)
	}
	if only := volpost("analyze", "sample:handover", "-o", "text"); only.stdout != got.stdout || only.stdout == "" {
		t.Error("the default text differs from -o text")
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

func TestSeveralOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	got := volpost("analyze", "sample:handover", "-o", "json", "-o", "svg=g.svg", "-o", "dot=g.dot")
	if got.code != exitOK || got.stderr != "wrote g.svg\nwrote g.dot\n" {
		t.Fatalf("exit code %d, standard error %q", got.code, got.stderr)
	}
	if !json.Valid([]byte(got.stdout)) {
		t.Error("standard output is not JSON")
	}
	for file, part := range map[string]string{"g.svg": "<svg", "g.dot": "digraph"} {
		if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte(part)) {
			t.Errorf("%s lacks %s (%v)", file, part, err)
		}
	}
}

// link makes a symbolic link, or skips the test where this user may not make one, as on Windows.
func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}

// TestInputIsSpared writes a small bundle and asks for reports over its files, by several ways of naming them.
func TestInputIsSpared(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const manifest = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n"
	if err := os.MkdirAll("bundle/nodes", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bundle/nodes/a.yaml", []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	link(t, "bundle/nodes/a.yaml", "link.yaml")
	link(t, "bundle", "linked-bundle")
	for _, c := range []struct{ bundle, file string }{
		{"bundle", "bundle/nodes/a.yaml"},
		{"bundle", "./bundle/../bundle/nodes/a.yaml"},
		{"bundle", filepath.Join(dir, "bundle/nodes/a.yaml")},
		{"bundle", "link.yaml"},
		{"linked-bundle", "bundle/nodes/a.yaml"},
		{"bundle/nodes/a.yaml", "bundle/nodes/a.yaml"},
		{"bundle/nodes/a.yaml", "link.yaml"},
	} {
		got := volpost("analyze", c.bundle, "-o", "json="+c.file)
		if got.code != exitUsage || !strings.Contains(got.stderr, "is not written over") {
			t.Errorf("%s over %s: exit code %d, %s", c.bundle, c.file, got.code, got.stderr)
		}
		if text, err := os.ReadFile("bundle/nodes/a.yaml"); err != nil || string(text) != manifest {
			t.Fatalf("the input has changed: %q, %v", text, err)
		}
	}
	// New files and the report's own default are no loss.
	for _, file := range []string{"bundle/report.json", "elsewhere.json"} {
		if got := volpost("analyze", "bundle", "-o", "json="+file); got.code != exitOK {
			t.Errorf("%s: exit code %d, %s", file, got.code, got.stderr)
		}
	}
	t.Chdir("bundle")
	for range 2 {
		if got := volpost("analyze", "."); got.code != exitOK {
			t.Errorf("exit code %d, %s", got.code, got.stderr)
		}
	}
}

func TestWriteFileReplacesAtomically(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("old", []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	write := func(render func(io.Writer) error) error { return app{}.writeFile(t.Context(), "old", "", render) }
	if err := write(func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return context.DeadlineExceeded
	}); err == nil {
		t.Error("an error of the renderer is lost")
	}
	content(t, "old", "old")
	if err := write(func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }); err != nil {
		t.Fatal(err)
	}
	content(t, "old", "new")
	if info, err := os.Stat("old"); err != nil || info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
		t.Errorf("the permissions have changed (%v)", err)
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// TestLinksAreNotWrittenThrough unpacks what a stranger has made: links where volpost writes, to a file of the user and to a
// device, and a file that is not volpost's.
func TestLinksAreNotWrittenThrough(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const theirs = "export PATH\n"
	report := volpost("analyze", "sample:handover", "-o", "json=r.json", "--redact", "--redact-map", "key.json")
	if report.code != exitOK {
		t.Fatal(report.stderr)
	}
	if err := os.Mkdir("pages", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"victim", "foreign.html", "pages/volpost-alerts.1"} {
		if err := os.WriteFile(name, []byte(theirs), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link(t, filepath.Join(dir, "victim"), "to-file")
	link(t, os.DevNull, "to-device")
	link(t, "nowhere", "to-nothing")
	link(t, filepath.Join(dir, "victim"), filepath.Join("pages", "volpost-analyze.1"))
	for name, there := range map[string]string{"link": "to-file", "device": "to-device", "dangling": "to-nothing", "foreign": "foreign.html"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if name == "foreign" {
				if err := os.WriteFile(defaultFile, []byte(theirs), 0o644); err != nil {
					t.Fatal(err)
				}
			} else {
				link(t, filepath.Join(dir, there), defaultFile)
			}
			said := "no page was written: volpost-report.html is a link, and links are not written through\nhint: "
			if name == "foreign" {
				said = "no page was written: volpost-report.html is there, and volpost did not write it\nhint: "
			}
			for _, args := range [][]string{{"analyze", "sample:handover"}, {"report", filepath.Join(dir, "r.json")}} {
				if got := volpost(args...); got.code != exitOK || got.stdout == "" || !strings.Contains(got.stderr, said) {
					t.Errorf("%v: exit code %d, %s%s", args, got.code, got.stdout[:min(len(got.stdout), 50)], got.stderr)
				}
			}
			if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
				t.Errorf("files left behind: %v, %v", left, err)
			}
			if name == "foreign" { // it can be named
				content(t, defaultFile, theirs)
				if got := volpost("analyze", "sample:handover", "-o", "html="+defaultFile); got.code != exitOK {
					t.Errorf("exit code %d, %s", got.code, got.stderr)
				}
			}
		})
	}
	for _, args := range [][]string{
		{"analyze", "sample:handover", "-o", "json=to-file"}, {"analyze", "sample:handover", "-o", "json=to-device"},
		{"analyze", "sample:handover", "-o", "json=to-nothing"}, {"report", "r.json", "-o", "md=to-file"},
		{"analyze", "sample:handover", "-o", "json", "--redact", "--redact-map", "to-file"},
		{"analyze", "sample:handover", "-o", "json", "--redact", "--redact-map", "to-nothing"},
		{"unredact", "r.json", "--redact-map", "key.json", "-o", "to-file"},
		{"samples", "extract", "clean", "to-nothing"}, {"man", "pages"},
	} {
		if got := volpost(args...); got.code != exitFailed || got.stdout != "" {
			t.Errorf("%v: exit code %d, %.50s", args, got.code, got.stdout)
		}
	}
	content(t, "victim", theirs)
	content(t, "pages/volpost-alerts.1", theirs)
	if _, err := os.Lstat("nowhere"); err == nil {
		t.Error("a link to nothing was written through")
	}
}

// TestPipedInputIsSpared reads a file through standard input, and names it as the output.
func TestPipedInputIsSpared(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := volpost("analyze", "sample:handover", "-o", "json=r.json", "--redact", "--redact-map", "key.json"); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	before, err := os.ReadFile("r.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"analyze", "-", "-o", "json=r.json"}, {"report", "-", "-o", "md=./r.json"},
		{"unredact", "-", "--redact-map", "key.json", "-o", "r.json"},
		{"report", "r.json", "-o", "text=key.json,md=r.json"}, {"analyze", "sample:handover", "--rules", "r.json", "-o", "json=r.json"},
	} {
		in, err := os.Open("r.json")
		if err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		code := app{stdin: in, stdout: &out, stderr: &stderr, version: testVersion}.run(args)
		if code != exitUsage || !strings.Contains(stderr.String(), "is not written over") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr.String())
		}
		in.Close()
	}
	content(t, "r.json", string(before))
}

// TestDevicesAreWrittenThrough matters to root, whose rename would replace the device.
func TestDevicesAreWrittenThrough(t *testing.T) {
	for range 2 {
		if got := volpost("analyze", "sample:handover", "-o", "json="+os.DevNull); got.code != exitOK {
			t.Fatalf("exit code %d, %s", got.code, got.stderr)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("%s is no device any more (%v)", os.DevNull, err)
	}
}

func content(t *testing.T, file, want string) {
	t.Helper()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s holds %q, want %q (%v)", file, got, want, err)
	}
}

// panicking is a standard output that cannot be written to in the worst way.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("a defect\ngoroutine 1 [running]:") }

func TestPanicIsOneLine(t *testing.T) {
	var stderr bytes.Buffer
	code := app{stdin: strings.NewReader(""), stdout: panicking{}, stderr: &stderr, version: testVersion}.run([]string{"version"})
	want := "volpost: internal error: a defect\\ngoroutine 1 [running]:\nhint: this is a defect of volpost " + testVersion +
		"; please report it with this line and the command\n"
	if code != exitFailed || stderr.String() != want {
		t.Errorf("exit code %d, standard error\n%s", code, stderr.String())
	}
}

func TestInterruptedReadingIsNoReport(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	a := app{stdin: strings.NewReader(""), stdout: &out, stderr: &out, version: testVersion}
	err := working(func(*cobra.Command, []string) error {
		return a.analyze(ctx, []string{"sample:handover"},
			&flags{outputs: []string{"text"}, limits: defaultLimits()})
	})(nil, nil)
	if code := a.finish(err); code != exitFailed || out.String() != "volpost: interrupted; nothing was concluded\n" {
		t.Errorf("exit code %d, %q", code, out.String())
	}
}

// TestInterruptedWriting: what is whole is named, and nothing is said to be without a conclusion.
func TestInterruptedWriting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := app{stdout: io.Discard, stderr: io.Discard, version: testVersion}
	file := filepath.Join(t.TempDir(), "r.json")
	err := a.writeAll(ctx, outputs{targets: []target{{format: "json", file: file}}}, &flags{limits: defaultLimits(), full: true}, &model.Report{})
	if _, there := os.Lstat(file); err == nil || !strings.Contains(err.Error(), "interrupted while the json report was written") || there == nil {
		t.Errorf("got %v, the file is there: %t", err, there == nil)
	}
}

func TestProgressIsShownLateAndTakenAway(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out, started: time.Now()}
	p.update(1, 10)
	p.finish()
	if out.Len() != 0 {
		t.Errorf("shown within the first second: %q", out.String())
	}
	p.started = time.Now().Add(-2 * progressDelay)
	p.update(5_000_000, 20_000_000)
	p.update(5_000_001, 20_000_000) // too soon after the first
	p.finish()
	if want := "\rreading  25 % of 20 MB\r                      \r"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	quiet := app{stderr: &out}.newProgress()
	quiet.started = time.Now().Add(-2 * progressDelay)
	before := out.Len()
	quiet.update(1, 2)
	quiet.finish()
	if out.Len() != before {
		t.Error("progress is shown where nobody watches")
	}
}

func TestCleanEscapesWhatDoesNotPrint(t *testing.T) {
	for in, want := range map[string]string{
		"plain ü 日本":      "plain ü 日本",
		"a\x1b[31mb":      `a\x1b[31mb`,
		"a\nb\tc\x00":     `a\nb\tc\x00`,
		"a\u202eb\xffc":   `a\u202eb\xffc`,
		"\ufffd":          "\ufffd",
		"quote ' \" back": "quote ' \" back",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"text", "html", "json", "rollout-surge", "node-down", "node-gone"}
	for in, want := range map[string]string{
		"jsn": "json", "htlm": "", "rolout-surge": "rollout-surge", "rollout": "rollout-surge", "pdf": "", "": "", "x": "",
		"node-dwn": "node-down", "node-gome": "node-gone",
	} {
		if got := nearest(in, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPageWraps(t *testing.T) {
	p := page{width: 20}
	p.text(2, "one two three four five six")
	p.text(0, "a/very/long/path/that/does/not/fit/here")
	p.text(0, strings.Repeat("ü", 45))
	want := "  one two three four\n    five six\na/very/long/path/\n  that/does/not/fit/\n  here\n" +
		strings.Repeat("ü", 45) + "\n" // a name without separators stays whole, so that it can be copied
	if p.String() != want {
		t.Errorf("got\n%s\nwant\n%s", p.String(), want)
	}
}

// TestInspectFitsItsWidth includes a bundle whose names are hostile.
func TestInspectFitsItsWidth(t *testing.T) {
	for _, r := range []string{"sample:node-deleted", "sample:two-incidents"} {
		got := volpost("inspect", r)
		widths(t, got.stdout)
	}
	_, hostile := explained(t, hostileBundle(), "hostile\x1b[2J")
	var b strings.Builder
	if err := report.Bundles.Write(&b, "text", hostile); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	widths(t, text)
	if strings.ContainsAny(text, "\x1b\x00\u202e") {
		t.Error("control characters reach the terminal")
	}
}

func widths(t *testing.T, text string) {
	t.Helper()
	for n, line := range strings.Split(text, "\n") {
		if len([]rune(line)) > 80 && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "    ") { // a word of a command stays whole
			t.Errorf("line %d has %d characters: %s", n+1, len([]rune(line)), line)
		}
	}
}

func TestFullDiskIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	for _, args := range [][]string{
		{"analyze", "sample:handover", "-o", "json"},
		{"analyze", "sample:handover", "-o", "text=/dev/full"},
		{"inspect", "sample:handover"},
		{"whatif", "sample:node-deleted", "--set", "tolerationSeconds=30"},
		{"causes"}, {"checks"}, {"remedies"}, {"explain", "handover"}, {"samples"}, {"version"},
	} {
		var stderr bytes.Buffer
		code := app{stdin: strings.NewReader(""), stdout: full, stderr: &stderr, version: testVersion}.run(args)
		if code != exitFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"__complete", "analyze", "sample:h"}, "sample:handover\n"},
		{[]string{"__complete", "analyze", "sample:handover", "-o", ""}, "json\t"},
		{[]string{"__complete", "explain", ""}, "rollout-surge\n"},
		{[]string{"__complete", "ins"}, "inspect\t"},
		{[]string{"__complete", "whatif", "sample:handover", "--apply", ""}, "out-of-service-taint\t"},
		{[]string{"completion", "bash"}, "# bash completion"},
		{[]string{"__complete", "analyze", "sample:handover", "-o", "html,"}, "html,json\t"},
		{[]string{"__complete", "report", "r.json", "-o", "html=a,b.html,"}, "html=a,b.html,md\t"},
		{[]string{"__complete", "whatif", "sample:handover", "-o", ""}, "json\n"},
		{[]string{"__complete", "help", "lim"}, "limits\t"},
	} {
		if got := volpost(c.args...); got.code != exitOK || !strings.Contains(got.stdout, c.want) {
			t.Errorf("%v: exit code %d, no %q in\n%.300s", c.args, got.code, c.want, got.stdout)
		}
	}
}
