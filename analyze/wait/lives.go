package wait

import (
	"cmp"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Life is one object of the blocking VolumeAttachment's name, a hash of volume, driver and node (getAttachmentName, csi_attacher.go,
// 1.13–1.36): a deleted attachment comes back under it when the old node gets the volume again.
type Life struct {
	Created           facts.Instant // unknown for a first one of which no source has the beginning
	DeletionRequested facts.Instant
	Gone              facts.Instant
	UID               string
	// ByHand: another than the attach/detach controller requested its deletion. Unknown also where no deletion is known.
	ByHand model.Truth
	By     string // who requested it, in words; empty when unknown
	held   facts.Window
}

// Returned reports that the old node got the volume again while the wait lasted.
func (c *Case) Returned() bool { return len(c.Lives) > 1 }

// Held is the life that held the volume last while the wait lasted; the zero Life when there is none.
func (c *Case) Held() Life {
	if len(c.Lives) == 0 {
		return Life{}
	}
	return c.Lives[len(c.Lives)-1]
}

// lives finds the objects that held the volume on the old node, from before the wait to its end, and when each did.
func (c *Case) lives() (out []Life) {
	returns := c.returns()
	for n, created := range append([]facts.Instant{c.AttachmentCreated()}, returns...) {
		l := Life{Created: created, held: c.heldBy(n, returns)}
		l.DeletionRequested = detachRequested(c, l.held)
		l.Gone = gone(c, l.DeletionRequested, l.held, n == len(returns))
		if found := c.foundDetached(l.held); found != nil {
			l.missedBy(c, found)
		}
		if n < len(returns) {
			l.endBefore(c, returns[n])
		}
		l.ByHand, l.By = c.deletedBy(l)
		l.UID = c.uidOf(l, n)
		out = append(out, l)
	}
	return out
}

// heldBy is the time of a life: from its beginning, or the volume's attach before the wait, to the next one, or to the volume's next
// attach on the old node after the wait, which begins another story.
func (c *Case) heldBy(n int, returns []facts.Instant) facts.Window {
	w := facts.After(c.lastHeld())
	if n > 0 {
		w.From = returns[n-1].Latest
	}
	end := c.Ended()
	if n < len(returns) {
		w.To = returns[n].Latest
		return w
	}
	if !end.Known() && n > 0 {
		return w
	}
	if !c.Attached.Known() && n == 0 {
		end = c.Began
	}
	attach := facts.And(facts.Kinds(model.AttachStarted, model.AttachSucceeded), onNode(c.From))
	if again := facts.First(c.said(), facts.After(end.At), attach); again != nil {
		w.To = again.At.At
	}
	return w
}

// missedBy bounds the end of a life by the controller's sync that missed it, once a minute. When the deletion was requested
// is known only by that, since the driver's detach comes in between.
func (l *Life) missedBy(c *Case, found *model.Observation) {
	const rule = "the controller's sync, once a minute, found the attachment gone, and it had begun no detach"
	from := model.Later(c.lastHeld(), l.Created.Earliest)
	missed := facts.During(model.Later(from, found.At.Earliest.Add(-upstream.AttachSyncPeriod)), found.At.Latest)
	if erased := c.erased(l, found, missed); erased.Known() {
		l.Gone = erased
		if !l.DeletionRequested.Known() {
			l.DeletionRequested = erased
		}
		return
	}
	l.bound(missed, model.Later(from, c.Began.Earliest.Add(-upstream.AttachSyncPeriod)), rule, found)
}

// bound puts the end of a life in a window, and its request before that end and after a time, where they are not known.
func (l *Life) bound(end facts.Window, asked time.Time, rule string, witness ...*model.Observation) {
	if !l.Gone.Known() {
		l.Gone = derived(model.Between(end.From, end.To), rule, witness...)
	}
	if !l.DeletionRequested.Known() {
		l.DeletionRequested = derived(model.Between(asked, l.Gone.Latest), rule, witness...)
	}
}

// endBefore bounds the end of a life by the beginning of the next.
func (l *Life) endBefore(c *Case, next facts.Instant) {
	const rule = "the attachment was created again then, so that the one before was gone"
	from := model.Later(c.Began.Earliest, l.Created.Earliest)
	l.bound(facts.During(cmp.Or(l.DeletionRequested.Earliest, from), next.Latest), from, rule, next.Witness...)
}

// returns are the times at which the attachment of the old node was made anew while the wait lasted.
func (c *Case) returns() (out []facts.Instant) {
	if c.Attachment.Name == "" || c.From == c.To || c.firstObject() {
		return nil
	}
	while := facts.During(c.Began.Latest.Add(remade), c.Ended().Earliest)
	for {
		next := c.nextReturn(while)
		if !next.Known() {
			return out
		}
		out = append(out, next)
		while.From = model.Later(next.Latest, next.Witness[len(next.Witness)-1].At.At).Add(remade) // past both of its records
	}
}

// remade is how far two records of one creation lie apart: a controller's line, and the object, which has whole seconds.
const remade = 1500 * time.Millisecond

// firstObject reports that the attachment object in the bundle is as old as the wait: nothing took it away since.
func (c *Case) firstObject() bool {
	a := c.Attachment.Object
	return a != nil && !a.Value().CreationTimestamp.After(c.Began.Latest.Add(remade))
}

// nextReturn is the first return in a window: an object that was made then, or an attach to the old node after the volume had been taken
// from it. An attach alone is none: a new leader that is not certain of an attachment attaches again what is attached.
func (c *Case) nextReturn(while facts.Window) facts.Instant {
	list, own := c.said(), c.own()
	gone, detached := facts.Kinds(model.AttachmentGone, model.AttacherDetached), facts.Kinds(model.DetachSucceeded, model.VolumeMarkedDetached)
	left := func(o *model.Observation) bool { return gone(o) || detached(o) && o.Node == c.From }
	since := func(o *model.Observation) bool { return !o.At.Earliest.Before(while.From.Add(-remade)) }
	made := facts.First(own, while, facts.And(facts.Kinds(model.AttachmentCreated), since))
	taken := sooner(facts.First(own, while, left), facts.First(list, while, left))
	if made == nil && taken == nil {
		return facts.Instant{}
	}
	if made != nil && taken != nil && made.At.At.Before(taken.At.At.Add(-time.Second)) {
		taken = nil // of the new object
	}
	again := while
	if taken != nil {
		again.From = taken.At.At
	} else {
		again.From = model.Later(while.From, made.At.Earliest.Add(-remade))
	}
	started := cmp.Or(facts.First(list, again, facts.And(facts.Kinds(model.AttachStarted), onNode(c.From))), facts.First(own, again, facts.Kinds(model.AttacherAttaching)))
	if made == nil || started == nil {
		return seen(cmp.Or(made, started))
	}
	between := facts.During(started.At.Latest, made.At.Earliest)
	surely := func(o *model.Observation) bool {
		return left(o) && between.Holds(o.At.Earliest) && between.Holds(o.At.Latest)
	}
	if facts.First(list, between, surely) != nil || facts.First(own, between, surely) != nil {
		return seen(started) // the object is of the return after it
	}
	if both := corroborate(time.Second, seen(started), seen(made)); len(both.Witness) == 2 {
		return both
	}
	return seen(made) // the line is of a try of the same return, or waited in the attacher's queue
}

// deletedBy says whether a life was ended by another than the attach/detach controller, and by whom. The controller begins no
// detach of a volume that a pod on the node still uses (reconciler.go, 1.13–1.36).
func (c *Case) deletedBy(l Life) (model.Truth, string) {
	asked := facts.First(c.own(), l.held, facts.And(facts.Kinds(model.AttachmentDeletionRequested), facts.FromAudit))
	begun := facts.Kinds(model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint, model.DetachVerifiedSafe)
	switch {
	case !l.DeletionRequested.Known():
		return model.Unknown, ""
	case asked != nil && upstream.IsAttachDetachController(asked.Actor):
		return model.False, ""
	case asked != nil:
		return model.True, upstream.ActorOf(asked.Actor, asked.Agent).Name
	case c.foundDetached(l.held) != nil:
		return model.True, ""
	case facts.First(c.said(), l.held, facts.And(begun, onNode(c.From))) != nil:
		return model.False, ""
	case c.countsAt(l.DeletionRequested.Latest):
		return model.True, ""
	}
	return model.Unknown, ""
}

// uidOf is the UID of a life: of the object in the bundle when it is that one.
func (c *Case) uidOf(l Life, n int) string {
	first, again := n == 0 && c.firstObject(), n > 0 && c.objectMade(l.Created)
	if first || again {
		return c.Attachment.Object.Ref.UID
	}
	return ""
}

// objectMade reports that the attachment object in the bundle was made at an instant.
func (c *Case) objectMade(i facts.Instant) bool {
	a := c.Attachment.Object
	return a != nil && facts.During(i.Earliest.Add(-remade), i.Latest.Add(remade)).Holds(a.Value().CreationTimestamp.Time)
}
