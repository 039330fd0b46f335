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

// What a start may cost that reads no bundle and draws nothing.
const (
	startBudget     = 60 * time.Millisecond
	initBytesBudget = 8 << 20
	sizeBudget      = 60_000_000 // bytes of the program
)

// TestStartUp: volpost version and --help pay for what they do, not for Prometheus.
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
	for _, argument := range []string{"version", "--help"} {
		home := t.TempDir()
		environment := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME=", "TMPDIR="+home, "LOCALAPPDATA="+home)
		best, work := time.Hour, time.Hour
		for range 20 {
			c := exec.Command(program, argument)
			c.Env = environment
			start := time.Now()
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", argument, err, out)
			}
			best = min(best, time.Since(start))
			work = min(work, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		}
		t.Logf("%s: %v, of which %v work", argument, best.Round(100*time.Microsecond), work.Round(100*time.Microsecond))
		// The work counts: on a busy machine a process waits for its turn.
		if work > startBudget {
			t.Errorf("%s starts with %v of work at best, want at most %v", argument, work, startBudget)
		}
		if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v behind (%v)", argument, left, err)
		}
	}
}

// TestInitialisation watches what packages do before main, which every command pays for.
func TestInitialisation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	c := exec.Command(binary(t), "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
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
		if bytes > initBytesBudget/4 {
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
