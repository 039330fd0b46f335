package replay

import (
	"cmp"
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
	rank int // of what happens at the same time: phases end and begin before the events in them
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
	if r.other != nil {
		for _, line := range words.Lines("What if: "+r.asked+".\nData risk: "+r.risk+".\n"+r.said, plainWidth) {
			fmt.Fprintln(&b, line)
		}
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

// plainLines are the phases and events from the beginning of the incident on, ordered by time.
func (r *Replay) plainLines() []plainLine {
	out := r.plainPrediction()
	for i, phase := range r.film.Incident.Phases {
		out = append(out, plainLine{at: phase.From.At, text: r.plainPhase(i, phase)})
	}
	for _, e := range r.film.Events {
		if !e.At.At.Before(r.film.From) {
			out = append(out, plainLine{at: e.At.At, text: eventText(e), rank: 1})
		}
	}
	slices.SortStableFunc(out, func(a, b plainLine) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.rank, b.rank)) })
	return out
}

func (r *Replay) plainPhase(i int, phase model.Phase) string {
	s := fmt.Sprintf("== %d %s, %s: %s", i+1, words.OneLine(string(phase.ID)), view.Span(phase.Seconds), view.PhaseLabel(phase))
	if g := phase.GovernedBy; g != nil {
		s += fmt.Sprintf(" (%s, %s)", view.GovernorText(phase), g.Basis)
	}
	return s + " =="
}

// whatIf begins the lines of what would have been.
const whatIf = "what if: "

// plainPrediction are the phases of the counterfactual, when the remedy is applied, and the end.
func (r *Replay) plainPrediction() []plainLine {
	if r.other == nil {
		return nil
	}
	var out []plainLine
	for i, phase := range r.other.PredictedPhases {
		if alike(phase, i, r.film.Incident.Phases) {
			continue // nothing is different yet
		}
		out = append(out, plainLine{at: phase.From.At, text: whatIf + "== " + words.OneLine(string(phase.ID)) + ", " + view.Span(phase.Seconds) + " =="})
	}
	if at := r.other.AppliedAt; at != nil {
		out = append(out, plainLine{at: at.At, text: whatIf + r.asked, rank: -1})
	}
	if len(r.other.PredictedPhases) > 0 {
		out = append(out, plainLine{at: r.ready(), text: whatIf + "the new pod would be Ready", rank: 2})
	}
	return out
}

// alike reports whether a predicted phase is the real one of its index, to a second.
func alike(phase model.Phase, i int, real []model.Phase) bool {
	if i >= len(real) || real[i].ID != phase.ID {
		return false
	}
	return phase.From.At.Sub(real[i].From.At).Abs() < time.Second && phase.To.At.Sub(real[i].To.At).Abs() < time.Second
}

// plainText lays a line out, with its time.
func (r *Replay) plainText(l plainLine) string {
	times := fmt.Sprintf("%-11s %s", view.Offset(r.film.Zero, l.at), view.ClockOf(l.at))
	times += strings.Repeat(" ", max(plainTimes-words.Columns(times), 1))
	return strings.Join(words.Wrap(times, strings.Repeat(" ", plainTimes), l.text, plainWidth), "\n") + "\n"
}

// plainEnd is the state that is left.
func (r *Replay) plainEnd() string {
	p := &player{Replay: r, at: r.film.To}
	s := r.film.at(r.film.To)
	var b strings.Builder
	b.WriteString("\nAt the end\n")
	for _, row := range append(p.objects(s, plainWidth, false), append(terminal.Row{text("controller: ")}, p.decision(s)...)) {
		b.WriteString("  " + plainRow(row) + "\n")
	}
	return b.String()
}
