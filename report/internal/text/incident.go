package text

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// textIncident writes one incident in full.
func textIncident(p *page, v *view.View, in *view.IncidentView) {
	p.gap().wrap(fmt.Sprintf("INCIDENT %d  ", in.Number), "  ", in.Title)
	textFacts(p, in.Story().Facts)
	p.gap().line("  Blocking VolumeAttachment")
	textFacts(p, in.Story().Block)
	textWhy(p, in)
	textWaterfall(p, in)
	textCauses(p, v, in)
	if window := in.IntegrityWindow; window != nil {
		p.gap().wrap("  Integrity window  ", "    ", window.Text+" From "+view.Instant(window.From)+view.UntilText(window.To)+".")
	}
	textRemedies(p, in, len(v.Incident) > textFull)
	textEvidence(p, v, in)
}

// textFacts writes facts as two columns. A name too long for the second has its own line: one that is broken cannot be copied.
func textFacts(p *page, list []view.Fact) {
	const column = 24
	for _, f := range list {
		value, name := f.Value, "    "+strings.ToLower(f.Name[:1])+f.Name[1:]
		value += words.If(f.Basis != "", " ("+string(f.Basis)+")")
		if !strings.Contains(value, " ") && words.Columns(value) > textWidth-column {
			p.line(name)
			p.wrap("      ", "      ", value)
			continue
		}
		p.wrap(fmt.Sprintf("%-*s", column, name), strings.Repeat(" ", column), value)
	}
}

func textWhy(p *page, in *view.IncidentView) {
	if len(in.Story().Why) == 0 {
		return
	}
	p.gap().line("  Why it was not detached")
	for _, o := range in.Story().Why {
		text := o.Text
		if o.When != "" {
			text = o.When + ". " + text
		}
		name := o.Operand.Operand + words.If(o.Decides, " ("+view.LongestWait+")")
		p.wrap(fmt.Sprintf("    %-8s%s: ", o.Answer, name), "            ", text)
	}
}

// textWaterfall draws each phase as a bar on the scale of the span.
func textWaterfall(p *page, in *view.IncidentView) {
	if len(in.Story().Bars) == 0 {
		return
	}
	from := view.Instant(in.Span.From) + " (" + string(in.Span.From.Basis) + ")"
	p.gap().wrap("  Where the time went: ", "    ", view.Span(in.Span.Seconds)+" from "+from)
	for _, b := range in.Story().Bars {
		p.wrap(fmt.Sprintf("    %-12s %s ", b.ID, b.Line()), strings.Repeat(" ", 17), b.Duration)
		note := "from " + view.TimeOfDay(b.From) + " (" + string(b.From.Basis) + "): " + b.Label
		if b.Governor != "" {
			note += "; set by " + b.Governor + " (" + string(b.GovernedBy.Basis) + ")"
		}
		p.wrap(strings.Repeat(" ", 17), strings.Repeat(" ", 19), note)
	}
}

func textCauses(p *page, v *view.View, in *view.IncidentView) {
	p.gap().line("  Causes")
	if len(in.Story().Cause) == 0 {
		p.line("    none established")
	}
	for _, c := range in.Story().Cause {
		p.wrap(fmt.Sprintf("    %-12s", c.Verdict), "      ", c.ID+" (explains "+c.Explained+"): "+c.Summary)
		textClaims(p, v, "for", c.ForClaims)
		textClaims(p, v, "against", c.AgainstClaims)
		textClaims(p, v, "missing", c.MissingClaims)
	}
}

// textClaims writes what speaks for or against a cause, and of many quotes the first.
func textClaims(p *page, v *view.View, word string, list []view.Claim) {
	cited := 0
	for _, c := range list {
		text := c.Sentence
		if len(c.Evidence) > 0 {
			if cited++; cited > textClaimed {
				continue
			}
			text += " [" + v.Mark(c.Evidence[0])
			if more := len(c.Evidence) - 1; more > 0 {
				text += fmt.Sprintf(" and %d more", more)
			}
			text += "]"
		}
		p.wrap(fmt.Sprintf("      %-9s", word), "               ", text)
	}
	if cited > textClaimed {
		p.line(fmt.Sprintf("      %-9sand %s", word, words.Count(cited-textClaimed, "more observation")))
	}
}

// textEvidence quotes what the incident rests on.
func textEvidence(p *page, v *view.View, in *view.IncidentView) {
	if len(in.Story().Cites) == 0 {
		return
	}
	p.gap().line("  Evidence")
	if v.Below != "" {
		p.wrap("    below ", "      ", words.OneLine(v.Below))
	}
	for i, id := range in.Story().Cites {
		if i == textQuotes {
			p.line(fmt.Sprintf("    and %d more; the html and json formats have them", len(in.Story().Cites)-i))
			break
		}
		e := v.Evidence[v.EvidenceAt[id]]
		p.wrap("    ["+v.Mark(id)+"] ", "        ", v.Short(e.Source))
		p.line("      " + quoteLine(e, textWidth-6))
	}
}

// logHeader is what stands before the message of a log record: a transport's time, and klog's header.
var logHeader = regexp.MustCompile(`^.{0,80}?[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +(?:\d+ )?\S+:\d+\] `)

// quoteLine is the beginning of a quote, in one line. A record's header is left out, because its time is written already.
func quoteLine(e model.Evidence, width int) string {
	text, before, after := strings.Join(strings.FieldsFunc(e.Text, unicode.IsSpace), " "), "", ""
	if e.Source.Kind == model.SourceLog {
		if message := logHeader.ReplaceAllString(text, ""); message != text {
			text, before = message, "…"
		}
	}
	if e.Truncated || words.Columns(text)+words.Columns(before)+2 > width {
		after = "…"
	}
	used, shown := 2+words.Columns(before)+words.Columns(after), text
	for i, r := range text {
		if used += words.Columns(string(r)); used > width {
			shown = text[:i]
			if word := strings.LastIndexAny(shown, " /^="); word > len(shown)/2 {
				shown = shown[:word+1] // a name that is cut is another name
			}
			break
		}
	}
	return `"` + before + shown + after + `"`
}

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
	textReasons(p, "    Cannot be told", r.Open)
	textReasons(p, "    No effect", r.None)
	if text := r.NotApplying(); text != "" {
		p.line("    " + text + "; -o html and -o json say of each why.")
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
	for _, text := range []string{r.Now, r.Sentence, r.ChangesText(), r.Why} {
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
