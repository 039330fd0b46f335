package replay

import "github.com/volpost/volpost/analyze/upstream"

// loop is the reconciler's period; settle is how late a forced detach began after six minutes at most in recordings.
const (
	loop   = 0.1
	settle = 0.4
)

// detach is when the old VolumeAttachment's deletion is requested, when it is gone, and when the controller knows (1.13–1.36).
func (s *Scenario) detach(p Plan, u *draw, o *Outcome) {
	byController := s.consent(p, u, o)
	byTimer := s.timer(p, u, o)
	byController = min(byController, byTimer)
	if s.tainted(p) {
		byController = min(byController, max(p.First(TaintOutOfService), o.Released)+loop)
	}
	byController = s.led(byController)
	byHand := p.First(DeleteAttachment)
	s.taken(p, u, o, byController, byHand)
	if o.Race && s.RaceLost { // it came back for the old node; somebody may have deleted it again
		s.taken(p, u, o, byController, p.next(DeleteAttachment, byHand))
	}
	if s.Freed < o.Noticed {
		o.Given = true
		o.Noticed = s.Freed
		o.Gone = min(o.Gone, o.Noticed)
		o.DetachAt = min(o.DetachAt, o.Gone)
	}
	s.explain(p, o)
}

// taken is when the old VolumeAttachment is gone, and when the controller knows, if it or somebody asks for its deletion.
func (s *Scenario) taken(p Plan, u *draw, o *Outcome, byController, byHand float64) {
	o.Race = false
	o.DetachAt = min(byController, byHand)
	o.Gone = s.unpublished(p, u, o.DetachAt)
	o.Gone = min(o.Gone, max(p.First(RemoveFinalizer), o.DetachAt))
	o.Noticed = o.Gone + loop
	if byHand < byController {
		// The controller does not watch VolumeAttachments go: its sync finds it, every minute.
		o.Noticed = o.Gone + u[uSync]*upstream.AttachSyncPeriod.Seconds()
		o.Noticed = min(o.Noticed, max(byController, o.Gone)+loop)
		o.Race = o.Released > o.Noticed
	}
}

// consent is the detach that waits for nothing but the node's report of the unmount.
func (s *Scenario) consent(p Plan, u *draw, o *Outcome) float64 {
	at := s.reported(p, u, o)
	if !s.NotReady.Known() {
		at = min(at, max(p.First(RestartKubelet)+reportPeriod*u[uUnmount], o.Released)+loop)
	}
	if holder := p.First(EndHolder); holder != never && !s.NotReady.Known() {
		at = min(at, max(nextTry(s.Tried, holder, firstBackoff, maxBackoff), o.Released)+reportPeriod*u[uUnmount]+loop)
	}
	return at
}

// reported is the same, with the kubelet as it was.
func (s *Scenario) reported(p Plan, u *draw, o *Outcome) float64 {
	switch {
	case s.Unmounted:
		return o.Released + loop
	case p.Set.AwaitsDetach, p.Set.Drained:
		return o.Released + s.Unmount.At(u[uUnmount])
	case s.Stuck:
		return never
	case !s.NotReady.Known() && s.Consented.Known():
		// What is known is the sum: a release that is known only by bounds lies somewhere before the detach.
		return o.Released + max(s.Consented.At(u[uUnmount])-s.Released.At(u[uPod]), 0)
	case !s.NotReady.Known():
		if at := o.Released + s.Unmount.At(u[uUnmount]); at < s.goneAt(p) {
			o.Unsure = s.unsure(p)
			return at
		}
		return never
	case s.back(p) != never:
		return max(s.back(p), o.Released) + s.Unmount.At(u[uUnmount])
	}
	return never
}

