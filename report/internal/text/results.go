package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

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
	for _, text := range []string{remedy.ChangesText(), remedy.Why, in.Story().Remedies.Outlook, in.Story().Remedies.Model} {
		if text != "" {
			p.wrap("           ", "           ", text)
		}
	}
	if first := in.Advice().First(); first != nil {
		p.wrap("advised    ", "           ", first.Name+": "+first.Effect()+".")
	}
	whatIfWaterfalls(p, in.Incident, remedy.Remediation)
	whatIfSafety(p, v, remedy)
	for _, problem := range answer.Problems {
		p.gap().wrap("", "  ", words.Capital(words.Visible(problem.Message))+".")
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// whatIfWaterfalls draws the incident as it was and as it would have been.
func whatIfWaterfalls(p *page, in model.Incident, answer model.Remediation) {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	if answer.PredictedEnd != nil {
		total = max(total, answer.PredictedEnd.At.Sub(from))
	}
	title := "As it was: " + words.Seconds(in.Span.Seconds.Best) + words.If(in.Span.Open, ", still blocked when the bundle was collected")
	whatIfBars(p, title, in.Phases, from, total)
	if answer.PredictedEnd == nil || len(answer.PredictedPhases) == 0 {
		return
	}
	whatIfBars(p, "As it would have been: "+view.Span(in.Span.From.Until(*answer.PredictedEnd)), answer.PredictedPhases, from, total)
}

func whatIfBars(p *page, title string, phases []model.Phase, from time.Time, total time.Duration) {
	p.gap().wrap("", "  ", title)
	for _, phase := range phases {
		b := view.PhaseView{Start: view.Share(phase.From.At, from, total)}
		b.Width = view.Share(phase.To.At, from, total) - b.Start
		p.wrap(fmt.Sprintf("  %-12s %s ", words.OneLine(string(phase.ID)), b.Line()), strings.Repeat(" ", 15),
			words.Seconds(phase.Seconds.Best)+" from "+view.ClockAt(phase.From.At))
	}
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
