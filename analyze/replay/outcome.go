package replay

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// Outcome is one replay: when each step came, in seconds of the scenario; never for those that did not come.
type Outcome struct {
	NotReady, Deleted, Created, Scheduled float64
	Released, DetachAt, Gone, Noticed     float64
	Attached, Visible                     float64
	Ready                                 float64

	Why       string // why it never ends, when it does not
	Prevented bool   // no Multi-Attach arises
	Spared    bool   // the wait ended as it stood, without the volume
	Given     bool   // the volume was freed by what no record shows
	Unsure    bool   // it rests on whether the old node was Ready, which no evidence shows
	Race      bool   // both nodes want the volume when the controller finds it detached: either may get it
}

// run replays a scenario once.
func (s *Scenario) run(p Plan, u *draw) Outcome {
	var o Outcome
	s.lose(p, u, &o)
	s.remove(p, u, &o)
	s.release(p, u, &o)
	s.replace(p, u, &o)
	s.detach(p, u, &o)
	s.attach(p, u, &o)
	s.start(p, u, &o)
	return o
}

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
	o.Attached = begin + s.Attach.At(u[uAttach])
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
		attach := s.Attach.At(u[uAttach])
		paused := u[uAgain]*pauseAt(o.Gone-o.DetachAt, firstBackoff, maxBackoff) + attach
		return min(paused, s.Fault.BackendUntil+max(s.Fault.Again, attach)-o.Gone) // no later than without
	}
	if !s.faulty(p, o) {
		return 0
	}
	again := s.Fault.Again
	if p.Set.RetryMax != nil {
		again = min(again, u[uRetry]**p.Set.RetryMax+u[uAgain]*maxBackoff+s.Attach.At(u[uAttach]))
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

// What is drawn. Each is a position in [0, 1] within what the evidence leaves open.
const (
	uMonitor  = iota // the node monitor's loop
	uCollect         // pod GC's loop
	uOrphan          // pod GC's own work on a missing node
	uSync            // the attach/detach controller's sync
	uDetach          // the driver's detach
	uAttach          // the driver's attach
	uReported        // the kubelet's next report, with the volume as in use
	uMount           // mount and start of the containers
	uPod             // end of a pod on a live node
	uUnmount         // its unmount, until the node reports it
	uPlace           // creation and scheduling of the replacement
	uRetry           // the external-attacher's pause between two tries
	uAgain           // the attach/detach controller's pause between two tries
	uAct             // what people did, of which only bounds are known
	dims
)

// draw is one set of positions.
type draw [dims]float64

// Draws is how many replays a prediction rests on: a prime, as the lattice needs.
const Draws = 61

// generator is a primitive root of Draws: its powers are the lattice's steps, each another one.
const generator = 17

// draws are the points of a Korobov lattice: each dimension has every position once, and few replays cover every pair of loops.
func draws() *[Draws]draw {
	var out [Draws]draw
	step := 1
	for d := range dims {
		for n := range Draws {
			out[n][d] = (float64(n*step%Draws) + 0.5) / Draws
		}
		step = step * generator % Draws
	}
	return &out
}

// Prediction is what a set of replays says: the waiting pod's Ready with its range, and the replay of the best estimates.
type Prediction struct {
	Ready  model.Range // never when no replay ends
	Attach model.Range // of the volume to the wanted node; zero when no replay ends
	Typic  Outcome     // the replay in the middle of all that is drawn
	Why    string      // why it never ends, when it does not
	Race   bool
	// Given: some replay ends by an unrecorded act. Unsure: some assumes that the old node was Ready, which nothing proves.
	Given, Unsure bool
	// Prevented: no replay has a Multi-Attach wait.
	Prevented bool

	each [Draws]float64 // Ready of each replay
}

// Less is how much sooner p ends than q, paired by draw, so that what both share does not widen it. Both have to end.
func (p Prediction) Less(q Prediction) model.Range {
	var by [Draws]float64
	for i := range p.each {
		by[i] = q.each[i] - p.each[i]
	}
	return spanOf(by)
}

// Predict replays a scenario under a plan.
func (s *Scenario) Predict(p Plan) Prediction {
	out := Prediction{Prevented: true}
	var attach [Draws]float64
	for i := range s.draws {
		o := s.run(p.drawn(s.draws[i][uAct]), &s.draws[i])
		if o.Why != "" && o.Ready == never {
			return Prediction{Ready: exactly(never), Typic: o, Why: o.Why, Race: o.Race, Unsure: o.Unsure}
		}
		out.Race = out.Race || o.Race
		out.Given = out.Given || o.Given
		out.Unsure = o.Unsure // which no draw changes
		out.Prevented = out.Prevented && o.Prevented
		out.each[i], attach[i] = o.Ready, o.Attached
	}
	out.Ready, out.Attach = spanOf(out.each), spanOf(attach)
	middle := draw{}
	for d := range middle {
		middle[d] = 0.5
	}
	out.Typic = s.run(p, &middle)
	out.Typic.Ready = out.Ready.Best
	return out
}

// spanOf is the span of all replays. The best estimate is the median: a rare long step would shift the mean.
func spanOf(each [Draws]float64) model.Range {
	slices.Sort(each[:])
	return model.Range{Min: each[0], Best: each[Draws/2], Max: each[Draws-1]}
}

// Phases tile a replay that ends, from the beginning of the incident's span to Ready, as the contract has them.
func (s *Scenario) Phases(o Outcome, startsAt string) []model.Phase {
	type step struct {
		id  model.PhaseID
		end float64
	}
	var steps []step
	switch startsAt {
	case model.StartsAtHeartbeat:
		steps = append(steps, step{model.PhaseDetection, o.NotReady})
		fallthrough
	case model.StartsAtNotReady:
		steps = append(steps, step{model.PhaseEviction, o.Deleted})
	}
	if startsAt != model.StartsAtReport {
		steps = append(steps, step{model.PhaseReplacement, o.Created}, step{model.PhaseScheduling, o.Scheduled})
	}
	if o.Attached >= o.Released { // else the attach waited for nothing of the old node's
		steps = append(steps, step{model.PhaseRelease, o.Released}, step{model.PhaseUnmountWait, o.DetachAt}, step{model.PhaseDetach, o.Noticed})
	}
	steps = append(steps, step{model.PhaseAttach, o.Attached}, step{model.PhaseMount, o.Ready})
	var out []model.Phase
	from := 0.0
	for _, p := range steps {
		if o.Spared {
			p.end = min(p.end, o.Ready)
		}
		unawaited := !o.Spared && p.end > o.Attached && p.id != model.PhaseMount // it went on past the attach
		if !(p.end > from && p.end < never) || unawaited {
			continue
		}
		a, b := s.Moment(exactly(from)), s.Moment(exactly(p.end))
		out = append(out, model.Phase{ID: p.id, From: a, To: b, Seconds: a.Until(b)})
		from = p.end
	}
	return out
}
