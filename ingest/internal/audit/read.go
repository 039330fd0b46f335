package audit

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/ingest/internal/textline"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// Result is what one audit log says. Observations are in the order of the file, those about pods last.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// Read reads a whole audit log with bounded memory. It never fails: what it could not read is a Problem.
func Read(r io.Reader, path string) Result { return read(r, path, true) }

// read can leave out the look at the bytes before decoding, for a test that compares.
func read(r io.Reader, path string, filter bool) Result {
	b := bufio.NewReaderSize(r, bufferSize)
	head, _ := b.Peek(64 << 10) // an error comes again when it is read
	l := newLog(path, filter)
	if isDocument(head) {
		l.document(&document{r: b, line: 1})
	} else {
		l.lines(textline.New(b, MaxEvent))
	}
	return l.finish()
}

type log struct {
	path   string
	facts  *facts
	in     model.Input
	seen   map[string]bool // ids of requests that were used
	filter bool
	trouble
}

func newLog(path string, filter bool) *log {
	return &log{path: path, seen: map[string]bool{}, filter: filter,
		facts: &facts{path: path, deleting: map[string]bool{}, taints: map[string][]string{}}}
}

// lines reads a file that has one event on each line.
func (l *log) lines(s *textline.Reader) {
	var joined []byte // pieces of an event that a container runtime cut
	var from int
	var quote []byte
	for {
		line, tooLong, ok := s.Next()
		if !ok {
			break
		}
		line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), []byte("\r"))
		at, text := s.N, line
		piece, partial, cut := runtimePiece(line)
		if cut {
			text = piece
		}
		if cut && (partial || joined != nil) {
			if joined == nil {
				from, quote, joined = s.N, bytes.Clone(line), []byte{}
			}
			joined = append(joined, piece[:min(len(piece), MaxEvent-len(joined))]...)
			if partial {
				continue
			}
			at, text, line, joined = from, joined, quote, nil
		}
		if len(bytes.TrimSpace(text)) > 0 {
			l.record(text, line, at, tooLong)
		}
	}
	l.in.Bytes, l.err = s.Bytes, s.Err
	if joined != nil {
		l.record(joined, quote, from, false)
	}
}

// document reads a file that is one list, or envelopes with lists.
func (l *log) document(d *document) {
	for {
		e, ok := d.next()
		if !ok {
			break
		}
		if e.damaged {
			l.in.Records++
			l.damaged.add(e.line)
			continue
		}
		l.record(e.text, e.quote, e.line, e.tooLong)
	}
	l.in.Bytes, l.err = d.bytes, d.err
}

// record takes one event. quote is the verbatim text that begins on the line, nil for the same.
func (l *log) record(text, quote []byte, line int, tooLong bool) {
	l.in.Records++
	if quote == nil {
		quote = text
	}
	if tooLong {
		l.tooLong.add(line)
		return
	}
	v := glance(text)
	if v == other && l.filter {
		return
	}
	stamp := stagedAt(text)
	l.in.Cover(stamp)
	if v != decode && l.filter {
		return
	}
	if i := bytes.IndexByte(text, '{'); i >= 0 && i <= maxPrefix {
		text = text[i:]
	}
	e, damaged := find(text)
	if damaged {
		l.damaged.add(line)
	} else if e != nil {
		if t, err := time.Parse(time.RFC3339Nano, e.Staged); stamp.IsZero() && err == nil {
			l.in.Cover(t.UTC().Truncate(time.Microsecond))
		}
		l.event(e, line, quote)
	}
}

func (l *log) event(e *event, line int, quote []byte) {
	r, ok := e.read()
	if !ok || r.id != "" && l.seen[r.id] {
		return
	}
	if l.facts.observe(&r, line, quoted(quote)) == 0 {
		return
	}
	l.in.Used++
	if r.id != "" && len(r.id) <= 64 {
		if len(l.seen) >= maxSeen {
			clear(l.seen)
		}
		l.seen[r.id] = true
	}
}

func quoted(text []byte) model.Quote {
	q := mask.Quote(string(text))
	if len(q.Text) > maxQuote {
		end := maxQuote
		for end > maxQuote-utf8.UTFMax && !utf8.RuneStart(q.Text[end]) {
			end--
		}
		q.Text, q.Truncated = strings.Clone(q.Text[:end]), true
	}
	return q
}

func (l *log) finish() Result {
	in := l.in
	in.Path, in.Kind, in.Component = l.path, model.InputAudit, component
	in.Skipped = in.Records - in.Used
	return Result{Input: in, Observations: l.facts.observations(), Problems: l.problems()}
}
