package envelope

import (
	"bytes"
	"encoding/hex"
	"strings"
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

func unescaped(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	return string(Unescape(nil, b))
}

// escape appends what the escape at the start of s stands for and returns its length, 0 when it is none.
func escape(dst, s []byte) ([]byte, int) {
	if i := strings.IndexByte(`nt"\/rbf`, s[1]); i >= 0 {
		return append(dst, "\n\t\"\\/\r\b\f"[i]), 2
	}
	r, ok := hex4(s[2:])
	if s[1] != 'u' || !ok {
		return dst, 0
	}
	if utf16.IsSurrogate(r) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		low, ok := hex4(s[8:])
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return utf8.AppendRune(dst, pair), 12
		}
	}
	return utf8.AppendRune(dst, r), 6
}

// hex4 reads four hex digits.
func hex4(s []byte) (r rune, ok bool) {
	var b [2]byte
	_, err := hex.Decode(b[:], s[:min(len(s), 4)])
	return rune(b[0])<<8 | rune(b[1]), err == nil && len(s) >= 4
}
