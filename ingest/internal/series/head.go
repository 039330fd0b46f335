package series

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// OpenHead opens the write-ahead log and head chunks of a data directory. dir is a private copy with wal/ and no block, because reading may
// repair it. lost is a sentence about damage. A head has one querier at a time, which stays open until Close. The error can be that of ctx.
func OpenHead(ctx context.Context, dir, path string) (b *Block, lost string, err error) {
	return inTime(ctx, func() (*Block, string, error) { return openHead(dir, path) })
}

func openHead(dir, path string) (b *Block, lost string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer recovered(&err, "is damaged")
	if err := os.MkdirAll(filepath.Join(dir, "chunks_head"), 0o700); err != nil {
		return nil, "", innermost(err)
	}
	q, shut, err := headIn(dir, false)
	if err != nil {
		lost = "is damaged (" + innermost(err).Error() + "): what follows the damage is not read"
		if q, shut, err = headIn(dir, true); err != nil {
			return nil, "", fmt.Errorf("cannot be read: %w", innermost(err))
		}
	}
	return &Block{Path: path, head: q, shut: shut}, lost, nil
}

// headIn opens the copy or, to repair it, opens it for writing, which cuts a truncated log where its damage begins.
func headIn(dir string, repair bool) (q storage.Querier, shut func() error, err error) {
	var db interface {
		storage.Queryable
		io.Closer
	}
	log := slog.New(slog.DiscardHandler)
	if repair {
		options := tsdb.DefaultOptions()
		options.NoLockfile = true
		db, err = tsdb.Open(dir, log, nil, options, nil)
	} else {
		db, err = tsdb.OpenDBReadOnly(dir, "", log)
	}
	if err != nil {
		return nil, nil, err
	}
	if own, ok := db.(*tsdb.DB); ok {
		own.DisableCompactions()
	}
	if q, err = db.Querier(math.MinInt64, math.MaxInt64); err != nil {
		_ = db.Close() // the error before matters more
		return nil, nil, err
	}
	return q, db.Close, nil
}

// keptOpen is a querier that outlives its users.
type keptOpen struct{ storage.Querier }

// Close does nothing.
func (keptOpen) Close() error { return nil }
