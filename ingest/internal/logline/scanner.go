package logline

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"
)

// MaxRecord is how many bytes of one record are kept. Lines with a dumped volume reach hundreds of kilobytes; what is
// longer is counted, not kept.
const MaxRecord = 1 << 20

// maxBarren is how much of a file is read without a single log record before it is no longer taken for a log.
const maxBarren = 4 << 20

// Scanner reads a log record by record. A line without a header of its own belongs to the record before it.
type Scanner struct {
	r       *bufio.Reader
	cur     buffer // the record of the last Scan
	next    buffer // begun, not yet complete
	line    int
	long    []byte // a physical line that does not fit the reader's buffer
	lost    int64  // bytes of the current physical line beyond MaxRecord
	scratch []byte // content of a docker line
	cut     bool   // the physical line before was partial
	ended   bool   // the record ended before a header: what follows is another text
	place   placer
	bytes   int64
	drained bool
	stats   Stats
}

// Stats is what the scanner saw besides records.
type Stats struct {
	Bytes      int64
	Orphans    int   // lines that belong to no record: before the first, and after a blank line outside a wrapper
	Indented   int   // records whose header does not stand at the beginning of its line
	TooLong    int   // records longer than MaxRecord
	TooLongAt  int   // line of the first of them
	Dropped    int64 // bytes that were not kept
	NotALog    bool  // reading stopped: no record within the first 4 MiB
	Torn       bool  // the last line has no newline
	Err        error // of the reader, without io.EOF
	ZoneOffset *time.Duration
	ZoneMoved  int // line at which the header's offset from the wrapper changed by an hour or so
}

// buffer is a record under construction.
type buffer struct {
	line      int
	raw, text []byte
	head      header
	wrap      wrapper
	begun     bool
	dropped   bool
}

// NewScanner reads from r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, 256<<10)}
}

// Stats tells what was seen so far; it is complete after Scan answered false.
func (s *Scanner) Stats() Stats {
	s.stats.Bytes, s.stats.ZoneOffset, s.stats.ZoneMoved = s.bytes, s.place.offset, s.place.moved
	return s.stats
}

// Scan advances to the next record. It answers false at the end.
func (s *Scanner) Scan() bool {
	s.cur, s.next = s.next, s.cur
	s.next.begun = false
	for {
		line, ok := s.readLine()
		if !ok {
			if s.cur.begun {
				s.place.place(&s.cur)
			}
			return s.cur.begun
		}
		inner, scratch, w := unwrap(line, s.scratch)
		s.scratch = scratch
		joined := s.cut
		s.cut = w.partial
		inner = bytes.TrimSuffix(inner, []byte{'\r'})
		if joined && s.cur.begun {
			s.extend(line, inner, true)
			continue
		}
		head, isHead := parseHeader(inner)
		if !isHead && !w.has {
			inner, head, isHead = s.parseIndented(inner)
			s.ended = s.ended || endsText(inner)
		}
		switch {
		case !isHead && s.cur.begun && !s.ended:
			s.extend(line, inner, false)
		case !isHead:
			if len(inner) > 0 {
				s.stats.Orphans++
			}
			if !s.cur.begun && s.bytes > maxBarren {
				s.stats.NotALog = true
				s.drain()
			}
		case !s.cur.begun:
			s.begin(&s.cur, line, inner, head, w)
		default:
			s.begin(&s.next, line, inner, head, w)
			s.place.place(&s.cur)
			return true
		}
	}
}

// endsText tells a blank line, and the fence with which an article ends a listing.
func endsText(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) == 0 || bytes.HasPrefix(b, []byte("```"))
}

// maxIndent is how far a header may stand from the beginning of its line, as in articles and issues. klog indents the
// lines inside a value with a tab.
const maxIndent = 16

func (s *Scanner) parseIndented(b []byte) ([]byte, header, bool) {
	n := skipBlanks(b, 0)
	if n == 0 || n > maxIndent {
		return b, header{}, false
	}
	h, ok := parseHeader(b[n:])
	if !ok {
		return b, h, false
	}
	s.stats.Indented++
	return b[n:], h, true
}

func parseHeader(b []byte) (header, bool) {
	if len(b) == 0 {
		return header{}, false
	}
	if b[0] == '{' {
		return parseJSON(b)
	}
	return parseKlog(b)
}

// begin starts a record with its first physical line.
func (s *Scanner) begin(to *buffer, line, inner []byte, h header, w wrapper) {
	s.ended = false
	to.line, to.head, to.wrap, to.begun, to.dropped = s.line, h, w, true, false
	to.raw, to.text = append(to.raw[:0], line...), append(to.text[:0], inner...)
	if s.lost > 0 {
		s.drop(to, s.lost)
	}
}

// extend adds a continuation line, or, when joined, the next piece of a line that the runtime cut.
func (s *Scanner) extend(line, inner []byte, joined bool) {
	c := &s.cur
	if c.dropped || s.lost > 0 || len(c.raw)+len(line) >= MaxRecord {
		s.drop(c, int64(len(line))+s.lost)
		return
	}
	c.raw = append(append(c.raw, '\n'), line...)
	if !joined {
		c.text = append(c.text, '\n')
	}
	c.text = append(c.text, inner...)
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

// Head is the cheap part of the current record, valid until the next Scan.
func (s *Scanner) Head() Head {
	c := &s.cur
	h := Head{
		Line: c.line, Time: s.place.time, Floating: s.place.floating, JSON: c.head.json,
		File: c.text[c.head.fileStart:c.head.fileEnd], Text: c.text[c.head.text:],
	}
	if c.head.json {
		h.Text = c.text[c.head.text:c.head.textEnd]
	}
	if c.wrap.has {
		h.Wrapper = c.wrap.time
	}
	return h
}

// Record is the whole current record. It stays valid.
func (s *Scanner) Record() Record {
	c, h := &s.cur, s.Head()
	r := Record{
		Line: h.Line, Raw: strings.TrimRight(string(c.raw), "\r\n"), Time: h.Time, Floating: h.Floating, Wrapper: h.Wrapper,
		Severity: c.head.severity, File: string(h.File), Thread: string(c.text[c.head.threadStart:c.head.threadEnd]), JSON: h.JSON,
	}
	if r.JSON {
		if full, ok := parseJSON(c.text); ok { // a cut first piece had only part of msg
			h.Text, r.Severity = c.text[full.text:full.textEnd], full.severity
		}
		r.Message = strings.TrimRight(string(unescapeJSON(nil, h.Text)), "\n")
		r.KV = jsonPairs(c.text)
		return r
	}
	text := strings.TrimRight(string(h.Text), "\r\n")
	if message, pairs, ok := parseStructured(text); ok {
		r.Message, r.KV = strings.TrimRight(message, "\n"), pairs
		return r
	}
	r.Message = text
	return r
}
