package text

import (
	"strings"

	"github.com/volpost/volpost/report/internal/view"
)

// advice is what was done, what to do now or what would have been better, and what prevents the next one. Of an open incident what to do
// comes first.
func (s *layout) advice(a view.Answer) {
	if !a.Open {
		s.done(a.Advice)
	}
	head := a.Tense
	first := a.Advice.First()
	if first != nil && !a.Open && first.At != nil {
		head += ", " + first.At.Clock(view.ClockAt)
	}
	s.add(2, s.wrap(strings.ToUpper(head), "", "", toneHead))
	if first != nil {
		s.add(2, s.wrap("  ", "  ", first.Name+". "+first.Sentence(), ""))
		if side := first.Side(); side != "" {
			s.add(9, s.wrap("  ", "  ", "Side effect: "+side, ""))
		}
	} else if !a.Open {
		s.add(2, s.wrap("  ", "  ", view.NothingBetter, ""))
	}
	s.steps(a)
	if a.Open {
		s.done(a.Advice)
	}
	if a.Advice.Floor != "" {
		s.add(8, s.labelled("FLOOR", a.Advice.Floor))
	}
	if c := a.Advice.Curve; c != nil {
		s.add(8, s.labelled("WAITING COST", c.Numbers()))
	}
	if len(a.Advice.Prevent) > 0 {
		list := view.Each(a.Advice.Prevent, func(o view.OptionView) string { return o.Name + " (" + o.Brief() + ")" })
		s.add(5, s.labelled("PREVENT", strings.Join(list, "; ")))
	}
}

// doneMost is how many acts a screen has.
const doneMost = 4

// done are the acts. One that caused the wait or made it longer stays on the screen before others.
func (s *layout) done(a *view.AdviceView) {
	if len(a.Done) == 0 {
		return
	}
	shown := a.Shown(doneMost)
	s.add(2, s.wrap("WHAT WAS DONE", "", "", toneHead))
	for _, d := range shown {
		rank := 3
		if d.Worse() {
			rank = 1
		}
		s.add(rank, s.wrap("  ", "    ", d.Line(), ""))
	}
	if more := a.MoreActs(len(shown)); more != "" {
		s.add(9, s.wrap("  ", "    ", more, ""))
	}
}
