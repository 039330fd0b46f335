package logline

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// MaxRecord is how many bytes of one record are kept. Lines with a dumped volume reach hundreds of kilobytes; what is
// longer is counted, not kept.
const MaxRecord = 1 << 20

// maxBarren is how much of a file is read without a single log record before it is no longer taken for a log.
const maxBarren = 4 << 20

// Scanner reads a log record by record. A line without a header of its own belongs to the record before it.
type Scanner struct {
	// Known tells whether a text without a header is a statement nevertheless: messages that a log service stripped of
	// their header, or that somebody copied without it. from is nil when nothing names the writer. nil takes none.
	Known func(from *envelope.Origin, file, text []byte) bool
	// Block is about how many bytes are read at a time; 0 for the usual size. It must be set before the first Scan.
	Block int

	src     *source
	skip    func(*Stretch) bool
	passed  Stretch // the last that skip was told of
	gained  int     // records that repeat and were passed over, less those that were read one by one for the sake of others
	cur     buffer  // the record of the last Scan
	next    buffer  // begun, not yet complete
	piece   piece
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
	held    []held
	layers  layers
	rest    []byte // of a physical line that holds several records
	glued   bool   // such a line was seen

	walker    envelope.Walker
	walking   bool // a document is open
	midLine   bool // and a line of it is read in part
	queued    int  // entries of the walker that are used up
	entryAt   int  // how far the message of the next one is
	entryWrap wrapper
	entryFrom *envelope.Origin // of the last entry; that of the next is mostly the same
	again     []byte
	hasAgain  bool
	table     *envelope.Table
}

// Stats is what the scanner saw besides records.
type Stats struct {
	Bytes      int64
	Orphans    int   // lines that belong to no record: before the first, and after a blank line outside a wrapper
	Indented   int   // records whose header does not stand at the beginning of its line
	TooLong    int   // records longer than MaxRecord
	TooLongAt  int   // line of the first of them
	Dropped    int64 // bytes that were not kept
	Broken     int   // JSON documents that broke off
	NotALog    bool  // reading stopped: no record within the first 4 MiB
	Torn       bool  // the last line has no newline
	Err        error // of the reader, without io.EOF
	ZoneOffset *time.Duration
	ZoneMoved  int // line at which the header's offset from the wrapper changed by an hour or so
	Lag        Lag // of the wrappers' times behind the headers', where there are both
	Anchors    []Anchor
	JournalEnd time.Time // when the journal ends, in its own zone, as the title of journalctl says; zero without one
}

// buffer is a record under construction.
type buffer struct {
	line      int
	last      int // physical line up to which raw goes
	raw, text []byte
	head      header
	wrap      wrapper
	event     *envelope.Event
	begun     bool
	entry     bool // from an envelope
	dropped   bool
}

// NewScanner reads from r.
func NewScanner(r io.Reader) *Scanner { return &Scanner{src: newSource(r)} }

// Skip makes the scanner pass over records that are dull, as far as they stand in a row and in the usual form: take is told of
// them instead, and may refuse them, which makes Scan give each. Of a long input other goroutines read ahead. What Scan and Stats
// answer is otherwise the same.
func (s *Scanner) Skip(dull Dull, take func(*Stretch) bool) {
	s.src.sorter, s.skip = &sorter{dull: dull, all: &atomic.Bool{}}, take
}

// Close lets go of the input; it is needed only after Skip.
func (s *Scanner) Close() { s.src.close() }

// Stats tells what was seen so far; it is complete after Scan answered false.
func (s *Scanner) Stats() Stats {
	s.stats.Bytes, s.stats.ZoneOffset, s.stats.ZoneMoved = s.bytes, s.place.offset, s.place.moved
	s.stats.Lag = s.place.lag
	return s.stats
}

// Scan advances to the next record. It answers false at the end.
func (s *Scanner) Scan() bool {
	if s.line == 0 && s.Block > 0 {
		s.src.cut.size = s.Block
	}
	s.cur, s.next = s.next, s.cur
	s.next.begun = false
	for s.pass() && s.advance() {
		if s.take(&s.piece) {
			s.place.place(&s.cur)
			return true
		}
	}
	if s.cur.begun {
		s.place.place(&s.cur)
	}
	return s.cur.begun
}

