//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestSpecialFiles reads a directory with what cannot be read like a file: a pipe that nobody writes to, links in a circle
// and out of the bundle, a file that must not be opened. Each is named, none is followed, and nothing hangs.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	bundle := filepath.Join(dir, "bundle")
	secret := filepath.Join(dir, "secret.yaml")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(bundle, "sub"), 0o755),
		os.WriteFile(secret, []byte("apiVersion: v1\nkind: Node\nmetadata:\n  name: outside\n"), 0o644),
		os.WriteFile(filepath.Join(bundle, "node.yaml"), []byte("apiVersion: v1\nkind: Node\nmetadata:\n  name: inside\n"), 0o644),
		syscall.Mkfifo(filepath.Join(bundle, "pipe.log"), 0o644),
		os.Symlink("..", filepath.Join(bundle, "sub", "circle")),
		os.Symlink(secret, filepath.Join(bundle, "outside.yaml")),
		os.Symlink("/proc/self/mem", filepath.Join(bundle, "memory")),
		os.Symlink("nowhere", filepath.Join(bundle, "dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan outcome, 1)
	go func() { done <- volpost("inspect", bundle, "-o", "json") }()
	var got outcome
	select {
	case got = <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("reading hangs")
	}
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var read model.Bundle
	if err := json.Unmarshal([]byte(got.stdout), &read); err != nil {
		t.Fatal(err)
	}
	for _, in := range read.Inputs {
		if in.Used > 0 && in.Path != "node.yaml" {
			t.Errorf("%s was used: %+v", in.Path, in)
		}
	}
	told := strings.Join(problemPaths(read.Problems), " ")
	for _, path := range []string{"pipe.log", "sub/circle", "outside.yaml", "memory", "dangling"} {
		if !strings.Contains(told, path) {
			t.Errorf("nothing is said about %s", path)
		}
	}
}

func problemPaths(problems []model.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Path)
	}
	return out
}

// TestSignals sends each signal to a process that is in the middle of writing and hears of nothing: it ends at once, and its
// temporary files with it.
func TestSignals(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(s.String(), func(t *testing.T) {
			dir := t.TempDir()
			c := exec.Command(os.Args[0])
			c.Dir, c.Env = dir, append(os.Environ(), busyChild+"=1", "TMPDIR="+dir)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			startHearing(t, c)
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if made, err := os.ReadDir(dir); err != nil || len(made) != 2 {
				t.Errorf("the process has %v, want a neighbour and a directory (%v)", made, err)
			}
			endsAt(t, c, s)
			if stderr.String() != "volpost: interrupted\n" {
				t.Errorf("standard error: %s", stderr.String())
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("files left behind: %v, %v", left, err)
			}
		})
	}
}

// startHearing starts a process that hears every signal. Tests that a shell started with & have SIGINT ignored, and so would their children,
// which volpost respects.
func startHearing(t *testing.T, c *exec.Cmd) {
	t.Helper()
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, ending...)
	defer signal.Stop(heard)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
}

// endsAt sends a signal and wants the process to end, with the exit code of a failure.
func endsAt(t *testing.T, c *exec.Cmd, s os.Signal) {
	t.Helper()
	const within = 10 * time.Second // of a machine with other work; the process would run for ever
	if err := c.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case <-ended:
		if code := c.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(within):
		_ = c.Process.Kill()
		<-ended // its standard error is written
		t.Errorf("the process does not end within %s", within)
	}
}

