package logfile

import (
	"bytes"
	"slices"
	"testing"
	"time"
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
