package ingest

import (
	"fmt"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// TestManyTimestamps: more files that hold a time than any collection has are left out: each is held against each.
func TestManyTimestamps(t *testing.T) {
	const n = 20 * maxDated
	parts := make([]*part, n)
	for i := range parts {
		parts[i] = &part{input: &model.Input{Path: fmt.Sprintf("d%05d/timestamp", i)}, stamps: []layout.Stamp{{At: time.Unix(int64(i), 0), Line: 1}}}
	}
	if got := len(stamped(parts)); got != maxDated {
		t.Errorf("%d captures of %d, want %d", got, n, maxDated)
	}
}
