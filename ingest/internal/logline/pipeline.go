package logline

import (
	"context"
	"runtime"
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