// TestInterruptedAnywhere interrupts the program while it starts, reads, unpacks metrics, runs rules, takes names out and writes: it ends, leaves
// nothing behind, and each file that is there is whole.
func TestInterruptedAnywhere(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	const uninterrupted, moments = 2, 12 // the first one finds everything cold
	work := t.TempDir()
	bundle, err := os.Create(filepath.Join(work, "bundle.tar"))
	if err != nil {
		t.Fatal(err)
	}
	packed := tar.NewWriter(bundle)
	if err := errors.Join(packed.AddFS(openRecording(t, "node-deleted").part(t, "tsdb")), packed.Close(), bundle.Close()); err != nil {
		t.Fatal(err)
	}
	var took time.Duration
	whole, stage := map[string]int64{}, map[string]int{}
	for n := range moments {
		dir, temp := t.TempDir(), t.TempDir()
		c := exec.Command(binary(t), "analyze", bundle.Name(), "--redact", "-o", "json=r.json,html=r.html,text")
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+temp)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		began := time.Now()
		startHearing(t, c)
		if n >= uninterrupted {
			time.Sleep(took * time.Duration(n-uninterrupted) / time.Duration(moments-uninterrupted))
			_ = c.Process.Signal(os.Interrupt) // it may have ended
		}
		_ = c.Wait()
		ended := c.ProcessState.ExitCode()
		if n < uninterrupted {
			took = time.Since(began)
		}
		stage[fmt.Sprint(ended)]++
		if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
			t.Errorf("interrupted at %d of %d: left behind %v, %v", n, moments, left, err)
		}
		made, err := os.ReadDir(dir)
		if err != nil || ended == exitOK && len(made) != 2 || ended == exitFailed && !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("interrupted at %d of %d: exit code %d with %v: %s", n, moments, ended, made, stderr.String())
		}
		for _, f := range made {
			info, err := f.Info()
			if n == 0 {
				whole[f.Name()] = info.Size()
			}
			if err != nil || info.Size() != whole[f.Name()] {
				t.Errorf("interrupted at %d of %d: %s has %d bytes of %d, %v", n, moments, f.Name(), info.Size(), whole[f.Name()], err)
			}
		}
	}
	t.Logf("%d tried, exit codes %v", moments, stage)
}

// TestPipeOfAStranger finds a named pipe where the default report goes: nothing is written to it, and the answer stands.
func TestPipeOfAStranger(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo(defaultFile, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := volpost("analyze", "sample:handover"); got.code != exitOK || got.stdout == "" ||
		!strings.Contains(got.stderr, "no page was written: "+defaultFile+" is not a regular file") {
		t.Errorf("exit code %d, %.60s %s", got.code, got.stdout, got.stderr)
	}
}

// TestPipeNobodyReads writes to a named pipe that nobody has opened for reading, and to one that nobody reads from.
func TestPipeNobodyReads(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openThrough(t.Context(), pipe, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Errorf("without a reader: %v", err)
	}
	if testing.Short() {
		return // what follows builds the program
	}
	for _, reader := range []bool{false, true} {
		if reader {
			f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() // with what stands in the pipe
		}
		c := exec.Command(binary(t), "analyze", "sample:handover", "-o", "json="+pipe)
		startHearing(t, c)
		time.Sleep(time.Second)
		endsAt(t, c, os.Interrupt)
	}
	// Whoever reads gets the report.
	other := filepath.Join(dir, "other")
	if err := syscall.Mkfifo(other, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", `cat "$1" & exec "$0" analyze sample:handover -o json="$1"`, binary(t), other)
	if out, err := c.Output(); err != nil || !json.Valid(out) {
		t.Errorf("%v, %d bytes", err, len(out))
	}
}

// TestStandardOutputIsClosed stops reading what is written: a reader that has enough is no error.
func TestStandardOutputIsClosed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	for _, args := range []string{"analyze sample:node-deleted -o json", "report r.json -o json", "samples", "alerts"} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		dir := t.TempDir()
		if got := volpost("analyze", "sample:handover", "-o", "json="+filepath.Join(dir, "r.json")); got.code != exitOK {
			t.Fatal(got.stderr)
		}
		c := exec.Command(binary(t), strings.Fields(args)...)
		c.Dir, c.Stdout = dir, out
		err = c.Run()
		out.Close()
		if code := c.ProcessState.ExitCode(); code != exitOK {
			t.Errorf("%s: exit code %d (%v)", args, code, err)
		}
	}
}

