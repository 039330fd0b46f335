package text

import (
	"strings"

	"github.com/volpost/volpost/model/words"
)

// textWidth is the width that the text format keeps to.
const textWidth = 80

// page collects lines of at most so many columns, textWidth where nothing else is said.
type page struct {
	strings.Builder
	width int
}

func (p *page) columns() int {
	if p.width == 0 {
		return textWidth
	}
	return p.width
}

// line writes one line as it is.
func (p *page) line(s string) {
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}

// wrap writes text below first, which begins the first line, and rest, which begins the others.
func (p *page) wrap(first, rest, text string) {
	for _, l := range words.Wrap(first, rest, text, p.columns()) {
		p.line(l)
	}
}

// gap leaves a line empty.
func (p *page) gap() *page {
	p.line("")
	return p
}
