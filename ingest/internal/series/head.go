package series

import (
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// OpenHead opens the write-ahead log and head chunks of a data directory. dir is a private copy with wal/ and no block, because reading may
// repair it. lost is a sentence about damage. A head has one querier at a time, which stays open until Close.
func OpenHead(dir, path string) (b *Block, lost string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			b, err = nil, fmt.Errorf("is damaged: %v", fault)
		}
	}()
	if err := os.MkdirAll(filepath.Join(dir, "chunks_head"), 0o700); err != nil {
		return nil, "", innermost(err)
	}
	q, shut, err := readOnlyHead(dir)
	if err != nil {
		lost = "is damaged (" + innermost(err).Error() + "): what follows the damage is not read"
		if q, shut, err = repairedHead(dir); err != nil {
			return nil, "", fmt.Errorf("cannot be read: %w", innermost(err))
		}
	}
	return &Block{Path: path, head: q, shut: shut}, lost, nil
}

func readOnlyHead(dir string) (storage.Querier, func() error, error) {
	db, err := tsdb.OpenDBReadOnly(dir, "", slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, nil, err
	}
	q, err := db.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		_ = db.Close() // the error before matters more
		return nil, nil, err
	}
	return q, db.Close, nil
}

// repairedHead opens the copy for writing, which cuts a torn log where its damage begins.
func repairedHead(dir string) (storage.Querier, func() error, error) {
	options := tsdb.DefaultOptions()
	options.NoLockfile = true
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, options, nil)
	if err != nil {
		return nil, nil, err
	}
	db.DisableCompactions()
	q, err := db.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		_ = db.Close() // the error before matters more
		return nil, nil, err
	}
	return q, db.Close, nil
}

// keptOpen is a querier that outlives its users.
type keptOpen struct{ storage.Querier }

// Close does nothing.
func (keptOpen) Close() error { return nil }
