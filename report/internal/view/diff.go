package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// DiffView is a comparison in words.
type DiffView struct {
	*model.Diff
	Sides       [2]string // the two collections
	Same        string    // whether they are of one cluster
	Counts      string    // how many VolumeAttachments there are
	Incidents   []ChangeView
	Attachments []ChangeView
	Faults      []ChangeView
}

// ChangeView is one change in words.
type ChangeView struct {
	Title, Change string
	Texts         []string // sentences
	Phases        [][2]string
	Names         []string // of the VolumeAttachments
	CannotTell    []string
}

// NewDiffView puts a comparison into words.
func NewDiffView(d *model.Diff) DiffView {
	v := DiffView{Diff: d, Sides: [2]string{sideText(d.Before), sideText(d.After)}}
	v.Same = Find(sameLabels, string(d.Cluster.Value)) + ": " + d.Cluster.Text
	v.Counts = fmt.Sprintf("%s before, %s after, %d alike", attachmentCount(d.Before), attachmentCount(d.After), d.AttachmentsSame)
	v.Incidents, v.Attachments = Each(d.Incidents, incidentChange), Each(d.Attachments, attachmentChange)
	v.Faults = Each(d.Faults, func(f model.FaultChange) ChangeView {
		return ChangeView{Title: f.Title, Change: changeText(f.Change), Texts: []string{f.Text}}
	})
	return v
}

var sameLabels = []Label{
	{string(model.True), "the same"}, {string(model.Unknown), "not known to be the same"}, {string(model.False), "another"},
}

var changeLabels = []Label{
	{string(model.ChangeStillOpen), "still open"}, {string(model.ChangeNew), "new"}, {string(model.ChangeEnded), "ended"},
	{string(model.ChangeSame), "same"}, {string(model.ChangeUncovered), "not covered"}, {string(model.ChangeContradicted), "told otherwise"},
	{string(model.ChangeRecreated), "created again"},
}

func changeText(k model.ChangeKind) string { return words.OneLine(Find(changeLabels, string(k))) }

// sideText describes one of the two collections.
func sideText(s model.DiffSide) string {
	text := cmp.Or(words.OneLine(s.Name), "unnamed") + " (" + words.OneLine(s.Kind) + "), collected " +
		Collection(s.CapturedAt, s.CapturedHow, "at an unknown time")
	if s.StandIn != nil {
		text += " (" + strings.TrimSuffix(TimesText(s.StandIn), ".") + ")"
	}
	return text + ", Kubernetes " + cmp.Or(words.OneLine(s.KubernetesVersion), "version unknown")
}

// attachmentCount says how many VolumeAttachments one side knows of.
func attachmentCount(s model.DiffSide) string {
	if s.AttachmentsListed {
		return words.Number(s.Attachments)
	}
	if s.Kind == "report" {
		return words.Number(s.Attachments) + " in its incidents"
	}
	return words.Number(s.Attachments) + " without a whole list"
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

// attachmentChange names the attachment's objects, each once.
func attachmentChange(c model.AttachmentChange) ChangeView {
	v := ChangeView{Title: volumeOf(c), Change: changeText(c.Change), Texts: []string{c.Text}}
	for _, a := range []*model.AttachmentState{c.Before, c.After} {
		if a != nil && !slices.Contains(v.Names, a.Name) {
			v.Names = append(v.Names, a.Name)
		}
	}
	return v
}

// incidentChange names an incident by volume and nodes as the later side has them.
func incidentChange(c model.IncidentChange) ChangeView {
	d := cmp.Or(c.After, c.Before, &model.IncidentDigest{})
	v := ChangeView{Change: changeText(c.Change), Texts: []string{c.Text + "."}, CannotTell: c.CannotTell,
		Title: cmp.Or(words.OneLine(d.Volume), "unknown volume") + ": " + cmp.Or(words.OneLine(d.From), "unknown node") + " → " +
			cmp.Or(words.OneLine(d.To), "unknown node")}
	if d.Cause != "" {
		v.Texts = append(v.Texts, "Cause: "+d.Cause+" ("+string(d.Verdict)+").")
	}
	for _, a := range d.Done {
		v.Texts = append(v.Texts, "Done: "+digestLine(a)+".")
	}
	advise := func(head string, o *model.FirstAdvice) {
		if o == nil {
			return
		}
		saved := words.If(o.Saved != nil && !d.Open, " would have saved ")
		if saved != "" {
			saved += Span(*o.Saved)
		}
		v.Texts = append(v.Texts, head+": "+words.OneLine(o.Title)+saved+".")
	}
	advise(words.If(d.Open, "To do now")+words.If(!d.Open, "Better"), d.First)
	advise("Prevent", d.Prevent)
	if c.CauseText != "" {
		v.Texts = append(v.Texts, "Causes: "+c.CauseText+".")
	}
	for _, p := range c.Phases {
		if p.Change != "same" || p.Unfinished != "" {
			v.Phases = append(v.Phases, [2]string{string(p.ID), phaseWord(p)})
		}
	}
	return v
}

// phaseWord says how a phase has changed.
func phaseWord(p model.PhaseChange) string {
	text := ""
	switch {
	case p.Before != nil && p.After != nil && p.Change == "same":
		text = Span(*p.Before) + ", unchanged"
		if p.Before.Best != p.After.Best {
			text = Span(*p.Before) + " → " + Span(*p.After) + ", the same within what is known"
		}
	case p.Before != nil && p.After != nil && p.By != nil:
		by := *p.By
		if p.Change == "shorter" {
			by = model.Range{Best: -by.Best, Min: -by.Max, Max: -by.Min}
		}
		text = words.Seconds(p.Before.Best) + " → " + words.Seconds(p.After.Best) + ", " + p.Change + " by " + Span(by)
	case p.After != nil:
		text = Span(*p.After) + ", only in the second"
	case p.Before != nil:
		text = Span(*p.Before) + ", only in the first"
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

// digestLine is an act of a comparison, its time, and what it came to.
func digestLine(a model.ActDigest) string {
	d := DoneView{Text: words.OneLine(a.Title), Effect: words.OneLine(Find(actEffects, string(a.Effect)))}
	if a.At != nil && !a.At.IsZero() {
		d.Time = a.At.Clock(ClockAt)
	}
	d.Worth, d.Range = worthOf(a.Saved)
	return d.Line()
}
