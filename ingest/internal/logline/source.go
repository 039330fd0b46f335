package logline

import (
	"bufio"
	"bytes"
	"io"
)

// source gives the lines of an input one by one, or a stretch of them at once.
type source struct {
	cut    cutter
	sorter *sorter // nil unless stretches are wanted
	cur    *block
	at     int // in the data of cur
	passed int // stretches of cur that lie before at
	rest   *pipeline
}

func newSource(r io.Reader) *source {
	return &source{cut: cutter{r: r, size: blockSize}, cur: &block{}}
}

// slice returns the next line with its newline. Of a line longer than pieceSize it returns a piece and
// bufio.ErrBufferFull, and at the end of the input what is left with the input's error. The bytes are valid until the next call.
func (s *source) slice() ([]byte, error) {
	for s.at == len(s.cur.data) {
		if s.cur.err != nil {
			return nil, s.cur.err
		}
		s.next()
	}
	rest := s.cur.data[s.at:]
	n := bytes.IndexByte(rest[:min(len(rest), pieceSize)], '\n') + 1
	var err error
	switch {
	case n > 0:
	case len(rest) >= pieceSize:
		n, err = pieceSize, bufio.ErrBufferFull
	default: // only the last block ends like this
		n, err = len(rest), s.cur.err
	}
	s.at += n
	return rest[:n], err
}

// next makes the next block the current one. The first is read at once; if there are more, other processors read ahead.
func (s *source) next() {
	s.at, s.passed = 0, 0
	if s.rest != nil {
		s.cur = s.rest.next(s.cur)
		return
	}
	if s.sorter != nil && s.cut.begun {
		s.rest = newPipeline(&s.cut, s.sorter)
		s.cur = s.rest.next(s.cur)
		return
	}
	s.cut.fill(s.cur)
	if s.sorter != nil {
		s.sorter.sort(s.cur)
	}
}

// stretch is the stretch that begins with the next line, nil when none does.
func (s *source) stretch() *Stretch {
	if s.at == len(s.cur.data) && s.cur.err == nil {
		s.next()
	}
	for s.passed < len(s.cur.stretches) {
		if st := &s.cur.stretches[s.passed]; st.from == s.at {
			return st
		} else if st.from > s.at {
			return nil
		}
		s.passed++
	}
	return nil
}

// drain counts the bytes that are left, and returns the error of the input, nil at its end.
func (s *source) drain() (n int64, err error) {
	for {
		n += int64(len(s.cur.data) - s.at)
		s.at = len(s.cur.data)
		if err := s.cur.err; err != nil {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		s.next()
	}
}

// close lets go of the input, so that no other goroutine reads it any more.
func (s *source) close() {
	if s.rest != nil {
		s.rest.close()
	}
}
