package archive

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/volpost/volpost/model"
)

// TestGauge asks what a compression may give that went in bytes far when it had already given out, and then gives n more.
func TestGauge(t *testing.T) {
	const ratio = 1000
	for _, c := range []struct {
		out, n, in    int64 // of this archive; before it began, ten bytes had been read
		all, packed   int64 // of the bundle before
		want          string
		bundleIsSpent bool
	}{
		{0, ratioGrace, 0, 0, 0, "", false},
		{0, ratioGrace + 1, 0, 0, 0, "1000 unpacked bytes for one packed byte", false},
		{ratioGrace, ratio, ratioGrace/ratio + 1, 0, 1 << 40, "", false},
		{ratioGrace, 2 * ratio, ratioGrace / ratio, 0, 1 << 40, "1000 unpacked bytes for one packed byte", false},
		{0, 1, 0, bundleGrace - 1, 0, "", false},
		{0, 1, 0, bundleGrace, 0, ErrTotal.Error(), true},
		{0, 1, 0, bundleGrace, bundleGrace / ratio, "", false},
		{0, 1, 0, bundleGrace, bundleGrace/ratio - 1, ErrTotal.Error(), true},
	} {
		var problems []string
		w := newWalker(t.Context(), Limits{Ratio: ratio}, Visitor{Problem: func(p model.Problem) { problems = append(problems, p.Path+" "+p.Message) }})
		w.unpacked.Store(c.all)
		w.packed.Store(c.packed)
		in := int64(10)
		g := w.newGauge("p", func() int64 { return in })
		g.out, in = c.out, in+c.in
		err := g.add(int(c.n))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) ||
			(len(problems) == 1) != c.bundleIsSpent {
			t.Errorf("%+v: %v, %s", c, err, problems)
		}
	}
	if err := (*gauge)(nil).add(1 << 40); err != nil {
		t.Errorf("without a gauge: %v", err)
	}
}

// TestLimitsAreExact reads what has just the size of a limit, and one byte more.
func TestLimitsAreExact(t *testing.T) {
	a := allowance{max: 5}
	for i, want := range []error{nil, nil, ErrTotal} {
		if err := a.spend([]int{4, 1, 1}[i]); err != want {
			t.Errorf("spending %d: %v", i, err)
		}
	}
	z := zipped(t, "x=hello")
	long := strings.Repeat("d", pathUnit)
	const cut, refused = "the limit of 5 bytes of one file is reached", "the limit of 1 archives in one another is reached"
	for _, c := range []struct {
		name, has, not string
		data           []byte
		limits         Limits
	}{
		{"file", "file=12345", "error", []byte("12345"), Limits{EntryBytes: 5}},
		{"file", "file=12345 error: " + cut, "123456", []byte("123456"), Limits{EntryBytes: 5}},
		{"file", "file=12345", "error", []byte("12345"), Limits{TotalBytes: 5}},
		{"file", "error: " + ErrTotal.Error(), "!", []byte("123456"), Limits{TotalBytes: 5}},
		{"file", "file=12345", "error", []byte("12345"), Limits{EntryBytes: -1, TotalBytes: -1, Entries: -1, Nesting: -1, Ratio: -1, ZipBytes: -1}},
		{"x.gz", "x.gz!x=hello", "error", gzipped(t, []byte("hello")), Limits{Nesting: 1}},
		{"x.tgz", "x.tgz!x=hello", "error", gzipped(t, tarred(t, "x=hello")), Limits{Nesting: 1}},
		{"x.gz", "x.gz!x error: is packed (gzip): " + refused, "hello", gzipped(t, gzipped(t, []byte("hello"))), Limits{Nesting: 1}},
		{"t.tar", "t.tar!z.zip!x=hello", "error", tarred(t, "z.zip="+string(z)), Limits{ZipBytes: int64(len(z))}},
		{"t.tar", "bytes of such a zip is reached", "hello", tarred(t, "z.zip="+string(z)), Limits{ZipBytes: int64(len(z)) - 1}},
		{"t.gz", "t.gz!t!x=hello", "error", gzipped(t, z), Limits{ZipBytes: int64(len(z))}},
		{"t.gz", "bytes of such a zip is reached", "hello", gzipped(t, z), Limits{ZipBytes: int64(len(z)) - 1}},
		{"t.gz", "bytes of such a zip is reached", "hello", gzipped(t, zipped(t, "z.zip="+string(z))),
			Limits{ZipBytes: int64(len(zipped(t, "z.zip="+string(z))) + len(z) - 1)}},
		{"t.gz", "t.gz!t!z.zip!x=hello", "error", gzipped(t, zipped(t, "z.zip="+string(z))),
			Limits{ZipBytes: int64(len(zipped(t, "z.zip="+string(z))) + len(z))}},
		{"t.tar", "t.tar error: the limit of 1 entries is reached", "x", tarred(t, "x=hello"), Limits{Entries: 1}},
		{"t.tar", "t.tar!x=hello", "error", tarred(t, "x=hello"), Limits{Entries: 2}},
		{"t.zip", "t.zip error: the limit of 1 entries is reached", "x", zipped(t, "x=hello"), Limits{Entries: 1}},
		{"t.zip", "t.zip!x=hello", "error", zipped(t, "x=hello", "y=2"), Limits{Entries: 2}},
		{long[1:], "=hello", "error", []byte("hello"), Limits{Entries: 1}},
	} {
		got := walk(t, OpenFS(fstest.MapFS{c.name: {Data: c.data}}), c.limits).String()
		if !strings.Contains(got, c.has) || strings.Contains(got, c.not) {
			t.Errorf("%s, %+v: %s, want %s", c.name, c.limits, got, c.has)
		}
	}
	if got := walk(t, OpenFS(fstest.MapFS{long: {Data: []byte("hello")}}), Limits{Entries: 1}); len(got.entries) != 0 || len(got.problems) != 1 {
		t.Errorf("a path of %d bytes counts twice: %s", pathUnit, got)
	}
}

