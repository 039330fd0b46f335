package manifest

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/s2"
)

// shelf keeps the texts of objects that were decoded together. They look alike, so that together they take a tenth of their
// length.
type shelf struct {
	mu     sync.Mutex
	texts  []byte // until it is closed
	packed []byte // from then on
}

// put takes a text, and answers where it begins and ends.
func (s *shelf) put(text []byte) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from = len(s.texts)
	s.texts = append(s.texts, text...)
	return from, len(s.texts)
}

// close packs the texts. Nothing can be put there any more.
func (s *shelf) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.texts) > 0 {
		s.packed, s.texts = bytes.Clone(s2.EncodeBetter(nil, s.texts)), nil
	}
}

// get copies a text.
func (s *shelf) get(from, to int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := s.texts
	if s.packed != nil {
		texts, _ = s2.Decode(nil, s.packed) // it was packed here
	}
	return bytes.Clone(texts[from:to])
}
