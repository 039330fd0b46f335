//go:build unix

package archive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "top")
	secret := filepath.Join(t.TempDir(), "secret")
	for _, err := range []error{
		os.WriteFile(secret, []byte("outside"), 0o600),
		os.MkdirAll(filepath.Join(dir, "b"), 0o755),
		os.Mkdir(filepath.Join(dir, ".git"), 0o755),
		os.WriteFile(filepath.Join(dir, ".git", "config"), []byte("x"), 0o600),
		os.WriteFile(filepath.Join(dir, "b", "x"), []byte("hello"), 0o600),
		os.WriteFile(filepath.Join(dir, "b", "._x"), []byte("hello"), 0o600),
		os.WriteFile(filepath.Join(dir, "b.txt"), nil, 0o600),
		os.WriteFile(filepath.Join(dir, "o!h"), nil, 0o600),
		os.Mkdir(filepath.Join(dir, "z\xe9"), 0o755),
		os.WriteFile(filepath.Join(dir, "z\xe9", "caf\xe9.log"), []byte("hello"), 0o600),
		os.Symlink(secret, filepath.Join(dir, "a")),
		os.Symlink("b", filepath.Join(dir, "loop")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	tree := &Tree{}
	if err := tree.Add(dir, true); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	want := ".git/config skipped .git:1 a:2→" + secret + " b.txt= b/._x skipped b/x=hello b:1 loop:2→b o%21h= pipe:3 z%E9/caf%E9.log=hello z%E9:1"
	if got := walk(t, tree, Limits{}).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := tree.Add(filepath.Join(dir, "b"), true); err != nil {
		t.Fatal(err)
	}
	if err := tree.Add(filepath.Join(dir, "b", "x"), false); err != nil {
		t.Fatal(err)
	}
	if err := tree.Add(filepath.Join(dir, "b", "x"), false); err != nil {
		t.Fatal(err)
	}
	tree.AddStream("-", strings.NewReader("piped"))
	tree.WithNames()
	got := walk(t, tree, Limits{}).String()
	for _, part := range []string{"top/b/x=hello", " b/x=hello", " x=hello", " x#2=hello", "-=piped"} {
		if !strings.Contains(got, part) {
			t.Errorf("%s: no %s", got, part)
		}
	}
}

// TestDeepDirectory has more directories in one another than are read: each costs all those above it.
func TestDeepDirectory(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	deep := strings.Repeat("d/", maxDepth)
	if err := errors.Join(root.MkdirAll(deep+"d/d", 0o755), root.WriteFile(deep+"x", []byte("hello"), 0o600)); err != nil {
		t.Fatal(err)
	}
	tree := &Tree{}
	if err := tree.Add(root.Name(), true); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	got := walk(t, tree, Limits{}).String()
	if n := strings.Count(got, "directories in one another"); n != 1 || !strings.Contains(got, "/x=hello") {
		t.Errorf("%d times the limit, of %s", n, got)
	}
}

// A file swapped for a link between listing and opening must not lead outside.
func TestSwappedForLink(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := &Tree{}
	if err := tree.Add(dir, true); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	w := &walker{ctx: context.Background(), limits: Limits{}.orDefaults()}
	files := w.list(tree.sources[0])
	if err := errors.Join(os.Remove(name), os.Symlink("/etc/hostname", name)); err != nil {
		t.Fatal(err)
	}
	if r, err := files[0].open(); err == nil {
		_ = r.Close()
		t.Error("opened a link that leads outside")
	}
}
