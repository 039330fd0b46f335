package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// checkOutput refuses what is not written to: a link, whatever names it, and where a mark is given every file that does not begin with it.
// The mark is that of volpost's own files, for those that the user has not named. It returns what is there, nil for nothing.
func checkOutput(path, mark string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, failf("%v", err).hinted("name another file")
	case info.IsDir():
		return nil, failf("%s is a directory", path).hinted("name a file in it")
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, failf("%s is a link, and links are not written through", path).hinted("remove it, or name another file")
	case info.Mode().IsRegular() && (mark == "" || holds(path, mark)):
		return info, nil
	case info.Mode().IsRegular():
		return nil, failf("%s is there, and volpost did not write it", path).
			hinted("move it away, or name the file: -o FORMAT=FILE writes over it")
	case mark == "" && info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) != 0:
		return info, nil
	}
	return nil, failf("%s is not a regular file", path).hinted("name another file")
}

// unwritten is the error of what was not written, with a hint unless it has its own.
func unwritten(err error, what, hint string, args ...any) error {
	var known *failure
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	return failf("writing %s: %v", what, err).hinted(hint, args...)
}

// unprinted is the error of what did not get to standard output; that of a reader who has had enough stays what it is.
func unprinted(err error, what string) error {
	if enough(err) {
		return err
	}
	return unwritten(err, what, "")
}

// markWithin is how far from its beginning a file of volpost has its mark.
const markWithin = 4096

// holds reports whether a file has a mark near its beginning.
func holds(path, mark string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|openPlainly, 0)
	if err != nil {
		return false
	}
	defer f.Close() // it was read only: closing can lose nothing
	head, err := io.ReadAll(io.LimitReader(f, markWithin))
	return err == nil && bytes.Contains(head, []byte(mark))
}

// writeFile writes a file so that a reader sees the old content or the whole new one: into a neighbour that is renamed, which
// follows no link. A device or a pipe is written to as it is. What may be there says checkOutput.
func (a app) writeFile(ctx context.Context, path, mark string, render func(io.Writer) error) error {
	if n, ok := descriptor(path); ok {
		f, err := reopened(n, path)
		if err != nil {
			return err
		}
		return errors.Join(render(f), f.Close())
	}
	info, err := checkOutput(path, mark)
	if err != nil {
		return err
	}
	if info == nil {
		return a.writeBeside(path, 0o666, render)
	}
	if info.Mode().IsRegular() {
		return a.writeBeside(path, info.Mode().Perm(), render)
	}
	return writeThrough(ctx, path, render)
}

// descriptor is the number of a stream that the process was given as a name such as /dev/fd/63, which shells put for >(…), as a link.
func descriptor(path string) (int, bool) {
	if path == "/dev/stderr" {
		return 2, true
	}
	number, ok := strings.CutPrefix(strings.Replace(path, "/proc/self/", "/dev/", 1), "/dev/fd/")
	n, err := strconv.ParseUint(number, 10, 16)
	return int(n), ok && err == nil
}

// readerComes is how long a named pipe waits for a reader.
const readerComes = 10 * time.Second

// writeThrough writes to a device or a named pipe, if that is still what the name means.
func writeThrough(ctx context.Context, path string, render func(io.Writer) error) error {
	f, err := openThrough(ctx, path, readerComes)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = fmt.Errorf("%s was exchanged for a file", path)
	}
	if err == nil {
		err = render(f)
	}
	return errors.Join(err, f.Close())
}

// openThrough opens a device or a named pipe without waiting in the system, where no signal would end it.
func openThrough(ctx context.Context, path string, patience time.Duration) (*os.File, error) {
	for end := time.Now().Add(patience); ; {
		f, err := os.OpenFile(path, os.O_WRONLY|openPlainly, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("nobody reads the pipe %s", path)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (a app) writeBeside(path string, perm fs.FileMode, render func(io.Writer) error) error {
	var f *os.File
	neighbour, err := a.temporary.create(func() (name string, err error) {
		if f, err = createBeside(path, perm); err == nil {
			name = f.Name()
		}
		return name, err
	})
	if err != nil {
		return err
	}
	defer a.temporary.forget(neighbour)
	if err = errors.Join(render(f), f.Close()); err == nil {
		err = os.Rename(neighbour, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(neighbour))
	}
	return nil
}

// createBeside creates a neighbour exclusively: O_EXCL follows no link that another process put there.
func createBeside(path string, perm fs.FileMode) (*os.File, error) {
	neighbour := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%s.tmp", filepath.Base(path), rand.Text()[:8]))
	f, err := os.OpenFile(neighbour, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", path, of.Err) // the neighbour's name means nothing to the user
	}
	return f, err
}
