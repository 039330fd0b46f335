// Package markdown writes comments for tickets, in GitHub's Markdown and in Jira's wiki markup.
package markdown

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

// How much a ticket comment shows before it refers to the other formats.
const (
	commentGroups = 10 // rows of the table of groups
	commentCauses = 3
	commentPlaces = 2 // quotes of one cause
)

// markup is a language of comments. What prose and code take is text of a bundle; the others take what is already markup.
type markup struct {
	prose, code func(text string) string
	heading     func(text string) string
	bold        func(text string) string
	bullet      string // that begins an item of a list
	row         func(cells []string) string
	head        func(align string, cells []string) []string // one letter for each column: l or r
	facts       func(pairs [][2]string) []string            // a table of names and values
	fenced      func(language string, lines []string) []string
	panel       [2]string                    // around the answer; empty where the language has none
	fold        func(title string) [2]string // around what is not shown until a reader opens it
}

// comment collects the lines of a comment.
type comment struct {
	strings.Builder
	markup
}

// Write writes the comment in GitHub's Markdown.
func Write(w io.Writer, r *model.Report, zone *time.Location) error {
	return writeComment(w, r, githubMarkup, zone)
}

// Jira writes it in Jira's wiki markup.
func Jira(w io.Writer, r *model.Report, zone *time.Location) error {
	return writeComment(w, r, jiraMarkup, zone)
}

func writeComment(w io.Writer, r *model.Report, language markup, zone *time.Location) error {
	_, err := io.WriteString(w, commentOf(view.In(r, zone), language))
	return err
}

// Comment is the comment in GitHub's Markdown.
func Comment(v *view.View) string { return commentOf(v, githubMarkup) }

// commentOf is the answer, and folded below it the phases, causes and remedies, of several incidents those of the answer's.
func commentOf(v *view.View, language markup) string {
	m := &comment{markup: language}
	m.answer(v.Answer())
	fold := m.fold("Phases, causes, remedies and evidence")
	m.gap().line(fold[0])
	m.next(v)
	if in := v.Main(); in != nil {
		m.groups(v)
		m.incident(v, in)
		m.alerts(v, in)
	}
	if len(v.Findings) > 0 {
		count := words.Capital(words.Count(len(v.Findings), "finding"))
		m.gap().line(fmt.Sprintf("%s beside the incidents: %s.", count, m.prose(findingTitles(v.Findings))))
	}
	m.gap().line("Evidence gaps: " + m.prose(v.Gaps.String()) + ". Bundle " + m.code(cmp.Or(v.Bundle.Root, "unnamed")) +
		", Kubernetes " + m.prose(cmp.Or(v.Bundle.KubernetesVersion, "version unknown")) +
		", collected " + m.prose(view.Collection(v.Bundle.CapturedAt, v.Bundle.CapturedHow, "at an unknown time")) + ". " + m.prose(v.Times()) +
		" " + m.prose(strings.TrimSpace(v.Generator.Name+" "+v.Generator.Version)) + ".")
	m.gap().line(fold[1])
	return m.String()
}

// findingTitles names the first findings.
func findingTitles(list []model.Finding) string {
	const most = 4
	var titles []string
	for _, f := range list {
		if !slices.Contains(titles, f.Title) {
			titles = append(titles, f.Title)
		}
	}
	if more := len(titles) - most; more > 0 {
		titles = append(titles[:most], fmt.Sprintf("and %d more kinds", more))
	}
	return strings.Join(titles, "; ")
}

func (m *comment) line(s string) {
	m.WriteString(strings.TrimRight(s, " "))
	m.WriteByte('\n')
}

// gap leaves a line empty.
func (m *comment) gap() *comment {
	m.line("")
	return m
}

func (m *comment) lines(list []string) {
	for _, l := range list {
		m.line(l)
	}
}

// tableRow is a row of a table; its cells are markup.
func (m *comment) tableRow(cells ...string) { m.line(m.row(cells)) }

// tableHead begins a table.
func (m *comment) tableHead(align string, cells ...string) { m.lines(m.head(align, cells)) }

// groups lists the groups when the report has several incidents.
func (m *comment) groups(v *view.View) {
	if len(v.Incident) < 2 {
		return
	}
	m.gap().tableHead("lr", "Group", "Incidents")
	for i, g := range v.Group {
		if i == commentGroups {
			m.tableRow(fmt.Sprintf("and %d more groups", len(v.Group)-i), "")
			break
		}
		m.tableRow(m.prose(g.Title), words.Number(len(g.Members)))
	}
}

