package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

func list(t *testing.T, tree *Tree) string {
	t.Helper()
	entries, err := tree.Entries(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s:%d", e.Path, e.Form))
	}
	return strings.Join(out, " ")
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		os.WriteFile(secret, []byte("outside"), 0o600),
		os.Mkdir(filepath.Join(dir, "b"), 0o755),
		os.WriteFile(filepath.Join(dir, "b", "x"), []byte("hello"), 0o600),
		os.WriteFile(filepath.Join(dir, "b.txt"), nil, 0o600),
		os.Symlink(secret, filepath.Join(dir, "a")),
		os.Symlink("b", filepath.Join(dir, "loop")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	tree, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	if got, want := list(t, tree), "a:2 b:1 b.txt:0 b/x:0 loop:2 pipe:3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	entries, _ := tree.Entries(context.Background())
	for _, e := range entries {
		if (e.Open != nil) != (e.Form == File) {
			t.Errorf("%s can be opened: %v", e.Path, e.Open != nil)
		}
		if e.Path == "a" && e.Target != secret {
			t.Errorf("target %q", e.Target)
		}
		if e.Path == "b/x" && (e.Size != 5 || read(t, e) != "hello") {
			t.Errorf("got %d bytes, %q", e.Size, read(t, e))
		}
	}
}

func read(t *testing.T, e Entry) string {
	t.Helper()
	r, err := e.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(data)
}

// A file swapped for a link between listing and opening must not lead outside.
func TestSwappedForLink(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	entries, _ := tree.Entries(context.Background())
	if err := errors.Join(os.Remove(name), os.Symlink("/etc/hostname", name)); err != nil {
		t.Fatal(err)
	}
	if r, err := entries[0].Open(); err == nil {
		_ = r.Close()
		t.Error("opened a link that leads outside")
	}
}

func TestLimits(t *testing.T) {
	fsys := fstest.MapFS{"a": {Data: []byte("12345")}, "b": {Data: []byte("123456")}, "c": {}}
	tree := OpenFS(fsys).WithLimits(Limits{Entries: 2, EntryBytes: 5})
	entries, err := tree.Entries(context.Background())
	if !errors.Is(err, ErrTooMany) || len(entries) != 2 {
		t.Fatalf("got %d entries, %v", len(entries), err)
	}
	if got := read(t, entries[0]); got != "12345" {
		t.Errorf("a file of exactly the limit: %q", got)
	}
	if got := read(t, entries[1]); got != "error: longer than the limit of 5 bytes" {
		t.Errorf("a longer file: %q", got)
	}
}

func TestUnreadable(t *testing.T) {
	tree := OpenFS(brokenFS{fstest.MapFS{"d/x": {}, "e": {}}})
	entries, err := tree.Entries(context.Background())
	if err != nil || len(entries) != 2 || entries[0].Err == nil || entries[1].Path != "e" {
		t.Errorf("got %+v, %v", entries, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tree.Entries(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// brokenFS cannot list the directory d.
type brokenFS struct{ fstest.MapFS }

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "d" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.MapFS.ReadDir(name)
}

func TestOneFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "kcm.log")
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := list(t, OpenFile(name)); got != "kcm.log:0" {
		t.Errorf("got %s", got)
	}
}

func TestPacking(t *testing.T) {
	for head, want := range map[string]string{
		"\x1f\x8b\x08": "gzip", "PK\x03\x04": "zip", "\xfd7zXZ\x00": "xz", "\x28\xb5\x2f\xfd": "zstd", "BZh9": "bzip2",
		strings.Repeat("\x00", 257) + "ustar": "tar", "age-encryption.org/v1": "age-encrypted",
		"": "", "BZh": "", "BZhello": "", "PK": "", "apiVersion: v1": "",
	} {
		if got := Packing([]byte(head)); got != want {
			t.Errorf("%.10q: got %q, want %q", head, got, want)
		}
	}
}
