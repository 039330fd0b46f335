package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// refusalLasts is for how long a back end may refuse an attach as part of an ordinary move: it takes its time to detach.
const refusalLasts = time.Minute

// refusedWaits are the waits in which the controller did not report Multi-Attach and the back end refuses, because another machine has the
// volume: the attach, or later the mapping or the mount. Refusals that a success followed within a minute were an ordinary move.
func refusedWaits(w *facts.World, others byStorage) (out []*Case) {
	own := map[*facts.Volume][]*Case{}
	for _, kind := range []model.Kind{model.AttachFailed, model.AttachmentAttachError, model.AttacherFailed, model.MountFailed} {
		for _, o := range w.ByKind[kind] {
			v := w.Volumes.Find(o.Volume)
			if v == nil || o.At.IsZero() || len(others[v.Storage()]) > 0 {
				continue
			}
			node, pods := wanting(w, o)
			if !facts.StorageRefuses(o, node) {
				continue
			}
			i := slices.IndexFunc(own[v], func(c *Case) bool { return c.To == node || c.To == "" || node == "" })
			if i < 0 {
				c := &Case{Volume: v, Refused: true}
				i, own[v], out = len(own[v]), append(own[v], c), append(out, c)
			}
			own[v][i].add(o, node, pods)
		}
	}
	for _, c := range out {
		slices.SortStableFunc(c.Reports, (*model.Observation).Compare)
	}
	return slices.DeleteFunc(out, func(c *Case) bool { return passed(w, c) })
}

// NotHere reports that all refusals are of mounts, since the storage has not given the volume to the node that mounts it.
func (c *Case) NotHere() bool {
	list := c.Refusals()
	return len(list) > 0 && !slices.ContainsFunc(list, func(o *model.Observation) bool { return !upstream.NotHere(o.Detail) })
}

// passed reports that the volume was attached, or its pod had it, soon after the first refusal.
func passed(w *facts.World, c *Case) bool {
	soon := facts.During(c.start(), c.start().Add(refusalLasts))
	for _, p := range c.fresh.List {
		if facts.First(w.ByPod[p.String()], soon, hasVolumes) != nil {
			return true
		}
	}
	return facts.First(w.ByVolume[c.Volume], soon, facts.Kinds(model.AttachSucceeded, model.AttacherAttached, model.MountSucceeded)) != nil
}

// RefusedAt is the stage of a refused wait: attach, or mount where the volume had been attached.
func (c *Case) RefusedAt() string {
	other := func(o *model.Observation) bool { return o.Kind != model.MountFailed }
	if refusals := c.Refusals(); len(refusals) > 0 && !slices.ContainsFunc(refusals, other) {
		return "mount"
	}
	return "attach"
}

// Refusals are the refused attaches of a case that they alone show.
func (c *Case) Refusals() []*model.Observation {
	return facts.Where(c.Reports, func(*model.Observation) bool { return c.Refused })
}

// stuckDetaches are volumes of which a failing detach is all that is shown, where nothing could show a wait.
func stuckDetaches(w *facts.World) []*Case {
	if len(w.Pods) > 0 || w.LogCovers() || w.EventsCover() {
		return nil
	}
	errors := slices.Concat(w.ByKind[model.AttachmentDetachError], w.ByKind[model.DetachFailed])
	return perVolume(w, facts.Where(errors, facts.StuckThere), Case{Stuck: true})
}

// perVolume makes a wait of the first statement about each volume.
func perVolume(w *facts.World, list []*model.Observation, like Case) (out []*Case) {
	for _, o := range list {
		v := w.Volumes.Find(o.Volume)
		if v != nil && !o.At.IsZero() && !slices.ContainsFunc(out, func(c *Case) bool { return c.Volume == v }) {
			c := like
			c.Volume, c.Reports = v, []*model.Observation{o}
			out = append(out, &c)
		}
	}
	return out
}

// takenByForce are volumes detached by force, under a name that a known error makes or with the attach elsewhere that followed, where nothing
// could show a wait.
func takenByForce(w *facts.World) []*Case {
	if len(w.Pods) > 0 || w.EventsCover() {
		return nil
	}
	list := perVolume(w, facts.Where(w.ByKind[model.DetachForcedTimeout], func(o *model.Observation) bool {
		_, marked := upstream.BugOf(o.Volume.UniqueName)
		return marked || movedTo(w, o) != ""
	}), Case{Taken: true})
	for _, c := range list {
		c.To = movedTo(w, c.Reports[0])
	}
	return list
}

// movedTo is the node to which the volume of a forced detach was attached next; "" where no line shows it.
func movedTo(w *facts.World, o *model.Observation) string {
	return nodeOf(facts.First(w.ByVolume[w.Volumes.Find(o.Volume)], facts.After(o.At.At), func(a *model.Observation) bool {
		return a.Kind == model.AttachSucceeded && a.Node != "" && a.Node != o.Node
	}))
}

// DetachStuck are the errors of the detach from the old node that a pasted VolumeAttachment keeps; none when it went through.
func (c *Case) DetachStuck() []*model.Observation {
	return facts.Where(c.said(), func(o *model.Observation) bool {
		return facts.StuckThere(o) && mayBeOn(c.From)(o) && c.World.DetachedSince(o) == nil
	})
}
