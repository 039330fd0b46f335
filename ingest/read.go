// Package ingest reads a bundle: from bytes to statements, each with its place. It compares and concludes nothing. See Open and Read.
package ingest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// Options are what the caller decides about reading.
type Options struct {
	Limits Limits
	// Progress, unless nil, receives the bytes done and those of the bundle on disk, by one goroutine at a time. total is 0 while not known.
	Progress func(done, total int64)
	// Supplied is what the user states of the bundle. The evidence comes before it.
	Supplied model.Supplied
	// Scratch makes a directory for what cannot be read where it lies, the system's by default. Closing the bundle removes it.
	Scratch func() (string, error)
}

// Read reads a bundle. What cannot be read is a Problem of the snapshot, and so is that the deadline of ctx has passed: what was read by
// then counts. The error is that of a ctx that is cancelled, or an *Error when nothing at all could be read. The snapshot depends on the
// bundle's bytes and paths alone, not on the order of reading, unless a limit on all files together is reached.
func Read(ctx context.Context, b *Bundle, o Options) (*model.Snapshot, error) {
	limits := o.Limits.orDefaults()
	if err := b.glance(ctx, limits); err != nil {
		return nil, err
	}
	r := newReading(ctx, b.root, limits)
	r.tree = b.tree
	r.s.Supplied = o.Supplied
	r.blocks.newScratch = o.Scratch
	defer func() { b.closers = append(b.closers, r.closers...) }()
	r.closers = append(r.closers, r.blocks)
	err := b.tree.Walk(ctx, limits.archive(), archive.Visitor{Entry: r.entry, Problem: r.archiveProblem, Progress: o.Progress})
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		r.cutShort("the bundle was read")
	}
	r.openMetrics()
	s := r.merge()
	if err := nothing(b, s); err != nil {
		return nil, err
	}
	return s, nil
}

// timeIsUp is the problem of what is not read to its end.
func timeIsUp(stage string) model.Problem {
	return model.Problem{Severity: model.Failure, Path: ".",
		Message: "the limit of time (--max-time) is reached while " + stage + "; what had been read by then counts"}
}

// cutShort says in which stage the time was up first.
func (r *reading) cutShort(stage string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.s.Problems = append(r.s.Problems, timeIsUp(stage))
	}
	r.ended, r.incomplete = true, true
}

// reading collects what the entries of a bundle say, in whatever order they are read.
type reading struct {
	ctx    context.Context
	limits Limits
	budget *budget
	store  store
	tree   *archive.Tree
	// large is held while a large file is in memory whole.
	large sync.Mutex

	mu         sync.Mutex
	s          *model.Snapshot
	parts      []*part       // those that hold more than their share of s
	inputs     []model.Input // of the others
	quiet      []quiet
	layouts    layout.Recogniser
	lists      map[listing]bool            // directories that were seen to hold all objects of a kind; false when one could not be read
	incomplete bool                        // files are missing that nothing names
	ended      bool                        // the time is up
	blocks     *metricBlocks               // outlives the reading
	closers    []io.Closer                 // of what the snapshot's metrics read from
	shares     []*share                    // of the snapshot's metrics, in their order
	groups     [][]*share                  // those of each cluster, where nothing but metrics separates clusters
	dated      map[string]layout.Collected // names that say when what lies below was collected
	captures   []capture                   // collections that something dates, the newest last
	refused    bool                        // metrics are of another cluster than the bundle
	once       map[string]bool             // limits on all files together that were reported
}

func newReading(ctx context.Context, root string, l Limits) *reading {
	r := &reading{ctx: ctx, limits: l, budget: &budget{}, blocks: &metricBlocks{}, s: &model.Snapshot{Root: root},
		lists: map[listing]bool{}, dated: map[string]layout.Collected{}, once: map[string]bool{}}
	r.budget.objects.Store(min(l.ObjectBytes, freeObjects))
	return r
}

// archiveProblem receives what the archives lack: at a grave one, files are missing.
func (r *reading) archiveProblem(p model.Problem) {
	r.problem(p)
	if p.Severity == model.Failure {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.incomplete = true
	}
}

func (r *reading) problem(p model.Problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.s.Problems = append(r.s.Problems, p)
}

// failOnce reports a limit on all files together, at the first file that reached it.
func (r *reading) failOnce(path, message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.once[message] {
		r.once[message] = true
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Failure, Path: path, Message: message})
	}
}

// entry is called by several goroutines.
func (r *reading) entry(e archive.Entry, content *bufio.Reader) {
	parts := r.readEntry(e, content)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.layouts.See(e.Path)
	if e.Form == archive.Link {
		r.blocks.link(e.Path)
	}
	if span, at, ok := layout.Dated(e.Path); ok && len(r.dated) < maxDated {
		r.dated[at] = span
	}
	for _, p := range parts {
		r.listedDirectory(e, p)
		r.keep(p)
	}
}

// keep joins a part's share into the snapshot and lets go of it. Everything is sorted in the end.
func (r *reading) keep(p *part) {
	if p.version != "" {
		r.layouts.Version(p.version)
	}
	if p.ran != nil {
		r.layouts.Metadata(p.place.Role == layout.Other)
	}
	if p.isQuiet() {
		q := quiet{path: p.input.Path, kind: p.input.Kind, bytes: p.input.Bytes}
		if p.input.Records > 0 {
			q.log = p.input
		}
		r.quiet = append(r.quiet, q)
		return
	}
	join(r.s, p.Snapshot)
	p.Snapshot = nil
	if p.input == nil {
		return
	}
	if p.isPlain() {
		r.inputs = append(r.inputs, *p.input)
	} else {
		r.parts = append(r.parts, p)
	}
}

// quiet is a file that gave nothing. Of these there may be a million.
type quiet struct {
	path, kind string
	bytes      int64
	log        *model.Input // nil for all but a log
}

// nothing explains a bundle of which no byte could be read.
func nothing(b *Bundle, s *model.Snapshot) error {
	if len(s.Inputs) == 0 {
		if len(s.Problems) > 0 {
			return &Error{Msg: fmt.Sprintf("nothing in %s could be read: %s: %s", b.root, s.Problems[0].Path, s.Problems[0].Message), Hint: hint}
		}
		return &Error{Msg: fmt.Sprintf("%s holds no files", b.root), Hint: hint}
	}
	empty := true
	for _, in := range s.Inputs {
		if in.Kind != model.InputUnread && in.Kind != model.InputEmpty {
			return nil
		}
		empty = empty && in.Kind == model.InputEmpty
	}
	if empty {
		return &Error{Msg: fmt.Sprintf("every file in %s is empty", b.root), Hint: hint}
	}
	for _, severity := range []model.Severity{model.Failure, model.Warning} {
		for _, p := range s.Problems {
			if p.Severity == severity {
				return &Error{Msg: fmt.Sprintf("nothing in %s could be read: %s: %s", b.root, p.Path, p.Message), Hint: hint}
			}
		}
	}
	return &Error{Msg: fmt.Sprintf("nothing in %s could be read", b.root), Hint: hint}
}
