package manifest

import "strings"

// maxOpen is how many mappings in one another are skipped at a time.
const maxOpen = 32

// skipFields skips a mapping as mapping does, faster for what managed fields consist of: keys with {} or with keys below them.
func (c *canonical) skipFields() {
	var open [maxOpen]int // columns of the mappings that the current line is in
	top := 0
	open[0] = c.col
	for !c.stopped() {
		for c.col < open[top] {
			if top == 0 {
				return
			}
			top--
		}
		if c.col > open[top] {
			c.doubt = true
			return
		}
		switch line := c.text[c.at:c.end]; {
		case strings.HasSuffix(line, ": {}") && len(line) > 4 && simpleKey(line[:len(line)-4]):
			c.next()
		case line[len(line)-1] == ':' && len(line) > 1 && simpleKey(line[:len(line)-1]):
			column := c.col
			c.next()
			switch {
			case c.stopped() || c.col < column || c.col == column && !c.dash():
				c.doubt = true // no value
			case c.dash():
				c.sequence(nil)
			default:
				if top++; top == maxOpen {
					c.doubt = true
					return
				}
				open[top] = c.col
			}
		default:
			c.field(nil, nil)
		}
	}
}

// simpleKey reports whether a text is a key without quotes and spaces.
func simpleKey(s string) bool {
	return len(s) <= maxKey && plainStart(s) && s != "<<" && strings.IndexByte(s, ' ') < 0
}
