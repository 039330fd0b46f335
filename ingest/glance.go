package ingest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/model"
)

const (
	glanceFiles = 500     // up to so many files are read whole, whatever they are
	glanceBytes = 2 << 10 // how much of each is looked at
)

// glance ends in a second what would take the reading of every file: somebody named the wrong directory. It looks at the beginning of each
// file until one of them is of a cluster, which in a bundle is among the first. Of what is small, or no directory, nothing is given up.
func (b *Bundle) glance(ctx context.Context, l Limits) error {
	if !b.directories {
		return nil
	}
	found, stop := context.WithCancel(ctx)
	defer stop()
	r := newReading(found, b.root, l)
	var files atomic.Int64
	entry := func(e archive.Entry, content *bufio.Reader) {
		if e.Form != archive.File || e.Err != nil || e.Skipped != "" {
			return
		}
		files.Add(1)
		head, _ := content.Peek(glanceBytes) // what was read before an error is as good
		if _, _, block := partOfBlock(slashed(e.Path), head); block || r.promises(e, head) {
			stop()
		}
	}
	_ = b.tree.Walk(found, l.archive(), archive.Visitor{Entry: entry, Problem: func(model.Problem) {}}) // the reading itself says it
	if found.Err() != nil || files.Load() < glanceFiles {
		return nil
	}
	return &Error{Msg: fmt.Sprintf("nothing in %s is of a Kubernetes cluster: none of %d files begins like objects, a log of a component, "+
		"metrics or the output of kubectl", b.root, files.Load()), Hint: hint + "; a file that is named itself is read to its end"}
}

// beginnings are readers of what a glance sees, which thousands of files need one after the other.
var beginnings = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, archive.HeadSize) }}

// promises reports whether the beginning of a file is read as something of a cluster. That it is cut off is no fault of it.
func (r *reading) promises(e archive.Entry, head []byte) bool {
	e.Size = int64(len(head))
	binary := bytes.IndexByte(head, 0) >= 0
	content := beginnings.Get().(*bufio.Reader)
	defer beginnings.Put(content)
	content.Reset(bytes.NewReader(bytes.Clone(head)))
	for _, p := range r.readEntry(e, content) {
		switch in := p.input; {
		case in == nil, in.Kind == model.InputIgnored, in.Kind == model.InputEmpty, in.Kind == model.InputUnread && binary:
		default:
			return true
		}
	}
	return false
}
