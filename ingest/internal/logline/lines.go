package logline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// readLine answers the next physical line without its newline, at most MaxRecord bytes of it.
func (s *Scanner) readLine() ([]byte, bool) {
	if s.drained {
		return nil, false
	}
	s.line++
	s.lost = 0
	b, err := s.r.ReadSlice('\n')
	s.bytes += int64(len(b))
	if err == bufio.ErrBufferFull {
		b, err = s.readLong(b)
	}
	if err != nil {
		s.drained = true
		if !errors.Is(err, io.EOF) {
			s.stats.Err = err
		}
		if len(b) == 0 {
			return nil, false
		}
		s.stats.Torn = true
	}
	b = bytes.TrimSuffix(b, []byte{'\n'})
	if s.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	return b, true
}

// readLong collects a line that is longer than the reader's buffer.
func (s *Scanner) readLong(first []byte) ([]byte, error) {
	s.long = append(s.long[:0], first...)
	for {
		b, err := s.r.ReadSlice('\n')
		s.bytes += int64(len(b))
		keep := min(len(b), MaxRecord-len(s.long))
		s.long = append(s.long, b[:keep]...)
		s.lost += int64(len(b) - keep)
		if err == bufio.ErrBufferFull {
			continue
		}
		return s.long, err
	}
}

// drain counts the rest of the input without looking at it.
func (s *Scanner) drain() {
	n, err := io.Copy(io.Discard, s.r)
	s.bytes += n
	s.stats.Err = err
	s.drained = true
}
