package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// What the text shows of remedies before it counts the rest.
const (
	textHelps = 6 // remedies that shorten, with a sentence each
	textLines = 8 // lines of the remedies without effect
)

// textRemedies writes what would have shortened an incident. In short, commands and reasons are those of the first remedy only.
func textRemedies(p *page, in *view.IncidentView, short bool) {
	r := in.Story().Remedies
	if !r.Any() {
		return
	}
	p.gap().line("  What would have shortened it")
	if r.Outlook != "" {
		p.wrap("    ", "    ", r.Outlook)
	}
	if a := in.Advice(); a != nil {
		for _, d := range a.Shown(doneMost) {
			p.wrap("    done: ", "      ", d.Line())
		}
		if a.Floor != "" {
			p.wrap("    ", "    ", a.Floor)
		}
	}
	if r.Model != "" {
		p.wrap("    ", "    ", r.Model)
	}
	textStacks(p, r)
	for i, remedy := range r.Helps {
		if i == textHelps {
			p.line(fmt.Sprintf("    and %d more", len(r.Helps)-i) + "; -o html and -o json have them")
			break
		}
		textRemedy(p, remedy, short && i > 0)
	}
	if short {
		if text := r.Others(); text != "" {
			p.wrap("    ", "    ", text+"; -o html and -o json have them.")
		}
		return
	}
	for _, remedy := range r.Worse {
		textRemedy(p, remedy, short)
	}
	textReasons(p, "    Not known", r.Open)
	textReasons(p, "    No effect", r.None)
	if text := r.NotApplying(); text != "" {
		p.line("    " + text + "; -o html and -o json say why, for each.")
	}
}

// textStacks draws the waterfalls in one line each, with their scale.
func textStacks(p *page, r view.RemedyViews) {
	if len(r.Helps) > 0 {
		p.wrap("    ", "    ", view.Alternatives)
	}
	if len(r.Fall.Stacks) == 0 {
		return
	}
	p.line("")
	for _, s := range r.Fall.Stacks {
		p.line(fmt.Sprintf("    %-10s%s  %s", s.Name, s.Line(view.StackColumns), s.Duration))
	}
	p.wrap("    ", "      ", r.Fall.Legend())
	if ends := r.Fall.Ends(); ends != "" {
		p.wrap("    ", "      ", ends)
	}
}

// textRemedy writes one remedy. What it risks, and what has to be proven first, stands above the commands.
func textRemedy(p *page, r view.RemedyView, short bool) {
	mark := "-"
	if r.Number > 0 {
		mark = strconv.Itoa(r.Number)
	}
	if short {
		p.wrap("    "+mark+"  ", "       ", r.ID+": "+strings.TrimSpace(r.Now+" "+r.Sentence)+" "+words.Capital(r.Weighed())+".")
		return
	}
	p.gap().wrap("    "+mark+"  ", "       ", r.ID+": "+r.Name)
	for _, text := range []string{r.Now, r.Sentence, r.Why} {
		if text != "" {
			p.wrap("       ", "       ", text)
		}
	}
	for _, text := range r.WeighedLines() {
		p.wrap("       ", "         ", text)
	}
	if r.Number == 0 {
		return
	}
	for _, c := range r.Commands {
		for _, l := range view.ShellLines(words.OneLine(c), textWidth-9) {
			p.line("         " + l)
		}
	}
}

// textReasons lists remedies with their reason, in one line each.
func textReasons(p *page, title string, list []view.RemedyView) {
	if len(list) == 0 {
		return
	}
	p.gap().line(title)
	for _, group := range view.ByReason(list)[:min(len(view.ByReason(list)), textLines)] {
		p.wrap("      ", "        ", group)
	}
	if n := len(view.ByReason(list)) - textLines; n > 0 {
		p.line("      and " + words.Count(n, "more reason") + "; the html and json formats have them")
	}
}

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
		s.add(2, s.wrap("  ", "  ", a.Advice.Nothing, ""))
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
