//go:build unix

package graphviz

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// directory is where the compiled code may be kept: below the user's cache directory, else below the temporary directory,
// in a directory that carries the user's number, because a root shell can have the HOME of another user. It answers false
// where there is none that this user alone can write to: code found elsewhere would be run.
func directory() (string, bool) {
	name := "volpost-wasm-" + strconv.Itoa(os.Geteuid())
	if cache, err := os.UserCacheDir(); err == nil && usable(cache, name) {
		return filepath.Join(cache, name), true
	}
	if temp := os.TempDir(); usable(temp, name) {
		return filepath.Join(temp, name), true
	}
	return "", false
}

// usable reports whether parent/name is, or could be made, a directory that this user alone can write to.
func usable(parent, name string) bool {
	if !filepath.IsAbs(parent) {
		return false
	}
	dir := filepath.Join(parent, name)
	return os.MkdirAll(dir, 0o700) == nil && private(dir)
}

// private reports whether dir is a directory, not a link to one, that belongs to this user and that nobody else can
// write to.
func private(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
