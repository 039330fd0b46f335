package replay

// lose is when the controller sets the node not Ready: a grace period after the last heartbeat, at its next look (tryUpdateNodeHealth).
func (s *Scenario) lose(p Plan, u *draw, o *Outcome) {
	o.NotReady = s.NotReady.At(u[uMonitor])
	if p.Set.Grace == nil || !s.NotReady.Known() || s.Lost == never {
		return
	}
	late := min(max(o.NotReady-s.Lost-s.Grace.Best, 0), monitorPeriod)
	o.NotReady = s.Lost + *p.Set.Grace + late
}

const monitorPeriod = 5.0

// remove is when the deletion of the old pod is requested, or when it ends by itself.
func (s *Scenario) remove(p Plan, u *draw, o *Outcome) {
	o.Deleted = s.Deleted.At(u[uMonitor])
	if s.Evicted {
		o.Deleted = s.eviction(p, u, o)
	}
	if (p.Set.GracefulShutdown || p.Set.Drained) && s.Lost != never {
		o.Deleted = s.Lost
	}
	if p.Set.Recreate && (o.Deleted == never || s.Placement == Beside) { // an act that ended the wait came later
		o.Deleted = min(o.Deleted, s.Created.At(0))
	}
	o.Deleted = min(o.Deleted, s.Finished.At(u[uPod]), p.First(ForceDeletePod), p.First(DeletePod), p.First(ScaleDown), p.First(StopOldPods))
	if taint := p.First(TaintOutOfService); s.tainted(p) && !s.Tolerates {
		o.Deleted = min(o.Deleted, taint) // the taint is NoExecute
	}
}

// tainted reports that the controllers act on the out-of-service taint.
func (s *Scenario) tainted(p Plan) bool { return s.OutOfService || p.Set.OutOfService }

// eviction keeps what the toleration and the queue of the taint manager took, and puts it after NotReady.
func (s *Scenario) eviction(p Plan, u *draw, o *Outcome) float64 {
	if !s.Deleted.Known() {
		return never
	}
	wait := s.Deleted.At(u[uMonitor]) - s.NotReady.At(u[uMonitor])
	if p.Set.Toleration != nil {
		wait = max(wait-s.Toleration.Best, 0) + *p.Set.Toleration
	}
	return o.NotReady + wait
}

// Pod GC looks every 20 s. It deletes terminating pods of a tainted, not Ready node at once, and those of a missing node 40 s after the
// look that missed it (podgc/gc_controller.go ≥ 1.17); recordings show 54 to 65 s, so that the loops' own work counts too.
const (
	collectPeriod = 20.0
	quarantine    = 40.0
	collectWork   = 8.0
)

// release is when the controller no longer counts the old pod as a user of the volume (IsPodTerminated, volume/util).
func (s *Scenario) release(p Plan, u *draw, o *Outcome) {
	o.Released = min(p.First(ForceDeletePod), s.Finished.At(u[uPod]))
	if s.Released.Known() {
		o.Released = min(o.Released, s.naturalRelease(p, u, o))
	}
	alive := !s.NotReady.Known() && s.NodeGone == never
	ended := min(p.First(ScaleDown), p.First(StopOldPods))
	if !s.Replaced {
		ended = min(ended, p.First(DeletePod))
	}
	if p.Set.Recreate {
		ended = min(ended, o.Deleted)
	}
	switch {
	case p.Set.GracefulShutdown && s.Lost != never:
		o.Released = min(o.Released, o.Deleted)
	case p.Set.AwaitsDetach, p.Set.Drained:
		o.Released = min(o.Released, o.Deleted+s.terminate(p, u))
	case alive && ended != never:
		o.Unsure = s.unsure(p)
		o.Released = min(o.Released, ended+s.terminate(p, u))
	case alive && s.Deleted.Known() && !s.Released.Known() && !s.Replaced && !s.Outlived:
		o.Unsure = s.unsure(p)
		o.Released = min(o.Released, o.Deleted+s.terminate(p, u))
	case s.back(p) != never:
		o.Released = min(o.Released, max(s.back(p), o.Deleted)+s.terminate(p, u))
	}
	if s.tainted(p) {
		o.Released = min(o.Released, max(p.First(TaintOutOfService), o.Deleted, o.NotReady)+u[uCollect]*collectPeriod)
	}
	gone := p.First(DeleteNode)
	if !s.Released.Known() {
		gone = min(gone, s.NodeGone) // else the release is what came of it
	}
	wait := quarantine
	if s.Version.Known() && !s.Version.AtLeast(17, 0) {
		wait = 0
	}
	o.Released = min(o.Released, gone+wait+u[uCollect]*collectPeriod+u[uOrphan]*collectWork)
	// A pod without a deletion stays: its owner would not make another.
	if o.Released < o.Deleted && !s.Finished.Known() {
		o.Deleted = o.Released
	}
}

// naturalRelease keeps how long the old pod took to end.
func (s *Scenario) naturalRelease(p Plan, u *draw, o *Outcome) float64 {
	at := s.Released.At(u[uPod])
	if !s.Deleted.Known() || s.Finished.Known() {
		return at
	}
	if p.Set.QuickStop {
		return o.Deleted + min(at-s.Deleted.At(u[uPod]), quickStop.At(u[uPod]))
	}
	return o.Deleted + max(at-s.Deleted.At(u[uPod]), 0)
}

// replace is when the waiting pod is made, scheduled and reported as waiting.
func (s *Scenario) replace(p Plan, u *draw, o *Outcome) {
	made := s.Created.At(u[uPlace])
	switch {
	case p.Set.Recreate:
		made = max(made, o.Released)
	case s.Placement == AfterGone:
		made = o.Released + s.lag(s.Released.Best, s.Created.Best)
	case s.Placement == AtDeletion:
		made = o.Deleted + s.lag(s.Deleted.Best, s.Created.Best)
	}
	if down := p.First(ScaleDown); down != never {
		made = p.First(ScaleUp)
	}
	o.Created = made
	o.Scheduled = made + s.Waiting.At(u[uPlace])
}

// lag is what the workload's controller took from its trigger to the new pod, when both are known.
func (s *Scenario) lag(trigger, made float64) float64 {
	if trigger == never || made == never {
		return 0
	}
	return min(max(made-trigger, 0), 5)
}

// quickStop is how long an application takes that ends at SIGTERM, in seconds: containers on real nodes ended in 0.5 to 3 s.
var quickStop = span(0.5, 2, 5)

// terminate is how long a pod takes to end on a live node.
func (s *Scenario) terminate(p Plan, u *draw) float64 {
	if p.Set.QuickStop {
		return min(s.Terminate.At(u[uPod]), quickStop.At(u[uPod]))
	}
	return s.Terminate.At(u[uPod])
}

// KubeletStart is what passes from a kubelet's start until its Node is Ready, in seconds: 1 to 3 s on real nodes.
const KubeletStart = 2.0

// MachineStart is what a lost machine is assumed to take, in seconds, from somebody's turning to it until its Node is Ready.
const MachineStart = 90.0

// back is when the lost node is Ready again.
func (s *Scenario) back(p Plan) float64 {
	natural := s.Back
	if p.Set.StaysAway {
		natural = never
	}
	if !s.NotReady.Known() {
		return natural
	}
	return min(natural, p.First(StartKubelet)+KubeletStart, p.First(RepairNode)+MachineStart)
}
