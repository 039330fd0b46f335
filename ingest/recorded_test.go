package ingest

import (
	"strings"
	"testing"
)

// A full must-gather misses what a must-gather never holds, and nothing else.
func TestRecordedBundlesMissLittle(t *testing.T) {
	for _, dir := range recorded(t, "bundle") {
		s := readDir(t, dir)
		for _, n := range s.NotCollected {
			if n.What != "no audit log" && n.What != "no metrics" && !strings.HasPrefix(n.What, "no kubelet log of ") {
				t.Errorf("%s: %s", dir, n.What)
			}
		}
		if s.CapturedAt == nil || len(s.Layouts) != 1 || s.Layouts[0] != "must-gather" {
			t.Errorf("%s: captured at %v, layouts %v", dir, s.CapturedAt, s.Layouts)
		}
		for _, p := range s.Problems {
			t.Logf("%s: %+v", dir, p)
		}
	}
}
