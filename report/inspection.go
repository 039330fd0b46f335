package report

import (
	"fmt"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// answerLabels are the answers of the inspection list, in the order in which a reader needs them.
var answerLabels = []label{{"yes", "yes"}, {"cannot-tell", "cannot tell"}, {"no", "no"}}

// answered are the questions with one answer.
type answered struct {
	Answer string
	Items  []model.InspectionItem
}

// inspected groups the inspection list by answer; an answer of a later version comes last.
func inspected(list []model.InspectionItem) []answered {
	var out []answered
	known := map[string]bool{}
	take := func(id string) {
		group := answered{Answer: find(answerLabels, id)}
		for _, i := range list {
			if i.Answer == id {
				group.Items = append(group.Items, i)
			}
		}
		if len(group.Items) > 0 {
			out = append(out, group)
		}
		known[id] = true
	}
	for _, l := range answerLabels {
		take(l.id)
	}
	for _, i := range list {
		if !known[i.Answer] {
			take(i.Answer)
		}
	}
	return out
}

// inspectionCounts says how many questions have which answer.
func inspectionCounts(groups []answered) string {
	text := ""
	for i, g := range groups {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", len(g.Items), g.Answer)
	}
	return text
}

// textInspection shows the questions that were answered with yes, and counts the others.
func textInspection(p *page, v *view) {
	if len(v.Inspection) == 0 {
		return
	}
	groups := inspected(v.Inspection)
	p.line("")
	p.wrap("INSPECTION  ", "  ", fmt.Sprintf("%s: %s; the html and json formats have all of them, with the commands that answer the rest", words.Count(len(v.Inspection), "question"), inspectionCounts(groups)))
	for _, g := range groups {
		if g.Answer != "yes" {
			continue
		}
		for _, i := range g.Items {
			p.wrap("  yes  ", "       ", i.Question)
		}
	}
}
