package replay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// Widths of the plain replay, in columns.
const (
	plainWidth = 100
	plainTimes = 24 // T+ offset and time of day
)

// plainLine is something that is printed when its time has come.
type plainLine struct {
	at   time.Time
	text string
}

// Plain prints each event when its time has come, speed times faster than real time; speed 0 is at once. Wait's error ends it.
func (r *Replay) Plain(ctx context.Context, w io.Writer, speed float64, wait func(context.Context, time.Duration) error) error {
	if err := r.plainHead(w); err != nil {
		return err
	}
	last := r.film.From
	for _, line := range r.plainLines() {
		if gap := line.at.Sub(last); gap > 0 && speed > 0 {
			if err := wait(ctx, time.Duration(float64(gap)/speed)); err != nil {
				return err
			}
		}
		if line.at.After(last) {
			last = line.at
		}
		if _, err := io.WriteString(w, r.plainText(line)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, r.plainEnd())
	return err
}

// plainHead says what is played.
func (r *Replay) plainHead(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.in.Title)
	if began := r.in.MultiAttach.Began; began.Missing() == model.NoDate {
		fmt.Fprintln(&b, view.TimesText(r.in.View.Bundle.StandIn))
	} else {
		fmt.Fprintf(&b, "T+00:00.0 is %s, %s.\n", view.Instant(began), r.in.Words().Zero)
	}
	if text := r.podsLeftOut(); text != "" {
		fmt.Fprintln(&b, text)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// podsLeftOut says how many pods of the incident are not followed, since they have no lane, or "".
func (r *Replay) podsLeftOut() string {
	in, left := r.film.Incident, map[model.Ref]bool{}
	for _, p := range slices.Concat(in.From.Pods, in.To.Pods) {
		if !slices.ContainsFunc(in.Lanes, func(l model.Lane) bool { return l.Object == p }) {
			left[p] = true
		}
	}
	if len(left) == 0 {
		return ""
	}
	return words.Plural(len(left), "more pod of the incident is not followed.", "more pods of the incident are not followed.")
}

// plainLines are the phases and events from the beginning of the incident on, ordered by time: a phase begins before the events in it.
func (r *Replay) plainLines() []plainLine {
	var out []plainLine
	for i, phase := range r.film.Incident.Phases {
		out = append(out, plainLine{phase.From.At, plainPhase(i, phase)})
	}
	for _, e := range r.film.Events {
		if !e.At.At.Before(r.film.From) {
			out = append(out, plainLine{e.At.At, eventText(e)})
		}
	}
	slices.SortStableFunc(out, func(a, b plainLine) int { return a.at.Compare(b.at) })
	return out
}

func plainPhase(i int, phase model.Phase) string {
	s := fmt.Sprintf("== %d %s, %s: %s", i+1, words.OneLine(string(phase.ID)), view.Span(phase.Seconds), view.PhaseLabel(phase))
	if g := phase.GovernedBy; g != nil {
		s += fmt.Sprintf(" (%s, %s)", view.GovernorText(phase), g.Basis)
	}
	return s + " =="
}

// plainText lays a line out, with its time.
func (r *Replay) plainText(l plainLine) string {
	var b strings.Builder
	times := fmt.Sprintf("%-11s %s", view.Offset(r.film.Zero, l.at), view.ClockOf(l.at))
	for _, line := range words.Lines(l.text, plainWidth-plainTimes) {
		b.WriteString(strings.TrimRight(times+strings.Repeat(" ", max(plainTimes-words.Columns(times), 1))+line, " ") + "\n")
		times = ""
	}
	return b.String()
}

// plainEnd is the state that is left.
func (r *Replay) plainEnd() string {
	p := &player{Replay: r, at: r.film.To}
	s := r.film.at(r.film.To)
	var b strings.Builder
	b.WriteString("\nAt the end\n")
	for _, row := range append(p.objects(s), append(terminal.Row{text("controller: ")}, p.decision(s)...)) {
		b.WriteString("  " + plainRow(row) + "\n")
	}
	return b.String()
}
