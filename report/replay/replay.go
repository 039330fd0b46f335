// Package replay plays one incident of a report as it unfolded: on a terminal with keys, or line by line.
package replay

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// Replay is one incident of a report, ready to be played as it unfolded.
type Replay struct {
	in       *view.IncidentView
	film     *film
	names    *strings.Replacer         // shortens those of pods and nodes
	evidence map[string]model.Evidence // by id, for lookup only
	end      time.Time                 // of the incident, or of what is predicted if that is later

	// The counterfactual that plays beside it; nil without a question. It knows phases only: a replay predicts no log lines.
	other *model.Remediation
	asked string // what is different
	risk  string // what it puts at risk of the data, in the report's words
	said  string // what has to be proven before it is done, what else it does, and what it would have done, in sentences
}

// New makes the replay of one incident, by its place in the report. The answer to a question, unless nil, plays beside it.
func New(r *model.Report, index int, answer *model.WhatIf) *Replay {
	v := view.New(r)
	out := &Replay{in: v.Incident[index], film: newFilm(v.Report, &v.Incidents[index]), evidence: map[string]model.Evidence{}}
	for _, e := range v.Evidence {
		out.evidence[e.ID] = e
	}
	out.end, out.names = out.film.To, shorter(&v.Incidents[index])
	if answer != nil {
		out.predict(answer)
	}
	return out
}

// shorter takes from the names of two different hosts the domain that they share, and tells the old from the new pod where there are two.
func shorter(in *model.Incident) *strings.Replacer {
	var pairs []string
	if from, to := in.From.Pods, in.To.Pods; len(from) == 1 && len(to) == 1 && from[0].Key() != to[0].Key() {
		pairs = append(pairs, "pod "+from[0].String()+" ", "the old pod ", "pod "+to[0].String()+" ", "the new pod ",
			"used by "+from[0].String()+" ", "used by the old pod ")
	}
	from, domain, _ := strings.Cut(in.From.Node, ".")
	to, other, _ := strings.Cut(in.To.Node, ".")
	shared, named := domain != "" && domain == other, from != "" && to != ""
	if shared && named && from != to {
		pairs = append(pairs, in.From.Node, from, in.To.Node, to)
	}
	return strings.NewReplacer(pairs...)
}

// short is a text with names as a screen has room for. The evidence, the plain replay and reports have them whole.
func (r *Replay) short(text string) string {
	return strings.TrimSuffix(r.names.Replace(r.in.Unhashed(words.OneLine(text))+" "), " ")
}

// predict adds the counterfactual.
func (r *Replay) predict(answer *model.WhatIf) {
	v := view.New(&model.Report{Incidents: []model.Incident{answer.Incident}, Evidence: answer.Evidence})
	v.Incidents[0].Remediations = nil
	alone := &model.Report{Incidents: []model.Incident{{Remediations: []model.Remediation{answer.Answer}}}}
	remedy := view.Normal(alone, words.Visible, nil).Incidents[0].Remediations[0]
	remedyView := view.NewRemedyView(v, v.Incident[0], remedy)
	r.other = &remedy
	r.asked = words.OneLine(words.Visible(strings.Join(answer.Asked, ", ")))
	r.risk = cmp.Or(remedyView.Risk(), "not judged, because it does not apply")
	proof := view.Each(remedyView.Proof, func(n model.Need) string { return words.OneLine(view.NeedText(n)) })
	if len(proof) == 0 && remedy.DataRisk != model.RiskNone && remedy.DataRisk != "" {
		proof = []string{view.NoProof}
	}
	if len(proof) > 0 {
		r.said = "To be proven first: " + strings.Join(proof, " ") + " "
	}
	if side := remedyView.SideText(); side != "" {
		r.said += words.Capital(side) + ". "
	}
	r.said = strings.TrimSpace(r.said + words.OneLine(remedyView.Sentence) + " " + words.OneLine(remedyView.Why))
	r.end = model.Later(r.end, r.ready())
}

// ready is when the new pod would be Ready; zero where nothing is predicted.
func (r *Replay) ready() (at time.Time) {
	for _, phase := range r.other.PredictedPhases {
		at = model.Later(at, phase.To.At)
	}
	return at
}

// Play shows the replay on the terminal until a key or the context ends it. It begins at a speed; now is the clock.
func (r *Replay) Play(ctx context.Context, speed float64, now func() time.Time) error {
	p := newPlayer(r, speed)
	return terminal.Run(ctx, terminal.Program{Frame: p.frame, Key: p.key, Tick: p.tick}, now)
}
