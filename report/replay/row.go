package replay

import (
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
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
		n += words.Columns(s.Text)
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
		s.Text = words.OneLine(s.Text)
		n := words.Columns(s.Text)
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
		used += words.Columns(string(r))
		if used > width {
			return s[:i]
		}
	}
	return s
}

// plainRow is a row without its tones.
func plainRow(row terminal.Row) string {
	var b strings.Builder
	for _, s := range row {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}
