package ingest

import (
	"fmt"
	"math/rand"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// TestEnclosing: the capture of a timestamp is the first whose directory holds its own, or lies in it, as if each were compared with each.
func TestEnclosing(t *testing.T) {
	eachWithEach := func(roots []string, dir string) int {
		return slices.IndexFunc(roots, func(root string) bool { return within(dir, root) || within(root, dir) })
	}
	for seed := range 2000 {
		r, near := rand.New(rand.NewSource(int64(seed))), enclosing{}
		var roots []string
		for range 12 {
			dir := "."
			for range r.Intn(4) {
				dir = path.Join(dir, string(rune('a'+r.Intn(3))))
			}
			want, got := eachWithEach(roots, dir), near.of(dir)
			if got != want {
				t.Fatalf("%s among %v is of %d, want %d", dir, roots, got, want)
			}
			if got < 0 {
				roots = append(roots, dir)
				near.add(dir, len(roots)-1)
			} else if within(roots[got], dir) {
				roots[got] = dir
				near.add(dir, got)
			}
		}
	}
}

// TestManyTimestamps: of as many collections as there are files, each is compared with the directories above it alone.
func TestManyTimestamps(t *testing.T) {
	const n = 20_000
	parts := make([]*part, n)
	for i := range parts {
		parts[i] = &part{input: &model.Input{Path: fmt.Sprintf("d%05d/timestamp", i)}, stamps: []layout.Stamp{{At: time.Unix(int64(i), 0), Line: 1}}}
	}
	if got := len(stamped(parts)); got != n {
		t.Errorf("%d captures of %d", got, n)
	}
}
