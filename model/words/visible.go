package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible spells out what a reader could not see or would be misled by: control characters, direction marks, zero-width
// and other format characters, line separators and bytes that are no UTF-8. Newline and tab stay, because quotes have them.
func Visible(s string) string {
	if printable(s) {
		return s
	}
	if strings.IndexFunc(s, Hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r < 0x80 && Hidden(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff && Hidden(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case Hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// printable reports whether s is ASCII of which nothing is Hidden, as most strings of a report are.
func printable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Hidden reports whether a rune is spelled out. Private use is, because each font draws it differently.
func Hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	if r < 0x7f { // most of what is there
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) ||
		r >= 0xfff0 && r <= 0xffff && r != utf8.RuneError ||
		r&0xfffe == 0xfffe
}

// OneLine is s with its line breaks and tabs spelled out: for names, which have none unless they are hostile.
func OneLine(s string) string {
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(s)
}

// Shorten keeps the beginning and the end of a long name, which say most: the kind of name, and its generated part.
func Shorten(s string, max int) string {
	runes := []rune(s)
	if len(runes) <= max {
		return s
	}
	tail := max / 3
	return string(runes[:max-tail-1]) + "…" + string(runes[len(runes)-tail:])
}

// Excerpt keeps the beginning and the end of a long text and no part of a name: a part could not be given its name back after redaction.
func Excerpt(s string, max int) string {
	short := Shorten(s, max)
	if short == s {
		return s
	}
	runes, cut := []rune(short), max-max/3-1
	inName := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.M) || strings.ContainsRune("-._", r)
	}
	return strings.TrimRightFunc(string(runes[:cut]), inName) + "…" + strings.TrimLeftFunc(string(runes[cut+1:]), inName)
}

// wide are the blocks whose characters take two columns of a terminal (East Asian Width W and F, Unicode 15; coarse).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

// Columns is how many columns of a terminal s takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.Is(wide, r):
			n += 2
		default:
			n++
		}
	}
	return n
}
