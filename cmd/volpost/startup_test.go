package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What a start may cost that reads no bundle and draws nothing. Graphviz is compiled before main: see report/internal/graphviz.
const (
	startShare      = 0.34            // of the work of a start that has no compiled code: a virtual machine takes six times as long for both as another
	compileBudget   = 2 * time.Second // where no compiled code is kept
	initBytesBudget = 15 << 20        // the forms of secrets and of what people paste take a half
	sizeBudget      = 60_000_000      // bytes of the program
)

// TestStartUp: volpost version and --help pay for what they do, and leave nothing in the temporary directory.
func TestStartUp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := binary(t)
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the program has %.1f MB", float64(info.Size())/1e6)
	if info.Size() > sizeBudget {
		t.Errorf("the program has %d bytes, want at most %d", info.Size(), sizeBudget)
	}
	best, work := started(t, program, "version", "/dev/null", 3, compileBudget)
	t.Logf("version, without compiled code: %v, of which %v work", best.Round(100*time.Microsecond), work.Round(100*time.Microsecond))
	// The work counts: on a busy machine a process waits for its turn.
	if work > compileBudget {
		t.Errorf("version starts with %v of work at best, without compiled code, want at most %v", work, compileBudget)
	}
	budget := time.Duration(startShare * float64(work))
	for _, argument := range []string{"version", "--help"} {
		best, work := started(t, program, argument, secluded(t), 20, budget)
		t.Logf("%s: %v, of which %v work", argument, best.Round(100*time.Microsecond), work.Round(100*time.Microsecond))
		if work > budget {
			t.Errorf("%s starts with %v of work at best, with compiled code, want at most %v", argument, work, budget)
		}
	}
}

// secluded makes a cache directory that only this user can write to, nor to what is above it: below /tmp nothing is kept.
func secluded(t *testing.T) string {
	t.Helper()
	base, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(base, ".volpost-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// started starts the program until it needs no more work than its budget, at most so many times, and returns the least time and work
// that it took.
func started(t *testing.T, program, argument, cache string, runs int, budget time.Duration) (best, work time.Duration) {
	t.Helper()
	temporary := t.TempDir()
	environment := append(os.Environ(), "HOME="+cache, "XDG_CACHE_HOME="+cache, "TMPDIR="+temporary, "LOCALAPPDATA="+cache)
	best, work = time.Hour, time.Hour
	for range runs {
		if work <= budget {
			break
		}
		c := exec.Command(program, argument)
		c.Env = environment
		start := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", argument, err, out)
		}
		best = min(best, time.Since(start))
		work = min(work, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%s leaves %v behind (%v)", argument, left, err)
	}
	return best, work
}

// TestInitialisation watches what packages do before main, which every command pays for.
func TestInitialisation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	cache := secluded(t)
	started(t, binary(t), "version", cache, 1, 0) // compiles Graphviz
	c := exec.Command(binary(t), "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1", "HOME="+cache, "XDG_CACHE_HOME="+cache)
	var trace bytes.Buffer
	c.Stderr = &trace
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	// init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs
	sum, packages := 0, 0
	for line := range strings.Lines(trace.String()) {
		words := strings.Fields(line)
		if len(words) < 9 || words[0] != "init" {
			continue
		}
		bytes, err := strconv.Atoi(words[7])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if bytes > initBytesBudget/2 {
			t.Errorf("too much for one package: %s", strings.TrimSpace(line))
		}
		sum += bytes
		packages++
	}
	if packages < 50 {
		t.Fatalf("only %d packages are initialised:\n%s", packages, trace.String())
	}
	if sum > initBytesBudget {
		t.Errorf("the packages allocate %d bytes before main, want at most %d", sum, initBytesBudget)
	}
}
