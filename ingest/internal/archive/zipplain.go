package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
)

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
