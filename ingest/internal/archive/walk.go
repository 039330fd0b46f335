package archive

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/volpost/volpost/model"
)

// HeadSize is how many bytes of an entry its reader can Peek.
const HeadSize = 64 << 10

// Visitor receives what a bundle holds. Entry and Problem are called from several goroutines at a time.
type Visitor struct {
	// Entry is called once for each member. r holds the bytes of a File, valid until it returns; nil for anything else.
	Entry func(e Entry, r *bufio.Reader)
	// Problem receives notes about damaged archives, limits and odd names.
	Problem func(model.Problem)
	// Progress, unless nil, receives the packed bytes that are read, by one goroutine at a time; total is 0 while it is not known.
	Progress func(done, total int64)
}

// Walk reads the whole bundle once, in no defined order. Its error is that of ctx; the visitor receives everything else.
func (t *Tree) Walk(ctx context.Context, l Limits, v Visitor) error {
	w := newWalker(ctx, l, v)
	var files []item
	for _, s := range t.sources {
		files = append(files, w.list(s)...)
	}
	// Large files go first, so that none is left for a single reader at the end.
	slices.SortStableFunc(files, func(a, b item) int { return cmp.Compare(b.entry.Size, a.entry.Size) })
	for _, f := range files {
		if f.entry.Size < 0 {
			w.size = 0
			break
		}
		w.size += f.entry.Size
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		w.slots <- struct{}{}
		w.wg.Go(func() {
			defer func() { <-w.slots }()
			w.file(f)
		})
	}
	w.wg.Wait()
	return ctx.Err()
}

func newWalker(ctx context.Context, l Limits, v Visitor) *walker {
	w := &walker{ctx: ctx, limits: l.orDefaults(), v: v, windows: newWindows(),
		slots: make(chan struct{}, min(runtime.GOMAXPROCS(0), maxReaders))}
	w.total.max = w.limits.TotalBytes
	w.heads.New = func() any { return bufio.NewReaderSize(nil, HeadSize) }
	return w
}

// item is a file that can be opened by itself.
type item struct {
	entry Entry
	open  func() (io.ReadCloser, error)
}

type walker struct {
	ctx              context.Context
	limits           Limits
	v                Visitor
	slots            chan struct{}
	wg               sync.WaitGroup
	heads            sync.Pool
	entries          atomic.Int64
	total            allowance
	packed, unpacked atomic.Int64 // bytes of the bundle that were read, and that came out of compressions
	windows          *windows
	full             sync.Once  // the limit of entries is reported once
	spent            sync.Once  // and so is that of all bytes
	zips             sync.Mutex // held by the goroutine that holds a zip in memory

	mu                   sync.Mutex
	done, reported, size int64
}

func (w *walker) problem(s model.Severity, p, format string, args ...any) {
	w.v.Problem(model.Problem{Severity: s, Path: p, Message: fmt.Sprintf(format, args...)})
}

// count accounts for one more entry and reports whether it may be read.
func (w *walker) count(p string) bool {
	if w.entries.Add(1+int64(len(p)/pathUnit)) <= int64(w.limits.Entries) {
		return true
	}
	w.full.Do(func() {
		w.problem(model.Failure, p, "%v: here and in what follows, entries of archives are not read", w.entriesLimit())
	})
	return false
}

// named is the path of a member. again: the archive has had the name before; more is false at the limit of entries.
func (w *walker) named(n *names, raw string, dir bool) (p string, again, more bool) {
	p, note, again := n.of(raw, dir)
	if again {
		return p, true, true
	}
	if more = w.count(p); more && note != "" {
		w.problem(model.Info, p, "%s", note)
	}
	return p, false, more
}

func (w *walker) entriesLimit() error {
	return &LimitError{What: fmt.Sprintf("%d entries", w.limits.Entries)}
}

// progress counts n more bytes of the bundle's own files, and reports them now and then, and at the end of one.
func (w *walker) progress(n int64, end bool) {
	if w.v.Progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done += n; w.done > w.reported && (end || w.done-w.reported >= progressStep) {
		w.reported = w.done
		w.v.Progress(w.done, w.size)
	}
}

