package advice

import (
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
