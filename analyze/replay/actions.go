package replay

import (
	"math"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// kinds are the acts that recorded actions are in the model, which does not know others.
var kinds = map[wait.ActionKind]ActKind{
	wait.ForceDeletedPod: ForceDeletePod, wait.DeletedPod: DeletePod, wait.EvictedPod: DeletePod,
	wait.DeletedAttachment: DeleteAttachment, wait.RemovedFinalizer: RemoveFinalizer,
	wait.TaintedOutOfService: TaintOutOfService, wait.DeletedNode: DeleteNode,
	wait.ChangedStrategy: StopOldPods,
}

// acts are what people did during the incident. What came before is how it began; what controllers did follows from the rules.
func (s *Scenario) acts(c *wait.Case) Plan {
	from := s.of(c.Began).Best
	if s.NotReady.Known() {
		from = min(from, s.NotReady.Best)
	}
	until := s.of(c.Attached).Best // what ended the demand is an act too
	var p Plan
	s.Actions = wait.Actions(c)
	for _, a := range s.Actions {
		at := s.of(a.At)
		if a.What == wait.DeletedAttachment && a.Inferred && at.Max-at.Min > wait.PhaseMargin.Seconds() &&
			a.At.Witness[0].Source.Kind != model.SourceMetric {
			at = exactly(max(at.Min, at.Max-upstream.AttachSyncPeriod.Seconds()/2)) // the sync that found it comes every minute
		}
		if at.Best < from || begins(at, from) || at.Best > until || a.ByPerson == model.False && a.What != wait.TaintedOutOfService && !upstream.NotOurs(a.By) {
			continue
		}
		if a.What == wait.TaintedOutOfService && s.takenBack(c, a) {
			continue
		}
		kind := actOf(c, a)
		if kind == DeletePod && !p.explains(kind, at.Best) && s.endedAtOnce(c, at.Best) {
			kind = ForceDeletePod
		}
		if kind == DeletePod && s.evictors(a, at.Best) {
			continue
		}
		if kind != "" && p.First(kind) == never && !p.explains(kind, at.Best) {
			p.Acts = append(p.Acts, Act{Kind: kind, At: at.Best, Early: at.Best - at.Min, Late: at.Max - at.Best})
		}
	}
	p.Acts = slices.DeleteFunc(p.Acts, func(a Act) bool { return a.Kind == DeletePod && math.Abs(p.First(ForceDeletePod)-a.At) < 2 })
	return p
}

// takenBack reports that a taint was removed before the old pod let go, so that it came to nothing.
func (s *Scenario) takenBack(c *wait.Case, taint wait.Action) bool {
	return slices.ContainsFunc(s.Actions, func(a wait.Action) bool {
		return a.What == wait.RemovedOutOfService && taint.At.Before(a.At) && a.At.Before(c.Released)
	})
}

// evictors reports that an ordinary deletion of the old pod may be taint eviction's, which deletes the pods of a lost node.
func (s *Scenario) evictors(a wait.Action, at float64) bool {
	return a.ByPerson != model.True && s.lostAt(at)
}

// lostAt reports that the old node was not Ready at a time.
func (s *Scenario) lostAt(at float64) bool {
	return s.NotReady.Known() && s.NotReady.Best < at && at < s.Back
}

// begins reports that an act of which only wide bounds are known may have come before a time, as what began the wait.
func begins(act model.Range, from float64) bool { return act.Min <= from && act.Max-act.Min > atOnce }

// endedAtOnce reports that the old pod on a lost node was gone as soon as it was deleted, so that the deletion was forced.
func (s *Scenario) endedAtOnce(c *wait.Case, at float64) bool {
	return s.lostAt(at) && math.Abs(s.of(c.Released).Best-at) < atOnce
}

// atOnce is how far, in seconds, the records of a deletion by force and of its consequence lie apart.
const atOnce = 2.0

// explains reports that an act of the plan explains the end of the old pod: pod GC follows the taint or the Node's deletion.
func (p Plan) explains(kind ActKind, at float64) bool {
	return kind == DeletePod && (p.First(TaintOutOfService) < at || p.First(DeleteNode) < at)
}

// actOf is the act that an action on the old pod, the old node or the blocking VolumeAttachment is; empty for others.
func actOf(c *wait.Case, a wait.Action) ActKind {
	kind, own := kinds[a.What], true
	switch kind {
	case ForceDeletePod, DeletePod:
		own = slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { return p.Is(a.Object) })
	case TaintOutOfService, DeleteNode:
		own = a.Object.Name == c.From
	case DeleteAttachment, RemoveFinalizer:
		own = a.Object.Name == c.Attachment.Name
	}
	switch {
	case !own:
		return ""
	case a.What == wait.Scaled && strings.Contains(a.Detail, " 0 "):
		return ScaleDown
	case c.TakenBack(a), a.What == wait.Scaled && c.EndedWait(a):
		return EndDemand
	case a.What == wait.Scaled:
		return ScaleUp
	}
	return kind
}
