//go:build long && unix

package logfile

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/samples/growth"
)

// worst are logs of so many lines, each the worst for something that a log is read with: line is what stands behind the clock, and at
// how late it is.
var worst = []struct {
	name string
	line func(i, n int) string
	at   func(i, n int) time.Duration // nil for ten lines a second
}{
	{"repetitions of a few statements", func(i, _ int) string { return stillMounted(i % 20) }, nil},
	{"repetitions of many statements", func(i, _ int) string { return stillMounted(i % 5000) }, nil},
	{"statements about many objects", func(i, _ int) string { return stillMounted(i) }, nil},
	{"statements that are never repeated", func(i, _ int) string { return attached(i) }, nil},
	{"successes between repetitions", func(i, _ int) string {
		if i%2 == 0 {
			return attached(i / 2 % 7)
		}
		return stillMounted(i / 2 % 7)
	}, nil},
	{"statements with long lines below them", func(i, _ int) string { return stillMounted(i%20) + strings.Repeat("\n\tgoes on", i%50) }, nil},
	{"heartbeats missed", func(i, n int) string {
		return fmt.Sprintf(`node_lifecycle_controller.go:1123] "Node hasn't been updated" node="n%d" duration="%s"`, i%100,
			time.Duration(i)*100*time.Millisecond)
	}, nil},
	{"outages of nodes", func(i, n int) string {
		return fmt.Sprintf(`node_lifecycle_controller.go:1123] "Node hasn't been updated" node="n%d" duration="40s"`, i%100)
	}, nil},
	{"source lines", func(i, _ int) string { return fmt.Sprintf(`file%d.go:%d] "dull" n=%d`, i%5000, i, i) }, nil},
	{"statements out of order", func(i, _ int) string { return stillMounted(i % 20) }, func(i, n int) time.Duration {
		return time.Duration(rand.New(rand.NewPCG(uint64(i), 1)).IntN(n)) * 100 * time.Millisecond
	}},
	{"statements with the newest first", func(i, _ int) string { return attached(i) },
		func(i, n int) time.Duration { return time.Duration(n-i) * 100 * time.Millisecond }},
	{"lines with a step back in each hundred", func(i, _ int) string { return stillMounted(i % 20) }, func(i, _ int) time.Duration {
		return time.Duration(i-i%100/99*50) * 100 * time.Millisecond
	}},
}

func stillMounted(volume int) string {
	return fmt.Sprintf(`reconciler.go:241] "Cannot detach volume because it is still mounted" logger="l" node="n" `+
		`volumeName="kubernetes.io/csi/d^v%d"`, volume)
}

func attached(volume int) string {
	return fmt.Sprintf(`operation_generator.go:1] AttachVolume.Attach succeeded for volume "p%d" (UniqueName: "kubernetes.io/csi/d^v%[1]d") `+
		`from node "n"`, volume)
}

// TestGrowth: four times of what is worst takes at most growth.Most times the CPU.
func TestGrowth(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // how often it collects depends on what was before
	const n = 20_000
	began := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for _, w := range worst {
		log := func(n int) string {
			var b strings.Builder
			for i := range n {
				at := time.Duration(i) * 100 * time.Millisecond
				if w.at != nil {
					at = w.at(i, n)
				}
				b.WriteString("I" + began.Add(at).Format("0102 15:04:05.000000") + "       1 " + w.line(i, n) + "\n")
			}
			return b.String()
		}
		t.Run(w.name, func(t *testing.T) {
			small, large := log(n), log(4*n)
			took := growth.Check(t, w.name, func() { readText(small, Hint{}) }, func() { readText(large, Hint{}) })
			t.Logf("%d MB take %v", len(large)>>20, took)
		})
	}
}
