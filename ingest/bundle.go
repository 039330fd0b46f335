package ingest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/archive"
)

// Error stops an analysis before it begins, with what the user can do about it. Both are sentences without a full stop.
type Error struct {
	Msg  string
	Hint string
	Err  error // the cause, may be nil
}

func (e *Error) Error() string { return e.Msg }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Bundle is an opened bundle. It can be read repeatedly until it is closed, but for a source that is a stream.
type Bundle struct {
	root    string
	tree    *archive.Tree
	closers []io.Closer // of what was read lazily

	directories bool // that it is made of directories alone
}

// Source is one of the things that a bundle is made of: a directory, a file, or a stream such as standard input.
type Source struct {
	Path   string
	Stream io.Reader // unless nil, the bytes; Path is then only a name
}

// hint is what to give volpost, for every error about what it was given.
const hint = "give the directory or the archive of a must-gather or of kubectl dumps and logs, or one such file"

// Open opens directories, files and archives as one bundle. Its error is an *Error.
func Open(paths ...string) (*Bundle, error) {
	sources := make([]Source, len(paths))
	for i, p := range paths {
		sources[i].Path = p
	}
	return OpenSources(sources...)
}

// OpenSources opens several things as one bundle. Paths then begin with the base name of the source. Its error is an *Error.
func OpenSources(sources ...Source) (*Bundle, error) {
	b := &Bundle{tree: &archive.Tree{}, directories: true}
	var roots []string
	for _, s := range sources {
		roots = append(roots, s.Path)
		if s.Stream != nil {
			b.directories = false
			b.tree.AddStream(s.Path, s.Stream)
			continue
		}
		if err := b.add(s.Path); err != nil {
			_ = b.Close() // the error before matters more
			return nil, err
		}
	}
	if len(sources) > 1 {
		b.tree.WithNames()
	}
	b.root = strings.Join(roots, " ")
	return b, nil
}

func (b *Bundle) add(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Msg: fmt.Sprintf("%s does not exist", path), Hint: hint, Err: err}
	}
	if err != nil {
		return &Error{Msg: fmt.Sprintf("%s cannot be opened: %v", path, cause(err)), Hint: "check the permissions of the path", Err: err}
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return &Error{Msg: fmt.Sprintf("%s is neither a directory nor a regular file", path), Hint: hint + ", or - for standard input"}
	}
	b.directories = b.directories && info.IsDir()
	if err := b.tree.Add(path, info.IsDir()); err != nil {
		return &Error{Msg: fmt.Sprintf("%s cannot be opened: %v", path, cause(err)), Hint: "check the permissions of the directory", Err: err}
	}
	return nil
}

// OpenFS opens a file system, such as a zip.Reader. root is the name that the report gives it.
func OpenFS(fsys fs.FS, root string) *Bundle {
	return &Bundle{root: root, tree: archive.OpenFS(fsys)}
}

// Close lets go of the bundle's directories and of the metrics of every snapshot that was read of it.
func (b *Bundle) Close() error {
	var errs []error
	for _, c := range slices.Backward(b.closers) {
		errs = append(errs, c.Close())
	}
	b.closers = nil
	return errors.Join(append(errs, b.tree.Close())...)
}

// cause is the error without the operation and the path, which the message has already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
