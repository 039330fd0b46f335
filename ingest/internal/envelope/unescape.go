package envelope

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape appends the content of a JSON string, given without its quotes, to dst. A bad escape is kept as it is.
func Unescape(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		var used int
		if dst, used = escape(dst, s[i:]); used == 0 {
			dst = append(dst, '\\')
			used = 1
		}
		s = s[i+used:]
	}
}

// escape appends what the escape at the start of s stands for and tells its length, 0 when it is none.
func escape(dst, s []byte) ([]byte, int) {
	switch s[1] {
	case 'n':
		return append(dst, '\n'), 2
	case '"', '\\', '/':
		return append(dst, s[1]), 2
	case 't':
		return append(dst, '\t'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'u':
		r, ok := hex4(s[2:])
		if !ok {
			return dst, 0
		}
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if low, ok := hex4(s[8:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return utf8.AppendRune(dst, pair), 12
				}
			}
		}
		return utf8.AppendRune(dst, r), 6
	}
	return dst, 0
}

// hex4 reads four hex digits.
func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
