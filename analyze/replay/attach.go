package replay

// attach is when the volume is attached on the wanted node, and when the kubelet there can see it.
func (s *Scenario) attach(p Plan, u *draw, o *Outcome) {
	if p.Set.Shared {
		o.Noticed, o.Race = o.Scheduled, false
	}
	if o.Noticed != never && o.Noticed <= o.Scheduled && !o.Race {
		o.Prevented = true
	}
	begin := max(o.Noticed, o.Scheduled)
	if o.Created == never {
		begin = never
	}
	o.Attached = begin + s.Attach.at(u[uAttach])
	unseen := 0.0
	if again := s.again(p, u, o); again > 0 && !p.Set.Shared {
		o.Attached = max(o.Gone+again, begin)
		if s.faulty(p, o) && p.Set.RetryMax == nil {
			unseen = s.Fault.Unseen
		}
	}
	o.Visible = o.Attached + unseen + visible
}

// again is the back-off from the end of the old attachment to the attach: the incident's own, unless the fault or the pauses changed.
func (s *Scenario) again(p Plan, u *draw, o *Outcome) float64 {
	if s.healed(p, o) {
		attach := s.Attach.at(u[uAttach])
		paused := u[uAgain]*pauseAt(o.Gone-o.DetachAt, firstBackoff, maxBackoff) + attach
		return min(paused, s.Fault.BackendUntil+max(s.Fault.Again, attach)-o.Gone) // no later than without
	}
	if !s.faulty(p, o) {
		return 0
	}
	again := s.Fault.Again
	if p.Set.RetryMax != nil {
		again = min(again, u[uRetry]**p.Set.RetryMax+u[uAgain]*maxBackoff+s.Attach.at(u[uAttach]))
	}
	return again
}

// healed reports that an act ended the fault of the storage after detach calls had failed.
func (s *Scenario) healed(p Plan, o *Outcome) bool {
	heal := p.First(HealBackend)
	return heal > o.DetachAt && heal < s.Fault.BackendUntil
}

// faulty reports that the detach met the incident's fault, so that the attach waits for a grown back-off.
func (s *Scenario) faulty(p Plan, o *Outcome) bool {
	f := s.Fault
	return f.BackendUntil > o.DetachAt && f.BackendUntil <= p.First(HealBackend) ||
		!p.Set.AttacherUp && f.AttacherUntil > o.DetachAt && f.AttacherUntil <= p.First(RestartAttacher)
}
