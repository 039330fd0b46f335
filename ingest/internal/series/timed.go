package series

import (
	"context"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
)

// timed is a block of which nothing is read once a context has ended: tsdb asks for one series and one chunk after the other, as many as an
// index names, and looks at no context meanwhile.
type timed struct {
	*tsdb.Block
	ctx context.Context
}

type timedIndex struct {
	tsdb.IndexReader
	ctx context.Context
}

type timedChunks struct {
	tsdb.ChunkReader
	ctx context.Context
}

// Index implements tsdb.BlockReader.
func (b timed) Index() (tsdb.IndexReader, error) {
	ir, err := b.Block.Index()
	return timedIndex{ir, b.ctx}, err
}

// Chunks implements tsdb.BlockReader.
func (b timed) Chunks() (tsdb.ChunkReader, error) {
	cr, err := b.Block.Chunks()
	return timedChunks{cr, b.ctx}, err
}

// Series implements tsdb.IndexReader.
func (i timedIndex) Series(ref storage.SeriesRef, builder *labels.ScratchBuilder, list *[]chunks.Meta) error {
	if err := i.ctx.Err(); err != nil {
		return err
	}
	return i.IndexReader.Series(ref, builder, list)
}

// ChunkOrIterable implements tsdb.ChunkReader.
func (c timedChunks) ChunkOrIterable(meta chunks.Meta) (chunkenc.Chunk, chunkenc.Iterable, error) {
	if err := c.ctx.Err(); err != nil {
		return nil, nil, err
	}
	return c.ChunkReader.ChunkOrIterable(meta)
}

// inTime opens what tsdb reads whole to open it. What is open too late is closed again, if the program still runs.
func inTime(ctx context.Context, open func() (*Block, string, error)) (*Block, string, error) {
	type opened struct {
		block *Block
		lost  string
		err   error
	}
	done := make(chan opened, 1)
	go func() {
		b, lost, err := open()
		done <- opened{b, lost, err}
	}()
	select {
	case o := <-done:
		return o.block, o.lost, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				_ = o.block.Close() // nothing of it was read
			}
		}()
		return nil, "", ctx.Err()
	}
}