// TestCutNames: of a name that is too long, the beginning stays, and what distinguishes it from others of the same beginning.
func TestCutNames(t *testing.T) {
	n := newNames("c")
	one, _, _ := n.of(strings.Repeat("x", maxPath)+"1", false)
	two, note, again := n.of(strings.Repeat("x", maxPath)+"2", false)
	if one == two || note != "" || again || !strings.HasPrefix(one, "c!"+strings.Repeat("x", maxPath)+"~") || len(one) != len("c!~")+maxPath+16 {
		t.Errorf("%d bytes, %v, %q, %v", len(one), one == two, note, again)
	}
}

// TestAdded has what belongs to no collection, and what only looks like it.
func TestAdded(t *testing.T) {
	for p, want := range map[string]string{
		"a/._x": "macOS keeps", "a!._x": "macOS keeps", ".DS_Store": "macOS keeps", "a/.DS_Store": "macOS keeps", "__MACOSX/d/x": "macOS adds",
		"a.zip!__MACOSX/x": "macOS adds", ".git/config": "version control", "a/.git/objects/x": "version control",
		"a/x": "", "._d/x": "", "a/DS_Store": "", "__MACOSX": "", "a__MACOSX/x": "", ".gitignore": "", ".github/x": "", "a/.git": "", "a_._x": "",
	} {
		if got := added(p); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", p, got)
		}
	}
}

