package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// diffChanges is how many changes of a kind the text shows; the rest is counted and is in the JSON.
const diffChanges = 40

// Diff writes a comparison for a terminal: at most 80 columns, no colour.
func Diff(w io.Writer, d *model.Diff) error {
	v, p := view.NewDiffView(d), &page{}
	p.wrap("DIFF: ", "  ", d.Headline)
	p.gap().wrap("before     ", "           ", v.Sides[0])
	p.wrap("after      ", "           ", v.Sides[1])
	p.wrap("cluster    ", "           ", v.Same)
	if len(d.CannotTell) > 0 {
		p.gap().line("CANNOT TELL")
		for _, text := range d.CannotTell {
			p.wrap("  ", "    ", text+".")
		}
	}
	if len(v.Faults) > 0 {
		p.gap().line("FAULTS")
		p.changes(v.Faults, diffChanges, p.incidentChange)
	}
	p.gap().line(fmt.Sprintf("INCIDENTS  %d before, %d after", d.Before.Incidents, d.After.Incidents))
	p.changes(v.Incidents, diffChanges, p.incidentChange)
	p.gap().wrap("VOLUMEATTACHMENTS  ", "  ", v.Counts)
	p.changes(v.Attachments, diffChanges, p.attachmentChange)
	_, err := io.WriteString(w, p.String())
	return err
}

// changes writes the first changes of a list.
func (p *page) changes(list []view.ChangeView, most int, write func(view.ChangeView)) {
	for _, c := range list[:min(len(list), most)] {
		write(c)
	}
	if more := len(list) - most; more > 0 {
		p.line(fmt.Sprintf("  and %d more; -o json has them", more))
	}
}

// besideChange is where the text beside a change begins.
const besideChange = "                 "

func (p *page) incidentChange(c view.ChangeView) {
	p.wrap(fmt.Sprintf("  %-14s ", c.Change), besideChange, c.Title)
	for _, text := range c.Texts {
		p.wrap(besideChange, besideChange, text)
	}
	if len(c.Phases) > 0 {
		p.wrap(besideChange, besideChange, "Phases:")
	}
	for _, ph := range c.Phases {
		p.wrap(besideChange+fmt.Sprintf("%-12s ", words.OneLine(ph[0])), besideChange+strings.Repeat(" ", 13), ph[1])
	}
	for _, text := range c.CannotTell {
		p.wrap(besideChange, besideChange, "Cannot tell: "+text+".")
	}
}

func (p *page) attachmentChange(c view.ChangeView) {
	p.wrap(fmt.Sprintf("  %-14s ", c.Change), besideChange, c.Title)
	p.wrap(besideChange, besideChange, c.Texts[0]+".")
	for _, name := range c.Names {
		p.wrap("      ", "        ", name) // a hash, which is too long for the column
	}
}
