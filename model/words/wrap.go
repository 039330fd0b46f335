package words

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text into lines of a width in columns. The first line begins with first, the others with rest. It breaks at blanks,
// and else after the separators of long names; a single name without any is the only thing that can be wider.
func Wrap(first, rest, text string, width int) (lines []string) {
	text = duration.ReplaceAllStringFunc(text, func(d string) string { return strings.ReplaceAll(d, " ", glued) })
	line, used := first, Columns(first)
	start, room := used, width-max(used, Columns(rest))
	for _, word := range strings.Fields(text) {
		for _, part := range breakable(word, room) {
			glue := ""
			if used > start && part.begins {
				glue = " "
			}
			if used > start && used+len(glue)+Columns(part.text) > width {
				lines = append(lines, strings.TrimRight(line, " "))
				line, used, glue = rest, Columns(rest), ""
				start = used
			}
			line += glue + strings.ReplaceAll(part.text, glued, " ")
			used += len(glue) + Columns(part.text)
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// Lines is Wrap of each line of a text.
func Lines(text string, width int) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, Wrap("", "", line, width)...)
	}
	return lines
}

// duration is a number with its unit, and the smaller unit after it, held on one line by a character that no visible text has.
var duration = regexp.MustCompile(`\d (?:ms|s|min|h|d)\b(?: \d+ (?:s|min|h)\b)?`)

const glued = "\ue000"

// piece is a part of a word; begins says that it is the word's first.
type piece struct {
	text   string
	begins bool
}

// breakable cuts a word that does not fit into width columns after its separators, and where it has none after so many
// columns of letters that are not part of a Latin name.
func breakable(word string, width int) []piece {
	if Columns(word) <= width {
		return []piece{{word, true}}
	}
	var out []piece
	begins := true
	for word != "" {
		cut := cutAt(word, width)
		out = append(out, piece{word[:cut], begins})
		word, begins = word[cut:], false
	}
	return out
}

// cutAt is the byte after which word is cut: after the last separator within width, else the first behind it; a wide script anywhere.
func cutAt(word string, width int) int {
	used, last := 0, 0
	for i, r := range word {
		size := Columns(string(r))
		if used+size > width && last > 0 {
			return last
		}
		used += size
		if size == 2 || strings.ContainsRune(`/-._,;:=!&?|"'`, r) {
			last = i + utf8.RuneLen(r)
			if used > width {
				return last
			}
		}
	}
	return len(word)
}
