package wait

import (
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// step is a phase with the instant that ends it; unknown when the evidence does not show it, or when it has not come yet.
type step struct {
	id  model.PhaseID
	end facts.Instant
}

// phases tiles the span of a case. Each phase ends at the instant that ends what it waited for. A stretch in which several may have come
// one after the other is undivided when it is long, and named after the first when it is short. One without length is left out.
func phases(c *Case) (model.Span, []model.Phase) {
	start, startsAt := spanStart(c)
	stop, open := spanStop(c)
	t := tiling{from: start.Moment}
	for _, s := range steps(c, startsAt) {
		t.pending = append(t.pending, s.id)
		if !s.end.Known() {
			continue
		}
		if stop.Known() && !s.end.At.Before(stop.At) {
			break
		}
		if len(t.pending) > 1 && t.pending[0] == model.PhaseRelease && c.countsAt(s.end.At) {
			t.pending = without(t.pending, model.PhaseUnmountWait) // which begins with the release
		}
		t.to(s.end.Moment)
	}
	if stop.Known() {
		if left := underWay(c, t.pending, stop); len(left) > 0 {
			t.pending = left // else the state at the end is none of those that the steps lead to
		}
		t.to(stop.Moment)
	}
	span := model.Span{From: start.Moment, To: t.from, StartsAt: startsAt, Open: open}
	span.Seconds = span.From.Until(span.To)
	if age := ageOf(start, span); age != nil {
		span.Seconds = *age
		if len(t.out) == 1 {
			t.out[0].Seconds = *age
		}
	}
	return span, t.out
}

// ageOf is the age that a row gives the beginning of an open span, if the span ends when the row was printed: then it is how long the span
// lasted, also where the time of either is hardly known. Nil for none.
func ageOf(start facts.Instant, span model.Span) *model.Range {
	if !span.Open || len(start.Witness) == 0 || start.Witness[0].Age == nil {
		return nil
	}
	age := start.Witness[0].Age
	if math.Abs(age.Best-span.Seconds.Best) > PhaseMargin.Seconds() || age.Max-age.Min >= span.Seconds.Max-span.Seconds.Min {
		return nil
	}
	return age
}

// tiling puts phases one after the other.
type tiling struct {
	out     []model.Phase
	from    model.Moment
	pending []model.PhaseID // those without a known end yet
}

// to ends what is pending at a moment.
func (t *tiling) to(m model.Moment) {
	if m.At.After(t.from.At) {
		t.out = append(t.out, t.phase(m))
		t.from = m
	}
	t.pending = nil
}

func (t *tiling) phase(to model.Moment) model.Phase {
	p := model.Phase{ID: t.pending[0], From: t.from, To: to, Seconds: t.from.Until(to)}
	if of := mover(t.pending); len(of) > 1 && to.At.Sub(t.from.At) > PhaseMargin {
		p.ID, p.Undivided = model.PhaseUndivided, of
	}
	return p
}

// mover are the phases of a list in which the volume goes from one node to the other.
func mover(list []model.PhaseID) (out []model.PhaseID) {
	for _, id := range list {
		moves := []model.PhaseID{model.PhaseRelease, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach}
		if slices.Contains(moves, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// underWay are the pending phases that the state at the end of the span does not rule out.
func underWay(c *Case, pending []model.PhaseID, stop facts.Instant) []model.PhaseID {
	switch {
	case len(pending) == 0 && c.Ready.Known():
		return []model.PhaseID{model.PhaseMount}
	case len(pending) == 0:
		return []model.PhaseID{model.PhaseAttach}
	case c.Attached.Known(), c.Refused && c.RefusedAt() == "mount":
		return pending
	case pending[0] == model.PhaseRelease && c.countsAt(stop.At):
		return pending[:1] // the controller begins no detach of what a pod still uses
	case c.heldNow():
		return without(pending, model.PhaseDetach, model.PhaseAttach, model.PhaseMount)
	case c.leavesNow(), c.shownThere():
		return without(pending, model.PhaseAttach, model.PhaseMount)
	}
	return without(pending, model.PhaseMount)
}

// without is a list of phases less some.
func without(list []model.PhaseID, drop ...model.PhaseID) []model.PhaseID {
	return slices.DeleteFunc(slices.Clone(list), func(id model.PhaseID) bool { return slices.Contains(drop, id) })
}

func steps(c *Case, startsAt string) []step {
	var out []step
	if c.Refused && c.RefusedAt() == "mount" {
		return []step{{model.PhaseMount, either(c.Ready, c.Attached)}}
	}
	if c.Refused {
		if len(c.DetachErrors) > 0 && c.DetachRequested.Before(c.Began) && !c.Gone.Before(c.Began) {
			out = append(out, step{model.PhaseDetach, c.Gone}) // the storage refuses at least until it succeeds
		}
		return append(out, step{model.PhaseAttach, c.Attached}, step{model.PhaseMount, c.Ready})
	}
	scheduled := c.Scheduled
	if !c.Before {
		scheduled = either(scheduled, c.Began)
	}
	before := []step{{model.PhaseDetection, c.NotReady}, {model.PhaseEviction, evictionEnd(c)}, {model.PhaseReplacement, c.Created},
		{model.PhaseScheduling, scheduled}}
	begun := map[string]int{model.StartsAtNotReady: 1, model.StartsAtDeletion: 2, model.StartsAtReport: len(before)}
	out = before[begun[startsAt]:]
	if c.Before {
		return out // what moves the volume is still to come
	}
	for n, l := range c.Lives[:max(len(c.Lives), 1)-1] { // each until the controller attaches the volume again
		out = append(out, c.releaseOf(l), step{model.PhaseUnmountWait, divides(l.DeletionRequested)}, step{model.PhaseDetach, c.Lives[n+1].Created})
	}
	return append(out, c.lastLife(startsAt)...)
}

// detachBegunBy is when a detach of unknown beginning had surely begun: its request lies before; or the controller had made the wanted
// node's attachment beside the old one, only after a detach that failed or timed out, unless a new leader was not certain of the old one.
func (c *Case) detachBegunBy() facts.Instant {
	by := c.DetachRequested
	by.At = by.Latest
	if by.Known() && width(by) > PhaseMargin {
		return by
	}
	oneLeader := len(c.Failovers) == 0 && !c.Listed // rows alone show none
	if besides := c.SecondAttachment() && c.secondMayWait(); by.Known() || !besides || !oneLeader {
		return facts.Instant{}
	}
	if c.Gone.Known() || c.shownThere() || len(c.AttachRefused()) > 0 {
		return c.NewAttachment
	}
	return facts.Instant{}
}

// lastLife are the phases of the life that held the volume last, and of what came after it.
func (c *Case) lastLife(startsAt string) []step {
	release, again := c.releaseOf(c.Held()), c.Again()
	// A release that surely lies before a span that begins with the report is no matter of the span.
	if startsAt == model.StartsAtReport && c.Released.Known() && !c.Released.Latest.After(c.Began.Latest) {
		release.end = c.Released
	}
	if again.Known() {
		release.end = either(release.end, c.DemandEnded) // the old pod served until then
	}
	out := []step{release, {model.PhaseUnmountWait, c.unmountEnd()}}
	end := detachEnd(c)
	if begun := c.detachBegunBy(); begun.Known() && (!end.Known() || begun.Before(end)) {
		out = append(out, step{model.PhaseDetach, begun}) // from then on it surely was a detach
	}
	if again.Known() {
		return append(out, step{model.PhaseDetach, c.Gone}, step{model.PhaseReplacement, again})
	}
	return append(out, step{model.PhaseDetach, end}, step{model.PhaseAttach, c.Attached}, step{model.PhaseMount, c.Ready})
}

// releaseOf is the phase in which the old pod counts as a user while a life holds the volume, or until a user deletes the attachment.
func (c *Case) releaseOf(l Life) step {
	asked := l.DeletionRequested
	before := !c.Released.Known() || c.Released.At.After(asked.At)
	if before && l.ByHand == model.True && c.countsAt(asked.At) {
		return step{model.PhaseRelease, divides(asked)}
	}
	return step{model.PhaseRelease, divides(c.Released)}
}

// divides is an instant when it is certain enough to divide two phases, or lies between two scrapes, however far they are apart.
func divides(i facts.Instant) facts.Instant {
	if width(i) > PhaseMargin && !slices.ContainsFunc(i.Witness, facts.FromMetric) {
		return facts.Instant{}
	}
	return i
}

// PhaseMargin is the uncertainty up to which an instant may divide two phases.
const PhaseMargin = 15 * time.Second

// evictionEnd is what ended the old pod: its deletion, or that it finished by itself, as at a graceful shutdown.
func evictionEnd(c *Case) facts.Instant {
	byItself := !c.DeletionRequested.Known() || c.OldPodFinished.Before(c.DeletionRequested)
	if end := c.OldPodFinished; byItself && end.Known() && end.At.Before(c.Began.Latest) {
		return end
	}
	if !c.DeletionRequested.At.After(c.Began.Latest) {
		return c.DeletionRequested
	}
	return facts.Instant{}
}

// detachEnd divides detach from attach: the new VolumeAttachment, which the controller makes when it has noticed that the old one is
// gone. When both exist at once it is the old one's end; without a record of that nothing divides them.
func detachEnd(c *Case) facts.Instant {
	begun := c.attachBegun()
	both := c.Gone.Known() && begun.Latest.Add(time.Second).Before(c.Gone.Earliest)
	if both || !begun.Known() {
		return c.Gone
	}
	if c.Gone.Known() {
		return begun
	}
	undivided := c.DetachRequested.Known()
	if c.Attached.Known() {
		undivided = c.Attached.At.Sub(begun.At) > PhaseMargin && c.secondMayWait()
	}
	if there := c.leavesNow() || c.heldNow() || c.shownThere(); there || undivided {
		return facts.Instant{}
	}
	return begun
}

// attachBegun is when the attach to the wanted node began: its VolumeAttachment was made, and Multi-Attach not reported again since.
func (c *Case) attachBegun() facts.Instant {
	begun := c.NewAttachment
	for _, o := range c.Reports {
		here := o.Kind == model.MultiAttach && mayBeOn(c.To)(o)
		if begun.Known() && here && o.At.Earliest.After(begun.Latest.Add(reportSlack)) {
			begun = seen(facts.First(c.said(), facts.After(o.At.At), facts.And(facts.Kinds(model.AttachStarted), onNode(c.To))))
		}
	}
	return begun
}

// secondMayWait reports that the attachment of the wanted node may have been made beside the old one: since 1.26.10, 1.27.7, 1.28.3 and
// 1.29 a failed detach leaves the old one uncertain, which does not keep the controller from it.
func (c *Case) secondMayWait() bool {
	return !c.World.Version.Known() || upstream.SecondAttachmentAfterFailedDetach(c.World.Version)
}

// spanStart is the first instant of the chain that led to the wait.
func spanStart(c *Case) (facts.Instant, string) {
	if c.Refused {
		return c.Began, model.StartsAtReport
	}
	if c.NotReady.Known() && c.NotReady.At.Before(c.Began.At) {
		if c.Heartbeat.Before(c.NotReady) {
			return c.Heartbeat, model.StartsAtHeartbeat
		}
		return c.NotReady, model.StartsAtNotReady
	}
	if c.DeletionRequested.Known() && !c.DeletionRequested.At.After(c.Began.At) {
		return c.DeletionRequested, model.StartsAtDeletion
	}
	return c.Began, model.StartsAtReport
}

// spanStop ends the span: the new pod Ready, no pod waiting, or the collection, which leaves it open; without news of the pod the attach.
func spanStop(c *Case) (stop facts.Instant, open bool) {
	at := c.World.Axis.CapturedAt
	switch {
	case c.Ready.Known() && c.Attached.Known():
		return c.Ready, false
	case c.mountsNow():
		return facts.Instant{Moment: *at}, true
	case c.Again().Known():
		return c.Again(), false
	case c.Ended().Known():
		return c.Ended(), false
	case c.Taken: // no pod is known to wait
		return facts.Instant{}, false
	case at != nil && at.At.After(c.Began.At):
		return facts.Instant{Moment: *at}, true
	}
	return facts.Instant{}, true
}

// mountsNow reports that the volume was attached and its pod not Ready yet at the collection.
func (c *Case) mountsNow() bool {
	at := c.World.Axis.CapturedAt
	if at == nil || !c.Attached.Known() {
		return false
	}
	return at.At.After(c.Attached.At) && c.NotReadyNow() != nil
}
