package replay

import (
	"fmt"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// nowRows is how many rows the event that is looked at may have: the others are cut to one.
const nowRows = 3

// timelineRows are the events up to the one that is looked at, the newest below, in at most so many rows.
func (p *player) timelineRows(width, rows int) []terminal.Row {
	if rows < 1 {
		return nil
	}
	events := p.film.Events
	var out []terminal.Row
	if rows > 3 {
		out = append(out, terminal.Row{dim(fmt.Sprintf("── timeline: %d of %s ──", p.cursor+1, words.Count(len(events), "event")))})
	}
	if p.cursor < 0 {
		return append(out, terminal.Row{dim("nothing has happened yet")})
	}
	text := func(i int) (at, text string) {
		return fmt.Sprintf("%-12s ", view.Offset(p.film.Zero, events[i].At.At)), p.short(eventText(events[i]))
	}
	at, what := text(p.cursor)
	indent := strings.Repeat(" ", len("> ")+words.Columns(at))
	now := words.Wrap("> "+at, indent, what, max(width, len(indent)+8))
	room := rows - len(out)
	if most := min(nowRows, room); len(now) > most {
		now = now[:most]
		now[most-1] += " …"
	}
	for i := max(p.cursor-room+len(now), 0); i < p.cursor; i++ {
		at, what := text(i)
		out = append(out, terminal.Row{dim("  " + at), {Text: what}})
	}
	return append(out, view.Each(now, func(line string) terminal.Row { return terminal.Row{{Text: line, Tone: terminal.Selected}} })...)
}

// eventText says what happened, and how it is known where no source says it itself.
func eventText(e *view.Told) string {
	s := words.OneLine(e.Text)
	if e.At.Latest.Sub(e.At.Earliest) > time.Second {
		s += " (between " + view.ClockAt(e.At.Earliest) + " and " + view.ClockAt(e.At.Latest) + ")"
	}
	if e.Kind == model.InferredAction {
		return "inferred: " + s
	}
	if e.At.Basis != model.Observed && e.At.Basis != "" {
		return s + " (" + string(e.At.Basis) + ")"
	}
	return s
}

// overlayRows draw the evidence of the event that is looked at, or the help.
func (p *player) overlayRows(width, height int) []terminal.Row {
	var lines []terminal.Row
	if p.over == helpOverlay {
		lines = p.helpRows()
	} else {
		lines = p.evidenceRows(width)
	}
	room := height - 1
	p.scroll = max(min(p.scroll, len(lines)-room), 0)
	out := append([]terminal.Row{}, lines[p.scroll:min(p.scroll+room, len(lines))]...)
	for len(out) < room {
		out = append(out, nil)
	}
	keys := "↑↓ scroll · esc back"
	if p.over == evidenceOverlay {
		keys = "↑↓ scroll · ←→ other event · esc back"
	}
	if more := len(lines) - p.scroll - room; more > 0 {
		keys = fmt.Sprintf("%d more · ", more) + keys
	}
	return append(out, terminal.Row{dim(keys)})
}

// evidenceRows quote the sources of the event that is looked at.
func (p *player) evidenceRows(width int) []terminal.Row {
	if p.cursor < 0 || p.cursor >= len(p.film.Events) {
		return []terminal.Row{{text("nothing has happened yet: step to an event first")}}
	}
	e := p.film.Events[p.cursor]
	var out []terminal.Row
	add := func(tone terminal.Tone, indent, s string) {
		lines := words.Lines(s, max(width-len(indent), 8))
		out = append(out, view.Each(lines, func(l string) terminal.Row { return terminal.Row{{Text: indent + l, Tone: tone}} })...)
	}
	add(terminal.Strong, "", eventText(e))
	add(terminal.Plain, "", fmt.Sprintf("%s, %s, %s", view.Offset(p.film.Zero, e.At.At), view.Instant(e.At), e.At.Basis))
	if len(e.Evidence) == 0 {
		add(terminal.Plain, "", "The report quotes no source.")
	}
	for _, id := range e.Evidence {
		quote, ok := p.evidence[id]
		if !ok {
			add(terminal.Warning, "", "The report does not have the quote "+words.OneLine(id)+".")
			continue
		}
		out = append(out, nil)
		add(terminal.Dim, "", view.Place(quote.Source))
		words := quote.Text
		if quote.Truncated {
			words += "…"
		}
		add(terminal.Plain, "  ", words)
	}
	return out
}

// helpRows are the keys, the letters of the phases, and what the screen does not say of itself.
func (p *player) helpRows() []terminal.Row {
	rows := []terminal.Row{{bold("Keys")}}
	for _, k := range []view.Label{
		{"space", "pause, go on; at the end: from the beginning"},
		{"→ ↓ n", "next event"}, {"← ↑ p", "event before"}, {"PgUp PgDn", "ten events"},
		{"] [", "next phase, phase before"}, {"1 … 9", "phase by its number"},
		{"+ -", "faster, slower: 1x to 600x"}, {"g G", "beginning, end"},
		{"enter e", "evidence of the event"}, {"?", "this help"}, {"q esc", "quit"},
	} {
		rows = append(rows, terminal.Row{bold(fmt.Sprintf("  %-10s", k.ID())), text(k.Text())})
	}
	rows = append(rows, nil, terminal.Row{bold("Phases")})
	for i, phase := range p.film.Incident.Phases {
		rows = append(rows, terminal.Row{bold(fmt.Sprintf("  %d %s ", i+1, view.LetterOf(phase.ID))),
			text(words.OneLine(string(phase.ID)) + ", " + view.Span(phase.Seconds) + ": " + view.PhaseLabel(phase))})
	}
	origin := "T+0 is " + view.KindOf(*p.film.Incident).Zero + "."
	if p.in.MultiAttach.Began.Missing() == model.NoDate {
		origin = view.TimesText(p.in.View.Bundle.StandIn)
	}
	for _, line := range []string{
		"", origin + " What is shown of an object is what was told",
		"of it last by then. Names are shortened; the evidence has them whole.",
		"What is dotted in the bar is to come; - is after the new pod was Ready.",
	} {
		rows = append(rows, terminal.Row{dim(line)})
	}
	if left := p.podsLeftOut(); left != "" {
		rows = append(rows, terminal.Row{dim(left)})
	}
	return rows
}
