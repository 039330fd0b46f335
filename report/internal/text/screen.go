package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// Screen is a terminal on which the answer has to fit.
type Screen struct {
	Columns int    // at least 40 are used
	Color   bool   // it shows colours, and they are not turned off
	Page    string // where the HTML report is, if it is written, too
}

// What a terminal shows of a report without a question.
const (
	screenRows    = 30
	screenColumns = 40 // the least that is used
	screenWidest  = 100
	screenWide    = 64 // from here on texts stand beside their labels
)

// SGR parameters of the tones of the screen.
const (
	toneGood = "1;32"
	toneBad  = "1;31"
	toneWarn = "1;33"
	toneHead = "1"
)

var stateTones = map[view.AnswerState]string{ // for lookup only
	view.StateResolved: toneGood, view.StateHandover: toneGood, view.StateClean: toneGood,
	view.StateBlocked: toneBad, view.StateFault: toneBad, view.StateUnknown: toneWarn,
}

// screenLine is a line with a beginning that has a tone.
type screenLine struct {
	text string
	head int // bytes of it
	tone string
}

// screenBlock is what is shown as a whole or not at all. Of two that do not fit both, the one with the lower rank stays.
type screenBlock struct {
	rank  int
	lines []screenLine
	short [][]screenLine // the first of these that fits is in their place where they do not
}

// layout lays the answer out for a terminal.
type layout struct {
	columns int
	blocks  []screenBlock
}

