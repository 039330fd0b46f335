package analyze

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// joinInspection adds one cluster's answers to those of the clusters before: a yes of any is a yes, and only when all say
// no is the answer no. The text says of which cluster it is.
func joinInspection(whole, of []model.InspectionItem, cluster string, first bool) []model.InspectionItem {
	if first {
		whole = slices.Clone(of)
		for i := range whole {
			whole[i].Text = called(cluster) + ": " + whole[i].Text
		}
		return whole
	}
	for i := range whole {
		a, b := &whole[i], of[i]
		text := called(cluster) + ": " + b.Text
		switch weight := weightOf(b.Answer) - weightOf(a.Answer); {
		case weight > 0:
			a.Answer, a.Text, a.Command = b.Answer, text, b.Command
		case weight == 0:
			a.Text += " " + text
		}
		for _, id := range b.Findings {
			if !slices.Contains(a.Findings, id) {
				a.Findings = append(slices.Clip(a.Findings), id)
			}
		}
		a.Evidence = append(slices.Clip(a.Evidence), b.Evidence...)
	}
	return whole
}

// weightOf orders answers by what has to be said of several clusters.
func weightOf(answer string) int { return slices.Index([]string{"no", "cannot-tell", "yes"}, answer) }
