package ingest

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

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

// TestTimeIsUpInMetrics: wherever the time ends, the stage and what of the metrics was not read are named, and of what was read
// nothing seems to have ended.
func TestTimeIsUpInMetrics(t *testing.T) {
	dir := someBlock(t)
	const never = 1 << 40
	read := func(asked int64) (*model.Snapshot, int64) {
		t.Helper()
		b, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		ctx := &expiring{Context: t.Context()}
		ctx.left.Store(asked)
		s, err := Read(ctx, b, Options{})
		if err != nil && !strings.HasSuffix(err.Error(), timeIsUp("the bundle was read").Message) { // before anything was
			t.Fatal(err)
		}
		return s, asked - ctx.left.Load()
	}
	all, asks := read(never)
	whole := map[string]bool{}
	for _, o := range all.Observations {
		whole[string(o.Kind)+o.Quote.Text] = true
	}
	seen := map[string]bool{}
	for n := range int64(40) {
		s, _ := read(asks * n / 40)
		if s == nil {
			continue
		}
		said := s.Problems[slices.IndexFunc(s.Problems, model.Problem.CutsShort)].Message
		seen[said] = true
		var told strings.Builder
		for _, p := range s.Problems {
			told.WriteString(p.Message + "\n")
		}
		if strings.Count(told.String(), "(--max-time)") != 1 || strings.Contains(said, "metrics") && !strings.Contains(told.String(), "for want of time") {
			t.Errorf("%d of 40: %s", n, told.String())
		}
		for _, o := range s.Observations {
			if o.Kind == model.WaitsSampled || o.Kind == model.WaitsHidden {
				t.Errorf("%d of 40: read in part, the metrics show all waits", n)
			}
			if strings.Contains(o.Quote.Text, ", none @") && !whole[string(o.Kind)+o.Quote.Text] {
				t.Errorf("%d of 40: an end that the whole does not know: %s %s", n, o.Kind, o.Quote.Text)
			}
		}
	}
	if !seen[timeIsUp("the metrics were read").Message] {
		t.Errorf("the time was never up while the metrics were read: %v", seen)
	}
}
