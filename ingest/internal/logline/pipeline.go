package logline

import (
	"runtime"
	"sync"
)

// maxSorters bounds how many goroutines sort out the blocks of one input; one input keeps no more processors busy.
const maxSorters = 4

// pipeline reads an input ahead: one goroutine cuts it into blocks, several sort these out, and whoever calls next takes
// them in the order of the input.
type pipeline struct {
	order chan *block // as they stand in the input, with done open until they are sorted out
	empty chan *block
	quit  chan struct{}
	once  sync.Once
	wg    sync.WaitGroup
}

func newPipeline(c *cutter, s *sorter) *pipeline {
	sorters := min(runtime.GOMAXPROCS(0), maxSorters)
	blocks := 2*sorters + 2
	p := &pipeline{order: make(chan *block, blocks), empty: make(chan *block, blocks), quit: make(chan struct{})}
	for range blocks - 1 { // the first block is one more
		p.empty <- &block{}
	}
	jobs := make(chan *block, blocks)
	p.wg.Go(func() { p.cut(c, jobs) })
	for range sorters {
		own := s.another()
		p.wg.Go(func() {
			for b := range jobs {
				own.finish(b)
			}
		})
	}
	return p
}

// cut reads blocks to the end of the input.
func (p *pipeline) cut(c *cutter, jobs chan<- *block) {
	defer close(jobs)
	defer close(p.order)
	for {
		var b *block
		select {
		case b = <-p.empty:
		case <-p.quit:
			return
		}
		b.done = make(chan struct{})
		if !read(c, b) {
			close(b.done)
			p.order <- b
			return
		}
		last := b.err != nil
		p.order <- b
		jobs <- b
		if last {
			return
		}
	}
}

// read fills a block. It answers false when the input panicked: the fault is for whoever takes the block.
func read(c *cutter, b *block) (ok bool) {
	defer func() {
		if fault := recover(); fault != nil {
			b.fault, ok = fault, false
		}
	}()
	c.fill(b)
	return true
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
