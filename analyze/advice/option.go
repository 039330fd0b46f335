package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
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

// offered reports that a remedy may be offered: it fits, and does not surely harm. What is not known to help is offered without a time, where
// it can be carried out: by a command, or where the error of the storage says what to repair there.
func offered(r model.Remediation) bool {
	command := func(s model.Step) bool { return s.Command != "" && s.Part == model.StepAct }
	tells := r.ID == "fix-backend-attach" || slices.ContainsFunc(r.Steps, command)
	helps := shortens(r) || tells && r.Effect == model.EffectUndecidable
	return helps && safe(r)
}

// shortens reports that a remedy is known to shorten the wait, or to prevent it.
func shortens(r model.Remediation) bool {
	return r.Effect == model.EffectShortens || r.Effect == model.EffectPrevents
}

// safe reports that a remedy is not certain to harm, and that no condition of its safety is known not to be met.
func safe(r model.Remediation) bool {
	return r.DataRisk != model.RiskCertain && !slices.ContainsFunc(r.Safety.Needs, func(n model.Need) bool { return n.Met == model.No })
}

// better are the options of an ended incident at the moment that was missed: that of the first of them.
func (c *chooser) better() []model.Option {
	out := []model.Option{}
	for _, id := range c.situation.act {
		o, ok := c.missed(c.find(id))
		known := !c.situation.open || o.Saved != nil || c.i.Established()
		if ok && known && (len(out) == 0 || o.At.At.Equal(out[0].At.At)) {
			out = append(out, o)
		}
	}
	return worthwhile(out, c.i.Case.Span.Seconds.Best)
}

// missed is a remedy at the first moment at which it would have been better than what was done. What was done is offered only where it
// was right, and then sooner.
func (c *chooser) missed(r remedy.Remedy) (model.Option, bool) {
	first, used := c.first()
	same := used && c.acts[first].Remedy != nil && *c.acts[first].Remedy == r.ID
	if c.did(r.ID) && !same && !c.right(r) {
		return model.Option{}, false
	}
	for _, m := range c.moments(r) {
		judged, _ := c.i.Instead(r, m.at, c.l)
		sooner := judged.SavedSeconds != nil && judged.SavedSeconds.Best > 0
		switch {
		case c.situation.harmless:
			judged = c.i.Offer(r, c.oneWriter(), c.l)
		case same && sooner && safe(judged):
			judged.Effect = model.EffectShortens // the same, if only by seconds
		case !offered(judged):
			continue
		}
		o := option(judged, m.anchor)
		o.At = c.i.At(m.at)
		if m.act != nil {
			o.At = new(*m.act)
		}
		if o.InsteadOf = m.insteadOf; m.insteadOf != nil && away(c.acts[*m.insteadOf]) {
			o.Title = "Keep the driver's external-attacher running"
		}
		return o, true
	}
	return model.Option{}, false
}

// oneWriter says what an act is for that saves no time.
func (c *chooser) oneWriter() string {
	why := "It is for the data, not for the time: only one machine writes to the volume."
	if from := c.i.Case.From; !c.i.Lost() && from != "" {
		why += " On " + from + ", which was Ready, a drain would have moved the pod without force."
	}
	return why
}

// right reports that a remedy is the first of the situation's that fits.
func (c *chooser) right(r remedy.Remedy) bool {
	n := slices.IndexFunc(c.situation.act, func(id string) bool { return c.i.Judged(id).Effect != model.EffectNotApplicable })
	return n >= 0 && c.situation.act[n] == r.ID
}

// did reports that a remedy is among what was done, or all of which it is made.
func (c *chooser) did(id string) bool {
	if id == "force-delete-pod-and-volume-attachment" && c.did("force-delete-pod") && c.did("delete-volume-attachment") {
		return true
	}
	return slices.ContainsFunc(c.acts, func(a act) bool { return a.Remedy != nil && *a.Remedy == id })
}

// first is the first act that answered the wait.
func (c *chooser) first() (n int, ok bool) {
	n = slices.IndexFunc(c.acts, c.answers)
	return max(n, 0), n >= 0
}

// anchored is a moment of the past, with what it is taken from.
type anchored struct {
	at        float64 // seconds of the scenario
	anchor    model.Anchor
	insteadOf *int
	act       *model.Moment // of the act, with its bounds
}

