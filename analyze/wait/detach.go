package wait

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// firstDetach is the first detach from the old node that was not refused: the controller logs the start before it asks whether the node uses it.
func (c *Case) firstDetach(held facts.Window) facts.Instant {
	var start facts.Instant
	var tries []*model.Observation
	for _, o := range those(c.said(), held, onNode(c.From)) {
		switch o.Kind {
		case model.DetachStarted, model.DetachForcedTimeout, model.DetachForcedTaint:
			tries = append(tries, o)
			if !start.Known() {
				start = seen(o)
			}
		case model.DetachRefusedInUse:
			start = triedAfter(tries, o)
		case model.DetachVerifiedSafe, model.DetachSucceeded, model.DetachFailed, model.DetachSafetySkipped:
			if start.Known() {
				return start
			}
		}
	}
	return start
}

// triedAfter is the try that followed the last of the refusals. Repeated lines are one observation with a count and the time of the last.
func triedAfter(tries []*model.Observation, refused *model.Observation) facts.Instant {
	for _, o := range tries {
		if !o.Last.At.After(refused.Last.At) {
			continue
		}
		m := o.Last
		if o.Count > 2 && refused.Last.Earliest.Before(m.Earliest) {
			m.Earliest = refused.Last.Earliest // one of the tries between may be the one that was not refused
		}
		return derived(m, "the controller tried again after the node's refusal", o, refused)
	}
	return facts.Instant{}
}

// ForcedByTimeout reports that the controller logged a detach after its six minutes as forced. That line alone proves nothing of the
// node: it comes with every detach that begins six minutes after the release, and with each retry (reconciler.go, 1.13–1.36).
func (c *Case) ForcedByTimeout() bool {
	return c.Forced.Known() && c.Forced.Witness[0].Kind == model.DetachForcedTimeout
}

// ForcedByTaint reports a detach that the controller says to be because of the out-of-service taint.
func (c *Case) ForcedByTaint() bool {
	return c.Forced.Known() && c.Forced.Witness[0].Kind == model.DetachForcedTaint
}

// Taken says whether a volume was mounted on its old node when the controller took it from there.
type Taken struct {
	Mounted model.Truth
	Why     string // a clause; empty when Unknown
	Witness []*model.Observation
}

// TakenMounted says whether the volume counted as mounted when the controller detached it by force.
func (c *Case) TakenMounted() Taken {
	if !c.Forced.Known() {
		return Taken{Mounted: model.Unknown}
	}
	// Of the lines that the volume is still mounted, one in each loop at -v=5, the last has to come shortly before.
	until := func(o *model.Observation) bool { return c.Forced.At.Sub(o.Last.At) < 2*time.Second }
	if still := c.Seen(model.DetachStillMounted, c.From); slices.ContainsFunc(still, until) {
		return Taken{model.True, "the controller had found it still mounted until then", still}
	}
	switch {
	case c.lostAt(c.Forced):
		return Taken{model.True, "the node was not Ready and could not report the unmount", c.NotReady.Witness}
	case len(c.LookedUpInVain()) > 0 || c.NodeGone.Known() && c.NodeGone.Before(c.Forced):
		return Taken{model.True, "its Node was gone, and nobody could report the unmount", slices.Concat(c.NodeGone.Witness, c.LookedUpInVain())}
	case !c.ForcedByTimeout() && c.Unmounted.Before(c.Forced):
		return Taken{model.False, "its kubelet had unmounted it before", c.Unmounted.Witness}
	case !c.ForcedByTimeout() && c.mountedAfter(c.Forced) != nil:
		late := c.mountedAfter(c.Forced)
		return Taken{model.True, "its kubelet unmounted it only after that, at " + model.TimeOfDay(late.At.At), []*model.Observation{late}}
	case !c.ForcedByTimeout(), len(c.DetachErrorsBefore(c.Forced.At)) > 0:
		return Taken{Mounted: model.Unknown}
	case c.onTime():
		return Taken{model.True, "the detach came with the end of the six minutes, for which only a mounted volume waits", c.Released.Witness}
	}
	if ready, o := c.readyAt(c.Forced); ready && c.World.Version.Known() && upstream.ForceDetachAsksHealth(c.World.Version) {
		why := "the node was Ready, from which this version detaches only what is no longer mounted"
		return Taken{model.False, why, []*model.Observation{o, c.World.VersionO}}
	}
	return Taken{Mounted: model.Unknown}
}

// lostAt reports that the old node was not Ready at an instant, by records from before it.
func (c *Case) lostAt(i facts.Instant) bool {
	return c.NotReady.Known() && c.NotReady.Latest.Before(i.Earliest) && !c.backBy(i.Latest)
}

// readyAt reports that the old node was Ready at an instant: its object in the bundle has been since before, or it came back.
func (c *Case) readyAt(i facts.Instant) (bool, *model.Observation) {
	if c.NotReady.Known() && c.backBy(i.Earliest) {
		return true, c.BackReady.Witness[0]
	}
	if c.NotReady.Known() {
		return false, nil
	}
	return c.ReadyCondition()
}

// onTime reports that the forced detach came with the timer: six minutes after a release that is known by itself, or after the last change
// of leader since. A report of an exclusively attached volume comes after the release, soon where one pod replaces the other: for longer than
// the pause before a failed detach is tried again, nothing but the mount kept the controller from its detach.
func (c *Case) onTime() bool {
	from, early := c.Released, 2*time.Second
	if unsure := !from.Known() || c.releasedByTimer || width(from) > PhaseMargin; unsure && c.Variant != model.ExclusivelyAttached {
		return false
	} else if unsure {
		from, early = c.Began, upstream.MaxWaitForUnmount-detachRetried
	}
	for _, f := range c.Failovers {
		if f.At.After(from.At) && f.At.Before(c.Forced.At) {
			from, early = f, 2*time.Second
		}
	}
	late := c.Forced.At.Sub(from.At) - upstream.MaxWaitForUnmount
	return late > -early && late < timerSettle
}

// detachRetried is above the longest pause before a failed detach is tried again, 2m2s (goroutinemap/exponentialbackoff, 1.13–1.36).
const detachRetried = 3 * time.Minute

// timerSettle is how late a forced detach came in the recordings: up to 1.3 s with 25 volumes, up to 8 s after a change of leader.
const timerSettle = 10 * time.Second
