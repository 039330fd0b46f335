package manifest

import (
	"runtime"
)

// Objects are decoded by all processors, a batch at a time, and delivered in the order of the file.
const (
	batchBytes = 256 << 10 // of text that one goroutine takes at a time
	alone      = 1 << 20   // what takes less than a hundredth of a second is not worth it
)

// batch is some objects of a file that follow each other.
type batch struct {
	chunks               []chunk
	apiVersion, kindName string // of the list
	outcomes             []outcome
	fault                any // a panic of the goroutine that decoded them
	done                 chan struct{}
}

// decode decodes a batch. A fault is kept for whoever waits.
func (b *batch) decode(d *decoder, memory *scratch) {
	defer func() {
		b.fault = recover()
		close(b.done)
	}()
	b.outcomes = make([]outcome, len(b.chunks))
	for i, c := range b.chunks {
		b.outcomes[i] = d.object(c, b.apiVersion, b.kindName, memory)
	}
}

// objects reads objects and delivers them. apiVersion and kindName are what their list says.
func (r *reader) objects(chunks []chunk, apiVersion, kindName string) {
	size := 0
	for i := range chunks {
		size += len(chunks[i].raw)
	}
	if size < alone {
		for i, c := range chunks {
			if r.admit(c) {
				r.deliver(r.object(c, apiVersion, kindName, r.memory))
			}
			chunks[i].raw = nil
		}
		return
	}
	line := newAssembly(r, nil)
	defer line.stop()
	for len(chunks) > 0 {
		n, size := 0, 0
		for n < len(chunks) && size < batchBytes && r.admit(chunks[n]) {
			size += len(chunks[n].raw)
			n++
		}
		if n == 0 {
			chunks = chunks[1:] // not admitted
			continue
		}
		line.put(&batch{chunks: chunks[:n], apiVersion: apiVersion, kindName: kindName})
		chunks = chunks[n:]
	}
	line.finish()
}

// assembly decodes batches in goroutines and delivers them in order, in the goroutine that puts them.
type assembly struct {
	*reader
	todo  chan *batch
	queue []*batch    // put and not delivered
	ahead int         // how many may be
	wait  func(chunk) // takes objects whose kind is not known yet
}

func newAssembly(r *reader, wait func(chunk)) *assembly {
	workers := runtime.GOMAXPROCS(0)
	a := &assembly{reader: r, ahead: 2 * workers, todo: make(chan *batch, 2*workers), wait: wait}
	for range workers {
		go func() {
			memory := r.limits.Pool.take()
			defer r.limits.Pool.give(memory)
			for b := range a.todo {
				b.decode(&r.decoder, memory)
			}
		}()
	}
	return a
}

// put takes a batch, and delivers earlier ones while too many are on their way.
func (a *assembly) put(b *batch) {
	b.done = make(chan struct{})
	for len(a.queue) >= a.ahead {
		a.take()
	}
	a.queue = append(a.queue, b)
	a.todo <- b
}

// take delivers the oldest batch.
func (a *assembly) take() {
	b := a.queue[0]
	a.queue = a.queue[1:]
	<-b.done
	if b.fault != nil {
		panic(b.fault)
	}
	for i, o := range b.outcomes {
		if o.waits {
			a.wait(b.chunks[i])
			continue
		}
		a.deliver(o)
	}
}

// finish delivers what is left.
func (a *assembly) finish() {
	for len(a.queue) > 0 {
		a.take()
	}
}

// stop ends the goroutines.
func (a *assembly) stop() { close(a.todo) }

// admit counts an object, and reports whether it is still read.
func (r *reader) admit(c chunk) bool {
	if r.result.Total++; r.result.Total > r.limits.Objects {
		if r.fullAt == 0 {
			r.fullAt = c.line
		}
		return false
	}
	return true
}

// deliver adds what an object gives to the result.
func (r *reader) deliver(o outcome) {
	for _, p := range o.problems {
		r.tell(p)
	}
	r.result.Audit = r.result.Audit || o.audit
	r.torn = r.torn || o.torn
	rec := o.record
	if rec == nil {
		return
	}
	if !rec.kind.settings {
		r.note(rec.Ref)
	}
	r.result.Used++
	r.found(*rec)
	rec.cite.release()
}
