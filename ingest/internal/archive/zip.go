package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
)

// zip reads a zip through the directory at its end. What comes out of a stream is held in memory for it.
func (w *walker) zip(s stream, r io.Reader) {
	if s.at != nil {
		w.zipAt(s, s.at, s.size)
		return
	}
	if s.held == 0 {
		// One at a time, or the limit would not bound the memory.
		w.zips.Lock()
		defer w.zips.Unlock()
	}
	room := w.limits.ZipBytes - s.held
	var buf bytes.Buffer
	if s.size > 0 {
		buf.Grow(int(min(s.size, room)) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(r, room+1))
	if n > room {
		w.refuse(s, fmt.Errorf("is a zip inside of another archive or of a pipe: %w",
			&LimitError{What: bytesText(w.limits.ZipBytes) + " of such a zip"}))
	} else if err != nil {
		w.refuse(s, err)
	} else {
		s.held += max(n, 1)
		w.zipAt(s, bytes.NewReader(buf.Bytes()), n)
	}
}

func (w *walker) zipAt(s stream, at io.ReaderAt, size int64) {
	z := w.openZip(s, at, size)
	if z == nil {
		return
	}
	if len(z.File) == 0 {
		w.v.Entry(Entry{Path: s.path, Size: max(s.size, 0), Skipped: "is an empty archive"}, nil)
		return
	}
	if overlap(z.File) {
		w.refuse(s, errOverlap)
		return
	}
	n := newNames(s.path)
	windows := backslashed(z.File)
	var others sync.WaitGroup
	defer others.Wait() // the file stays open until all its members are read
	read := false
	for i, f := range z.File {
		z.File[i] = nil // its name is in the entry now
		if w.ctx.Err() != nil {
			return
		}
		if windows {
			f.Name = strings.ReplaceAll(f.Name, `\`, "/")
		}
		member, more := w.zipMember(s, f, n, &others)
		if !more {
			if i == 0 {
				w.refuse(s, w.entriesLimit())
			}
			return
		}
		read = read || member
	}
	if !read {
		w.v.Entry(Entry{Path: s.path, Size: max(s.size, 0), Skipped: "is an archive without files"}, nil)
	}
}

// openZip reads the directory of a zip. It returns nil for one that is refused.
func (w *walker) openZip(s stream, at io.ReaderAt, size int64) *zip.Reader {
	guard := &directoryGuard{at: at, left: zipDirectory}
	z, err := readDirectory(guard, size)
	switch {
	case err == nil:
		guard.open = true
		return z
	case w.ctx.Err() != nil:
		w.refuse(s, err)
	case guard.left < 0:
		w.refuse(s, fmt.Errorf("has a directory of more than %s", bytesText(zipDirectory)))
	default:
		w.refuse(s, fmt.Errorf("the zip data is damaged: %w; where it was cut, its directory is lost: copy it again, or repair it with zip -FF", err))
	}
	return nil
}

func readDirectory(at io.ReaderAt, size int64) (z *zip.Reader, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	z, err = zip.NewReader(at, size)
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil // names are cleaned here
	}
	return z, err
}

// directoryGuard bounds what is read of a zip's directory.
type directoryGuard struct {
	at   io.ReaderAt
	left int64
	open bool
}

func (g *directoryGuard) ReadAt(p []byte, off int64) (int, error) {
	if !g.open {
		if g.left -= int64(len(p)); g.left < 0 {
			return 0, errors.New("the directory is too long")
		}
	}
	return g.at.ReadAt(p, off)
}

var errOverlap = errors.New("is a zip of which members lie in one another, as in a bomb; nothing of it is read")

// overlap reports whether the packed bytes of two members are the same: then a few megabytes give as much as all members together. What
// has no header where the directory says is left for its reader.
func overlap(files []*zip.File) bool {
	type extent struct{ from, to int64 }
	all := make([]extent, 0, len(files))
	for _, f := range files {
		if at, err := f.DataOffset(); err == nil && f.CompressedSize64 > 0 {
			all = append(all, extent{at, at + int64(min(f.CompressedSize64, 1<<62))})
		}
	}
	slices.SortFunc(all, func(a, b extent) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(all); i++ {
		if all[i].from < all[i-1].to {
			return true
		}
	}
	return false
}

// backslashed reports a zip whose writer took the backslash for the separator, as some on Windows do.
func backslashed(files []*zip.File) bool {
	back := false
	for _, f := range files {
		if strings.Contains(f.Name, "/") {
			return false
		}
		back = back || strings.Contains(f.Name, `\`)
	}
	return back
}

// zipMember reads one member. It returns whether it read one, and false for more when the limit of entries is reached.
func (w *walker) zipMember(s stream, f *zip.File, n *names, others *sync.WaitGroup) (read, more bool) {
	mode := f.Mode()
	dir := mode.IsDir() || strings.HasSuffix(f.Name, "/")
	p, again, more := w.named(n, f.Name, dir)
	if again || !more {
		return false, more
	}
	e := Entry{Path: p, Size: int64(min(f.UncompressedSize64, 1<<62))}
	switch {
	case dir:
		e.Form, e.Size = Dir, 0
	case mode&fs.ModeSymlink != 0:
		e.Form = Link
		e.Target, e.Size = w.linkTarget(f), 0
	case mode.Type() != 0:
		e.Form, e.Size = Special, 0
	case f.Flags&1 != 0:
		e.Err = errEncrypted
	case added(p) != "":
		e.Skipped = added(p)
	default:
		w.zipFile(s, f, e, others)
		return true, true
	}
	w.v.Entry(e, nil)
	return true, true
}

var errEncrypted = errors.New("is encrypted (zip); unpack it with its password into the bundle")

// linkTarget reads a symbolic link, whose content is its target.
func (w *walker) linkTarget(f *zip.File) string {
	r, _, err := w.openMember(f)
	if err != nil {
		return ""
	}
	defer r.open.close()
	target, _ := io.ReadAll(io.LimitReader(r, maxTarget)) // what was read before an error is reported
	return string(target)
}

// zipFile reads a member, in another goroutine when there is one: a zip that is a file can be read at several places.
func (w *walker) zipFile(s stream, f *zip.File, e Entry, others *sync.WaitGroup) {
	read := func() {
		r, raw, err := w.openMember(f)
		if err != nil {
			e.Err = err
			w.v.Entry(e, nil)
			return
		}
		defer r.open.close()
		in := s.inner(e.Path, e.Size, &limited{r: r, gauge: w.newGauge(e.Path, raw.Load), left: -1})
		in.cost = raw.Load
		w.stream(in)
	}
	if s.held > 0 {
		read() // what this member holds in memory counts with the rest of the chain
		return
	}
	w.spare(others, read)
}

// openMember opens a member's plain bytes. raw counts the packed ones. A wrong checksum is an error at the end.
func (w *walker) openMember(f *zip.File) (plain *checked, raw *atomic.Int64, err error) {
	packed, err := f.OpenRaw()
	if err != nil {
		return nil, nil, fmt.Errorf("the zip data is damaged: %w", err)
	}
	count := &counted{r: packed}
	open, err := w.plainOf(f.Method, count)
	if err != nil {
		return nil, nil, err
	}
	return &checked{r: open, open: open, sum: crc32.NewIEEE(), want: f.CRC32}, &count.n, nil
}

// plainOf opens the compression of a member.
func (w *walker) plainOf(method uint16, packed io.Reader) (*unpacked, error) {
	switch method {
	case zip.Store:
		return &unpacked{r: packed, packing: zipPacking}, nil
	case zip.Deflate:
		return &unpacked{r: flate.NewReader(packed), packing: zipPacking}, nil
	}
	packing, ok := zipMethods[method]
	if !ok {
		return nil, fmt.Errorf("is compressed with the zip method %d, which volpost does not read; unpack it into the bundle", method)
	}
	plain, _, err := w.unpack(packing, packed)
	return plain, err
}

// zipMethods are the compressions beside deflate (APPNOTE.TXT 4.4.5).
var zipMethods = map[uint16]string{12: bzip2Packing, 93: zstdPacking, 95: xzPacking}

var errChecksum = errors.New("the zip data is damaged: the checksum is wrong")

// checked verifies the checksum at the end of a member.
type checked struct {
	r    io.Reader
	open *unpacked // to be closed
	sum  hash.Hash32
	want uint32
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF && c.want != 0 && c.sum.Sum32() != c.want {
		err = errChecksum
	}
	return n, err
}