// moments are those at which a remedy could have been better, by their order: the first act that was done in its place; then, or where that
// was the remedy itself, the first alert, the first report, and the first moment that justified it.
func (c *chooser) moments(r remedy.Remedy) (out []anchored) {
	from := c.earliest(r)
	if math.IsInf(from, 1) || math.IsNaN(from) {
		return nil
	}
	until := c.ends(r)
	for n, a := range c.acts {
		if r.ID == "restart-attacher" && away(a) { // what took it away is the act that was wrong
			out = append(out, anchored{a.at, model.AnchorAct, &n, a.At})
		}
	}
	for n, a := range c.acts {
		if !c.answers(a) || a.at < from-1 {
			continue
		}
		itself := a.Remedy != nil && *a.Remedy == r.ID
		if a.At.Vague() { // no moment: the next act is one
			if itself {
				until = min(until, seconds(c.i, a.At.Earliest))
			}
			continue
		}
		if until = min(until, a.at); !itself {
			m := anchored{a.at, model.AnchorAct, nil, a.At}
			if a.Remedy != nil && replaces(a.kind) {
				m.insteadOf = &n
			}
			out = append(out, m)
		}
		break
	}
	if c.situation.harmless {
		return out
	}
	if at, fired := c.i.Alerted(); fired && at < until && at >= from {
		out = append(out, anchored{at, model.AnchorAlert, nil, nil})
	}
	if at := c.i.Scenario.Reported; at >= from && at < until {
		out = append(out, anchored{at, model.AnchorReport, nil, nil})
	}
	if from < until {
		out = append(out, anchored{from, model.AnchorJustified, nil, nil})
	}
	return out
}

// ends is when the last phase that a remedy acts on had ended: later it changes nothing.
func (c *chooser) ends(r remedy.Remedy) float64 {
	end, _ := c.i.End()
	last := math.Inf(-1)
	for _, p := range c.i.Case.Phases {
		if slices.Contains(r.Phases, p.ID) {
			last = max(last, seconds(c.i, p.To.At))
		}
	}
	if math.IsInf(last, -1) {
		return end
	}
	return min(end, last)
}

// away reports that an act took the external-attacher away.
func away(a act) bool {
	harmed := a.Effect == model.ActCaused || a.Effect == model.ActLengthened
	return harmed && a.kind == replay.RestartAttacher && !a.At.Vague()
}

// answers reports that an act was done against the wait, after it could be seen.
func (c *chooser) answers(a act) bool {
	end, _ := c.i.End()
	if a.Effect == model.ActCaused || a.kind == "" || a.at >= end {
		return false
	}
	return c.situation.harmless || a.at >= c.i.LostAt()-1 || a.at > c.i.Scenario.Reported
}

// replaces reports that another act could have been done in the place of one of a kind.
func replaces(k replay.ActKind) bool { return k != replay.ScaleUp && k != replay.RestartAttacher }

// earliest is the first moment that justified a remedy.
func (c *chooser) earliest(r remedy.Remedy) float64 {
	if c.situation.harmless {
		return math.Inf(-1)
	}
	if r.From != nil {
		return r.From(c.i)
	}
	return c.i.Scenario.Reported
}

// worthwhile puts an option back that saves less than a fifth of the span and less than a minute while a later one of no more risk saves
// more. Behind one that saves more it is left out: seconds are not what would have been better.
func worthwhile(list []model.Option, span float64) []model.Option {
	slices.SortStableFunc(list, func(a, b model.Option) int {
		return cmp.Compare(outdone(a, b, span), outdone(b, a, span))
	})
	if len(list) > 0 && large(list[0], span) {
		list = slices.DeleteFunc(list, func(o model.Option) bool { return small(o, span) })
	}
	return list
}

// outdone is 1 of an option that saves little where another saves more at no more risk; else 0.
func outdone(o, other model.Option, span float64) int {
	if small(o, span) && large(other, span) && risk(other) <= risk(o) {
		return 1
	}
	return 0
}

// large reports that an option is known to save more than small ones do.
func large(o model.Option, span float64) bool { return o.Saved != nil && !small(o, span) }

// small reports that an option saves less than a fifth of the span and less than a minute.
func small(o model.Option, span float64) bool {
	return o.Saved != nil && o.Saved.Best < span/5 && o.Saved.Best < 60
}

func risk(o model.Option) int { return slices.Index(remedy.Risks(), o.DataRisk) }

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

// compared is how a replica of the same loss fared that was treated differently; nil without one, or where nobody treated either.
func (c *chooser) compared() *model.Compared {
	s, ok := lostWith(c.i.Case)
	n, acted := c.first()
	if !ok || !acted || !c.i.Case.Attached.Known() {
		return nil
	}
	own := c.acts[n]
	if own.Remedy != nil && *own.Remedy == "out-of-service-taint" && s.Tainted.Known() {
		return nil // both were treated alike
	}
	text := fmt.Sprintf("At the same time %s was lost with %s; it had its volume again at %s.",
		s.Pod.Name, s.Node, model.TimeOfDay(s.Moved.At))
	if s.Tainted.Known() {
		text = fmt.Sprintf("At the same time %s was lost with %s, which was tainted out-of-service: it had its volume %s later.", s.Pod.Name,
			s.Node, words.Whole(s.Moved.At.Sub(s.Tainted.At).Seconds()))
	}
	text += fmt.Sprintf(" %s at %s: it had its volume %s later.", words.Capital(own.What), model.TimeOfDay(own.At.At),
		words.Whole(c.i.Case.Attached.At.Sub(own.At.At).Seconds()))
	evidence := append(c.l.Observations(append(s.Moved.Witness, s.Tainted.Witness...)), own.Evidence...)
	return &model.Compared{Text: text, Evidence: evidence}
}

