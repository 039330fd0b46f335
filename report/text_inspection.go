package report

import (
	"fmt"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// textInspection shows the questions that were answered with yes, and counts the others.
func textInspection(p *page, v *view.View) {
	if len(v.Inspection) == 0 {
		return
	}
	groups := view.Inspected(v.Inspection)
	p.line("")
	p.wrap("INSPECTION  ", "  ", fmt.Sprintf("%s: %s; the html and json formats have all of them, with the commands that answer the rest", words.Count(len(v.Inspection), "question"), view.InspectionCounts(groups)))
	for _, g := range groups {
		if g.Answer != "yes" {
			continue
		}
		for _, i := range g.Items {
			p.wrap("  yes  ", "       ", i.Question)
		}
	}
}
