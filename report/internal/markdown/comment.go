// Package markdown writes post-mortems for tickets, in GitHub's Markdown and in Jira's wiki markup.
package markdown

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// markup is a language of comments. What prose and code take is text of a bundle; the others take what is already markup.
type markup struct {
	prose, code func(text string) string
	heading     func(text string) string
	section     func(text string) string // a heading below it
	bold        func(text string) string
	bullet      string // that begins an item of a list
	row         func(cells []string) string
	head        func(align string, cells []string) []string // one letter for each column: l or r
	facts       func(pairs [][2]string) []string            // a table of names and values
	fenced      func(language string, lines []string) []string
	fold        func(title string) [2]string // around what is not shown until a reader opens it
}

// comment collects the lines of a comment.
type comment struct {
	strings.Builder
	markup
}

// Write writes the post-mortem in GitHub's Markdown.
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

// Comment is the post-mortem in GitHub's Markdown.
func Comment(v *view.View) string { return commentOf(v, githubMarkup) }

// linesMost is how many lines a post-mortem has; its timeline is cut until it has no more.
const linesMost = 90

// commentOf is the post-mortem of the answer's incident.
func commentOf(v *view.View, language markup) string {
	text := ""
	for _, rows := range []int{15, 12, 9, 6} {
		m := &comment{markup: language}
		m.document(v, rows)
		if text = m.String(); strings.Count(text, "\n") <= linesMost {
			break
		}
	}
	return text
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

// begin begins a section.
func (m *comment) begin(title string) {
	m.gap().line(m.section(title))
}

// tableRow is a row of a table; its cells are markup.
func (m *comment) tableRow(cells ...string) { m.line(m.row(cells)) }

// tableHead begins a table.
func (m *comment) tableHead(align string, cells ...string) { m.lines(m.head(align, cells)) }

// commentGroups is how many rows the table of groups has.
const commentGroups = 10

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
