// Package analyze turns statements into explanations: clocks onto one axis, names to objects, observations to incidents
// and phases, phases to causes. Its door is Run. It opens no file, prints nothing and reads neither the clock nor the
// environment.
package analyze

import (
	"reflect"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Options are what the caller decides about an analysis.
type Options struct {
	Version string // of volpost, for the report's generator
	// Reaction is how long a person takes from the first moment that justifies a remedy to the remedy; 0 is
	// remedy.DefaultReaction.
	Reaction time.Duration
	// Rules are rule files to run over the metrics, beside volpost's own rules and those of the bundle.
	Rules []model.RuleFile
}

// Run explains a snapshot. It never fails: what the snapshot cannot tell is said in the report.
func Run(s *model.Snapshot, o Options) *model.Report {
	parts := split(s)
	if len(parts) == 1 {
		return explain(s, o)
	}
	reports := make([]*model.Report, 0, len(parts))
	for _, p := range parts {
		reports = append(reports, explain(p.snapshot, o))
	}
	return join(s, parts, reports)
}

// explain explains a snapshot of one cluster.
func explain(s *model.Snapshot, o Options) *model.Report {
	w := reconstruct.NewWorld(s)
	cases := reconstruct.Cases(w)
	var ledger evidence.Ledger
	alerts := alert.Run(s, cases, o.Rules, &ledger)
	r := &model.Report{
		Schema:    model.SchemaVersion,
		Generator: model.Generator{Name: "volpost", Version: o.Version},
		Bundle:    bundle(w, &ledger),
		Incidents: []model.Incident{},
		Findings:  check.Findings(w, cases, &ledger),
		Alerts:    alerts.Alerts,
		Series:    alerts.Series,
		Graph:     newGraph(cases),
	}
	m := replay.NewModel(w, cases)
	for _, c := range cases {
		r.Incidents = append(r.Incidents, incident(c, m, o, alarm(alerts, c), &ledger))
	}
	r.Inspection = check.Inspection(w, r.Findings, r.Incidents, &ledger)
	r.Verdict = verdict(w, cases, r)
	r.Groups = groups(cases, r.Incidents, r.Verdict.Incident)
	r.Timeline = timeline(w, cases, &ledger)
	r.Bundle.NotCollected = timed(append(r.Bundle.NotCollected, edges(s, cases)...), r.Incidents, r.Bundle)
	r.Bundle.Problems = append(slices.Clone(r.Bundle.Problems), alerts.Problems...)
	slices.SortStableFunc(r.Bundle.Problems, compareProblems)
	r.Evidence = ledger.All()
	mask(reflect.ValueOf(r))
	return r
}

func bundle(w *reconstruct.World, l *evidence.Ledger) model.Bundle {
	b := model.Bundle{
		Root: w.Snapshot.Root, Layouts: w.Snapshot.Layouts, CapturedAt: w.Axis.CapturedAt, CapturedHow: w.Axis.CapturedHow, StandIn: w.Axis.StandIn(),
		// Copies, as the axis made them too: the report is masked where it is.
		Inputs: w.Axis.Inputs, Problems: slices.Clone(w.Axis.Problems), NotCollected: slices.Clone(w.Snapshot.NotCollected),
		Identities: w.Snapshot.Identities(), Unreadable: slices.Clone(w.Snapshot.Unreadable),
	}
	if w.Version.Known() {
		b.KubernetesVersion = w.Version.String()
	}
	if from := w.Axis.CapturedFrom; b.CapturedAt != nil && from.Text != "" {
		m := *b.CapturedAt
		m.Evidence = []string{l.Quote(from.Source, model.Quote{Text: from.Text, Truncated: from.Truncated, SHA256: from.SHA256})}
		b.CapturedAt = &m
	}
	return b
}
