//go:build unix

package guard

import (
	"os"
	"syscall"
)

// moduleSize is more than what wazero v1.10 writes for go-graphviz v0.2.10 (5.9 MB on amd64).
const moduleSize = 8 << 20

// Directory is where the compiled WebAssembly may be kept: below the user's cache directory, else below the temporary
// directory, in a directory that carries the user's number, because a root shell can have the HOME of another user.
// Without a usable one it is a path that can hold no directory. It answers false where the guard has nothing to do.
func Directory() (string, bool) {
	name := "volpost-wasm-" + decimal(os.Geteuid())
	if cache, err := os.UserCacheDir(); err == nil && usable(cache, name) {
		return cache + "/" + name, true
	}
	if temp := os.TempDir(); usable(temp, name) {
		return temp + "/" + name, true
	}
	return os.DevNull, true
}

// usable reports whether parent/name is, or could be made, a directory that this user alone can write to, with room for
// the module.
func usable(parent, name string) bool {
	if parent == "" || parent[0] != '/' {
		return false
	}
	dir := parent + "/" + name
	if os.MkdirAll(dir, 0o700) != nil || !private(dir) {
		return false
	}
	// The directory that go-graphviz will make inside: one left there by another user under a changed identity, such as
	// in a container whose user numbers were remapped, cannot be read.
	inside := dir + "/go-graphviz"
	if _, err := os.Lstat(inside); err == nil {
		return private(inside) && writable(inside, 1)
	}
	return writable(dir, moduleSize)
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

// writable tries to write so many bytes into a file of dir.
func writable(dir string, size int) bool {
	file, err := os.CreateTemp(dir, "probe")
	if err != nil {
		return false
	}
	defer os.Remove(file.Name())
	block := make([]byte, min(size, 1<<20))
	for written := 0; written < size && err == nil; written += len(block) {
		_, err = file.Write(block)
	}
	return file.Close() == nil && err == nil
}

// decimal is strconv.Itoa for a user number, which is never negative on Unix; see the package comment on imports.
func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}
