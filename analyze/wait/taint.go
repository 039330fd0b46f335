package wait

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// outOfService is when the taint was put on the old node: its own record, else the controllers that act on it.
func outOfService(c *Case, list []*model.Observation) facts.Instant {
	since := facts.After(c.Began.At.Add(-causalWindow))
	if o := facts.First(list, since, tainted(upstream.OutOfServiceTaint)); o != nil {
		return seen(o)
	}
	acted := facts.First(list, since, facts.Kinds(model.NodeOutOfService, model.DetachForcedTaint))
	if acted == nil {
		return facts.Instant{}
	}
	from := c.Began.At
	if c.NotReady.Known() {
		from = model.Earlier(from, c.NotReady.At)
	}
	return derived(model.Between(from, acted.At.Latest), "the controller acts on the taint, so it was set before", acted)
}

// TaintedNow cites the out-of-service taint that the old node of an open wait bears at the collection; nil where nothing shows it.
func (c *Case) TaintedNow() *model.Observation {
	if !c.Span.Open {
		return nil
	}
	return OutOfServiceNow(c.World, c.From)
}

// OutOfServiceNow cites the out-of-service taint that a node bears at the collection; nil where nothing shows it.
func OutOfServiceNow(w *facts.World, node string) *model.Observation {
	list := w.ByNode[node]
	set, removed := newest(list, tainted(upstream.OutOfServiceTaint)), newest(list, untainted)
	if set == nil || removed != nil && !set.At.At.After(removed.At.At) {
		return nil
	}
	return set
}

// newest is the last observation of a sorted list that passes the test, with a time or without; nil when none does.
func newest(list []*model.Observation, test func(*model.Observation) bool) *model.Observation {
	if passed := facts.Where(list, test); len(passed) > 0 {
		return passed[len(passed)-1]
	}
	return nil
}

// untainted tests for the end of the out-of-service taint.
func untainted(o *model.Observation) bool {
	return o.Kind == model.NodeUntainted && strings.HasPrefix(o.Detail, upstream.OutOfServiceTaint)
}

// TaintLifted cites how the out-of-service taint was taken off the old node again, where nothing shows a detach begun under it; else nil.
func (c *Case) TaintLifted() *model.Observation {
	lifted := newest(c.World.ByNode[c.From], untainted)
	if lifted == nil || OutOfServiceNow(c.World, c.From) != nil {
		return nil
	}
	for _, began := range []facts.Instant{c.DetachRequested, c.Gone} {
		if began.Known() && !began.Earliest.After(lifted.At.Latest) {
			return nil
		}
	}
	return lifted
}

// LiveTaint is a node that is Ready and bears the out-of-service taint: the old one of an open wait or, where that is not known, the only such
// node. "" for none.
func (c *Case) LiveTaint() string {
	if !c.Span.Open {
		return ""
	}
	nodes := ReadyOutOfService(c.World)
	if slices.Contains(nodes, c.From) {
		return c.From
	}
	return words.If(c.From == "" && len(nodes) == 1, strings.Join(nodes, ""))
}

// ReadyOutOfService are the nodes that are Ready at the collection and bear the out-of-service taint, by name.
func ReadyOutOfService(w *facts.World) []string {
	var out []string
	for _, o := range w.ByKind[model.NodeTainted] {
		word, _ := w.NodeNow(o.Node)
		if word == model.StateReady && !slices.Contains(out, o.Node) && OutOfServiceNow(w, o.Node) != nil {
			out = append(out, o.Node)
		}
	}
	slices.Sort(out)
	return out
}

// tainted tests for a taint.
func tainted(taint string) func(*model.Observation) bool {
	return func(o *model.Observation) bool {
		return o.Kind == model.NodeTainted && strings.HasPrefix(o.Detail, taint)
	}
}

// collectLoop is the period of pod GC, which ends a terminating pod of a tainted node in its next loop
// (podgc/gc_controller.go, 1.24–1.36), with room for the loop's own work.
const collectLoop = 21 * time.Second

// tightenTaint narrows a taint known by the controllers' actions only: in an earlier loop pod GC would have ended the terminating pod, and a
// volume that had been released before would have been detached.
func tightenTaint(c *Case) facts.Instant {
	t := c.taintThatEvicted()
	if !t.Known() || t.Basis == model.Observed {
		return t
	}
	byGC := facts.Kinds(model.PodForceDeleting, model.PodForceDeleted)
	o := facts.Find(t.Witness, facts.Kinds(model.DetachForcedTaint))
	if atOnce := o != nil && c.releasedBefore(o.At) && o.At.Earliest.Add(-forcedWithin).After(t.Earliest); atOnce && c.NotReady.Known() &&
		facts.Find(c.about(c.OldPods), byGC) == nil {
		return derived(model.Between(o.At.Earliest.Add(-forcedWithin), o.At.Latest),
			"the controller detaches a released volume of a tainted node at once, so it was tainted that shortly before", append(t.Witness, c.Released.Witness...)...)
	}
	if !c.DeletionRequested.Known() || !c.NotReady.Known() {
		return t
	}
	near := facts.During(c.DeletionRequested.At, t.Latest.Add(time.Second))
	ended := facts.Last(c.about(c.OldPods), near, byGC)
	if ended == nil {
		return t
	}
	from := model.Later(t.Earliest, ended.At.Earliest.Add(-collectLoop))
	if from.Before(c.DeletionRequested.At) {
		return t // pod GC waited for the deletion, not for the taint
	}
	return derived(model.Between(from, ended.At.Latest), "pod GC acts on the taint within 20 s, so it was set that shortly before",
		append(t.Witness, ended)...)
}

