// Package advicetest is for tests: it says what is wrong with the advice of an incident, of whatever evidence.
package advicetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Faults are what is wrong with the advice of an incident: an open one needs a first option with a command;
// no option saves more than the span less the floor, surely harms, or is what was done at that time; a curve does not fall by more than the
// time between two of its acts and their range, nor lie above the incident as it was or below its act, and goes on to the end; at most three
// options prevent.
func Faults(i model.Incident) (out []string) {
	a := i.Advice
	if a == nil {
		return nil
	}
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if i.Span.Open && (len(i.Causes) == 0 || i.Causes[0].ID != model.CauseHandover) && !typeable(a.Now) {
		fault("is open, and its first option has no command")
	}
	if len(a.Prevent) > 3 {
		fault("%d options prevent", len(a.Prevent))
	}
	if f := a.Floor; f != nil && f.Min < 0 {
		fault("a floor of %.0f s", f.Min)
	}
	for _, o := range slices.Concat(a.Now, a.Better, a.Prevent) {
		if o.DataRisk == model.RiskCertain {
			fault("%s is offered, which surely harms", o.Remedy)
		}
	}
	for _, o := range a.Better {
		if f := a.Floor; f != nil && o.Saved != nil && o.Saved.Best > i.Span.Seconds.Max-f.Best+1 {
			fault("%s saves %.0f s of %.0f s, over the floor of %.0f s", o.Remedy, o.Saved.Best, i.Span.Seconds.Best, f.Best)
		}
		for _, d := range a.Done {
			if d.Remedy != nil && *d.Remedy == o.Remedy && !o.At.At.Before(d.At.At) {
				fault("%s was done at %v, and is offered at %v", o.Remedy, d.At.At, o.At.At)
			}
		}
	}
	return append(out, curveFaults(i)...)
}

// typeable reports that the first option has a command.
func typeable(list []model.Option) bool {
	return len(list) > 0 && slices.ContainsFunc(list[0].Steps, func(s model.Step) bool { return s.Command != "" })
}

func curveFaults(i model.Incident) (out []string) {
	list, ended, over := i.Advice.Curve, !i.Span.Open && i.MultiAttach.Ended != nil, i.Span.To.Latest
	if m := i.Model; m != nil && m.ObservedSeconds != nil { // another pod may have been Ready after the one that waited was gone
		over = model.Later(over, i.Span.From.Latest.Add(time.Duration(*m.ObservedSeconds*float64(time.Second))))
	}
	if n := len(list); n > 0 && (n < 5 || n > 40) {
		out = append(out, fmt.Sprintf("a curve of %d points", n))
	}
	if n := len(list); ended && n > 0 && list[n-1].Act.At.Before(i.Span.To.Earliest.Add(-time.Second)) {
		out = append(out, fmt.Sprintf("the curve ends at %v, and the incident at %v", list[n-1].Act.At, i.Span.To.At))
	}
	for n, p := range list {
		if ended && p.Ready.At.After(over.Add(time.Second)) {
			return append(out, fmt.Sprintf("the curve lies above the incident as it was: Ready at %v, not %v", p.Ready.At, over))
		}
		if p.Ready.Latest.Before(p.Act.At.Add(-time.Second)) {
			out = append(out, fmt.Sprintf("the curve ends at %v, before the act at %v", p.Ready.At, p.Act.At))
		}
		if n == 0 {
			continue
		}
		before := list[n-1]
		if fall := before.Ready.At.Sub(p.Ready.At); fall > p.Act.At.Sub(before.Act.At)+p.Ready.Latest.Sub(p.Ready.Earliest) {
			out = append(out, fmt.Sprintf("the curve falls by %v at %v", fall, p.Act.At))
		}
	}
	return out
}
