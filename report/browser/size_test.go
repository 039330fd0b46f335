package browser_test

import (
	"io"
	"os"
	"regexp"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// sizeMost is what the page of a report may have, in bytes: of one incident, and of the volumes of one node.
func sizeMost(r *model.Report) int {
	if len(r.Incidents) <= 1 {
		return 300_000
	}
	return 700_000
}

// sheetsMost is how many sheets of A4 it may print on.
func sheetsMost(r *model.Report) int {
	if len(r.Incidents) <= 1 {
		return 2
	}
	return 4
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
}

// everyRecording are the samples and the older recordings.
func everyRecording(t *testing.T) []recording {
	t.Helper()
	var out []recording
	for _, s := range samples.List() {
		out = append(out, recording{"sample-" + s.Name, func(t testing.TB) *model.Report { return sampled(t, s.Name) }})
	}
	for _, name := range recordings.Names(recordings.Played) {
		out = append(out, recording{"played-" + name, func(t testing.TB) *model.Report { return recorded(t, name) }})
	}
	return out
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
