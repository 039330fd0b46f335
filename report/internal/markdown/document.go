package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// document writes the post-mortem of the answer's incident, to be completed by who knows more; of a report without one, the answer.
func (m *comment) document(v *view.View, rows int) {
	a := v.Answer()
	m.line(m.heading(m.prose(title(a))))
	m.summary(a)
	if a.Open || a.Incident == nil || a.Advice == nil {
		m.steps(a)
	}
	if in := a.Incident; in != nil {
		m.impact(v, in)
		m.rootCause(in, a)
		m.timeline(in, rows)
	}
	if a.Advice != nil {
		m.done(a.Advice)
		if !a.Open {
			m.steps(a)
		}
		m.actions(a.Advice)
	}
	m.evidence(v, a)
}

func title(a view.Answer) string {
	if a.Incident == nil {
		return a.Chip
	}
	if a.Open {
		return "Incident: " + a.Incident.Title
	}
	return "Post-mortem: " + a.Incident.Title
}

// summary is the state, who suffers and why, and what a reader has to mind.
func (m *comment) summary(a view.Answer) {
	m.begin("Summary")
	text := m.bold(m.prose(a.Chip)+".") + " " + m.prose(a.Headline)
	m.line(text + words.If(a.Why != "", " "+m.prose(a.Why)) + words.If(a.Compared != "", " "+m.prose(a.Compared)))
	var facts []string
	for _, b := range a.Banners {
		facts = append(facts, m.bold("Mind:")+" "+m.prose(b))
	}
	for _, f := range a.Ignored {
		facts = append(facts, m.bold("Ignored:")+" "+m.prose(f))
	}
	if a.Incident == nil && len(a.About) > 0 { // of an incident the impact has them
		facts = append(facts, m.bold(a.AboutLabel()+":")+" "+m.prose(strings.Join(a.About, "; ")))
	}
	if text := a.Sure.Text(); text != "" {
		facts = append(facts, m.bold("How sure:")+" "+m.prose(text+words.If(len(a.Sure.Missing) > 0, "; missing: "+view.Listed(a.Sure.Missing, 4))))
	} else if len(a.Sure.Missing) > 0 {
		facts = append(facts, m.bold("Missing:")+" "+m.prose(view.Listed(a.Sure.Missing, 4)))
	}
	if len(a.Others) > 0 {
		facts = append(facts, m.bold("Also:")+" "+m.prose(view.Listed(view.OtherTexts(a.Others), 3)))
	}
	if len(facts) > 0 {
		m.line("")
	}
	for _, f := range facts {
		m.line(m.bullet + f)
	}
}

// impact is who was down, how long, and from when to when.
func (m *comment) impact(v *view.View, in *view.IncidentView) {
	m.begin("Impact")
	who := "unknown: no source names the owner of the pods"
	if in.Workload != nil {
		who = m.prose(in.Workload.Kind) + " " + m.code(in.Workload.String())
	} else if pods := slices.Concat(in.To.Pods, in.From.Pods); len(pods) > 0 {
		who = "pod " + m.code(view.Refs(pods[:1]))
	}
	m.lines(m.facts([][2]string{
		{"Who", who},
		{"How long", m.prose(in.HowLong())},
		{"From–to", m.prose(cmp.Or(view.WhenText(in.Incident), "unknown"))},
		{"Volume", m.code(view.VolumeName(in.Volume)) + " from " + m.code(cmp.Or(in.From.Node, "unknown")) + " to " +
			m.code(cmp.Or(in.To.Node, in.Words().To))},
	}))
	m.groups(v)
}

// causesMost is how many causes are told beside the primary one.
const causesMost = 2

