// Package text writes for terminals: the report in 80 columns, the answer alone on one screen, and the other results.
package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// How much the text shows before it folds. The rest is counted and is in the other formats.
const (
	textFull     = 2  // so many incidents in full; of more, the first of each group
	textGroups   = 2  // groups whose first incident is in full
	textMembers  = 30 // lines for a group's incidents
	textProblems = 8
	textQuotes   = 12 // quotes of one incident
	textClaimed  = 5  // quotes for or against one cause
)

// Write writes the report for a terminal or the body of a mail: no colour, at most 80 columns.
func Write(w io.Writer, r *model.Report, zone *time.Location) error {
	v, p := view.In(r, zone), &page{}
	textHead(p, v)
	if len(v.Incident) > textFull {
		for _, g := range v.Group {
			textGroup(p, g)
		}
		for _, g := range v.Group[:min(len(v.Group), textGroups)] {
			textIncident(p, v, g.Members[0])
		}
	} else {
		for _, in := range v.Incident {
			textIncident(p, v, in)
		}
	}
	if len(v.Incident) == 0 {
		textCovered(p, v)
	}
	textAlerts(p, v)
	textFindings(p, v)
	textInspection(p, v)
	textProblemList(p, v, textProblems)
	textNotCollected(p, v)
	_, err := io.WriteString(w, p.String())
	return err
}

// textHead is the answer with its steps, and what was read.
func textHead(p *page, v *view.View) {
	s := &layout{columns: textWidth}
	s.fill(v.Answer())
	for n, b := range s.blocks {
		if n == 1 {
			p.gap()
		}
		for _, l := range b.lines {
			p.line(l.text)
		}
	}
	textBundle(p.gap(), v)
	if len(v.Incident) > 0 {
		p.wrap("incidents  ", "           ", fmt.Sprintf("%d, in %s", len(v.Incident), words.Count(len(v.Group), "group")))
	}
	p.wrap("gaps       ", "           ", v.Gaps.String())
}

// textBundle names the bundle, and says when it was collected and what its times are.
func textBundle(p *page, v *view.View) {
	p.wrap("bundle     ", "           ", bundleText(v))
	if len(v.Bundle.Clusters) > 0 {
		p.wrap("clusters   ", "           ", strings.Join(v.Clusters(), ", "))
	}
	collected := view.Collection(v.Bundle.CapturedAt, v.Bundle.CapturedHow, "unknown: nothing in the bundle tells when")
	p.wrap("collected  ", "           ", collected)
	if v.Bundle.StandIn != nil {
		p.wrap("times      ", "           ", v.Times())
	} else if v.Walls != nil {
		p.wrap("times      ", "           ", words.OneLine(v.ZoneText()))
	}
}

func bundleText(v *view.View) string {
	text := cmp.Or(words.OneLine(v.Bundle.Root), "unnamed")
	if len(v.Bundle.Layouts) > 0 {
		text += " (" + strings.Join(v.Bundle.Layouts, ", ") + ")"
	}
	return text + ", Kubernetes " + cmp.Or(v.Bundle.KubernetesVersion, "version unknown")
}

// textGroup lists a group's incidents in one line each.
func textGroup(p *page, g view.GroupView) {
	p.gap().wrap("GROUP ", "  ", fmt.Sprintf("%s (%s)", words.OneLine(g.Title), words.Count(len(g.Members), "incident")))
	for i, in := range g.Members {
		if i == textMembers {
			p.line(fmt.Sprintf("  and %d more; the html and json formats have them", len(g.Members)-i))
			break
		}
		p.wrap(fmt.Sprintf("  %3d  ", in.Number), "       ", memberTitle(g, in)+", "+in.Lasted)
	}
}

// memberTitle is an incident's title, without the old node where the group's title names it.
func memberTitle(g view.GroupView, in *view.IncidentView) string {
	if in.From.Node == "" || in.From.Node != g.Node || len(g.Members) == 1 {
		return in.Title
	}
	return cmp.Or(view.VolumeName(in.Volume), "unknown volume") + " → " + view.WantedOn(in.Incident)
}

// textCovered says, for a report without incident, what was read and so what the absence means.
func textCovered(p *page, v *view.View) {
	p.gap().line("WHAT WAS READ")
	if len(v.Bundle.Inputs) == 0 {
		p.line("  nothing")
	}
	for _, sum := range view.InputSums(v.Bundle.Inputs) {
		p.wrap(fmt.Sprintf("  %-28s ", sum.Kind), strings.Repeat(" ", 31), sum.Text())
	}
}

