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

// put takes the kept lines of a text, and answers where they begin and end.
func (s *shelf) put(raw []byte, kept []keptLines) (from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from = len(s.texts)
	s.texts = appendWithGaps(s.texts, raw, kept)
	return from, len(s.texts)
}

// close packs the texts, in a buffer that it may take, and answers how many bytes they take from now on. Nothing can be put there
// any more. It answers the buffers, too, for the next shelf.
func (s *shelf) close(buffer []byte) (texts, used []byte, packed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.texts) == 0 {
		return s.texts, buffer, 0
	}
	buffer = s2.EncodeBetter(buffer[:cap(buffer)], s.texts)
	texts = s.texts
	s.packed, s.texts = bytes.Clone(buffer), nil
	return texts, buffer, len(s.packed)
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
