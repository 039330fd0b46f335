package logline

import "bytes"

// held is a whole line of one stream that came between the pieces of a line of the other.
type held struct {
	line int
	raw  []byte
}

// maxHeld bounds how many lines wait for the other stream's line to end.
const maxHeld = 256

// hold keeps a piece of the other stream until the current line is whole. It answers false when too many wait: then the
// rest of the current line never came.
func (s *Scanner) hold(p *piece) bool {
	if len(s.held) >= maxHeld || p.lost > 0 {
		return false
	}
	s.held = append(s.held, held{line: p.line, raw: bytes.Clone(p.raw)})
	return true
}

// unhold makes the oldest held line the next piece, once no line is incomplete any more, or the input is at its end.
func (s *Scanner) unhold() bool {
	if s.cut && !s.drained {
		return false
	}
	h := s.held[0]
	if s.held = s.held[1:]; len(s.held) == 0 {
		s.held = nil
	}
	if s.drained {
		s.cut = false
	}
	p := &s.piece
	p.line, p.raw, p.lost, p.entry, p.event = h.line, h.raw, 0, false, nil
	p.inner, s.scratch, p.w = unwrap(h.raw, s.scratch)
	p.head, p.isHead = parseHeader(p.inner)
	return true
}