// WriteScreen writes the answer on one screen: what has no room is in the other formats.
func WriteScreen(w io.Writer, r *model.Report, t Screen, zone *time.Location) error {
	v := view.In(r, zone)
	s := &layout{columns: min(max(t.Columns, screenColumns), screenWidest)}
	s.fill(v.Answer())
	s.more(t.Page, v)
	var b strings.Builder
	for _, block := range s.fitting() {
		for _, l := range block.lines {
			b.WriteString(l.draw(t.Color) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l screenLine) draw(color bool) string {
	if !color || l.head == 0 {
		return l.text
	}
	return "\x1b[" + l.tone + "m" + l.text[:l.head] + "\x1b[0m" + l.text[l.head:]
}

// fill lists the blocks from top to bottom.
func (s *layout) fill(a view.Answer) {
	s.add(0, s.wrap(a.Chip, "", "", stateTones[a.State]))
	s.add(0, s.wrap("", "", a.Headline, toneHead))
	if a.Why != "" {
		s.add(1, s.wrap("", "", a.Why, ""))
	}
	if a.Compared != "" {
		s.add(2, s.wrap("", "", a.Compared, ""))
	}
	for n, b := range a.Banners {
		s.add(2+n, s.wrap("! ", "  ", b, toneWarn))
	}
	for n, f := range a.Ignored {
		s.add(2+n, s.wrap("! ", "  ", "Ignored: "+f, toneWarn))
	}
	if len(a.About) > 0 {
		s.add(6, s.labelled(strings.ToUpper(a.AboutLabel()), strings.Join(a.About, "; ")))
	}
	if len(a.Bar) > 1 {
		s.add(7, s.bar(a.Bar))
	}
	if a.Advice != nil {
		s.advice(a)
	}
	if a.Held != nil {
		s.add(5, s.labelled("WHAT HELD IT", a.Held.Text()))
	}
	if text := a.Sure.Text(); text != "" {
		s.add(8, s.labelled("HOW SURE", text))
	}
	if a.Advice == nil {
		s.steps(a)
	}
	if len(a.Sure.Missing) > 0 {
		s.add(9, s.labelled("MISSING", view.Listed(a.Sure.Missing, 4)))
	}
	if len(a.Others) > 0 {
		s.add(6, s.labelled("ALSO", view.Listed(view.OtherTexts(a.Others), 3)))
	}
	s.objects(a.Objects)
	if !s.holds("T+", "T−") { // no time on this screen counts from it
		s.blocks = slices.DeleteFunc(s.blocks, func(b screenBlock) bool { return strings.HasPrefix(b.lines[0].text, "! T is ") })
	}
}

// holds reports that one of some texts stands on the screen.
func (s *layout) holds(texts ...string) bool {
	for _, b := range s.blocks {
		for _, l := range b.lines {
			if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(l.text, t) }) {
				return true
			}
		}
	}
	return false
}

// objects are the tree of the findings' objects, where the terminal is wide enough for it.
func (s *layout) objects(tree []string) {
	if len(tree) == 0 || slices.ContainsFunc(tree, func(l string) bool { return words.Columns(l) > s.columns }) {
		return
	}
	lines := view.Each(tree, func(l string) screenLine { return screenLine{text: l} })
	s.add(10, append(s.wrap("OBJECTS", "", "", toneHead), lines...))
}

// more is where the rest is, and what the times are where they are not UTC.
func (s *layout) more(page string, v *view.View) {
	more := "--full prints everything"
	if page != "" {
		more = words.OneLine(page) + " has the evidence; " + more
	}
	if v.Walls != nil {
		more += ". " + v.Times()
	}
	s.add(0, s.labelled("MORE", more))
}

// steps are the three steps, each whole and in order, with what each answer of a command means below it; where one does not fit, without the
// answers; where that does not either, its first command with how many more there are.
func (s *layout) steps(a view.Answer) {
	if a.Tense != "" && a.Advice == nil {
		s.add(2, s.wrap(a.Tense, "", "", toneHead))
	}
	if text := a.NoCommand(); text != "" {
		s.add(2, s.wrap("", "", text, ""))
	}
	for number, part := range a.Steps {
		label := fmt.Sprintf("%d %-6s", number+1, part.Name)
		block := screenBlock{rank: partRanks[part.Name]}
		var commands []screenLine
		for n, step := range part.List {
			lines := s.step(words.If(n == 0, label)+words.If(n > 0, stepIndent), step, "")
			commands = append(commands, lines...)
			block.lines = append(block.lines, lines...)
			for _, text := range step.Answers {
				block.lines = append(block.lines, s.wrap(stepIndent, stepIndent+"  ", text, "")...)
			}
		}
		block.short = append(block.short, commands)
		if more := len(part.List) - 1; more > 0 {
			block.short = append(block.short, s.step(label, part.List[0], fmt.Sprintf(" (and %d more)", more)))
		}
		s.blocks = append(s.blocks, block)
	}
}

// partRanks say which part of the steps stays on the screen before others: what to do, then how to be sure that it does no harm.
var partRanks = map[string]int{"Act": 2, "Prove": 3, "After": 4} // for lookup only

// stepIndent is as wide as the label of a step.
const stepIndent = "        "

// step is one step: what it is for, and its command, which a shell joins again.
func (s *layout) step(label string, step view.Todo, more string) []screenLine {
	lines := s.wrap(label, stepIndent, step.Text+more, toneHead)
	if step.Command != "" {
		for _, l := range view.ShellLines(step.Command, s.columns-4) {
			lines = append(lines, screenLine{text: "    " + l})
		}
	}
	return lines
}

// bar draws the stretches in one line, and names them below it with how long each was.
func (s *layout) bar(parts []view.PhaseView) []screenLine {
	return append([]screenLine{{text: ruler(parts, s.columns)}}, s.wrap("", "", view.BarText(parts), "")...)
}

// ruler is a line with a mark at the end of each stretch. Each has a column at least, as long as there are enough.
func ruler(parts []view.PhaseView, width int) string {
	cells := []rune("├" + strings.Repeat("─", max(0, width-2)) + "┤")
	if parts[len(parts)-1].Open {
		cells[width-1] = '▶'
	}
	end, last := 0.0, 0
	for n, p := range parts[:len(parts)-1] {
		end += p.Width
		last = min(max(last+1, int(end*float64(width-1)+0.5)), width-len(parts)+n)
		if last > 0 {
			cells[last] = '┼'
		}
	}
	return string(cells)
}

// labelled is a text beside its label, or below it where the terminal is narrow.
func (s *layout) labelled(label, text string) []screenLine {
	if s.columns < screenWide {
		return s.wrap(label+": ", "  ", text, toneHead)
	}
	return s.wrap(fmt.Sprintf("%-14s", label), strings.Repeat(" ", 14), text, toneHead)
}

// wrap breaks a text at the terminal's width. The label has the tone; without one, all of the text.
func (s *layout) wrap(label, rest, text, tone string) []screenLine {
	p := &page{width: s.columns}
	p.wrap(label, rest, text)
	var out []screenLine
	for n, l := range strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n") {
		line := screenLine{text: l, tone: tone}
		switch {
		case tone == "":
		case strings.TrimSpace(label) == "":
			line.head = len(l)
		case n == 0:
			line.head = min(len(label), len(l))
		}
		out = append(out, line)
	}
	return out
}

func (s *layout) add(rank int, lines []screenLine) {
	s.blocks = append(s.blocks, screenBlock{rank: rank, lines: lines})
}

// rows is how many rows of the terminal lines take: a name that is wider goes on in the next.
func (s *layout) rows(lines []screenLine) int {
	n := 0
	for _, l := range lines {
		n += max(1, (words.Columns(l.text)+s.columns-1)/s.columns)
	}
	return n
}

// fitting are the blocks for which there is room, the most important ones first to get it.
func (s *layout) fitting() []screenBlock {
	order := make([]int, len(s.blocks))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.blocks[a].rank - s.blocks[b].rank })
	left, shown := screenRows, map[int]bool{}
	for _, n := range order {
		for s.rows(s.blocks[n].lines) > left && len(s.blocks[n].short) > 0 {
			s.blocks[n].lines, s.blocks[n].short = s.blocks[n].short[0], s.blocks[n].short[1:]
		}
		if rows := s.rows(s.blocks[n].lines); rows <= left {
			left -= rows
			shown[n] = true
		}
	}
	var out []screenBlock
	for n, b := range s.blocks {
		if shown[n] {
			out = append(out, b)
		}
	}
	return out
}
