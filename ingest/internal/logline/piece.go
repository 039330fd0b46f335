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

// advance reads the next piece into s.piece. It returns false at the end of the input.
func (s *Scanner) advance() bool {
	for {
		if len(s.held) > 0 && s.unhold() {
			return true
		}
		if s.queued < len(s.walker.Entries) {
			if s.fromEntry(&s.walker.Entries[s.queued]) {
				return true
			}
			continue
		}
		if s.walking {
			s.walkOn()
			continue
		}
		if len(s.rest) > 0 {
			s.fromLine(s.rest)
			return true
		}
		line, ok := s.readLine()
		if !ok {
			return false
		}
		if s.walking || len(s.walker.Entries) > s.queued {
			continue // the line was the beginning of a document
		}
		if s.line <= maxTitles && s.beginsTable(line) || s.table != nil && s.fromTable(line) {
			continue
		}
		if s.mayBeEnvelope(line) && s.walk(line) {
			continue
		}
		s.fromLine(line)
		return true
	}
}

func (s *Scanner) fromLine(line []byte) {
	p := &s.piece
	s.rest = nil
	if s.line <= maxGlueFree || s.glued {
		if n := gluedAt(line); n > 0 {
			line, s.rest, s.glued = line[:n], line[n:], true
		}
	}
	p.line, p.raw, p.lost, p.entry, p.event = s.line, line, s.lost, false, nil
	p.inner, s.scratch, p.w = unwrap(line, s.scratch)
	p.inner = bytes.TrimSuffix(p.inner, []byte{'\r'})
	s.findHead(p, !(s.cut && p.w.cri) && !s.ofDriver(p.inner))
}

// findHead finds the header of a piece, behind prefixes if it may have these.
func (s *Scanner) findHead(p *piece, prefixed bool) {
	p.head, p.isHead = parseHeader(p.inner)
	if !p.isHead && len(p.inner) > 0 && prefixed {
		p.inner, p.head, p.isHead = s.strip(p.inner, &p.w)
	}
}

// fromEntry makes pieces of an envelope's entry, one for each line of its message. It returns false when the entry is used up.
func (s *Scanner) fromEntry(e *envelope.Entry) bool {
	p := &s.piece
	if s.entryAt == 0 {
		if s.entryFrom == nil || *s.entryFrom != e.From {
			from := e.From
			s.entryFrom = &from
		}
		p.w = wrapper{time: e.Time, has: !e.Time.IsZero(), from: s.entryFrom}
		p.line, p.raw, p.lost, p.entry, p.event = e.Line, e.Raw, e.Lost, true, e.Event
		s.entryWrap = p.w
	} else {
		p.w, p.raw, p.lost = s.entryWrap, nil, 0
	}
	rest := e.Text[s.entryAt:]
	if len(rest) == 0 {
		s.queued, s.entryAt = s.queued+1, 0
		return false
	}
	inner, _, more := bytes.Cut(rest, []byte{'\n'})
	if s.entryAt += len(inner); more {
		s.entryAt++
	}
	if s.entryAt >= len(e.Text) {
		s.queued, s.entryAt = s.queued+1, 0
	}
	outer := p.w
	p.inner, s.scratch, p.w = unwrap(bytes.TrimSuffix(inner, []byte{'\r'}), s.scratch)
	p.w.from = outer.from
	if !p.w.has {
		p.w.time, p.w.has = outer.time, outer.has
	}
	s.findHead(p, true)
	return true
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

// unhold makes the oldest held line the next piece, once no line is incomplete any more, or the input is at its end.
func (s *Scanner) unhold() bool {
	if s.cut && !s.drained {
		return false
	}
	h := s.held[0]
	s.held = s.held[1:]
	s.cut = s.cut && !s.drained
	p := &s.piece
	p.line, p.raw, p.lost, p.entry, p.event = h.line, h.raw, 0, false, nil
	p.inner, s.scratch, p.w = unwrap(h.raw, s.scratch)
	p.head, p.isHead = parseHeader(p.inner)
	return true
}

// maxTitles is within how many lines the titles of a comma-separated table, or of a journal, are looked for.
const maxTitles = 2

// beginsTable takes a line for the titles of a table of log entries.
func (s *Scanner) beginsTable(line []byte) bool {
	if s.table != nil || s.cur.begun || len(line) == 0 {
		return false
	}
	s.table = envelope.NewTable(line)
	return s.table != nil
}

// fromTable queues the entry that a line of the table completes.
func (s *Scanner) fromTable(line []byte) bool {
	s.walker.Entries = s.walker.Entries[:0]
	s.queued, s.entryAt = 0, 0
	if e, ok := s.table.Row(line, s.line); ok {
		s.walker.Entries = append(s.walker.Entries, e)
	}
	return true
}
