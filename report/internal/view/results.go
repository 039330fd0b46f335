package view

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
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
	Answers     []ChangeView // to questions that both sides answer
	Only        [][2]string  // which side alone answers, and what
}

// ChangeView is one change in words.
type ChangeView struct {
	Title, Change string
	Texts         []string // sentences
	Heading       string   // what the phases are compared with; "" where there is nothing to compare
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
	var lost, gained []model.AnswerChange
	answers := func(text string) bool { return text == model.Yes || text == model.No }
	for _, a := range d.Answers {
		switch {
		case answers(a.Before) && !answers(a.After):
			lost = append(lost, a)
		case answers(a.After) && !answers(a.Before):
			gained = append(gained, a)
		default:
			change := Find(answerLabels, a.Before) + " → " + Find(answerLabels, a.After)
			v.Answers = append(v.Answers, ChangeView{Title: a.Question, Change: change, Texts: []string{a.Text}})
		}
	}
	if len(lost) > 0 {
		v.Only = append(v.Only, [2]string{"Only the first can tell:", questions(lost)})
	}
	if len(gained) > 0 {
		v.Only = append(v.Only, [2]string{"Only the second can tell:", questions(gained)})
	}
	return v
}

var sameLabels = []Label{
	{string(model.True), "the same"}, {string(model.Unknown), "not known to be the same"}, {string(model.False), "another"},
}

