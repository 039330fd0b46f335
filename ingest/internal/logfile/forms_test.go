package logfile

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
)

// stampedLines are the lines of a log with the time that a runtime writes beside each, a little after the line's own.
func stampedLines(t testing.TB, log []byte) []plainLine {
	t.Helper()
	var out []plainLine
	at := time.Time{}
	for line := range bytes.Lines(log) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if len(line) > 21 {
			if clock, err := time.Parse("20060102 15:04:05.000000", "2026"+string(line[1:21])); err == nil {
				at = clock.Add(123456)
			}
		}
		out = append(out, plainLine{at, string(line)})
	}
	return out
}

// BenchmarkForms reads a long log in the forms that are common, and in two of the others.
func BenchmarkForms(b *testing.B) {
	lines := stampedLines(b, longLog(b, 8<<20))
	for _, tr := range transports {
		if !slices.Contains(fuzzed, tr.name) && tr.name != "journalctl -o json" && tr.name != "loki query_range" {
			continue
		}
		b.Run(tr.name, func(b *testing.B) {
			text := []byte(tr.write(lines))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				reports(b, text)
			}
		})
	}
}

// In the common forms nearly all that tells nothing is passed over: else they would be read, and well, but slowly.
func TestFormsArePassedOver(t *testing.T) {
	lines := stampedLines(t, longLog(t, 2<<20))
	for _, tr := range transports {
		if !slices.Contains(fuzzed, tr.name) {
			continue
		}
		s := logline.NewScanner(strings.NewReader(tr.write(lines)))
		passed, rest := 0, 0
		s.Skip(skipper(maphash.MakeSeed()), func(st *logline.Stretch) bool {
			passed += st.Records
			return true
		})
		for range s.Records {
			rest++
		}
		s.Close()
		if passed < 4*rest {
			t.Errorf("%s: of %d records, %d are passed over", tr.name, passed+rest, passed)
		}
	}
}
