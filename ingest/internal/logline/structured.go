package logline

import (
	"strconv"
	"strings"
)

// parseStructured splits the text of a klog line into the quoted message and its pairs. It returns false for a printf
// line, also for one that merely begins with a quoted word, such as the external-attacher's `"csi-…" is already attached`.
// The pairs are appended to those of to.
func parseStructured(text string, to []Pair) (message string, pairs []Pair, ok bool) {
	if len(text) < 2 || text[0] != '"' {
		return "", nil, false
	}
	end := skipString(text, 0)
	if end < 0 {
		return "", nil, false
	}
	rest := strings.TrimRight(text[end:], " \n\r")
	if rest != "" && !beginsPair(rest) {
		return "", nil, false
	}
	message, pairs = unquote(text[:end]), to
	for rest != "" && beginsPair(rest) {
		eq := strings.IndexByte(rest, '=')
		key := rest[1:eq]
		var value string
		value, rest = takeValue(rest[eq+1:])
		pairs = append(pairs, Pair{Key: key, Value: value})
	}
	return message, pairs, true
}

// beginsPair reports a blank, a key and an equals sign. A newline for the blank is only inside multi-line values, which takeValue consumes.
func beginsPair(s string) bool {
	if s[0] != ' ' {
		return false
	}
	for i := 1; i < len(s) && i < 80; i++ {
		switch c := s[i]; {
		case c == '=':
			return i > 1
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.', c == '/',
			c == '!', c == '(', c == ')':
		default:
			return false
		}
	}
	return false
}

func takeValue(s string) (value, rest string) {
	switch {
	case s == "":
		return "", ""
	case s[0] == '"':
		if end := skipString(s, 0); end >= 0 {
			return unquote(s[:end]), s[end:]
		}
		return s[1:], "" // cut
	case strings.HasPrefix(s, "<\n"):
		return takeBlock(s)
	case isJSON(s):
		if end := skipValue(s, 0); end > 0 {
			return s[:end], s[end:]
		}
		return s, ""
	}
	return takeBare(s)
}

// takeBlock reads klog's rendering of a multi-line string: `<`, the lines with one tab each, and ` >` (klog ≥ 2.40).
func takeBlock(s string) (value, rest string) {
	body, rest, _ := strings.Cut(s[2:], "\n >")
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimSuffix(l, "\r"), "\t")
	}
	return strings.Join(lines, "\n"), rest
}

// isJSON distinguishes JSON from Go's %+v of a struct or slice, whose strings have no quotes: brackets in strings are clear only in JSON.
func isJSON(s string) bool {
	if s[0] != '{' && s[0] != '[' {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			continue
		case '"', '}', ']':
			return true
		}
		return false
	}
	return false
}

// takeBare reads an unquoted value: a number, a word, a Go struct or slice, or a name that may itself hold blanks, as
// the unique names of in-tree volumes do. It ends at a blank outside brackets that a further key follows.
func takeBare(s string) (value, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ' ':
			if depth <= 0 && beginsPair(s[i:]) {
				return s[:i], s[i:]
			}
		}
	}
	return s, ""
}

// unquote removes the quotes of a Go string and its escapes; what is not valid Go keeps its escapes.
func unquote(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1]
	}
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return s[1 : len(s)-1]
}
