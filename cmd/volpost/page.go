package main

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model/words"
)

// page is text for a terminal, wrapped to a width in columns. What comes from a bundle is made printable.
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

// wrap writes text below first, which begins the first line, and rest, which begins the others.
func (p *page) wrap(first, rest, s string) {
	for _, l := range words.Wrap(first, rest, clean(s), p.width) {
		p.line(l)
	}
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