// pass passes over the stretches that come next. It answers false when one follows the current record, which then is whole.
func (s *Scanner) pass() bool {
	if s.skip == nil || s.line < maxGlueFree || s.pending() {
		return true
	}
	for {
		st := s.src.stretch()
		switch {
		case st == nil:
			return true
		case s.cur.begun:
			return false
		}
		if !s.passOver(st) {
			return true
		}
		s.src.pass(st)
		s.line += st.records
		s.bytes += int64(st.to - st.from)
	}
}

// passOver tells skip of a stretch. It answers false when its lines have to be read one by one, as if nobody had looked at them.
func (s *Scanner) passOver(st *stretch) bool {
	prefix, before := s.layers.prefix, s.layers.from
	from, ok := s.writerOf(st)
	if ok {
		told := s.src.cur.told[st.told:st.ends]
		if s.passed, ok = s.place.stretch(st, told); ok && len(told) > 0 {
			s.passed.Told = told
		}
	}
	if ok {
		s.passed.From = from
		ok = s.skip(&s.passed)
		s.repeats(ok)
	}
	if !ok {
		s.layers.prefix, s.layers.from = prefix, before
	}
	return ok
}

// repeats lets what repeats be wanted from now on, where more records are read one by one for its sake than are passed over.
func (s *Scanner) repeats(passed bool) {
	switch n := len(s.passed.Told); {
	case n == 0:
	case passed:
		s.gained += n
	default:
		if s.gained -= s.passed.Records; s.gained < -mostLost {
			s.src.sorter.all.Store(true)
		}
	}
}

// mostLost is how many records may be read one by one in vain.
const mostLost = 10_000

// pending reports whether something of an earlier line makes the next line another than it is by itself.
func (s *Scanner) pending() bool {
	return s.cut || s.glued || s.walking || s.hasAgain || s.drained || s.table != nil ||
		len(s.held) > 0 || len(s.rest) > 0 || s.queued < len(s.walker.Entries)
}

// take adds a piece to the record that it belongs to. It answers true when that completes the current record.
func (s *Scanner) take(p *piece) bool {
	if s.cut && s.cur.begun && p.w.cri {
		if p.w.stream != s.cur.wrap.stream && s.hold(p) {
			return false
		}
		s.cut = p.w.partial
		s.extend(p, true)
		return false
	}
	joined := s.cut
	s.cut = p.w.partial
	if joined && s.cur.begun {
		s.extend(p, true)
		return false
	}
	if !p.isHead && len(p.inner) > 0 && s.bare(p) {
		p.isHead = true
	}
	if !p.isHead && !p.w.has && !p.w.isCivil && !p.entry { // a blank line in a wrapper is one of the process
		s.ended = s.ended || endsText(p.inner) || otherSyntax(p.inner)
	}
	if s.line <= maxTitles && !p.isHead {
		s.title(p)
	}
	switch {
	case p.isHead && s.cur.begun:
		s.begin(&s.next, p)
		return true
	case p.isHead:
		s.begin(&s.cur, p)
	case s.cur.begun && !s.ended && s.wrapped(p):
		s.extend(p, true)
	case s.cur.begun && !s.ended && s.belongs(p):
		s.extend(p, false)
	default:
		s.orphan(p)
	}
	return false
}

// belongs tells whether a piece without a header may continue the current record.
func (s *Scanner) belongs(p *piece) bool {
	if otherSyntax(p.inner) || p.w.stream != s.cur.wrap.stream || !sameOrigin(p.w.from, s.cur.wrap.from) {
		return false
	}
	if !p.entry {
		return !s.cur.entry && !s.cur.head.bare
	}
	return s.cur.entry && (p.raw == nil || len(p.inner) == 0 || p.inner[0] == ' ' || p.inner[0] == '\t')
}

func sameOrigin(a, b *envelope.Origin) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.Pod == b.Pod && a.Container == b.Container && a.Unit == b.Unit && a.Host == b.Host
}