// TestProcessSubstitution gives the report to what shells make of >(…): a link to a pipe of the process.
func TestProcessSubstitution(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte)
	go func() {
		data, _ := io.ReadAll(in)
		got <- data
	}()
	if o := volpost("analyze", "sample:handover", "-o", fmt.Sprintf("json=/dev/fd/%d", out.Fd())); o.code != exitOK {
		t.Error(o.stderr)
	}
	out.Close()
	if data := <-got; !json.Valid(data) {
		t.Errorf("%d bytes", len(data))
	}
}

// TestNoConnection watches what the program asks of the system: it opens no socket.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil || testing.Short() {
		t.Skip("needs strace, and builds the program")
	}
	dir, program := t.TempDir(), binary(t)
	for name, args := range map[string]string{
		"analyze": "analyze sample:node-deleted -o html=page.html -o json=r.json -o svg=g.svg", "inspect": "inspect sample:clean",
		"gather": "gather",
		"whatif": "whatif sample:node-deleted --apply out-of-service-taint", "version": "version", "alerts": "alerts",
		"graph": "graph sample:handover",
	} {
		t.Run(name, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			c := exec.Command("strace", append([]string{"-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o", trace, program},
				strings.Fields(args)...)...)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %.300s", err, out)
			}
			calls, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(calls)) {
				if !strings.Contains(line, "???(") { // a thread that ends while it is looked at
					t.Error(line)
				}
			}
		})
	}
}

// TestReaderHasEnough pipes what each command prints into head: that it reads no further is no error of anything, and what goes into files
// is written all the same.
func TestReaderHasEnough(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir, program := t.TempDir(), binary(t)
	run := func(args string) {
		t.Helper()
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		in.Close() // nobody reads a byte
		defer out.Close()
		var said strings.Builder
		c := exec.Command(program, strings.Fields(args)...)
		c.Dir, c.Stdout, c.Stderr = dir, out, &said
		if err := c.Run(); err != nil || strings.ReplaceAll(said.String(), "wrote volpost-report.html\n", "") != "" {
			t.Errorf("%s: %v, %s", args, err, said.String())
		}
	}
	for _, args := range []string{
		"analyze sample:handover", "analyze sample:handover -o json", "inspect sample:handover", "inspect sample:handover -o json", "gather", "explain",
		"explain handover", "whatif sample:node-deleted --apply out-of-service-taint", "replay sample:node-deleted",
		"replay sample:node-deleted --speed 10000", "graph sample:handover", "graph sample:handover -o dot", "samples", "alerts", "causes", "checks",
		"remedies", "version", "help", "help limits", "completion bash", "verify --help",
	} {
		run(args)
	}
	if _, err := os.Stat(filepath.Join(dir, defaultFile)); err != nil {
		t.Error(err)
	}
}

// TestDirectoryOfOthers writes where this user may not: the answer stands, does not point at a page that is none, and says why there is none.
func TestDirectoryOfOthers(t *testing.T) {
	page := target{format: "html", file: filepath.Join(t.TempDir(), "none", defaultFile), mark: "m"}
	fit, without, err := app{}.checkOutputs([]target{{format: "text", screen: true}, page}, nil)
	if len(fit) != 1 || without == nil || err != nil || !strings.Contains(without.Error(), page.file) {
		t.Errorf("%v, without: %v, %v", fit, without, err)
	}
	page.file = filepath.Join(t.TempDir(), defaultFile)
	if fit, without, err := (app{}).checkOutputs([]target{page}, nil); len(fit) != 1 || without != nil || err != nil {
		t.Errorf("%v, without: %v, %v", fit, without, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(page.file)); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
	if testing.Short() || os.Getuid() != 0 {
		return
	}
	dir, err := os.MkdirTemp("", "volpost-*") // those of the test are private
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(dir, "volpost"), program, 0o755)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(dir, "volpost"), "analyze", "sample:handover")
	c.Dir, c.Env = dir, append(os.Environ(), "HOME=/nonexistent")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil || stdout.Len() == 0 || !strings.Contains(stderr.String(), "no page was written: "+defaultFile+": permission denied") {
		t.Errorf("%v, %.60s, %s", err, stdout.String(), stderr.String())
	}
}
