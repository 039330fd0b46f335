package main

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// failOnWords are the answers on which --fail-on makes the exit code 3.
var failOnWords = []string{"incident", "open", "insufficient"}

func checkFailOn(given []string) error {
	for _, word := range given {
		if !slices.Contains(failOnWords, word) {
			return usagef("--fail-on knows no %q", word).hinted("--fail-on incident, open or insufficient")
		}
	}
	return nil
}

// fails reports that a report is one of the answers that --fail-on names. An incident is one by its verdict, so that an ordinary
// move is none; open is one of them that had not ended at the collection.
func fails(r *model.Report, given []string) bool {
	incident := r.Verdict.Status == model.StatusIncident
	open := slices.ContainsFunc(r.Incidents, func(i model.Incident) bool {
		return i.Span.Open && (len(i.Causes) == 0 || i.Causes[0].ID != "handover")
	})
	for _, word := range given {
		if word == "incident" && incident || word == "open" && incident && open || word == "insufficient" && r.Verdict.Status == model.StatusInsufficient {
			return true
		}
	}
	return false
}
