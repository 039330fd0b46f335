//go:build unix

package graphviz

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// directory is where the compiled code may be kept: below the user's cache directory, if it and all above it, up to the root,
// belong to this user or to root and nobody else can write there. Code found elsewhere would be run, such as in the HOME of
// another user, which sudo leaves to a root shell. Where there is none, nothing is kept.
func directory() (*store, bool) {
	cache, err := os.UserCacheDir()
	if err != nil || !filepath.IsAbs(cache) {
		return nil, false
	}
	real, err := filepath.EvalSymlinks(cache)
	if err != nil { // it is not there yet; its parent is
		if real, err = filepath.EvalSymlinks(filepath.Dir(cache)); err != nil {
			return nil, false
		}
		real = filepath.Join(real, filepath.Base(cache))
	}
	return descend(filepath.Join(real, "volpost-wasm-"+strconv.Itoa(os.Geteuid())))
}

// descend opens a directory from the root downwards, and looks at each one after it was opened: once nobody else can write to
// one, nobody else can exchange what is in it.
func descend(path string) (*store, bool) {
	dir, err := os.OpenRoot("/")
	if err != nil {
		return nil, false
	}
	for _, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if info, err := dir.Stat("."); err != nil || !private(info, 0) {
			dir.Close()
			return nil, false
		}
		below, err := enter(dir, name)
		dir.Close() // it was only looked at
		if err != nil {
			return nil, false
		}
		dir = below
	}
	info, err := dir.Stat(".")
	if err != nil || !private(info, os.Geteuid()) || !whole(dir) {
		dir.Close()
		return nil, false
	}
	return newStore(dir, path)
}

// enter opens a directory in another one, where it is made if it is not there. A link is not followed.
func enter(dir *os.Root, name string) (*os.Root, error) {
	if err := dir.Mkdir(name, 0o700); err != nil && !os.IsExist(err) {
		return nil, err
	}
	if info, err := dir.Lstat(name); err != nil || !info.IsDir() {
		return nil, fs.ErrInvalid
	}
	return dir.OpenRoot(name)
}

// private reports whether something belongs to this user or to the other one, and nobody else can write to it.
func private(info fs.FileInfo, other int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o022 == 0 && (int(stat.Uid) == os.Geteuid() || int(stat.Uid) == other)
}

// whole reports whether all that lies in the directory was put there by this user: it may have been open to others once. What a
// run that was killed has not finished is removed.
func whole(dir *os.Root) bool {
	return fs.WalkDir(dir.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || !private(info, os.Geteuid()) || !info.IsDir() && !info.Mode().IsRegular() {
			return fs.ErrPermission
		}
		if strings.HasSuffix(path, ".tmp") && time.Since(info.ModTime()) > time.Hour {
			return dir.Remove(path)
		}
		return nil
	}) == nil
}

// newStore names the directory by what was opened, where the system has names for that. Elsewhere the path means the same
// directory, since nobody else can change a name on it.
func newStore(dir *os.Root, path string) (*store, bool) {
	defer dir.Close()
	opened, err := dir.Open(".")
	if err != nil {
		return nil, false
	}
	s := &store{path: path, opened: opened}
	byNumber := "/proc/self/fd/" + strconv.Itoa(int(opened.Fd()))
	one, err := opened.Stat()
	if err != nil {
		opened.Close()
		return nil, false
	}
	if other, err := os.Stat(byNumber); err == nil && os.SameFile(one, other) {
		s.path = byNumber
	}
	return s, true
}