// timer is the forced detach, six minutes after the release as the current leader counts, from a not Ready node where the version asks.
func (s *Scenario) timer(p Plan, u *draw, o *Outcome) float64 {
	if !s.ForceDetach || p.Set.NoForcedDetach {
		return never
	}
	wait := upstream.MaxWaitForUnmount.Seconds()
	begun := o.Released
	for _, l := range s.Leaders {
		if !p.Set.KeepTimer && l.Taken > begun && l.Lost < begun+wait {
			begun = l.Taken
		}
	}
	at := begun + wait + loop + u[uUnmount]*settle
	if !s.asks(p) {
		return at
	}
	unhealthy := min(o.NotReady, s.goneAt(p)) // a missing Node counts as one that is not Ready
	if at > s.back(p) {
		return never
	}
	return max(at, unhealthy)
}

// goneAt is when the Node object was deleted.
func (s *Scenario) goneAt(p Plan) float64 { return min(s.NodeGone, p.First(DeleteNode)) }

// asks reports that the controller detaches by force only from a node that is not Ready.
func (s *Scenario) asks(p Plan) bool { return s.AsksHealth || p.Set.AsksHealth }

// led moves what falls into a time without a leader to its end.
func (s *Scenario) led(t float64) float64 {
	for _, l := range s.Leaders {
		if t > l.Lost && t < l.Taken {
			return l.Taken + loop
		}
	}
	return t
}

// unpublished is when the old attachment is gone: the driver's call, after what kept it from succeeding.
func (s *Scenario) unpublished(p Plan, u *draw, at float64) float64 {
	if at == never {
		return never
	}
	f := s.Fault
	if f.BackendUntil > 0 {
		if s.healed(p, &Outcome{DetachAt: at}) {
			// The external-attacher is in a pause between two tries, which has doubled since the first.
			heal := p.First(HealBackend)
			pause := pauseAt(heal-at, attacherRetry, s.retryMax(p))
			return min(f.BackendUntil, heal+u[uRetry]*pause+s.Detach.At(u[uDetach]))
		}
		if until := min(f.BackendUntil, p.First(HealBackend)); until > at {
			return until
		}
	}
	if f.AttacherUntil > 0 && !p.Set.AttacherUp {
		at = max(at, min(f.AttacherUntil, p.First(RestartAttacher)))
	}
	return at + s.Detach.At(u[uDetach])
}

// attacherRetry is the external-attacher's first pause, in seconds (--retry-interval-start, 2.2.1–4.13.0).
const attacherRetry = 1.0

// retryMax is its longest pause.
func (s *Scenario) retryMax(p Plan) float64 {
	if p.Set.RetryMax != nil {
		return *p.Set.RetryMax
	}
	return upstream.AttacherRetryMax.Seconds()
}

// explain says what keeps the detach from ever beginning or ending.
func (s *Scenario) explain(p Plan, o *Outcome) {
	switch {
	case o.Gone != never:
	case o.Released == never && o.DetachAt == never && s.Replaced:
		o.Unsure, o.Why = s.unsure(p), "the owner of the old pod created another one on the same node, which uses the volume"
	case o.Released == never && o.DetachAt == never && s.Unseen:
		o.Unsure, o.Why = true, "nothing shows the old pod: if it is gone already, the controller detaches"
	case o.Released == never && o.DetachAt == never:
		o.Unsure, o.Why = s.unsure(p), "the old pod object stays, and the controller counts it as a user of the volume"
	case o.DetachAt == never && s.unsure(p):
		o.Unsure, o.Why = true, "the node had not reported the unmount, and whether the detach is forced after "+
			"six minutes turns on whether it is lost, of which nothing in the bundle tells"
	case o.DetachAt == never && (!s.ForceDetach || p.Set.NoForcedDetach):
		o.Why = "the node does not report the unmount, and the forced detach is switched off"
	case o.DetachAt == never && s.asks(p) && s.stays(p):
		o.Why = "the node is Ready and does not report the unmount; the controller detaches by force only from a node that is not Ready"
	case o.DetachAt == never:
		o.Why = "the node does not report the unmount"
	default:
		o.Why = "the detach does not succeed"
	}
}

// unsure reports that no evidence says whether the old node was Ready.
func (s *Scenario) unsure(p Plan) bool {
	return !s.Alive && s.stays(p)
}

// stays reports that the old node is neither lost nor deleted.
func (s *Scenario) stays(p Plan) bool { return !s.NotReady.Known() && s.goneAt(p) == never }
