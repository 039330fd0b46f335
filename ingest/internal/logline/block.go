package logline

import (
	"bytes"
	"io"
	"slices"
)

// A line of up to pieceSize bytes is given whole, a longer one in pieces of that size.
const pieceSize = 256 << 10

// blockSize is how much is read, and sorted out, at a time: what a processor's own cache holds.
const blockSize = 256 << 10

// firstBlock is the size of the first one: most files are small.
const firstBlock = 80 << 10

// block is a part of the input that ends with a line, or within one that is longer than pieceSize.
type block struct {
	data        []byte
	inside      bool         // it begins within a line
	first       bool         // of the input
	err         error        // that comes after data; io.EOF at the end of the input
	stretches   []Stretch    // of data, in its order
	repetitions []Repetition // the records of these that repeat
	done        chan struct{}
	fault       any // a panic while the block was made
}

type cutter struct {
	r      io.Reader
	size   int    // about the size of a block
	carry  []byte // the beginning of a line that the block before left
	inside bool
	begun  bool
}

// fill reads the next block. Its data replace those that b had.
func (c *cutter) fill(b *block) {
	size := c.size
	if !c.begun {
		size = min(size, firstBlock)
	}
	data := append(b.data[:0], c.carry...)
	if cap(data) < size {
		data = append(make([]byte, 0, size), data...)
	}
	var err error
	for err == nil {
		if len(data) == cap(data) {
			if end := lineEnd(data); end > 0 {
				break
			}
			data = slices.Grow(data, len(data)) // a line longer than a small block
		}
		var n int
		n, err = c.r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
	}
	end := len(data)
	if err == nil {
		end = lineEnd(data)
	}
	c.carry = append(c.carry[:0], data[end:]...)
	b.data, b.err, b.inside, b.first, b.fault = data[:end], err, c.inside, !c.begun, nil
	b.stretches, b.repetitions = b.stretches[:0], b.repetitions[:0]
	c.begun, c.inside = true, end > 0 && data[end-1] != '\n' || end == 0 && c.inside
}

// lineEnd is where data can be cut: after their last line, or after the last whole piece of a long one; 0 for nowhere.
func lineEnd(data []byte) int {
	end := bytes.LastIndexByte(data, '\n') + 1
	return end + (len(data)-end)/pieceSize*pieceSize
}
