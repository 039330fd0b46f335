package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// listKeys are where lists and envelopes keep their elements: EventList, CloudWatch, Event Hub, Elasticsearch, Insights and Loki.
var listKeys = []string{"items", "events", "records", "logEvents", "hits", "results", "entries", "data", "result", lokiValues}

// document reads the objects of a JSON document of any size, one after the other, in arrays, lists inside envelopes, or by themselves.
type document struct {
	r       *bufio.Reader
	line    int // of the byte read last
	bytes   int64
	buf     []byte
	tooLong bool
	values  bool // a list of Loki's values began
	err     error
}

// element is one object of a document, on the physical lines that begin with line.
type element struct {
	text    []byte
	quote   []byte // verbatim, where text is not
	line    int
	tooLong bool // text is cut
	damaged bool // a newline inside a string: the object never ended
}

func (d *document) read() (byte, bool) {
	c, err := d.r.ReadByte()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			d.err = err
		}
		return 0, false
	}
	d.bytes++
	if c == '\n' {
		d.line++
	}
	return c, true
}

// next finds the next object. Between objects, everything else is skipped: brackets, keys, and scalars.
func (d *document) next() (element, bool) {
	for {
		c, ok := d.read()
		switch {
		case !ok:
			return element{}, false
		case c == '"' && d.values:
			if e, ok := d.value(); ok {
				return e, true
			}
		case c == '"':
			d.skipString()
		case c == '{':
			e, isList := d.object()
			if !isList {
				return e, true
			}
		}
	}
}

// value reads a string of which the quote was read, and returns what it holds if that may be an event.
func (d *document) value() (element, bool) {
	e := element{line: d.line}
	d.buf, d.tooLong = append(d.buf[:0], '"'), false
	if !d.keepString() || !bytes.HasPrefix(d.buf, []byte(`"{`)) {
		return e, false
	}
	var text string
	if e.tooLong = d.tooLong; !e.tooLong && json.Unmarshal(d.buf, &text) != nil {
		return e, false
	}
	e.text, e.quote = []byte(text), d.buf
	return e, true
}

// skipString reads to the end of a string, or of its line.
func (d *document) skipString() {
	for {
		c, ok := d.read()
		if !ok || c == '"' || c == '\n' {
			return
		}
		if c == '\\' {
			d.read()
		}
	}
}

// object collects an object whose brace was read. It returns isList at a member that is a list: then reading goes on inside it.
func (d *document) object() (e element, isList bool) {
	e.line = d.line
	d.buf, d.tooLong = append(d.buf[:0], '{'), false
	depth, key, after := 1, []byte(nil), false
	for depth > 0 {
		c, ok := d.read()
		if !ok {
			e.damaged = true
			break
		}
		d.keep(c)
		switch c {
		case '"':
			start := len(d.buf)
			if !d.keepString() {
				return element{text: d.buf, line: e.line, tooLong: d.tooLong, damaged: true}, false
			}
			if depth == 1 && !after {
				key = d.buf[start:max(start, len(d.buf)-1)]
			}
		case ':':
			after = true
		case ',':
			after = false
		case '{', '[':
			// hits holds hits, and logs hold lists of lists.
			if depth == 1 && !d.tooLong && slices.Contains(listKeys, string(key)) {
				d.values = d.values || string(key) == lokiValues
				return e, true
			}
			depth++
		case '}', ']':
			depth--
		}
	}
	e.text, e.tooLong = d.buf, d.tooLong
	return e, false
}

func (d *document) keep(c byte) {
	if len(d.buf) >= MaxEvent {
		d.tooLong = true
		return
	}
	d.buf = append(d.buf, c)
}

// keepString collects a string whose quote was read. It returns false when the string does not end on its line.
func (d *document) keepString() bool {
	for {
		c, ok := d.read()
		if !ok || c == '\n' {
			return false
		}
		d.keep(c)
		switch c {
		case '"':
			return true
		case '\\':
			if c, ok = d.read(); !ok {
				return false
			}
			d.keep(c)
		}
	}
}

// isDocument says from the first bytes whether a file is one document, or envelopes with lists, and not an event on each line.
func isDocument(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	first, _, more := bytes.Cut(head, []byte("\n"))
	if head[0] == '[' || more && len(bytes.TrimSpace(first)) == 1 {
		return true
	}
	d := &document{r: bufio.NewReader(bytes.NewReader(head[1:])), line: 1}
	_, isList := d.object()
	return isList
}
