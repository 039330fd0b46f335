package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/model"
)

// Options are what the caller decides about reading.
type Options struct {
	// Progress, unless nil, is called with the bytes done and the bytes of the whole bundle, from one goroutine at a time.
	Progress func(done, total int64)
}

// maxReaders bounds the files in memory at once: a manifest is read whole.
const maxReaders = 4

// Read reads a bundle. What cannot be read is a Problem of the snapshot; the error is that of ctx, or an *Error when
// nothing at all could be read. The snapshot depends on the bundle's bytes and paths alone, not on the order of reading.
func Read(ctx context.Context, b *Bundle, o Options) (*model.Snapshot, error) {
	entries, err := b.tree.Entries(ctx)
	if err != nil && !errors.Is(err, archive.ErrTooMany) {
		return nil, err
	}
	s := &model.Snapshot{Root: b.root}
	if err != nil {
		s.Problems = append(s.Problems, model.Problem{Severity: model.Failure, Path: ".",
			Message: fmt.Sprintf("the bundle has more than %d entries; the rest is not read", len(entries))})
	}
	skip, found := metricBlocks(entries)
	parts := readAll(ctx, entries, skip, o.Progress)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if found != "" {
		s.Problems = append(s.Problems, model.Problem{Severity: model.Info, Path: found,
			Message: "Prometheus blocks are not read by this version; times come from objects, events and logs"})
	}
	merge(s, entries, parts, found != "")
	if err := nothing(b, s); err != nil {
		return nil, err
	}
	return s, nil
}

// readAll reads every entry with a few workers. Large files go first, so that none is left for a single worker at the
// end; each result has its entry's place.
func readAll(ctx context.Context, entries []archive.Entry, skip func(string) bool, progress func(done, total int64)) []*part {
	order := make([]int, len(entries))
	var total int64
	for i := range entries {
		order[i] = i
		total += entries[i].Size
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entries[b].Size, entries[a].Size) })
	parts := make([]*part, len(entries))
	next := make(chan int)
	var done int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxReaders) {
		wg.Go(func() {
			for i := range next {
				parts[i] = readEntry(ctx, entries[i], skip(entries[i].Path))
				mu.Lock()
				if done += entries[i].Size; progress != nil {
					progress(done, total)
				}
				mu.Unlock()
			}
		})
	}
	for _, i := range order {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return parts
}

// nothing explains a bundle of which no byte could be read.
func nothing(b *Bundle, s *model.Snapshot) error {
	if len(s.Inputs) == 0 {
		if len(s.Problems) > 0 {
			return &Error{Msg: fmt.Sprintf("nothing in %s could be read: %s: %s", b.root, s.Problems[0].Path, s.Problems[0].Message), Hint: hint}
		}
		return &Error{Msg: fmt.Sprintf("%s holds no files", b.root), Hint: hint}
	}
	empty := true
	for _, in := range s.Inputs {
		if in.Kind != model.InputUnread && in.Kind != model.InputEmpty {
			return nil
		}
		empty = empty && in.Kind == model.InputEmpty
	}
	if empty {
		return &Error{Msg: fmt.Sprintf("every file in %s is empty", b.root), Hint: hint}
	}
	for _, p := range s.Problems {
		if p.Severity == model.Failure {
			return &Error{Msg: fmt.Sprintf("nothing in %s could be read: %s: %s", b.root, p.Path, p.Message), Hint: hint}
		}
	}
	return &Error{Msg: fmt.Sprintf("nothing in %s could be read", b.root), Hint: hint}
}
