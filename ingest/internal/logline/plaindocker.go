package logline

import (
	"bytes"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// What stands behind the text in a line of Docker's json-file driver.
var (
	dockerStderr = []byte(`","stream":"stderr","time":"`)
	dockerStdout = []byte(`","stream":"stdout","time":"`)
)

// parseDocker reads `{"log":"HEADER text\n","stream":"stderr","time":"2006-01-02T15:04:05.999999999Z"}`; only the text has escapes.
func (p *plainLine) parseDocker(line []byte) bool {
	b := line[len(dockerPrefix):]
	end := stringEnd(b)
	if end < 4 || b[end-1] != 'n' || b[end-2] != '\\' || b[end-3] == '\\' {
		return false // a piece of a longer line, or its end is not clear
	}
	text, rest := b[:end-2], b[end:]
	stamp, ok := bytes.CutPrefix(rest, dockerStderr)
	if !ok {
		if stamp, ok = bytes.CutPrefix(rest, dockerStdout); !ok {
			return false
		}
	}
	// The instant is at most 30 bytes long; what parseInstant may look at behind it is a copy.
	var padded [48]byte
	copy(padded[:], stamp)
	n := p.parseInstant(padded[:])
	if n == 0 || string(stamp[min(n, len(stamp)):]) != `"}` {
		return false
	}
	stamped := p.stamped.month
	p.wrapped, p.head = true, len(dockerPrefix)
	if text[len(text)-1] == '\r' || !p.parseHeader(text) || p.month != stamped {
		return false
	}
	header := text[:len(text)-len(p.text)]
	p.escaped = true
	return bytes.IndexByte(header, '\\') < 0
}

// stringEnd is where the string ends in which b begins, -1 for nowhere: at the first quote that no odd number of backslashes precedes.
func stringEnd(b []byte) int {
	for at := 0; ; at++ {
		n := bytes.IndexByte(b[at:], '"')
		if n < 0 {
			return -1
		}
		at += n
		slashes := 0
		for slashes < at && b[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
}

// unescape makes text what the process wrote. It answers whether that is a part of the line.
func (p *plainLine) unescape() bool {
	if !p.escaped || bytes.IndexByte(p.text, '\\') < 0 {
		return true
	}
	p.scratch = envelope.Unescape(p.scratch[:0], p.text)
	p.text, p.escaped = bytes.TrimSuffix(p.scratch, []byte{'\r'}), false
	return false
}
