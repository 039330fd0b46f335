package table

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/ingest/internal/textline"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// maxLine is how much of a line is kept. kubectl pads rows to the longest message, of up to 1 KiB.
const maxLine = 64 << 10

// line is one physical line: raw as it stands in the file, text as it can be parsed.
type line struct {
	number int
	raw    string       // without the line feed
	text   string       // clean, without trailing blanks
	fenced bool         // between fences, where a text quotes
	at     model.Moment // when what it shows was typed or printed, as its own clock says
	floats bool         // without a date
}

type lines struct {
	in    *textline.Reader
	cut   int    // lines longer than maxLine
	cutAt int    // the first of them
	whole bool   // a physical line is one line
	queue []line // further lines that a program wrote into the last physical one
	marks lineMarks
}

func newLines(r io.Reader) *lines {
	return &lines{in: textline.New(bufio.NewReaderSize(r, maxLine), maxLine)}
}

func (l line) quote() model.Quote { return quoteOf([]line{l}) }

// says makes the line the evidence of a statement.
func (l line) says(o model.Observation, path string) model.Observation {
	o.Count, o.Input, o.Volume, o.Quote = 1, path, o.Volume.Complete(), l.quote()
	o.Source = model.Source{Kind: model.SourceText, Path: path, Line: l.number}
	dated := inSession(o) || o.Deed() || strings.HasPrefix(o.Detail, model.SaidOver+": ")
	if dated && !l.at.IsZero() {
		o.At, o.Last, o.Floating = l.at, l.at, l.floats
	}
	return o
}

// quoteOf is what stands in the file from the first to the last line.
func quoteOf(all []line) model.Quote {
	raws := make([]string, 0, len(all))
	for i, l := range all {
		if i == 0 || all[i-1].number != l.number {
			raws = append(raws, l.raw)
		}
	}
	return mask.Quote(strings.TrimSuffix(strings.Join(raws, "\n"), "\r"))
}

func (l *lines) next() (line, bool) {
	if len(l.queue) > 0 {
		first := l.queue[0]
		l.queue = l.queue[1:]
		return first, true
	}
	b, cut, ok := l.in.Next()
	if !ok {
		return line{}, false
	}
	raw, number := string(b), l.in.N
	if cut {
		if l.cut++; l.cut == 1 {
			l.cutAt = number
		}
	}
	if !l.whole {
		for _, part := range pieces(raw) {
			l.queue = append(l.queue, l.of(number, raw, part))
		}
	}
	if len(l.queue) > 0 {
		return l.next()
	}
	return l.of(number, raw, raw), true
}

// of is a part of a physical line, which may be all of it.
func (l *lines) of(number int, raw, part string) line {
	text := clean(part)
	if !l.whole {
		text = l.marks.strip(text)
	}
	return line{number: number, raw: raw, text: text, fenced: l.marks.fence != ""}
}

// clean makes a line parseable: no colours, quoting marks and frames; plain blanks and quotes, tabs expanded.
func clean(raw string) string {
	s := strings.TrimRight(raw, "\r")
	if !plain(s) {
		s = strings.Map(plainRune, controls.ReplaceAllString(s, ""))
	}
	for strings.HasPrefix(strings.TrimLeft(s, " "), ">") {
		s = strings.TrimPrefix(strings.TrimLeft(s, " ")[1:], " ")
	}
	if strings.IndexByte(s, '\t') >= 0 {
		s = expandTabs(s)
	}
	return strings.TrimRight(unmark(s), " ")
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == 0x1b || s[i] == 0 {
			return false
		}
	}
	return true
}

// plainRune maps what a word processor or a web page makes of blanks and quotes back, and drops what has no width.
func plainRune(r rune) rune {
	switch r {
	case '\u00a0', '\u2007', '\u202f', '│', '┃', '║', '┊', '↑', '↓', '●': // of LINSTOR, and the last of k9s
		return ' '
	case '“', '”', '„', '‟':
		return '"'
	case '‘', '’':
		return '\''
	case '\u200b', '\u200c', '\u200d', '\ufeff', 0:
		return -1
	}
	return r
}

// controls are terminal control sequences: ESC [ … letter, ESC ] … BEL, and ESC with one character.
var controls = regexp.MustCompile(`(?s)\x1b(?:\[[^@-~]*[@-~]?|\][^\x07]*\x07?|.)?`)

// expandTabs puts every tab's text on a stop of eight, and at least two blanks before it, so that it stays a gap.
func expandTabs(s string) string {
	var out bytes.Buffer
	column := 0
	for _, r := range s {
		if r != '\t' {
			out.WriteRune(r)
			column++
			continue
		}
		n := 8 - column%8
		if n == 1 {
			n += 8
		}
		out.WriteString("                "[:n])
		column += n
	}
	return out.String()
}
