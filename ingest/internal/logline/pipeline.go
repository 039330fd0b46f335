package logline

import (
	"runtime"
	"sync"
)

// maxSorters bounds how many goroutines sort out the blocks of one input; one input keeps no more processors busy.
const maxSorters = 4

// pipeline reads an input ahead: several goroutines cut a block off in turn and sort it out while its bytes are in their
// processor's cache. Whoever calls next takes the blocks in the order of the input.
type pipeline struct {
	order chan *block // as they stand in the input, with done open until they are sorted out
	empty chan *block
	quit  chan struct{}
	once  sync.Once
	wg    sync.WaitGroup

	input sync.Mutex // held by whoever reads
	cut   *cutter
	ended bool
}

func newPipeline(c *cutter, s *sorter) *pipeline {
	sorters := min(runtime.GOMAXPROCS(0), maxSorters)
	blocks := 3 * sorters
	p := &pipeline{order: make(chan *block, blocks), empty: make(chan *block, blocks), quit: make(chan struct{}), cut: c}
	for range blocks - 1 { // the first block is one more
		p.empty <- &block{}
	}
	for range sorters {
		own := s.another()
		p.wg.Go(func() {
			for p.work(own) {
			}
		})
	}
	return p
}

// work reads a block and sorts it out. It answers false when there are no more.
func (p *pipeline) work(s *sorter) bool {
	select {
	case b := <-p.empty:
		if !p.fill(b) {
			return false
		}
		s.finish(b)
		return true
	case <-p.quit:
		return false
	}
}

// fill reads the next block and queues it. It answers false when there is none. A panic of the input is for whoever takes
// the block.
func (p *pipeline) fill(b *block) (ok bool) {
	p.input.Lock()
	defer p.input.Unlock()
	if p.ended {
		return false
	}
	ok = true
	b.done = make(chan struct{})
	defer func() {
		if fault := recover(); fault != nil {
			b.data, b.fault = b.data[:0], fault
		}
		p.ended = b.fault != nil || b.err != nil
		p.order <- b // there is room for all blocks
	}()
	p.cut.fill(b)
	return ok
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
	p.once.Do(func() { close(p.quit) })
	p.wg.Wait()
}
