package series

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/volpost/volpost/model"
)

// expiring is a context whose time is up when it has been asked so often.
type expiring struct {
	context.Context
	left atomic.Int64
}

func (c *expiring) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestTimeIsUp ends the time at each question: every series that is given is whole, and nothing goes on for long.
func TestTimeIsUp(t *testing.T) {
	many := blockOf(t, t.TempDir(), `up{job="x"}`, `up{job="y"}`, `up{job="z"}`)
	// Chunks without a sample: tsdb goes through all of them to find the first.
	empty := chunkBlock(t, chunkenc.NewXORChunk())
	indexAgain(t, empty, 1, 50_000, 8)
	const never = 1 << 40
	for dir, series := range map[string]int{many: 3, empty: 1} {
		for _, asked := range []int64{0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, 100, never} {
			b, err := OpenBlock(t.Context(), dir, filepath.Base(dir))
			must(t, err)
			ctx, given := &expiring{Context: t.Context()}, 0
			ctx.left.Store(asked)
			s := NewStore(ctx, b)
			err = s.Select(nil, time.Time{}, time.Time{}, func(l model.Labels, samples model.Samples) error {
				given++
				n := 0
				for _, err := range samples {
					must(t, err)
					n++
				}
				if dir == many && n != perSeries {
					t.Errorf("after %d questions, %s has %d samples", asked, l, n)
				}
				return nil
			})
			switch over := ctx.left.Load(); {
			case asked == never && dir == empty && asked-over < 50_000:
				t.Errorf("nobody asks between chunks: %d questions", asked-over)
			case over >= 0 && (err != nil || given != series):
				t.Errorf("%d series of %d, %v", given, series, err)
			case over < 0 && (!errors.Is(err, context.DeadlineExceeded) || over < -10):
				t.Errorf("after %d questions: %v, and %d more", asked, err, -over)
			}
			must(t, s.Close())
		}
	}
}

// TestOpenedTooLate: what takes too long to open is left, and closed when it is open.
func TestOpenedTooLate(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	opens, closed := make(chan struct{}), make(chan struct{})
	b, _, err := inTime(ctx, func() (*Block, string, error) {
		<-opens
		return &Block{head: storage.NoopQuerier(), shut: func() error { close(closed); return nil }}, "", nil
	})
	if b != nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %v", b, err)
	}
	close(opens)
	<-closed
}
