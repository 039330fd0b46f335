// Package logline reads the syntax of Kubernetes component logs: klog text (printf and structured), the JSON format of
// --logging-format=json, the logfmt of CSI drivers, and what collectors, runtimes, tools and log services put around either:
// CRI, docker json-file, journald, kubectl logs --prefix, stern, kail, grep, test runners, and through package envelope the
// exports in JSON and comma-separated tables. A Scanner yields one record at a time with bounded memory, whatever the input.
//
// A line is read in three steps: its prefixes are taken off until a header comes (strip.go), lines without a header join
// the record before them (scanner.go), and the header's clock is placed by the wrapper's (place.go).
//
// Most lines of a long log need none of this. The input is cut into blocks (block.go), which several goroutines read and sort out
// (pipeline.go): lines in the usual form that say nothing are counted in stretches (plain.go, stretch.go), and the scanner passes
// over these.
//
// It knows no meaning: which line matters, and what it says of volumes or nodes, is package phrase's.
package logline

import (
	"io"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// MaxRecord is how many bytes of a record are kept; the rest is counted. Lines with a dumped volume reach hundreds of kilobytes.
const MaxRecord = 1 << 20

// maxBarren is how much of a file is read without a single log record before it is no longer taken for a log.
const maxBarren = 4 << 20

// Scanner reads a log record by record. A line without a header of its own belongs to the record before it.
type Scanner struct {
	// Known reports whether a text without a header is a statement nevertheless: messages that a log service stripped of
	// their header, or that a person copied without it. from is nil when nothing names the writer. nil takes none.
	Known func(from *envelope.Origin, file, text []byte) bool
	// Block is about how many bytes are read at a time; 0 for the usual size.
	Block int

	src     *source
	skip    func(*Stretch) bool
	gained  int // records that repeat and were passed over, less those that were read one by one for the sake of others
	give    func() bool
	over    bool   // nothing more is given
	cur     buffer // the record that is given, or is not yet complete
	piece   piece
	line    int
	long    []byte // a physical line that does not fit the reader's buffer
	scratch []byte // content of a docker line
	cut     bool   // the physical line before was partial
	ended   bool   // the record ended before a header: what follows is another text
	place   placer
	bytes   int64
	drained bool
	stats   Stats
	held    []held
	layers  layers
	glued   bool // a physical line was seen that holds several records

	docs      envelope.Reader
	entryFrom *envelope.Origin // of the last entry; that of the next is mostly the same
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
	Err        error // of the reader, without io.EOF
	ZoneOffset *time.Duration
	ZoneMoved  int // line at which the header's offset from the wrapper changed by an hour or so
	Anchors    []Anchor
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

// Close lets go of the input; it is needed only after Skip.
func (s *Scanner) Close() { s.src.close() }

// Stats says what was seen so far; it is complete after the last record.
func (s *Scanner) Stats() Stats {
	s.stats.Bytes, s.stats.ZoneOffset, s.stats.ZoneMoved = s.bytes, s.place.offset, s.place.moved
	return s.stats
}

// Records reads the log, and lets yield have one record after the other, which is the current one until the next.
func (s *Scanner) Records(yield func() bool) {
	if s.Block > 0 {
		s.src.cut.size = s.Block
	}
	s.give = yield
	for s.pass(); !s.drained; s.pass() {
		for len(s.held) > 0 && !s.cut {
			s.unhold()
		}
		s.line++
		line, more := s.slice()
		for len(line) > 0 {
			line, more = s.physical(line, more), false
		}
	}
	for len(s.held) > 0 {
		s.cut = false
		s.unhold()
	}
	s.whole()
}

// whole gives the current record, to which nothing more belongs.
func (s *Scanner) whole() {
	if !s.cur.begun || s.over {
		return
	}
	s.place.place(&s.cur)
	if s.cur.begun = false; !s.give() {
		s.over, s.drained = true, true
	}
}
