package archive

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
)

// rootFS is a directory of the system as a file system, as os.Root.FS is, which refuses names that are not UTF-8: they are bytes on Linux,
// and an old collector's locale makes such names.
type rootFS struct{ root *os.Root }

func (r rootFS) Open(name string) (fs.File, error) { return r.root.Open(name) }

func (r rootFS) Stat(name string) (fs.FileInfo, error) { return r.root.Stat(name) }

func (r rootFS) Lstat(name string) (fs.FileInfo, error) { return r.root.Lstat(name) }

func (r rootFS) ReadLink(name string) (string, error) { return r.root.Readlink(name) }

// ReadDir lists a directory by name.
func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return list, err
}