// forcedWithin bounds how long the reconciler, which looks ten times a second, takes to detach a released volume of a tainted node.
const forcedWithin = 2 * time.Second

// releasedBefore reports that the old pod's release is seen to lie clearly before a time, and not by what the detach tells of it.
func (c *Case) releasedBefore(m model.Moment) bool {
	exact := c.Released.Known() && !c.releasedByTimer && width(c.Released) <= forcedWithin
	return exact && c.Released.Latest.Add(2*forcedWithin).Before(m.Earliest)
}

// DefaultToleration is what the DefaultTolerationSeconds admission adds to a pod that does not say how long it stays on a node that is
// not Ready (plugin/pkg/admission/defaulttolerationseconds, 1.13–1.36).
const DefaultToleration = 5 * time.Minute

// Toleration is how long the old pod tolerates an unreachable node: observed in its own object, or derived from its replacement's, which has
// the same template. Without a basis nothing shows it. The quote is nil where the objects have no text.
func (c *Case) Toleration() (d time.Duration, basis model.Basis, quote *model.Observation) {
	basis = model.Observed
	for i, ref := range slices.Concat(c.OldPods, c.NewPods) {
		if i >= len(c.OldPods) {
			basis = model.Derived
		}
		pod, ok := c.World.Pod(ref)
		if !ok {
			continue
		}
		t := facts.TolerationOf(pod.Value(), corev1.Taint{Key: upstream.UnreachableTaint, Effect: corev1.TaintEffectNoExecute})
		if t.Matches && !t.Unlimited {
			return t.Shortest, basis, facts.Cite(pod, fmt.Sprintf("spec.tolerations[%d].tolerationSeconds", t.Index))
		}
	}
	return 0, "", nil
}

// EvictedByTaint cites the taint eviction of an old pod that came of the out-of-service taint, which no default toleration covers: the
// node was Ready then, or had not been lost for as long as the pod tolerates that. Nil where nothing shows the taint or the eviction.
func (c *Case) EvictedByTaint() *model.Observation {
	if !c.OutOfService.Known() || !c.DeletionRequested.Known() {
		return nil
	}
	evicted := facts.First(c.about(c.OldPods), facts.After(c.DeletionRequested.Earliest.Add(-evictionQueue)), evictsByTaint)
	if evicted == nil || evicted.At.At.Before(c.OutOfService.Earliest.Add(-time.Second)) {
		return nil
	}
	tolerated, basis, _ := c.Toleration()
	if basis == "" {
		tolerated = DefaultToleration
	}
	if lost := c.NotReady; lost.Known() && !evicted.At.At.Before(lost.Earliest) && evicted.At.Latest.Before(lost.Earliest.Add(tolerated)) {
		return evicted
	} else if !lost.Known() || evicted.At.Latest.Before(lost.Earliest) {
		if len(c.WorkedAt(At(evicted))) > 0 {
			return evicted
		}
	}
	return nil
}

// TaintEviction cites the eviction of an old pod for any taint that evicts: of a lost node, of one that somebody tainted, or that is off.
func (c *Case) TaintEviction() *model.Observation {
	return facts.First(c.about(c.OldPods), facts.Window{}, evictsByTaint)
}

func evictsByTaint(o *model.Observation) bool {
	return o.Kind == model.PodEvictionDecided && (o.Detail == "" || o.Detail == taintEvicts)
}

// taintEvicts is the reason of a disruption by the taint eviction (core/v1 PodReason…, 1.26–1.36); the controller's log names none.
const taintEvicts = "DeletionByTaintManager"

// taintThatEvicted is the taint as it is known, not later than the eviction that came of it.
func (c *Case) taintThatEvicted() facts.Instant {
	t, evicted := c.OutOfService, c.EvictedByTaint()
	if evicted == nil || t.Basis == model.Observed || !evicted.At.Latest.Before(t.Latest) {
		return t
	}
	from := t.Earliest
	if c.NotReady.Known() && c.NotReady.Latest.Before(evicted.At.Earliest) {
		from = model.Later(from, c.NotReady.Earliest)
	}
	from = model.Later(from, evicted.At.Earliest.Add(-taintQueue))
	return derived(model.Between(model.Earlier(from, evicted.At.Latest), evicted.At.Latest),
		"the taint evicts at once, and no other taint did", append(slices.Clone(t.Witness), evicted)...)
}

// taintQueue is how soon after a NoExecute taint the pods that do not tolerate it are evicted: 0.1 s to 0.3 s in the recordings.
const taintQueue = 2 * time.Second
