package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// tarred makes a tar of name=content pairs; a name that ends in a slash is a directory, one with -> a symbolic link.
func tarred(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		name, content, _ := strings.Cut(m, "=")
		h := &tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644, Typeflag: tar.TypeReg}
		if from, to, ok := strings.Cut(name, "->"); ok {
			h.Name, h.Linkname, h.Typeflag = from, to, tar.TypeSymlink
		}
		if strings.HasSuffix(name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		name, content, _ := strings.Cut(m, "=")
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// helloXZ and helloBzip2 are "hello\n", made with xz and bzip2: there is no writer for them in the module.
const (
	helloXZ    = "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQAFaGVsbG8KAAAApWCX8ZT2/eAAAR4GwS+kHR+2830BAAAAAARZWg=="
	helloBzip2 = "QlpoOTFBWSZTWcHAgOIAAAFBAAAQAkSgADDNAMNGKZcXckU4UJDBwIDi"
)

func decoded(t testing.TB, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// one walks a bundle of one file, both as a file and through a pipe, and wants the same of both.
func one(t *testing.T, name string, data []byte, l Limits) walked {
	t.Helper()
	file := walk(t, OpenFS(fstest.MapFS{name: {Data: data}}), l)
	tree := &Tree{}
	tree.AddStream(name, io.MultiReader(bytes.NewReader(data)))
	if pipe := walk(t, tree, l); pipe.String() != file.String() || fmt.Sprint(pipe.problems) != fmt.Sprint(file.problems) {
		t.Errorf("through a pipe\n%s %s, as a file\n%s %s", pipe, pipe.problems, file, file.problems)
	}
	return file
}

func TestKinds(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"a.tar", tarred(t, "d/", "d/x=hello", "y="), "a.tar!d/x=hello a.tar!d:1 a.tar!y="},
		{"a.tar.gz", gzipped(t, tarred(t, "d/x=hello")), "a.tar.gz!d/x=hello"},
		{"a.tzst", zstandard(t, tarred(t, "d/x=hello")), "a.tzst!d/x=hello"},
		{"a.zip", zipped(t, "d/", "d/x=hello", "y="), "a.zip!d/x=hello a.zip!d:1 a.zip!y="},
		{"x.log.gz", gzipped(t, []byte("hello")), "x.log.gz!x.log=hello"},
		{"two", append(gzipped(t, []byte("hel")), gzipped(t, []byte("lo"))...), "two!two=hello"},
		{"x.xz", decoded(t, helloXZ), "x.xz!x=hello\n"},
		{"x.bz2", decoded(t, helloBzip2), "x.bz2!x=hello\n"},
		{"x.zst", zstandard(t, []byte("hello")), "x.zst!x=hello"},
		{"lying.txt", gzipped(t, tarred(t, "x=hello")), "lying.txt!x=hello"},
		{"plain.tar.gz", []byte("hello"), "plain.tar.gz=hello"},
		{"a.zip", zipped(t, "n.tgz="+string(gzipped(t, tarred(t, "x.gz="+string(gzipped(t, []byte("hello"))))))), "a.zip!n.tgz!x.gz!x=hello"},
		{"a.tgz", gzipped(t, tarred(t, "n.zip="+string(zipped(t, "m.zip="+string(zipped(t, "x=hello")))))), "a.tgz!n.zip!m.zip!x=hello"},
		{"a.tar", tarred(t, "._x=apple", "__MACOSX/d/x=apple", "x=hello"), "a.tar!._x skipped a.tar!__MACOSX/d/x skipped a.tar!x=hello"},
		{"w.zip", zipped(t, `d\x=hello`), "w.zip!d/x=hello"},
		{"w.zip", zipped(t, `d\x=hello`, "y=1"), "w.zip!d/x=hello w.zip!y=1"},
		{"top.tar", tarred(t, "./", "x=hello"), "top.tar!x=hello"},
		{"empty.tar", append(tarred(t), 0), "empty.tar=" + strings.Repeat("\x00", 20)},
		{"empty.zip", zipped(t), "empty.zip skipped"},
		{"empty", nil, "empty="},
		{"empty.gz", gzipped(t, nil), "empty.gz!empty="},
		{"top.tar", tarred(t, "./"), "top.tar skipped"},
		{"top.zip", zipped(t, "./"), "top.zip skipped"},
		{"old.tar", oldTarred(t), "old.tar!x=hello"},
		{"old.tar", append(oldTarred(t)[:148], oldTarred(t)[149:]...), "old.tar=x" + strings.Repeat("\x00", 19)},
		{"x", named(t, "d/real.log"), "x!real.log=hello"},
		{"x", named(t, "/"), "x!x=hello"},
		{"m.zip", rawZip(t, "a", 93, zstandard(t, []byte("hello")), "hello"), "m.zip!a=hello"},
		{"m.zip", rawZip(t, "a", 95, decoded(t, helloXZ), "hello\n"), "m.zip!a=hello\n"},
		{"m.zip", rawZip(t, "a", 12, decoded(t, helloBzip2), "hello\n"), "m.zip!a=hello\n"},
		{"m.zip", rawZip(t, "a", 1, []byte("hello"), "hello"),
			"m.zip!a error: is compressed with the zip method 1, which volpost does not read; unpack it into the bundle"},
		{"m.zip", rawZip(t, "__MACOSX/a", zip.Store, []byte("hello"), "hello"), "m.zip!__MACOSX/a skipped"},
		{"sum.zip", rawZip(t, "a", zip.Store, []byte("hello"), "other"), "sum.zip!a=hello error: the zip data is damaged: the checksum is wrong"},
		{"nosum.zip", rawZip(t, "a", zip.Store, []byte("hello"), ""), "nosum.zip!a=hello"},
		{"a.7z", []byte("7z\xbc\xaf\x27\x1cxxxx"), "a.7z error: is packed (7z), which volpost does not read; unpack it into the bundle"},
	}
	for _, tt := range tests {
		if got := one(t, tt.name, tt.data, Limits{}); got.String() != tt.want || len(got.problems) > 0 {
			t.Errorf("%s:\n got %q %s\nwant %q", tt.name, got, got.problems, tt.want)
		}
	}
}

