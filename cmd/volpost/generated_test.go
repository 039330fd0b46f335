//go:build long

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// generate writes a bundle of a seed and returns its folder.
func generate(t *testing.T, seed string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "generated")
	args := []string{"run", "-C", "../../samples/generate", ".", "-seed", seed, "-nodes", "80", "-pods", "400", "-volumes", "120",
		"-incidents", "24", "-logs", "6M", "-o", dir}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// TestGenerated analyses a generated cluster: each of its incidents is found with what is known of it, and no other. Larger ones
// are run by hand (docs/performance.md).
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("generates a cluster")
	}
	for _, seed := range []string{"1", "2"} {
		dir := generate(t, seed)
		got := volpost("analyze", filepath.Join(dir, "bundle"), "-o", "json")
		if got.code != 0 {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		checkGenerated(t, []byte(got.stdout), filepath.Join(dir, "truth.json"), 24)
	}
}

// TestGeneratedByHand compares the report VOLPOST_REPORT with the truth VOLPOST_TRUTH of a generated bundle that is too large to be made
// by a test.
func TestGeneratedByHand(t *testing.T) {
	path, truth := os.Getenv("VOLPOST_REPORT"), os.Getenv("VOLPOST_TRUTH")
	if path == "" {
		t.Skip("VOLPOST_REPORT and VOLPOST_TRUTH name no files")
	}
	report, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkGenerated(t, report, truth, 1)
}

// checkGenerated scores a report, and wants each affected volume reported once.
func checkGenerated(t *testing.T, report []byte, truthPath string, atLeast int) {
	t.Helper()
	truth, err := os.ReadFile(truthPath)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, report, truth, false)
	var want truthFile
	var got scoredReport
	if err := json.Unmarshal(truth, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(report, &got); err != nil {
		t.Fatal(err)
	}
	if len(want.Affected) < atLeast || len(got.Incidents) != len(want.Affected) {
		t.Errorf("%d incidents reported of %d affected volumes, want at least %d", len(got.Incidents), len(want.Affected), atLeast)
	}
}

// TestGeneratedSpoiled: a truth that is another bundle's is not agreed with.
func TestGeneratedSpoiled(t *testing.T) {
	truth := []byte(`{"causeClass":"generated","affected":[{"pv":"pvc-none","causeClass":"node-down",` +
		`"times":{"multiAttachFirstEvent":"2026-03-14T09:00:00Z"}}]}`)
	var report bytes.Buffer
	_ = json.NewEncoder(&report).Encode(map[string]any{"verdict": map[string]string{"status": "incident"}})
	if s := scored(t, report.Bytes(), truth, false); len(s.wrong) == 0 {
		t.Error("an incident that is not reported is not missed")
	}
}
