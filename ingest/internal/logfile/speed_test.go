package logfile

import (
	"bytes"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// recordedLog is the longest log of a controller manager in an older recording, without what its collector put before the lines.
func recordedLog(t testing.TB, sample string) string {
	t.Helper()
	bundle, err := recordings.Bundle(sample)
	if err != nil {
		t.Fatal(err)
	}
	paths, _ := fs.Glob(bundle, "*/namespaces/*/pods/*/kube-controller-manager/kube-controller-manager/logs/current.log")
	longest := ""
	for _, path := range paths {
		data, err := fs.ReadFile(bundle, path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > len(longest) {
			longest = string(data)
		}
	}
	var b strings.Builder
	for _, l := range linesOf(t, servedLog(longest)) {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// longLog is a log of about as many bytes: a recorded one, and then again and again those of its lines that a process goes on to
// write, later each time. Of these a missed heartbeat is the only statement; in every thirtieth round a node misses its own, which
// makes them 4 % of the lines, as many as in a larger recording.
func longLog(t testing.TB, size int) []byte {
	t.Helper()
	recorded := recordedLog(t, "force-delete")
	s := logline.NewScanner(strings.NewReader(recorded))
	type line struct {
		at   time.Time
		text string
		beat bool
	}
	var going []line
	var all covered
	for range s.Records {
		var r logline.Record
		s.ReadRecord(&r)
		all.widen(r.Time, r.Time, 1)
		beat := r.Message == "Node hasn't been updated"
		if _, told := phrase.Match(s.Head().File, s.Head().Text); beat || !told {
			going = append(going, line{r.Time, r.Raw, beat})
		}
	}
	out := bytes.NewBuffer(make([]byte, 0, size+1<<10))
	out.WriteString(recorded)
	for round := 1; ; round++ {
		for _, l := range going {
			if out.Len() >= size {
				return out.Bytes()
			}
			if l.beat && round%30 > 0 {
				continue
			}
			at := l.at.Add(time.Duration(round) * (all.to.Sub(all.from) + time.Second))
			fmt.Fprintf(out, "%c%s%s\n", l.text[0], at.Format("0102 15:04:05.000000"), l.text[21:])
		}
	}
}

// BenchmarkRead reads what a controller manager writes at verbosity 4.
func BenchmarkRead(b *testing.B) {
	log := longLog(b, 32<<20)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		reports(b, log)
	}
}

// reports reads a long log, and wants it to tell of the incident in it.
func reports(t testing.TB, log []byte) {
	t.Helper()
	r := Read(bytes.NewReader(log), "x.log", Hint{})
	found := 0
	for _, o := range r.Observations {
		if o.Kind == model.MultiAttach {
			found++
		}
	}
	if found == 0 || r.Input.Records < len(log)/2000 {
		t.Fatalf("%d records, %d reports of Multi-Attach", r.Input.Records, found)
	}
}

// BenchmarkReadAll is what BenchmarkRead is compared with: a log of which every record is parsed.
func BenchmarkReadAll(b *testing.B) {
	log := longLog(b, 32<<20)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		read(logline.NewScanner(bytes.NewReader(log)), "x.log", Hint{}, false)
	}
}

// BenchmarkCount only looks for the words, as grep does, but line by line.
func BenchmarkCount(b *testing.B) {
	log := longLog(b, 32<<20)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		count(b, log)
	}
}

// count is the least that can be done to the lines of a log: to find each, and whether it holds the words.
func count(t testing.TB, log []byte) {
	t.Helper()
	lines, found := 0, 0
	for line := range bytes.Lines(log) {
		lines++
		if bytes.Contains(line, []byte("Multi-Attach")) {
			found++
		}
	}
	if lines < 1000 || found == 0 {
		t.Fatal("not the log that was written")
	}
}

// slower is how many times as long as count reading takes on one processor, and twice that is too much.
const slower = 7.0

// TestSpeed compares what depends on the machine only a little: two ways over the same bytes, the best of many short runs each.
func TestSpeed(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("counting statements takes longer than they do")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	log := longLog(t, 8<<20)
	best := func(best time.Duration, do func(testing.TB, []byte)) time.Duration {
		start := time.Now()
		do(t, log)
		return min(best, time.Since(start))
	}
	counted, reading := time.Hour, time.Hour
	for range 60 {
		counted, reading = best(counted, count), best(reading, reports)
		if reading < time.Duration(1.2*slower*float64(counted)) {
			break
		}
	}
	ratio := float64(reading) / float64(counted)
	t.Logf("counting %v, reading %v: %.1f times as long", counted, reading, ratio)
	if ratio > 2*slower {
		t.Errorf("reading takes %.1f times as long as counting, on which %.0f is usual", ratio, slower)
	}
}