// overlapping is a zip whose directory gives the bytes of its first member to the second, too.
func overlapping(t *testing.T) []byte {
	t.Helper()
	data := sized(t, "a=hello", "b=world")
	second := bytes.LastIndex(data, []byte("PK\x01\x02"))
	copy(data[second+42:], "\x00\x00\x00\x00") // where its header stands (APPNOTE.TXT 4.3.12)
	return data
}

func TestHostileMembers(t *testing.T) {
	tests := []struct {
		name          string
		data          []byte
		want, problem string
	}{
		{"outside", tarred(t, "../../etc/passwd=x"), "outside!etc/passwd=x", "leads out"},
		{"dots", tarred(t, "..=x"), "dots!unnamed=x", "leads out"},
		{"absolute", zipped(t, "/etc/passwd=x"), "absolute!etc/passwd=x", "absolute name"},
		{"inside", tarred(t, "d/../x=1", "...=2"), "inside!...=2 inside!x=1", ""},
		{"above", tarred(t, "d/../..=x"), "above!unnamed=x", "leads out"},
		{"both", tarred(t, "\ufffd\xe9=1"), "both!\ufffd%E9=1", ""},
		{"header.gz", gzipped(t, []byte("hello"))[:10], "header.gz error: the gzip data is cut off", ""},
		{"short.gz", gzipped(t, []byte("hello"))[:5], "short.gz error: the gzip data is cut off", ""},
		{"first.tar", tarred(t, "a=hello")[:300], "first.tar error: the tar data is cut off", ""},
		{"second.tar", append(tarred(t, "a=hello")[:1024], strings.Repeat("x", 1024)...), "second.tar!a=hello",
			"breaks off after 1 member: the tar data is damaged: no header where one should be"},
		{"sum.tgz", append(gzipped(t, tarred(t, "a=hello"))[:len(gzipped(t, tarred(t, "a=hello")))-8], "wrongsum"...), "sum.tgz!a=hello",
			"breaks off after 1 member: the gzip data is damaged"},
		{"twice", tarred(t, "a=1", "a=2", "./a=3", "a#2=4"), "twice!a#2#2=4 twice!a#2=2 twice!a#3=3 twice!a=1", "occurs again"},
		{"loop", tarred(t, "a->b=", "b->a="), "loop!a:2→b loop!b:2→a", ""},
		{"mark", tarred(t, "a!b=1"), "mark!a%21b=1", ""},
		{"latin", tarred(t, "caf\xe9=1", "caf\u00e9=2", "\ufffd=3"), "latin!caf%E9=1 latin!caf\u00e9=2 latin!\ufffd=3", ""},
		{"overlap", overlapping(t), "overlap error: is a zip of which members lie in one another, as in a bomb; nothing of it is read", ""},
		{"cut.gz", gzipped(t, bytes.Repeat([]byte("0123456789abcdef"), 9))[:30],
			"cut.gz!cut=0123456789abcdef0123 error: the gzip data is cut off", ""},
		{"cut.tar", tarred(t, "a=hello", "b=hello")[:1024+512+2], "cut.tar!a=hello cut.tar!b=he error: unexpected EOF",
			"breaks off after 2 members"},
		{"cut.zip", zipped(t, "a=hello")[:40],
			"cut.zip error: the zip data is damaged: zip: not a valid zip file; where it was cut, its directory is lost: copy it again, or repair it with zip -FF", ""},
		{"bad.gz", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff"),
			"bad.gz error: the gzip data is damaged: flate: corrupt input before offset 1", ""},
	}
	for _, tt := range tests {
		got := one(t, tt.name, tt.data, Limits{})
		if got.String() != tt.want || (tt.problem == "") != (len(got.problems) == 0) ||
			!strings.Contains(strings.Join(got.problems, "\n"), tt.problem) {
			t.Errorf("%s:\n got %q\nwant %q\nproblems %s", tt.name, got, tt.want, got.problems)
		}
	}
	t.Logf("%d tried", len(tests))
}

