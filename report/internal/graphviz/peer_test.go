package graphviz

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDrawsAsThePackage: the calls of this package draw what github.com/goccy/go-graphviz draws, byte by byte, of the
// graphs that the goldens of report hold.
func TestDrawsAsThePackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with go-graphviz in it, and compiles Graphviz once more")
	}
	dir := t.TempDir()
	peer := filepath.Join(dir, "peer.exe")
	if out, err := exec.Command("go", "build", "-o", peer, "./peer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	graphs, err := filepath.Glob("../../testdata/*.dot")
	if err != nil || len(graphs) < 2 {
		t.Fatalf("graphs %q, %v", graphs, err)
	}
	for _, path := range graphs {
		dot, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The package keeps its compiled code in the temporary directory, where another user's would make it panic.
		cmd := exec.Command(peer)
		cmd.Env = append(os.Environ(), "TMPDIR="+dir, "TMP="+dir)
		cmd.Stdin = bytes.NewReader(dot)
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if got := draw(t, string(dot)); got != string(want) {
			t.Errorf("%s: the picture is not that of go-graphviz:\n%s\n%s", path, got, want)
		}
	}
}
