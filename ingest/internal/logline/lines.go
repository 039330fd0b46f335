package logline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// readLine returns the next physical line without its newline, at most MaxRecord bytes of it.
func (s *Scanner) readLine() ([]byte, bool) {
	if s.hasAgain { // the line at which a JSON document broke off
		s.hasAgain, s.lost = false, 0
		return bytes.TrimSuffix(s.again, []byte{'\n'}), true
	}
	if s.drained {
		return nil, false
	}
	s.line++
	s.lost = 0
	b, err := s.src.slice()
	s.bytes += int64(len(b))
	if err == bufio.ErrBufferFull {
		if s.beginsDocument(b) {
			return nil, true
		}
		b, err = s.readLong(b)
	}
	if err != nil {
		s.endInput(err)
		if len(b) == 0 {
			return nil, false
		}
	}
	b = bytes.TrimSuffix(b, []byte{'\n'})
	if s.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	return b, true
}

// endInput notes that the input is at its end, or cannot be read further.
func (s *Scanner) endInput(err error) {
	s.drained = true
	if !errors.Is(err, io.EOF) {
		s.stats.Err = err
	}
}

// beginsDocument starts to walk a line that does not fit the reader's buffer, if it is JSON: an export of many messages on one line.
func (s *Scanner) beginsDocument(first []byte) bool {
	if s.line == 1 {
		first = bytes.TrimPrefix(first, []byte("\ufeff"))
	}
	if !s.mayBeEnvelope(first) || s.continues() {
		return false
	}
	s.startWalk()
	s.walker.Feed(first)
	if s.walker.Failed() {
		s.walker.Begin(s.line)
		return false
	}
	s.walking, s.midLine = s.walker.Open(), true
	if !s.walking {
		s.skipLine()
	}
	return true
}

// readLong collects a line that is longer than the reader's buffer.
func (s *Scanner) readLong(first []byte) ([]byte, error) {
	s.long = append(s.long[:0], first...)
	for {
		b, err := s.src.slice()
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
	n, err := s.src.drain()
	s.bytes += n
	s.stats.Err = err
	s.drained = true
}
