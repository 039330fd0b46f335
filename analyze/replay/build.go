package replay

import (
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Scenario is a case as the model sees it, with what people did in it.
func (m *Model) Scenario(c *reconstruct.Case) (*Scenario, Plan) {
	known := time.Time{}
	s := &Scenario{
		Zero: c.Span.From.At, Version: c.World.Version, draws: m.draws,
		Lost: never, Back: never, NodeGone: never, End: never, Closed: never, Until: never, Consented: exactly(never), Remade: c.Remade,
	}
	s.node(c)
	s.controller(c)
	plan := s.acts(c)
	if gone := c.NodeRemoved(); gone.Known() && math.IsInf(plan.first(DeleteNode), 1) {
		s.NodeGone = s.of(gone).Best
	}
	s.pods(c, plan)
	s.durations(m, c, known)
	s.holding(c, plan, known)
	s.fault(c)
	s.RaceLost = !math.IsInf(plan.first(DeleteAttachment), 1) && c.Returned()
	s.ends(c)
	return s, plan
}

// Before is a scenario with the durations that could be known at a time: of operations that had ended by then. What broke
// or came back by itself counts at whatever time it did, since no remedy changes it.
func (m *Model) Before(s *Scenario, plan Plan, c *reconstruct.Case, known time.Time) *Scenario {
	then := *s
	then.Consented, then.Unmounted, then.Stuck = exactly(never), false, false
	then.durations(m, c, known)
	then.holding(c, plan, known)
	return &then
}

// of is an instant on the scenario's axis.
func (s *Scenario) of(i reconstruct.Instant) Span {
	if !i.Known() {
		return exactly(never)
	}
	return Span{i.Earliest.Sub(s.Zero).Seconds(), i.At.Sub(s.Zero).Seconds(), i.Latest.Sub(s.Zero).Seconds()}
}

// Time is an instant of the axis, to the millisecond.
func (s *Scenario) Time(sec float64) time.Time {
	return s.Zero.Add(time.Duration(sec * float64(time.Second))).UTC().Truncate(time.Millisecond)
}

// Moment is a span as the report has it, derived by the model.
func (s *Scenario) Moment(p Span) model.Moment {
	return model.Moment{At: s.Time(p.Best), Earliest: s.Time(p.Lo), Latest: s.Time(p.Hi), Basis: model.Derived}
}

func (s *Scenario) node(c *reconstruct.Case) {
	s.NotReady = exactly(never)
	s.HealthKnown = c.HealthKnown()
	if c.NotReady.Known() && (!c.Ended().Known() || c.NotReady.Before(c.Ended())) {
		s.NotReady = s.of(c.NotReady)
		if c.Heartbeat.Known() {
			s.Lost = s.of(c.Heartbeat).Best
		}
		if c.BackReady.Known() {
			s.Back = s.of(c.BackReady).Best
		}
	}
	s.Grace, s.Toleration = graceOf(c.World), tolerationOf(c)
}

// newLeader is how long the election of a new leader takes when nothing tells when the old one stopped: the lease of 15 s
// and a retry every 2 s; the recordings show 16.7 to 19.4 s.
const newLeader = 18.0

func (s *Scenario) controller(c *reconstruct.Case) {
	v := c.World.Version
	s.AsksHealth = !v.Known() || upstream.ForceDetachAsksHealth(v)
	s.ForceDetach = true
	if _, value := reconstruct.Flag(c.World, upstream.DisableForceDetachFlag); value == "true" && (!v.Known() || upstream.HasDisableForceDetach(v)) {
		s.ForceDetach = false
	}
	s.OutOfService = v.Known() && upstream.OutOfServiceDetach(v) == upstream.Supported || c.Forced.Known() && c.Forced.Witness[0].Kind == model.DetachForcedTaint
	for _, f := range c.Failovers {
		taken := s.of(f).Best
		s.Leaders = append(s.Leaders, Leader{Lost: taken - newLeader, Taken: taken})
	}
}

// pods places the old and the waiting pod, without what people did to them.
func (s *Scenario) pods(c *reconstruct.Case, plan Plan) {
	s.Reported = s.of(c.Began).Best
	s.Deleted, s.Finished, s.Released, s.Created = s.of(c.DeletionRequested), s.of(c.OldPodFinished), s.of(c.Released), s.of(c.Created)
	if s.Finished.Best > s.Reported+1 && s.Released.Known() {
		s.Finished = exactly(never) // it ended with its deletion
	}
	lost := s.NotReady.Known()
	s.Evicted = lost && s.Deleted.Known() && s.Deleted.Best >= s.NotReady.Best && !s.Finished.Known()
	if taint := plan.first(TaintOutOfService); s.Evicted && taint < s.Deleted.Best+1 && s.Deleted.Best-taint < collectPeriod {
		s.Deleted = exactly(s.NotReady.Best + s.Toleration.Best) // the taint evicted it before its time
	}
	for _, a := range plan.Acts {
		if releases(a.Kind) && a.At <= s.Released.Hi+1 {
			s.Released = exactly(never)
		}
	}
	if !math.IsInf(plan.first(DeleteAttachment), 1) && s.Released.Hi-s.Released.Lo > 1 {
		s.Released = exactly(never) // the bounds take the detach for the controller's own, which asks for the release
	}
	if lost && !s.Finished.Known() && s.Back > s.Released.Best && s.Released.Known() && s.Evicted {
		// Somebody ended the pod of a lost node, and nothing tells who: it stays where it was.
		s.Finished = s.Released
	}
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

// releases reports that an act ends the old pod.
func releases(k ActKind) bool {
	return slices.Contains([]ActKind{ForceDeletePod, TaintOutOfService, DeleteNode, DeletePod, ScaleDown}, k)
}

func placementOf(c *reconstruct.Case, s *Scenario) Placement {
	made := s.of(c.Created).Best
	if math.IsInf(made, 1) {
		made = s.Reported
	}
	switch {
	case c.Workload != nil && c.Workload.Kind == "StatefulSet" && len(c.OldPods) > 0 && len(c.NewPods) > 0 && c.OldPods[0].Name == c.NewPods[0].Name:
		return AfterGone
	case !s.Deleted.Known() && !s.Finished.Known(), made < min(s.Deleted.Best, s.Finished.Best)-1:
		return Beside
	}
	return AtDeletion
}

func waiting(s *Scenario, c *reconstruct.Case) Param {
	made, placed := s.of(c.Created), s.of(c.Scheduled)
	if made.Known() && placed.Known() {
		return Param{Span: exactly(max(placed.Best-made.Best, 0)), Basis: model.Observed, Why: "as in this incident", Witness: c.Scheduled.Witness}
	}
	return Param{Span: defaultPlace, Basis: model.Assumed, Why: "a scheduler that is not busy"}
}

// tolerates reports that an old pod tolerates the out-of-service taint for ever, so that the taint does not evict it.
func tolerates(c *reconstruct.Case) bool {
	for _, ref := range slices.Concat(c.OldPods, c.NewPods) {
		if pod, ok := c.World.Pod(ref); ok {
			return slices.ContainsFunc(pod.Value().Spec.Tolerations, func(t corev1.Toleration) bool {
				return t.TolerationSeconds == nil && (t.Key == upstream.OutOfServiceTaint || t.Key == "" && t.Operator == corev1.TolerationOpExists) &&
					(t.Effect == "" || t.Effect == corev1.TaintEffectNoExecute)
			})
		}
	}
	return false
}

func (s *Scenario) durations(m *Model, c *reconstruct.Case, known time.Time) {
	until := known
	if until.IsZero() {
		until = time.Unix(1<<40, 0)
	}
	driver := c.Volume.Driver
	attaches, detaches := m.attaches.durations(driver, until), m.detaches.durations(driver, until)
	var ownAttach, ownDetach reconstruct.Instant
	attachFor, detachFor := 0.0, 0.0
	if c.Attached.Known() && c.NewAttachment.Known() && !c.Attached.At.After(until) && len(c.DetachErrors) == 0 {
		ownAttach, attachFor = c.Attached, max(c.Attached.At.Sub(c.NewAttachment.At).Seconds(), 0)
	}
	if c.Gone.Known() && c.DetachRequested.Known() && !c.Gone.At.After(until) && len(c.DetachErrors) == 0 && c.Gone.Latest.Sub(c.Gone.Earliest) < 8*time.Second {
		ownDetach, detachFor = c.Gone, max(c.Gone.At.Sub(c.DetachRequested.At).Seconds(), 0)
	}
	s.Attach = call("attach", driver, ownAttach, attachFor, attaches, detaches)
	s.Detach = call("detach", driver, ownDetach, detachFor, detaches, attaches)
	s.Mount = mountOf(c, m.mounts.durations("", until))
	s.Terminate = terminateOf(c, s.Released, s.Deleted)
}

// freeAtOnce is how soon after the release a detach begins that waits for no unmount.
const freeAtOnce = 1.5

// holding is what keeps a released volume on the old node.
func (s *Scenario) holding(c *reconstruct.Case, plan Plan, known time.Time) {
	s.Unmount = Param{Span: defaultUnmount, Basis: model.Assumed, Why: "unmount, and the node's report at its next status, every 10 s"}
	released, begun := s.of(c.Released), s.of(c.DetachRequested)
	forced := c.Forced.Known()
	byHand := !math.IsInf(plan.first(DeleteAttachment), 1)
	lost := s.NotReady.Known()
	switch {
	case !released.Known() || byHand:
	case lost && !forced && begun.Known() && begun.Best-released.Best < freeAtOnce && begun.Best < s.Back:
		s.Unmounted = true
	case lost:
	case c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True:
		s.Stuck = true
	case begun.Known() && !s.Released.Known():
		if ended := min(plan.first(ScaleDown), plan.first(DeletePod)); known.IsZero() && ended < begun.Best {
			// The sum is what was seen; how it divides changes nothing.
			s.Unmount.Span = exactly(min(defaultUnmount.Best, begun.Best-ended))
			s.Terminate = Param{Span: exactly(begun.Best - ended - s.Unmount.Best), Basis: model.Derived, Why: "as in this incident, with the unmount"}
		}
	case begun.Known():
		s.Consented = begun
		s.Unmount = Param{Span: exactly(max(begun.Best-released.Best, 0)), Basis: model.Observed, Why: "as in this incident", Witness: c.DetachRequested.Witness}
	case !c.Resolved():
		s.Stuck = true
	}
}

// fault is what kept the detach from succeeding.
func (s *Scenario) fault(c *reconstruct.Case) {
	begun, gone := s.of(c.DetachRequested), s.of(c.Gone)
	if !begun.Known() {
		return
	}
	switch start := c.AttacherStart(attacherHorizon(c)); {
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
	attached := c.Attached
	if c.AttachNoticed.Known() {
		attached = c.AttachNoticed
	}
	if attached.Known() && gone.Known() && attached.At.After(c.Gone.At) {
		s.Fault.Again = attached.At.Sub(c.Gone.At).Seconds()
	}
}

// attacherHorizon is when the detach had ended, or the collection.
func attacherHorizon(c *reconstruct.Case) time.Time {
	if c.Gone.Known() {
		return c.Gone.At
	}
	if at := c.World.Axis.CapturedAt; at != nil {
		return at.At
	}
	return c.DetachRequested.At.Add(24 * time.Hour)
}

func (s *Scenario) ends(c *reconstruct.Case) {
	if c.Ready.Known() {
		s.End = s.of(c.Ready).Best
	}
	if c.DemandEnded.Known() {
		s.Closed = s.of(c.DemandEnded).Best
		if again := c.ReadyAfter(c.DemandEnded.At); again.Known() {
			s.End = s.of(again).Best
		}
	}
	if at := c.World.Axis.CapturedAt; at != nil {
		s.Until = at.At.Sub(s.Zero).Seconds()
	}
}
