package advice

import (
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// floor is the shortest span, in seconds, that any act of the situation could have made: at the first moment that justified it. Where it is
// not known what the right act would have saved, neither is the floor.
func (c *chooser) floor(a *model.Advice) *model.Range {
	if c.i.Misfit() != "" || len(a.Better) > 0 && a.Better[0].Saved == nil {
		return nil
	}
	least := model.Range{Min: math.Inf(1), Best: math.Inf(1), Max: math.Inf(1)}
	take := func(s model.Range) {
		if s.Best < least.Best {
			least = s
		}
	}
	for _, id := range c.situation.act {
		r := c.find(id)
		at := c.earliest(r)
		if !finite(at) {
			continue
		}
		if judged, p := c.i.Instead(r, at, c.l); offered(judged) && p.Ready.Known() {
			take(p.Ready)
		}
	}
	span := c.i.Case.Span.Seconds
	for _, o := range slices.Concat(a.Better, a.Now) {
		if o.Saved != nil && len(a.Better) > 0 {
			take(model.Range{Min: span.Min - o.Saved.Max, Best: span.Best - o.Saved.Best, Max: span.Max - o.Saved.Min})
		}
		if o.ReadyAt != nil {
			take(model.Range{Min: seconds(c.i, o.ReadyAt.Earliest), Best: seconds(c.i, o.ReadyAt.At), Max: seconds(c.i, o.ReadyAt.Latest)})
		}
	}
	if math.IsInf(least.Best, 1) {
		return nil
	}
	return remedy.Tenths(model.Range{Min: max(least.Min, 0), Best: max(least.Best, 0), Max: max(least.Max, 0)})
}

// points is how many points a curve has.
const points = 24

// curve is when the pod would have been Ready by when the first option was carried out.
func (c *chooser) curve(a *model.Advice) []model.CurvePoint {
	list := slices.Concat(a.Better, a.Now)
	if len(list) == 0 || c.i.Misfit() != "" || list[0].ReadyAt == nil {
		return nil
	}
	r := c.find(list[0].Remedy)
	end, ended := c.i.End()
	from := c.earliest(r)
	if !finite(from) || !finite(end) || end-from < points {
		return nil
	}
	plan := c.i.Done
	if list[0].InsteadOf != nil {
		plan = plan.Until(c.acts[*list[0].InsteadOf].at - remedy.Noticeable/1000)
	} else {
		plan = plan.Without(r.Acts...)
	}
	var out []model.CurvePoint
	for n := range points {
		at := from + (end-from)*float64(n)/float64(points-1)
		p := c.i.Carried(r, plan, at)
		if !p.Ready.Known() {
			continue
		}
		late := p.Ready == c.i.Asis.Ready || p.Ready.Best > end || p.Ready.Best < at
		if ended && late { // what happened stands
			p.Ready = model.Range{Min: end, Best: end, Max: end}
		}
		p.Ready.Min = max(p.Ready.Min, at)
		out = append(out, model.CurvePoint{Act: *c.i.At(at), Ready: c.i.Scenario.Moment(p.Ready)})
	}
	if len(out) < 5 {
		return nil
	}
	return out
}
