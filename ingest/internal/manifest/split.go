package manifest

import (
	"bytes"
	"iter"
)

// document is one YAML document of a file, found by its lines alone.
type document struct {
	raw   []byte
	line  int // of raw's first line, from 1
	keys  map[string]topKey
	order []string // keys in the order of the file, for error messages and shapes
}

// topKey is a key at column 0: where its line begins in raw, and the text behind the colon.
type topKey struct {
	offset, line int
	value        string
}

// lines yields each line's offset and its text without the end of line.
func lines(data []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(data); {
			end, next := len(data), len(data)
			if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
				end, next = at+n, at+n+1
			}
			if !yield(at, bytes.TrimSuffix(data[at:end], []byte("\r"))) {
				return
			}
			at = next
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

// splitDocuments cuts a YAML file at its separators, and where a key at column 0 comes a second time after apiVersion:
// odf-must-gather joins documents without a separator. Comments and empty lines alone are no document.
func splitDocuments(data []byte) []document {
	var docs []document
	cur := document{line: 1, keys: map[string]topKey{}}
	start, number, content := 0, 0, false
	flush := func(end int) {
		if content {
			cur.raw = data[start:end]
			docs = append(docs, cur)
		}
		cur, content = document{keys: map[string]topKey{}}, false
	}
	begin := func(at, line int) { start, cur.line = at, line }
	begin(0, 1)
	for at, line := range lines(data) {
		number++
		if isSeparator(line) {
			flush(at)
			begin(at, number)
			// "--- {…}" holds content behind the separator.
			if rest := bytes.TrimSpace(line[3:]); line[0] == '-' && len(rest) > 0 && rest[0] != '#' {
				content = true
			}
			continue
		}
		if len(line) == 0 || line[0] == ' ' || line[0] == '#' || line[0] == '-' || line[0] == '%' && !content {
			content = content || len(line) > 0 && line[0] != '#' && line[0] != '%' && len(bytes.TrimSpace(line)) > 0
			continue
		}
		content = true
		key, value, ok := keyAtStart(line)
		if !ok {
			continue
		}
		_, again := cur.keys[string(key)]
		_, versioned := cur.keys["apiVersion"]
		if again && versioned {
			flush(at)
			begin(at, number)
			content = true
			again = false
		}
		if !again {
			cur.keys[string(key)] = topKey{offset: at - start, line: number, value: string(unquote(value))}
			cur.order = append(cur.order, string(key))
		}
	}
	flush(len(data))
	return docs
}

// isSeparator recognises --- and ... at column 0.
func isSeparator(line []byte) bool {
	if len(line) < 3 || string(line[:3]) != "---" && string(line[:3]) != "..." {
		return false
	}
	return len(line) == 3 || line[3] == ' ' || line[3] == '\t'
}

// unquote takes the quotes off a plain scalar without escapes; others stay as they are.
func unquote(s []byte) []byte {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// splitItems cuts a block sequence into its items. The sequence begins at offset from of raw, whose line has that number.
// It answers false when the sequence is not in block style. end is where the sequence ends.
func splitItems(raw []byte, from, line int) (items []chunk, end int, ok bool) {
	indent, start, startLine := -1, 0, 0
	end = len(raw)
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
		if indent < 0 {
			if !dash {
				return nil, 0, false
			}
			indent, start, startLine = depth, at, number
			continue
		}
		switch {
		case depth == indent && dash:
			items = append(items, chunk{raw: raw[start:at], line: startLine, prefix: "[0]", indent: indent + 2})
			start, startLine = at, number
		case depth <= indent:
			items = append(items, chunk{raw: raw[start:at], line: startLine, prefix: "[0]", indent: indent + 2})
			return items, at, true
		}
	}
	if indent < 0 {
		return nil, 0, false
	}
	return append(items, chunk{raw: raw[start:], line: startLine, prefix: "[0]", indent: indent + 2}), end, true
}

// anchored reports whether a text may use YAML anchors or aliases. Such items cannot be parsed apart.
func anchored(raw []byte) bool {
	for _, lead := range []string{": &", "- &", ": *", "- *"} {
		rest := raw
		for {
			n := bytes.Index(rest, []byte(lead))
			if n < 0 {
				break
			}
			rest = rest[n+len(lead):]
			if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\n' && rest[0] != '*' && rest[0] != '"' && rest[0] != '\'' {
				return true
			}
		}
	}
	return false
}
