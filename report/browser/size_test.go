package browser_test

import (
	"io"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// most is what the page of a report may have: bytes, and sheets of A4. One incident has one limit of bytes, as ordinary hand-overs have
// together, and the volumes of one node another.
func most(r *model.Report) (bytes, sheets int) {
	if len(r.Incidents) <= 1 || r.Verdict.Status == model.StatusHandover {
		return 300_000, 2
	}
	return 500_000, 2
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

// everyRecording are samples, recordings that are none, and twenty-five volumes; see recordings.Sweep.
func everyRecording(t *testing.T) []recording {
	t.Helper()
	var out []recording
	for _, s := range recordings.Sweep(samples.List()) {
		out = append(out, recording{"sample-" + s.Name, func(t testing.TB) *model.Report { return sampled(t, s.Name) }, false})
	}
	for _, name := range recordings.Sweep(recordings.Sweep(slices.Concat(recordings.Names(recordings.Played),
		recordings.Names(recordings.Real)))) {
		out = append(out, recording{"recording-" + name, func(t testing.TB) *model.Report { return recorded(t, name) }, true})
	}
	out = append(out, recording{"twenty-five", func(t testing.TB) *model.Report { return withVolumes(t, sampled(t, "many-volumes"), 25) },
		false})
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
