package envelope

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader reads JSON documents, and keeps the entries found until they are taken. maxValue bounds its memory.
type Reader struct {
	Entries []Entry
	// Prefer picks the message where an entry has several members that may be it; nil picks by their names.
	Prefer func(text []byte) bool

	dec     *jsontext.Decoder
	line    int // of what is read
	piece   []byte
	more    func() (line int, piece []byte)
	given   int64 // to dec
	columns []string
	frames  []*frame          // by depth, for the next object or array there
	names   map[string]string // of members; a log service gives each entry the same
}

const (
	maxKey   = 256 // up to which length keys are kept
	maxDepth = 64  // of nesting; exports have up to eight levels
	maxValue = 4 * MaxMessage
)

var errBound = errors.New("a value is too long, or nested too deep")

// Document reads one document, which begins with a line, or a piece of one; more gives the next piece and the line that it is of, none at the
// end of the input. It returns what stands behind the document in the last piece, and whether the document breaks off there.
func (r *Reader) Document(line int, piece []byte, more func() (line int, piece []byte)) (rest []byte, broken bool) {
	r.line, r.piece, r.more, r.given, r.columns = line, piece, more, 0, nil
	if r.dec == nil {
		r.dec, r.names = new(jsontext.Decoder), map[string]string{}
	}
	r.dec.Reset((*pieces)(r), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := r.container(nil, ""); err != nil {
		return nil, !errors.Is(err, io.ErrUnexpectedEOF)
	}
	return append(bytes.Clone(r.dec.UnreadBuffer()), r.piece...), false
}

// pieces gives the pieces of a document to its decoder. A value that goes on and on breaks it off.
type pieces Reader

// Read implements io.Reader.
func (p *pieces) Read(b []byte) (int, error) {
	if len(p.piece) == 0 && p.more != nil {
		p.line, p.piece = p.more()
	}
	if len(p.piece) == 0 {
		return 0, io.EOF
	}
	if p.given-p.dec.InputOffset() > maxValue {
		return 0, errBound
	}
	n := copy(b, p.piece)
	p.piece, p.given = p.piece[n:], p.given+int64(n)
	return n, nil
}

// frame is an object or array that is open.
type frame struct {
	outer *frame
	depth int
	array bool
	key   string // under which it stands in the object that holds it; elements stand under the array's own
	n     int    // values so far
	rec   record
}

// container reads an object or array, and hands on what it holds, also when it breaks off.
func (r *Reader) container(outer *frame, key string) error {
	begin, err := r.dec.ReadToken()
	depth := 0
	if outer != nil {
		depth = outer.depth + 1
	}
	if depth == len(r.frames) {
		r.frames = append(r.frames, new(frame))
	}
	f := r.frames[depth]
	*f = frame{outer: outer, depth: depth, array: begin.Kind() == '[', key: key}
	if depth >= maxDepth {
		err = errBound
	}
	for err == nil {
		kind, name := r.dec.PeekKind(), key
		if kind == '}' || kind == ']' {
			_, err = r.dec.ReadToken()
			break
		}
		if !f.array {
			if name, err = r.name(); err != nil {
				break
			}
			kind = r.dec.PeekKind()
		}
		if kind == '{' || kind == '[' {
			err = r.container(f, name)
		} else {
			err = r.scalar(f, name)
		}
		f.n++
	}
	r.end(f)
	return err
}

func (r *Reader) name() (string, error) {
	v, err := r.dec.ReadValue()
	v = bytes.Trim(v, `"`)
	v = v[:min(len(v), maxKey)]
	known, ok := r.names[string(v)]
	if !ok {
		known = string(v)
		if len(r.names) < maxKey {
			r.names[known] = known
		}
	}
	return known, err
}

// scalar reads a value for the record that it belongs to. Of a string that breaks off, such as a message at the end of an excerpt, it keeps
// what there is.
func (r *Reader) scalar(f *frame, name string) error {
	v, err := r.dec.ReadValue()
	if err != nil {
		v = r.dec.UnreadBuffer()
		if bad, ok := errors.AsType[*jsontext.SyntacticError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
			v = v[:max(min(bad.ByteOffset-r.dec.InputOffset(), int64(len(v))), 0)]
		}
		v = bytes.TrimLeft(v, " \t\r\n,:")
	}
	if len(v) == 0 {
		return err
	}
	t, quoted := text{line: r.line, raw: v}, v[0] == '"'
	if quoted {
		t.raw = v[1:stringEnd(v)]
		t.lost = int64(max(len(t.raw)-MaxMessage, 0))
		t.raw = t.raw[:len(t.raw)-int(t.lost)]
	} else if err != nil || v.Kind() != '0' {
		return err
	}
	switch {
	case f.array:
		r.element(f, t, quoted)
	case name == "field":
		f.rec.pair.field = unescaped(t.raw)
	case name == "value" && f.rec.pair.field != "":
		t.raw = bytes.Clone(t.raw)
		f.rec.pair.value, f.rec.pair.has = t, true
	default:
		f.rec.set(f.key, name, t, quoted)
		if name == "name" && f.key == "columns" && len(r.columns) < maxKey {
			r.columns = append(r.columns, unescaped(t.raw))
		}
	}
	return err
}

// stringEnd is where the quote stands that ends a string, or the string breaks off.
func stringEnd(v []byte) int {
	for i := 1; i < len(v); i++ {
		if v[i] == '"' {
			return i
		}
		if v[i] == '\\' {
			i++
		}
	}
	return len(v)
}

// element takes an element of an array by its position: Loki's [time, line] and Log Analytics' rows.
func (r *Reader) element(f *frame, v text, quoted bool) {
	switch {
	case f.key == "values" && f.n == 0:
		f.rec.set("", "timestamp", v, quoted)
	case f.key == "values" && f.n == 1:
		f.rec.set("", "line", v, quoted)
	case f.key == "rows" && f.n < len(r.columns):
		f.rec.set("", r.columns[f.n], v, quoted)
	case textRank(f.key) > 0 || isTime(f.key): // Elasticsearch's fields: every value is a list
		f.rec.set("", f.key, v, quoted)
	}
}

// end hands on what an object or array holds. An object inside an object is a part of it; an object or array in a list is an entry.
func (r *Reader) end(f *frame) {
	if f.rec.pair.has && f.outer != nil {
		f.outer.rec.set("", f.rec.pair.field, f.rec.pair.value, true)
	} else if f.outer != nil && !f.outer.array {
		f.outer.rec.merge(&f.rec)
	} else {
		r.emit(f)
	}
}

// emit makes an entry of a record that holds a message.
func (r *Reader) emit(f *frame) {
	t, content, ok := f.rec.best(r.Prefer)
	if !ok {
		return
	}
	e := Entry{Line: t.line, Raw: t.raw, Text: content, Lost: t.lost, Time: f.rec.time, From: f.rec.from}
	for o := f.outer; o != nil; o = o.outer {
		e.From = e.From.Within(o.rec.from)
		if e.Time.IsZero() && !o.array && len(o.rec.texts) == 0 {
			e.Time = o.rec.time
		}
	}
	if f.rec.event.Reason != "" && f.rec.event.Name != "" {
		e.Event = new(f.rec.event) // the record is that of the next
		e.Event.Namespace = cmp.Or(e.Event.Namespace, e.From.Namespace)
	}
	r.Entries = append(r.Entries, e)
}
