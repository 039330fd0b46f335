package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a file so that a reader sees the old content or the whole new one: into a neighbour that is renamed.
// What is no regular file, such as /dev/stdout or a named pipe, is written to as it is; a rename would replace it.
func writeFile(path string, render func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(path, render)
	case err == nil:
		// A link keeps pointing to the file, and the file changes.
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		return writeBeside(path, info.Mode().Perm(), render)
	case errors.Is(err, fs.ErrNotExist):
		return writeBeside(path, 0o666, render)
	}
	return err
}

func writeThrough(path string, render func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(render(f), f.Close())
}

// writeBeside creates the neighbour exclusively: the process id keeps two runs apart, and O_EXCL follows no link that
// somebody else has put there.
func writeBeside(path string, perm fs.FileMode, render func(io.Writer) error) error {
	neighbour := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid()))
	f, err := os.OpenFile(neighbour, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		var of *fs.PathError
		if errors.As(err, &of) {
			err = of.Err // the neighbour's name tells the user nothing
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	if err = errors.Join(render(f), f.Close()); err == nil {
		err = os.Rename(neighbour, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(neighbour))
	}
	return nil
}
