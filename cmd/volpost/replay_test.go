package main

import (
	"encoding/json"
	"errors"
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
	bundle, saved = volpost("replay", "sample:node-deleted", "--what-if", "out-of-service-taint"), volpost("replay", file, "--what-if",
		"out-of-service-taint")
	if saved.code != exitOK || !strings.Contains(saved.stdout, "what if: == ") || !strings.Contains(saved.stdout, "the new pod would be Ready") {
		t.Errorf("exit code %d, %s\n%s", saved.code, saved.stderr, firstDifference(bundle.stdout, saved.stdout))
	}
	for _, args := range [][]string{
		{"--what-if", "out-of-service-taint@09:17:20"}, {"--what-if", "delete-node", "--what-if", "fence-node"}, {"--what-if", "nothing"},
		{"--incident", "2"},
	} {
		if got := volpost(append([]string{"replay", file}, args...)...); got.code != exitFailed && got.code != exitUsage ||
			!strings.Contains(got.stderr, "\nhint: ") || got.stdout != "" {
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

// A report whose keys another tool has sorted is one, wherever a bundle may stand in its place.
func TestReportOfSortedKeys(t *testing.T) {
	written := volpost("analyze", "sample:handover", "-o", "json")
	var value map[string]any
	if err := json.Unmarshal([]byte(written.stdout), &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	first, sorted := filepath.Join(dir, "first.json"), filepath.Join(dir, "sorted.json")
	if err := errors.Join(os.WriteFile(first, []byte(written.stdout), 0o600), os.WriteFile(sorted, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, want := volpost("replay", sorted, "--plain"), volpost("replay", first, "--plain"); got.code != 0 || got.stdout != want.stdout {
		t.Errorf("replay: exit code %d, %s", got.code, got.stderr)
	}
	if got := volpost("diff", first, sorted); got.code != 0 || !strings.Contains(got.stdout, "(report)") {
		t.Errorf("diff: exit code %d, %s%s", got.code, got.stderr, got.stdout)
	}
}
