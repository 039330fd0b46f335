package manifest

import (
	"bytes"
	"iter"
	"strings"
)

// document is one YAML document of a file, found by its lines alone.
type document struct {
	raw  []byte
	line int // of raw's first line, from 1
	keys map[string]topKey
}

// topKey is a key at column 0: where its line begins in raw, and the text behind the colon.
type topKey struct {
	offset, line int
	value        string
}

// lines yields each line's offset and its text without the end of line.
func lines(data []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		at := 0
		for line := range bytes.Lines(data) {
			if !yield(at, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))) {
				return
			}
			at += len(line)
		}
	}
}

// keyAtStart reads "key: value" or "key:" from a line; keys of Kubernetes objects are plain words.
func keyAtStart(line []byte) (key, value []byte, ok bool) {
	for i, c := range line {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == '/'):
			continue
		case c == ':' && i > 0 && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'):
			return line[:i], bytes.Trim(line[i+1:], " \t"), true
		}
		return nil, nil, false
	}
	return nil, nil, false
}

// repeats reports a key that the document has, behind its apiVersion.
func (d *document) repeats(key []byte) bool {
	_, again := d.keys[string(key)]
	_, versioned := d.keys["apiVersion"]
	return again && versioned
}

// note keeps the first place of a key.
func (d *document) note(key []byte, at topKey) {
	if _, again := d.keys[string(key)]; !again && len(d.keys) < maxKeys {
		d.keys[string(key)] = at
	}
}

// documents cuts a file at separators, and where a key comes again after apiVersion: odf-must-gather joins documents without a separator.
func documents(data []byte) iter.Seq[document] {
	return func(yield func(document) bool) {
		cur := document{line: 1, keys: map[string]topKey{}}
		start, number, content := 0, 0, false
		// next ends the document before at and begins another there.
		next := func(at int) bool {
			done := cur
			done.raw = data[start:at]
			more := !content || yield(done)
			cur, start, content = document{line: number, keys: map[string]topKey{}}, at, false
			return more
		}
		for at, line := range lines(data) {
			number++
			if len(line) > 0 && line[0] == ' ' && content {
				continue // below a key, or within a text
			}
			if isSeparator(line) {
				if !next(at) {
					return
				}
				content = behindSeparator(line)
				continue
			}
			if len(line) == 0 || line[0] == '#' || line[0] == '%' && !content {
				continue
			}
			content = content || len(bytes.TrimSpace(line)) > 0
			key, value, ok := keyAtStart(line)
			if !ok {
				continue
			}
			if cur.repeats(key) {
				if !next(at) {
					return
				}
				content = true
			}
			cur.note(key, topKey{offset: at - start, line: number, value: string(unquote(value))})
		}
		next(len(data))
	}
}

// behindSeparator reports a separator with content, as in "--- {…}".
func behindSeparator(line []byte) bool {
	rest := bytes.TrimSpace(line[3:])
	return line[0] == '-' && len(rest) > 0 && rest[0] != '#'
}

func isSeparator(line []byte) bool {
	if len(line) < 3 || string(line[:3]) != "---" && string(line[:3]) != "..." {
		return false
	}
	return len(line) == 3 || line[3] == ' ' || line[3] == '\t'
}

// unquote takes comment and quotes off a plain scalar without escapes; others stay as they are.
func unquote(s []byte) []byte {
	if n := bytes.Index(s, []byte(" #")); n >= 0 {
		s = bytes.TrimRight(s[:n], " ")
	}
	if len(s) >= 2 && strings.IndexByte("\"'", s[0]) >= 0 && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// splitItems cuts the block sequence at an offset, whose line has that number, into up to most items; false when it is in another style.
func splitItems(raw []byte, from, line, most int) (items []chunk, end int, ok bool) {
	indent, start, startLine := -1, 0, 0
	cut := func(end int) {
		items = append(items, chunk{raw: raw[start:end], line: startLine, prefix: "[0]", indent: indent + 2})
	}
	number := line - 1
	for at, text := range lines(raw[from:]) {
		number++
		at += from
		body := bytes.TrimLeft(text, " ")
		if len(body) == 0 || body[0] == '#' {
			continue
		}
		depth := len(text) - len(body)
		dash := body[0] == '-' && (len(body) == 1 || body[1] == ' ')
		switch {
		case indent < 0 && !dash:
			return nil, 0, false
		case indent < 0:
			indent = depth
		case depth > indent:
			continue
		case !dash || depth < indent:
			cut(at)
			return items, at, true
		case len(items) > most:
			return items, len(raw), true
		default:
			cut(at)
		}
		start, startLine = at, number
	}
	if indent >= 0 {
		cut(len(raw))
	}
	return items, len(raw), indent >= 0
}

// anchored reports whether a text may use YAML anchors. Such items cannot be parsed apart: an alias may stand in another.
func anchored(raw []byte) bool {
	for at := 0; at < len(raw); at++ {
		n := bytes.IndexByte(raw[at:], '&')
		if n < 0 {
			return false
		}
		at += n
		before := string(raw[max(at-2, 0):at])
		if (before == ": " || before == "- ") && at+1 < len(raw) && strings.IndexByte(" \n\"'", raw[at+1]) < 0 {
			return true
		}
	}
	return false
}
