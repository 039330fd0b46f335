package replay

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Scenario is a case as the model sees it, with what people did in it.
func (m *Model) Scenario(c *wait.Case) (*Scenario, Plan) {
	known := time.Time{}
	s := &Scenario{
		Zero: c.Span.From.At, Version: c.World.Version, draws: m.draws,
		Lost: never, Back: never, NodeGone: never, End: never, Until: never, Freed: never, Tried: never, Consented: exactly(never),
	}
	s.node(c)
	s.controller(c)
	plan := s.acts(c)
	if gone := c.NodeRemoved(); gone.Known() && plan.First(DeleteNode) == never {
		s.NodeGone = s.of(gone).Best
	}
	s.pods(c, plan)
	s.fault(c)
	s.durations(m, c, known)
	s.holding(c, plan, known)
	s.RaceLost = plan.First(DeleteAttachment) != never && c.Returned()
	s.ends(c)
	s.unseen(c, plan)
	return s, plan
}

// Before is a scenario with only the durations known at a time. What broke or came back by itself stays: no remedy changes it.
func (m *Model) Before(s *Scenario, plan Plan, c *wait.Case, known time.Time) *Scenario {
	then := *s
	then.Consented, then.Unmounted, then.Stuck = exactly(never), false, false
	then.durations(m, c, known)
	then.holding(c, plan, known)
	return &then
}

// of is an instant on the scenario's axis.
func (s *Scenario) of(i facts.Instant) model.Range {
	if !i.Known() {
		return exactly(never)
	}
	return span(i.Earliest.Sub(s.Zero).Seconds(), i.At.Sub(s.Zero).Seconds(), i.Latest.Sub(s.Zero).Seconds())
}

// Time is an instant of the axis, to the millisecond.
func (s *Scenario) Time(sec float64) time.Time {
	return s.Zero.Add(time.Duration(sec * float64(time.Second))).UTC().Truncate(time.Millisecond)
}

// Moment is a span as the report has it, derived by the model.
func (s *Scenario) Moment(p model.Range) model.Moment {
	return model.Moment{At: s.Time(p.Best), Earliest: s.Time(p.Min), Latest: s.Time(p.Max), Basis: model.Derived}
}

func (s *Scenario) node(c *wait.Case) {
	s.NotReady = exactly(never)
	if c.NotReady.Known() && (!c.Ended().Known() || c.NotReady.Before(c.Ended())) {
		s.NotReady, s.Lost, s.Back = s.of(c.NotReady), s.of(c.Heartbeat).Best, s.of(c.BackReady).Best
	}
	state, _ := c.OldNode()
	s.Alive = state == wait.NodeReady
	if state == wait.NodeLost && !s.NotReady.Known() && !c.NodeRemoved().Known() {
		s.NotReady = s.of(c.Began) // a list shows it and does not say since when
	}
	s.Grace, s.Toleration = graceOf(c.World), tolerationOf(c)
}

// newLeader is how long an election takes when the old leader's end is unknown: a lease of 15 s, retries every 2 s; recorded 16.7–19.4 s.
const newLeader = 18.0

func (s *Scenario) controller(c *wait.Case) {
	v := c.World.Version
	s.AsksHealth = !v.Known() || upstream.ForceDetachAsksHealth(v)
	disabled, _ := c.World.Flag(facts.ControllerManager, upstream.DisableForceDetachFlag)
	s.ForceDetach = disabled != "true" || v.Known() && !upstream.HasDisableForceDetach(v)
	s.OutOfService = upstream.OutOfServiceDetach(v) == upstream.Supported || c.ForcedByTaint()
	for _, f := range c.Failovers {
		taken := s.of(f).Best
		s.Leaders = append(s.Leaders, Leader{Lost: taken - newLeader, Taken: taken})
	}
}

