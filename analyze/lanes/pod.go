package lanes

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// pod is the lane of a pod while it is made.
type pod struct {
	*Lane
	born   facts.Instant // when a source says that it was created
	shared bool          // another pod of the case has its name, as with a StatefulSet
	told   []*model.Observation
	rank   int
	ran    bool
}

// podStates are what pods are after statements. A pod does not come back from a state of higher rank; no other statement is a state.
var podStates = map[model.Kind]struct {
	rank     int
	word     model.StateWord
	reported string
}{ // for lookup only
	model.PodCreated: {1, model.StatePending, "created"}, model.ReplicaCreated: {1, model.StatePending, "created"},
	model.PodScheduled: {2, model.StatePending, "scheduled"}, model.PodWaiting: {2, model.StatePending, "scheduled"},
	model.PodRunning: {3, model.StateRunning, "running"},
	model.PodReady:   {4, model.StateReady, "Ready"}, model.PodNotReady: {4, model.StatePending, "not Ready"},
	model.PodEvictionDecided:   {5, model.StateTerminating, "being evicted"},
	model.PodEvictionCancelled: {5, model.StateRunning, "not evicted after all"},
	model.PodDeletionRequested: {6, model.StateTerminating, "Terminating"}, model.ReplicaDeleted: {6, model.StateTerminating, "Terminating"},
	model.PodForceDeleting: {6, model.StateTerminating, "Terminating"}, model.PodOrphaned: {6, model.StateTerminating, "Terminating"},
	model.PodContainersStopped: {7, model.StateReleased, "containers stopped"}, model.PodFinished: {7, model.StateReleased, "finished"},
	model.PodGone: {8, model.StateGone, "gone"}, model.PodForceDeleted: {8, model.StateGone, "gone"},
}

// pods are the lanes of the pods that had the volume, and of those that want it.
func pods(c *wait.Case, told []*model.Observation) []*Lane {
	all := tracked(c, told)
	for _, o := range told {
		if podStates[o.Kind].rank == 0 {
			continue
		}
		for _, p := range all {
			if p.named(o, all) {
				p.told = append(p.told, o)
			}
		}
	}
	for _, p := range all {
		for _, o := range undated(c.World, p.told) {
			p.take(o)
		}
	}
	for _, p := range all {
		if p.Role == model.RoleNewPod {
			p.waits(c)
			continue
		}
		p.replaced(all)
		p.asked(c)
		p.evicted(c)
		p.released(c)
	}
	out := make([]*Lane, 0, len(all))
	for _, p := range all {
		out = append(out, p.Lane)
	}
	return out
}

// tracked are the pods that have a lane, each with the time of its creation.
func tracked(c *wait.Case, told []*model.Observation) []*pod {
	var out []*pod
	add := func(refs []model.Ref, role model.LaneRole, node string) {
		for _, r := range refs[:min(len(refs), MostPods)] {
			if !slices.ContainsFunc(out, func(p *pod) bool { return p.Object == r }) {
				out = append(out, &pod{Lane: &Lane{Object: r, Role: role, Node: node}})
			}
		}
	}
	add(c.OldPods, model.RoleOldPod, c.From)
	add(c.NewPods, model.RoleNewPod, c.To)
	for _, p := range out {
		p.shared = slices.ContainsFunc(out, func(o *pod) bool { return o != p && o.Object.Key() == p.Object.Key() })
	}
	for _, o := range told {
		if podStates[o.Kind].word != model.StatePending || podStates[o.Kind].rank != 1 {
			continue
		}
		for _, p := range out {
			certain := o.Pod.UID != "" || !p.shared
			if !p.born.Known() && o.Pod.Is(p.Object) && certain {
				p.born = wait.At(o)
			}
		}
	}
	return out
}

// named reports that a statement is about the pod. Of two of one name, without a UID, it is about the one that existed then.
func (p *pod) named(o *model.Observation, all []*pod) bool {
	if !o.Pod.Is(p.Object) {
		return false
	}
	return o.Pod.UID != "" || !p.shared || p == lastBorn(all, o)
}

func lastBorn(all []*pod, o *model.Observation) *pod {
	var best *pod
	at := o.At.At
	if podStates[o.Kind].rank >= podStates[model.PodDeletionRequested].rank {
		at = at.Add(-oneFact)
	}
	for _, p := range all {
		created := p.born.Known() && !p.born.At.After(at)
		if p.Object.Key() == o.Pod.Key() && (best == nil || created) {
			best = p
		}
	}
	return best
}

