package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

var changeLabels = []view.Label{
	{string(model.ChangeStillOpen), "still open"}, {string(model.ChangeNew), "new"}, {string(model.ChangeEnded), "ended"}, {string(model.ChangeSame), "same"},
	{string(model.ChangeUncovered), "not covered"}, {string(model.ChangeContradicted), "told otherwise"},
	{string(model.ChangeRecreated), "made again"},
}

func changeText(k model.ChangeKind) string { return words.OneLine(view.Find(changeLabels, string(k))) }

// sideText describes one of the two collections.
func sideText(s model.DiffSide) string {
	text := cmp.Or(words.OneLine(s.Name), "unnamed") + " (" + words.OneLine(s.Kind) + "), collected " + view.Collection(s.CapturedAt, s.CapturedHow, "at an unknown time")
	if s.StandIn != nil {
		text += " (" + strings.TrimSuffix(view.TimesText(s.StandIn), ".") + ")"
	}
	return text + ", Kubernetes " + cmp.Or(words.OneLine(s.KubernetesVersion), "version unknown")
}

// attachmentCounts says how many VolumeAttachments there are, and what each side knows of them.
func attachmentCounts(d *model.Diff) string {
	side := func(s model.DiffSide) string {
		if s.AttachmentsListed {
			return words.Number(s.Attachments)
		}
		if s.Kind == "report" {
			return words.Number(s.Attachments) + " in its incidents"
		}
		return words.Number(s.Attachments) + " without a whole list"
	}
	return fmt.Sprintf("%s before, %s after, %d alike", side(d.Before), side(d.After), d.AttachmentsSame)
}

// volumeOf names the volume of an attachment by its claim, with the PersistentVolume.
func volumeOf(c model.AttachmentChange) string {
	a := c.Before
	if a == nil || a.Claim == nil && c.After != nil {
		a = c.After
	}
	if a == nil {
		return "an unknown volume"
	}
	if a.Claim != nil {
		return words.OneLine(a.Claim.String()) + " (" + cmp.Or(words.OneLine(a.Volume), "unnamed volume") + ")"
	}
	return cmp.Or(words.OneLine(a.Volume), "a volume without name")
}

// incidentTitle names an incident by volume and nodes.
func incidentTitle(d *model.IncidentDigest) string {
	return cmp.Or(words.OneLine(d.Volume), "unknown volume") + ": " + cmp.Or(words.OneLine(d.From), "unknown node") + " → " + cmp.Or(words.OneLine(d.To), "unknown node")
}

// shownDigest is the incident of a change that names it best: the later one.
func shownDigest(c model.IncidentChange) *model.IncidentDigest {
	if c.After != nil {
		return c.After
	}
	if c.Before != nil {
		return c.Before
	}
	return &model.IncidentDigest{}
}

// phaseWord says how a phase has changed.
func phaseWord(p model.PhaseChange) string {
	text := ""
	switch {
	case p.Before != nil && p.After != nil && p.Change == "same":
		text = view.Span(*p.Before) + ", unchanged"
		if p.Before.Best != p.After.Best {
			text = view.Span(*p.Before) + " → " + view.Span(*p.After) + ", the same within what is known"
		}
	case p.Before != nil && p.After != nil && p.By != nil:
		by := *p.By
		if p.Change == "shorter" {
			by = model.Range{Best: -by.Best, Min: -by.Max, Max: -by.Min}
		}
		text = words.Seconds(p.Before.Best) + " → " + words.Seconds(p.After.Best) + ", " + p.Change + " by " + view.Span(by)
	case p.After != nil:
		text = view.Span(*p.After) + ", only in the second"
	case p.Before != nil:
		text = view.Span(*p.Before) + ", only in the first"
	}
	switch p.Unfinished {
	case "before":
		text += "; had not ended in the first"
	case "after":
		text += "; has not ended in the second"
	case "both":
		text += "; has ended in neither"
	}
	return words.OneLine(text)
}

// tellingPhases are the phases that differ.
func tellingPhases(list []model.PhaseChange) []model.PhaseChange {
	var out []model.PhaseChange
	for _, p := range list {
		if p.Change != "same" || p.Unfinished != "" {
			out = append(out, p)
		}
	}
	return out
}

// phaseHeading says what the phases are compared with.
func phaseHeading(c model.IncidentChange) string {
	if c.Again != nil {
		return "phases, compared with the earlier incident of the volume at " + view.Instant(c.Again.Began)
	}
	return "phases"
}

// sortAnswers parts the questions that both sides answer from those that only one does.
func sortAnswers(list []model.AnswerChange) (told, lost, gained []model.AnswerChange) {
	answers := func(text string) bool { return text == "yes" || text == "no" }
	for _, a := range list {
		switch {
		case answers(a.Before) && !answers(a.After):
			lost = append(lost, a)
		case answers(a.After) && !answers(a.Before):
			gained = append(gained, a)
		default:
			told = append(told, a)
		}
	}
	return told, lost, gained
}

// questions are the first questions of a list, each with its answer.
func questions(list []model.AnswerChange) string {
	const most = 5
	var out []string
	for i, a := range list {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more.", len(list)-i))
			break
		}
		answer := a.Before
		if answer != "yes" && answer != "no" {
			answer = a.After
		}
		out = append(out, words.OneLine(a.Question)+" ("+view.Find(view.AnswerLabels, answer)+")")
	}
	return strings.Join(out, " ")
}
