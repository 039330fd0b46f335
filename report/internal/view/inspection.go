package view

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

// AnswerLabels are the answers of the inspection list, in the order in which a reader needs them.
var AnswerLabels = []Label{{"yes", "yes"}, {"cannot-tell", "cannot tell"}, {"no", "no"}}

// answered are the questions with one answer.
type answered struct {
	Answer string
	Items  []model.InspectionItem
}

// Inspected groups the inspection list by answer; an answer of a later version comes last.
func Inspected(list []model.InspectionItem) []answered {
	var out []answered
	known := map[string]bool{}
	take := func(id string) {
		group := answered{Answer: Find(AnswerLabels, id)}
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
	for _, l := range AnswerLabels {
		take(l.ID())
	}
	for _, i := range list {
		if !known[i.Answer] {
			take(i.Answer)
		}
	}
	return out
}

// InspectionCounts says how many questions have which answer.
func InspectionCounts(groups []answered) string {
	text := ""
	for i, g := range groups {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", len(g.Items), g.Answer)
	}
	return text
}
