package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// maxPieces bounds the lines that one physical line is taken for.
const maxPieces = 4096

// pieces are lines that a program wrote into one: a text in JSON, cells of a page with line breaks, a screen with borders; else nil.
func pieces(raw string) []string {
	var out []string
	switch {
	case strings.Contains(raw, "jsonpath="):
		return nil // the breaks in a template are the output's
	case eventBegun.MatchString(raw):
		return nil // a row, whose error may quote a text of several lines
	case strings.Contains(raw, `\n`) && strings.IndexByte(raw, '"') >= 0:
		out = quotedLines(raw)
	case strings.Contains(raw, "││"):
		out = screenLines(raw)
	case lineBreak.MatchString(raw):
		out = lineBreak.Split(strings.Trim(raw, " |"), maxPieces) // the bars of the row would belong to one piece
	default:
		return element(raw)
	}
	return out[:min(len(out), maxPieces)]
}

// eventBegun begins a row of events; one that was put into a cell or a text does not begin its line.
var eventBegun = regexp.MustCompile(`^ *(?:\S+ +)?(?:Warning|Normal) +(?:Failed|Successful)[A-Z]\w+ .*[^|]$`)

var lineBreak = regexp.MustCompile(`(?i)<br ?/?>`)

// element is a text that is one element of a list in JSON, on a line of its own.
func element(raw string) []string {
	s := strings.TrimSuffix(strings.TrimSpace(raw), ",")
	if len(s) < 2 || s[0] != '"' {
		return nil
	}
	if text, end := unquote(s); end == len(s) && strings.Contains(text, " ") { // a name alone is a part of a wrapped line
		return []string{text}
	}
	return nil
}

// quotedLines are the lines of the texts in JSON that have several.
func quotedLines(raw string) []string {
	var out []string
	for i := strings.IndexByte(raw, '"'); i >= 0 && i < len(raw) && len(out) < maxPieces; {
		text, n := unquote(raw[i:])
		if strings.Contains(text, "\n") {
			out = append(out, strings.Split(text, "\n")...)
		}
		next := strings.IndexByte(raw[i+n:], '"')
		if next < 0 {
			break
		}
		i += n + next
	}
	return out
}

// unquote is the text in JSON at the beginning of s, and its length with its quotation marks; without an end it goes to the end of s.
func unquote(s string) (text string, length int) {
	end := 1
	for end < len(s) && s[end] != '"' {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	text = string(envelope.Unescape(nil, []byte(s[1:min(end, len(s))])))
	return strings.ReplaceAll(text, "\r", ""), min(end+1, len(s))
}

// screenLines are the rows of a screen with borders that lost its line ends, such as k9s. A row that fills the screen goes on in the next.
func screenLines(raw string) []string {
	rows := strings.Split(raw, "││")
	width := 0
	for i, row := range rows {
		rows[i] = strings.TrimSuffix(strings.TrimPrefix(row, " "), " ")
		width = max(width, len(rows[i]))
	}
	var out []string
	full := false
	for _, row := range rows[:min(len(rows), maxPieces)] {
		text := strings.TrimRight(row, " ")
		if full {
			out[len(out)-1] += row
		} else {
			out = append(out, text)
		}
		full = width > 40 && len(text) >= width-1
	}
	return out
}
