package series

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

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

// meansTime is how much earlier than the first of these series a block may begin, or end later, by its meta.json.
const meansTime = 24 * time.Hour

// against compares a meta.json, which has no checksum, with the index. Each contradiction is a sentence. From and To are then the index's.
func (b *Block) against(m meta) []string {
	var out []string
	for _, field := range m.missing {
		out = append(out, "its meta.json states no "+field+": it is damaged")
	}
	ir, err := b.block.Index()
	if err != nil {
		return append(out, fmt.Sprintf("its index cannot be read: %v", innermost(err)))
	}
	defer func() { _ = ir.Close() }() // it was only read
	n, err := countSeries(ir)
	if err == nil {
		b.Series = n
	}
	if stated := err == nil && m.Stats.NumSeries > 0; stated && uint64(n) != m.Stats.NumSeries {
		out = append(out, fmt.Sprintf("its meta.json states %d series, and its index has %d: one of them is damaged", m.Stats.NumSeries, n))
	}
	from, to, spanErr := spanOf(ir)
	if err := errors.Join(err, spanErr); err != nil {
		out = append(out, fmt.Sprintf("its index is damaged: %v", innermost(err)))
	}
	if from > to {
		return out // nothing shows it
	}
	first, last := instant(from), instant(to)
	stated := "its meta.json states samples from " + b.From.Format(time.RFC3339) + " to " + b.To.Format(time.RFC3339) + ", " +
		"and the index has them from " + first.Format(time.RFC3339) + " to " + last.Format(time.RFC3339)
	outside := first.Before(b.From) || last.After(b.To)
	if outside || first.Sub(b.From) > meansTime || b.To.Sub(last) > meansTime {
		out = append(out, stated+": one of them is damaged")
	}
	b.low, b.high = model.Earlier(b.From, first), model.Later(b.To, last)
	b.From, b.To = first, last
	return out
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
