package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// The sizes from which on there is room for more.
const (
	roomForAll     = 18 // rows for every object in a row of its own
	roomForColumns = 70 // columns for two columns
)

// frame draws the replay.
func (p *player) frame(width, height int) []terminal.Row {
	if width < 1 || height < 1 {
		return nil
	}
	if p.over != noOverlay {
		return fitAll(p.overlayRows(width, height), width)
	}
	s := p.film.at(p.at)
	rows := p.head(s, width)
	rows = append(rows, p.middle(s, width, height)...)
	room := height - len(rows) - 1
	if room < 1 {
		rows = rows[:max(min(len(rows), height-2), 0)]
		room = height - len(rows) - 1
	}
	rows = append(rows, p.timelineRows(width, room)...)
	for len(rows) < height-1 {
		rows = append(rows, nil)
	}
	return fitAll(append(rows, footer(width)), width)
}

// head is the clock, the phases up to now, and the phase that it is.
func (p *player) head(s state, width int) []terminal.Row {
	state := "paused"
	if p.playing {
		state = "playing"
	}
	if !p.at.Before(p.end) {
		state = "end"
	}
	speed := strconv.FormatFloat(p.speed, 'g', -1, 64) + "x"
	clockRow := terminal.Row{bold(view.Offset(p.film.Zero, p.at)), text("  ")}
	if at := view.ClockOf(p.at); at != "" {
		clockRow = append(clockRow, text(at+view.Zone(p.at)+"  "))
	}
	clockRow = append(clockRow, text(state+" "+speed))
	if width >= roomForNames {
		clockRow = append(clockRow, dim("  "+view.VolumeName(p.film.Incident.Volume)))
	}
	rows := []terminal.Row{clockRow}
	if p.other == nil {
		return append(rows, p.bar("", p.film.Incident.Phases, width), phaseRow(p.film.Incident.Phases, s.Phase, p.at, p.film.Incident.Span.Open))
	}
	return append(rows, p.bar("was ", p.film.Incident.Phases, width), p.bar("if  ", p.other.PredictedPhases, width))
}

// bar draws the phases up to now, in letters, on the scale of the whole replay. What is to come is dotted.
func (p *player) bar(label string, phases []model.Phase, width int) terminal.Row {
	columns := max(width-len(label), 1)
	from, total := p.film.From, p.end.Sub(p.film.From)
	now := view.Share(p.at, from, total) * float64(columns)
	var past, future strings.Builder
	for c := range columns {
		t := from.Add(time.Duration((float64(c) + 0.5) / float64(columns) * float64(total)))
		letter := "·"
		if i := phaseAt(phases, t); i >= 0 && i < len(phases) {
			letter = view.LetterOf(phases[i].ID)
		} else if i == len(phases) && i > 0 {
			letter = "-"
		}
		if float64(c) < now {
			past.WriteString(letter)
		} else {
			future.WriteString("·")
		}
	}
	return terminal.Row{dim(label), {Text: past.String(), Tone: terminal.Selected}, dim(future.String())}
}

// phaseRow says which phase it is, for how long, and what sets its length.
func phaseRow(phases []model.Phase, index int, at time.Time, open bool) terminal.Row {
	if len(phases) == 0 {
		return terminal.Row{dim("the report knows no phases")}
	}
	if index < 0 {
		return terminal.Row{dim("before the incident")}
	}
	if index >= len(phases) {
		return terminal.Row{good("over: "), text("the last phase, " + words.OneLine(string(phases[len(phases)-1].ID)) + ", has ended")}
	}
	phase := phases[index]
	row := terminal.Row{bold(words.OneLine(string(phase.ID))), text(" " + ago(at.Sub(phase.From.At)) + ": " + view.PhaseLabel(phase))}
	if g := phase.GovernedBy; g != nil {
		row = append(row, dim(fmt.Sprintf(" (%s, %s)", view.GovernorText(phase), g.Basis)))
	}
	if open && !at.Before(phase.To.At) {
		row = append(row, bad(" and still was at the collection"))
	}
	return row
}

// middle is the objects and the controller, in one or two columns.
func (p *player) middle(s state, width, height int) []terminal.Row {
	left := width
	if p.other != nil && width >= roomForColumns {
		left = (width - 3) / 2
	}
	rows := append(p.objects(s, left, height < roomForAll), p.controller(s, left, height)...)
	if p.other == nil {
		return rows
	}
	if width < roomForColumns {
		return append(rows, terminal.Row{p.riskSpan(), dim(" (" + p.asked + ")")}) // its phase is in the bar
	}
	rows = append([]terminal.Row{{bold("as it was")}, phaseRow(p.film.Incident.Phases, s.Phase, p.at, p.film.Incident.Span.Open)}, rows...)
	return sideBySide(rows, p.predicted(width-left-3, height), left)
}

// sideBySide puts two lists of rows next to each other.
func sideBySide(left, right []terminal.Row, width int) []terminal.Row {
	out := make([]terminal.Row, 0, max(len(left), len(right)))
	for i := range max(len(left), len(right)) {
		row := terminal.Row{}
		if i < len(left) {
			row = fit(left[i], width)
		}
		row = append(row, dim(strings.Repeat(" ", max(width-rowColumns(row), 0))+" │ "))
		if i < len(right) {
			row = append(row, right[i]...)
		}
		out = append(out, row)
	}
	return out
}

// footer names the keys.
func footer(width int) terminal.Row {
	for _, keys := range []string{
		"space pause · ←→ step · [ ] phase · + - speed · enter evidence · ? help · q quit",
		"space · ←→ step · enter · ? help · q quit",
	} {
		if words.Columns(keys) <= width {
			return terminal.Row{dim(keys)}
		}
	}
	return terminal.Row{dim("? help · q quit")}
}

// ago is a duration on a moving clock: tenths only below ten seconds.
func ago(d time.Duration) string {
	d = max(d, 0)
	if d >= 10*time.Second {
		d = d.Truncate(time.Second)
	}
	return words.Seconds(d.Seconds())
}

func text(s string) terminal.Piece { return terminal.Piece{Text: s} }
func dim(s string) terminal.Piece  { return terminal.Piece{Text: s, Tone: terminal.Dim} }
func bold(s string) terminal.Piece { return terminal.Piece{Text: s, Tone: terminal.Strong} }
func good(s string) terminal.Piece { return terminal.Piece{Text: s, Tone: terminal.Good} }
func bad(s string) terminal.Piece  { return terminal.Piece{Text: s, Tone: terminal.Bad} }
func warn(s string) terminal.Piece { return terminal.Piece{Text: s, Tone: terminal.Warning} }

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
