package table

import (
	"html"
	"regexp"
	"strings"
)

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
