package archive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/volpost/volpost/model"
)

type stream struct {
	path  string
	size  int64 // -1 when nothing shows it
	r     io.Reader
	at    io.ReaderAt  // the same bytes at any place; nil for what comes out of a stream
	cost  func() int64 // packed bytes that were read for what r has given
	depth int          // archives around it
	held  int64        // bytes of zips that are in memory for it; more than 0: the lock of zips is held
	plain int64        // bytes of it that the disk holds as they are; 0 for what is unpacked
}

func (s stream) inner(path string, size int64, r io.Reader) stream {
	return stream{path: path, size: size, r: r, cost: s.cost, depth: s.depth + 1, held: s.held}
}

// stream reads what the first bytes say that it is.
func (w *walker) stream(s stream) {
	r := bufio.NewReaderSize(s.r, peekSize)
	head, err := r.Peek(512)
	if len(head) == 0 && err != nil && err != io.EOF {
		w.refuse(s, err)
		return
	}
	packing := Packing(head)
	if packing != "" && s.depth >= w.limits.Nesting {
		w.refuse(s, fmt.Errorf("is packed (%s): %w", packing,
			&LimitError{What: fmt.Sprintf("%d archives in one another", w.limits.Nesting)}))
		return
	}
	switch packing {
	case "":
		w.leaf(s, r)
	case gzipPacking, bzip2Packing, xzPacking, zstdPacking:
		w.compressed(s, packing, r)
	case tarPacking:
		w.tar(s, r)
	case zipPacking:
		w.zip(s, r)
	default:
		w.refuse(s, fmt.Errorf("is packed (%s), which volpost does not read; unpack it into the bundle", packing))
	}
}

// refuse accounts for a file that gives nothing.
func (w *walker) refuse(s stream, err error) {
	w.v.Entry(Entry{Path: s.path, Size: max(s.size, 0), Err: err}, nil)
}

// compressed reads one compressed file, which may be a tar: then the two are one archive.
func (w *walker) compressed(s stream, packing string, r io.Reader) {
	open, stated, err := w.unpack(packing, r)
	if err != nil {
		w.refuse(s, err)
		return
	}
	defer open.close()
	plain := &limited{r: open, gauge: w.newGauge(s.path, s.cost), left: -1}
	peeked := bufio.NewReaderSize(plain, peekSize)
	head, err := peeked.Peek(512)
	if len(head) == 0 && err != nil && err != io.EOF {
		w.refuse(s, err)
	} else if Packing(head) == tarPacking {
		w.tar(s, peeked)
	} else {
		base := s.path[lastPart(s.path):]
		w.stream(s.inner(s.path+"!"+escape(innerName(base, packing, stated)), -1, peeked))
	}
}

// lastPart is where the last name of a path begins.
func lastPart(p string) int { return strings.LastIndexAny(p, "/!") + 1 }

// spareSize is up to how many bytes a member is copied, so that another goroutine can read it while the archive goes on.
const spareSize = 1 << 20

// member reads a member of a tar: by itself when it is small.
func (w *walker) member(s stream) {
	if s.size > spareSize || s.held > 0 {
		w.stream(s)
		return
	}
	data := make([]byte, s.size)
	n, err := io.ReadFull(s.r, data)
	s.memory(data[:n], err)
	if s.size > w.limits.ZipBytes {
		s.at = nil // a zip is refused whether or not a goroutine is free to read it
	}
	w.spare(&w.wg, func() { w.stream(s) })
}

// spare reads in another goroutine when there is a processor for it, else at once.
func (w *walker) spare(all *sync.WaitGroup, read func()) {
	select {
	case w.slots <- struct{}{}:
		all.Go(func() {
			defer func() { <-w.slots }()
			read()
		})
	default:
		read()
	}
}

// memory makes s a stream of bytes in memory, which end with err unless it is nil, and are what reading costs.
func (s *stream) memory(data []byte, err error) {
	count := &counted{r: bytes.NewReader(data)}
	s.r, s.cost = count, count.n.Load
	if err != nil {
		s.r = io.MultiReader(count, failing{err})
		return
	}
	s.at = bytes.NewReader(data)
}

type counted struct {
	r io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == io.EOF {
		return 0, io.ErrUnexpectedEOF
	}
	return 0, f.err
}

// damaged reports an archive that breaks off, of which the members before count.
func (w *walker) damaged(s stream, members int, err error) {
	if w.ctx.Err() != nil {
		return // the caller knows
	}
	if members == 0 {
		w.refuse(s, err)
		return
	}
	w.problem(model.Failure, s.path, "breaks off after %s: %v; what came before is read", membersText(members), err)
}

func membersText(n int) string {
	if n == 1 {
		return "1 member"
	}
	return fmt.Sprintf("%d members", n)
}
