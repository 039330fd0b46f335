//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
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

// TestInterrupt sends the signal of Ctrl-C to a process that waits for a pipe that never ends.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := t.TempDir()
	blocked := filepath.Join(dir, "out")
	if err := syscall.Mkfifo(blocked, 0o644); err != nil {
		t.Fatal(err)
	}
	// Nobody opens the pipe for reading, so that opening it for the report blocks; the signal must still end the process.
	c := exec.Command(binary(t), "analyze", "sample:handover", "-o", "json="+blocked)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for range 2 { // the first asks, the second insists
		if err := c.Process.Signal(os.Interrupt); err != nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the interrupted process says that all went well")
		}
	case <-time.After(10 * time.Second):
		_ = c.Process.Kill()
		t.Error("the process does not end")
	}
}
