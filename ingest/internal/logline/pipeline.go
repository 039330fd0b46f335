package logline

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
)

// maxSorters bounds how many goroutines sort out the blocks of one input; one input keeps no more processors busy.
const maxSorters = 4

// pipeline reads an input ahead: several goroutines cut a block off in turn and sort it out while its bytes are in their
// processor's cache. The caller of next takes the blocks in the order of the input.
type pipeline struct {
	order chan *block // as they stand in the input, with done open until they are sorted out
	empty chan *block
	quit  context.Context
	stop  func()
	wg    sync.WaitGroup

	input sync.Mutex // held by the goroutine that reads
	cut   *cutter
	ended bool
}

func newPipeline(c *cutter, s *sorter) *pipeline {
	sorters := min(runtime.GOMAXPROCS(0), maxSorters)
	blocks := 3 * sorters
	p := &pipeline{order: make(chan *block, blocks), empty: make(chan *block, blocks), cut: c}
	p.quit, p.stop = context.WithCancel(context.Background())
	for range blocks - 1 { // the first block is one more
		p.empty <- &block{}
	}
	for range sorters {
		p.wg.Go(func() { p.work(&sorter{skipper: s.skipper, all: s.all}) })
	}
	return p
}

// work reads blocks and sorts them out until there are no more.
func (p *pipeline) work(s *sorter) {
	for {
		select {
		case b := <-p.empty:
			if !p.fill(b) {
				return
			}
			b.guard(func() { s.sort(b) })
			close(b.done)
		case <-p.quit.Done():
			return
		}
	}
}

// fill reads the next block and queues it. It returns false when there is none.
func (p *pipeline) fill(b *block) bool {
	p.input.Lock()
	defer p.input.Unlock()
	if p.ended {
		return false
	}
	b.done = make(chan struct{})
	b.guard(func() { p.cut.fill(b) })
	p.ended = b.fault != nil || b.err != nil
	p.order <- b // there is room for all blocks
	return true
}

// guard keeps a panic for the caller that takes the block.
func (b *block) guard(do func()) {
	defer func() {
		if fault := recover(); fault != nil {
			b.data, b.fault = b.data[:0], fault
		}
	}()
	do()
}

// next takes the next block and gives one back that is used up. A panic of another goroutine becomes the caller's.
func (p *pipeline) next(used *block) *block {
	p.empty <- used
	b := <-p.order
	<-b.done
	if b.fault != nil {
		panic(b.fault)
	}
	return b
}

// close ends the goroutines and waits for them.
func (p *pipeline) close() {
	p.stop()
	p.wg.Wait()
}

// A line of up to pieceSize bytes is given whole, a longer one in pieces of that size.
const pieceSize = 256 << 10

// blockSize is how much is read, and sorted out, at a time: what a processor's own cache holds.
const blockSize = 256 << 10

// firstBlock is the size of the first one: most files are small.
const firstBlock = 80 << 10

// block is a part of the input that ends with a line, or within one that is longer than pieceSize.
type block struct {
	data        []byte
	inside      bool         // it begins within a line
	first       bool         // of the input
	err         error        // that comes after data; io.EOF at the end of the input
	stretches   []Stretch    // of data, in its order
	repetitions []Repetition // the records of these that repeat
	done        chan struct{}
	fault       any // a panic while the block was made
}

type cutter struct {
	r      io.Reader
	size   int    // about the size of a block
	carry  []byte // the beginning of a line that the block before left
	inside bool
	begun  bool
}

// fill reads the next block. Its data replace those that b had.
func (c *cutter) fill(b *block) {
	size := c.size
	if !c.begun {
		size = min(size, firstBlock)
	}
	data := append(b.data[:0], c.carry...)
	if cap(data) < size {
		data = append(make([]byte, 0, size), data...)
	}
	var err error
	for err == nil {
		if len(data) == cap(data) {
			if end := lineEnd(data); end > 0 {
				break
			}
			data = slices.Grow(data, len(data)) // a line longer than a small block
		}
		var n int
		n, err = c.r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
	}
	end := len(data)
	if err == nil {
		end = lineEnd(data)
	}
	c.carry = append(c.carry[:0], data[end:]...)
	b.data, b.err, b.inside, b.first, b.fault = data[:end], err, c.inside, !c.begun, nil
	b.stretches, b.repetitions = b.stretches[:0], b.repetitions[:0]
	c.begun, c.inside = true, end > 0 && data[end-1] != '\n' || end == 0 && c.inside
}

// lineEnd is where data can be cut: after their last line, or after the last whole piece of a long one; 0 for nowhere.
func lineEnd(data []byte) int {
	end := bytes.LastIndexByte(data, '\n') + 1
	return end + (len(data)-end)/pieceSize*pieceSize
}
