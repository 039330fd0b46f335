package logline

import (
	"bufio"
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

// walk takes a line for the beginning of a JSON document, or a whole one; false when it is none or may belong to the record before.
func (s *Scanner) walk(line []byte) bool {
	s.startWalk()
	n := s.feed(line)
	if s.walker.Failed() {
		s.walker.Flush()
		if len(s.walker.Entries) > 0 {
			s.stats.Broken++
			return true
		}
		return false
	}
	if s.walker.Open() {
		// The record before it may continue with lines of JSON.
		if s.continues() {
			s.walker.Begin(s.line)
			return false
		}
		s.walking = true
		return true
	}
	s.afterDocument(line[n:])
	if s.continues() && !s.holdsStatement() {
		s.walker.Begin(s.line)
	}
	return len(s.walker.Entries) > 0
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

func (s *Scanner) startWalk() {
	s.walker.Begin(s.line)
	s.walker.Prefer = s.prefers
	s.queued, s.entryAt = 0, 0
}

func (s *Scanner) feed(line []byte) int {
	n := s.walker.Feed(line)
	if n == len(line) && s.walker.Open() {
		s.walker.Feed([]byte{'\n'})
	}
	return n
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

// walkOn feeds the next piece of the open document: a line, or what of a long line fits the reader's buffer.
func (s *Scanner) walkOn() {
	s.walker.Entries = s.walker.Entries[:0]
	s.queued, s.entryAt = 0, 0
	if s.drained {
		s.walker.Flush()
		s.walking = false
		return
	}
	b, err := s.src.slice()
	s.bytes += int64(len(b))
	first := !s.midLine
	if first {
		s.line++
	}
	s.midLine = err == bufio.ErrBufferFull
	if err != nil && !s.midLine {
		s.endInput(err)
	}
	n := s.walker.Feed(b)
	if s.walker.Failed() {
		s.walking = false
		s.walker.Flush()
		s.stats.Broken++
		s.again = append(s.again[:0], b...)
		s.hasAgain = first && !s.midLine
		s.skipLine()
	} else if !s.walker.Open() {
		s.walking = false
		s.afterDocument(bytes.TrimRight(b[n:], "\r\n"))
		s.skipLine()
	}
}

// skipLine reads to the end of a line that is only partly read.
func (s *Scanner) skipLine() {
	for s.midLine && !s.drained {
		b, err := s.src.slice()
		s.bytes += int64(len(b))
		if err == bufio.ErrBufferFull {
			continue
		}
		s.midLine = false
		if err != nil {
			s.endInput(err)
		}
	}
	s.midLine = false
}
