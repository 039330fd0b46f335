package advice

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// now are the options of an incident that is open, at the collection. One can always be begun with: where nothing is established, or no
// option has a command, the first only finds out.
func (c *chooser) now(next []model.NextStep) []model.Option {
	out := []model.Option{}
	for _, id := range c.situation.act {
		if c.justDone(id) {
			continue
		}
		if o, ok := c.atCollection(c.find(id)); ok {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b model.Option) int { return cmp.Compare(begun(b), begun(a)) })
	sure := len(out) > 0 && begun(out[0]) > 0
	if len(c.situation.act) > 0 && c.justDone(c.situation.act[0]) {
		sure = false
	}
	if c.situation.open {
		sure = sure && (out[0].ReadyAt != nil || c.i.Established())
	}
	if sure {
		return out
	}
	return append([]model.Option{c.look(next)}, out...)
}

// justDone reports that a remedy was carried out at the end of the evidence, which does not show what came of it.
func (c *chooser) justDone(id string) bool {
	at := c.captured()
	return at != nil && slices.ContainsFunc(c.acts, func(a act) bool {
		return a.Remedy != nil && *a.Remedy == id && !a.At.Latest.Before(at.Earliest)
	})
}

// look is an option that only finds out what keeps the volume, by the commands that decide. It is no remedy.
func (c *chooser) look(next []model.NextStep) model.Option {
	o := model.Option{
		Title: "Find out first what keeps the volume", Anchor: model.AnchorCollection, Why: "What to do depends on what is not in the bundle.", At: c.captured(),
		DataRisk: model.RiskNone, SideEffects: []string{}, Effort: model.EffortCommand, Evidence: []string{},
	}
	if w := c.i.Case; w != nil && w.LetGo() {
		o.Title = "See first whether the volume came"
	} else if w != nil && w.Taken {
		o.Title = "See first whether a pod uses the volume"
	}
	for _, n := range next {
		o.Steps = append(o.Steps, model.Step{Part: model.StepProve, Text: "see " + n.Decides, Command: n.Command})
	}
	if len(next) == 0 {
		o.Steps = c.i.Looks()
	}
	return o
}

// begun is 1 of an option that has a command to begin with.
func begun(o model.Option) int {
	if slices.ContainsFunc(o.Steps, func(s model.Step) bool { return s.Command != "" }) {
		return 1
	}
	return 0
}

// atCollection is a remedy that is carried out now; false for one that does not fit, or surely harms.
func (c *chooser) atCollection(r remedy.Remedy) (model.Option, bool) {
	judged, p := c.i.Instead(r, c.i.Scenario.Until, c.l)
	sooner := p.Ready.Known() && p.Ready.Best < c.i.Asis.Ready.Best
	helps := sooner || shortens(judged) || judged.Effect == model.EffectUndecidable
	if !helps || !safe(judged) || len(judged.Steps) == 0 {
		return model.Option{}, false
	}
	o := option(judged, model.AnchorCollection)
	o.At, o.Saved, o.ReadyAt, o.Why = c.captured(), nil, nil, cmp.Or(judged.Why, "Without it the wait does not end.")
	if p.Ready.Known() && !p.Race && c.i.Misfit() == "" {
		if o.ReadyAt = new(c.i.Scenario.Moment(p.Ready)); c.i.Asis.Ready.Known() {
			o.Saved, o.Why = remedy.Tenths(p.Less(c.i.Asis)), judged.Why
		}
	}
	return o, true
}
