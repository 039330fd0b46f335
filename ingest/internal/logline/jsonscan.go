package logline

import (
	"unicode/utf16"
	"unicode/utf8"
)

// fields walks the members of one JSON object without decoding them. It is lenient: a log line that was cut yields the
// members before the cut, and the cut value up to the end.
type fields struct {
	b []byte
	i int // after the opening brace
}

// next answers the next key and the bounds of its value.
func (f *fields) next() (key []byte, start, end int, ok bool) {
	i := skipSpace(f.b, f.i)
	if i < len(f.b) && f.b[i] == ',' {
		i = skipSpace(f.b, i+1)
	}
	if i >= len(f.b) || f.b[i] != '"' {
		return nil, 0, 0, false
	}
	after := skipString(f.b, i)
	if after < 0 {
		return nil, 0, 0, false
	}
	key = f.b[i+1 : after-1]
	i = skipSpace(f.b, after)
	if i >= len(f.b) || f.b[i] != ':' {
		return nil, 0, 0, false
	}
	start = skipSpace(f.b, i+1)
	if start >= len(f.b) {
		return nil, 0, 0, false
	}
	if end = skipValue(f.b, start); end < 0 {
		end = len(f.b)
	}
	if end == start { // no value between the colon and a comma or bracket
		return nil, 0, 0, false
	}
	f.i = end
	return key, start, end, true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString answers the index after the string that begins at b[i], -1 when it is not closed.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue answers the index after the JSON value that begins at b[i], -1 when it is cut.
func skipValue(b []byte, i int) int {
	if b[i] == '"' {
		return skipString(b, i)
	}
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	if depth > 0 {
		return -1
	}
	return i
}

// unescapeJSON appends the content of a JSON string, given without its quotes, to dst. A bad escape is kept as it is.
func unescapeJSON(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			dst = append(dst, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case '"', '\\', '/':
			dst = append(dst, s[i])
		case 'u':
			r, used, ok := unicodeEscape(s[i+1:])
			if !ok {
				dst = append(dst, '\\', 'u')
				continue
			}
			dst = utf8.AppendRune(dst, r)
			i += used
		default:
			dst = append(dst, '\\', s[i])
		}
	}
	return dst
}

// unicodeEscape reads the four digits after \u, and a second escape when they are half of a surrogate pair.
func unicodeEscape(s []byte) (r rune, used int, ok bool) {
	r, ok = hex4(s)
	if !ok {
		return 0, 0, false
	}
	if utf16.IsSurrogate(r) && len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if low, ok := hex4(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 10, true
			}
		}
	}
	return r, 4, true
}

func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
