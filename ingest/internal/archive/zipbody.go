package archive

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// localBody is what follows the header of a member, up to the next header.
type localBody struct {
	header localHeader
	r      *bufio.Reader
	packed byteCounted
	rest   *io.LimitedReader // of the packed bytes; nil when nothing says how many they are
	plain  *limited
	sum    *checked
	size   counted // of plain bytes
	opened *unpacked
}

// byteCounted counts what is read. A decoder that reads it byte by byte takes no more than belongs to its data.
type byteCounted struct {
	r *bufio.Reader
	n int64
}

func (c *byteCounted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *byteCounted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// errEndless is of a member whose end only the directory knew.
var errEndless = errors.New("nothing but the zip's directory, which is lost, tells where it ends")

// open opens a member's plain bytes. Its error says why they cannot be read.
func (m *localBody) open(w *walker, path string) (io.Reader, error) {
	m.packed.r = m.r
	var raw io.Reader = &m.packed
	var err error
	if m.header.open() {
		if m.header.method != zip.Deflate {
			return nil, errEndless
		}
		m.opened = &unpacked{r: flate.NewReader(raw), packing: zipPacking}
	} else {
		m.rest = &io.LimitedReader{R: raw, N: int64(min(m.header.packed, 1<<62))}
		if m.opened, err = w.plainOf(m.header.method, m.rest); err != nil {
			return nil, err
		}
	}
	m.size.r = m.opened
	m.sum = &checked{r: &m.size, sum: crc32.NewIEEE(), want: m.header.crc}
	m.plain = &limited{r: m.sum, gauge: w.newGauge(path, m.cost), left: -1}
	return m.plain, nil
}

func (m *localBody) cost() int64 { return m.packed.n }

// skip goes to the next header past a member that was not opened, or not read to its end.
func (m *localBody) skip() error {
	if m.rest == nil && m.plain == nil { // not opened
		if m.header.open() {
			return errEndless
		}
		m.packed.r = m.r
		m.rest = &io.LimitedReader{R: &m.packed, N: int64(min(m.header.packed, 1<<62))}
	}
	if m.rest == nil {
		if _, err := io.Copy(io.Discard, m.plain); err != nil {
			return err
		}
		return m.descriptor()
	}
	if _, err := io.Copy(io.Discard, m.rest); err != nil {
		return err
	}
	if m.rest.N > 0 {
		return io.ErrUnexpectedEOF
	}
	return m.marked()
}

// descriptor takes what stands behind a member of unknown length: checksum and sizes of four or eight bytes, with a mark or without.
func (m *localBody) descriptor() error {
	b, _ := m.r.Peek(24) // fewer at the end of the file
	for _, at := range []int{len(descriptorMagic), 0} {
		if at > 0 && (len(b) < at || string(b[:at]) != descriptorMagic) {
			continue
		}
		for _, width := range []int{4, 8} {
			if len(b) < at+4+2*width || binary.LittleEndian.Uint32(b[at:]) != m.sum.sum.Sum32() {
				continue
			}
			if sizeAt(b[at+4:], width) == uint64(m.packed.n) && sizeAt(b[at+4+width:], width) == uint64(m.size.n.Load()) {
				_, err := m.r.Discard(at + 4 + 2*width)
				return err
			}
		}
	}
	if len(b) < 24 {
		return io.ErrUnexpectedEOF // it may be cut, and says nothing of the member
	}
	return errChecksum
}

func sizeAt(b []byte, width int) uint64 {
	if width == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

// marked takes the descriptor that some writers put behind a member though its header has the sizes.
func (m *localBody) marked() error {
	if m.header.flags&flagDescriptor == 0 {
		return nil
	}
	for _, n := range []int{16, 24} {
		b, _ := m.r.Peek(n + 2)
		if len(b) == n+2 && string(b[:4]) == descriptorMagic && string(b[n:]) == localMagic[:2] {
			_, err := m.r.Discard(n)
			return err
		}
	}
	return nil
}
