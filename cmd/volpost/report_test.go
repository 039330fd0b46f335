package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// allOutputs is a value of -o that writes every format into a directory.
func allOutputs(dir string) string {
	var list []string
	for _, f := range report.Formats() {
		list = append(list, f.Name+"="+filepath.Join(dir, "report"+f.Extension))
	}
	return strings.Join(list, ",")
}

// TestReportIsWhatAnalyzeWrote renders the JSON of each recording in every format and compares with what analyze wrote.
func TestReportIsWhatAnalyzeWrote(t *testing.T) {
	t.Parallel()
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) {
			first, again := t.TempDir(), t.TempDir()
			if got := volpost("analyze", samplePrefix+s.Name, "-o", allOutputs(first)); got.code != exitOK {
				t.Fatal(got.stderr)
			}
			if got := volpost("report", filepath.Join(first, "report.json"), "-o", allOutputs(again)); got.code != exitOK || got.stdout != "" {
				t.Fatal(got.stderr)
			}
			for _, f := range report.Formats() {
				want, err := os.ReadFile(filepath.Join(first, "report"+f.Extension))
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(again, "report"+f.Extension))
				if err != nil || !bytes.Equal(got, want) || len(want) == 0 {
					t.Errorf("%s differs from what analyze wrote (%v): %s", f.Name, err, firstDifference(string(want), string(got)))
				}
			}
			if left, err := os.ReadDir(again); err != nil || len(left) != len(report.Formats()) {
				t.Errorf("files beside the outputs: %v, %v", left, err)
			}
		})
	}
}

func TestReportOfAPipe(t *testing.T) {
	text, _ := ofSample(t, "handover")
	var out, stderr bytes.Buffer
	code := app{stdin: bytes.NewReader(text), stdout: &out, stderr: &stderr, version: testVersion}.run([]string{"report", "-", "-o", "json"})
	if code != exitOK || !bytes.Equal(out.Bytes(), text) {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	stderr.Reset()
	broken := app{stdin: strings.NewReader("none"), stdout: &out, stderr: &stderr, version: testVersion}
	if code := broken.run([]string{"report", "-"}); code != exitFailed || !strings.HasPrefix(stderr.String(), "volpost: standard input") {
		t.Errorf("a pipe without a report: exit code %d: %s", code, stderr.String())
	}
}

func TestReportIsSpared(t *testing.T) {
	t.Chdir(t.TempDir())
	text, _ := ofSample(t, "handover")
	if err := os.WriteFile("r.json", text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{"html=r.json", "text=./r.json", "md=../" + filepath.Base(mustGetwd(t)) + "/r.json"} {
		got := volpost("report", "r.json", "-o", output)
		if got.code != exitUsage || !strings.Contains(got.stderr, "is not written over") {
			t.Errorf("%s: exit code %d: %s", output, got.code, got.stderr)
		}
		content(t, "r.json", string(text))
	}
}

func mustGetwd(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
