package analyze_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestOutlookOfAStuckUnmount takes a bundle from a stuck unmount on a node that is Ready two minutes after its beginning,
// and changes nothing but the version: it decides whether six minutes help.
func TestOutlookOfAStuckUnmount(t *testing.T) {
	for _, c := range []struct {
		version string
		never   bool
	}{{"v1.34.3", true}, {"v1.25.0", true}, {"v1.24.9", true}, {"v1.24.8", false}, {"v1.23.17", false}} {
		t.Run(c.version, func(t *testing.T) {
			r := stuckUnmount(t, c.version).report(t)
			if len(r.Incidents) != 1 || r.Incidents[0].Model == nil {
				t.Fatalf("%d incidents", len(r.Incidents))
			}
			m := r.Incidents[0].Model
			if got := strings.Contains(m.Outlook, "never ends"); got != c.never || m.Withheld != "" {
				t.Errorf("outlook %q, withheld %q", m.Outlook, m.Withheld)
			}
			if c.never {
				return
			}
			forced := time.Date(2026, 3, 14, 10, 6, 0, 0, time.UTC)
			ready := r.Incidents[0].Span.From.At.Add(time.Duration(*m.PredictedSeconds * float64(time.Second)))
			if d := ready.Sub(forced); d < 0 || d > 3*time.Minute {
				t.Errorf("Ready is predicted for %s, and the six minutes end at %s", ready, forced)
			}
		})
	}
}

// TestOutlookWithoutVersion: it depends on the version, and nothing is claimed.
func TestOutlookWithoutVersion(t *testing.T) {
	m := stuckUnmount(t, "").report(t).Incidents[0].Model
	if !strings.Contains(m.Outlook, "depends on the version") {
		t.Errorf("outlook %q", m.Outlook)
	}
}

func stuckUnmount(t *testing.T, version string) oneCase {
	t.Helper()
	c := parseCase(t, filepath.Join("testdata", "unmount-stuck", "yes-1.34.txtar"))
	changed := fstest.MapFS{}
	for name, f := range c.bundle {
		data := bytes.ReplaceAll(f.Data, []byte("v1.34.3"), []byte(version))
		if strings.HasSuffix(name, ".log") {
			data = until(data, "2026-03-14T10:02")
		}
		changed[name] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	changed["timestamp"] = &fstest.MapFile{Data: []byte("2026-03-14 10:02:00.000000 +0000 UTC m=+0.1\n"), Mode: 0o644}
	c.bundle = changed
	return c
}

// until keeps the lines of a log before a time.
func until(log []byte, end string) []byte {
	var out []byte
	for line := range bytes.Lines(log) {
		if string(line[:min(len(line), len(end))]) < end {
			out = append(out, line...)
		}
	}
	return out
}
