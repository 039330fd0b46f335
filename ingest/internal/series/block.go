package series

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Block is one opened block of a time series database. Its index is mapped, and nothing of it is read before it is asked.
type Block struct {
	Path     string // inside the bundle
	External model.Labels
	From, To time.Time
	Series   int      // that its index has, or its meta.json states
	Damage   []string // sentences about what in it contradicts itself

	low, high time.Time // no sample lies outside
	block     *tsdb.Block
	dir       string
	read      int             // series that were selected since it was opened
	queriers  int             // that are open
	room      int64           // samples that a query may still read
	bytes     int64           // of its chunks
	head      storage.Querier // instead of block
	shut      func() error
}

// metaLimit bounds a meta.json; real ones have a few kilobytes, those of large compactions some hundred.
const metaLimit = 8 << 20

// meta is a meta.json with the external labels that Thanos and Mimir keep there.
type meta struct {
	Thanos struct {
		Labels     map[string]string
		Downsample struct{ Resolution int64 }
	}
}

// OpenBlock opens the block in a directory; path is its name inside the bundle. The error is that of ctx, or a sentence without the directory.
func OpenBlock(ctx context.Context, dir, path string) (*Block, error) {
	b, _, err := inTime(ctx, func() (*Block, string, error) {
		b, err := openBlock(dir, path)
		return b, "", err
	})
	return b, err
}

func openBlock(dir, path string) (b *Block, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer recovered(&err, "is damaged")
	m, err := readMeta(filepath.Join(dir, "meta.json"))
	if err != nil {
		return nil, err
	}
	if r := m.Thanos.Downsample.Resolution; r > 0 {
		return nil, fmt.Errorf("is downsampled to %s: its chunks hold aggregates, not samples; the raw block is needed",
			words.Seconds(float64(r)/1000))
	}
	bytes, err := wholeChunks(filepath.Join(dir, "chunks"))
	if err != nil {
		return nil, err
	}
	if len(m.Thanos.Labels) > maxExternal {
		return nil, fmt.Errorf("is damaged: its meta.json states %d external labels", len(m.Thanos.Labels))
	}
	if err := plausibleSymbols(filepath.Join(dir, "index")); err != nil {
		return nil, err
	}
	opened, err := mapped(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot be opened: %w", innermost(err))
	}
	b = &Block{Path: path, block: opened, dir: dir, bytes: bytes, From: instant(opened.Meta().MinTime), To: instant(opened.Meta().MaxTime),
		Series: int(opened.Meta().Stats.NumSeries)}
	for name, value := range m.Thanos.Labels {
		b.External = append(b.External, model.Label{Name: name, Value: value})
	}
	b.External = sorted(b.External)
	b.low, b.high = b.From, b.To
	b.Damage = b.against()
	return b, nil
}

// maxExternal bounds external labels, which each series of a block is given. Servers have a handful.
const maxExternal = 200

// plausibleSymbols refuses an index whose symbols are more than their bytes: tsdb allocates for all of them before it looks.
func plausibleSymbols(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return nil // tsdb says why
	}
	defer func() { _ = f.Close() }() // it was only read
	var at, head [8]byte
	if end, err := f.Seek(-contents, io.SeekEnd); err != nil || end < 0 {
		return nil
	}
	if _, err := io.ReadFull(f, at[:]); err != nil {
		return nil
	}
	if _, err := f.ReadAt(head[:], int64(binary.BigEndian.Uint64(at[:])&math.MaxInt64)); err != nil {
		return nil
	}
	if bytes, n := binary.BigEndian.Uint32(head[:]), binary.BigEndian.Uint32(head[4:]); n > bytes {
		return fmt.Errorf("is damaged: its index states %d symbols in %d bytes", n, bytes)
	}
	return nil
}

// contents is how long the table of contents at the end of an index is; it begins with where the symbols are.
const contents = 6*8 + 4

func mapped(dir string) (*tsdb.Block, error) {
	return tsdb.OpenBlock(slog.New(slog.DiscardHandler), dir, nil, nil)
}

// maxMapped is after how many selected series a block is opened anew: mapped pages that were read count as memory until it is closed.
const maxMapped = 10_000

// fresh opens the block anew where much was read of it. One that cannot be opened any more stays open.
func (b *Block) fresh() {
	if b.head != nil || b.queriers > 0 || b.read < maxMapped {
		return
	}
	var fault error
	defer recovered(&fault, unreadable)
	b.read = 0
	if again, err := mapped(b.dir); err == nil {
		_ = b.block.Close() // it was only read
		b.block = again
	}
}

// samplesPerByte is how many samples a byte of a chunk has at most: one that repeats its predecessor takes two bits.
const samplesPerByte = 4

// wholeChunks tells the size of all chunks, and reports a missing segment: tsdb counts segments, and would read other series' samples
// behind a gap.
func wholeChunks(dir string) (bytes int64, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, fmt.Errorf("has no chunks that can be opened: %w", innermost(err))
	}
	next := uint64(1)
	for _, e := range entries { // sorted by name
		n, err := strconv.ParseUint(e.Name(), 10, 64)
		if err != nil {
			continue
		}
		if n != next {
			return 0, fmt.Errorf("lacks chunks/%06d, so that its samples cannot be kept apart", next)
		}
		next++
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes, nil
}

func readMeta(name string) (m meta, err error) {
	f, err := os.Open(name)
	if err != nil {
		return m, fmt.Errorf("has no meta.json that can be opened: %w", innermost(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, metaLimit))
	if err != nil {
		return m, fmt.Errorf("has a meta.json that cannot be read: %w", innermost(err))
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("has a meta.json that is no JSON: %w", err)
	}
	return m, nil
}

// Close lets go of the block's files.
func (b *Block) Close() error {
	if b.head != nil {
		return errors.Join(b.head.Close(), b.shut())
	}
	return b.block.Close()
}

// innermost drops what wraps a path error: the path is that of a private copy or of the user's disk.
func innermost(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func byTime(blocks []*Block) []*Block {
	out := slices.Clone(blocks)
	slices.SortStableFunc(out, func(a, b *Block) int { return a.From.Compare(b.From) })
	return out
}

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
