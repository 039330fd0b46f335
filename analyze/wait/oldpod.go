package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// oldPods are the pods that used the volume on the old node: by the report, the bundle, else the workload's last pod there.
func oldPods(c *Case) []model.Ref {
	var named facts.Refs
	for _, o := range c.Reports {
		named.Add(o.Pods...)
	}
	out := refsOf(c.withIncarnation(named.List)...)
	if c.From == "" {
		return out.List
	}
	for _, p := range c.World.UsersAt(c.Volume, c.From) {
		if !p.Value().CreationTimestamp.After(c.Began.NoLaterThan()) && !c.isNewPod(p.Ref) {
			out.Add(p.Ref)
		}
	}
	for _, p := range usersOn(c.World, c.Volume, c.From, c.Began.Latest) {
		if !c.isNewPod(p) && !c.goneBefore(p) {
			out.Add(p)
		}
	}
	if len(out.List) > 0 {
		return out.List
	}
	if o := predecessor(c); o != nil {
		return []model.Ref{o.Pod}
	}
	if removed := removedBefore(c); len(removed) == 1 {
		return removed
	}
	if o := unready(c); o != nil && o.Node == c.From {
		return []model.Ref{{Kind: "Pod", Namespace: c.NewPods[0].Namespace, Name: o.Pod.Name}}
	}
	o := facts.Last(c.said(), facts.Before(c.Began.At), facts.And(facts.Kinds(model.AttachStarted), onNode(c.From)))
	if o == nil {
		return nil
	}
	// Another pod may have come to an attached volume since; only a StatefulSet's pod surely keeps its name.
	return refsOf(facts.Where(o.Pods, func(p model.Ref) bool {
		return slices.ContainsFunc(c.NewPods, func(n model.Ref) bool { return n.Namespace == p.Namespace && n.Name == p.Name })
	})...).List
}

// NamedAtOnce reports that one report names all old pods as users, and several: those of two reports may have been it at two times.
func (c *Case) NamedAtOnce() bool {
	return len(c.OldPods) > 1 && slices.ContainsFunc(c.Reports, func(o *model.Observation) bool { return len(o.Pods) >= len(c.OldPods) })
}

// OldPodUnseen reports that metrics alone show the wait and none has a pod on the old node: it may have gone before they begin.
func (c *Case) OldPodUnseen() bool { return c.Sampled && c.From != "" && len(c.OldPods) == 0 }

// goneBefore reports that a pod was gone well before the wait: another one held the volume since.
func (c *Case) goneBefore(p model.Ref) bool {
	return facts.First(c.World.ByPod[p.String()], facts.Before(c.Began.Earliest.Add(-removalWindow)), facts.And(facts.Kinds(model.PodGone), facts.OfPod(p))) != nil
}

// withIncarnation gives a named pod the UID of the incarnation that was on the old node, when the bundle has it.
func (c *Case) withIncarnation(pods []model.Ref) []model.Ref {
	out := slices.Clone(pods)
	for i, p := range out {
		if p.UID != "" {
			continue
		}
		o := facts.Last(c.World.ByPod[p.String()], facts.Before(c.Began.Latest), func(o *model.Observation) bool {
			if o.Pod.UID == "" || c.isNewPod(o.Pod) {
				return false
			}
			there := c.From == "" || o.Node == c.From
			return o.Kind == model.PodCreated || o.Kind == model.PodScheduled && there
		})
		if o != nil {
			out[i].UID = o.Pod.UID
		}
	}
	return out
}

// predecessor is the scheduling of the newest pod of the same workload on another node, but for one that waits for a volume, too.
func predecessor(c *Case) *model.Observation {
	if len(c.NewPods) == 0 {
		return nil
	}
	waiting, since := c.NewPods[0], facts.After(c.Began.At.Add(-refusalLasts))
	waits := func(p model.Ref) bool {
		itself := p.UID != "" && p.UID == waiting.UID
		return itself || p.Name != waiting.Name && facts.First(c.World.ByPod[p.String()], since, facts.Kinds(model.MultiAttach)) != nil
	}
	return facts.Last(c.World.Scheduled[facts.Family(waiting)], facts.Before(c.Began.Latest), func(o *model.Observation) bool {
		if c.From != "" && o.Node != c.From || waits(o.Pod) {
			return false
		}
		return o.Node != "" && o.Node != c.To
	})
}

