// Package guard keeps go-graphviz from ending every command before main.
//
// go-graphviz v0.2.10 compiles its WebAssembly in a package initialiser, through a cache in the directory go-graphviz below
// os.TempDir(), and panics on any error of reading or writing there: a second user of a host, a full disk, a read-only mount or a
// damaged file. Code that another user has put into /tmp would be run.
//
// So this package points the temporary directory, for as long as the packages are initialised, at one that this user alone can
// write to and that holds what an earlier run has kept and found whole; or at a new one with room for it; or, where there is none of
// either, at a path below which nothing can be: then go-graphviz keeps nothing.
//
// It has to be initialised before go-graphviz/internal/wasm. Go initialises, of all packages whose imports are ready, the one with the
// smallest import path. This one imports only what package os imports too, and is ready when os is. wazero imports net, which is ready
// after os too and sorts after "github.com/volpost": so this package comes first. Another import could break that; TestOrder watches it.
package guard

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"
)

// room is more than what go-graphviz keeps, 6 MB on amd64, with a margin for others that write at the same time.
const room = 16 << 20

// borrowed is the temporary directory while packages are initialised.
type borrowed struct {
	was   string // the variable as the user has it
	set   bool
	fresh string // where go-graphviz keeps its code for the first time, or ""
	kept  string // where it belongs when it is whole
}

var now = borrow()

func borrow() (b borrowed) {
	b.was, b.set = os.LookupEnv(variable)
	dir := os.DevNull
	base, usable := directory()
	name, known := build()
	if usable && known {
		b.kept = path.Join(base, name)
		if dir = b.kept; !whole(b.kept) {
			b.fresh = fresh(base)
			dir = b.fresh
		}
	}
	if dir == "" {
		dir = os.DevNull
	}
	os.Setenv(variable, dir)
	return b
}

// Release gives the temporary directory back and files what was kept, once go-graphviz has been initialised.
func Release() {
	if now.set {
		os.Setenv(variable, now.was)
	} else {
		os.Unsetenv(variable)
	}
	if now.fresh != "" {
		file(now.fresh, now.kept)
	}
}

// builds are how many programs have their code kept at most.
const builds = 8

// tidy removes what runs have left that were killed, and the code of programs that are long gone: all but the youngest.
func tidy(base string) {
	entries, _ := os.ReadDir(base) // what cannot be read stays
	var kept []fs.FileInfo
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue
		}
		if unfinished, _ := path.Match("new-*", info.Name()); !unfinished {
			kept = append(kept, info)
		} else if time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(path.Join(base, info.Name())) // the next run tries again
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range kept[min(len(kept), builds-1):] {
		_ = os.RemoveAll(path.Join(base, info.Name())) // the same
	}
}

// fresh makes an empty directory in base, if the disk takes what will be written there.
func fresh(base string) string {
	tidy(base)
	dir, err := os.MkdirTemp(base, "new-")
	if err != nil {
		return ""
	}
	if !takes(path.Join(dir, "probe"), room) {
		_ = os.RemoveAll(dir) // the disk is full
		return ""
	}
	return dir
}

// takes reports whether so many bytes can be written into a file, which it removes.
func takes(name string, size int) bool {
	f, err := os.Create(name)
	if err != nil {
		return false
	}
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i) // a file system that compresses takes zeros always
	}
	for written := 0; written < size && err == nil; written += len(block) {
		_, err = f.Write(block)
	}
	if err == nil {
		err = f.Sync()
	}
	closed := f.Close()
	return os.Remove(name) == nil && closed == nil && err == nil
}

// file moves what was kept to where the next run looks for it, with its checksum. Of two runs at the same time one does.
func file(fresh, kept string) {
	sum, ok := checksum(fresh)
	if !ok || os.WriteFile(path.Join(fresh, sumFile), []byte(hex(sum)), 0o600) != nil || whole(kept) {
		_ = os.RemoveAll(fresh) // nothing is kept
		return
	}
	_ = os.RemoveAll(kept) // it is damaged; where it stays, the next call fails
	if os.Rename(fresh, kept) != nil {
		_ = os.RemoveAll(fresh)
	}
}

const sumFile = "sum"

// whole reports whether a directory holds what this user has kept, as it was.
func whole(dir string) bool {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return false
	}
	want, err := os.ReadFile(path.Join(dir, sumFile))
	if err != nil {
		return false
	}
	sum, ok := checksum(dir)
	return ok && string(want) == hex(sum)
}

// checksum is one of all files below a directory and of their names; false for none, or where one is another user's.
func checksum(dir string) (sum uint64, ok bool) {
	files, tree := 0, os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || !mine(info) || !info.IsDir() && !info.Mode().IsRegular() {
			return fs.ErrPermission
		}
		if info.IsDir() || name == sumFile {
			return nil
		}
		files++
		sum = add(sum, []byte(name))
		sum, err = addFile(sum, tree, name)
		return err
	})
	return sum, err == nil && files > 0
}

func addFile(sum uint64, tree fs.FS, name string) (uint64, error) {
	f, err := tree.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, block)
		sum = add(sum, block[:n])
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return add(sum, []byte{1}), nil
		default:
			return 0, err
		}
	}
}

// add is FNV-1a over words of eight bytes, which takes 3 ms for 6 MB. It finds damage, not malice.
func add(sum uint64, data []byte) uint64 {
	const prime = 1099511628211
	for len(data) >= 8 {
		word := uint64(data[0]) | uint64(data[1])<<8 | uint64(data[2])<<16 | uint64(data[3])<<24 |
			uint64(data[4])<<32 | uint64(data[5])<<40 | uint64(data[6])<<48 | uint64(data[7])<<56
		sum = (sum ^ word) * prime
		sum ^= sum >> 29
		data = data[8:]
	}
	for _, b := range data {
		sum = (sum ^ uint64(b)) * prime
	}
	return sum
}

func hex(n uint64) string {
	out := make([]byte, 16)
	for i := range out {
		out[15-i] = "0123456789abcdef"[n>>(4*i)&15]
	}
	return string(out)
}

// build names the code that this program keeps, after the program's hash and the processor: go-graphviz finds it and writes nothing.
func build() (string, bool) {
	name, err := os.Executable()
	if err != nil {
		return "", false
	}
	sum, ok := addStart(1, name, 64<<10)
	info, err := os.Stat(name)
	if !ok || err != nil {
		return "", false
	}
	return hex(add(processor(sum), []byte(hex(uint64(info.Size()))))), true
}

// addStart adds the beginning of a file.
func addStart(sum uint64, name string, size int) (uint64, bool) {
	f, err := os.Open(name)
	if err != nil {
		return sum, false
	}
	defer f.Close()
	start := make([]byte, size)
	n, err := io.ReadFull(f, start)
	return add(sum, start[:n]), err == nil || err == io.ErrUnexpectedEOF
}

// processor adds what /proc/cpuinfo says that the first processor can do: compiled code is for one that can the same.
func processor(sum uint64) uint64 {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return sum
	}
	defer f.Close()
	text := make([]byte, 4<<10)
	n, _ := io.ReadFull(f, text) // less is fine
	start := 0
	for i, b := range text[:n] {
		if b != '\n' {
			continue
		}
		line := text[start:i]
		if start = i + 1; len(line) > 8 && (string(line[:5]) == "flags" || string(line[:8]) == "Features") {
			return add(sum, line)
		}
	}
	return sum
}
