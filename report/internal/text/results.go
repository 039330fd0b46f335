package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// Bundle says what was read of a bundle, how its times were placed, and what it lacks.
func Bundle(w io.Writer, r *model.Report) error {
	v, p := view.New(r), &page{}
	textBundle(p, v)
	for _, u := range v.Bundle.Unreadable {
		p.wrap("not read   ", "           ", words.OneLine(u.Path+": "+u.Why))
	}
	textCovered(p, v)
	textTimed(p, v)
	textProblemList(p, v, len(v.Bundle.Problems))
	textNotCollected(p, v)
	_, err := io.WriteString(w, p.String())
	return err
}

// textTimed are the inputs that say when something happened, each with its clock.
func textTimed(p *page, v *view.View) {
	timed := slices.DeleteFunc(slices.Clone(v.Bundle.Inputs), func(in model.Input) bool { return in.Used == 0 || in.From == nil && in.Clock == nil })
	if len(timed) == 0 {
		return
	}
	p.gap().line("WHAT HAS TIMES")
	if v.Below != "" {
		p.wrap("  below ", "    ", words.OneLine(v.Below))
	}
	for _, in := range timed {
		p.wrap("  ", "    ", words.OneLine(v.Short(model.Source{Path: in.Path})))
		p.wrap("      ", "        ", fmt.Sprintf("%s, %d of %s used%s", in.Kind, in.Used, words.Count(in.Records, "record"), view.FromTo(in.From, in.To)))
		if c := in.Clock; c != nil {
			p.wrap("      clock: ", "        ", view.ClockText(*c))
		}
	}
}

// Fleet sums up many reports.
func Fleet(w io.Writer, f *model.Fleet) error {
	p := &page{}
	for i, fact := range view.FleetFacts(f) {
		if i == 0 {
			p.wrap("FLEET: ", "  ", fact)
			continue
		}
		p.wrap("", "  ", fact)
	}
	for _, t := range view.FleetTables(f) {
		p.gap().line(strings.ToUpper(t.Title))
		if t.Note != "" {
			p.wrap("  ", "  ", t.Note)
		}
		fleetTextTable(p, t)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// fleetTextTable aligns a table; a name that is too long for its column stands in a line of its own.
func fleetTextTable(p *page, t view.FleetTable) {
	const nameColumns = 26
	if len(t.Head) == 2 {
		for _, r := range t.Rows {
			p.wrap("  ", "    ", r[0]+": "+r[1])
		}
	} else {
		for _, r := range append([][]string{t.Head}, t.Rows...) {
			name, line := r[0], ""
			if words.Columns(name) > nameColumns {
				p.wrap("  ", "    ", name)
				name = ""
			}
			line = "  " + name + strings.Repeat(" ", nameColumns-words.Columns(name))
			for n, cell := range r[1:] {
				if n == len(r)-2 {
					line += "  " + cell // it may be a range
					continue
				}
				line += " " + strings.Repeat(" ", max(max(words.Columns(t.Head[n+1]), 8)-words.Columns(cell), 0)) + cell
			}
			p.line(line)
		}
	}
	if t.Left > 0 {
		p.line(fmt.Sprintf("  and %d more; -o csv and -o json have them", t.Left))
	}
}

// Graph writes objects and their relations as a tree.
func Graph(w io.Writer, c *model.Chain) error {
	p := &page{}
	for _, problem := range c.Problems {
		p.wrap("", "", words.Capital(words.OneLine(problem.Message))+".")
	}
	_, err := io.WriteString(w, view.Tree(view.New(&model.Report{Graph: c.Graph}).Graph)+p.String())
	return err
}

// WhatIf writes both waterfalls on one scale, and between what was asked and how to do it the prediction.
func WhatIf(w io.Writer, answer *model.WhatIf) error {
	r := &model.Report{Incidents: []model.Incident{answer.Incident}, Evidence: answer.Evidence}
	r.Incidents[0].Remediations = []model.Remediation{answer.Answer}
	v, p := view.New(r), &page{}
	in := v.Incident[0]
	remedy := view.NewRemedyView(v, in, v.Incidents[0].Remediations[0])
	p.wrap("WHAT IF: ", "  ", cmp.Or(words.Visible(strings.Join(answer.Asked, ", ")), "nothing were different"))
	p.gap().wrap("bundle     ", "           ", cmp.Or(words.OneLine(words.Visible(answer.Bundle)), "unnamed"))
	p.wrap("incident   ", "           ", in.Title+" ("+in.ID+")")
	if answer.StandIn != nil {
		p.wrap("times      ", "           ", view.TimesText(answer.StandIn))
	}
	p.wrap("was        ", "           ", view.SpanText(in.Incident))
	p.wrap("would be   ", "           ", remedy.Sentence)
	for _, text := range []string{remedy.Why, in.Story().Remedies.Outlook, in.Story().Remedies.Model} {
		if text != "" {
			p.wrap("           ", "           ", text)
		}
	}
	if first := in.Advice().First(); first != nil {
		p.wrap("advised    ", "           ", first.Name+": "+first.Effect()+".")
	}
	textStacks(p, view.FallOf(in.Incident, remedy))
	whatIfSafety(p, v, remedy)
	for _, problem := range answer.Problems {
		p.gap().wrap("", "  ", words.Capital(words.Visible(problem.Message))+".")
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// whatIfSafety says what it would have put at risk, what else it does, and how it is done.
func whatIfSafety(p *page, v *view.View, r view.RemedyView) {
	if len(r.Safety.Needs) == 0 && len(r.Commands) == 0 && len(r.SideEffects) == 0 {
		return
	}
	p.gap().wrap("", "  ", "Data risk: "+r.Risk())
	for _, n := range r.Met {
		p.wrap("  ", "    ", view.NeedText(n)+placesOf(v, n))
	}
	for _, n := range r.Proof {
		p.wrap("  to be proven first: ", "    ", view.NeedText(n)+placesOf(v, n))
	}
	if len(r.Proof) == 0 && r.DataRisk != model.RiskNone {
		p.wrap("  ", "    ", view.NoProof)
	}
	if text := r.SideText(); text != "" {
		p.wrap("", "  ", words.Capital(text))
	}
	for _, c := range r.Commands {
		p.line("    " + words.OneLine(c))
	}
}

// placesOf are the places of a condition's quotes.
func placesOf(v *view.View, n model.Need) string {
	places := view.Each(v.Cited(n.Evidence), func(id string) string { return view.Place(v.Evidence[v.EvidenceAt[id]].Source) })
	return words.If(len(places) > 0, " ["+strings.Join(places, ", ")+"]")
}