// sibling is another replica of the case's StatefulSet that was lost at the same time with another node, and whose volume moved.
type sibling struct {
	Pod     model.Ref
	Node    string
	Tainted facts.Instant // out-of-service; unknown where nothing shows it
	Moved   facts.Instant // its volume was attached elsewhere
}

// lostTogether is how far apart two nodes may be found not Ready that one failure took: the node lifecycle controller's loop of 5 s, twice.
const lostTogether = 10 * time.Second

// lostWith is the first sibling whose volume had moved before the case's own: what one loss did to two replicas that were treated
// differently.
func lostWith(c *wait.Case) (sibling, bool) {
	ofSet := c.Workload != nil && c.Workload.Kind == "StatefulSet"
	if !ofSet || len(c.OldPods) == 0 || !c.NotReady.Known() {
		return sibling{}, false
	}
	since := facts.After(c.NotReady.Earliest)
	for _, lost := range c.World.ByKind[model.NodeNotReady] {
		apart := lost.At.At.Sub(c.NotReady.At).Abs()
		if lost.Node == "" || lost.Node == c.From || apart > lostTogether {
			continue
		}
		for _, placed := range c.World.ByKind[model.PodScheduled] {
			own := placed.Pod.Namespace == c.OldPods[0].Namespace && placed.Pod.Name != c.OldPods[0].Name && wait.SameSet(placed.Pod.Name, c.OldPods[0].Name)
			if placed.Node != lost.Node || !own {
				continue
			}
			moved := facts.First(c.World.ByPod[placed.Pod.String()], since, facts.Kinds(model.AttachSucceeded))
			if moved == nil || moved.Node == lost.Node {
				continue
			}
			if c.Attached.Known() && !moved.At.Latest.Before(c.Attached.Earliest) {
				continue // it fared no better
			}
			s := sibling{Pod: placed.Pod, Node: lost.Node, Moved: wait.At(moved)}
			if o := facts.First(c.World.ByNode[lost.Node], since, outOfServiceSign); o != nil {
				s.Tainted = wait.At(o)
			}
			return s, true
		}
	}
	return sibling{}, false
}

// outOfServiceSign tests for the out-of-service taint, or for a controller that acts on it.
func outOfServiceSign(o *model.Observation) bool {
	tainted := o.Kind == model.NodeTainted && strings.HasPrefix(o.Detail, upstream.OutOfServiceTaint)
	return tainted || facts.Kinds(model.NodeOutOfService, model.DetachForcedTaint)(o)
}

// now are the options of an incident that is open, at the collection. One can always be begun with: where nothing is established, or no
// option has a command, the first only finds out.
func (c *chooser) now(next []model.NextStep) []model.Option {
	out := []model.Option{}
	for _, id := range c.situation.act {
		if o, ok := c.atCollection(c.find(id)); ok {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b model.Option) int { return cmp.Compare(begun(b), begun(a)) })
	sure := len(out) > 0 && begun(out[0]) > 0
	if c.situation.open {
		sure = sure && (out[0].ReadyAt != nil || c.i.Established())
	}
	if sure {
		return out
	}
	return append([]model.Option{c.look(next)}, out...)
}

// look is an option that only finds out what keeps the volume, by the commands that decide. It is no remedy.
func (c *chooser) look(next []model.NextStep) model.Option {
	o := model.Option{
		Title: "Find out first what keeps the volume", Anchor: model.AnchorCollection, Why: "What to do depends on what is not in the bundle.", At: c.captured(),
		DataRisk: model.RiskNone, SideEffects: []string{}, Effort: model.EffortCommand, Evidence: []string{},
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
			take(model.Range{Min: max(span.Min-o.Saved.Max, 0), Best: max(span.Best-o.Saved.Best, 0), Max: max(span.Max-o.Saved.Min, 0)})
		}
		if o.ReadyAt != nil {
			take(model.Range{Min: seconds(c.i, o.ReadyAt.Earliest), Best: seconds(c.i, o.ReadyAt.At), Max: seconds(c.i, o.ReadyAt.Latest)})
		}
	}
	if math.IsInf(least.Best, 1) {
		return nil
	}
	return remedy.Tenths(least)
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