// TestDamage: a limit stays one in the errors of the decoders, and what is cut is told from what is damaged.
func TestDamage(t *testing.T) {
	for want, err := range map[string]error{
		"the limit of 1 x is reached":  fmt.Errorf("deep: %w", &LimitError{What: "1 x"}),
		"bytes together was reached":   fmt.Errorf("deep: %w", ErrTotal),
		"for the window of a":          zstd.ErrWindowSizeExceeded,
		"window of a compressed file":  xz.ErrMemlimit,
		"the gzip data is cut off":     io.ErrUnexpectedEOF,
		"gzip data is cut off":         fmt.Errorf("deep: %w", io.EOF),
		"the gzip data is damaged: no": errors.New("no"),
	} {
		if got := damage("gzip", err).Error(); !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
}

// TestDirectoryGuard: a zip's directory has a bound, and what is read of its members after that has none.
func TestDirectoryGuard(t *testing.T) {
	g := &directoryGuard{at: bytes.NewReader(make([]byte, 20)), left: 10}
	for i, want := range []bool{true, true, false} {
		if _, err := g.ReadAt(make([]byte, 5), 0); (err == nil) != want {
			t.Errorf("read %d: %v", i, err)
		}
	}
	g.open = true
	if _, err := g.ReadAt(make([]byte, 20), 0); err != nil {
		t.Errorf("a member: %v", err)
	}
}

// TestEntries has what the kinds of members are listed as, with their size, or that of an archive that gives nothing.
func TestEntries(t *testing.T) {
	var tars, zips bytes.Buffer
	tw, zw := tar.NewWriter(&tars), zip.NewWriter(&zips)
	var errs []error
	for _, h := range []tar.Header{{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"a": "b"}}, {Typeflag: tar.TypeDir, Name: "d/"},
		{Typeflag: tar.TypeLink, Name: "l", Linkname: "x"}, {Typeflag: tar.TypeFifo, Name: "p"}, {Typeflag: tar.TypeChar, Name: "c"},
		{Typeflag: tar.TypeBlock, Name: "b"}, {Typeflag: tar.TypeReg, Name: "._x"}, {Typeflag: tar.TypeReg, Name: "x"}} {
		errs = append(errs, tw.WriteHeader(&h))
	}
	for name, mode := range map[string]fs.FileMode{"d": fs.ModeDir, "e/": 0, "p": fs.ModeNamedPipe, "l": fs.ModeSymlink, "x": 0} {
		h := &zip.FileHeader{Name: name}
		h.SetMode(mode | 0o644)
		f, err := zw.CreateHeader(h)
		if err == nil && mode != fs.ModeDir && name != "e/" {
			_, err = io.WriteString(f, strings.Repeat("t", 2*maxTarget))
		}
		errs = append(errs, err)
	}
	if err := errors.Join(append(errs, tw.Close(), zw.Close())...); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"a.tar", "a.tar!._x 0 0 skipped; a.tar!b 3 0; a.tar!c 3 0; a.tar!d 1 0; a.tar!l 2 0 x; a.tar!p 3 0; a.tar!x 0 0", tars.Bytes()},
		{"a.zip", "a.zip!d 1 0; a.zip!e 1 0; a.zip!l 2 0 " + strings.Repeat("t", maxTarget) + "; a.zip!p 3 0; a.zip!x 0 8192", zips.Bytes()},
		{"top.tar", fmt.Sprintf("top.tar 0 %d skipped", len(tarred(t, "./"))), tarred(t, "./")},
		{"top.zip", fmt.Sprintf("top.zip 0 %d skipped", len(zipped(t, "./"))), zipped(t, "./")},
		{"empty.zip", fmt.Sprintf("empty.zip 0 %d skipped", len(zipped(t))), zipped(t)},
		{"a.7z", "a.7z 0 6 refused", []byte("7z\xbc\xaf\x27\x1c")},
		{"x.gz", "x.gz!x 0 -1", gzipped(t, []byte("hello"))},
		{"x.gz", "x.gz!x 0 0 refused", gzipped(t, []byte("7z\xbc\xaf\x27\x1c"))},
		{"x.gz", "x.gz!x 0 0 skipped", gzipped(t, zipped(t, "./"))},
	} {
		var got []string
		var mu sync.Mutex
		err := OpenFS(fstest.MapFS{c.name: {Data: c.data}}).Walk(t.Context(), Limits{}, Visitor{Problem: func(p model.Problem) { t.Error(p) },
			Entry: func(e Entry, _ *bufio.Reader) {
				text := fmt.Sprintf("%s %d %d", e.Path, e.Form, e.Size)
				if e.Target != "" {
					text += " " + e.Target
				}
				if e.Skipped != "" {
					text += " skipped"
				}
				if e.Err != nil {
					text += " refused"
				}
				mu.Lock()
				defer mu.Unlock()
				got = append(got, text)
			}})
		slices.Sort(got)
		if err != nil || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %v %.300s, want %.300s", c.name, err, strings.Join(got, "; "), c.want)
		}
	}
}

