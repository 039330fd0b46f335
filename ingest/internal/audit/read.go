// Package audit reads Kubernetes audit logs (audit.k8s.io/v1 and its betas) into observations: which requests created, deleted, evicted,
// bound, tainted or patched the pods, nodes and VolumeAttachments that a Multi-Attach incident is made of, and who sent them.
//
// It reads the API server's own file, one event on a line, also behind the prefixes of oc adm node-logs, container
// runtimes and CloudWatch, an EventList, and events inside the envelopes of Google Cloud Logging, AKS diagnostics,
// CloudWatch and Elasticsearch. Lines that cannot matter are left out by their bytes, before any of them is decoded.
//
// A request is a fact when it was answered with success, was no dry run, and its event is that of the stage ResponseComplete. Its meaning
// comes from the bodies that the audit policy kept; at level Metadata a deletion has its name, time and user, but a patch says nothing.
package audit

import (
	"bufio"
	"bytes"
	"fmt"
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

// Bounds, and names that Kubernetes gives.
const (
	maxMessage    = 1024 // bounds an error text
	maxSkew       = 10 * time.Second
	lokiValues    = "values"                // holds pairs of a time and of a line, which is a string that holds the event
	maxLayers     = 3                       // how many envelopes are opened, one inside the other
	stageComplete = "ResponseComplete"      // the only stage whose event says how a request ended
	maxName       = 256                     // bounds what is kept of a user's name and of an agent. Kubernetes itself sets no bound
	component     = "kube-apiserver"        // who writes audit logs
	maxStatements = 64                      // bounds the texts remembered of one object: an error text may differ each time
	maxPrefix     = 512                     // how much text may stand before an event on its line: a time, a node, a stream's name
	podGC         = "pod-garbage-collector" // the controller that deletes the pods of lost nodes
	bufferSize    = 256 << 10               // that of the reader; longer lines are collected apart
	maxSeen       = 1 << 16                 // bounds the requests that are remembered to recognise copies
	maxQuote      = 1024                    // how much of an event is quoted: stage, request, user, client and object stand in its beginning
)

// MaxEvent is how many bytes of one event are kept. The API server takes objects of up to 3 MiB, of which an event holds two.
const MaxEvent = 8 << 20

// runtimePiece reads the prefix of a container runtime, "2026-03-14T09:26:53.841223001Z stdout P text". partial: the next line goes on.
func runtimePiece(line []byte) (text []byte, partial, ok bool) {
	if len(line) == 0 || line[0] < '0' || line[0] > '9' {
		return nil, false, false
	}
	head := line[:min(len(line), 64)]
	i := bytes.Index(head, []byte(" stdout "))
	if i < 0 {
		i = bytes.Index(head, []byte(" stderr "))
	}
	if i < 20 || len(line) < i+10 || bytes.IndexByte([]byte(" :"), line[i+9]) < 0 {
		return nil, false, false
	}
	tag := line[i+8]
	if tag != 'F' && tag != 'P' {
		return nil, false, false
	}
	_, text, ok = bytes.Cut(line[i+8:], []byte(" "))
	return text, tag == 'P', ok
}

type trouble struct {
	damaged, tooLong count
	err              error
}

// count is how many records had a fault, and the line of the first.
type count struct{ n, line int }

func (c *count) add(line int) {
	if c.n == 0 {
		c.line = line
	}
	c.n++
}

// problems are one for each kind of fault.
func (l *log) problems() []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: l.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if l.err != nil {
		add(model.Failure, 0, "could not be read to its end: %v", l.err)
	}
	if l.damaged.n > 0 {
		add(model.Warning, l.damaged.line, "%d audit events are cut or no JSON and are left out; the first is on this line", l.damaged.n)
	}
	if l.tooLong.n > 0 {
		add(model.Warning, l.tooLong.line, "%d audit events are longer than %d MiB and are left out; the first is on this line",
			l.tooLong.n, MaxEvent>>20)
	}
	few := func(k kept, of string) {
		if k.dropped > 0 {
			add(model.Warning, 0, "holds more than %d requests for %s; only the last %d of the file are kept: "+
				"give the part of it around the incident", maxFacts, of, maxFacts)
		}
	}
	few(l.facts.pods, "pods")
	few(l.facts.others, "nodes and VolumeAttachments")
	return out
}
