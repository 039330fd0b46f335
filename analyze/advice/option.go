package advice

import (
	"cmp"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// option is a remedy that was judged, as the report has it.
func option(r model.Remediation, anchor model.Anchor) model.Option {
	o := model.Option{
		Remedy: r.ID, Title: r.Title, Anchor: anchor, DataRisk: cmp.Or(r.DataRisk, model.RiskNone), SideEffects: nonNil(r.SideEffects),
		Effort: cmp.Or(efforts[r.ID], model.EffortCommand), Steps: nonNil(r.Steps), Evidence: nonNil(r.Evidence),
	}
	if r.SavedSeconds != nil && (r.Effect == model.EffectShortens || r.Effect == model.EffectPrevents) {
		o.Saved, o.ReadyAt = r.SavedSeconds, r.PredictedEnd
	} else {
		o.Why = r.Why
	}
	return o
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// offered reports that a remedy may be offered: it fits, and does not surely harm. What is not known to help is offered without a time.
func offered(r model.Remediation) bool {
	helps := r.Effect == model.EffectShortens || r.Effect == model.EffectPrevents || r.Effect == model.EffectUndecidable && len(r.Steps) > 0
	return helps && safe(r)
}

// safe reports that a remedy is not certain to harm, and that no condition of its safety is known not to be met.
func safe(r model.Remediation) bool {
	return r.DataRisk != model.RiskCertain && !slices.ContainsFunc(r.Safety.Needs, func(n model.Need) bool { return n.Met == model.No })
}

// better are the options of an ended incident at the moment that was missed.
func (c *chooser) better() []model.Option {
	out := []model.Option{}
	for _, id := range c.situation.act {
		r, ok := c.find(id)
		if !ok {
			continue
		}
		at, anchor, index := c.moment(r)
		if math.IsInf(at, 0) || math.IsNaN(at) {
			continue
		}
		judged, _ := c.i.Instead(r, at, c.l)
		if c.situation.harmless {
			judged = c.i.Offer(r, "It saves no time: it makes sure that only one machine writes to the volume.", c.l)
			judged.AppliedAt = &model.Moment{}
		} else if !offered(judged) || c.lateAgain(r, at) {
			continue
		}
		o := option(judged, anchor)
		m := c.i.Scenario.Moment(replay.Span{Lo: at, Best: at, Hi: at})
		o.At, o.InsteadOf = &m, index
		out = append(out, o)
	}
	return worthwhile(out, c.i.Case.Span.Seconds.Best)
}

// lateAgain reports that a remedy at a time is what was really done, no later than that.
func (c *chooser) lateAgain(r remedy.Remedy, at float64) bool {
	return slices.ContainsFunc(c.acts, func(a act) bool { return a.Remedy != nil && *a.Remedy == r.ID && a.at <= at+noticeable })
}

// moment is when a remedy would have been better: at the first act that was done in its place; where that was the remedy itself, or
// nobody acted, when the first alert would have fired, at the first report, or when it was justified.
func (c *chooser) moment(r remedy.Remedy) (float64, model.Anchor, *int) {
	for n, a := range c.acts {
		if !c.answers(a) {
			continue
		}
		if a.Remedy != nil && *a.Remedy == r.ID {
			break
		}
		if a.Remedy == nil || !replaces(a.kind) {
			return a.at, model.AnchorAct, nil
		}
		return a.at, model.AnchorAct, &n
	}
	end, _ := c.i.End()
	first := c.earliest(r)
	if at, fired := c.i.Alerted(); fired && at < end && !c.lateAgain(r, max(at, first)) {
		return max(at, first), model.AnchorAlert, nil
	}
	if at := c.i.Scenario.Reported; at >= first && at < end && !c.lateAgain(r, at) {
		return at, model.AnchorReport, nil
	}
	return first, model.AnchorJustified, nil
}

// answers reports that an act was done against the wait, after it could be seen.
func (c *chooser) answers(a act) bool {
	end, _ := c.i.End()
	return a.Effect != model.ActCaused && a.kind != "" && a.at < end && (a.at >= c.i.LostAt()-1 || a.at > c.i.Scenario.Reported || c.situation.harmless)
}

// replaces reports that another act could have been done in the place of one of a kind.
func replaces(k replay.ActKind) bool { return k != replay.ScaleUp && k != replay.RestartAttacher }

// earliest is the first moment that justified a remedy.
func (c *chooser) earliest(r remedy.Remedy) float64 {
	if r.From != nil {
		return r.From(c.i)
	}
	return c.i.Scenario.Reported
}

// worthwhile puts an option back that saves less than a fifth of the span and less than a minute while a later one of no more risk saves more.
func worthwhile(list []model.Option, span float64) []model.Option {
	small := func(o model.Option) bool { return o.Saved != nil && o.Saved.Best < span/5 && o.Saved.Best < 60 }
	slices.SortStableFunc(list, func(a, b model.Option) int {
		if small(a) && !small(b) && b.Saved != nil && risk(b) <= risk(a) {
			return 1
		}
		if small(b) && !small(a) && a.Saved != nil && risk(a) <= risk(b) {
			return -1
		}
		return 0
	})
	return list
}

func risk(o model.Option) int { return slices.Index(remedy.Risks(), o.DataRisk) }

// now are the options of an incident that is open, at the collection.
func (c *chooser) now() []model.Option {
	out := []model.Option{}
	until := c.i.Scenario.Until
	for _, id := range c.situation.act {
		r, ok := c.find(id)
		if !ok {
			continue
		}
		judged, p := c.i.Instead(r, until, c.l)
		fits := judged.Effect != model.EffectNotApplicable && (judged.Effect != model.EffectNone || p.Ready.Known() && p.Ready.Best < c.i.Asis.Ready.Best)
		if !fits || !safe(judged) || len(judged.Steps) == 0 {
			continue
		}
		o := option(judged, model.AnchorCollection)
		o.Saved, o.ReadyAt = nil, nil
		if at := c.i.Case.World.Axis.CapturedAt; at != nil {
			m := *at
			o.At = &m
		}
		if p.Ready.Known() && !p.Race && c.i.Misfit() == "" {
			m := c.i.Scenario.Moment(p.Ready)
			o.ReadyAt = &m
			if c.i.Asis.Ready.Known() {
				by := p.Less(c.i.Asis)
				o.Saved = &model.Range{Best: tenth(by.Best), Min: tenth(by.Lo), Max: tenth(by.Hi)}
			}
		}
		if o.Saved == nil {
			o.Why = cmp.Or(judged.Why, "Without it the wait does not end.")
		}
		out = append(out, o)
	}
	return out
}

// most is how many options prevent at most.
const most = 3

// prevent are the settings that would have shortened this incident, or kept it from happening.
func (c *chooser) prevent() []model.Option {
	var sure, unsure []model.Option
	for _, id := range c.situation.prevent {
		r, ok := c.find(id)
		if !ok {
			continue
		}
		judged := c.i.Judged(id)
		o := option(judged, model.AnchorBefore)
		switch {
		case !safe(judged) && c.situation.harmless == false:
		case judged.Effect == model.EffectShortens || judged.Effect == model.EffectPrevents:
			sure = append(sure, o)
		case judged.Effect == model.EffectUndecidable || judged.Effect == model.EffectNone && id == c.situation.prevent[0]:
			o = option(c.i.Offer(r, judged.Why, c.l), model.AnchorBefore)
			unsure = append(unsure, o)
		case id == c.situation.prevent[0]:
			o = option(c.i.Offer(r, judged.Why, c.l), model.AnchorBefore)
			unsure = append(unsure, o)
		}
	}
	list := slices.Concat(sure, unsure)
	return nonNil(list[:min(len(list), most)])
}