// oldTarred is a tar of before POSIX, whose header has no magic number.
func oldTarred(t testing.TB) []byte {
	t.Helper()
	data := tarred(t, "x=hello")
	clear(data[257:265])
	sum := 0
	for i, b := range data[:512] {
		if i < 148 || i >= 156 {
			sum += int(b)
		}
	}
	copy(data[148:156], fmt.Sprintf("%06o\x00 ", sum+8*' '))
	return data
}

// named is "hello" in a gzip that states a name.
func named(t testing.TB, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = name
	_, err := w.Write([]byte("hello"))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rawZip is a zip of one member, which is packed by a method and has the checksum of a text.
func rawZip(t testing.TB, name string, method uint16, packed []byte, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE([]byte(text)),
		UncompressedSize64: uint64(max(len(text), 5)), CompressedSize64: uint64(len(packed))})
	if err == nil {
		_, err = f.Write(packed)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A link in a zip is named with its target.
func TestLinkInZip(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "a"}
	h.SetMode(fs.ModeSymlink | 0o777)
	f, err := w.CreateHeader(h)
	if err == nil {
		_, err = io.WriteString(f, "d/b")
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if got := one(t, "l.zip", b.Bytes(), Limits{}).String(); got != "l.zip!a:2→d/b" {
		t.Error(got)
	}
}

// What a file is called inside, how a limit is written, and where a path of a bundle lies.
func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{innerName("x.log.gz", gzipPacking, "real.log"), "x.log"}, {innerName("x.log", gzipPacking, "real.log"), "real.log"},
		{innerName("x.log", gzipPacking, ""), "x.log"}, {innerName(".gz", gzipPacking, "real.log"), "real.log"},
		{bytesText(1 << 30), "1 GiB"}, {bytesText(1 << 20), "1 MiB"}, {bytesText(1 << 10), "1 KiB"}, {bytesText(1<<10 + 1), "1025 bytes"},
		{bytesText(1023), "1023 bytes"}, {bytesText(0), "0 bytes"},
		{bytesText(3 << 20), "3 MiB"}, {bytesText(3 << 30), "3 GiB"}, {(&LimitError{What: "1 x"}).Error(), "the limit of 1 x is reached"},
		{Packing([]byte("BZh:")), ""}, {Packing([]byte("\x1f\x8b")), "gzip"}, {Packing([]byte("\x1f")), ""},
		{Packing([]byte(strings.Repeat("x", 257) + "ustar")), "tar"}, {Packing([]byte(strings.Repeat("x", 257) + "usta")), ""},
		{Packing([]byte("BZh1")), "bzip2"}, {Packing([]byte("BZh9")), "bzip2"},
		{Packing([]byte("BZh0")), ""}, {Packing([]byte("BZh")), ""}, {membersText(1), "1 member"}, {membersText(2), "2 members"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	for n, note := range map[int]string{maxPath: "", maxPath + 1: "has a longer name, which is cut"} {
		if _, got, _ := newNames("c").of(strings.Repeat("x", n), false); got != note {
			t.Errorf("a name of %d: %q", n, got)
		}
	}
	one, two := t.TempDir(), t.TempDir()
	tree := &Tree{}
	if err := tree.Add(one, true); err != nil {
		t.Fatal(err)
	}
	if p, ok := tree.Local("d/x"); !ok || p != filepath.Join(one, "d", "x") {
		t.Errorf("%s %v", p, ok)
	}
	if err := tree.Add(two, true); err != nil {
		t.Fatal(err)
	}
	tree.WithNames()
	for p, want := range map[string]bool{filepath.Base(one) + "/x": true, "x": false, filepath.Base(one) + "/a.zip!x": false} {
		if _, ok := tree.Local(p); ok != want {
			t.Errorf("%s: %v", p, ok)
		}
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
}

func TestEncryptedZip(t *testing.T) {
	data := zipped(t, "a=hello", "b=hello")
	for _, mark := range []string{"PK\x03\x04", "PK\x01\x02"} {
		at := bytes.Index(data, []byte(mark))
		data[at+len(mark)+map[string]int{"PK\x03\x04": 2, "PK\x01\x02": 4}[mark]] |= 1
	}
	want := "e.zip!a error: is encrypted (zip); unpack it with its password into the bundle e.zip!b=hello"
	if got := one(t, "e.zip", data, Limits{}).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestArchiveLimits(t *testing.T) {
	deep := []byte("hello")
	for range 40 {
		deep = zipped(t, "a.gz="+string(gzipped(t, tarred(t, "a="+string(deep)))))
	}
	again := make([]string, 1000)
	for i := range again {
		again[i] = "a=x"
	}
	if got := walk(t, OpenFS(fstest.MapFS{"again.tar": {Data: tarred(t, again...)}}), Limits{}); len(got.entries) != 1000 ||
		len(got.problems) != 1 {
		t.Errorf("%d members of one name gave %d entries and %d problems", len(again), len(got.entries), len(got.problems))
	}
	tenth := gzipped(t, make([]byte, 15<<20)) // several in a row are one file
	bomb := bytes.Repeat(tenth, 10)
	deflated := gzipped(t, make([]byte, 150<<20))[10:] // without its header; what follows the end of it is not read
	three := make([]string, 3)                         // none is above what one archive may unpack to
	for i := range three {
		three[i] = fmt.Sprintf("f%d.gz=%s", i, bytes.Repeat(tenth, 6))
	}
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("f%d=x", i)
	}
	tests := []struct {
		name, want string
		data       []byte
		limits     Limits
	}{
		{"deep", "archives in one another", deep, Limits{}},
		{"bomb", "for one packed byte", bomb, Limits{}},
		{"bomb.tgz", "for one packed byte", gzipped(t, tarred(t, "a="+string(bomb), "b=x")), Limits{}},
		{"bomb.zip", "for one packed byte", rawZip(t, "a", zip.Deflate, deflated, ""), Limits{}},
		{"bombs.tgz", "for one packed byte", gzipped(t, tarred(t, three...)), Limits{}},
		{"many.tar", "entries is reached", tarred(t, many...), Limits{Entries: 50}},
		{"long.tar", "of one file is reached", tarred(t, "a="+strings.Repeat("x", 1000), "b=x"), Limits{EntryBytes: 999}},
		{"total.tar", "--max-total-bytes", tarred(t, "a="+strings.Repeat("x", 1000), "b=x"), Limits{TotalBytes: 999}},
		{"zip.tar", "of such a zip", tarred(t, "a.zip="+string(zipped(t, "x="+strings.Repeat("x", 1000))), "b=x"), Limits{ZipBytes: 99}},
	}
	t.Logf("%d tried", len(tests))
	for _, tt := range tests {
		got := walk(t, OpenFS(fstest.MapFS{tt.name: {Data: tt.data}, "other": {Data: []byte("read")}}), tt.limits)
		all := got.String() + strings.Join(got.problems, " ")
		// Which of the files meets it first depends on who reads them.
		if tt.name == "total.tar" && !strings.Contains(all, ErrTotal.Error()) {
			t.Errorf("%s: no file is cut in %.500q", tt.name, all)
		}
		if strings.Count(all, tt.want) != 1 {
			t.Errorf("%s: %d times %s in %.500q", tt.name, strings.Count(all, tt.want), tt.want, all)
		}
		if tt.name != "total.tar" && !strings.Contains(all, "other=read") {
			t.Errorf("%s: what is beside it is not read", tt.name)
		}
	}
}

// Each byte of each member is given once.
func TestBytesAddUp(t *testing.T) {
	log := strings.Repeat("0123456789abcdef\n", 100_000)
	got := one(t, "a.zip", zipped(t, "n.tgz="+string(gzipped(t, tarred(t, "x="+log, "y.gz="+string(gzipped(t, []byte(log))), "z=1"))),
		"w="+log), Limits{})
	if want := int64(3*len(log) + 1); got.bytes != want {
		t.Errorf("got %d bytes, want %d", got.bytes, want)
	}
}

func FuzzWalk(f *testing.F) {
	f.Add(tarred(f, "d/", "d/x=hello", "l->x="))
	f.Add(gzipped(f, tarred(f, "x.gz="+string(gzipped(f, []byte("hello"))))))
	f.Add(zipped(f, "a=hello", "b.zip="+string(zipped(f, "c=x"))))
	f.Add(zipped(f, "a=hello", "b=world")[:60])
	f.Add(sized(f, "a=hello", "b=world")[:60])
	f.Add(zstandard(f, []byte("hello")))
	f.Add(decoded(f, helloXZ))
	f.Add(decoded(f, helloBzip2))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		limits := Limits{TotalBytes: 1 << 22, Entries: 1000}
		first, err := walkContext(context.Background(), OpenFS(fstest.MapFS{"f": {Data: data}}), limits)
		if err != nil {
			t.Fatal(err)
		}
		if len(first.entries) == 0 {
			t.Error("the file is not accounted for")
		}
		seen := map[string]bool{}
		for _, p := range first.paths {
			if !strings.HasPrefix(p, "f") || seen[p] {
				t.Errorf("%q is outside, or there twice", p)
			}
			seen[p] = true
		}
	})
}

// sized makes a zip whose headers tell the sizes, as writers do that can go back in their file.
func sized(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		name, content, _ := strings.Cut(m, "=")
		size := uint64(len(content))
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE([]byte(content)), UncompressedSize64: size,
			CompressedSize64: size})
		if err == nil {
			_, err = io.WriteString(f, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCutZip: a zip without its end is refused with what helps, in a directory and in another archive.
func TestCutZip(t *testing.T) {
	data := sized(t, "a=hello", "b=world")
	cut := data[:bytes.Index(data, []byte("PK\x01\x02"))+9]
	for name, file := range map[string][]byte{"x.zip": cut, "t.tar": tarred(t, "x.zip="+string(cut))} {
		got := walk(t, OpenFS(fstest.MapFS{name: {Data: file}}), Limits{})
		if len(got.entries) != 1 || !strings.Contains(got.String(), "zip -FF") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
