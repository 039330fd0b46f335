package manifest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// A list of gigabytes does not fit into memory. In the form of kubectl and oc, its items are cut off as they come, decoded and let go.

const (
	blockBytes = 1 << 20  // that are read at a time
	maxLate    = 16 << 20 // of items that do not say their kind: they wait for that of the list, which comes last
)

// Stream reads a list that begins with head. The error is that of src; the result is of what came before it.
func (l Limits) Stream(head ListHead, src io.Reader, path string, found func(Record)) (Result, error) {
	s := &stream{reader: l.reader(path, found), src: src, head: head, block: blockBytes}
	return s.read()
}

func (s *stream) read() (Result, error) {
	s.asm = newAssembly(s.reader, batch{}, s.wait)
	defer close(s.asm.todo)
	_, err := io.CopyN(io.Discard, s.src, int64(len(s.head.text)))
	s.number = 1 + bytes.Count(s.head.text, []byte("\n"))
	s.line = s.number
	for err == nil && !s.ended {
		err = s.fill()
		if s.head.json {
			s.cutJSON()
		} else {
			s.cutBlock(err != nil)
		}
	}
	var rest []byte
	if s.ended && (err == nil || errors.Is(err, io.EOF)) {
		rest, err = s.rest()
	}
	s.finish(rest)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return s.close(), err
}

type stream struct {
	*reader
	src  io.Reader
	head ListHead
	asm  *assembly

	block  int    // bytes that are read at a time
	buf    []byte // from the current item on
	line   int    // of its first byte
	from   int    // how far it has been looked at
	number int    // of the line there
	long   bool   // the current item is longer than an object may be, and its beginning is dropped
	inside bool   // in the middle of a line that is not needed
	ended  bool   // the list is over; buf begins with what follows
	json   jsonState

	late  []chunk // items that wait
	bytes int     // of these
}

// fill reads a block more. An error is io.EOF at the end.
func (s *stream) fill() error {
	if len(s.buf) > MaxObject {
		s.long = true
		s.buf, s.from = s.buf[s.from:], 0
		if len(s.buf) > MaxObject {
			s.buf, s.inside = nil, true // one line
		}
	}
	old := len(s.buf)
	s.buf = append(make([]byte, 0, old+s.block), s.buf...)[:old+s.block]
	n, err := io.ReadFull(s.src, s.buf[old:])
	s.buf = s.buf[:old+n]
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return err
}

// item ends the current item at an offset of buf, and begins another there.
func (s *stream) item(at int) {
	switch {
	case s.long:
		s.result.Total++
		s.problem(model.Warning, s.line, "an object of more than %d bytes is refused", MaxObject)
	case at > 0:
		s.asm.add(s.chunk(s.buf[:at:at]))
	}
	s.buf, s.from, s.long = s.buf[at:], s.from-at, false
	s.line = s.number
}

func (s *stream) chunk(raw []byte) chunk {
	if s.head.json {
		return chunk{raw: raw, line: s.line, json: true, waits: true}
	}
	return chunk{raw: raw, line: s.line, prefix: "[0]", indent: s.head.indent + 2, waits: true}
}

// rest reads what follows the list: its kind, and perhaps other objects.
func (s *stream) rest() ([]byte, error) {
	more, err := io.ReadAll(io.LimitReader(s.src, MaxFile+1))
	if len(more) > MaxFile {
		s.problem(model.Warning, s.number, "what follows the list is longer than %d bytes and is not read", MaxFile)
		return nil, err
	}
	return append(bytes.Clone(s.buf), more...), err
}

// wait keeps an item that does not say its kind until the list does.
func (s *stream) wait(c chunk) {
	if s.bytes += len(c.raw); s.bytes > maxLate {
		s.problem(model.Warning, c.line,
			"objects that do not say their kind are kept up to %d bytes, until their list says it; this one is lost", maxLate)
		return
	}
	c.raw, c.waits = bytes.Clone(c.raw), false
	s.late = append(s.late, c)
}

// listEnd is what the text behind the items says.
type listEnd struct {
	apiVersion, kindName string
	torn                 bool
	following            func() // reads what else the file holds
}

// finish reads what is left, and what the list's end says of it. rest is nil when the file broke off.
func (s *stream) finish(rest []byte) {
	end := s.tail(rest)
	if end.torn && !s.head.json && len(s.asm.next) > 0 {
		s.asm.next = s.withoutLast(s.asm.next)
	}
	s.asm.finish()
	itemKind, typed := strings.CutSuffix(end.kindName, "List")
	if !typed || itemKind == "" {
		itemKind, end.apiVersion = "", ""
	}
	if k := kindNamed(itemKind, end.apiVersion); k != nil && !k.settings &&
		!slices.ContainsFunc(s.seen, func(l List) bool { return l.Kind == itemKind }) {
		s.seen = append(s.seen, List{Kind: itemKind})
	}
	for _, c := range s.late {
		s.deliver(s.object(c, end.apiVersion, itemKind, s.memory))
	}
	if !end.torn {
		s.result.Lists = append(s.result.Lists, s.seen...)
	}
	end.following()
}

// tail reads what follows the items.
func (s *stream) tail(rest []byte) listEnd {
	if s.head.json {
		return s.tailJSON(rest)
	}
	return s.tailBlock(rest)
}
