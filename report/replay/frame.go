package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// The smallest terminal on which all is seen: what is smaller shows a part, from its beginning.
const (
	leastWidth  = 60
	leastHeight = 18
)

// frame draws the replay.
func (p *player) frame(width, height int) []terminal.Row {
	if width < 1 || height < 1 {
		return nil
	}
	if width < leastWidth || height < leastHeight {
		rows := make([]terminal.Row, height)
		rows[0] = terminal.Row{text(fmt.Sprintf("needs %d × %d; --plain prints it", leastWidth, leastHeight))}
		return fitAll(rows, width)
	}
	if p.over != noOverlay {
		return fitAll(p.overlayRows(width, height), width)
	}
	s := p.film.at(p.at)
	rows := slices.Concat(p.head(s, width), p.objects(s), p.controller(s, width))
	rows = rows[:min(len(rows), height-2)]
	rows = append(rows, p.timelineRows(height-len(rows)-1)...)
	for len(rows) < height-1 {
		rows = append(rows, nil)
	}
	return fitAll(append(rows, terminal.Row{dim("space pause · ←→ step · enter evidence · ? help · q quit")}), width)
}

// head is the clock, the phases up to now, and the phase that it is.
func (p *player) head(s state, width int) []terminal.Row {
	state := "paused"
	if p.playing {
		state = "playing"
	}
	if !p.at.Before(p.film.To) {
		state = "end"
	}
	speed := strconv.FormatFloat(p.speed, 'g', -1, 64) + "x"
	clockRow := terminal.Row{bold(view.Offset(p.film.Zero, p.at)), text("  ")}
	if at := view.ClockOf(p.at); at != "" {
		clockRow = append(clockRow, text(at+view.Zone(p.at)+"  "))
	}
	clockRow = append(clockRow, text(state+" "+speed), dim("  "+view.VolumeName(p.film.Incident.Volume)))
	return []terminal.Row{clockRow, p.bar(width), p.phaseRow(s.Phase)}
}

// bar draws the phases up to now, in letters, on the scale of the whole replay. What is to come is dotted.
func (p *player) bar(columns int) terminal.Row {
	phases, from, total := p.film.Incident.Phases, p.film.From, p.film.To.Sub(p.film.From)
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
	return terminal.Row{{Text: past.String(), Tone: terminal.Selected}, dim(future.String())}
}

// phaseRow says which phase it is, for how long, and what sets its length.
func (p *player) phaseRow(index int) terminal.Row {
	phases := p.film.Incident.Phases
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
	row := terminal.Row{bold(words.OneLine(string(phase.ID))), text(" " + ago(p.at.Sub(phase.From.At)) + ": " + view.PhaseLabel(phase))}
	if g := phase.GovernedBy; g != nil {
		row = append(row, dim(fmt.Sprintf(" (%s, %s)", view.GovernorText(phase), g.Basis)))
	}
	if p.film.Incident.Span.Open && !p.at.Before(phase.To.At) {
		row = append(row, bad(" and still was at the collection"))
	}
	return row
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
