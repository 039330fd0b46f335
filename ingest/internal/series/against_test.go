package series

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMetaAgainstIndex: a meta.json has no checksum. What it states counts only where the index says nothing, and nothing is lost by it.
func TestMetaAgainstIndex(t *testing.T) {
	day := float64(24 * time.Hour.Milliseconds())
	for _, c := range []struct {
		what   string
		change func(meta, stats map[string]any)
	}{
		{"as it was written", func(_, _ map[string]any) {}},
		{"fewer series", func(_, s map[string]any) { s["numSeries"] = 2 }},
		{"it ends before its samples", func(m, _ map[string]any) { m["maxTime"] = 100 }},
		{"it begins after its first sample", func(m, _ map[string]any) { m["minTime"] = 10 }},
		{"it ends long after its samples", func(m, _ map[string]any) { m["maxTime"] = 2 * day }},
		{"it ends an hour after them, as one does whose targets went away", func(m, _ map[string]any) { m["maxTime"] = day / 24 }},
		{"a field is missing", func(m, _ map[string]any) { delete(m, "minTime") }},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := blockOf(t, t.TempDir(), `up{job="a"}`, `up{job="b"}`, `other{job="a"}`)
			rewrite(t, filepath.Join(dir, "meta.json"), c.change)
			s := open(t, dir)
			defer func() { _ = s.Close() }() // it was only read
			b := s.blocks[0]
			if b.Damage != nil {
				t.Errorf("told %q", b.Damage)
			}
			if !b.From.Equal(instant(0)) || !b.To.Equal(instant(perSeries-1)) || b.Series != 3 {
				t.Errorf("it has %d series from %s to %s", b.Series, b.From, b.To)
			}
			if got, err := dump(s.Source("d", ""), instant(150), instant(199)); err != nil || strings.Count(got, " 50 to 199") != 3 {
				t.Errorf("of the last samples: %s (%v)", got, err)
			}
		})
	}
}

func rewrite(t *testing.T, name string, change func(meta, stats map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	change(m, m["stats"].(map[string]any))
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
