package logline

import "bytes"

// minWrap is the narrowest terminal whose line breaks are undone.
const minWrap = 72

// wrapped tells whether a line is the rest of the one before it, which a terminal or a mail program broke. journald
// begins every line with its prefix or indents it; and klog never breaks a line inside a quoted string.
func (s *Scanner) wrapped(p *piece) bool {
	c := &s.cur
	if p.entry || c.entry || p.w.has || p.w.isCivil || p.line != c.last+1 || len(p.inner) == 0 || p.inner[0] == ' ' || p.inner[0] == '\t' {
		return false
	}
	if otherSyntax(p.inner) || len(c.raw)-bytes.LastIndexByte(c.raw, '\n') < minWrap {
		return false
	}
	if c.wrap.isCivil {
		return true
	}
	text := c.text[c.head.text:]
	return !c.wrap.has && len(text) < maxQuoted && !bytes.Contains(text, []byte("=<\n")) && oddQuotes(text)
}

// maxQuoted bounds the text whose quotes are counted for every further line.
const maxQuoted = 16 << 10
