package film

import (
	"slices"
	"time"

	"github.com/volpost/volpost/model"
)

// Pod is a pod at an instant.
type Pod struct {
	Ref    model.Ref
	New    bool    // it is one that wants the volume, not one that had it
	Exists bool    // it was created by then, as far as the report says
	Status *Status // the last that was reported of it
	Waits  bool    // for the volume, which another node has
	// Freed is since when the controller does not count an old pod as a user of the volume; nil while it does, or if unknown.
	Freed *model.Moment
}

// podTrack is one pod of the film.
type podTrack struct {
	ref    model.Ref
	isNew  bool
	born   *time.Time // when it was created by the report
	shared bool       // another pod of the incident has its name, as with a StatefulSet
}

// mostPods is how many pods of each side a film follows. A picture has room for fewer, and each is looked for in every event.
const mostPods = 16

func (f *Film) trackPods() []*podTrack {
	var out []*podTrack
	all := map[model.Ref]bool{}
	add := func(list []model.Ref, isNew bool) {
		for i, ref := range list {
			if all[ref] = true; i < mostPods && !slices.ContainsFunc(out, func(p *podTrack) bool { return p.ref == ref }) {
				out = append(out, &podTrack{ref: ref, isNew: isNew})
			}
		}
	}
	add(f.Incident.From.Pods, false)
	add(f.Incident.To.Pods, true)
	f.LeftOut = len(all) - len(out)
	for _, p := range out {
		for _, o := range out {
			p.shared = p.shared || o != p && o.ref.Key() == p.ref.Key()
		}
		p.born = f.birth(p)
	}
	return out
}

// birth is when a pod was created: by an event with its UID, or the end of the phase that waited for it.
func (f *Film) birth(p *podTrack) *time.Time {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind != model.PodCreated && e.Kind != model.ReplicaCreated {
			continue
		}
		named := slices.ContainsFunc(e.About, func(r model.Ref) bool {
			return r.Is(p.ref) && (r.UID != "" || !p.shared)
		})
		if named {
			return &e.At.At
		}
	}
	for i := range f.Incident.Phases {
		if ph := &f.Incident.Phases[i]; p.isNew && (ph.ID == model.PhaseScheduling || ph.ID == model.PhaseRelease) {
			return &ph.From.At
		}
	}
	return nil
}

// names reports whether an event is about the pod. Of two of one name without UID, it is about the one that existed then.
func (p *podTrack) names(e *Event, all []*podTrack) bool {
	for _, r := range e.About {
		if r.Kind != "Pod" || !r.Is(p.ref) {
			continue
		}
		if r.UID != "" || !p.shared {
			return true
		}
		return p == lastBorn(all, p.ref, e)
	}
	return false
}

func lastBorn(all []*podTrack, ref model.Ref, e *Event) *podTrack {
	var best *podTrack
	at := e.At.At
	if rank(e.Kind) >= rank(model.PodDeletionRequested) {
		at = at.Add(-oneFact)
	}
	for _, p := range all {
		if p.ref.Key() == ref.Key() && (best == nil || p.born != nil && !p.born.After(at)) {
			best = p
		}
	}
	return best
}

// podStates are what pods are after events. A pod does not come back from a state of higher rank; no other event is a state.
var podStates = map[model.Kind]struct {
	rank int
	word string
}{
	model.PodCreated: {1, "created"}, model.ReplicaCreated: {1, "created"},
	model.PodScheduled: {2, "scheduled"}, model.PodWaiting: {2, "scheduled"},
	model.PodReady: {3, "Ready"}, model.PodNotReady: {3, "not Ready"},
	model.PodEvictionDecided: {4, "being evicted"}, model.PodEvictionCancelled: {4, "not evicted after all"},
	model.PodDeletionRequested: {5, "Terminating"}, model.ReplicaDeleted: {5, "Terminating"},
	model.PodForceDeleting: {5, "Terminating"}, model.PodOrphaned: {5, "Terminating"},
	model.PodContainersStopped: {6, "containers stopped"}, model.PodFinished: {6, "finished"},
	model.PodGone: {7, "gone"}, model.PodForceDeleted: {7, "gone"},
}

func rank(k model.Kind) int { return podStates[k].rank }

// podsAt folds what the first events report of the pods.
func (f *Film) podsAt(t time.Time, happened int, waits bool) []Pod {
	var out []Pod
	for _, track := range f.pods {
		p := Pod{Ref: track.ref, New: track.isNew, Exists: track.born == nil || !t.Before(*track.born)}
		ranked := 0
		for e := range f.About(track.ref, 0, happened) {
			r := rank(e.Kind)
			if r == 0 || r < ranked || !track.names(e, f.pods) {
				continue
			}
			if ranked = r; e.Kind == model.PodEvictionCancelled {
				ranked = rank(model.PodReady)
			}
			if word := podStates[e.Kind].word; p.Status == nil || p.Status.Word != word {
				p.Status = e.status(word)
			}
		}
		p.Exists = p.Exists || p.Status != nil
		gone := p.Status != nil && (p.Status.Word == "gone" || p.Status.Word == "replaced")
		if next := f.successor(track); next != nil && !t.Before(*next.born) {
			p.Status = &Status{Word: "replaced", Since: model.Between(*next.born, *next.born).As(model.Derived)}
		}
		if !p.New {
			p.Freed = f.freed(t)
		}
		p.Waits = waits && p.New && p.Exists && !gone && !t.Before(f.Zero)
		out = append(out, p)
	}
	return out
}

// successor is the next pod of the same name: both cannot exist at once.
func (f *Film) successor(p *podTrack) *podTrack {
	for _, o := range f.pods {
		if o != p && o.isNew && !p.isNew && o.born != nil && o.ref.Key() == p.ref.Key() {
			return o
		}
	}
	return nil
}

// freed is since when the old pods do not count as users, by the report of the controller's decision.
func (f *Film) freed(t time.Time) *model.Moment {
	for _, k := range thinks(f.Incident.WhyNotDetached, t) {
		if k.Operand == model.OperandReleased && k.Value == model.True && k.Since != nil {
			return k.Since
		}
	}
	return nil
}
