// Package textline reads lines of any length with bounded memory.
package textline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Reader reads one line after the other.
type Reader struct {
	N     int   // number of the line read last, from 1
	Bytes int64 // read so far
	Err   error // of the reader, without io.EOF

	r     *bufio.Reader
	limit int // bytes of a line that are kept
	long  []byte
	err   error
}

// New reads lines of up to limit bytes.
func New(r *bufio.Reader, limit int) *Reader { return &Reader{r: r, limit: limit} }

// Next returns the next line without its line feed, valid until the next call. cut: the line is longer than the limit.
func (l *Reader) Next() (line []byte, cut, ok bool) {
	b := l.slice()
	if errors.Is(l.err, bufio.ErrBufferFull) {
		l.long = append(l.long[:0], b[:min(len(b), l.limit)]...)
		for errors.Is(l.err, bufio.ErrBufferFull) {
			b = l.slice()
			keep := min(len(b), l.limit-len(l.long))
			l.long, cut = append(l.long, b[:keep]...), cut || keep < len(b)
		}
		b = l.long
	}
	if len(b) == 0 && l.err != nil {
		return nil, false, false
	}
	l.N++
	return bytes.TrimSuffix(b, []byte{'\n'}), cut, true
}

func (l *Reader) slice() []byte {
	var b []byte
	b, l.err = l.r.ReadSlice('\n')
	l.Bytes += int64(len(b))
	if l.err != nil && !errors.Is(l.err, io.EOF) && !errors.Is(l.err, bufio.ErrBufferFull) {
		l.Err = l.err
	}
	return b
}
