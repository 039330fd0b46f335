package logline

import (
	"bytes"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// Pair is a key and value of a structured line, in its order: quoted and multi-line values unquoted, lists, structs and JSON verbatim.
type Pair struct{ Key, Value string }

// Record is one statement of a log with what it says.
type Record struct {
	Line     int             // first physical line, counted from 1
	Raw      string          // verbatim: physical lines, joined by newlines, or the escaped message inside an envelope
	Time     time.Time       // UTC; see Floating; zero when nothing shows it
	Floating bool            // Time has neither year nor zone: year 0, across a new year within the log 1 or -1, as if UTC
	Message  string          // text; of structured lines the unquoted message
	KV       []Pair          // of structured lines
	Event    *envelope.Event // the record is a Kubernetes Event; Message is the Event's
}

// Get is the value of the first pair with that key, "" when there is none.
func (r *Record) Get(key string) string {
	for _, p := range r.KV {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// Head is the cheap part of a record. Its byte slices are valid until the next record.
type Head struct {
	Line     int
	Time     time.Time
	Floating bool
	File     []byte // base name of the source file in the header; empty in JSON logs before Kubernetes 1.22
	Text     []byte // klog: what follows the header, a structured message with its quotes; JSON: msg, still escaped
	JSON     bool
	Bare     bool             // without a header; Time is the wrapper's, or zero
	Event    bool             // the record is a Kubernetes Event
	Foreign  bool             // the record is of a program with a syntax of its own, such as a CSI driver: it has a time and no known wording
	From     *envelope.Origin // who wrote it, as its wrapper says; nil when that says nothing
}

// Head is the cheap part of the current record, valid until the next record.
func (s *Scanner) Head() Head {
	c := &s.cur
	h := Head{
		Line: c.line, Time: s.place.time, Floating: s.place.floating,
		JSON: c.head.json, Bare: c.head.bare, Event: c.event != nil, Foreign: c.head.logfmt,
		File: c.text[c.head.fileStart:c.head.fileEnd], Text: c.head.message(c.text), From: c.wrap.from,
	}
	if len(h.File) == 0 && c.wrap.from != nil {
		h.File = []byte(c.wrap.from.File)
	}
	return h
}

// ReadRecord makes r the whole current record, in the memory that its KV had. All else of it stays valid.
func (s *Scanner) ReadRecord(r *Record) {
	c := &s.cur
	raw := string(c.raw)
	*r = Record{Line: c.line, Raw: strings.TrimRight(raw, "\r\n"), Time: s.place.time, Floating: s.place.floating,
		Event: c.event, KV: r.KV[:0]}
	text, whole := c.head.message(c.text), ""
	if c.head.json {
		if full, ok := parseJSON(c.text); ok { // a cut first piece had only part of msg
			text = full.message(c.text)
		}
		r.Message, r.KV = strings.TrimRight(string(envelope.Unescape(nil, text)), "\n"), jsonPairs(c.text)
		return
	}
	if c.head.logrus {
		r.Message = string(envelope.Unescape(nil, text))
		return
	}
	if bytes.HasSuffix(c.raw, text) {
		whole = raw[len(raw)-len(text):] // as nearly always: nothing stands behind it
	} else {
		whole = string(text)
	}
	r.Message = strings.TrimRight(whole, "\r\n")
	if message, pairs, ok := parseStructured(r.Message, r.KV); ok {
		r.Message, r.KV = strings.TrimRight(message, "\n"), pairs
	}
}
