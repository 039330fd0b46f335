package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// What the text shows of remedies before it counts the rest.
const (
	textHelps = 6 // remedies that shorten, with a sentence each
	textLines = 8 // lines of the remedies without effect
)

// textRemedies tells what would have shortened an incident: the outlook of an open one, how far the model is to be
// trusted, the incident as it would have been, and a paragraph for each remedy that changes something. In short, commands
// and reasons are told of the first remedy only.
func textRemedies(p *page, in *incidentView, short bool) {
	r := in.Remedies()
	if !r.Any() {
		return
	}
	p.line("")
	p.line("  What would have shortened it")
	if r.Outlook != "" {
		p.wrap("    ", "    ", r.Outlook)
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
	textReasons(p, "    Cannot be told", r.Open)
	textReasons(p, "    No effect", r.None)
	if text := r.NotApplying(); text != "" {
		p.line("    " + text + "; -o html and -o json say of each why.")
	}
}

// textStacks draws the waterfalls in one line each, with their scale.
func textStacks(p *page, r remedyViews) {
	if len(r.Helps) > 0 {
		p.wrap("    ", "    ", alternatives)
	}
	if len(r.Fall.Stacks) == 0 {
		return
	}
	p.line("")
	for _, s := range r.Fall.Stacks {
		p.line(fmt.Sprintf("    %-10s%s  %s", s.Name, s.line(stackColumns), s.Duration))
	}
	p.wrap("    ", "      ", r.Fall.legend())
	if ends := r.Fall.Ends(); ends != "" {
		p.wrap("    ", "      ", ends)
	}
}

// textRemedy tells one remedy. What it risks, and what has to be proven first, stands above the commands.
func textRemedy(p *page, r remedyView, short bool) {
	mark := "-"
	if r.Number > 0 {
		mark = strconv.Itoa(r.Number)
	}
	if short {
		p.wrap("    "+mark+"  ", "       ", r.ID+": "+strings.TrimSpace(r.Now+" "+r.Sentence)+" "+words.Capital(r.weighed())+".")
		return
	}
	p.line("")
	p.wrap("    "+mark+"  ", "       ", r.ID+": "+r.Name)
	for _, text := range []string{r.Now, r.Sentence, r.changesText(), r.Why} {
		if text != "" {
			p.wrap("       ", "       ", text)
		}
	}
	for _, text := range r.weighedLines() {
		p.wrap("       ", "         ", text)
	}
	if r.Number == 0 {
		return
	}
	for _, c := range r.Commands {
		p.line("         " + words.OneLine(c))
	}
}

// noProof stands where a report gives a remedy a risk and names no condition.
const noProof = "the report does not say what rules it out"

// textReasons lists remedies with their reason, in one line each.
func textReasons(p *page, title string, list []remedyView) {
	if len(list) == 0 {
		return
	}
	p.line("")
	p.line(title)
	for _, group := range byReason(list)[:min(len(byReason(list)), textLines)] {
		p.wrap("      ", "        ", group)
	}
	if n := len(byReason(list)) - textLines; n > 0 {
		p.line("      and " + words.Count(n, "more reason") + "; the html and json formats have them")
	}
}

// byReason joins remedies that have the same reason.
func byReason(list []remedyView) []string {
	var out []string
	var reasons []string
	ids := map[string][]string{}
	for _, r := range list {
		reason := cmp.Or(strings.TrimSpace(r.Why), "no reason is given")
		if len(ids[reason]) == 0 {
			reasons = append(reasons, reason)
		}
		ids[reason] = append(ids[reason], r.ID+usedMark(r.Remediation))
	}
	for _, reason := range reasons {
		out = append(out, strings.Join(ids[reason], ", ")+": "+reason)
	}
	return out
}

func usedMark(r model.Remediation) string {
	if r.WasUsed {
		return " (was used)"
	}
	return ""
}
