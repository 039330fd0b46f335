package reconstruct

import (
	"time"

	"github.com/volpost/volpost/model"
)

// step is a phase with the instant that ends it; the end is unknown when the evidence does not tell it, or when it has
// not come yet.
type step struct {
	id  model.PhaseID
	end Instant
}

// phases tiles the span of a case. Each phase ends at the instant that ends what it waited for; a phase whose end is not
// known takes in the following ones up to the next known instant; one that has no length is left out.
func phases(c *Case) (model.Span, []model.Phase) {
	start, startsAt := spanStart(c)
	stop, open := spanStop(c)
	var out []model.Phase
	from := start.Moment
	var pending model.PhaseID
	for _, s := range steps(c, startsAt) {
		if pending == "" {
			pending = s.id
		}
		if !s.end.Known() {
			continue
		}
		to := s.end.Moment
		if stop.Known() && !to.At.Before(stop.At) {
			break
		}
		if to.At.After(from.At) {
			out = append(out, phase(pending, from, to))
			from = to
		}
		pending = ""
	}
	if stop.Known() && stop.At.After(from.At) {
		out = append(out, phase(lastPhase(c, pending), from, stop.Moment))
		from = stop.Moment
	}
	span := model.Span{From: start.Moment, To: from, StartsAt: startsAt, Open: open}
	span.Seconds = span.From.Until(span.To)
	return span, out
}

func phase(id model.PhaseID, from, to model.Moment) model.Phase {
	return model.Phase{ID: id, From: from, To: to, Seconds: from.Until(to)}
}

// lastPhase names the phase that the span ends in: the one in progress, or the one that the end of the wait concludes.
func lastPhase(c *Case, pending model.PhaseID) model.PhaseID {
	switch {
	case pending != "":
		return pending
	case c.Ready.Known():
		return model.PhaseMount
	}
	return model.PhaseAttach
}

func steps(c *Case, startsAt string) []step {
	var out []step
	switch startsAt {
	case "last-heartbeat":
		out = append(out, step{model.PhaseDetection, c.NotReady})
		fallthrough
	case "node-not-ready":
		out = append(out, step{model.PhaseEviction, evictionEnd(c)})
		fallthrough
	case "pod-deletion":
		out = append(out, step{model.PhaseReplacement, c.Created}, step{model.PhaseScheduling, scheduledOr(c)})
	}
	release, unmount := step{model.PhaseRelease, c.Released}, step{model.PhaseUnmountWait, c.DetachRequested}
	if c.DetachRequested.Known() && width(c.DetachRequested) > toldApart {
		unmount.end = Instant{} // too uncertain to divide the wait
	}
	// A release that surely lies before a span that begins with the report is no matter of the span.
	over := startsAt == "multi-attach" && !c.Released.Latest.After(c.Began.Latest)
	if c.Released.Known() && width(c.Released) > toldApart && c.DetachRequested.Known() && !over {
		release.end = Instant{}
	}
	return append(out, release, unmount, step{model.PhaseDetach, detachEnd(c)}, step{model.PhaseAttach, c.Attached}, step{model.PhaseMount, c.Ready})
}

// toldApart is the uncertainty up to which an instant may divide two phases.
const toldApart = 15 * time.Second

// evictionEnd is what ended the old pod: its deletion, or that it finished by itself, as at a graceful shutdown.
func evictionEnd(c *Case) Instant {
	if c.OldPodFinished.Known() && (!c.DeletionRequested.Known() || c.OldPodFinished.Before(c.DeletionRequested)) && c.OldPodFinished.At.Before(c.Began.Latest) {
		return c.OldPodFinished
	}
	if c.DeletionRequested.Known() && !c.DeletionRequested.At.After(c.Began.Latest) {
		return c.DeletionRequested
	}
	return Instant{}
}

// overlap reports that the new VolumeAttachment was made while the old one still existed.
func overlap(c *Case) bool {
	return c.NewAttachment.Known() && c.Gone.Known() && c.NewAttachment.At.Add(time.Second).Before(c.Gone.At)
}

func scheduledOr(c *Case) Instant {
	if c.Scheduled.Known() {
		return c.Scheduled
	}
	return c.Began
}

// detachEnd divides detach from attach: the new VolumeAttachment, since the controller makes it when it has noticed that
// the old one is gone. When both exist at once, the old one's end; but when nothing tells that the old one was asked to go,
// the new one shows no more than that the controller had stopped to wait.
func detachEnd(c *Case) Instant {
	switch {
	case !c.NewAttachment.Known():
		return c.Gone
	case overlap(c) && c.DetachRequested.Known():
		return c.Gone
	case !c.Gone.Known() && c.DetachRequested.Known() && !c.Attached.Known():
		return Instant{}
	}
	return c.NewAttachment
}

// spanStart is the first instant of the chain that led to the wait.
func spanStart(c *Case) (Instant, string) {
	if c.NotReady.Known() && c.NotReady.At.Before(c.Began.At) {
		if c.Heartbeat.Before(c.NotReady) {
			return c.Heartbeat, "last-heartbeat"
		}
		return c.NotReady, "node-not-ready"
	}
	if c.DeletionRequested.Known() && !c.DeletionRequested.At.After(c.Began.At) {
		return c.DeletionRequested, "pod-deletion"
	}
	return c.Began, "multi-attach"
}

// spanStop is where the story ends: the new pod Ready, else the volume attached, else nobody wanting it, else the
// collection, which leaves the span open.
func spanStop(c *Case) (stop Instant, open bool) {
	switch {
	case c.Ready.Known() && c.Attached.Known():
		return c.Ready, false
	case c.Resolved():
		return c.Ended(), false
	}
	if at := c.World.Axis.CapturedAt; at != nil && at.At.After(c.Began.At) {
		return Instant{Moment: *at}, true
	}
	return Instant{}, true
}
