package text

import (
	"fmt"
	"regexp"
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
