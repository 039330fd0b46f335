package series

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"

	"github.com/volpost/volpost/model"
)

// everywhere are metrics that nearly every server has at all times: their series say when a block begins and ends.
var everywhere = []string{"up", "kube_node_info"}

// looked is how many series of them are looked at.
const looked = 500

// against takes from the index what meta.json, which has no checksum, states too: how many series there are, and from when to when. Each
// sentence is about damage.
func (b *Block) against() []string {
	ir, err := b.block.Index()
	if err != nil {
		return []string{fmt.Sprintf("its index cannot be read: %v", innermost(err))}
	}
	defer func() { _ = ir.Close() }() // it was only read
	n, err := countSeries(ir)
	if err == nil {
		b.Series = n
	}
	from, to, spanErr := spanOf(ir)
	if from <= to { // else nothing but meta.json shows it
		b.low, b.high = model.Earlier(b.From, instant(from)), model.Later(b.To, instant(to))
		b.From, b.To = instant(from), instant(to)
	}
	if err := errors.Join(err, spanErr); err != nil {
		return []string{fmt.Sprintf("its index is damaged: %v", innermost(err))}
	}
	return nil
}

func countSeries(ir tsdb.IndexReader) (n int, err error) {
	defer recovered(&err, unreadable)
	name, value := index.AllPostingsKey()
	p, err := ir.Postings(context.Background(), name, value)
	if err != nil {
		return 0, err
	}
	for p.Next() {
		n++
	}
	return n, p.Err()
}

// spanOf is from the first to the last sample of some series, in milliseconds; from is after to when there are none.
func spanOf(ir tsdb.IndexReader) (from, to int64, err error) {
	defer recovered(&err, unreadable)
	from, to = math.MaxInt64, math.MinInt64
	p, err := ir.Postings(context.Background(), model.MetricName, everywhere...)
	if err != nil {
		return from, to, err
	}
	var builder labels.ScratchBuilder
	var list []chunks.Meta
	for n := 0; n < looked && p.Next(); n++ {
		if err := ir.Series(p.At(), &builder, &list); err != nil {
			return from, to, err
		}
		for _, c := range list {
			from, to = min(from, c.MinTime), max(to, c.MaxTime)
		}
	}
	return from, to, p.Err()
}
