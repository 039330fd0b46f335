package report

import (
	"bytes"
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// storedCost is how many times as long as encoding/json, which checks nothing, Read took on one processor when
// docs/performance.md was written.
const storedCost = 3.2

// TestReadSpeed: making sure of a report costs no more beside decoding it than it did. Both are measured in turn, on one
// processor, and the best of each counts, so that neither the machine nor what else runs there decides.
func TestReadSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures times")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	text := []byte(render(t, "json", many(100)))
	best := func(least time.Duration, run func()) time.Duration {
		start := time.Now()
		run()
		return min(least, time.Since(start))
	}
	read, decoded := time.Hour, time.Hour
	for range 6 {
		read = best(read, func() {
			if _, err := Read(bytes.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		})
		decoded = best(decoded, func() {
			if err := json.Unmarshal(text, new(model.Report)); err != nil {
				t.Fatal(err)
			}
		})
	}
	ratio := read.Seconds() / decoded.Seconds()
	t.Logf("%d MB: %.0f MB/s, %.2f times as long as encoding/json alone", len(text)>>20, float64(len(text))/1e6/read.Seconds(), ratio)
	if ratio > 2*storedCost {
		t.Errorf("a report is read in %.1f times the time of encoding/json alone; it was %.1f", ratio, storedCost)
	}
}

func BenchmarkReadReport(b *testing.B) {
	text := []byte(render(b, "json", many(100)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