// pods places the old and the waiting pod, without what people did to them.
func (s *Scenario) pods(c *wait.Case, plan Plan) {
	s.Reported = s.of(c.Began).Best
	s.Deleted, s.Finished, s.Released, s.Created = s.of(c.DeletionRequested), s.of(c.OldPodFinished), s.of(c.Released), s.of(c.Created)
	if s.Finished.Best > s.Reported+1 && s.Released.Known() {
		s.Finished = exactly(never) // it ended with its deletion
	}
	s.Unseen = c.OldPodUnseen()
	s.Evicted = s.Deleted.Known() && s.Deleted.Best >= s.NotReady.Best && !s.Finished.Known()
	if taint := plan.First(TaintOutOfService); s.Evicted && taint < s.Deleted.Best+1 && s.Deleted.Best-taint < collectPeriod {
		s.Deleted = exactly(s.NotReady.Best + s.Toleration.Best) // the taint evicted it before its time
	}
	for _, a := range plan.Acts {
		if releases(a.Kind) && a.At <= s.Released.Max+1 {
			s.Outlived = s.Outlived || s.Released.Known() && !ordinary(a.Kind)
			s.Released = exactly(never)
		}
	}
	if plan.First(DeleteAttachment) != never && s.Released.Max-s.Released.Min > 1 {
		s.Released = exactly(never) // the bounds take the detach for the controller's own, which asks for the release
	}
	if s.Evicted && s.Back > s.Released.Best {
		// The pod of a lost node was ended, and no record says by what: it stays where it was.
		s.Finished = s.Released
	}
	if s.Replaced = c.Remade; s.Replaced {
		s.Released = exactly(never) // another pod of the same owner uses the volume on
	}
	s.gone(c, plan)
	s.Placement = placementOf(c, s)
	if !s.Created.Known() {
		s.Created = s.of(c.Scheduled)
	}
	if !s.Created.Known() {
		s.Created = s.of(c.Began)
	}
	s.Waiting = waiting(s, c)
	s.Tolerates = tolerates(c)
}

// gone estimates the release of an old pod that only a complete list shows to be absent: between its deletion, or the start of the wait,
// and the collection; on a lost node within six minutes, else the controller had detached.
func (s *Scenario) gone(c *wait.Case, plan Plan) {
	did := slices.ContainsFunc(plan.Acts, func(a Act) bool { return releases(a.Kind) })
	at := c.World.Axis.CapturedAt
	if did || s.Replaced || s.Released.Known() || s.Finished.Known() || c.Released.Known() || c.Resolved() || at == nil || !c.OldPodsAbsent() {
		return
	}
	until, from := at.At.Sub(s.Zero).Seconds(), s.Reported
	if s.Deleted.Known() {
		from = s.Deleted.Best
	}
	lost := s.NotReady.Known()
	if lost && s.ForceDetach {
		from = max(from, until-upstream.MaxWaitForUnmount.Seconds())
	}
	if from > until {
		return
	}
	span := span(from, (from+until)/2, until)
	if lost {
		s.Finished = span // nothing there ended it in the ordinary way
		return
	}
	s.Released = span
}

// ordinary reports that an act asks the old pod's kubelet to end it.
func ordinary(k ActKind) bool { return k == DeletePod || k == ScaleDown || k == StopOldPods }

// releases reports that an act ends the old pod.
func releases(k ActKind) bool {
	return slices.Contains([]ActKind{ForceDeletePod, TaintOutOfService, DeleteNode, DeletePod, ScaleDown, StopOldPods}, k)
}

func placementOf(c *wait.Case, s *Scenario) Placement {
	made := s.of(c.Created).Best
	if made == never {
		made = s.Reported
	}
	switch {
	case c.Workload != nil && c.Workload.Kind == "StatefulSet" && len(c.OldPods) > 0 && len(c.NewPods) > 0 &&
		c.OldPods[0].Name == c.NewPods[0].Name,
		c.Before && len(c.NewPods) == 0:
		return AfterGone
	case !s.Deleted.Known() && !s.Finished.Known(), made < min(s.Deleted.Best, s.Finished.Best)-1:
		return Beside
	}
	return AtDeletion
}

func waiting(s *Scenario, c *wait.Case) model.Range {
	made, placed := s.of(c.Created), s.of(c.Scheduled)
	if made.Known() && placed.Known() {
		return exactly(max(placed.Best-made.Best, 0))
	}
	return defaultPlace
}

