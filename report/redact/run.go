package redact

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a text: a run of letters and digits, joined by hyphens, dots and underscores, or what stands between
// two of these.
type piece struct {
	text string
	run  bool
}

// escape is what follows a backslash in JSON, Go and DOT. It is no stricter than that: what is none must not become one by its pseudonym,
// which would not come back.
var escape = regexp.MustCompile(`^(?:x[\pL\pN\pM]{2}|u[0-9][0-9A-Za-z]{3}|[0-7]{3})`)

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
		switch {
		case alnum(r):
			i += n
			end = i
		case joint(s[i]):
			i++
		default:
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
		switch {
		case at < 0:
			return append(out, piece{run, true})
		case at > 0:
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
