package manifest

import (
	"runtime"
	"slices"
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

// decode decodes a batch. A fault is kept for the waiting caller.
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
		for _, c := range chunks {
			if r.admit(c) {
				r.deliver(r.object(c, apiVersion, kindName, r.memory))
			}
		}
		return
	}
	line := newAssembly(r, batch{apiVersion: apiVersion, kindName: kindName})
	defer close(line.todo)
	for _, c := range chunks {
		line.add(c)
	}
	line.finish()
}

// assembly decodes batches in goroutines and delivers them in order, in the goroutine that puts them.
type assembly struct {
	*reader
	todo  chan *batch
	queue []*batch // on their way and not delivered
	ahead int      // how many may be
	of    batch    // with what the list says
	next  []chunk  // of the next batch
	size  int      // of its texts
}

func newAssembly(r *reader, of batch) *assembly {
	workers := runtime.GOMAXPROCS(0)
	a := &assembly{reader: r, ahead: 2 * workers, todo: make(chan *batch, 2*workers), of: of}
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

// add takes an object.
func (a *assembly) add(c chunk) {
	if a.size >= batchBytes {
		a.flush()
	}
	a.next = append(a.next, c)
	a.size += len(c.raw)
}

// flush has the next batch decoded, and delivers earlier ones while too many are on their way.
func (a *assembly) flush() {
	b := a.of
	b.chunks, b.done = slices.DeleteFunc(a.next, func(c chunk) bool { return !a.admit(c) }), make(chan struct{})
	a.next, a.size = nil, 0
	for len(a.queue) >= a.ahead {
		a.take()
	}
	a.queue = append(a.queue, &b)
	a.todo <- &b
}

func (a *assembly) take() {
	b := a.queue[0]
	a.queue = a.queue[1:]
	<-b.done
	if b.fault != nil {
		panic(b.fault)
	}
	for _, o := range b.outcomes {
		a.deliver(o)
	}
}

func (a *assembly) finish() {
	a.flush()
	for len(a.queue) > 0 {
		a.take()
	}
}

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

func (r *reader) deliver(o outcome) {
	for _, p := range o.problems {
		r.report(p)
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
