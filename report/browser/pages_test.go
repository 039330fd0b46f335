package browser_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// page is a report as a file.
type page struct {
	name   string
	file   string
	report *model.Report
	made   bool // made up, with names that nobody has
}

func (p page) url() string { return "file://" + p.file }

// pages are three recorded incidents: one of a single volume, one of a node with fifteen, and one of a rollout that never
// ends; and a made-up report whose every name is hostile.
func pages(t *testing.T) []page {
	t.Helper()
	dir := t.TempDir()
	var out []page
	for _, name := range []string{"out-of-service", "many-volumes", "rollout-surge"} {
		out = append(out, write(t, dir, name, recorded(t, name)))
	}
	hostile := write(t, dir, "hostile", stored(t, filepath.Join("..", "testdata", "hostile.json")))
	hostile.made = true
	return append(out, hostile)
}

// recorded is the report of an older recording, which does not change.
func recorded(t testing.TB, name string) *model.Report {
	t.Helper()
	files, err := recordings.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return reportOf(t, ingest.OpenFS(files, name))
}

// sampled is the report of a sample, as the command makes it.
func sampled(t testing.TB, name string) *model.Report {
	t.Helper()
	files, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return reportOf(t, ingest.OpenFS(files, "sample:"+name))
}

func reportOf(t testing.TB, bundle *ingest.Bundle) *model.Report {
	t.Helper()
	t.Cleanup(func() { bundle.Close() })
	snapshot, err := ingest.Read(t.Context(), bundle, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), snapshot, analyze.Options{})
}

// stored is a report from its JSON.
func stored(t *testing.T, file string) *model.Report {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r model.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

func write(t *testing.T, dir, name string, r *model.Report) page {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, "html", r); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name+".html")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return page{name: name, file: file, report: r}
}