// rootCause is the primary cause, where the time went and what else contributed.
func (m *comment) rootCause(in *view.IncidentView, a view.Answer) {
	m.begin("Root cause")
	causes := in.Story().Cause
	if len(causes) == 0 {
		m.line("None established.")
	}
	for i, c := range causes[:min(len(causes), causesMost+1)] {
		text := m.bold(m.prose(string(c.Verdict))) + " " + m.code(c.ID) + ": " + m.prose(in.Unhashed(c.Summary))
		if i == 0 {
			m.line(text)
			m.line("")
		} else {
			m.line(m.bullet + "Contributed, " + text)
		}
	}
	if len(a.Bar) > 1 {
		m.line(m.bullet + "Where the time went, " + m.prose(view.BarText(a.Bar)))
	}
	if h := a.Held; h != nil && h.Because != "" {
		m.line(m.bullet + "What the controller waited for longest: " + m.prose(in.Unhashed(h.Because)))
	}
}

// timeline is the incident in a few rows.
func (m *comment) timeline(in *view.IncidentView, rows int) {
	list := in.Milestones(rows)
	if len(list) == 0 {
		return
	}
	m.begin("Timeline")
	m.tableHead("ll", "Time"+view.Zone(in.Span.From.At), "What happened")
	for _, l := range list {
		m.tableRow(l.Time, m.prose(l.Text))
	}
}

// doneMost is how many acts a post-mortem has.
const doneMost = 8

// done is what was done, and what it was worth.
func (m *comment) done(a *view.AdviceView) {
	m.begin("What was done and what it was worth")
	if len(a.Done) == 0 {
		m.line("Nothing in the bundle shows an action.")
	}
	shown := a.Shown(doneMost)
	for _, d := range shown {
		m.line(m.bullet + m.prose(d.Line()))
	}
	if more := a.MoreActs(len(shown)); more != "" {
		m.line(m.bullet + "and " + more)
	}
}

// steps is what to do, or what would have been better, with every command in a block that can be copied.
func (m *comment) steps(a view.Answer) {
	if a.Tense == "" && len(a.Steps) == 0 && a.NoCommand() == "" {
		return
	}
	m.begin(m.prose(cmp.Or(stepsHead(a), "What to do")))
	if first := a.Advice.First(); first != nil {
		m.line(m.bold(m.prose(first.Name)+".") + " " + m.prose(first.Sentence()) + words.If(first.Side() != "", " Side effect: "+m.prose(first.Side())+"."))
	} else if a.Advice != nil && !a.Open {
		m.line(a.Advice.Nothing)
	}
	for _, part := range a.Steps {
		m.part(part.Name, part.List)
	}
	if text := a.NoCommand(); text != "" {
		m.gap().line(m.prose(text))
	}
	if text := floorText(a.Advice); text != "" {
		m.gap().line(m.prose(text))
	}
}

// floorText is the floor, and what waiting cost.
func floorText(a *view.AdviceView) string {
	if a == nil {
		return ""
	}
	text := a.Floor
	if a.Curve != nil {
		text += " " + a.Curve.Numbers()
	}
	return strings.TrimSpace(text)
}

// stepsHead heads the steps of an incident that is over by what they are in a post-mortem.
func stepsHead(a view.Answer) string {
	if a.Advice != nil && !a.Open {
		return "What would have been better"
	}
	return a.Tense
}

// part is Prove, Act or After: what each command is for, and the commands whole and in order.
func (m *comment) part(name string, list []view.Todo) {
	texts := view.Each(list, func(s view.Todo) string { return m.prose(s.Text) })
	m.gap().line(m.bold(name+":") + " " + strings.Join(texts, "; then "))
	var commands []string
	for _, s := range list {
		if s.Command != "" {
			commands = append(commands, s.Command)
		}
	}
	if len(commands) > 0 {
		m.lines(m.fenced("sh", commands))
	}
}

// actions is a table to complete: who does what prevents the next one.
func (m *comment) actions(a *view.AdviceView) {
	m.begin("Action items")
	m.tableHead("llll", "Action", "Effort", "Would have saved", "Owner")
	for _, o := range a.Prevent {
		m.tableRow(m.prose(o.Name), m.prose(string(o.Effort)), m.prose(o.Saves()), "")
	}
	if len(a.Prevent) == 0 {
		m.tableRow("", "", "", "")
	}
}

