package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Count writes a number with its noun, "1 pod" or "3 pods".
func Count(n int, noun string) string { return Plural(n, noun, noun+"s") }

// Plural is Count of a noun, or a noun and its verb, whose plural has no s.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// maxNamed is how many names a sentence lists; one more is named rather than counted.
const maxNamed = 3

// List joins names for a sentence: "a, b, c and 4 others".
func List(names []string) string {
	if len(names) > maxNamed+1 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
	}
	return strings.Join(names, ", ")
}

// Capital begins a sentence.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Clip is the beginning of a text, on one line, of so many characters.
func Clip(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

// If is a text, or "".
func If(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// Number writes an integer with its thousands apart.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// Bytes writes a size with two digits or more.
func Bytes(n int64) string {
	if n < 10_000 {
		return Number(n) + " bytes"
	}
	if n < 10_000_000 {
		return Number((n+500)/1000) + " kB"
	}
	return Number((n+500_000)/1_000_000) + " MB"
}
