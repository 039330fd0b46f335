package browser_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

// small is the size, in bytes, that the page of a recorded incident keeps below: what any ticket takes and any mail carries.
const small = 1_000_000

func TestPagesAreSmall(t *testing.T) {
	list := []string{"two-incidents"} // the largest
	if !testing.Short() {
		list = nil
		for _, s := range samples.List() {
			list = append(list, s.Name)
		}
	}
	for _, name := range list {
		var b bytes.Buffer
		if err := report.Write(&b, "html", sampled(t, name)); err != nil {
			t.Fatal(err)
		}
		if b.Len() > small {
			t.Errorf("the page of %s has %d bytes", name, b.Len())
		}
	}
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
