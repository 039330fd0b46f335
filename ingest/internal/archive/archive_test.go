package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

// walked is what a walk told, sorted by path.
type walked struct {
	entries  []string // path:form, path=content for files, path!error
	paths    []string // of them, in the order of the walk
	problems []string
	bytes    int64
}

func (w walked) String() string { return strings.Join(w.entries, " ") }

func walk(t testing.TB, tree *Tree, l Limits) walked {
	t.Helper()
	w, err := walkContext(context.Background(), tree, l)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func walkContext(ctx context.Context, tree *Tree, l Limits) (walked, error) {
	var w walked
	var mu sync.Mutex
	err := tree.Walk(ctx, l, Visitor{
		Entry: func(e Entry, r *bufio.Reader) {
			text := fmt.Sprintf("%s:%d", e.Path, e.Form)
			var n int64
			switch {
			case e.Err != nil:
				text = e.Path + " error: " + e.Err.Error()
			case e.Skipped != "":
				text = e.Path + " skipped"
			case r != nil:
				head, err := io.ReadAll(io.LimitReader(r, 20))
				if err == nil {
					n, err = io.Copy(io.Discard, r)
				}
				n += int64(len(head))
				text = e.Path + "=" + string(head)
				if err != nil {
					text += " error: " + err.Error()
				} else if e.Size >= 0 && e.Size != n {
					text += fmt.Sprintf(" of %d", e.Size)
				}
			case e.Form == Link:
				text += "→" + e.Target
			}
			mu.Lock()
			defer mu.Unlock()
			w.paths = append(w.paths, e.Path)
			w.entries = append(w.entries, text)
			w.bytes += n
		},
		Problem: func(p model.Problem) {
			mu.Lock()
			defer mu.Unlock()
			w.problems = append(w.problems, p.Path+": "+p.Message)
		},
	})
	slices.Sort(w.entries)
	slices.Sort(w.problems)
	return w, err
}

func TestFileLimits(t *testing.T) {
	fsys := fstest.MapFS{"a": {Data: []byte("12345")}, "b": {Data: []byte("123456")}}
	got := walk(t, OpenFS(fsys), Limits{EntryBytes: 5})
	if want := "a=12345 b=12345 error: the limit of 5 bytes of one file is reached"; got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = walk(t, OpenFS(fsys), Limits{TotalBytes: 8})
	if !strings.Contains(got.String(), " error: the limit of all bytes together was reached") || len(got.problems) != 1 ||
		!strings.Contains(got.problems[0], "the limit of 8 bytes in all is reached (--max-total-bytes)") {
		t.Errorf("got %s, %s", got, got.problems)
	}
	got = walk(t, OpenFS(fsys), Limits{Entries: 1})
	if len(got.entries) != 1 || len(got.problems) != 1 ||
		!strings.Contains(got.problems[0], "the limit of 1 entries is reached") {
		t.Errorf("got %s, %s", got, got.problems)
	}
}

func TestUnreadable(t *testing.T) {
	tree := OpenFS(brokenFS{fstest.MapFS{"d/x": {}, "e": {}}, "d"})
	if got := walk(t, tree, Limits{}).String(); !strings.Contains(got, "d error: open d: permission denied") || !strings.Contains(got, "e=") {
		t.Errorf("got %s", got)
	}
	top := OpenFS(brokenFS{fstest.MapFS{"e": {}}, "."})
	if got := walk(t, top, Limits{}).String(); got != ". error: open .: permission denied" {
		t.Errorf("of a directory that cannot be listed: %s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := walkContext(ctx, tree, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// brokenFS cannot list a directory.
type brokenFS struct {
	fstest.MapFS
	dir string
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == b.dir {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return b.MapFS.ReadDir(name)
}

func TestPacking(t *testing.T) {
	for head, want := range map[string]string{
		"\x1f\x8b\x08": "gzip", "PK\x03\x04": "zip", "\xfd7zXZ\x00": "xz", "\x28\xb5\x2f\xfd": "zstd", "BZh9": "bzip2",
		strings.Repeat("\x00", 257) + "ustar": "tar", "age-encryption.org/v1": "age-encrypted", "Rar!\x1a\x07\x01": "rar",
		"7z\xbc\xaf\x27\x1c": "7z", "-----BEGIN PGP MESSAGE-----\n": "PGP-encrypted", "\x8c\x0d\x04\x09": "PGP-encrypted",
		"": "", "BZh": "", "BZhello": "", "PK": "", "apiVersion: v1": "", "-----BEGIN CERTIFICATE-----": "",
		strings.Repeat("0", 600): "",
	} {
		if got := Packing([]byte(head)); got != want {
			t.Errorf("%.10q: got %q, want %q", head, got, want)
		}
	}
}
