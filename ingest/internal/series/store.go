// Package series reads metrics in every form: blocks of a time series database, and text and JSON of Prometheus and promtool. Each server's
// series become a model.MetricSource with the labels of the exporter, without those that scraping added. It knows labels, not metrics.
// Nothing is written or locked: a block is mapped where it lies.
package series

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/volpost/volpost/model"
)

// Store is the blocks of one server, read as one. It has a context, which Select of model.MetricSource has not.
type Store struct {
	ctx    context.Context
	blocks []*Block
	closed atomic.Bool
}

// NewStore joins blocks of one server; overlapping ones count once. It owns them. When ctx ends, Select fails with its error.
func NewStore(ctx context.Context, blocks ...*Block) *Store {
	return &Store{ctx: ctx, blocks: byTime(blocks)}
}

// Close lets go of the blocks. Select fails from then on.
func (s *Store) Close() error {
	s.closed.Store(true)
	var errs []error
	for _, b := range s.blocks {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// Source is the store as the model has it, without Interval.
func (s *Store) Source(path, input string) model.MetricSource {
	m := model.MetricSource{Path: path, Input: input, Form: model.MetricHead, Select: s.Select, Scraped: s.Scraped}
	head := false
	for _, b := range s.blocks {
		m.External = b.External
		if b.head != nil {
			head = true // only its log says when it is
			continue
		}
		m.Form = model.MetricBlock
		if m.From.IsZero() {
			m.From = b.From // the first
		}
		m.To = model.Later(m.To, b.To)
	}
	if head {
		m.To = time.Time{}
	}
	return m
}

// found is one series, which may lie in several blocks.
type found struct {
	labels model.Labels
	parts  []piece
}

// piece is what one block has of a series.
type piece struct {
	series storage.Series
	block  *Block
}

// Select is that of model.MetricSource. A damaged block does not hide the others: its error comes last, and names it.
func (s *Store) Select(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
	return s.selected(false, matchers, from, to, each)
}

// Scraped is that of model.MetricSource.
func (s *Store) Scraped(matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
	return s.selected(true, matchers, from, to, each)
}

func (s *Store) selected(scraped bool, matchers []model.Matcher, from, to time.Time, each func(model.Labels, model.Samples) error) error {
	if s.closed.Load() {
		return errors.New("the bundle is closed")
	}
	tests, err := compile(matchers)
	if err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a file may be cut while it is mapped
	var all []found
	var damage []error
	for _, b := range s.blocks {
		if b.head == nil && (b.high.Before(from) && !from.IsZero() || b.low.After(to) && !to.IsZero()) {
			continue
		}
		q, err := b.querier(s.ctx, from, to)
		if err == nil {
			b.queriers++
			b.room = samplesPerByte * b.bytes
			defer func() {
				_ = q.Close() // it was only read; a block waits for this in its own Close
				b.queriers--
				b.fresh()
			}()
			all, err = b.collect(s.ctx, all, q, tests, scraped)
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err != nil {
			damage = append(damage, model.Damage(fmt.Sprintf("block %s: %v", b.Path, err)))
		}
	}
	if err := s.deliver(all, from, to, each); err != nil {
		return err
	}
	return errors.Join(damage...)
}

func (b *Block) querier(ctx context.Context, from, to time.Time) (q storage.Querier, err error) {
	defer recovered(&err, unreadable)
	if b.head != nil {
		return keptOpen{b.head}, nil
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if !from.IsZero() {
		low = from.UnixMilli()
	}
	if !to.IsZero() {
		high = to.UnixMilli()
	}
	return tsdb.NewBlockQuerier(timed{b.block, ctx}, low, high)
}

// collect appends the matching series of a block, with labels as scraped or as exported.
func (b *Block) collect(ctx context.Context, all []found, q storage.Querier, tests []*labels.Matcher, scraped bool) (out []found, err error) {
	out = all
	defer recovered(&err, unreadable)
	external := b.External
	var pushed []*labels.Matcher
	for _, t := range tests {
		if !scraped && (relabelled(t.Name) || external.Has(t.Name)) {
			continue
		}
		pushed = append(pushed, t)
	}
	if len(pushed) == 0 {
		pushed = append(pushed, labels.MustNewMatcher(labels.MatchNotEqual, model.MetricName, ""))
	}
	set := q.Select(ctx, false, nil, pushed...)
	for ctx.Err() == nil && set.Next() {
		at := set.At()
		l := labelsOf(at.Labels())
		if !scraped {
			l = with(exporterLabels(l), external)
		}
		if allow(tests, l) {
			out = append(out, found{labels: l, parts: []piece{{at, b}}})
		}
		b.read++
	}
	return out, set.Err()
}

func labelsOf(l labels.Labels) model.Labels {
	out := make(model.Labels, 0, l.Len())
	l.Range(func(x labels.Label) { out = append(out, model.Label{Name: x.Name, Value: x.Value}) })
	return sorted(out)
}

// deliver calls each for every series in the order of labels, those of one name in several blocks as one, and none that time has cut.
func (s *Store) deliver(all []found, from, to time.Time, each func(model.Labels, model.Samples) error) error {
	slices.SortStableFunc(all, func(a, b found) int { return a.labels.Compare(b.labels) })
	var kept []model.Sample
	for i := 0; i < len(all); {
		one := all[i]
		for i++; i < len(all) && all[i].labels.Compare(one.labels) == 0; i++ {
			one.parts = append(one.parts, all[i].parts...)
		}
		samples, err := one.read(from, to, kept[:0])
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		kept = samples
		if err := each(one.labels, sequence(samples, err)); err != nil {
			return err
		}
	}
	return nil
}

// sequence gives samples one by one, and at the end what kept others from being read.
func sequence(samples []model.Sample, err error) model.Samples {
	return func(yield func(model.Sample, error) bool) {
		for _, s := range samples {
			if !yield(s, nil) {
				return
			}
		}
		if err != nil {
			yield(model.Sample{}, err)
		}
	}
}

// read decodes the samples of a series, block by block: damage in one does not affect others. Samples of one time are one.
func (f found) read(from, to time.Time, into []model.Sample) ([]model.Sample, error) {
	var damage []error
	inOrder := true
	for _, p := range f.parts {
		n := len(into)
		var err error
		if into, err = p.read(from, to, into); err != nil {
			damage = append(damage, model.Damage(fmt.Sprintf("block %s, series %s: %v", p.block.Path, f.labels, err)))
		}
		inOrder = inOrder && (n == 0 || n == len(into) || into[n-1].At.Before(into[n].At))
	}
	if !inOrder {
		into = ordered(into)
	}
	return into, errors.Join(damage...)
}

// read appends a block's samples of a series. A damaged chunk shows in Err only; a histogram iterator panics if asked for a float.
// An index may name one chunk over and over: a megabyte of it gave a minute and 3 GB.
func (p piece) read(from, until time.Time, to []model.Sample) (out []model.Sample, err error) {
	out = to
	defer recovered(&err, unreadable)
	it, histograms, last := p.series.Iterator(nil), 0, int64(math.MinInt64)
	for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
		if p.block.room--; p.block.room < 0 && p.block.head == nil {
			return out, errors.New("cannot be read to its end: its index names more samples than its chunks have room for")
		}
		if kind != chunkenc.ValFloat {
			histograms++
			continue
		}
		ms, v := it.At()
		if ms <= last {
			return out, errors.New("cannot be read to its end: its samples go back in time")
		}
		last = ms
		if !from.IsZero() && ms < from.UnixMilli() || !until.IsZero() && ms > until.UnixMilli() {
			continue // a head is queried whole
		}
		s := model.Sample{At: instant(ms), Value: v, Stale: value.IsStaleNaN(v)}
		if s.Stale {
			s.Value = 0
		}
		out = append(out, s)
	}
	if err := it.Err(); err != nil {
		return out, fmt.Errorf("cannot be read to its end: %w", innermost(err))
	}
	if histograms > 0 {
		return out, fmt.Errorf("holds %d native histograms, which are not read", histograms)
	}
	return out, nil
}

// recovered makes an error of a panic: of a fault in a mapped file, or of a decoder that trusted what it read.
func recovered(err *error, what string) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("%s: %v", what, fault)
	}
}

const unreadable = "cannot be read"
