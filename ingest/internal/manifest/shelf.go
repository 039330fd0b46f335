package manifest

import (
	"bytes"
	"sync"
	"weak"

	"github.com/klauspost/compress/s2"
)

// shelf keeps texts of objects that were decoded one after the other. They look alike, so that together they take a fraction of
// their length. It is safe for concurrent use.
type shelf struct {
	mu       sync.Mutex
	texts    []byte // until it is closed
	packed   []byte // from then on
	unpacked weak.Pointer[[]byte]
}

// shelfBytes is from what length on a shelf is closed. What is asked for costs unpacking all of it.
const shelfBytes = 16 << 10

// Put keeps a text, and answers where it begins and ends.
func (s *shelf) Put(text []byte) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from = len(s.texts)
	s.texts = append(s.texts, text...)
	return from, len(s.texts)
}

// putLines keeps some lines of a text.
func (s *shelf) putLines(raw []byte, kept []keptLines) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from = len(s.texts)
	s.texts = appendWithGaps(s.texts, raw, kept)
	return from, len(s.texts)
}

// full reports whether it is time to close the shelf.
func (s *shelf) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.texts) >= shelfBytes
}

// close packs the texts, in a buffer that it may take, and answers how many bytes they take from now on. Nothing can be put there
// any more. It answers the buffers, too, for the next shelf.
func (s *shelf) close(buffer []byte) (texts, used []byte, packed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	buffer = s2.EncodeBetter(buffer[:cap(buffer)], s.texts)
	texts = s.texts
	s.packed, s.texts = bytes.Clone(buffer), nil
	return texts, buffer, len(s.packed)
}

// Get is a text that was put, which nobody may change.
func (s *shelf) Get(from, to int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.packed == nil {
		return bytes.Clone(s.texts[from:to]) // its buffer is used again
	}
	texts := s.unpacked.Value()
	if texts == nil {
		all, _ := s2.Decode(nil, s.packed) // it was packed here
		texts = &all
		s.unpacked = weak.Make(texts)
	}
	return (*texts)[from:to:to]
}
