//go:build unix

package guard

import (
	"io/fs"
	"os"
	"path"
	"syscall"
)

// variable is what os.TempDir reads.
const variable = "TMPDIR"

// directory is where compiled code may be kept: below the user's cache, if no other user can write to it or above it.
func directory() (string, bool) {
	cache, err := os.UserCacheDir()
	if err != nil || !path.IsAbs(cache) {
		return "", false
	}
	return below(cache)
}

// below makes the directory of volpost's code in another one.
func below(cache string) (string, bool) {
	dir, real, ok := descend(path.Clean(cache), 20)
	if !ok {
		return "", false
	}
	defer dir.Close()
	own, ok := enter(dir, "volpost-wasm")
	if !ok {
		return "", false
	}
	defer own.Close()
	info, err := own.Stat(".")
	return path.Join(real, "volpost-wasm"), err == nil && mine(info)
}

// descend opens a directory from the root downwards, each checked once open, and returns the path without the links on it.
func descend(name string, links int) (*os.Root, string, bool) {
	if name == "/" {
		root, err := os.OpenRoot("/")
		return root, "/", err == nil
	}
	parent, real, ok := descend(path.Dir(name), links)
	if !ok {
		return nil, "", false
	}
	defer parent.Close()
	base := path.Base(name)
	if target, err := parent.Readlink(base); err == nil {
		if info, err := parent.Stat("."); err != nil || links == 0 || !private(info, 0) {
			return nil, "", false
		}
		if !path.IsAbs(target) {
			target = path.Join(real, target)
		}
		return descend(path.Clean(target), links-1)
	}
	dir, ok := enter(parent, base)
	return dir, path.Join(real, base), ok
}

// enter opens a directory in another one that no other user can write to, and makes it if it is not there. A link is not followed.
func enter(dir *os.Root, name string) (*os.Root, bool) {
	if info, err := dir.Stat("."); err != nil || !private(info, 0) {
		return nil, false
	}
	if err := dir.Mkdir(name, 0o700); err != nil && !os.IsExist(err) {
		if _, there := dir.Lstat(name); there != nil {
			return nil, false
		}
	}
	if info, err := dir.Lstat(name); err != nil || !info.IsDir() {
		return nil, false
	}
	below, err := dir.OpenRoot(name)
	return below, err == nil
}

// private reports whether something belongs to this user or to the other one, and no other user can write to it.
func private(info fs.FileInfo, other int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o022 == 0 && (int(stat.Uid) == os.Geteuid() || int(stat.Uid) == other)
}

// mine reports whether something belongs to this user, and no other user can write to it.
func mine(info fs.FileInfo) bool { return private(info, os.Geteuid()) }
