package redact

// longestHead is how far a unit begins before what beforeUnit finds of it: a UUID before its last hyphen.
const longestHead = len("00000000-0000-0000-0000")

// beforeUnit answers a place in a text before which no unit begins, near the first one; -1 for a text without units. The
// expression that finds them tries each place of a text in turn, and most texts have none. Something of each unit is
// found here: the twelve digits behind a hyphen, two joints with a few digits between, or sixty-four digits.
func beforeUnit(s string) int {
	digits := 0 // hexadecimal ones in a row
	for i := range len(s) {
		c := s[i]
		if hexDigit(c) {
			if digits++; digits == 64 {
				return i - 63
			}
			continue
		}
		digits = 0
		switch c {
		case '-':
			if hexRun(s[i+1:], 12) == 12 || numbersAround(s, i) {
				return max(0, i-longestHead)
			}
		case '.':
			if numbersAround(s, i) {
				return max(0, i-longestHead)
			}
		case ':':
			if n := i + 1 + hexRun(s[i+1:], 4); n < len(s) && s[n] == ':' {
				return max(0, i-longestHead)
			}
		}
	}
	return -1
}

// numbersAround reports whether a joint stands between two numbers of an address, and the next one is like it.
func numbersAround(s string, at int) bool {
	if at == 0 || !decimal(s[at-1]) {
		return false
	}
	n := at + 1
	for n < len(s) && n-at <= 3 && decimal(s[n]) {
		n++
	}
	return n > at+1 && n+1 < len(s) && s[n] == s[at] && decimal(s[n+1])
}

// hexRun is how many hexadecimal digits s begins with, up to most.
func hexRun(s string, most int) int {
	n := 0
	for n < len(s) && n < most && hexDigit(s[n]) {
		n++
	}
	return n
}

func decimal(c byte) bool { return '0' <= c && c <= '9' }

func hexDigit(c byte) bool { return decimal(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