// removalWindow is how long before the report the removal of the old pod still explains that no pod used the volume.
const removalWindow = time.Hour

// removedBefore are the pods of the waiting pod's Deployment that were removed shortly before a report that no pod used the volume.
func removedBefore(c *Case) []model.Ref {
	if c.Variant != model.ExclusivelyAttached || len(c.NewPods) == 0 {
		return nil
	}
	var found facts.Refs
	near := facts.During(c.Began.At.Add(-removalWindow), c.Began.At)
	removals := []model.Kind{model.PodForceDeleted, model.PodForceDeleting, model.PodGone, model.PodRemoved, model.ReplicaDeleted,
		model.PodEvictionDecided}
	for _, kind := range removals {
		for _, o := range near.Of(c.World.ByKind[kind]) {
			elsewhere := kind == model.PodRemoved && o.Node != c.From
			if !elsewhere && o.Pod.Namespace == c.NewPods[0].Namespace && predecessorName(c, o) {
				found.Add(o.Pod)
			}
		}
	}
	return found.List
}

// predecessorName reports that a removed pod was the waiting pod's predecessor: another of its Deployment, or, since a StatefulSet gives
// the name again, one of the same name that is known to be older.
func predecessorName(c *Case, o *model.Observation) bool {
	waiting := c.NewPods[0]
	if o.Pod.Name != waiting.Name {
		return sameDeployment(o.Pod.Name, waiting.Name)
	}
	if _, deployment := facts.DeploymentName(waiting.Name); deployment || o.Pod.UID != "" && o.Pod.UID == waiting.UID {
		return false
	}
	made, since := facts.Kinds(model.PodScheduled, model.PodCreated, model.ReplicaCreated), facts.During(o.At.At, c.Began.Latest)
	return facts.First(c.World.ByPod[waiting.String()], since, made) != nil || c.Began.At.Sub(o.At.At) > time.Second
}

// successors are pods that took the place of an old one: they use the volume on the old node and came there while the wait lasted. The
// volume is then not released when the first old pod is gone.
func successors(c *Case) []model.Ref {
	if c.From == "" {
		return nil
	}
	while := facts.After(c.Began.Latest)
	for _, end := range []facts.Instant{c.DetachRequested, c.Gone, c.Ended()} {
		if end.Known() && (while.To.IsZero() || end.Earliest.Before(while.To)) {
			while.To = end.Earliest
		}
	}
	var out []model.Ref
	add := func(p model.Ref, node string, at time.Time) {
		known := c.isNewPod(p) || c.isOldPod(p) || slices.ContainsFunc(out, p.Is)
		if !known && node == c.From && while.Holds(at) {
			out = append(out, p)
		}
	}
	for _, p := range c.World.PodsAt(c.Volume, c.From) {
		add(p.Ref, c.From, p.Value().CreationTimestamp.Time)
	}
	for _, old := range c.OldPods {
		if _, deployment := facts.DeploymentName(old.Name); deployment { // the pods of others have claims of their own
			for _, o := range c.World.Scheduled[facts.Family(old)] {
				add(o.Pod, o.Node, o.At.At)
			}
		}
	}
	return out
}

// addSuccessors puts successors before the old pods. While nothing takes the volume from them, neither deletion nor release is known.
func addSuccessors(c *Case) {
	next := successors(c)
	if len(next) == 0 {
		return
	}
	c.OldPods = append(slices.Clone(next), c.OldPods...)
	c.Remade = true
	if !c.Attached.Known() && !c.DetachRequested.Known() {
		c.DeletionRequested, c.OldPodFinished = facts.Instant{}, facts.Instant{}
	}
}
