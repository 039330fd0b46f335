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
