package analyze_test

import (
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestAdvice: over every case an incident that is open has a first option with a command; no option saves more than the span less the
// floor; what was done is never offered at the time at which it was done; nothing that surely harms is offered; a curve does not fall by
// more than the time between two of its acts and their range, nor lie above the incident as it was; and there are at most three options that prevent.
func TestAdvice(t *testing.T) {
	advised := 0
	for _, c := range cases(t) {
		for _, i := range c.report(t).Incidents {
			a := i.Advice
			if a == nil {
				continue
			}
			advised++
			if i.Span.Open && i.Causes[0].ID != model.CauseHandover && !typeable(a.Now) {
				t.Errorf("%s: %s is open, and no option has a command (%s)", c.name, i.ID, i.Causes[0].ID)
			}
			if len(a.Prevent) > 3 {
				t.Errorf("%s: %d options prevent", c.name, len(a.Prevent))
			}
			for _, o := range slices.Concat(a.Now, a.Better, a.Prevent) {
				if o.DataRisk == model.RiskCertain {
					t.Errorf("%s: %s is offered, which surely harms", c.name, o.Remedy)
				}
			}
			checkBetter(t, c.name, i)
			checkCurve(t, c.name, i)
		}
	}
	if advised < 300 {
		t.Errorf("only %d incidents have advice", advised)
	}
}

// typeable reports that the first option has a command.
func typeable(list []model.Option) bool {
	return len(list) > 0 && slices.ContainsFunc(list[0].Steps, func(s model.Step) bool { return s.Command != "" })
}

// checkBetter compares what would have been better with the floor, and with what was done.
func checkBetter(t *testing.T, name string, i model.Incident) {
	for _, o := range i.Advice.Better {
		if f := i.Advice.Floor; f != nil && o.Saved != nil && o.Saved.Best > i.Span.Seconds.Max-f.Best+1 {
			t.Errorf("%s: %s saves %.0f s of %.0f s, over the floor of %.0f s", name, o.Remedy, o.Saved.Best, i.Span.Seconds.Best, f.Best)
		}
		for _, d := range i.Advice.Done {
			if d.Remedy != nil && *d.Remedy == o.Remedy && !o.At.At.Before(d.At.At) {
				t.Errorf("%s: %s was done at %v, and is offered at %v", name, o.Remedy, d.At.At, o.At.At)
			}
		}
	}
}

func checkCurve(t *testing.T, name string, i model.Incident) {
	list, ended := i.Advice.Curve, !i.Span.Open && i.MultiAttach.Ended != nil
	for _, p := range list {
		if ended && p.Ready.At.After(i.Span.To.Latest.Add(time.Second)) {
			t.Errorf("%s: the curve lies above the incident as it was: Ready at %v, and it was over at %v", name, p.Ready.At, i.Span.To.At)
			break
		}
	}
	if n := len(list); n > 0 && (n < 5 || n > 40) {
		t.Errorf("%s: a curve of %d points", name, n)
	}
	for n := 1; n < len(list); n++ {
		a, b := list[n-1], list[n]
		fall := a.Ready.At.Sub(b.Ready.At)
		if fall > b.Act.At.Sub(a.Act.At)+b.Ready.Latest.Sub(b.Ready.Earliest) {
			t.Errorf("%s: the curve falls by %v at %v", name, fall, b.Act.At)
		}
	}
}
