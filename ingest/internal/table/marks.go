package table

import (
	"html"
	"regexp"
	"strings"
)

// lineMarks takes off the marks that a diff, a comment or a quotation puts in front of each line, and knows what is between fences.
type lineMarks struct {
	fence  string // the marks that opened what is fenced; "" outside
	diff   bool   // a diff is fenced
	run    string // the mark of the line above, which had been printed
	script bool   // the line above is a command without a prompt: a script has its output as comments
}

// note is what a person wrote behind what was printed.
var note = regexp.MustCompile(`  +(?:←|<--|✅|❌|⚠|# ).*$`)

// remark is a line of nothing else.
var remark = regexp.MustCompile(`^ *(?:✅|❌|⚠)`)

// opening are the marks of a fence, and what is said of what it holds.
var opening = regexp.MustCompile("^ {0,12}(`{3,}|~{3,}) *([A-Za-z]*)")

// printedHere begins a line that a cluster printed, or a report that was broken.
var printedHere = regexp.MustCompile(`^ *(?:(?:Warning|Normal) +[A-Z]|Multi-Attach error|(?:Attach|Mount|Map|Detach)Volume\.|Waiting for detach for |` +
	`Unable to (?:attach|mount)|Volume is already|Events:|NAME +[A-Z]|NAMESPACE +NAME|LAST SEEN|Type +Reason|Name: +[a-z0-9]|csi-[0-9a-f]{64}|` +
	`Failed(?:AttachVolume|Mount)\b|[a-z0-9][a-z0-9.-]+ +\d+/\d+ +[A-Z])`)

// marksOf are the marks in front of a line: of a diff, of comments.
func marksOf(s string) string {
	if strings.HasPrefix(s, "//") {
		return "//"
	}
	if s != "" && strings.IndexByte("+-#|", s[0]) >= 0 {
		return s[:1]
	}
	return ""
}

// unglue is what stands on the line of the fence that opens it, up to one that closes it there.
func (m *lineMarks) unglue(s string) string {
	text, closed := strings.CutSuffix(strings.TrimRight(s, " "), m.fence)
	if closed {
		m.fence, m.diff = "", false
	}
	return text
}

// strip takes off a line what stands in front of it on every line of what it is a part of, and what a person noted behind.
func (m *lineMarks) strip(s string) string {
	script := m.script
	m.script = false
	s = m.bare(s, script)
	if strings.Contains(s, "  ") {
		s = note.ReplaceAllString(s, "")
	}
	if m.run != "" && remark.MatchString(s) {
		return ""
	}
	if _, ok := afterTool(s); ok && m.run == "" {
		m.script = marksOf(s) == ""
	}
	return s
}

// bare takes the marks in front off a line. The comments below a command of a script are what it printed.
func (m *lineMarks) bare(s string, script bool) string {
	at := opening.FindStringSubmatch(s)
	if closes := at != nil && strings.HasPrefix(at[1], m.fence) && at[2] == ""; closes || at != nil && m.fence == "" {
		if m.fence != "" {
			m.fence, m.diff = "", false
		} else {
			m.fence, m.diff = at[1], at[2] == "diff" || at[2] == "patch"
		}
		m.run = ""
		if glued := strings.TrimLeft(s, " "+at[1][:1]); m.fence != "" && printedHere.MatchString(glued) {
			return m.unglue(glued)
		}
		return s
	}
	if text, closed := strings.CutSuffix(strings.TrimRight(s, " "), "```"); closed && m.fence == "```" {
		m.fence, m.diff, s = "", false, text // chats close a block behind its last line
	}
	if m.diff && s != "" && strings.IndexByte("+- ", s[0]) >= 0 {
		return s[1:]
	}
	mark := marksOf(s)
	comment := script && mark == "#"
	if mark != "" && (comment || mark == m.run || printedHere.MatchString(s[len(mark):])) {
		m.run = mark
		return s[len(mark):]
	}
	m.run = ""
	return s
}

// What people paste passes through pages and editors that put marks of their own around it. unmark takes off a line those marks that can be
// no part of what a cluster printed; which marks stand around one message is for undecorate to see.

// tag is a tag of HTML by its name: placeholders of kubectl such as <none> and <unknown> stay.
var tag = regexp.MustCompile(`(?i)</?(?:html|body|main|article|section|pre|code|samp|kbd|span|div|p|br|b|strong|i|em|a|ul|ol|li` +
	`|blockquote|td|th|tr|table|thead|tbody|font|details|summary|h[1-6])(?:\s[^<>]*)?/?>`)

// cellEnd is what ends a cell of a table in HTML; a gap takes its place.
var cellEnd = regexp.MustCompile(`(?i)</t[dh]>`)

// entity is a character that HTML writes by its name or number.
var entity = regexp.MustCompile(`&(?:quot|lt|gt|amp|nbsp|apos|[lr]s?d?quo|#\d{2,4}|#[xX][0-9a-fA-F]{2,4});`)

// unmark takes off a line the marks of HTML and of Markdown's tables.
func unmark(s string) string {
	if strings.IndexByte(s, '<') >= 0 && tag.MatchString(s) {
		s = tag.ReplaceAllString(cellEnd.ReplaceAllString(s, "  "), "")
	}
	if strings.IndexByte(s, '&') >= 0 && entity.MatchString(s) {
		s = strings.Map(plainRune, entity.ReplaceAllStringFunc(s, html.UnescapeString))
	}
	return cellsOfRow(s)
}

// delimiter is the line below the header of a table in Markdown.
var delimiter = regexp.MustCompile(`^\|(?: *:?-+:? *\|)+$`)

// cellsOfRow puts gaps in the place of the bars of a row in Markdown. An empty cell keeps its place.
func cellsOfRow(s string) string {
	row := strings.TrimSpace(s)
	if len(row) < 3 || row[0] != '|' || row[len(row)-1] != '|' || strings.Count(row, "|") < 3 {
		return s
	}
	if delimiter.MatchString(row) {
		return strings.ReplaceAll(strings.ReplaceAll(row, "|", "  "), ":", "-")
	}
	cells := strings.Split(row[1:len(row)-1], "|")
	for i, c := range cells {
		if cells[i] = strings.Trim(c, " `*"); cells[i] == "" {
			cells[i] = "<none>"
		}
	}
	return strings.Join(cells, "  ")
}
