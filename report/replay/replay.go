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
	names    shortNames
	evidence map[string]model.Evidence // by id, for lookup only
	end      time.Time                 // of the incident, or of what is predicted if that is later

	// The counterfactual that plays beside it; nil without a question.
	other  *prediction
	asked  string // what is different
	answer string // what it would have done, in a sentence
	risk   string // what it puts at risk of the data, in the report's words
	proof  string // what has to be proven before it is done; "" when there is no risk
	side   string // what else it does
}

// New makes the replay of one incident, by its place in the report. The answer to a question, unless nil, plays beside it.
func New(r *model.Report, index int, answer *model.WhatIf) *Replay {
	v := view.New(r)
	out := &Replay{in: v.Incident[index], film: newFilm(v.Report, &v.Incidents[index]), evidence: map[string]model.Evidence{}}
	for _, e := range v.Evidence {
		out.evidence[e.ID] = e
	}
	out.end, out.names = out.film.To, newShortNames(&v.Incidents[index])
	if answer != nil {
		out.predict(answer)
	}
	return out
}

// predict adds the counterfactual.
func (r *Replay) predict(answer *model.WhatIf) {
	v := view.New(&model.Report{Incidents: []model.Incident{answer.Incident}, Evidence: answer.Evidence})
	v.Incidents[0].Remediations = nil
	alone := &model.Report{Incidents: []model.Incident{{Remediations: []model.Remediation{answer.Answer}}}}
	remedy := view.Normal(alone, words.Visible, nil).Incidents[0].Remediations[0]
	remedyView := view.NewRemedyView(v, v.Incident[0], remedy)
	r.other = r.film.predict(&remedy)
	r.asked = words.OneLine(words.Visible(strings.Join(answer.Asked, ", ")))
	r.answer = strings.TrimSpace(words.OneLine(remedyView.Sentence) + " " + words.OneLine(remedyView.Why))
	r.risk, r.side = cmp.Or(remedyView.Risk(), "not judged, because it does not apply"), remedyView.SideText()
	proof := view.Each(remedyView.Proof, func(n model.Need) string { return words.OneLine(view.NeedText(n)) })
	if len(proof) == 0 && remedy.DataRisk != model.RiskNone && remedy.DataRisk != "" {
		proof = []string{view.NoProof}
	}
	r.proof = strings.Join(proof, " ")
	if r.other.End.After(r.end) {
		r.end = r.other.End
	}
}

// Play shows the replay on the terminal until a key or the context ends it. It begins at a speed; now is the clock.
func (r *Replay) Play(ctx context.Context, speed float64, now func() time.Time) error {
	p := newPlayer(r, speed)
	return terminal.Run(ctx, terminal.Program{Frame: p.frame, Key: p.key, Tick: p.tick}, now)
}

// shortNames are an incident's names as a screen has room for. The evidence, the plain replay and reports have them whole.
type shortNames struct {
	domain string       // what the names of both nodes end in, with its dot; "" when there is no such thing
	words  []view.Label // a name, and what stands for it
	kinds  []view.Label // a kind and a name, and what stands for both
}

func newShortNames(in *model.Incident) shortNames {
	n := shortNames{domain: commonDomain(in.From.Node, in.To.Node)}
	v := in.Volume
	n.kinds = []view.Label{
		{"volume " + words.OneLine(v.UniqueName), "the volume"}, {"volume " + words.OneLine(v.PersistentVolume), "the volume"},
	}
	if from, to := in.From.Pods, in.To.Pods; len(from) == 1 && len(to) == 1 && from[0].Key() != to[0].Key() {
		n.kinds = append(n.kinds, view.Label{"pod " + words.OneLine(from[0].String()), "the old pod"},
			view.Label{"pod " + words.OneLine(to[0].String()), "the new pod"})
	}
	if n.domain != "" {
		n.words = []view.Label{{words.OneLine(in.From.Node), n.node(in.From.Node)}, {words.OneLine(in.To.Node), n.node(in.To.Node)}}
	}
	return n
}

// commonDomain is the domain that two different hosts share.
func commonDomain(a, b string) string {
	hostA, domainA, ok := strings.Cut(a, ".")
	hostB, domainB, also := strings.Cut(b, ".")
	if !ok || !also || domainA != domainB || hostA == hostB || hostA == "" || hostB == "" {
		return ""
	}
	return "." + domainA
}

// node is the name of a node without the domain that both nodes share.
func (n shortNames) node(name string) string {
	return strings.TrimSuffix(words.OneLine(name), n.domain)
}

// text is a sentence of the timeline with shorter names. Only whole words are replaced: one name can begin another.
func (n shortNames) text(s string) string {
	list := strings.Split(words.OneLine(s), " ")
	var out []string
	for i := 0; i < len(list); i++ {
		word := strings.TrimRight(list[i], ",;:")
		mark := list[i][len(word):]
		if i+1 < len(list) && mark == "" {
			next := strings.TrimRight(list[i+1], ",;:")
			if pair := word + " " + next; view.Find(n.kinds, pair) != pair && next != "" {
				out = append(out, view.Find(n.kinds, pair)+list[i+1][len(next):])
				i++
				continue
			}
		}
		out = append(out, view.Find(n.words, word)+mark)
	}
	return strings.Join(out, " ")
}
