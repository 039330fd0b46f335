package audit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxEvent is how many bytes of one event are kept. The API server takes objects of up to 3 MiB, of which an event holds two.
const MaxEvent = 8 << 20

type lines struct {
	r     *bufio.Reader
	line  int   // number of the line read last
	bytes int64 // read so far
	long  []byte
	err   error // of the reader, without io.EOF
}

// next returns the next line without its newline, valid until the next call. tooLong: it was longer than MaxEvent and is cut.
func (l *lines) next() (line []byte, tooLong, ok bool) {
	b, err := l.r.ReadSlice('\n')
	l.bytes += int64(len(b))
	if errors.Is(err, bufio.ErrBufferFull) {
		b, tooLong, err = l.rest(b)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	if err != nil && len(b) == 0 {
		return nil, false, false
	}
	l.line++
	b = bytes.TrimSuffix(b, []byte("\n"))
	if l.line == 1 {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSuffix(b, []byte("\r")), tooLong, true
}

// rest collects a line that is longer than the reader's buffer.
func (l *lines) rest(first []byte) (line []byte, tooLong bool, err error) {
	l.long = append(l.long[:0], first...)
	for {
		b, err := l.r.ReadSlice('\n')
		l.bytes += int64(len(b))
		keep := min(len(b), MaxEvent-len(l.long))
		l.long = append(l.long, b[:keep]...)
		tooLong = tooLong || keep < len(b)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, tooLong, err
		}
	}
}

// runtimePiece reads the prefix of a container runtime, "2026-03-14T09:26:53.841223001Z stdout P text". partial: the next line goes on.
func runtimePiece(line []byte) (text []byte, partial, ok bool) {
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return nil, false, false
	}
	head := line[:min(len(line), 64)]
	i := bytes.Index(head, []byte(" stdout "))
	if i < 0 {
		i = bytes.Index(head, []byte(" stderr "))
	}
	if i < 20 || len(line) < i+10 || line[i+9] != ' ' && line[i+9] != ':' {
		return nil, false, false
	}
	tag := line[i+8]
	if tag != 'F' && tag != 'P' {
		return nil, false, false
	}
	_, text, ok = bytes.Cut(line[i+8:], []byte(" "))
	return text, tag == 'P', ok
}
