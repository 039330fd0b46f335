package report

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

func writeDiffMarkdown(w io.Writer, d *model.Diff) error {
	return writeDiffComment(w, d, githubMarkup)
}
func writeDiffJira(w io.Writer, d *model.Diff) error { return writeDiffComment(w, d, jiraMarkup) }

// writeDiffComment writes a comparison as a comment for a ticket.
func writeDiffComment(w io.Writer, d *model.Diff, language markup) error {
	m := &comment{markup: language}
	m.line(m.heading("What changed"))
	m.line("")
	m.line(m.prose(d.Headline))
	m.line("")
	m.lines(m.facts([][2]string{
		{"Before", m.prose(sideText(d.Before))}, {"After", m.prose(sideText(d.After))}, {"Cluster", m.prose(clusterText(d.Cluster))},
		{"VolumeAttachments", m.prose(attachmentCounts(d))},
	}))
	if len(d.CannotTell) > 0 {
		m.line("")
		for _, text := range d.CannotTell {
			m.line(m.bullet + m.bold("Cannot tell.") + " " + m.prose(text) + ".")
		}
	}
	m.diffIncidents(d)
	m.diffAttachments(d)
	m.diffAnswers(d)
	m.line("")
	m.line(m.prose(view.TimesText(cmp.Or(d.Before.StandIn, d.After.StandIn))) + " " + m.prose(strings.TrimSpace(d.Generator.Name+" "+d.Generator.Version)) + ".")
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *comment) diffIncidents(d *model.Diff) {
	if len(d.Incidents) == 0 {
		return
	}
	m.line("")
	m.tableHead("llll", "Incident", "", "What became of it", "Phases")
	for i, c := range d.Incidents {
		if i == commentChanges {
			m.tableRow(fmt.Sprintf("and %d more", len(d.Incidents)-i), "", "", "")
			break
		}
		at := shownDigest(c)
		text := c.Text + "."
		if at.Cause != "" {
			text += " Cause: " + at.Cause + " (" + string(at.Verdict) + ")."
		}
		if c.CauseText != "" {
			text += " Causes: " + c.CauseText + "."
		}
		for _, t := range c.CannotTell {
			text += " Cannot tell: " + t + "."
		}
		var parts []string
		for _, p := range tellingPhases(c.Phases) {
			parts = append(parts, string(p.ID)+" "+phaseWord(p))
		}
		if c.Again != nil && len(parts) > 0 {
			parts[0] = phaseHeading(c) + ": " + parts[0]
		}
		m.tableRow(m.code(incidentTitle(at)), m.bold(m.prose(changeText(c.Change))), m.prose(text), m.prose(strings.Join(parts, "; ")))
	}
}

func (m *comment) diffAttachments(d *model.Diff) {
	if len(d.Attachments) == 0 {
		return
	}
	m.line("")
	m.tableHead("lll", "Volume", "", "VolumeAttachment")
	for i, c := range d.Attachments {
		if i == commentChanges {
			m.tableRow(fmt.Sprintf("and %d more", len(d.Attachments)-i), "", "")
			break
		}
		m.tableRow(m.code(volumeOf(c)), m.bold(m.prose(changeText(c.Change))), m.prose(c.Text))
	}
}

func (m *comment) diffAnswers(d *model.Diff) {
	told, lost, gained := sortAnswers(d.Answers)
	if len(told) > 0 {
		m.line("")
		m.tableHead("ll", "Inspection", "Answer")
		for i, a := range told {
			if i == commentChanges {
				m.tableRow(fmt.Sprintf("and %d more", len(told)-i), "")
				break
			}
			m.tableRow(m.prose(a.Question), m.prose(answerText(a)))
		}
	}
	for _, l := range []struct {
		name string
		list []model.AnswerChange
	}{{"Only the first can tell:", lost}, {"Only the second can tell:", gained}} {
		if len(l.list) > 0 {
			m.line("")
			m.line(m.bold(l.name) + " " + m.prose(questions(l.list)))
		}
	}
}