// list reports everything in a source that is no file, and returns its files.
func (w *walker) list(s source) []item {
	if s.stream != nil {
		return []item{{Entry{Path: escape(s.name), Size: -1}, func() (io.ReadCloser, error) { return borrow(s.stream), nil }}}
	}
	if s.file != "" {
		e := Entry{Path: escape(s.name)}
		if info, err := os.Stat(s.file); err != nil {
			e.Err = err
		} else {
			e.Size = info.Size()
		}
		return []item{{e, func() (io.ReadCloser, error) { return os.Open(s.file) }}}
	}
	var files []item
	failed := map[string]error{}
	err := fs.WalkDir(s.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if cerr := w.ctx.Err(); cerr != nil {
			return cerr
		}
		if p == "." && err == nil {
			return nil
		}
		if err == nil && strings.Count(p, "/") > maxDepth { // os.Root opens each directory on the way anew
			err = &LimitError{What: fmt.Sprintf("%d directories in one another", maxDepth), Flag: "it has no flag; move what lies so deep"}
		}
		if err != nil && d != nil && d.IsDir() {
			failed[p] = err // WalkDir names it twice: when it was listed and when it could not be read
			w.v.Entry(Entry{Path: path.Join(s.prefix, escape(p)), Form: Dir, Err: err}, nil)
			return fs.SkipDir
		}
		if !w.count(p) {
			return w.entriesLimit()
		}
		e := s.entry(p, d, err)
		if e.Form != File || e.Err != nil || e.Skipped != "" {
			w.v.Entry(e, nil)
			return nil
		}
		files = append(files, item{e, func() (io.ReadCloser, error) { return s.fsys.Open(p) }})
		return nil
	})
	var full *LimitError
	if err != nil && w.ctx.Err() == nil && !errors.As(err, &full) {
		w.v.Entry(Entry{Path: path.Clean(s.prefix), Form: Dir, Err: err}, nil)
	}
	return files
}

// entry describes what a directory lists.
func (s source) entry(p string, d fs.DirEntry, err error) Entry {
	e := Entry{Path: s.prefix + escape(path.Clean(p)), Err: err}
	if d == nil {
		e.Form = Dir
		return e
	}
	switch mode := d.Type(); {
	case d.IsDir():
		e.Form = Dir
	case mode&fs.ModeSymlink != 0:
		e.Form = Link
		if target, err := fs.ReadLink(s.fsys, p); err == nil {
			e.Target = target
		}
	case mode != 0:
		e.Form = Special
	default:
		e.Skipped = added(p)
		if info, err := d.Info(); err == nil {
			e.Size = info.Size()
		} else if e.Err == nil {
			e.Err = err
		}
	}
	return e
}

// file reads one file of a directory, or one that was named.
func (w *walker) file(f item) {
	e := f.entry
	raw := &rawReader{w: w}
	// What was not read of a file counts as done too.
	defer func() { w.progress(max(e.Size-raw.n.Load(), 0), true) }()
	if e.Err == nil {
		var r io.ReadCloser
		if r, e.Err = f.open(); e.Err == nil {
			defer func() { _ = r.Close() }() // it was only read
			raw.r = r
			s := stream{path: e.Path, size: e.Size, r: raw, cost: raw.n.Load, plain: plainBytes(r)}
			if at, ok := r.(io.ReaderAt); ok && e.Size >= 0 {
				raw.at, s.at = at, raw
			}
			w.stream(s)
			return
		}
	}
	w.v.Entry(e, nil)
}

// rawReader counts the bytes of a file and stops when the caller has given up.
type rawReader struct {
	w  *walker
	r  io.Reader
	at io.ReaderAt // the same, if it is a file that is read at any place, such as a zip
	n  atomic.Int64
}

func (r *rawReader) Read(p []byte) (int, error) {
	if err := r.w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(p)
	r.add(n)
	return n, err
}

func (r *rawReader) add(n int) {
	r.w.packed.Add(int64(n))
	r.n.Add(int64(n))
	r.w.progress(int64(n), false)
}

func (r *rawReader) ReadAt(p []byte, off int64) (int, error) {
	if err := r.w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.at.ReadAt(p, off)
	r.add(n)
	return n, err
}

// leaf hands a stream to the visitor as it is.
func (w *walker) leaf(s stream, r io.Reader) {
	l := &limited{r: r, total: &w.total, plain: s.plain, left: w.limits.EntryBytes, limit: w.limits.EntryBytes}
	head := w.heads.Get().(*bufio.Reader)
	head.Reset(l)
	w.v.Entry(Entry{Path: s.path, Size: s.size}, head)
	head.Reset(strings.NewReader("")) // lets go of the stream
	w.heads.Put(head)
	if errors.Is(l.err, ErrTotal) {
		w.exhausted(s.path, &LimitError{What: bytesText(w.total.max) + " in all", Flag: "--max-total-bytes"})
	}
}

// exhausted reports the first limit on all files together that is reached.
func (w *walker) exhausted(path string, limit error) {
	w.spent.Do(func() {
		w.problem(model.Failure, path, "%v: here and in what follows, only files that are not packed are read", limit)
	})
}
