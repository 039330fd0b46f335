package envelope

import (
	"bytes"
)

// maxKey is the length up to which keys are kept.
const maxKey = 256

// inString takes the rest of a string, or what the piece has of it.
func (w *Walker) inString(b []byte) int {
	i := 0
	if w.escaped {
		w.escaped, i = false, 1
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case '\\':
			if i++; i == len(b) {
				w.escaped = true
			}
		case '\n': // a string ends on its line: this one was cut
			w.add(b[:i])
			w.failed = true
			w.cut()
			return len(b)
		case '"':
			w.add(b[:i])
			w.endString()
			return i + 1
		}
	}
	w.add(b)
	return len(b)
}

func (w *Walker) add(b []byte) {
	if !w.keep {
		return
	}
	limit := MaxMessage
	if w.expect == inKey {
		limit = maxKey
	}
	n := min(len(b), limit-len(w.str))
	w.str = append(w.str, b[:n]...)
	w.lost += int64(len(b) - n)
}

func (w *Walker) endString() {
	if w.expect == inKey {
		w.key, w.expect = string(w.str), wantColon
		return
	}
	w.expect = wantComma
	if w.keep {
		w.scalar(text{line: w.strLine, raw: w.str, lost: w.lost}, true)
	}
	w.count()
}

// cut keeps what there is of a string that breaks off, such as a message at the end of an excerpt.
func (w *Walker) cut() {
	if w.expect == inString && w.keep {
		w.scalar(text{line: w.strLine, raw: w.str, lost: w.lost}, true)
	}
}

// inLiteral takes the rest of a number or a name such as null.
func (w *Walker) inLiteral(b []byte) int {
	n := bytes.IndexAny(b, ",]} \t\r\n:\"{[")
	if n < 0 {
		n = len(b)
	}
	if len(w.str)+n > maxKey {
		w.failed = true
		return 0
	}
	w.str = append(w.str, b[:n]...)
	if n < len(b) {
		w.expect = wantComma
		if c := w.str[0]; c == '-' || c >= '0' && c <= '9' {
			w.scalar(text{line: w.line, raw: w.str}, false)
		}
		w.count()
	}
	return n
}

func (w *Walker) count() {
	if n := len(w.frames); n > 0 {
		w.frames[n-1].n++
	}
}

// scalar takes a value for the record that it belongs to. Its bytes are those of the walker.
func (w *Walker) scalar(v text, quoted bool) {
	top := &w.frames[len(w.frames)-1]
	switch {
	case !top.array && w.key == "field":
		top.rec.pair.field = string(Unescape(nil, v.raw))
	case !top.array && w.key == "value" && top.rec.pair.field != "":
		v.raw = bytes.Clone(v.raw)
		top.rec.pair.value, top.rec.pair.has = v, true
	case !top.array:
		top.rec.set(top.key, w.key, v, quoted)
		if w.key == "name" && top.key == "columns" && len(w.columns) < maxKey {
			w.columns = append(w.columns, string(Unescape(nil, v.raw)))
		}
	default:
		w.element(top, v, quoted)
	}
}

// element takes an element of an array by its position: Loki's [time, line] and Log Analytics' rows.
func (w *Walker) element(top *frame, v text, quoted bool) {
	switch {
	case top.key == "values" && top.n == 0:
		top.rec.set("", "timestamp", v, quoted)
	case top.key == "values" && top.n == 1:
		top.rec.set("", "line", v, quoted)
	case top.key == "rows" && top.n < len(w.columns):
		top.rec.set("", w.columns[top.n], v, quoted)
	case textRank(top.key) > 0 || isTime(top.key): // Elasticsearch's fields: every value is a list
		top.rec.set("", top.key, v, quoted)
	}
}