// TestProgress: what is read of the files is told in steps, against all that there is, and at the end nothing is left.
func TestProgress(t *testing.T) {
	const size = 3*progressStep + 10
	fsys := fstest.MapFS{"a": {Data: make([]byte, size)}, "b.7z": {Data: []byte("7z\xbc\xaf\x27\x1cxxxx")}, "c": {Data: []byte("x")}}
	for _, piped := range []bool{false, true} {
		tree, total := OpenFS(fsys), int64(size+11)
		if piped {
			tree.AddStream("-", strings.NewReader("piped"))
			total = 0
		}
		var reports []int64
		err := tree.Walk(t.Context(), Limits{}, Visitor{
			Entry: func(_ Entry, r *bufio.Reader) {
				if r != nil {
					_, _ = io.Copy(io.Discard, r)
				}
			},
			Problem: func(p model.Problem) { t.Error(p) },
			Progress: func(done, of int64) {
				if reports = append(reports, done); of != total {
					t.Errorf("of %d, want %d", of, total)
				}
			}})
		if want := int64(size + 11 + 5*len(tree.sources[1:])); err != nil || len(reports) == 0 || reports[len(reports)-1] != want ||
			!slices.IsSorted(reports) || len(reports) > 8 || len(slices.Compact(reports)) != len(reports) {
			t.Errorf("%v, %v, want %d", err, reports, want)
		}
	}
}

// TestFailingStream has what fails before its first byte, and after some.
func TestFailingStream(t *testing.T) {
	fails := failing{errors.New("no disk")}
	for want, r := range map[string]io.Reader{
		"- error: no disk":       fails,
		"-=hello error: no disk": io.MultiReader(strings.NewReader("hello"), fails),
		"-=":                     strings.NewReader(""),
		"- error: the gzip data is damaged: no disk": io.MultiReader(bytes.NewReader(gzipped(t, []byte("hello"))[:5]), fails),
	} {
		tree := &Tree{}
		tree.AddStream("-", r)
		if got := walk(t, tree, Limits{}).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestSources has what is added that is not there, a directory by its relative name, and where paths lie.
func TestSources(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "top")
	tree := &Tree{}
	if err := tree.Add(dir, true); err == nil || len(tree.sources) != 0 {
		t.Errorf("a directory that is not there: %v", err)
	}
	if err := tree.Add(dir, false); err != nil {
		t.Error(err)
	}
	if got := walk(t, tree, Limits{}).String(); !strings.HasPrefix(got, "top error: ") {
		t.Errorf("a file that is not there: %s", got)
	}
	here := t.TempDir()
	t.Chdir(here)
	tree = &Tree{}
	for range 3 {
		if err := tree.Add(".", true); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := tree.Local("x"); ok {
		t.Error("of two directories without names, one has the path")
	}
	tree.WithNames()
	base := filepath.Base(here)
	for i, want := range []string{base + "/", base + "#2/", base + "#3/"} {
		if tree.sources[i].prefix != want {
			t.Errorf("%s, want %s", tree.sources[i].prefix, want)
		}
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if _, err := tree.sources[0].root.Stat("."); err == nil {
		t.Error("the directory is still open")
	}
	if tree := OpenFS(fstest.MapFS{}); tree.Close() != nil {
		t.Error("a file system that is no directory cannot be closed")
	} else if _, ok := tree.Local("x"); ok {
		t.Error("and its files lie nowhere")
	}
}

// TestGivenUp: nobody is told of what is damaged after the caller gave up.
func TestGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWalker(ctx, Limits{}, Visitor{Entry: func(e Entry, _ *bufio.Reader) { t.Error(e) }, Problem: func(p model.Problem) { t.Error(p) }})
	cancel()
	w.damaged(stream{}, 0, io.EOF)
	w.damaged(stream{}, 1, io.EOF)
	raw := &rawReader{w: w, r: strings.NewReader("x"), at: strings.NewReader("x")}
	if _, err := raw.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := raw.ReadAt(make([]byte, 1), 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