// incident writes one incident.
func (m *comment) incident(v *view.View, in *view.IncidentView) {
	name := "unknown"
	if in.BlockingAttachment.Name != nil {
		name = *in.BlockingAttachment.Name
	}
	m.line("")
	if len(v.Incident) > 1 {
		m.line(m.bold(fmt.Sprintf("Incident %d", in.Number)))
		m.line("")
	}
	m.lines(m.facts([][2]string{
		{"Volume", m.code(view.VolumeName(in.Volume))},
		{"Nodes", m.code(cmp.Or(in.From.Node, "unknown")) + " → " + m.code(cmp.Or(in.To.Node, in.Words().To))},
		{"Blocked by", "VolumeAttachment " + m.code(name)},
		{in.Words().Lasted, m.prose(in.Wait)},
		{"Whole span", m.prose(view.SpanText(in.Incident))},
	}))
	m.causes(v, in)
	m.waterfall(in)
	m.remedies(in)
}

// causes are the first causes, each with the places of its first quotes.
func (m *comment) causes(v *view.View, in *view.IncidentView) {
	m.line("")
	for i, c := range in.Story().Cause {
		if i == commentCauses {
			m.line(m.bullet + "and " + words.Count(len(in.Story().Cause)-i, "more cause"))
			break
		}
		var places []string
		for _, id := range v.Cited(c.For) {
			if len(places) == commentPlaces {
				break
			}
			places = append(places, m.code(v.Short(v.Evidence[v.EvidenceAt[id]].Source)))
		}
		text := m.bullet + m.bold(m.prose(string(c.Verdict))) + " " + m.code(c.ID) +
			" (explains " + m.prose(c.Explained) + "): " + m.prose(c.Summary)
		if len(places) > 0 {
			text += " Evidence: " + strings.Join(places, ", ")
		}
		m.line(text)
	}
}

// waterfall is the phases as a table, with a bar of letters that survives every renderer.
func (m *comment) waterfall(in *view.IncidentView) {
	if len(in.Story().Bars) == 0 {
		return
	}
	m.gap().tableHead("lrlll", "Phase", "Duration", "From", "Known", "")
	for _, b := range in.Story().Bars {
		m.tableRow(m.prose(string(b.ID)), m.prose(b.Duration), view.TimeOfDay(b.From), string(b.From.Basis), m.code(b.Line()))
	}
}

// alerts says in one paragraph which rules fired first for the incident, and which of the cluster's own cannot.
func (m *comment) alerts(v *view.View, in *view.IncidentView) {
	var fired []string
	for _, r := range v.AlertRows() {
		if r.Origin == "seed" || r.Result != "fired" {
			continue
		}
		for _, f := range r.Firings {
			if f.Incident == nil || *f.Incident != in.ID || f.LeadSeconds == nil {
				continue
			}
			name := m.code(r.Name) + words.If(r.Origin == "builtin" && r.Severity == "critical", " (critical)")
			fired = append(fired, name+" "+m.prose(view.Lead(*f.LeadSeconds)))
			break
		}
	}
	if len(fired) == 0 {
		return
	}
	const most = 4
	if more := len(fired) - most; more > 0 {
		fired = append(fired[:most], fmt.Sprintf("and %d more", more))
	}
	m.gap().line(m.bold("Alerts") + " that would have fired, against the beginning of Multi-Attach: " + strings.Join(fired, ", ") + ".")
}

// commentHelps is how many remedies have a row.
const commentHelps = 5

// remedies writes what would have shortened the incident, with the commands of the first remedy only.
func (m *comment) remedies(in *view.IncidentView) {
	r := in.Story().Remedies
	if !r.Any() {
		return
	}
	m.gap().line(m.bold("What would have shortened it.") + " " + m.prose(strings.TrimSpace(r.Outlook+" "+r.Model)) +
		words.If(len(r.Helps) > 0, " "+view.Alternatives))
	if len(r.Helps) > 0 {
		m.gap().tableHead("lll", "Remedy", "What it would have changed", "Data risk and side effects")
		for i, h := range r.Helps {
			if i == commentHelps {
				m.tableRow(fmt.Sprintf("and %d more", len(r.Helps)-i), "", "")
				break
			}
			weighed := words.Capital(strings.TrimPrefix(h.Weighed(), view.RiskName))
			m.tableRow(m.code(h.ID)+words.If(h.WasUsed, " (was used)"), m.prose(strings.TrimSpace(h.Now+" "+h.Sentence)), m.prose(weighed))
		}
		m.stacks(r)
	}
	if text := r.Others(); text != "" {
		m.gap().line(m.prose(text) + "; the html and json formats say why.")
	}
}

// stacks are the waterfalls as they would have been.
func (m *comment) stacks(r view.RemedyViews) {
	if len(r.Fall.Stacks) == 0 {
		return
	}
	var lines []string
	for _, s := range r.Fall.Stacks {
		name := words.Shorten(words.OneLine(cmp.Or(s.Remedy, s.Name)), 22)
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-22s %s %s", name, s.Line(view.StackColumns), s.Duration), " "))
	}
	lines = append(lines, r.Fall.Legend())
	m.gap().lines(m.fenced("text", lines))
}