// tolerates reports that an old pod tolerates the out-of-service taint for ever, so that the taint does not evict it.
func tolerates(c *wait.Case) bool {
	for _, ref := range slices.Concat(c.OldPods, c.NewPods) {
		if pod, ok := c.World.Pod(ref); ok {
			t := facts.TolerationOf(pod.Value(), corev1.Taint{Key: upstream.OutOfServiceTaint, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute})
			return t.Matches && t.Unlimited
		}
	}
	return false
}

func (s *Scenario) durations(m *Model, c *wait.Case, known time.Time) {
	until := cmp.Or(known, time.Unix(1<<40, 0))
	driver := c.Volume.Driver
	attaches, detaches := m.attaches.durations(driver, until), m.detaches.durations(driver, until)
	var ownAttach, ownDetach facts.Instant
	attachFor, detachFor := 0.0, 0.0
	done := func(i facts.Instant) bool { return i.Known() && !i.At.After(until) && len(c.DetachErrors) == 0 }
	if done(c.Attached) && c.NewAttachment.Known() && c.Attached.At.Sub(c.NewAttachment.At) < longestCall {
		ownAttach, attachFor = c.Attached, max(c.Attached.At.Sub(c.NewAttachment.At).Seconds(), 0)
	}
	if done(c.Gone) && c.DetachRequested.Known() && c.Gone.Latest.Sub(c.Gone.Earliest) < 8*time.Second {
		ownDetach, detachFor = c.Gone, max(c.Gone.At.Sub(callable(c)).Seconds(), 0)
	}
	s.Attach = call(ownAttach, attachFor, attaches, detaches)
	s.Detach = call(ownDetach, detachFor, detaches, attaches)
	if !ownAttach.Known() {
		s.Attach = queued(s.Attach, m.together(c))
	}
	if !ownDetach.Known() {
		s.Detach = queued(s.Detach, m.together(c))
	}
	s.Mount = s.mountOf(c, until, m.mounts.durations("", until))
	natural := s.Released
	if natural.Known() && s.NotReady.Best < natural.Best {
		natural = exactly(never) // nothing ends in the ordinary way on a lost node
	}
	s.Terminate = terminateOf(c, natural, s.Deleted)
}

// callable is from when on the driver could be called for the detach: its request, or the start of an external-attacher that was away then.
func callable(c *wait.Case) time.Time {
	from := c.DetachRequested.At
	if start := c.AttacherStart(c.Gone.At); start != nil && start.At.At.After(from) && start.At.At.Before(c.Gone.At) {
		return start.At.At
	}
	return from
}

// free is when the volume was free at the latest: its new attachment was made, or a call's time before it was attached.
func (s *Scenario) free(c *wait.Case) float64 {
	attached, made := s.of(c.Attached).Best, s.of(c.NewAttachment)
	if made.Known() && attached-made.Best <= longestCall.Seconds() {
		return made.Best
	}
	return attached - s.Attach.Best
}

// sum takes the time from release or deletion to the detach from this incident, where an ordinary end and unmount explain it.
func (s *Scenario) sum(released, deleted, begun float64) {
	if took := begun - released; took >= 0 && took <= s.Unmount.Max {
		s.Unmount = exactly(took)
		return
	}
	took := begun - deleted
	if released != never || took < 0 || took > s.Terminate.Max+s.Unmount.Max {
		return
	}
	s.divide(took)
}

// divide splits the time from deletion to detach, which alone was seen, into the pod's end and the unmount: how changes nothing.
func (s *Scenario) divide(took float64) {
	s.Unmount = exactly(min(defaultUnmount.Best, took))
	s.Terminate = exactly(took - s.Unmount.Best)
}

// longestCall is how long one call of a driver can take: an attach that took longer was refused, or waited.
const longestCall = 2 * time.Minute

// freeAtOnce is how soon after the release a detach begins that waits for no unmount.
const freeAtOnce = 1.5

