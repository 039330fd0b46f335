package redact

import "regexp"

// longestUnit is how long a unit is at most: a digest.
const longestUnit = 64

var unitHere = regexp.MustCompile(`^(?:` + unit.String() + `)`)

// unitFrom is the next place, from base on, at which something stands that has the form of a unit; to is 0 for none. The
// expression is tried only where a unit can begin, and on no more than is one: a text is read once.
func unitFrom(s string, base int) (from, to int) {
	for i := base; i < len(s); i++ {
		if i > 0 && letter(s[i-1]) && !(i > 1 && s[i-2] == '\\') || !mayBegin(s[i:]) {
			continue
		}
		if m := unitHere.FindStringIndex(s[i:min(len(s), i+longestUnit)]); m != nil {
			return i, i + m[1]
		}
	}
	return 0, 0
}

// mayBegin reports whether the digits that a text begins with can be those of a unit.
func mayBegin(s string) bool {
	n := hexRun(s, longestUnit)
	if n == longestUnit || len(s) > 1 && s[1] == '-' && hexRun(s[2:], 12) == 12 {
		return true
	}
	if n == len(s) || n > 8 {
		return false
	}
	more := n + 1 + hexRun(s[n+1:], 4) // where the next joint of an address stands
	return n == 8 && s[n] == '-' || more < len(s) && s[more] == s[n] && (s[n] == ':' || n > 0 && (s[n] == '.' || s[n] == '-') && classOf(s[:n]) == digits)
}

// letter reports whether a byte is a part of a letter or a digit.
func letter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// hexRun is how many hexadecimal digits s begins with, up to most.
func hexRun(s string, most int) int {
	n := 0
	for n < len(s) && n < most && hexDigit(s[n]) {
		n++
	}
	return n
}

func hexDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
