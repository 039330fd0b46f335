package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a text: letters and digits joined by hyphens, dots and underscores, or what stands between two of these.
type piece struct {
	text string
	run  bool
}

// escape is what follows a backslash in JSON, Go and DOT, no stricter, and one that is cut short: what is none must not become one by its
// pseudonym.
var escape = regexp.MustCompile(`^(?:x[\pL\pN\pM]{0,2}|u[0-9][0-9A-Za-z]{0,3}|[0-7][\pL\pN\pM]{0,2})`)

func alnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func joint(c byte) bool { return c == '-' || c == '.' || c == '_' }

// pieces splits a text; joined, its pieces are the text again.
func pieces(s string) []piece {
	var out []piece
	start, i := 0, 0
	flush := func(to int, run bool) {
		if to > start {
			out = append(out, piece{s[start:to], run})
		}
		start = to
	}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !alnum(r) {
			i += n
			continue
		}
		if i > 0 && s[i-1] == '\\' {
			i += max(n, len(escape.FindString(s[i:]))) // belongs to no name: \nworker-1
			continue
		}
		flush(i, false)
		i = runEnd(s, i)
		flush(i, true)
	}
	flush(len(s), false)
	return out
}

// runEnd is where the run ends that begins at i. A joint belongs to it when a letter or digit follows.
func runEnd(s string, i int) int {
	end := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if alnum(r) {
			i += n
			end = i
		} else if joint(s[i]) {
			i++
		} else {
			return end
		}
	}
	return end
}

// segments splits a run at its joints, which are kept as pieces of their own.
func segments(run string) []piece {
	var out []piece
	for run != "" {
		at := strings.IndexFunc(run, func(r rune) bool { return !alnum(r) })
		if at < 0 {
			return append(out, piece{run, true})
		}
		if at > 0 {
			out = append(out, piece{run[:at], true})
		}
		to := at + strings.IndexFunc(run[at:], alnum)
		if to < at {
			to = len(run)
		}
		out = append(out, piece{run[at:to], false})
		run = run[to:]
	}
	return out
}

// class is of which letters a segment is made, which its pseudonym keeps: a hash still looks like one.
type class int

const (
	word   class = iota
	digits       // such as an account
	hexed        // such as the end of i-0a1b2c3d4e5f
	hashed       // such as the end of a ReplicaSet's pod: no vowels, and no digits that look like letters
)

// consonants are the letters of the hashes that Kubernetes makes for names (k8s.io/apimachinery/pkg/util/rand).
const consonants = "bcdfghjklmnpqrstvwxz2456789"

func classOf(lower string) class {
	only := func(set string) bool { return strings.Trim(lower, set) == "" }
	number := strings.ContainsAny(lower, "0123456789")
	if only("0123456789") {
		return digits
	}
	if len(lower) >= 6 && number && only("0123456789abcdef") {
		return hexed
	}
	if long := number && len(lower) > 5 && len(lower) <= 10; (long || len(lower) == 5) && only(consonants) {
		return hashed
	}
	return word
}

// alphabets are the digits in which the pseudonyms of a class count, and what fills the rest of their length.
var alphabets = [...]struct {
	letters, fill string
	least         int // digits of the counter, when there is room
}{
	word:   {"abcdefghijklmnopqrstuvwxyz", "x", 2},
	digits: {"0123456789", "0", 3},
	hexed:  {"0123456789abcdef", "f", 3},
	hashed: {"bcdfghjklmnpqrstvwxz", "x", 3},
}

// pseudonym is the n-th of a class and a length. The number stands in front, where a narrow column does not cut it off.
func pseudonym(c class, length, n int, hint string) string {
	a := alphabets[c]
	front := ""
	switch c {
	case word:
		front = hint[:max(0, min(len(hint), length-a.least))]
	case digits:
		front = "0" // as numbers of the text do not begin
	}
	counter := count(n, a.letters)
	first := a.letters[:1]
	if len(counter) == 1 && (c == word || c == hashed) { // nodeaa and nodebb, which differ more visibly than nodeaa and nodeba
		first, a.fill = counter, counter
	}
	for len(counter) < a.least && len(front)+len(counter) < length {
		counter += first
	}
	out := front + counter
	if room := length - len(out); room > 0 {
		out += strings.Repeat(a.fill, room)
	}
	return out
}

// count writes a number in an alphabet, its lowest digit first: two numbers in a row differ in the first letter.
func count(n int, letters string) string {
	var out []byte
	for {
		out = append(out, letters[n%len(letters)])
		if n /= len(letters); n == 0 {
			return string(out)
		}
	}
}

// spelling is how a segment is written: a name that is shouted keeps its pseudonym, in capitals.
type spelling int

const (
	small spelling = iota
	capitals
	title
	mixed // is a name of its own
)

func spellingOf(s string) spelling {
	lower, upper := strings.ToLower(s), strings.ToUpper(s)
	if len(lower) != len(s) || len(upper) != len(s) || strings.ToLower(upper) != lower {
		return mixed // letters that do not come back
	}
	first, n := utf8.DecodeRuneInString(s)
	if s == lower {
		return small
	}
	if s == upper && utf8.RuneCountInString(s) > 1 {
		return capitals
	}
	if unicode.IsUpper(first) && s[n:] == lower[n:] && len(s) > n {
		return title
	}
	return mixed
}

// as writes a lower-case text in a spelling.
func (sp spelling) as(lower string) string {
	switch sp {
	case capitals:
		return strings.ToUpper(lower)
	case title:
		first, n := utf8.DecodeRuneInString(lower)
		return string(unicode.ToUpper(first)) + lower[n:]
	}
	return lower
}
