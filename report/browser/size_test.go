package browser_test

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/played"
)

// most is what the page of a report may have: bytes, and sheets of A4. One incident has one limit, as ordinary hand-overs have together,
// and the volumes of one node another.
func most(r *model.Report) (bytes, sheets int) {
	if len(r.Incidents) <= 1 || r.Verdict.Status == model.StatusHandover {
		return 300_000, 2
	}
	return 700_000, 4
}

func fileSize(t *testing.T, file string) int {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}

// sheetsOf counts the pages of a document that Chromium wrote.
func sheetsOf(pdf []byte) int { return len(pageObject.FindAll(pdf, -1)) }

var pageObject = regexp.MustCompile(`/Type\s*/Page\b[^s]`)

// recording is one that the limits hold for.
type recording struct {
	name   string
	report func(testing.TB) *model.Report
	again  bool // another of its kind is looked at closely
}

// everyRecording are the samples, the older recordings, twenty-five volumes, and what lies beside the repository: recordings of real
// nodes, and what people pasted.
func everyRecording(t *testing.T) []recording {
	t.Helper()
	var out []recording
	for _, s := range samples.List() {
		out = append(out, recording{"sample-" + s.Name, func(t testing.TB) *model.Report { return sampled(t, s.Name) }, false})
	}
	for _, name := range played.List() {
		out = append(out, recording{"played-" + name, func(t testing.TB) *model.Report { return recorded(t, name) }, true})
	}
	out = append(out, recording{"twenty-five", func(t testing.TB) *model.Report { return withVolumes(t, sampled(t, "many-volumes"), 25) }, false})
	for _, kind := range []string{"real/*/bundle", "wild/[0-9]*"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "incidents", filepath.FromSlash(kind)))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found {
			name := filepath.Base(strings.TrimSuffix(dir, "bundle"))
			out = append(out, recording{"beside-" + name, func(t testing.TB) *model.Report { return reportOf(t, ingest.OpenFS(without{os.DirFS(dir)}, name)) }, false})
		}
	}
	return out
}

// without is a directory without what a collection does not have: what is known about it.
type without struct{ fs.FS }

func (w without) Open(name string) (fs.File, error) {
	if path.Base(name) == "meta.json" {
		return nil, fs.ErrNotExist
	}
	return w.FS.Open(name)
}

func (w without) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(w.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.Name() == "meta.json" }), err
}

// BenchmarkLargestRecording renders fifteen volumes of one node; 150 ms are what a reader does not notice.
func BenchmarkLargestRecording(b *testing.B) {
	r := recorded(b, "many-volumes")
	if err := report.Write(io.Discard, "html", r); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := report.Write(io.Discard, "html", r); err != nil {
			b.Fatal(err)
		}
	}
}
