package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// page is text for a terminal, wrapped to a width in characters. What comes from a bundle is made printable.
type page struct {
	width int
	strings.Builder
}

func (p *page) line(s string) { fmt.Fprintln(p, s) }

func (p *page) heading(s string) {
	p.line("")
	p.text(0, s)
}

// pairWidth is the column at which the values of pairs begin.
const pairWidth = 13

func (p *page) pair(name, value string) {
	p.wrap(fmt.Sprintf("%-*s", pairWidth, name), strings.Repeat(" ", pairWidth), value)
}

// text writes a paragraph; its second and further lines are indented by two more.
func (p *page) text(indent int, s string) {
	margin := strings.Repeat(" ", indent)
	p.wrap(margin, margin+"  ", s)
}

// wrap breaks at blanks, and inside of a word only when the word is longer than a line: then after a slash if there is
// one, since such words are paths.
func (p *page) wrap(first, rest, s string) {
	margin, room := first, 0
	var current []string
	flush := func() {
		p.line(margin + strings.Join(current, " "))
		margin, current, room = rest, nil, 0
	}
	for _, word := range strings.Fields(clean(s)) {
		for {
			free := p.width - utf8.RuneCountInString(margin) - room
			if room > 0 {
				free-- // the blank before the word
			}
			length := utf8.RuneCountInString(word)
			if length <= free {
				room = p.width - utf8.RuneCountInString(margin) - free + length
				current = append(current, word)
				break
			}
			if room > 0 {
				flush()
				continue
			}
			head := headOf(word, free)
			current = append(current, head)
			flush()
			word = word[len(head):]
		}
	}
	if len(current) > 0 || s == "" {
		flush()
	}
}

// headOf is the part of a long word that fits into n characters.
func headOf(word string, n int) string {
	end := 0
	for range n {
		_, width := utf8.DecodeRuneInString(word[end:])
		end += width
	}
	if slash := strings.LastIndexByte(word[:end], '/'); slash > 0 {
		return word[:slash+1]
	}
	return word[:end]
}

// size is a number of bytes for people, in powers of 1000.
func size(bytes int64) string {
	value, unit := float64(bytes), "B"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, u
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
