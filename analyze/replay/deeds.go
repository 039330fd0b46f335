package replay

import (
	"math"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// kindOf is the act that a recorded deed is in the model; empty for deeds that the model does not know.
func kindOf(d reconstruct.Deed) ActKind {
	switch d {
	case reconstruct.ForceDeletedPod:
		return ForceDeletePod
	case reconstruct.DeletedPod, reconstruct.EvictedPod:
		return DeletePod
	case reconstruct.DeletedAttachment:
		return DeleteAttachment
	case reconstruct.RemovedFinalizer:
		return RemoveFinalizer
	case reconstruct.TaintedOutOfService:
		return TaintOutOfService
	case reconstruct.DeletedNode:
		return DeleteNode
	}
	return ""
}

// acts are what people did in the incident and could have left undone. What was done before it is how it began, and what
// a controller did follows from the model's rules.
func (s *Scenario) acts(c *reconstruct.Case) Plan {
	from := s.of(c.Began).Best
	if s.NotReady.Known() {
		from = min(from, s.NotReady.Best)
	}
	until := s.of(c.Attached).Best // what ended the demand is an act too
	var p Plan
	s.Actions = reconstruct.Actions(c)
	for _, a := range s.Actions {
		at := s.of(a.At)
		if a.What == reconstruct.DeletedAttachment && a.Inferred && at.Known() && at.Hi-at.Lo > reconstruct.ToldApart.Seconds() && a.At.Witness[0].Source.Kind != model.SourceMetric {
			at = exactly(max(at.Lo, at.Hi-upstream.AttachSyncPeriod.Seconds()/2)) // the sync that found it comes every minute
		}
		if !at.Known() || at.Best < from || begins(at, from) || at.Best > until || a.ByPerson == model.False && a.What != reconstruct.TaintedOutOfService {
			continue
		}
		kind := actOf(c, a)
		if kind == DeletePod && !p.told(kind, at.Best) && s.endedAtOnce(c, at.Best) {
			kind = ForceDeletePod
		}
		if kind == DeletePod && s.evictors(a, at.Best) {
			continue
		}
		if kind != "" && p.first(kind) == never && !p.told(kind, at.Best) {
			p.Acts = append(p.Acts, Act{Kind: kind, At: at.Best, Early: at.Best - at.Lo, Late: at.Hi - at.Best})
		}
	}
	p.Acts = slices.DeleteFunc(p.Acts, func(a Act) bool { return a.Kind == DeletePod && math.Abs(p.first(ForceDeletePod)-a.At) < 2 })
	return p
}

// evictors reports that the ordinary deletion of the old pod is no act of people as far as anything tells: the taint eviction
// deletes the pods of a node that is lost.
func (s *Scenario) evictors(a reconstruct.Action, at float64) bool {
	return a.ByPerson != model.True && s.lostAt(at)
}

// lostAt reports that the old node was not Ready at a time.
func (s *Scenario) lostAt(at float64) bool {
	return s.NotReady.Known() && s.NotReady.Best < at && at < s.Back
}

// begins reports that an act of which only wide bounds are known may have come before a time, as what began the wait.
func begins(act Span, from float64) bool { return act.Lo <= from && act.Hi-act.Lo > atOnce }

// endedAtOnce reports that the old pod was gone as soon as it was deleted, on a node that was lost: nobody there ends a pod in
// the ordinary way, so that the deletion was one by force, whatever the record of it says.
func (s *Scenario) endedAtOnce(c *reconstruct.Case, at float64) bool {
	return s.lostAt(at) && c.Released.Known() && math.Abs(s.of(c.Released).Best-at) < atOnce
}

// atOnce is how far, in seconds, the records of a deletion by force and of its consequence lie apart.
const atOnce = 2.0

// told reports that an end of the old pod belongs to an act that the plan has: pod GC ends it after the taint or the
// deletion of the node.
func (p Plan) told(kind ActKind, at float64) bool {
	return kind == DeletePod && (p.first(TaintOutOfService) < at || p.first(DeleteNode) < at)
}

func actOf(c *reconstruct.Case, a reconstruct.Action) ActKind {
	switch kind := kindOf(a.What); kind {
	case ForceDeletePod, DeletePod:
		return podAct(c, a, kind)
	case TaintOutOfService, DeleteNode:
		if a.Object.Name != c.From {
			return ""
		}
		return kind
	case DeleteAttachment, RemoveFinalizer:
		if a.Object.Name != c.Attachment.Name {
			return ""
		}
		return kind
	}
	if a.What == reconstruct.Scaled {
		if strings.Contains(a.Detail, " 0 ") {
			return ScaleDown
		}
		return ScaleUp
	}
	return ""
}

// podAct tells the old pod from the waiting one.
func podAct(c *reconstruct.Case, a reconstruct.Action, kind ActKind) ActKind {
	for _, p := range c.OldPods {
		if p.Is(a.Object) {
			return kind
		}
	}
	return ""
}
