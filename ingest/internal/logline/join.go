package logline

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// take adds a piece to the record that it belongs to.
func (s *Scanner) take(p *piece) {
	joined := s.cut && s.cur.begun
	if s.over || joined && p.w.cri && p.w.stream != s.cur.wrap.stream && s.hold(p) {
		return
	}
	if s.cut = p.w.partial; joined {
		s.extend(p, true)
		return
	}
	if !p.isHead && len(p.inner) > 0 && s.bare(p) {
		p.isHead = true
	}
	if !p.isHead && !p.w.has && !p.w.isCivil && !p.entry { // a blank line in a wrapper is one of the process
		s.ended = s.ended || endsText(p.inner) || otherSyntax(p.inner)
	}
	switch {
	case p.isHead:
		s.whole()
		s.begin(p)
	case s.cur.begun && !s.ended && s.wrapped(p):
		s.extend(p, true)
	case s.cur.begun && !s.ended && s.belongs(p):
		s.extend(p, false)
	default:
		s.orphan(p)
	}
}

// belongs reports whether a piece without a header may continue the current record.
func (s *Scanner) belongs(p *piece) bool {
	if otherSyntax(p.inner) || p.w.stream != s.cur.wrap.stream || !sameOrigin(p.w.from, s.cur.wrap.from) {
		return false
	}
	if !p.entry {
		return !s.cur.entry && !s.cur.head.bare
	}
	indented := len(p.inner) == 0 || p.inner[0] == ' ' || p.inner[0] == '\t'
	return s.cur.entry && (p.raw == nil || indented)
}

func sameOrigin(a, b *envelope.Origin) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.Pod == b.Pod && a.Container == b.Container && a.Unit == b.Unit && a.Host == b.Host
}

// otherSyntax reports lines that never continue a klog record: logrus, journalctl about itself, a truncated beginning of another line.
func otherSyntax(b []byte) bool {
	if bytes.HasPrefix(b, logrusPrefix) || bytes.HasPrefix(b, []byte("-- ")) {
		return true
	}
	_, _, truncated := parseSyslogTime(b)
	return truncated
}

func (s *Scanner) orphan(p *piece) {
	if len(p.inner) > 0 {
		s.stats.Orphans++
	}
	if !s.cur.begun && s.bytes > maxBarren {
		s.stats.NotALog = true
		s.drain()
	}
}

// endsText recognises a blank line, and the fence with which an article ends a listing.
func endsText(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) == 0 || bytes.HasPrefix(b, []byte("```"))
}

func (s *Scanner) begin(p *piece) {
	to := &s.cur
	s.ended = false
	to.line, to.last, to.head, to.wrap, to.event = p.line, p.line, p.head, p.w, p.event
	to.begun, to.entry, to.dropped = true, p.entry, false
	to.raw, to.text = append(to.raw[:0], p.raw...), append(to.text[:0], p.inner...)
	if p.lost > 0 {
		s.drop(to, p.lost)
	}
}

// extend adds a continuation line or, when joined, a next piece of a line that the runtime cut. Raw ends before another stream's line.
func (s *Scanner) extend(p *piece, joined bool) {
	c := &s.cur
	if c.dropped || p.lost > 0 || len(c.raw)+len(p.raw) >= MaxRecord || len(c.text)+len(p.inner) >= MaxRecord {
		s.drop(c, int64(len(p.raw))+p.lost)
		return
	}
	if !p.entry && p.line == c.last+1 {
		c.raw = append(append(c.raw, '\n'), p.raw...)
		c.last = p.line
	}
	if !joined {
		c.text = append(c.text, '\n')
	}
	c.text = append(c.text, p.inner...)
}

// drop notes that bytes of a record are not kept. Nothing after them is either, so that Raw stays one piece of the file.
func (s *Scanner) drop(c *buffer, n int64) {
	s.stats.Dropped += n
	if !c.dropped {
		c.dropped = true
		s.stats.TooLong++
		if s.stats.TooLongAt == 0 {
			s.stats.TooLongAt = c.line
		}
	}
}

// minWrap is the narrowest terminal whose line breaks are undone.
const minWrap = 72

// wrapped reports whether a line is the rest of the one before it, which a terminal or a mail program broke. journald
// begins every line with its prefix or indents it; and klog never breaks a line inside a quoted string. A blank line has ended the record.
func (s *Scanner) wrapped(p *piece) bool {
	c := &s.cur
	if p.entry || c.entry || p.w.has || p.w.isCivil || p.line != c.last+1 || p.inner[0] == ' ' || p.inner[0] == '\t' {
		return false
	}
	if otherSyntax(p.inner) || len(c.raw)-bytes.LastIndexByte(c.raw, '\n') < minWrap {
		return false
	}
	if c.wrap.isCivil {
		return true
	}
	text := c.text[c.head.text:]
	return !c.wrap.has && len(text) < maxQuoted && !bytes.Contains(text, []byte("=<\n")) && oddQuotes(text)
}

// maxQuoted bounds the text whose quotes are counted for every further line.
const maxQuoted = 16 << 10
