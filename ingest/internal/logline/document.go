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
	return !isDocker(line[i:]) && !bytes.HasPrefix(line[i:], jsonPrefix) && !bytes.HasPrefix(line[i:], podPrefix) && !s.ofDriver(line[i:])
}

// isDocker distinguishes docker's lines from those of a log service, which parts the text of a line from its severity and source.
func isDocker(line []byte) bool {
	return bytes.HasPrefix(line, dockerPrefix) && (bytes.Contains(line, []byte(`"stream"`)) || bytes.Contains(line, []byte(`"time"`)))
}

// document walks the JSON document that begins with a line, or with a piece of one, of which more follows. It returns false when it is none
// or may belong to the record before, and the line at which it breaks off, if it does.
func (s *Scanner) document(line []byte, more bool) (again []byte, ok bool) {
	s.walker.Begin(s.line)
	s.walker.Prefer = s.prefers
	open, broken := s.walk(line)
	belongs := !broken && s.continues() && (open || !s.holdsStatement())
	if belongs || !open && len(s.walker.Entries) == 0 {
		return nil, false
	}
	for s.entries(); open && !s.drained; s.entries() {
		begins := !more
		if begins {
			s.line++
		}
		line, more = s.slice()
		if open, broken = s.walk(line); broken && begins && !more {
			again = line
		}
	}
	if open {
		s.walker.Flush()
		s.entries()
	}
	if broken {
		s.stats.Broken++
	}
	for more {
		_, more = s.slice()
	}
	return again, true
}

// walk feeds a line, or a piece of one, to the walker. It returns whether a document is open behind it, and whether it breaks one off.
func (s *Scanner) walk(line []byte) (open, broken bool) {
	n := s.walker.Feed(line)
	if s.walker.Open() {
		return true, false
	}
	if s.walker.Failed() {
		s.walker.Flush()
		return false, true
	}
	s.afterDocument(line[n:])
	return false, false
}

// continues reports that the record before may go on: JSON on the next line may belong to it.
func (s *Scanner) continues() bool { return s.cur.begun && !s.ended && !s.cur.entry }

// holdsStatement reports whether one of the entries found is a statement for sure.
func (s *Scanner) holdsStatement() bool {
	for i := range s.walker.Entries {
		if e := &s.walker.Entries[i]; e.Event != nil || s.prefers(e.Text) {
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

// afterDocument walks further documents on the same line: some services write them without a newline between.
func (s *Scanner) afterDocument(rest []byte) {
	for {
		rest = bytes.TrimLeft(rest, " \t\r,]")
		if len(rest) == 0 || rest[0] != '{' && rest[0] != '[' {
			return
		}
		n := s.walker.Next(s.line, rest)
		if s.walker.Failed() || s.walker.Open() {
			s.walker.Flush()
			return
		}
		rest = rest[n:]
	}
}
