package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// testVersion stands in reports of tests, so that goldens do not depend on the commit.
const testVersion = "v0.0.0-test"

// outcome is all that a run of the program leaves behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// volpost runs the program inside of the test.
func volpost(args ...string) outcome {
	var out, err bytes.Buffer
	code := app{stdin: strings.NewReader(""), stdout: &out, stderr: &err, version: testVersion}.run(args)
	return outcome{code, out.String(), err.String()}
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t testing.TB) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return root
}

// explained is a bundle's report, as the JSON says it.
func explained(t testing.TB, bundle fs.FS, root string) ([]byte, *model.Report) {
	t.Helper()
	opened := ingest.OpenFS(bundle, root)
	defer func() {
		if err := opened.Close(); err != nil {
			t.Errorf("closing %s: %v", root, err)
		}
	}()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatalf("reading %s: %v", root, err)
	}
	var out bytes.Buffer
	if err := report.Write(&out, "json", analyze.Run(t.Context(), snapshot, analyze.Options{Version: testVersion})); err != nil {
		t.Fatal(err)
	}
	r := decoded(t, out.Bytes())
	coherent(t, r)
	return out.Bytes(), r
}

func render(t testing.TB, w io.Writer, format string, r *model.Report) {
	t.Helper()
	if err := report.Write(w, format, r); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
}

func decoded(t testing.TB, text []byte) *model.Report {
	t.Helper()
	var r model.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// sampleFiles is a sample's bundle as a map that a test may change.
func sampleFiles(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	bundle, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return files(t, bundle)
}

// playedFiles is the same of an older recording, which does not change.
func playedFiles(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	return files(t, openRecording(t, name).bundle)
}

func files(t testing.TB, from fs.FS) fstest.MapFS {
	t.Helper()
	return filesBelow(t, from, ".")
}

// filesBelow are those of a folder, or a file, with their whole paths.
func filesBelow(t testing.TB, from fs.FS, folder string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(from, folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(from, path)
		out[path] = &fstest.MapFile{Data: data, Mode: 0o644}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// buildDir holds the program while the tests run.
var buildDir string

func TestMain(m *testing.M) {
	if os.Getenv(busyChild) != "" {
		stayBusy()
	}
	dir, err := os.MkdirTemp("", "volpost-test-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	// A third of the time would be spent on garbage; with every recording kept, memory would be 9 GB without a limit.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(3 << 30)
	code := afterTests(m.Run())
	os.RemoveAll(dir)
	os.Exit(code)
}

// busyChild makes the test program a process that is busy for ever, see TestSignals, with a file half written.
const busyChild = "VOLPOST_TEST_BUSY"

func stayBusy() {
	a := app{stderr: os.Stderr, temporary: &temporary{paths: map[string]bool{}}}
	ctx, _ := a.untilSignal()
	if _, err := a.scratch(); err != nil {
		panic(err)
	}
	panic(a.writeFile(ctx, "report.html", "", func(io.Writer) error {
		os.Stdout.Write([]byte("x"))
		for {
			time.Sleep(time.Hour)
		}
	}))
}

// built is the program without what debuggers need, built once for all tests that measure it or run it as a process. VOLPOST_PROGRAM names
// one that is there, so that the memory of a test is not that of the compiler.
var built = sync.OnceValues(func() (string, error) {
	if program := os.Getenv("VOLPOST_PROGRAM"); program != "" {
		return program, nil
	}
	binary := filepath.Join(buildDir, "volpost")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, ".") // with the flags of the tests: each other one compiles every package again
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

func binary(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
