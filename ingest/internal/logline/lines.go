package logline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// slice reads a line with its newline, or a piece of one that is longer than the reader's buffer: then more of it follows.
func (s *Scanner) slice() (b []byte, more bool) {
	b, err := s.src.slice()
	s.bytes += int64(len(b))
	if err == bufio.ErrBufferFull {
		return b, true
	}
	if s.drained = err != nil; s.drained && !errors.Is(err, io.EOF) {
		s.stats.Err = err
	}
	return b, false
}

// physical reads a line, of which more may follow. It returns the line at which a JSON document that begins with it breaks off.
func (s *Scanner) physical(line []byte, more bool) (again []byte) {
	if s.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if s.table == nil && s.mayBeEnvelope(line) {
		if again, ok := s.document(line, more); ok {
			return again
		}
	}
	lost := int64(0)
	if more {
		line, lost = s.readLong(line)
	}
	if line = bytes.TrimSuffix(line, []byte{'\n'}); !s.fromTable(line) {
		s.fromLine(line, lost)
	}
	return nil
}

// readLong collects a line that is longer than the reader's buffer, at most MaxRecord bytes of it.
func (s *Scanner) readLong(first []byte) (line []byte, lost int64) {
	s.long = append(s.long[:0], first...)
	for more := true; more; {
		var b []byte
		b, more = s.slice()
		keep := min(len(b), MaxRecord-len(s.long))
		s.long = append(s.long, b[:keep]...)
		lost += int64(len(b) - keep)
	}
	return s.long, lost
}

// drain counts the rest of the input without looking at it.
func (s *Scanner) drain() {
	n, err := s.src.drain()
	s.bytes += n
	s.stats.Err = err
	s.over, s.drained = true, true
}
