package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplayOfAReport: a JSON report plays as the bundle does, and answers what it has answered.
func TestReplayOfAReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	if got := volpost("analyze", "sample:node-deleted", "-o", "json="+file); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	bundle, saved := volpost("replay", "sample:node-deleted"), volpost("replay", file)
	if saved.code != exitOK || saved.stdout != bundle.stdout {
		t.Errorf("exit code %d, %s\n%s", saved.code, saved.stderr, firstDifference(bundle.stdout, saved.stdout))
	}
	bundle, saved = volpost("replay", "sample:node-deleted", "--what-if", "delete-volume-attachment"), volpost("replay", file, "--what-if", "delete-volume-attachment")
	if saved.code != exitOK || !strings.Contains(saved.stdout, "AS IT WAS") || !strings.Contains(saved.stdout, "the new pod would be Ready") {
		t.Errorf("exit code %d, %s\n%s", saved.code, saved.stderr, firstDifference(bundle.stdout, saved.stdout))
	}
	for _, args := range [][]string{
		{"--what-if", "out-of-service-taint@09:17:20"}, {"--what-if", "delete-node", "--what-if", "fence-node"}, {"--what-if", "nothing"}, {"--incident", "2"},
	} {
		if got := volpost(append([]string{"replay", file}, args...)...); got.code != exitFailed && got.code != exitUsage || !strings.Contains(got.stderr, "\nhint: ") || got.stdout != "" {
			t.Errorf("%q: exit code %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	torn, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, torn[:len(torn)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if got := volpost("replay", file); got.code != exitFailed || !strings.Contains(got.stderr, file+":") {
		t.Errorf("a torn report: exit code %d, %s", got.code, got.stderr)
	}
}
