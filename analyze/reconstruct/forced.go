package reconstruct

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ForcedByTimeout reports that the controller logged a detach after its six minutes as forced. That line alone proves nothing of
// the node and of its mounts: it comes with every detach that begins later than six minutes after the release, also from a node
// that is Ready and has just reported the unmount, and with each retry of a detach that fails (reconciler.go, 1.13–1.36).
func (c *Case) ForcedByTimeout() bool {
	return c.Forced.Known() && c.Forced.Witness[0].Kind == model.DetachForcedTimeout
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
	if still := c.Seen(model.DetachStillMounted, c.From); c.seenMountedUntil(still) {
		return Taken{model.True, "the controller had found it still mounted until then", still}
	}
	switch {
	case c.lostAt(c.Forced):
		return Taken{model.True, "the node was not Ready and could not report the unmount", c.NotReady.Witness}
	case len(c.LookedUpInVain()) > 0 || c.NodeGone.Before(c.Forced):
		return Taken{model.True, "its Node was gone, and nobody could report the unmount", append(c.NodeGone.Witness[:len(c.NodeGone.Witness):len(c.NodeGone.Witness)], c.LookedUpInVain()...)}
	case !c.ForcedByTimeout(), len(c.DetachErrorsBefore(c.Forced.At)) > 0:
		return Taken{Mounted: model.Unknown}
	case c.onTime():
		return Taken{model.True, "the detach came with the end of the six minutes, for which only a mounted volume waits", c.Released.Witness}
	}
	if ready, o := c.readyAt(c.Forced); ready && c.World.Version.Known() && upstream.ForceDetachAsksHealth(c.World.Version) {
		return Taken{model.False, "the node was Ready, from which this version detaches only what is no longer mounted", []*model.Observation{o, c.World.VersionO}}
	}
	return Taken{Mounted: model.Unknown}
}

// seenMountedUntil reports that the last of the controller's lines that the volume is still mounted came shortly before the
// forced detach: it writes one in each loop, at -v=5.
func (c *Case) seenMountedUntil(still []*model.Observation) bool {
	return slices.ContainsFunc(still, func(o *model.Observation) bool { return c.Forced.At.Sub(o.Last.At) < 2*time.Second })
}

// lostAt reports that the old node was not Ready at an instant, by records from before it.
func (c *Case) lostAt(i Instant) bool {
	return c.NotReady.Known() && c.NotReady.Latest.Before(i.Earliest) && !c.backBy(i.Latest)
}

// readyAt reports that the old node was Ready at an instant: its object in the bundle has been since before, or it came back.
func (c *Case) readyAt(i Instant) (bool, *model.Observation) {
	if c.NotReady.Known() && c.backBy(i.Earliest) {
		return true, c.BackReady.Witness[0]
	}
	if c.NotReady.Known() {
		return false, nil
	}
	return c.ReadyCondition()
}

// onTime reports that the forced detach came with the timer: six minutes after a release that is known by itself, or after the
// last change of leader since. A report of an exclusively attached volume comes right after the release where one pod replaces
// the other.
func (c *Case) onTime() bool {
	from := c.Released
	switch {
	case c.Variant == model.ExclusivelyAttached && (!from.Known() || c.releasedByTimer || width(from) > ToldApart):
		from = c.Began // the replacement was made at the release, or soon after
	case !from.Known(), c.releasedByTimer, width(from) > ToldApart:
		return false
	}
	for _, f := range c.Failovers {
		if f.At.After(from.At) && f.At.Before(c.Forced.At) {
			from = f
		}
	}
	late := c.Forced.At.Sub(from.At) - upstream.MaxWaitForUnmount
	return late > -2*time.Second && late < timerSettle
}

// timerSettle is how much longer than six minutes a forced detach took in the recordings: up to 1.3 s with 25 volumes, and up
// to 8 s after a change of leader.
const timerSettle = 10 * time.Second