// otherSyntax tells the lines that never continue a record of klog: of logrus, of journalctl about itself, and the torn
// beginning of a line of its own.
func otherSyntax(b []byte) bool {
	if bytes.HasPrefix(b, logrusPrefix) || bytes.HasPrefix(b, []byte("-- ")) {
		return true
	}
	_, _, torn := parseSyslogTime(b)
	return torn
}

func (s *Scanner) orphan(p *piece) {
	if len(p.inner) > 0 {
		s.stats.Orphans++
	}
	if !s.cur.begun && s.bytes > maxBarren {
		s.stats.NotALog = true
		s.walking, s.walker.Entries, s.held = false, nil, nil
		s.drain()
	}
}

// endsText tells a blank line, and the fence with which an article ends a listing.
func endsText(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) == 0 || bytes.HasPrefix(b, []byte("```"))
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

// begin starts a record with its first piece.
func (s *Scanner) begin(to *buffer, p *piece) {
	s.ended = false
	to.line, to.last, to.head, to.wrap, to.event = p.line, p.line, p.head, p.w, p.event
	to.begun, to.entry, to.dropped = true, p.entry, false
	to.raw, to.text = append(to.raw[:0], p.raw...), append(to.text[:0], p.inner...)
	if p.lost > 0 {
		s.drop(to, p.lost)
	}
}

// extend adds a continuation line, or, when joined, the next piece of a line that the runtime cut. Raw stays one piece
// of the file: it ends where another stream's line comes between.
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

// Head is the cheap part of the current record, valid until the next Scan.
func (s *Scanner) Head() Head {
	c := &s.cur
	h := Head{
		Line: c.line, Time: s.place.time, Floating: s.place.floating, JSON: c.head.json, Bare: c.head.bare, Event: c.event != nil, Foreign: c.head.logfmt,
		File: c.text[c.head.fileStart:c.head.fileEnd], Text: c.text[c.head.text:], From: c.wrap.from,
	}
	if c.head.textEnd >= 0 {
		h.Text = c.text[c.head.text:c.head.textEnd]
	}
	if len(h.File) == 0 && c.wrap.from != nil {
		h.File = []byte(c.wrap.from.File)
	}
	if c.wrap.has {
		h.Wrapper = c.wrap.time
	}
	return h
}

// Record is the whole current record. It stays valid.
func (s *Scanner) Record() Record {
	var r Record
	s.ReadRecord(&r)
	return r
}

// ReadRecord makes r the whole current record, in the memory that its KV had. All else of it stays valid.
func (s *Scanner) ReadRecord(r *Record) {
	c, h := &s.cur, s.Head()
	raw, whole := string(c.raw), ""
	if bytes.HasSuffix(c.raw, c.text) {
		whole = raw[len(raw)-len(c.text):] // as nearly always: nothing stands behind it
	} else {
		whole = string(c.text)
	}
	*r = Record{
		Line: h.Line, Raw: strings.TrimRight(raw, "\r\n"), Time: h.Time, Floating: h.Floating, Wrapper: h.Wrapper,
		Severity: c.head.severity, File: whole[c.head.fileStart:c.head.fileEnd], Thread: whole[c.head.threadStart:c.head.threadEnd], JSON: h.JSON,
		From: h.From, Event: c.event, Bare: h.Bare, KV: r.KV[:0],
	}
	if r.File == "" {
		r.File = string(h.File)
	}
	if r.Severity == 0 && r.From != nil {
		r.Severity = r.From.Severity
	}
	if r.JSON {
		if full, ok := parseJSON(c.text); ok { // a cut first piece had only part of msg
			h.Text, r.Severity = c.text[full.text:full.textEnd], full.severity
		}
		r.Message = strings.TrimRight(string(envelope.Unescape(nil, h.Text)), "\n")
		r.KV = jsonPairs(c.text)
		return
	}
	if c.head.logrus {
		r.Message = string(envelope.Unescape(nil, h.Text))
		return
	}
	text := whole[c.head.text:]
	if c.head.textEnd >= 0 {
		text = whole[c.head.text:c.head.textEnd]
	}
	text = strings.TrimRight(text, "\r\n")
	if message, pairs, ok := parseStructured(text, r.KV); ok {
		r.Message, r.KV = strings.TrimRight(message, "\n"), pairs
		return
	}
	r.Message = text
}
