// Package archive turns a bundle into a flat stream of entries with limits, whatever it is packed in: directories, tar,
// zip, and gzip, bzip2, xz and zstd around anything, one in another, and bytes that come from a pipe. Nothing is unpacked
// to disk and nothing is read twice. What a file is packed in is recognised by its first bytes: an extension proves nothing.
//
// A member of an archive is named archive!member, and so on inwards: bundle.zip!node.tar.gz!var/log/x.log.gz!x.log. A "!"
// that stands in a member's own name becomes %21, so that no two entries have one path, and so does each byte that is not UTF-8.
//
// The package knows nothing of what an entry holds.
package archive

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Form says what kind of thing an entry is.
type Form int

// A Link is named but never followed; Special is a device, pipe or socket, named but never opened: reading one may block for ever.
const (
	File Form = iota
	Dir
	Link
	Special
)

// Entry is one member of a bundle.
type Entry struct {
	Path   string // inside the bundle, with slashes; members as archive!member
	Form   Form
	Size   int64  // bytes as the container states them; the bytes read may differ. -1 when it does not say
	Target string // of a Link, as written; "" when it cannot be read
	// Skipped says why the content is of no use, such as a file that macOS adds to archives; "" for all others.
	Skipped string
	// Err says why the entry cannot be read, or listed further, such as a directory without permission.
	Err error
}

// Tree is an opened bundle.
type Tree struct {
	sources []source
}

// source is one of the things that a bundle is made of. Exactly one of fsys, file and stream is set.
type source struct {
	prefix string // of the paths of a directory's entries, "" or with its final slash
	fsys   fs.FS
	root   *os.Root // that fsys belongs to; nil unless it is a directory of the system
	file   string   // path in the system
	stream io.Reader
	name   string // of a file or stream inside the bundle
}

// OpenFS makes a bundle of any file system, such as a zip.Reader.
func OpenFS(fsys fs.FS) *Tree { return &Tree{sources: []source{{fsys: fsys}}} }

// Add adds a directory or a regular file of the system. Paths are relative to the directory, below its base name after WithNames. It is
// reached through an os.Root, so that neither a link nor a race leads outside.
func (t *Tree) Add(name string, dir bool) error {
	if !dir {
		t.sources = append(t.sources, source{file: name, name: filepath.Base(name)})
		return nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	base := filepath.Base(name)
	if whole, err := filepath.Abs(name); err == nil {
		base = filepath.Base(whole) // of "." and ".."
	}
	t.sources = append(t.sources, source{fsys: rootFS{root}, root: root, name: base})
	return nil
}

// AddStream adds bytes that can be read once, such as standard input, under a name.
func (t *Tree) AddStream(name string, r io.Reader) {
	t.sources = append(t.sources, source{stream: r, name: name})
}

// WithNames gives each source of several a name: the base name of what was added, with #2 and so on behind the second.
func (t *Tree) WithNames() {
	taken := map[string]bool{}
	for i := range t.sources {
		s := &t.sources[i]
		name := s.name
		for n := 2; taken[name]; n++ {
			name = s.name + "#" + strconv.Itoa(n)
		}
		taken[name] = true
		s.name = name
		if s.fsys != nil {
			s.prefix = escape(path.Base(filepath.ToSlash(name))) + "/"
		}
	}
}

// Close lets go of the directories.
func (t *Tree) Close() error {
	var errs []error
	for _, s := range t.sources {
		if s.root != nil {
			errs = append(errs, s.root.Close())
		}
	}
	return errors.Join(errs...)
}

// Local is where an entry of a directory of the system lies; false for members of archives, and for names that are written differently.
func (t *Tree) Local(p string) (string, bool) {
	if strings.ContainsAny(p, "!%") {
		return "", false
	}
	for _, s := range t.sources {
		if rest, ok := strings.CutPrefix(p, s.prefix); ok && s.root != nil && (s.prefix != "" || len(t.sources) == 1) {
			return filepath.Join(s.root.Name(), filepath.FromSlash(rest)), true
		}
	}
	return "", false
}

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
