//go:build unix

package archive

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// plainTree is a directory of the system with these files in it.
func plainTree(t *testing.T, files map[string]string) (dir string, tree *Tree) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree = &Tree{}
	if err := tree.Add(dir, true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return dir, tree
}

// needBlocks skips where the file system does not tell what a file takes, or gives a hole the space of its length.
func needBlocks(t *testing.T, dir string, sparse int64) {
	t.Helper()
	hole := filepath.Join(dir, "hole")
	f, err := os.Create(hole)
	if err == nil {
		err = errors.Join(f.Truncate(sparse), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(hole)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := onDisk(info); !ok || n > sparse/sparseFactor {
		t.Skip("the file system has no holes, or does not tell")
	}
}

const long = 1 << 20

// A file that lies there as it is may be longer than what any archive may unpack to; what is packed may not, beside it or alone.
func TestPlainFilesHaveNoLimit(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", long/16)
	dir, tree := plainTree(t, map[string]string{"a.log": text, "b.tar": string(tarred(t, "x="+text)),
		"c.log.gz": string(gzipped(t, []byte(text)))})
	if info, err := os.Stat(filepath.Join(dir, "a.log")); err != nil {
		t.Fatal(err)
	} else if n, ok := onDisk(info); !ok || n < long {
		t.Skip("the file system does not tell what a file takes")
	}
	const cut = "the limit of 512 KiB of one file is reached"
	got := walk(t, tree, Limits{EntryBytes: long / 2})
	if len(got.entries) != 3 || strings.Contains(got.entries[0], "error") || got.bytes != 2*long {
		t.Errorf("%d bytes, %s", got.bytes, got)
	}
	for _, e := range got.entries[1:] {
		if !strings.HasSuffix(e, cut) {
			t.Errorf("%s is not cut", e)
		}
	}
	got = walk(t, tree, Limits{TotalBytes: 1})
	if strings.Contains(got.entries[0], "error") || !strings.Contains(got.entries[1], "error") || !strings.Contains(got.entries[2], "error") ||
		len(got.problems) != 1 {
		t.Errorf("%s, %s", got, got.problems)
	}
	f, err := os.Open(filepath.Join(dir, "a.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	redirected := &Tree{}
	redirected.AddStream("-", f)
	if got := walk(t, redirected, Limits{EntryBytes: 9, TotalBytes: 9}); got.bytes != long || strings.Contains(got.String(), "error") {
		t.Errorf("standard input from a file: %d bytes, %s", got.bytes, got)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Errorf("the caller's file is closed: %v", err)
	}
}

// Holes are made of nothing: the limits hold for what a file pretends to be.
func TestSparseFilesAreLimited(t *testing.T) {
	dir, tree := plainTree(t, nil)
	needBlocks(t, dir, 1<<40)
	start := time.Now()
	got := walk(t, tree, Limits{EntryBytes: long})
	if got.bytes != long || !strings.Contains(got.String(), "of one file is reached") {
		t.Errorf("%d bytes, %s", got.bytes, got)
	}
	got = walk(t, tree, Limits{TotalBytes: long})
	if got.bytes > 2*long || !strings.Contains(got.String(), ErrTotal.Error()) || len(got.problems) != 1 {
		t.Errorf("%d bytes, %s, %s", got.bytes, got, got.problems)
	}
	// With a little written at its end, it may be as many times longer as a file system compresses.
	f, err := os.OpenFile(filepath.Join(dir, "hole"), os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt([]byte("end"), 1<<40)
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if got = walk(t, tree, Limits{EntryBytes: long}); got.bytes < long || got.bytes > 64*long ||
		!strings.Contains(got.String(), "of one file is reached") {
		t.Errorf("%d bytes, %s", got.bytes, got)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}

// What is appended while a file is read has the limit of what is unpacked, so that no writer can be faster than the reader for ever.
func TestGrowingFile(t *testing.T) {
	text := strings.Repeat("x", long)
	dir, tree := plainTree(t, map[string]string{"a.log": text})
	f, err := os.OpenFile(filepath.Join(dir, "a.log"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil {
		t.Fatal(err)
	} else if n, ok := onDisk(info); !ok || n < long {
		t.Skip("the file system does not tell what a file takes")
	}
	for _, l := range []Limits{{EntryBytes: long}, {TotalBytes: long}} {
		err = tree.Walk(context.Background(), l, Visitor{
			Entry: func(e Entry, r *bufio.Reader) {
				n, buf := int64(0), make([]byte, 64<<10)
				for n < 8*long {
					m, err := r.Read(buf)
					n += int64(m)
					if err != nil {
						if n < e.Size+long || n > e.Size+2*long || err == io.EOF {
							t.Errorf("%+v: %d bytes of %d, then %v", l, n, e.Size, err)
						}
						return
					}
					if _, err := f.Write(buf); err != nil {
						t.Error(err)
						return
					}
				}
				t.Errorf("%+v: no end", l)
			},
			Problem: func(model.Problem) {},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A device and a pipe have limits, whatever they call themselves.
func TestPlainBytes(t *testing.T) {
	for _, name := range []string{"/dev/zero", "/dev/null", "/proc/self/status", t.TempDir()} {
		f, err := os.Open(name)
		if err != nil {
			continue // this system has none
		}
		if n := plainBytes(f); n != 0 {
			t.Errorf("%s: %d", name, n)
		}
		_ = f.Close()
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if n := plainBytes(r); n != 0 {
		t.Errorf("a pipe: %d", n)
	}
	_, _ = r.Close(), w.Close()
	if n := plainBytes(strings.NewReader("x")); n != 0 {
		t.Errorf("memory: %d", n)
	}
}

// stated is a file of which everything is what it says.
type stated struct {
	fs.File
	fs.FileInfo
	size   int64
	mode   fs.FileMode
	blocks int64 // < 0 for none known
	err    error
}

func (s stated) Stat() (fs.FileInfo, error) { return s, s.err }
func (s stated) Size() int64                { return s.size }
func (s stated) Mode() fs.FileMode          { return s.mode }
func (s stated) Read([]byte) (int, error)   { return 0, io.EOF }
func (s stated) Close() error               { return nil }
func (s stated) Sys() any {
	if s.blocks < 0 {
		return nil
	}
	return &syscall.Stat_t{Blocks: s.blocks}
}

// TestPlainSpace has what the blocks of a file say of how much of it is there.
func TestPlainSpace(t *testing.T) {
	for _, c := range []struct {
		file stated
		want int64
	}{
		{stated{size: 1000, blocks: 2}, 1000},
		{stated{size: 512*sparseFactor - 1, blocks: 1}, 512*sparseFactor - 1},
		{stated{size: 512 * sparseFactor, blocks: 1}, 512 * sparseFactor},
		{stated{size: 1 << 40, blocks: 1}, 512 * sparseFactor},
		{stated{size: 1000, blocks: 0}, 0},
		{stated{size: 0, blocks: 0}, 0},
		{stated{size: 1000, blocks: -1}, 0},
		{stated{size: 1000, blocks: 2, mode: fs.ModeDevice}, 0},
		{stated{size: 1000, blocks: 2, err: fs.ErrPermission}, 0},
	} {
		if got := plainBytes(c.file); got != c.want {
			t.Errorf("%d bytes in %d blocks: %d, want %d", c.file.size, c.file.blocks, got, c.want)
		}
	}
}

// A file without a limit still ends when the caller gives up.
func TestPlainFileStops(t *testing.T) {
	_, tree := plainTree(t, map[string]string{"a.log": strings.Repeat("x", 16*long)})
	ctx, cancel := context.WithCancel(context.Background())
	var n int
	err := tree.Walk(ctx, Limits{}, Visitor{
		Entry: func(_ Entry, r *bufio.Reader) {
			n, _ = r.Read(make([]byte, 100))
			cancel()
			rest, err := io.Copy(io.Discard, r)
			if n += int(rest); err != context.Canceled {
				t.Errorf("ended with %v", err)
			}
		},
		Problem: func(model.Problem) {},
	})
	if !errors.Is(err, context.Canceled) || n > 2*long {
		t.Errorf("%v after %d bytes", err, n)
	}
}
