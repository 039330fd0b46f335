//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

// What an analysis of a recorded incident of some megabytes may take on two cores, whole process.
const (
	timeBudget   = time.Second
	memoryBudget = 300 << 20 // bytes
	// timeGrace is for machines that do other work at the same time.
	timeGrace = 3
)

// TestBudget measures the program as a child process, on the largest recording there is.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := largestBundle(t)
	output := filepath.Join(t.TempDir(), "report")
	measure := func() (time.Duration, int64) {
		return measureProgram(t, "analyze", dir, "-o", "text", "-o", "html="+output+".html")
	}
	measure() // the first run compiles Graphviz into a cache
	elapsed, peak := measure()
	for range 2 { // a busy machine has another chance
		if elapsed <= timeBudget {
			break
		}
		if e, p := measure(); e < elapsed {
			elapsed, peak = e, max(peak, p)
		}
	}
	t.Logf("%.1f MB in %v with %d MB", float64(bundleBytes(t, os.DirFS(dir)))/1e6, elapsed.Round(time.Millisecond), peak>>20)
	if elapsed > timeGrace*timeBudget {
		t.Errorf("took %v, want at most %v (allowing %d times that here)", elapsed, timeBudget, timeGrace)
	}
	if peak > memoryBudget {
		t.Errorf("needed %d MB, want at most %d MB", peak>>20, memoryBudget>>20)
	}
}

// measureProgram runs the program, and returns its wall time, or its CPU where that is less, and the memory that it had.
func measureProgram(t *testing.T, args ...string) (time.Duration, int64) {
	t.Helper()
	c := exec.Command(os.Args[0], append([]string{"-test.run=^TestMeasuringChild$", "--", binary(t)}, args...)...)
	c.Env = append(os.Environ(), measuringChild+"=1")
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var elapsed, work, peak int64
	if _, err := fmt.Sscan(stdout.String(), &elapsed, &work, &peak); err != nil {
		t.Fatalf("%v in %q", err, stdout.String())
	}
	// On a busy machine a process waits for its turn; on an idle one its work is spread over the cores.
	return time.Duration(min(elapsed, work)), peak
}

// measuringChild makes TestMeasuringChild run what stands behind -- and print what that took.
const measuringChild = "VOLPOST_TEST_MEASURE"

// TestMeasuringChild is a process between the tests and one that is measured: a child counts the memory of the process that started it as
// its own, and that of the tests is large.
func TestMeasuringChild(t *testing.T) {
	if os.Getenv(measuringChild) == "" {
		return
	}
	c := exec.Command(flag.Arg(0), flag.Args()[1:]...)
	c.Stderr = os.Stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	fmt.Println(int64(time.Since(start)), int64(c.ProcessState.UserTime()+c.ProcessState.SystemTime()), peakBytes(c.ProcessState))
	os.Exit(0)
}

// peakBytes is the largest resident size; Linux counts it in kilobytes, Darwin in bytes.
func peakBytes(p *os.ProcessState) int64 {
	peak := int64(p.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "linux" {
		peak *= 1024
	}
	return peak
}

// largestBundle is a directory with the largest recording.
func largestBundle(t *testing.T) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, openRecording(t, "force-delete-verbose").bundle); err != nil {
		t.Fatal(err)
	}
	return dir
}

func largestSample(t testing.TB) fs.FS {
	var largest fs.FS
	var size int64
	for _, s := range samples.List() {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if b := bundleBytes(t, bundle); b > size {
			largest, size = bundle, b
		}
	}
	return largest
}

func bundleBytes(t testing.TB, bundle fs.FS) int64 {
	var total int64
	err := fs.WalkDir(bundle, ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// BenchmarkAnalysis is everything from bytes to the JSON report, on the largest sample.
func BenchmarkAnalysis(b *testing.B) {
	whole := files(b, largestSample(b))
	b.SetBytes(bundleBytes(b, whole))
	b.ReportAllocs()
	for b.Loop() {
		snapshot, err := ingest.Read(context.Background(), ingest.OpenFS(whole, "sample"), ingest.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := report.Write(&out, "json", analyze.Run(b.Context(), snapshot, analyze.Options{Version: testVersion})); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLean: an analysis has a limit of its own, a lower one that was given stays, and afterwards there is the one from before.
func TestLean(t *testing.T) {
	was := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(was)
	for _, given := range []int64{math.MaxInt64, 64 << 20} {
		debug.SetMemoryLimit(given)
		done := lean()
		limit := debug.SetMemoryLimit(-1)
		done()
		if limit > given || limit > leanMemory+4<<30 || given < leanMemory && limit != given || debug.SetMemoryLimit(-1) != given {
			t.Errorf("%d were given, %d limit, %d afterwards", given, limit, debug.SetMemoryLimit(-1))
		}
	}
}