var changeLabels = []Label{
	{string(model.ChangeStillOpen), "still open"}, {string(model.ChangeNew), "new"}, {string(model.ChangeEnded), "ended"},
	{string(model.ChangeSame), "same"}, {string(model.ChangeUncovered), "not covered"}, {string(model.ChangeContradicted), "told otherwise"},
	{string(model.ChangeRecreated), "made again"},
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
	switch {
	case s.AttachmentsListed:
		return words.Number(s.Attachments)
	case s.Kind == "report":
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
	if c.Again != nil {
		v.Heading = "phases, compared with the earlier incident of the volume at " + Instant(c.Again.Began)
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
		if answer != model.Yes && answer != model.No {
			answer = a.After
		}
		out = append(out, words.OneLine(a.Question)+" ("+Find(answerLabels, answer)+")")
	}
	return strings.Join(out, " ")
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

// FleetTable is one table of a fleet for people. The first column is text, the others are numbers.
type FleetTable struct {
	Title, Note string
	Head        []string
	Rows        [][]string
	Links       [][]FleetLink // of each row, where there are any
	Left        int           // rows that are not shown
}

// FleetLink leads to a report.
type FleetLink struct{ Name, To string }

// fleetLinks is how many reports a row leads to.
const fleetLinks = 5

// linked adds to the last row where its reports are.
func (t *FleetTable) linked(reports []string) {
	if t.Left > 0 {
		return
	}
	var out []FleetLink
	for _, file := range reports[:min(len(reports), fleetLinks)] {
		to := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
		out = append(out, FleetLink{Name: words.OneLine(file), To: to.String()})
	}
	if more := len(reports) - fleetLinks; more > 0 {
		out = append(out, FleetLink{Name: fmt.Sprintf("and %d more", more)})
	}
	t.Links = append(t.Links, out)
}

// fleetRows is how many rows of a table people get; the CSV and the JSON have all.
const fleetRows = 40

// FleetTables are the tables, in the order in which they are read.
func FleetTables(f *model.Fleet) []FleetTable {
	phases := FleetTable{Title: "How long each phase took", Note: "Of incidents in which it ended, without hand-overs.",
		Head: []string{"Phase", "Incidents", "Median", "90 %", "Longest", "Together"}}
	for _, p := range f.Phases {
		phases.row(words.OneLine(string(p.ID)), words.Number(p.Count),
			words.Seconds(p.Median), words.Seconds(p.P90), words.Seconds(p.Max), words.Seconds(p.Total))
	}
	remedies := fleetRemedies("What would have been better, of each incident the first", f.Remedies)
	prevent := fleetRemedies("What prevents the next ones, of each incident the first", f.Prevent)
	volumes := FleetTable{Title: "Volumes with several", Head: []string{"Volume", "Incidents", "Hand-overs", "Time lost"}}
	for _, v := range f.Volumes {
		name := words.OneLine(v.Volume) + words.If(v.Cluster != "", " in "+words.OneLine(v.Cluster))
		volumes.row(name, words.Number(v.Incidents), words.Number(v.Handovers), Span(v.SecondsLost))
		volumes.linked(v.Reports)
	}
	faults := FleetTable{Title: "Faults without an incident", Head: []string{"What"}}
	for _, t := range f.Faults {
		faults.row(words.OneLine(t.Headline))
		faults.linked([]string{t.Report})
	}
	skipped := FleetTable{Title: "Files that were left out", Head: []string{"File", "Why"}}
	for _, p := range f.Skipped {
		skipped.row(words.OneLine(p.Path), words.OneLine(p.Message))
	}
	var out []FleetTable
	for _, t := range []FleetTable{
		countTable("By cause", "Cause", "unknown", f.Causes), phases, remedies, prevent,
		countTable("By driver", "Driver", "in-tree or unknown", f.Drivers), countTable("By version", "Kubernetes", "unknown", f.Versions),
		countTable("By cluster", "Cluster", "not identified", f.Clusters), volumes, faults, skipped,
	} {
		if len(t.Rows) > 0 {
			if !slices.ContainsFunc(t.Links, func(of []FleetLink) bool { return len(of) > 0 }) {
				t.Links = nil // what came from standard input has no name
			}
			out = append(out, t)
		}
	}
	return out
}

// fleetRemedies are the remedies that the advice of the incidents begins with.
func fleetRemedies(title string, list []model.FleetRemedy) FleetTable {
	t := FleetTable{Title: title, Note: "The risk is that for the data.",
		Head: []string{"Remedy", "Incidents", "No risk", "If proven", "Risk", "Saved"}}
	for _, r := range list {
		t.row(words.OneLine(r.ID), words.Number(r.Helps), words.Number(r.Safe), words.Number(r.NotProven), words.Number(r.Unsafe), savedText(r))
		t.linked(r.Reports)
	}
	return t
}

// countTable counts incidents by name; what has none is called otherwise.
func countTable(title, name, none string, list []model.FleetCount) FleetTable {
	t := FleetTable{Title: title, Head: []string{name, "Incidents", "Hand-overs", "Time lost"}}
	for _, c := range list {
		t.row(cmp.Or(words.OneLine(c.Name), none), words.Number(c.Incidents), words.Number(c.Handovers), Span(c.SecondsLost))
		t.linked(c.Reports)
	}
	return t
}

// savedText is what a remedy would have saved, where that is known.
func savedText(r model.FleetRemedy) string {
	switch {
	case r.Unknown == 0:
		return Span(r.SecondsSaved) + riskless(r)
	case r.Unknown == r.Helps:
		return "not known"
	}
	return Span(r.SecondsSaved) + riskless(r) + fmt.Sprintf(", of %d not known", r.Unknown)
}

// riskless is the part that was saved without a risk.
func riskless(r model.FleetRemedy) string {
	if r.SecondsSavedSafe.Best == 0 || r.SecondsSavedSafe == r.SecondsSaved {
		return ""
	}
	return ", " + Span(r.SecondsSavedSafe) + " without risk"
}

// row adds a row, or counts it.
func (t *FleetTable) row(cells ...string) {
	if len(t.Rows) == fleetRows {
		t.Left++
		return
	}
	t.Rows = append(t.Rows, cells)
}

// FleetFacts are the first lines.
func FleetFacts(f *model.Fleet) []string {
	clusters := len(slices.DeleteFunc(slices.Clone(f.Clusters), func(c model.FleetCount) bool { return c.Name == "" }))
	open := fmt.Sprintf(", of which %d had not ended at their collection", f.Open)
	faults := words.If(len(f.Faults) > 0, ", "+words.Count(len(f.Faults), "fault"))
	out := []string{
		words.Count(f.Reports, "report") + ", " + words.Count(f.Incidents, "incident") + ", " +
			words.Count(f.Handovers, "ordinary hand-over") + faults + words.If(clusters > 0, " in "+words.Count(clusters, "known cluster")) + ".",
	}
	if f.Incidents > 0 {
		out = append(out, "The incidents took "+Span(f.SecondsLost)+" together"+words.If(f.Open > 0, open)+".")
	}
	if f.Repeated > 0 {
		out = append(out, "Told again by another report, and counted once: "+words.Count(f.Repeated, "incident")+".")
	}
	if f.Insufficient > 0 {
		out = append(out, "Without anything that could have shown an incident: "+words.Count(f.Insufficient, "report")+".")
	}
	if n := len(f.Skipped); n > 0 {
		out = append(out, "Left out: "+words.Count(n, "file")+".")
	}
	return out
}
