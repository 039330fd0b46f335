package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// How much of a comparison the text shows; the rest is counted and is in the JSON.
const (
	diffAttachments = 40
	diffIncidents   = 40
	diffAnswers     = 20
)

// writeDiffText writes a comparison for a terminal: at most 80 columns, no colour.
func writeDiffText(w io.Writer, d *model.Diff) error {
	p := &page{}
	p.wrap("DIFF: ", "  ", d.Headline)
	p.line("")
	p.wrap("before     ", "           ", sideText(d.Before))
	p.wrap("after      ", "           ", sideText(d.After))
	p.wrap("cluster    ", "           ", clusterText(d.Cluster))
	if len(d.CannotTell) > 0 {
		p.line("")
		p.line("CANNOT TELL")
		for _, text := range d.CannotTell {
			p.wrap("  ", "    ", text+".")
		}
	}
	diffIncidentText(p, d)
	diffAttachmentText(p, d)
	diffAnswerText(p, d)
	_, err := io.WriteString(w, p.String())
	return err
}

func clusterText(s model.SameAs) string {
	return view.Find([]view.Label{{string(model.True), "the same"}, {string(model.Unknown), "not known to be the same"}, {string(model.False), "another"}}, string(s.Value)) + ": " + s.Text
}

func answerText(a model.AnswerChange) string {
	return view.Find(view.AnswerLabels, a.Before) + " → " + view.Find(view.AnswerLabels, a.After)
}

func diffIncidentText(p *page, d *model.Diff) {
	p.line("")
	p.line(fmt.Sprintf("INCIDENTS  %d before, %d after", d.Before.Incidents, d.After.Incidents))
	for i, c := range d.Incidents {
		if i == diffIncidents {
			p.line(fmt.Sprintf("  and %d more; -o json has them", len(d.Incidents)-i))
			return
		}
		at := shownDigest(c)
		p.wrap(fmt.Sprintf("  %-14s ", changeText(c.Change)), strings.Repeat(" ", 17), incidentTitle(at))
		rest := strings.Repeat(" ", 17)
		p.wrap(rest, rest, c.Text+".")
		if at.Cause != "" {
			p.wrap(rest, rest, "Cause: "+at.Cause+" ("+string(at.Verdict)+").")
		}
		if c.CauseText != "" {
			p.wrap(rest, rest, "Causes: "+c.CauseText+".")
		}
		if told := tellingPhases(c.Phases); len(told) > 0 {
			p.wrap(rest, rest, words.Capital(phaseHeading(c))+":")
			for _, ph := range told {
				p.wrap(rest+fmt.Sprintf("%-12s ", words.OneLine(string(ph.ID))), rest+strings.Repeat(" ", 13), phaseWord(ph))
			}
		}
		for _, text := range c.CannotTell {
			p.wrap(rest, rest, "Cannot tell: "+text+".")
		}
	}
}

func diffAttachmentText(p *page, d *model.Diff) {
	p.line("")
	p.wrap("VOLUMEATTACHMENTS  ", "  ", attachmentCounts(d))
	for i, c := range d.Attachments {
		if i == diffAttachments {
			p.line(fmt.Sprintf("  and %d more; -o json has them", len(d.Attachments)-i))
			return
		}
		rest := strings.Repeat(" ", 17)
		p.wrap(fmt.Sprintf("  %-14s ", changeText(c.Change)), rest, volumeOf(c))
		p.wrap(rest, rest, c.Text+".")
		for _, a := range []*model.AttachmentState{c.Before, c.After} {
			if a != nil && (a == c.Before || c.Before == nil || a.Name != c.Before.Name) {
				p.wrap("      ", "        ", a.Name) // a hash, which is too long for the column
			}
		}
	}
}

// diffAnswerText tells the questions that both sides answer, and names those that only one does.
func diffAnswerText(p *page, d *model.Diff) {
	if len(d.Answers) == 0 {
		return
	}
	p.line("")
	p.line("INSPECTION")
	told, lost, gained := sortAnswers(d.Answers)
	for i, a := range told {
		if i == diffAnswers {
			p.line(fmt.Sprintf("  and %d more; -o json has them", len(told)-i))
			break
		}
		p.wrap("  ", "    ", a.Question+" "+answerText(a)+": "+a.Text)
	}
	if len(lost) > 0 {
		p.wrap("  ", "    ", "Only the first can tell: "+questions(lost))
	}
	if len(gained) > 0 {
		p.wrap("  ", "    ", "Only the second can tell: "+questions(gained))
	}
}
