package replay

import "math"

// attach is when the volume is attached on the wanted node, and when the kubelet there can see it.
func (s *Scenario) attach(p Plan, u *draw, o *Outcome) {
	if !math.IsInf(o.Noticed, 1) && o.Noticed <= o.Scheduled && !o.Race {
		o.Prevented = true
	}
	begin := max(o.Noticed, o.Scheduled)
	if math.IsInf(o.Created, 1) {
		begin = never
	}
	o.Attached = begin + s.Attach.at(u[uAttach])
	if again := s.Fault.Again; again > 0 && s.faulty(p, o) {
		o.Attached = max(o.Gone+again, begin)
	}
	o.Visible = o.Attached + visible
}

// faulty reports that the detach of this replay met the fault of the incident, so that the attach waited for the
// back-offs that had grown meanwhile.
func (s *Scenario) faulty(p Plan, o *Outcome) bool {
	f := s.Fault
	return f.BackendUntil > o.DetachAt && !p.Set.HealthyBackend && f.BackendUntil <= p.first(HealBackend) ||
		f.AttacherUntil > o.DetachAt && !p.Set.AttacherUp && f.AttacherUntil <= p.first(RestartAttacher)
}

// visible is what passes from the attach to the entry in the Node's status.volumesAttached, by which the kubelet knows.
const visible = 0.3

// start is when the waiting pod is Ready.
func (s *Scenario) start(p Plan, u *draw, o *Outcome) {
	if math.IsInf(o.Visible, 1) || math.IsInf(o.Scheduled, 1) {
		o.Ready, o.Soonest, o.Latest = never, never, never
		if o.Why == "" {
			o.Why = "nothing makes a new pod"
		}
		return
	}
	mount := s.Mount.at(u[uMount])
	o.Ready = seenBy(o.Scheduled, o.Visible, u) + mount
	o.Soonest, o.Latest = seenAnyTime(o.Scheduled, o.Visible)
	o.Soonest, o.Latest = o.Soonest+mount, o.Latest+mount
}
