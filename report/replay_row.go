package report

import (
	"strings"

	"github.com/volpost/volpost/report/terminal"
)

func text(s string) terminal.Span { return terminal.Span{Text: s} }
func dim(s string) terminal.Span  { return terminal.Span{Text: s, Tone: terminal.Dim} }
func bold(s string) terminal.Span { return terminal.Span{Text: s, Tone: terminal.Strong} }
func good(s string) terminal.Span { return terminal.Span{Text: s, Tone: terminal.Good} }
func bad(s string) terminal.Span  { return terminal.Span{Text: s, Tone: terminal.Bad} }
func warn(s string) terminal.Span { return terminal.Span{Text: s, Tone: terminal.Warning} }

func rowColumns(row terminal.Row) int {
	n := 0
	for _, s := range row {
		n += columns(s.Text)
	}
	return n
}

func fitAll(rows []terminal.Row, width int) []terminal.Row {
	for i := range rows {
		rows[i] = fit(rows[i], width)
	}
	return rows
}

// fit cuts a row to a width and shows that it did.
func fit(row terminal.Row, width int) terminal.Row {
	out, room := terminal.Row{}, width
	for i, s := range row {
		s.Text = oneLine(s.Text)
		n := columns(s.Text)
		if n <= room && (n < room || rowColumns(row[i+1:]) == 0) {
			out, room = append(out, s), room-n
			continue
		}
		s.Text = cut(s.Text, room-1) + "…"
		return append(out, s)
	}
	return out
}

// cut is the beginning of s that fits into a width.
func cut(s string, width int) string {
	used := 0
	for i, r := range s {
		used += columns(string(r))
		if used > width {
			return s[:i]
		}
	}
	return s
}

// wrapTo breaks a text into lines of a width. Line breaks of the text stay.
func wrapTo(s string, width int) []string {
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n") {
		current := ""
		for _, word := range strings.Fields(line) {
			for _, part := range breakable(word, max(width, 1)) {
				glue := ""
				if current != "" && part.begins {
					glue = " "
				}
				if current != "" && columns(current)+len(glue)+columns(part.text) > width {
					out, current, glue = append(out, current), "", ""
				}
				current += glue + part.text
			}
		}
		out = append(out, current)
	}
	return out
}

// plainRow is a row without its tones.
func plainRow(row terminal.Row) string {
	var b strings.Builder
	for _, s := range row {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}
