package logline

import "bytes"

// maxGlueFree is within how many lines a first pair of records without a newline between must come. Copies that lost
// their newlines lost the first ones too; to look for more in every line of a long log would cost as much as reading it.
const maxGlueFree = 64

// gluedAt is where in a line a second record, whose newline is lost, begins; 0 for none. A header inside quotes is part of the message.
func gluedAt(line []byte) int {
	first := bytes.Index(line, []byte(".go:"))
	if first < 0 {
		return 0
	}
	quoted, counted := false, first
	for at := first + 4; ; {
		i := bytes.Index(line[at:], []byte(".go:"))
		if i < 0 {
			return 0
		}
		start := headerBefore(line, first, at+i)
		if start > 0 {
			quoted = quoted != oddQuotes(line[counted:start])
			counted = start
			if !quoted {
				return start
			}
		}
		at += i + 4
	}
}

// maxHeader is the length of a klog header up to ".go:", with a long file name.
const maxHeader = 96

// headerBefore returns where the header begins whose file name ends at end, 0 when there is none.
func headerBefore(line []byte, after, end int) int {
	for i := max(after, end-maxHeader); i+24 < end; i++ {
		if h, ok := parseKlog(line[i:]); ok && i+h.fileEnd == end+len(".go") && h.thread {
			return i
		}
	}
	return 0
}

// oddQuotes reports whether b has an odd number of quotes that are not escaped.
func oddQuotes(b []byte) bool {
	odd := false
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			odd = !odd
		}
	}
	return odd
}