// holding is what keeps a released volume on the old node.
func (s *Scenario) holding(c *wait.Case, plan Plan, known time.Time) {
	s.Unmount = defaultUnmount
	released, begun := s.of(c.Released), s.of(c.DetachRequested)
	if s.Replaced && !begun.Known() {
		return // what was seen to end was one of two pods
	}
	forced, byHand, lost := c.Forced.Known(), plan.First(DeleteAttachment) != never, s.NotReady.Known()
	ended := min(plan.First(ScaleDown), plan.First(DeletePod), plan.First(StopOldPods))
	if gone := s.of(c.Gone); !begun.Known() && !lost && !forced {
		begun = span(gone.Min-s.Detach.Best, gone.Best-s.Detach.Best, gone.Max-s.Detach.Best) // what held it is seen to have ended then
	}
	switch {
	case !released.Known() || byHand:
	case lost && !forced && begun.Best-released.Best < freeAtOnce && begun.Best < s.Back:
		s.Unmounted = true
	case lost:
	case c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True && !s.AsksHealth:
		s.Stuck = true
	case begun.Known() && !s.Released.Known():
		if known.IsZero() && ended < begun.Best {
			s.divide(begun.Best - ended)
		}
	case begun.Known():
		s.Consented = begun
		s.Unmount = exactly(max(begun.Best-released.Best, 0))
	case !c.Resolved():
		s.Stuck = true
	}
	unseen := known.IsZero() && !begun.Known() && !lost
	if free := s.free(c) - s.Detach.Best; unseen && !byHand && free != never {
		s.sum(released.Best, min(ended, s.Deleted.Best), free)
	}
	if unseen && released.Known() && ended <= released.Best {
		s.Terminate = exactly(released.Best - ended)
	}
}

// fault is what kept the unmount and the detach from succeeding.
func (s *Scenario) fault(c *wait.Case) {
	for _, o := range c.UnmountTrouble() {
		s.Tried = min(s.Tried, o.At.At.Sub(s.Zero).Seconds())
	}
	begun, gone := s.of(c.DetachRequested), s.of(c.Gone)
	if !begun.Known() {
		return
	}
	switch start := c.AttacherStart(c.Gone.At); {
	case len(c.DetachAnswers()) > 0:
		s.Fault.BackendUntil = gone.Best
	case start != nil && start.At.At.Before(c.Gone.At):
		s.Fault.AttacherUntil = start.At.At.Sub(s.Zero).Seconds()
	case !gone.Known() && c.Attachment.Object != nil && len(c.Tries()) == 0:
		s.Fault.AttacherUntil = never
	case len(c.DetachErrors) > 0:
		s.Fault.BackendUntil = gone.Best
	default:
		return
	}
	if c.Gone.Before(c.Attached) {
		s.Fault.Again = c.Attached.At.Sub(c.Gone.At).Seconds()
		if c.AttachNoticed.Known() {
			s.Fault.Unseen = max(c.AttachNoticed.At.Sub(c.Attached.At).Seconds()-visible, 0)
		}
	}
}

func (s *Scenario) ends(c *wait.Case) {
	s.End = s.of(c.Ready).Best
	if again := c.Again(); again.Known() {
		s.End = s.of(again).Best
	}
	if at := c.World.Axis.CapturedAt; at != nil {
		s.Until = at.At.Sub(s.Zero).Seconds()
	}
}

// unexplained is by how many seconds a volume must come sooner than the rules allow to count as freed by an unrecorded act.
const unexplained = 30.0

// unseen keeps an end of the wait that the scenario does not explain as given: the volume was free when its new attachment was made, or a
// call's time before it was attached. With a recorded detach request a difference is the model's own error.
func (s *Scenario) unseen(c *wait.Case, plan Plan) {
	if !c.Attached.Known() {
		return
	}
	if s.Placement == AfterGone && s.Created.Known() && s.Predict(plan).Typic.Released == never {
		s.Finished = s.Created // a StatefulSet makes the pod when the object of the old one is gone
	}
	attached := s.of(c.Attached)
	if p := s.Predict(plan); p.Ready.Known() && (c.DetachRequested.Known() || p.Attach.Min <= attached.Max+unexplained) {
		return
	}
	s.Freed = s.free(c)
}
