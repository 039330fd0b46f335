package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/flate"

	"github.com/volpost/volpost/model"
)

// sized makes a zip whose headers tell the sizes, as writers do that can go back in their file. Every second member is
// deflated.
func sized(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, m := range members {
		name, content, _ := strings.Cut(m, "=")
		h := &zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(content)), UncompressedSize64: uint64(len(content))}
		data := []byte(content)
		if i%2 == 1 {
			h.Method, data = zip.Deflate, deflated(t, data)
		}
		h.CompressedSize64 = uint64(len(data))
		f, err := w.CreateRaw(h)
		if err == nil {
			_, err = f.Write(data)
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

func deflated(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCutZip cuts zips of each kind at each byte. A member that lies before the cut is read as it is; one that the cut
// goes through is never taken for whole.
func TestCutZip(t *testing.T) {
	members := []string{"a=hello", "d/b=" + strings.Repeat("hello ", 40), "e=", "f=world"}
	for name, data := range map[string][]byte{"sized.zip": sized(t, members...), "piped.zip": zipped(t, members...)} {
		directory := bytes.Index(data, []byte("PK\x01\x02"))
		for cut := 4; cut < len(data); cut++ {
			got := walk(t, OpenFS(fstest.MapFS{name: {Data: data[:cut]}}), Limits{})
			if len(got.entries) == 0 || len(got.problems) > 1 {
				t.Fatalf("%s cut at %d: %s %s", name, cut, got, got.problems)
			}
			whole := 0
			for _, m := range members {
				path, content, _ := strings.Cut(m, "=")
				for _, e := range got.entries {
					if e == fmt.Sprintf("%s!%s=%.20s", name, path, content) {
						whole++
					}
				}
			}
			if whole < len(members) && cut >= directory {
				t.Fatalf("%s cut at %d: only %d members: %s", name, cut, whole, got)
			}
			if cut < directory && whole == len(members) && name == "sized.zip" && cut < directory-5 {
				t.Fatalf("%s cut at %d: a cut member is taken for whole: %s", name, cut, got)
			}
		}
	}
}

// A zip in an archive that breaks off has lost its directory, too.
func TestZipInACutTar(t *testing.T) {
	data := tarred(t, "x.zip="+string(sized(t, "a=hello", "b=world")))
	end := bytes.Index(data, []byte("PK\x01\x02"))
	got := walk(t, OpenFS(fstest.MapFS{"t.tar": {Data: data[:end+9]}}), Limits{})
	if want := "t.tar!x.zip!a=hello t.tar!x.zip!b=world"; got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestZipLocalHostile(t *testing.T) {
	open := func(t testing.TB, data []byte, at int, mark string) []byte {
		data, _, _ = bytes.Cut(bytes.Clone(data), []byte("PK\x01\x02"))
		copy(data[at:], mark)
		return data
	}
	two := sized(t, "a=hello", "b=world")
	bomb := zipped(t, "a="+string(make([]byte, 150<<20)), "b=x")
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"encrypted": {open(t, two, 6, "\x01"), "z!a error: is encrypted (zip); unpack it with its password into the bundle z!b=world"},
		"checksum":  {open(t, two, 14, "\x01"), "z!a=hello error: the zip data is damaged: the checksum is wrong z!b=world"},
		"method": {open(t, two, 8, "\x01"),
			"z!a error: is compressed with the zip method 1, which volpost does not read; unpack it into the bundle z!b=world"},
		"endless": {open(t, open(t, two, 6, "\x08"), 18, "\x00\x00\x00\x00"),
			"z!a error: nothing but the zip's directory, which is lost, tells where it ends"},
		"too long":    {open(t, two, 18, "\xff\xff\xff"), "z!a=helloPK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00\x00 error: the checksum is wrong"},
		"no member":   {[]byte("PK\x03\x04"), "z error: the zip data is damaged: zip: not a valid zip file"},
		"outside":     {open(t, sized(t, "../a=hello"), 0, ""), "z!a=hello"},
		"windows":     {open(t, sized(t, `d\a=hello`), 0, ""), "z!d/a=hello"},
		"twice":       {open(t, sized(t, "a=hello", "a=hello"), 0, ""), "z!a#2=hello z!a=hello"},
		"a directory": {open(t, sized(t, "d/=", "d/a=hello"), 0, ""), "z!d/a=hello z!d:1"},
	} {
		got := one(t, "z", tt.data, Limits{}).String()
		if name == "too long" {
			if !strings.Contains(got, "error: the zip data is") {
				t.Errorf("%s: got %q", name, got)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, tt.want)
		}
	}
	if got := walk(t, OpenFS(fstest.MapFS{"z": {Data: open(t, bomb, 0, "")}}), Limits{}); !strings.Contains(got.String(), "--max-ratio") {
		t.Errorf("a bomb: %.300s", got)
	}
	if got := walk(t, OpenFS(fstest.MapFS{"z": {Data: open(t, two, 0, "")}}), Limits{Entries: 2}); len(got.entries) != 1 ||
		!strings.Contains(strings.Join(got.problems, ""), "--max-entries") {
		t.Errorf("entries: %s %s", got, got.problems)
	}
}

func FuzzZipLocal(f *testing.F) {
	f.Add(sized(f, "a=hello", "b=world"))
	f.Add(zipped(f, "a=hello", "b=world"))
	f.Add(sized(f, "n.zip="+string(zipped(f, "a=hello"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		var entries int
		w := newWalker(context.Background(), Limits{TotalBytes: 1 << 22, Entries: 1000}, Visitor{
			Entry: func(e Entry, r *bufio.Reader) {
				entries++
				if !strings.HasPrefix(e.Path, "f") {
					t.Errorf("%q is outside", e.Path)
				}
				if r != nil {
					_, _ = io.Copy(io.Discard, r) // an error is as good
				}
			},
			Problem: func(model.Problem) {},
		})
		w.zipLocal(stream{path: "f", size: int64(len(data)), r: nil, cost: func() int64 { return 0 }}, bytes.NewReader(data), errChecksum)
		w.wg.Wait()
		if entries == 0 {
			t.Error("the file is not accounted for")
		}
	})
}
