package manifest

import (
	"runtime"
	"slices"
)

// Objects are decoded by all processors, a batch at a time, and delivered in the order of the file.
const (
	batchBytes = 256 << 10 // of text that one goroutine takes at a time
	alone      = 4         // fewer batches, which take less than a hundredth of a second, are not worth it
)

// batch is some objects of a file that follow each other.
type batch struct {
	chunks   []chunk
	outcomes []outcome
	fault    any // a panic of the goroutine that decoded them
	done     chan struct{}
}

// decode decodes a batch of a list that says apiVersion and kind. A fault is kept for the waiting caller.
func (b *batch) decode(d *decoder, apiVersion, kindName string, memory *scratch) {
	defer func() {
		b.fault = recover()
		close(b.done)
	}()
	for _, c := range b.chunks {
		b.outcomes = append(b.outcomes, d.object(c, apiVersion, kindName, memory))
	}
}

// objects reads objects and delivers them. apiVersion and kindName are what their list says.
func (r *reader) objects(chunks []chunk, apiVersion, kindName string) {
	chunks = slices.DeleteFunc(chunks, func(c chunk) bool { return !r.admit(c) })
	batches := batchesOf(chunks)
	if len(batches) < alone {
		for _, c := range chunks {
			r.deliver(r.object(c, apiVersion, kindName, r.memory))
		}
		return
	}
	workers := runtime.GOMAXPROCS(0)
	todo, next := make(chan *batch, 2*workers), 0
	defer close(todo)
	for range workers {
		go func() {
			memory := scratches.Get().(*scratch)
			defer scratches.Put(memory)
			for b := range todo {
				b.decode(&r.decoder, apiVersion, kindName, memory)
			}
		}()
	}
	for i, b := range batches {
		for ; next < min(i+cap(todo), len(batches)); next++ {
			todo <- batches[next]
		}
		<-b.done
		if b.fault != nil {
			panic(b.fault)
		}
		for _, o := range b.outcomes {
			r.deliver(o)
		}
		batches[i] = nil // its outcomes may go
	}
}

// batchesOf cuts objects into batches.
func batchesOf(chunks []chunk) (out []*batch) {
	from, size := 0, 0
	for i, c := range chunks {
		if size += len(c.raw); size >= batchBytes || i == len(chunks)-1 {
			out = append(out, &batch{chunks: chunks[from : i+1], done: make(chan struct{})})
			from, size = i+1, 0
		}
	}
	return out
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
	r.truncated = r.truncated || o.truncated
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
