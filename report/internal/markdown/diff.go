package markdown

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// commentChanges is how many changes of a kind a comment shows.
const commentChanges = 12

// Diff writes a comparison as a comment in GitHub's Markdown.
func Diff(w io.Writer, d *model.Diff) error { return writeDiff(w, d, githubMarkup) }

// JiraDiff writes it in Jira's wiki markup.
func JiraDiff(w io.Writer, d *model.Diff) error { return writeDiff(w, d, jiraMarkup) }

func writeDiff(w io.Writer, d *model.Diff, language markup) error {
	v, m := view.NewDiffView(d), &comment{markup: language}
	m.line(m.heading("What changed"))
	m.gap().line(m.prose(d.Headline))
	m.gap().lines(m.facts([][2]string{{"Before", m.prose(v.Sides[0])}, {"After", m.prose(v.Sides[1])}, {"Cluster", m.prose(v.Same)},
		{"VolumeAttachments", m.prose(v.Counts)}}))
	if len(d.CannotTell) > 0 {
		m.line("")
		for _, text := range d.CannotTell {
			m.line(m.bullet + m.bold("Cannot tell.") + " " + m.prose(text) + ".")
		}
	}
	m.changes(v.Incidents, []string{"Incident", "", "What became of it", "Phases"}, m.incidentChange)
	m.changes(v.Faults, []string{"Fault", "", "What it says"}, func(c view.ChangeView) []string {
		return []string{m.prose(c.Title), m.bold(m.prose(c.Change)), m.prose(c.Texts[0])}
	})
	m.changes(v.Attachments, []string{"Volume", "", "VolumeAttachment"}, func(c view.ChangeView) []string {
		return []string{m.code(c.Title), m.bold(m.prose(c.Change)), m.prose(c.Texts[0])}
	})
	m.gap().line(m.prose(view.TimesText(cmp.Or(d.Before.StandIn, d.After.StandIn))) + " " +
		m.prose(strings.TrimSpace(d.Generator.Name+" "+d.Generator.Version)) + ".")
	_, err := io.WriteString(w, m.String())
	return err
}

// changes is a table of changes.
func (m *comment) changes(list []view.ChangeView, head []string, cells func(view.ChangeView) []string) {
	if len(list) == 0 {
		return
	}
	m.gap().tableHead(strings.Repeat("l", len(head)), head...)
	for i, c := range list {
		if i == commentChanges {
			m.tableRow(append([]string{fmt.Sprintf("and %d more", len(list)-i)}, make([]string, len(head)-1)...)...)
			break
		}
		m.tableRow(cells(c)...)
	}
}

func (m *comment) incidentChange(c view.ChangeView) []string {
	text := strings.Join(c.Texts, " ")
	for _, t := range c.CannotTell {
		text += " Cannot tell: " + t + "."
	}
	parts := view.Each(c.Phases, func(p [2]string) string { return p[0] + " " + p[1] })
	return []string{m.code(c.Title), m.bold(m.prose(c.Change)), m.prose(text), m.prose(strings.Join(parts, "; "))}
}
