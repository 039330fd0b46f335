package ingest

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/volpost/volpost/model"
)

// shelf keeps statements in a tenth of their memory, until it is known which of them concern a wait. It is safe for concurrent use; the
// order in which they come back is not that in which they went in.
type shelf struct {
	mu     sync.Mutex
	open   encoder
	packed [][]byte
	bytes  int64
	n      int
}

const (
	shelfBlock = 256 << 10
	// shelfBytes bounds the shelf. The largest cluster that Kubernetes supports fills a half.
	shelfBytes = 384 << 20
)

// put takes a statement, or answers false when the shelf is full.
func (s *shelf) put(e *event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes > shelfBytes {
		return false
	}
	s.open.event(e)
	s.n++
	if len(s.open.b) >= shelfBlock {
		s.pack()
	}
	return true
}

func (s *shelf) pack() {
	if len(s.open.b) == 0 {
		return
	}
	block := bytes.Clone(s2.EncodeBetter(nil, s.open.b))
	s.packed = append(s.packed, block)
	s.bytes += int64(len(block))
	s.open.b = s.open.b[:0]
}

// each shows what is on the shelf; the strings of a statement are gone when it has been shown.
func (s *shelf) each(show func(*model.Observation)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pack()
	var buffer []byte
	for _, block := range s.packed {
		for text := unpacked(&buffer, block); text.s != ""; {
			e := text.event()
			show(&e.observation)
		}
	}
}

// unpacked is the text of a block, by way of a buffer that is used again.
func unpacked(buffer *[]byte, block []byte) decoder {
	plain, err := s2.Decode(*buffer, block)
	if err != nil {
		panic(err) // it was packed here
	}
	*buffer = plain[:cap(plain)]
	return decoder{s: string(plain)}
}

// take empties the shelf of what is wanted.
func (s *shelf) take(wanted func(*model.Observation) bool, keep func(event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pack()
	var buffer []byte
	for i, block := range s.packed {
		text := unpacked(&buffer, block)
		for text.s != "" {
			at := text
			if e := text.event(); !wanted(&e.observation) {
				continue
			}
			at.own = true
			keep(at.event())
		}
		s.packed[i] = nil
	}
	s.packed, s.bytes, s.n = nil, 0, 0
}
