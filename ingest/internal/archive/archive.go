// Package archive turns a bundle into a flat, sorted stream of entries with limits, whatever it is packed in. Today that
// is a directory tree, any fs.FS or one file; nothing here or above relies on seeking, so that tar and zip members can
// become entries of the same stream.
//
// It knows nothing of what an entry holds, except what its first bytes say about packing (Packing).
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Form says what kind of thing an entry is.
type Form int

// A File has bytes, a Dir has none, a Link is a symbolic link that is named but never followed, and Special is a device,
// pipe or socket, which is named but never opened: reading one may block for ever.
const (
	File Form = iota
	Dir
	Link
	Special
)

// Entry is one member of a bundle.
type Entry struct {
	Path   string // inside the bundle, with slashes
	Form   Form
	Size   int64  // bytes as the container states them; the bytes read may differ
	Target string // of a Link, as written; "" when it cannot be read

	// Open gives the bytes, cut at the limit of the bundle. It is nil unless Form is File.
	Open func() (io.ReadCloser, error)
	// Err says why the entry cannot be listed further, such as a directory without permission.
	Err error
}

// Limits bound what a hostile or broken bundle can cost. Zero values mean the defaults.
type Limits struct {
	Entries    int   // listed members
	EntryBytes int64 // read of one member
}

// The defaults let the largest must-gather through (about 100,000 files, logs of some gigabytes).
const (
	DefaultEntries    = 1_000_000
	DefaultEntryBytes = 16 << 30
)

// ErrTooMany is returned by Entries, together with the entries up to the limit.
var ErrTooMany = errors.New("too many files")

// Tree is an opened bundle.
type Tree struct {
	fsys   fs.FS
	root   *os.Root // nil unless the tree is a directory of the system
	file   string   // of a bundle that is one file, its path in the system
	limits Limits
}

// OpenDir opens a directory of the system. Everything below is reached through an os.Root, so that neither a symbolic
// link nor a race can lead outside.
func OpenDir(dir string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Tree{fsys: root.FS(), root: root}, nil
}

// OpenFile makes a bundle of one regular file; its only entry has the file's base name.
func OpenFile(name string) *Tree { return &Tree{file: name} }

// OpenFS makes a bundle of any file system, such as a zip.Reader.
func OpenFS(fsys fs.FS) *Tree { return &Tree{fsys: fsys} }

// WithLimits returns the tree with other limits.
func (t *Tree) WithLimits(l Limits) *Tree {
	u := *t
	u.limits = l
	return &u
}

// Close lets go of the directory.
func (t *Tree) Close() error {
	if t.root == nil {
		return nil
	}
	return t.root.Close()
}

// Entries lists the bundle, sorted by path. With ErrTooMany the list holds what was found up to the limit. Other errors
// are those of ctx; what is wrong with a single entry is in its Err.
func (t *Tree) Entries(ctx context.Context) ([]Entry, error) {
	if t.file != "" {
		info, err := os.Stat(t.file)
		e := Entry{Path: filepath.Base(t.file), Err: err}
		if err == nil {
			e.Size = info.Size()
			e.Open = t.limited(func() (io.ReadCloser, error) { return os.Open(t.file) })
		}
		return []Entry{e}, nil
	}
	var entries []Entry
	limit := t.limits.Entries
	if limit <= 0 {
		limit = DefaultEntries
	}
	err := fs.WalkDir(t.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		if p == "." && err == nil {
			return nil
		}
		if len(entries) >= limit {
			return ErrTooMany
		}
		entries = append(entries, t.entry(p, d, err))
		if err != nil && d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	// A file system may list in any order; a bundle always reads in the same.
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	if err != nil && !errors.Is(err, ErrTooMany) && ctx.Err() == nil {
		entries = append(entries, Entry{Path: ".", Form: Dir, Err: err})
		err = nil
	}
	return dedupe(entries), err
}

// dedupe drops a directory that WalkDir named twice: once when it was listed and once when it could not be read.
func dedupe(entries []Entry) []Entry {
	out := entries[:0]
	for _, e := range entries {
		if n := len(out); n > 0 && out[n-1].Path == e.Path {
			if out[n-1].Err == nil {
				out[n-1].Err = e.Err
			}
			continue
		}
		out = append(out, e)
	}
	return out
}

func (t *Tree) entry(p string, d fs.DirEntry, err error) Entry {
	e := Entry{Path: path.Clean(p), Err: err}
	if d == nil {
		e.Form = Dir
		return e
	}
	switch mode := d.Type(); {
	case d.IsDir():
		e.Form = Dir
	case mode&fs.ModeSymlink != 0:
		e.Form = Link
		if target, err := fs.ReadLink(t.fsys, p); err == nil {
			e.Target = target
		}
	case mode != 0:
		e.Form = Special
	default:
		if info, err := d.Info(); err == nil {
			e.Size = info.Size()
		} else if e.Err == nil {
			e.Err = err
		}
		e.Open = t.limited(func() (io.ReadCloser, error) { return t.fsys.Open(p) })
	}
	return e
}

// limited cuts what open gives at the limit. The reader then answers with an error rather than with the end of the file,
// so that a cut file is never taken for a whole one.
func (t *Tree) limited(open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	limit := t.limits.EntryBytes
	if limit <= 0 {
		limit = DefaultEntryBytes
	}
	return func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return &limitedReader{ReadCloser: r, left: limit, limit: limit}, nil
	}
}

type limitedReader struct {
	io.ReadCloser
	left, limit int64
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		// One more byte tells a file of exactly the limit from a longer one.
		var probe [1]byte
		if n, err := r.ReadCloser.Read(probe[:]); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("longer than the limit of %d bytes", r.limit)
	}
	if int64(len(p)) > r.left {
		p = p[:r.left]
	}
	n, err := r.ReadCloser.Read(p)
	r.left -= int64(n)
	return n, err
}
