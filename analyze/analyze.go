// Package analyze turns statements into explanations: clocks onto one axis, names to objects, observations to incidents and phases,
// phases to causes. Its door is Run. It opens no file, prints nothing and reads neither the clock nor the environment.
package analyze

import (
	"context"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Options are what the caller decides about an analysis.
type Options struct {
	Version string // of volpost, for the report's generator
	// Reaction is how long a person takes from the first moment that justifies a remedy to the remedy.
	Reaction time.Duration
	// Rules are rule files to run over the metrics, beside volpost's own rules and those of the bundle.
	Rules []model.RuleFile
	// Incidents is how many waits are explained one by one; 0 is DefaultIncidents. The others are counted.
	Incidents int
}

// Run explains a snapshot. It never fails: the report says what the snapshot does not show. When ctx is done, it ends with
// what is known by then and a problem that names the stage.
func Run(ctx context.Context, s *model.Snapshot, o Options) *model.Report {
	parts := split(s)
	if len(parts) == 1 {
		return explain(ctx, s, o, newBounds(o, 1))
	}
	reports := make([]*model.Report, 0, len(parts))
	for _, p := range parts {
		reports = append(reports, explain(ctx, p.snapshot, o, newBounds(o, len(parts))))
	}
	return join(s, parts, reports)
}

// explain explains a snapshot of one cluster.
func explain(ctx context.Context, s *model.Snapshot, o Options, b *bounds) *model.Report {
	w := facts.NewWorld(s)
	s = w.Snapshot // with the clocks set right
	all := b.cases(ctx, w)
	cases := b.choose(all)
	var ledger evidence.Ledger
	alerts := b.alerts(ctx, s, cases, o.Rules, &ledger)
	r := &model.Report{
		Schema:    model.SchemaVersion,
		Generator: model.Generator{Name: "volpost", Version: o.Version},
		Bundle:    bundle(w, &ledger),
		Incidents: []model.Incident{},
		Alerts:    alerts.Alerts,
		Series:    alerts.Series,
		Findings:  []model.Finding{},
	}
	m := replay.NewModel(w, all)
	for n, c := range cases {
		if n > 0 && b.over(ctx, "the waits were explained") {
			cases, b.left = cases[:n], append(b.left, cases[n:]...)
			break
		}
		r.Incidents = append(r.Incidents, incident(c, m, o, alarm(alerts, c), &ledger))
	}
	if !b.over(ctx, "the findings were looked for") {
		r.Findings = check.Findings(w, all, &ledger)
	}
	b.account(len(cases))
	of := make([][]*lanes.Lane, 0, len(cases))
	for _, c := range cases {
		of = append(of, lanes.Of(c))
	}
	r.Graph = graphOf(w, cases, of, r.Findings)
	r.Inspection = check.Inspection(w, r.Findings, r.Incidents, &ledger)
	r.Verdict = verdict(w, cases, b.counted(), r)
	r.Groups = groups(cases, r.Incidents, r.Verdict.Incident)
	b.entitle(r.Groups, cases)
	r.Timeline = timeline(w, cases, &ledger)
	r.Bundle.NotCollected = timed(append(r.Bundle.NotCollected, edges(s, cases)...), r.Incidents, r.Bundle)
	r.Bundle.Problems = slices.Concat(r.Bundle.Problems, contradictions(w), alerts.Problems, b.problems)
	slices.SortStableFunc(r.Bundle.Problems, compareProblems)
	r.Evidence = ledger.All()
	writeLanes(w, of, r, &ledger)
	return masked(r)
}

// writeLanes adds the lanes, and after the evidence of the rest what they alone rest on.
func writeLanes(w *facts.World, of [][]*lanes.Lane, r *model.Report, l *evidence.Ledger) {
	for i := range r.Incidents {
		r.Incidents[i].Lanes = lanes.Written(of[i], l)
	}
	r.Objects = lanes.Written(lanes.Apart(w, r.Incidents, mentioned(r)), l)
	quoted := map[string]bool{}
	for _, e := range r.Evidence {
		quoted[e.ID] = true
	}
	for _, e := range l.All() {
		if !quoted[e.ID] {
			r.Evidence = append(r.Evidence, e)
		}
	}
}

// mentioned are the objects that the graph and the findings name.
func mentioned(r *model.Report) (out []model.Ref) {
	for _, n := range r.Graph.Nodes {
		out = append(out, model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, UID: n.UID})
	}
	for _, f := range r.Findings {
		out = append(out, f.Objects...)
	}
	return out
}

func bundle(w *facts.World, l *evidence.Ledger) model.Bundle {
	b := model.Bundle{
		Root: w.Snapshot.Root, Layouts: w.Snapshot.Layouts, CapturedAt: w.Axis.CapturedAt, CapturedHow: w.Axis.CapturedHow,
		StandIn: w.Axis.StandIn(),
		Inputs:  w.Axis.Inputs, Problems: w.Axis.Problems, NotCollected: slices.Clip(w.Snapshot.NotCollected),
		Identities: w.Snapshot.Identities(), Unreadable: w.Snapshot.Unreadable,
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
