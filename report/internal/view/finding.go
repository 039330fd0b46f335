package view

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// IsBelief reports a finding that says of a popular account that it does not hold here. Nothing is to be done about it.
func IsBelief(f model.Finding) bool { return strings.HasPrefix(f.ID, "belief-") }

// FindingsAndBeliefs are the findings, without the beliefs that do not hold: those are one sentence without a full stop, "" for none.
func (v *View) FindingsAndBeliefs() (found []model.Finding, beliefs string) {
	var titles []string
	for _, f := range v.Findings {
		switch title := words.OneLine(f.Title); {
		case !IsBelief(f):
			found = append(found, f)
		case !slices.Contains(titles, title):
			titles = append(titles, title)
		}
	}
	if len(titles) == 0 {
		return found, ""
	}
	return found, words.Plural(len(titles), "popular belief does", "popular beliefs do") + " not hold here: " + strings.Join(titles, "; ")
}