func textFindings(p *page, v *view.View) {
	if len(v.Findings) == 0 {
		return
	}
	p.gap().line("FINDINGS")
	found, beliefs := v.FindingsAndBeliefs()
	for _, f := range found {
		p.wrap("  "+f.Severity+"  ", "    ", f.Title+": "+f.Text)
		if f.Remedy != "" {
			textInstruction(p, view.InstructionOf(f.Remedy))
		}
	}
	if beliefs != "" {
		p.wrap("  info  ", "    ", beliefs+"; the html and json formats say why.")
	}
	textObjects(p, v)
}

// textObjects draws the objects of the findings, of a report without an incident.
func textObjects(p *page, v *view.View) {
	for i, l := range v.FindingsTree() {
		if i == 0 {
			p.gap().line("THEIR OBJECTS")
		}
		p.line("  " + l)
	}
}

// textInstruction says what to do, and has the command on lines of its own, which a shell joins again.
func textInstruction(p *page, i view.Instruction) {
	p.wrap("    remedy: ", "      ", i.Text)
	if i.Command == "" {
		return
	}
	for _, l := range view.ShellLines(i.Command, textWidth-6) {
		p.line("      " + l)
	}
}

func textProblemList(p *page, v *view.View, most int) {
	if len(v.Bundle.Problems) == 0 {
		return
	}
	p.gap().line("PROBLEMS")
	for i, problem := range v.Bundle.Problems {
		if i == most {
			p.line(fmt.Sprintf("  and %d more; volpost inspect lists them", len(v.Bundle.Problems)-i))
			break
		}
		at := view.Place(model.Source{Path: problem.Path, Line: problem.Line})
		p.wrap("  "+string(problem.Severity)+"  ", "    ", strings.TrimPrefix(at+": "+problem.Message, ": "))
	}
}

func textNotCollected(p *page, v *view.View) {
	if len(v.Bundle.NotCollected) == 0 {
		return
	}
	p.gap().line("NOT COLLECTED")
	for _, n := range v.Bundle.NotCollected {
		p.wrap("  ", "    ", n.What+": "+n.Consequence)
		label := "collect with: "
		for _, command := range append([]string{n.Command}, n.Also...) {
			if command == "" {
				continue
			}
			for _, l := range view.ShellLines(words.OneLine(label+command), textWidth-4) {
				p.line("    " + l)
			}
			label = "or with: "
		}
	}
}

// textInspection shows the questions that were answered with yes, and counts the others.
func textInspection(p *page, v *view.View) {
	if len(v.Inspection) == 0 {
		return
	}
	groups := view.Inspected(v.Inspection)
	p.gap().wrap("INSPECTION  ", "  ", words.Count(len(v.Inspection), "question")+": "+view.InspectionCounts(groups)+
		"; the html and json formats have all of them, with the commands that answer the rest")
	for _, g := range groups {
		if g.Answer != model.Yes {
			continue
		}
		for _, i := range g.Items {
			p.wrap("  yes  ", "       ", i.Question)
		}
	}
}

// textWidth is the width that the text format keeps to.
const textWidth = 80

// page collects lines of at most so many columns, textWidth where nothing else is said.
type page struct {
	strings.Builder
	width int
}

func (p *page) columns() int {
	if p.width == 0 {
		return textWidth
	}
	return p.width
}

// line writes one line as it is.
func (p *page) line(s string) {
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}

// wrap writes text below first, which begins the first line, and rest, which begins the others.
func (p *page) wrap(first, rest, text string) {
	for _, l := range words.Wrap(first, rest, text, p.columns()) {
		p.line(l)
	}
}

// gap leaves a line empty.
func (p *page) gap() *page {
	p.line("")
	return p
}

// textAlerts shows the rules that fired, and those of the cluster's own that cannot, and counts the others.
func textAlerts(p *page, v *view.View) {
	rows := v.AlertRows()
	if len(rows) == 0 {
		return
	}
	p.gap().wrap("ALERTS  ", "  ", v.AlertSum()+"; the html and json formats have them with their expressions")
	for _, r := range rows {
		if own := r.Origin != "seed" && r.Origin != "builtin"; own || r.Result == "fired" { // what is wrong with a popular rule is news only for who has it
			p.wrap("  ", "    ", textAlert(r, own))
		}
	}
}

// textAlert is what a rule did, in a sentence.
func textAlert(r view.AlertView, own bool) string {
	text := words.OneLine(r.Name) + " (" + words.OneLine(r.Source) + "): " + r.Outcome
	if r.At != "" {
		text += " at " + r.At + words.If(r.Lead != "", ", "+r.Lead+" Multi-Attach began") + words.If(r.Left != "", ", "+r.Left)
	}
	parts := []string{text, words.If(r.Seen > 1, fmt.Sprintf("for %d incidents", r.Seen)),
		words.If(r.Beside > 0, words.Count(r.Beside, "firing")+" elsewhere"), words.If(r.Served != "" && own, "the server's own: "+r.Served),
		words.If(!strings.HasPrefix(r.Note, "synthesised"), r.Note)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "; ")
}
