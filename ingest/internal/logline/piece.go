package logline

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// piece is one line that a process wrote, out of whatever wrapped it.
type piece struct {
	line   int
	raw    []byte // verbatim
	inner  []byte
	lost   int64 // bytes of the line that are not kept
	w      wrapper
	head   header
	isHead bool
	entry  bool // from an envelope: raw is a part of the physical line, and the piece is a statement of its own
	event  *envelope.Event
}

// fromLine takes the records of a line of which lost bytes are not kept.
func (s *Scanner) fromLine(line []byte, lost int64) {
	if s.line <= maxGlueFree || s.glued {
		for n := gluedAt(line); n > 0; n = gluedAt(line) {
			s.glued = true
			s.takeLine(s.line, line[:n], lost)
			line = line[n:]
		}
	}
	s.takeLine(s.line, line, lost)
}

func (s *Scanner) takeLine(n int, raw []byte, lost int64) {
	p := &s.piece
	p.line, p.raw, p.lost, p.entry, p.event = n, raw, lost, false, nil
	p.inner, s.scratch, p.w = unwrap(raw, s.scratch)
	p.inner = bytes.TrimSuffix(p.inner, []byte{'\r'})
	s.findHead(p)
	s.take(p)
}

// findHead finds the header of a piece, behind prefixes where it may have these: what continues a line has none, nor has a driver's JSON.
func (s *Scanner) findHead(p *piece) {
	if p.head, p.isHead = parseHeader(p.inner); p.isHead || len(p.inner) == 0 {
		return
	}
	continues := s.cut && p.w.cri
	if p.entry || !continues && !s.ofDriver(p.inner) {
		p.inner, p.head, p.isHead = s.strip(p.inner, &p.w)
	}
}

// entries takes what was found in a document.
func (s *Scanner) entries() {
	for i := range s.docs.Entries {
		s.fromEntry(&s.docs.Entries[i])
	}
	s.docs.Entries = s.docs.Entries[:0]
}

// fromEntry takes the lines of the message of an envelope's entry.
func (s *Scanner) fromEntry(e *envelope.Entry) {
	if s.entryFrom == nil || *s.entryFrom != e.From {
		from := e.From
		s.entryFrom = &from
	}
	p := &s.piece
	raw, lost := e.Raw, e.Lost
	for line := range bytes.Lines(e.Text) {
		p.line, p.raw, p.lost, p.entry, p.event = e.Line, raw, lost, true, e.Event
		raw, lost = nil, 0
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if p.inner, s.scratch, p.w = unwrap(line, s.scratch); !p.w.has {
			p.w.time, p.w.has = e.Time, !e.Time.IsZero()
		}
		p.w.from = s.entryFrom
		s.findHead(p)
		s.take(p)
	}
}

// held is a whole line of one stream that came between the pieces of a line of the other.
type held struct {
	line int
	raw  []byte
}

// maxHeld bounds how many lines wait for the other stream's line to end.
const maxHeld = 256

// hold keeps a piece of the other stream until the current line is whole; false when too many wait, so that its rest never came.
func (s *Scanner) hold(p *piece) bool {
	if len(s.held) >= maxHeld || p.lost > 0 {
		return false
	}
	s.held = append(s.held, held{line: p.line, raw: bytes.Clone(p.raw)})
	return true
}

// unhold takes the oldest held line, once no line is incomplete any more, or the input is at its end.
func (s *Scanner) unhold() {
	h := s.held[0]
	s.held = s.held[1:]
	s.takeLine(h.line, h.raw, 0)
}

// maxTitles is within how many lines the titles of a comma-separated table are looked for.
const maxTitles = 2

// fromTable takes a line for the titles of a table of log entries, or for a row of it.
func (s *Scanner) fromTable(line []byte) bool {
	if s.table != nil {
		if e, ok := s.table.Row(line, s.line); ok {
			s.fromEntry(&e)
		}
		return true
	}
	if s.line > maxTitles || s.cur.begun || len(line) == 0 {
		return false
	}
	s.table = envelope.NewTable(line)
	return s.table != nil
}