func (p *pod) take(o *model.Observation) {
	s := podStates[o.Kind]
	if s.rank < p.rank {
		return
	}
	p.ran = p.ran || o.Kind == model.PodReady || o.Kind == model.PodRunning
	word := s.word
	if o.Kind == model.PodNotReady && (p.ran || p.Role == model.RoleOldPod) {
		word = model.StateRunning
	}
	if p.rank = s.rank; o.Kind == model.PodEvictionCancelled {
		p.rank = podStates[model.PodReady].rank
	}
	p.say(reported(word, s.reported, wait.At(o)))
}

// runs are the states of a pod that nobody ends or waits for.
var runs = []model.StateWord{model.StatePending, model.StateRunning, model.StateReady}

// waits is the wait of a new pod for the volume, from the first report until the volume was attached, or the demand ended.
func (p *pod) waits(c *wait.Case) {
	if c.Before || !c.Resolved() && !c.Span.Open {
		return // nothing was refused, or the demand ended at an unknown time
	}
	from, to := c.Began, c.Ended()
	if p.born.Known() && p.born.At.After(from.At) {
		from = p.born
	}
	if to.Known() && !from.At.Before(to.At) {
		return
	}
	if len(p.States) == 0 || p.States[0].From.At.After(from.At) {
		p.States = slices.Insert(p.States, 0, State{Word: model.StateWaiting, From: from, To: to})
	}
	p.during(from, to, model.StateWaiting, runs...)
}

// replaced ends an old pod by the next of its name: both cannot exist at once.
func (p *pod) replaced(all []*pod) {
	i := slices.IndexFunc(all, func(o *pod) bool {
		return o.Role == model.RoleNewPod && o.born.Known() && o.Object.Key() == p.Object.Key()
	})
	if i < 0 || p.Last().Word == model.StateGone && !p.Last().From.At.After(all[i].born.At) {
		return
	}
	gone := all[i].born
	gone.Basis = gone.Basis.Weaker(model.Derived)
	p.States = slices.DeleteFunc(p.States, func(s State) bool { return !s.From.At.Before(gone.At) })
	p.say(reported(model.StateGone, "replaced", gone))
}

// asked is the only old pod from the request of its deletion, as the case derives it where no statement of its own says so.
func (p *pod) asked(c *wait.Case) {
	if len(c.OldPods) != 1 || !c.DeletionRequested.Known() || c.DeletionRequested.Vague() {
		return
	}
	p.during(c.DeletionRequested, facts.Instant{}, model.StateTerminating, runs...)
	for n := range p.States {
		if s := &p.States[n]; s.Word == model.StateTerminating && s.Reported != podStates[model.PodEvictionDecided].reported {
			s.Reported = "" // what was reported of it before
		}
	}
}

// evictedIn is how long after the decision an evicted pod is being deleted: 0 to 4 s in the recordings.
const evictedIn = 5 * time.Second

// evicted ends the eviction, which is a decision: the deletion follows at once, at the latest when the pod has a successor.
func (p *pod) evicted(c *wait.Case) {
	n := slices.IndexFunc(p.States, func(s State) bool { return s.Reported == podStates[model.PodEvictionDecided].reported })
	if n < 0 {
		return
	}
	from := p.States[n].From
	from.Moment = model.Between(from.At, from.At.Add(evictedIn))
	if from.At, from.Basis = from.Latest, model.Assumed; c.Created.Known() && c.Created.At.After(from.Earliest) && c.Created.At.Before(from.At) {
		from = c.Created
		from.Basis = from.Basis.Weaker(model.Derived)
	}
	if to := p.States[n].To; to.Known() && !from.At.Before(to.At) {
		return
	}
	later := p.States[n]
	later.Reported, later.From, p.States[n].To = "", from, from
	p.States = slices.Insert(p.States, n+1, later)
}

// released is an old pod that the controller does not count any more, from the release until it is gone.
func (p *pod) released(c *wait.Case) {
	if c.Released.Known() && !c.Released.Vague() {
		p.during(c.Released, facts.Instant{}, model.StateReleased, append(runs, model.StateWaiting, model.StateTerminating)...)
	}
}
