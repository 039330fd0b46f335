package logline

import (
	"bytes"
)

// mayBeEnvelope reports whether a line begins JSON that is neither a log line of its own nor docker's.
func (s *Scanner) mayBeEnvelope(line []byte) bool {
	if len(line) == 0 || line[0] > '{' {
		return false
	}
	i := 0
	if line[0] <= ' ' {
		if i = skipSpace(line, 0); i == len(line) {
			return false
		}
	}
	if line[i] != '{' && line[i] != '[' || s.cut {
		return false
	}
	return !isDocker(line[i:]) && !bytes.HasPrefix(line[i:], jsonPrefix) && !s.ofDriver(line[i:])
}

// isDocker distinguishes docker's lines from those of a log service, which parts the text of a line from its severity and source.
func isDocker(line []byte) bool {
	return bytes.HasPrefix(line, dockerPrefix) && (bytes.Contains(line, []byte(`"stream"`)) || bytes.Contains(line, []byte(`"time"`)))
}

// document reads the JSON documents that begin with a line, or with a piece of one, of which more follows: some services write several without
// a newline between. It returns false when there is none or it may belong to the record before, and the line at which one breaks off, if it does.
func (s *Scanner) document(line []byte, more bool) (again []byte, ok bool) {
	s.docs.Entries, s.docs.Prefer = s.docs.Entries[:0], s.prefers
	goesOn, belongs, begins := false, false, false
	rest, broken := s.docs.Document(s.line, line, func() (int, []byte) {
		if belongs = s.continues(); belongs || s.drained {
			return s.line, nil
		}
		goesOn = true
		s.entries()
		if begins = !more; begins {
			s.line++
		}
		line, more = s.slice()
		return s.line, line
	})
	for next := rest; len(next) > 0; {
		if next = bytes.TrimLeft(next, " \t\r,]"); len(next) == 0 || next[0] != '{' && next[0] != '[' {
			break
		}
		next, _ = s.docs.Document(s.line, next, nil)
	}
	if !goesOn && (belongs || len(s.docs.Entries) == 0 || !broken && s.continues() && !s.holdsStatement()) {
		return nil, false
	}
	s.entries()
	if broken {
		s.stats.Broken++
		if begins && !more {
			again = line
		}
	}
	for more {
		_, more = s.slice()
	}
	return again, true
}

// continues reports that the record before may go on: JSON on the next line may belong to it.
func (s *Scanner) continues() bool { return s.cur.begun && !s.ended && !s.cur.entry }

// holdsStatement reports whether one of the entries found is a statement for sure.
func (s *Scanner) holdsStatement() bool {
	for i := range s.docs.Entries {
		if e := &s.docs.Entries[i]; e.Event != nil || s.prefers(e.Text) {
			return true
		}
	}
	return false
}

// prefers reports whether a text is a log line, or the inside of one.
func (s *Scanner) prefers(text []byte) bool {
	inner, _, _ := unwrap(text, nil)
	if _, ok := parseHeader(inner); ok {
		return true
	}
	return s.known(nil, nil, inner)
}
