package ingest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// stampedPart is a timestamp file of a must-gather.
func stampedPart(path string, second int) *part {
	at := time.Date(2026, 3, 14, 10, 0, second%60, 0, time.UTC)
	return &part{input: &model.Input{Path: path}, stamps: []layout.Stamp{{At: at}}}
}

// TestStamped: the timestamps of a directory and of those in it bound one collection, in whatever order they are read; siblings are others.
func TestStamped(t *testing.T) {
	parts := []*part{stampedPart("a/image/timestamp", 5), stampedPart("a/timestamp", 1), stampedPart("b/timestamp", 9), stampedPart("ab/timestamp", 2)}
	for range 2 {
		var roots []string
		for _, c := range stamped(parts) {
			roots = append(roots, fmt.Sprintf("%s %d-%d", c.root, c.first.Second(), c.last.Second()))
		}
		slices.Sort(roots)
		if want := []string{"a 1-5", "ab 2-2", "b 9-9"}; !slices.Equal(roots, want) {
			t.Errorf("%q, want %q", roots, want)
		}
		slices.Reverse(parts)
	}
}

// TestStampedIsLinear: 80,000 timestamps are not held against one another, which took minutes.
func TestStampedIsLinear(t *testing.T) {
	var parts []*part
	for n := range 80_000 {
		parts = append(parts, stampedPart(fmt.Sprintf("d%d/timestamp", n), n))
	}
	begun := time.Now()
	if n := len(stamped(parts)); n != 80_000 {
		t.Errorf("%d collections", n)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}