// quotesMost is how many quotes the fold has.
const quotesMost = 6

// evidence is the fold: whole names, quotes, and what the report could not decide.
func (m *comment) evidence(v *view.View, a view.Answer) {
	fold := m.fold("Evidence")
	m.gap().line(fold[0])
	m.next(v)
	m.line("")
	if in := a.Incident; in != nil {
		m.names(in)
		m.quotes(v, in)
	}
	m.findings(v)
	m.line(m.bullet + "Evidence gaps: " + m.prose(v.Gaps.String()) + ". Bundle " + m.code(cmp.Or(v.Bundle.Root, "unnamed")) +
		", Kubernetes " + m.prose(cmp.Or(v.Bundle.KubernetesVersion, "version unknown")) +
		", collected " + m.prose(view.Collection(v.Bundle.CapturedAt, v.Bundle.CapturedHow, "at an unknown time")) + ". " + m.prose(v.Times()) +
		" " + m.prose(strings.TrimSpace(v.Generator.Name+" "+v.Generator.Version)) + ".")
	m.gap().line(fold[1])
}

// names are the names that are hashes.
func (m *comment) names(in *view.IncidentView) {
	if name := in.BlockingAttachment.Name; name != nil {
		m.line(m.bullet + "VolumeAttachment " + m.code(*name))
	}
	if pv := in.Volume.PersistentVolume; pv != "" {
		m.line(m.bullet + "PersistentVolume " + m.code(pv))
	}
}

// quotes are the places of the quotes that the first causes rest on.
func (m *comment) quotes(v *view.View, in *view.IncidentView) {
	lists := [][]string{}
	for _, c := range in.Story().Cause[:min(len(in.Story().Cause), causesMost+1)] {
		lists = append(lists, c.For)
	}
	cited := v.Cited(lists...)
	for i, id := range cited {
		if i == quotesMost {
			m.line(m.bullet + fmt.Sprintf("and %d more; the html and json formats have them", len(cited)-i))
			break
		}
		e := v.Evidence[v.EvidenceAt[id]]
		m.line(m.bullet + m.code(v.Short(e.Source)) + ": " + m.code(words.Excerpt(words.OneLine(e.Text), 160)))
	}
}

// next are the commands to run next, of what the evidence leaves open.
func (m *comment) next(v *view.View) {
	for n, s := range v.Next() {
		label := "Next, "
		if n > 0 {
			label = "Then, "
		}
		m.gap().line(label + "to decide " + m.prose(s.Decides) + ": " + m.code(s.Command))
		m.line("")
		for _, a := range s.Answers {
			m.line(m.bullet + m.bold(m.prose(a.If)) + ": " + m.prose(a.Then))
		}
	}
}

// findingsMost is how many findings the fold has, those that need an action first.
const findingsMost = 6

// findings are what was found beside the incidents, each with its command, and the beliefs that do not hold in one line.
func (m *comment) findings(v *view.View) {
	found, beliefs := v.FindingsAndBeliefs()
	slices.SortStableFunc(found, func(a, b model.Finding) int { return cmp.Compare(told(a), told(b)) })
	for i, f := range found {
		if i == findingsMost {
			m.line(m.bullet + words.Count(len(found)-i, "more finding") + "; the html and json formats have them")
			break
		}
		first := f.Objects[:min(1, len(f.Objects))]
		text := m.prose(words.Capital(f.Severity)+": "+f.Title+words.If(len(first) > 0, ", "+view.Refs(first))) + "."
		if do := view.InstructionOf(f.Remedy); do.Command != "" {
			text += " " + m.code(do.Command)
		} else if do.Text != "" {
			text += " " + m.prose(do.Text)
		}
		m.line(m.bullet + text)
	}
	if beliefs != "" {
		m.line(m.bullet + m.prose(beliefs) + ".")
	}
}

// told puts what is for information behind what is to be done.
func told(f model.Finding) int {
	if f.Severity == string(model.Info) {
		return 1
	}
	return 0
}
