package advice

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// most is how many options prevent at most.
const most = 3

// prevent are the settings that would have shortened this incident, or kept it from happening.
func (c *chooser) prevent() []model.Option {
	var list []model.Option
	for _, id := range c.situation.prevent {
		r, _ := remedy.Find(id)
		judged := c.i.Judged(id)
		o := option(judged, model.AnchorBefore)
		switch {
		case !safe(judged) && !c.situation.harmless:
		case shortens(judged):
			list = append(list, o)
		case judged.Effect == model.EffectUndecidable || id == c.situation.prevent[0]:
			o = option(c.i.Offer(r, judged.Why, c.l), model.AnchorBefore)
			if s := judged.SavedSeconds; s != nil && max(-s.Min, s.Max) < 1 { // known: it changes nothing
				o.Saved = &model.Range{}
			}
			list = append(list, o)
		}
	}
	// What saves little comes last: no setting of seconds stands before what would have spared the minutes. What an expert would put first
	// stands before what nothing is known of, and that before what is known to change nothing.
	span := c.i.Case.Span.Seconds.Best
	rank := func(o model.Option) int {
		if o.Saved != nil && o.Saved.Best > 0 && !small(o, span) {
			return 0
		}
		if o.Remedy == c.situation.prevent[0] && (o.Saved == nil || o.Saved.Best > 0) {
			return 1
		}
		if o.Saved == nil {
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b model.Option) int { return cmp.Compare(rank(a), rank(b)) })
	return nonNil(list[:min(len(list), most)])
}
