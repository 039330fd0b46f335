package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/volpost/volpost/ingest/internal/archive"
)

// Error is what stops an analysis before it begins, with what the user can do about it. Both are sentences without a full
// stop.
type Error struct {
	Msg  string
	Hint string
	Err  error // the cause, may be nil
}

func (e *Error) Error() string { return e.Msg }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Bundle is an opened bundle. It can be read any number of times until it is closed.
type Bundle struct {
	root string
	tree *archive.Tree
}

// hint is what to give volpost, for every error about what it was given.
const hint = "give the directory of a must-gather or of kubectl dumps and logs, or one such file"

// Open opens a directory or a single file. Its error is an *Error.
func Open(path string) (*Bundle, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Msg: fmt.Sprintf("%s does not exist", path), Hint: hint, Err: err}
	case err != nil:
		return nil, &Error{Msg: fmt.Sprintf("%s cannot be opened: %v", path, cause(err)), Hint: "check the permissions of the path", Err: err}
	case info.IsDir():
		tree, err := archive.OpenDir(path)
		if err != nil {
			return nil, &Error{Msg: fmt.Sprintf("%s cannot be opened: %v", path, cause(err)), Hint: "check the permissions of the directory", Err: err}
		}
		return &Bundle{root: path, tree: tree}, nil
	case !info.Mode().IsRegular():
		return nil, &Error{Msg: fmt.Sprintf("%s is neither a directory nor a regular file", path), Hint: hint}
	}
	return &Bundle{root: path, tree: archive.OpenFile(path)}, nil
}

// OpenFS opens a file system, such as a zip.Reader. root is the name that the report gives it.
func OpenFS(fsys fs.FS, root string) *Bundle {
	return &Bundle{root: root, tree: archive.OpenFS(fsys)}
}

// Close lets go of the bundle's directory.
func (b *Bundle) Close() error { return b.tree.Close() }

// cause is the error without the operation and the path, which the message has already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
