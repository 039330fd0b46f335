package main

import (
	"context"
	"strings"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/replay"
)

// replaySaved plays an incident of a JSON report. It answers only the questions that the report has answered.
func (a app) replaySaved(ctx context.Context, path string, flags replayFlags) (*replay.Replay, error) {
	r, err := a.readReport(path)
	if err != nil {
		return nil, err
	}
	index, err := a.incidentToPlay(ctx, r, flags)
	if err != nil {
		return nil, err
	}
	answer, err := savedAnswer(r, r.Incidents[index], flags.whatIf)
	if err != nil {
		return nil, err
	}
	return a.newReplay(ctx, r, index, answer, flags)
}

// savedAnswer finds the remedy that is asked for among those that a report has of an incident.
func savedAnswer(r *model.Report, in model.Incident, whatIf []string) (*model.WhatIf, error) {
	if len(whatIf) == 0 {
		return nil, nil
	}
	step, err := parseStep(whatIf[0])
	if err != nil {
		return nil, err
	}
	if len(whatIf) > 1 || step.When.Kind != analyze.Justified {
		return nil, failf("a report knows one remedy at one time only").hinted("--what-if %s, or give the bundle instead of the report", step.Remedy)
	}
	var known []string
	for _, remedy := range in.Remediations {
		if remedy.ID == step.Remedy {
			asked := remedy.ID
			if remedy.AppliedAt != nil {
				asked += " at " + model.TimeOfDay(remedy.AppliedAt.At)
			}
			return &model.WhatIf{Bundle: r.Bundle.Root, StandIn: r.Bundle.StandIn, Asked: []string{asked}, Incident: in, Answer: remedy, Evidence: r.Evidence}, nil
		}
		known = append(known, remedy.ID)
	}
	return nil, failf("the report has no remedy %q of this incident", step.Remedy).hinted("it has: %s", strings.Join(known, ", "))
}
