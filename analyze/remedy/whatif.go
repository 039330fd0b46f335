package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Applied is a remedy of a question, with the time at which it is applied. A preventive one has none.
type Applied struct {
	Remedy Remedy
	At     time.Time
}

// Question is what is to be different in a replay: remedies, together, and settings from the beginning.
type Question struct {
	Steps []Applied
	Set   replay.Settings
}

// Find is the remedy of an identifier.
func Find(id string) (Remedy, bool) {
	if n := slices.IndexFunc(all, func(r Remedy) bool { return r.ID == id }); n >= 0 {
		return all[n], true
	}
	return Remedy{}, false
}

// Justified is the first moment that justified a remedy, with the person's reaction on top; false when nothing did.
func (i *Incident) Justified(r Remedy) (time.Time, bool) {
	if r.From == nil {
		return time.Time{}, false
	}
	at := r.From(i)
	if math.IsInf(at, 0) || math.IsNaN(at) {
		return time.Time{}, false
	}
	return i.Scenario.Time(at + i.reaction), true
}

// Answer replays an incident as a question wants it. The steps replace the acts of people from the first step with a time on, if any.
func Answer(i *Incident, q Question, l *evidence.Ledger) model.Remediation {
	slices.SortStableFunc(q.Steps, func(a, b Applied) int { return cmp.Compare(i.of(a.At), i.of(b.At)) })
	steps, fit := i.fitting(q)
	r := i.combined(q, steps)
	return i.remediation(r, fit, l, func(out *model.Remediation) {
		if r.Preventive {
			i.prevent(r, out)
			return
		}
		i.answer(r, steps, out)
	})
}

// answer replays steps of which one at least has a time.
func (i *Incident) answer(r Remedy, steps []Applied, out *model.Remediation) {
	first := math.Inf(1)
	for _, s := range steps {
		if s.Remedy.Preventive {
			continue
		}
		at := i.of(s.At)
		first = min(first, at)
		if from := s.Remedy.From(i); at < from-2*instantBefore && !math.IsInf(from, 0) {
			out.Why = join(out.Why, fmt.Sprintf("Nothing in the bundle justified %s before %s.", s.Remedy.ID, clock(i.Scenario.Time(from))))
		}
	}
	out.AppliedAt = instant(i.Scenario, first)
	kept := i.Done.Until(first - instantBefore) // an act at that time is what it takes the place of
	if dropped := len(i.Done.Acts) - len(kept.Acts); dropped > 0 {
		out.Why = join(out.Why, "What people really did after "+clock(i.Scenario.Time(first))+" is left out.")
	}
	i.conclude(r, out, i.Scenario.Predict(r.Change(i, kept, first)), first)
}

// fitting keeps the steps that have something to act on; a misfit or an undecidable one decides the answer.
func (i *Incident) fitting(q Question) (steps []Applied, all Fit) {
	for _, s := range q.Steps {
		fit := i.fitAt(s)
		if fit.Verdict == Fits && s.Remedy.Change == nil {
			fit.Verdict = NoEffect
		}
		if fit.Why != "" {
			all.Why = join(all.Why, s.Remedy.ID+": "+fit.Why)
		}
		switch fit.Verdict {
		case Fits:
			steps = append(steps, s)
		case Misfit:
			return nil, misfit(s.Remedy.ID + ": " + fit.Why)
		case Undecidable:
			all.Verdict = Undecidable
		}
	}
	for _, r := range standing(q.Set) {
		switch fit := r.Fit(i); fit.Verdict {
		case Misfit:
			return nil, fit
		case Undecidable:
			all = undecidable(join(all.Why, fit.Why))
		}
	}
	if len(steps) == 0 && all.Verdict == Fits && q.Set == (replay.Settings{}) {
		all.Verdict = NoEffect
	}
	return steps, all
}

// fitAt is what a remedy says of itself at the time of a step, in the place of what was done then.
func (i *Incident) fitAt(s Applied) Fit {
	if s.Remedy.Preventive {
		return s.Remedy.Fit(i)
	}
	return i.asOf(i.of(s.At)-instantBefore, s.Remedy.Fit)
}

// combined makes one remedy of the steps and settings of a question.
func (i *Incident) combined(q Question, steps []Applied) Remedy {
	settings := standing(q.Set)
	all := settings
	for _, s := range steps {
		all = append(all, s.Remedy)
	}
	chosen := all[len(settings):]
	r := Remedy{
		ID:         "what-if",
		Preventive: !slices.ContainsFunc(chosen, func(r Remedy) bool { return !r.Preventive }),
		Forces:     slices.ContainsFunc(chosen, func(r Remedy) bool { return r.Forces }),
		After:      gather(chosen, func(r Remedy) []string { return r.After }),
		Phases:     slices.Sorted(slices.Values(gather(all, func(r Remedy) []model.PhaseID { return r.Phases }))),
		Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
			p.Set = merged(p.Set, q.Set)
			for _, s := range steps {
				p = s.Remedy.Change(i, p, i.of(s.At)) // a preventive one asks for no time
			}
			return p
		},
		Needs:       func(i *Incident, _ float64) []Need { return i.needsOf(steps) },
		SideEffects: func(i *Incident) []string { return gather(all, func(r Remedy) []string { return r.SideEffects(i) }) },
		Steps: func(i *Incident) []model.Step {
			return gather(chosen, func(r Remedy) []model.Step {
				if r.Steps == nil {
					return nil
				}
				return r.Steps(i)
			})
		},
	}
	r.References = gather(chosen, func(r Remedy) []string { return r.References })
	return r
}

// needsOf is what has to be proven for steps, each need once, at the time of the first step that has it.
func (i *Incident) needsOf(steps []Applied) (needs []Need) {
	for _, s := range steps {
		if s.Remedy.Needs == nil {
			continue
		}
		for _, n := range s.Remedy.Needs(i, i.judgedAt(s)) {
			if !slices.ContainsFunc(needs, func(m Need) bool { return m.Text == n.Text }) {
				needs = append(needs, n)
			}
		}
	}
	return needs
}

// judgedAt is the time for which a step's safety is judged: its own, or as the report does when it has none or the incident is open.
func (i *Incident) judgedAt(s Applied) float64 {
	if _, ended := i.End(); s.Remedy.Preventive || !ended {
		return i.applied(s.Remedy)
	}
	return i.of(s.At)
}

// standing are the remedies that make the same settings: the settings need what those need.
func standing(s replay.Settings) []Remedy {
	var out []Remedy
	if s.Grace != nil {
		out = append(out, fasterNodeDetection)
	}
	if s.Toleration != nil {
		out = append(out, shortenTolerations)
	}
	if s.NoForcedDetach {
		out = append(out, disableForceDetach)
	}
	return out
}

// merged puts the settings of a question over others.
func merged(s, q replay.Settings) replay.Settings {
	s.Grace, s.Toleration = cmp.Or(q.Grace, s.Grace), cmp.Or(q.Toleration, s.Toleration)
	s.NoForcedDetach = s.NoForcedDetach || q.NoForcedDetach
	return s
}

// gather is what several remedies have, each thing once.
func gather[T comparable](from []Remedy, has func(Remedy) []T) (all []T) {
	for _, r := range from {
		for _, s := range has(r) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// Written is an instant as a question is asked with it.
func Written(at time.Time) string {
	if model.MissingOf(at) != "" {
		return model.DateTime(at)
	}
	return at.UTC().Format(time.RFC3339)
}

// Outside says why a time is none of the incident's, or nothing.
func (i *Incident) Outside(at time.Time) string {
	span := i.Case.Span
	if at.Before(span.From.Earliest.Truncate(time.Second)) || at.After(span.To.Latest.Add(time.Second)) {
		return Written(span.From.At) + " to " + Written(span.To.At)
	}
	return ""
}

// instantBefore is how long before an act, in seconds, the incident is looked at when another act takes its place.
const instantBefore = 0.001

// Instead judges a remedy as carried out at a time, in seconds of the scenario, in the place of what people did from then on. The second
// result is the replay; it has no end where none was made.
func (i *Incident) Instead(r Remedy, at float64, l *evidence.Ledger) (model.Remediation, replay.Prediction) {
	before := at - instantBefore
	r = r.asAct()
	p := replay.Prediction{Ready: model.Range{Min: math.Inf(1), Best: math.Inf(1), Max: math.Inf(1)}}
	out := i.remediation(r, i.asOf(before, r.Fit), l, func(out *model.Remediation) {
		out.AppliedAt = instant(i.Scenario, at)
		p = i.Scenario.Predict(r.Change(i, i.Done.Until(before), at))
		i.conclude(r, out, p, at)
	})
	return out, p
}

// Carried is the replay of a remedy that is carried out at a time on top of a plan.
func (i *Incident) Carried(r Remedy, p replay.Plan, at float64) replay.Prediction {
	r = r.asAct()
	if r.Change == nil {
		return i.Scenario.Predict(p)
	}
	return i.Scenario.Predict(r.Change(i, p, at))
}

// Offer is a remedy without a replay: its steps, risk and side effects, with a reason why no time is given.
func (i *Incident) Offer(r Remedy, why string, l *evidence.Ledger) model.Remediation {
	return i.remediation(r.asAct(), noEffect(why), l, nil)
}

// asAct is a setting that is also an act, as the act; every other remedy as it is.
func (r Remedy) asAct() Remedy {
	if r.Act != nil {
		r.Preventive, r.Change, r.From = false, r.Act, func(i *Incident) float64 { return i.Scenario.Reported }
	}
	return r
}

// MachineRuns reports that the lost node's machine is known to have run: its kubelet came back without a boot, or its processes wrote on.
func (i *Incident) MachineRuns() bool {
	m := i.known()
	runs := len(m.ranOn) > 0 || len(m.alive) > 0 || m.cloud != nil || m.noBoot
	return i.Lost() && (runs || i.HasCause(model.CauseKubeletDown))
}

// CameBack reports that the lost node was Ready again before the wait ended, so that its return is what ended it.
func (i *Incident) CameBack() bool {
	end, _ := i.End()
	return i.Lost() && i.Scenario.Back <= end
}

// SlowStop is how long the old pod took to stop on a live node, in seconds; false where that was not slow, or is not known.
func (i *Incident) SlowStop() (float64, bool) {
	took, known := i.stopTook()
	return took, known && !i.Lost() && took >= slowly
}

// Alerted is when the first recommended alert fired, in seconds of the scenario; false where none is known to have fired.
func (i *Incident) Alerted() (float64, bool) {
	if i.Alarm.Rule == "" {
		return math.Inf(1), false
	}
	return i.of(i.Alarm.At), true
}

// Judged is what Judge said of a remedy.
func (i *Incident) Judged(id string) model.Remediation {
	for _, r := range i.judged {
		if r.ID == id {
			return r
		}
	}
	return model.Remediation{ID: id, Effect: model.EffectNotApplicable}
}

// PowerOffFirst is the fencing of a lost node with what then moves its volumes, whole: the taint, or what stands for it in a version
// that does not act on it. Once the machine is off, nothing of it risks the data.
func (i *Incident) PowerOffFirst() Remedy {
	then := forceDeletePodAndVolumeAttachment
	if i.asOf(i.stuck()-instantBefore, fitOutOfService).Verdict == Fits {
		then = outOfServiceTaint
	}
	r := fenceNode
	r.Fit, r.From, r.Change, r.Acts, r.Phases, r.Forces = then.Fit, then.From, then.Change, then.Acts, then.Phases, false
	r.Act = nil
	r.Needs = nil
	r.SideEffects = func(i *Incident) []string { return append(fenceNode.SideEffects(i), then.SideEffects(i)...) }
	r.Steps = func(i *Incident) []model.Step {
		out := fenceNode.Steps(i)
		if i.mayBeFenced() {
			return out // the taint is among them
		}
		for _, s := range then.Steps(i) {
			if s.Part == model.StepProve {
				s.Part = model.StepAct // it comes after the machine was powered off
			}
			out = append(out, s)
		}
		return out
	}
	return r
}

// Established reports that the first cause is established.
func (i *Incident) Established() bool {
	return len(i.Causes) > 0 && i.Causes[0].Verdict != model.Undecidable
}

// Looks are commands that only look at what keeps the volume, of the pods and the volume as they are known.
func (i *Incident) Looks() []model.Step {
	out := []model.Step{prove("see where the volume is attached, and since when", "kubectl", "get", "volumeattachment", "-o", "wide")}
	for _, p := range slices.Concat(i.Case.NewPods, i.Case.OldPods) {
		if name(p.Namespace) != "" && name(p.Name) != "" {
			out = append(out, prove("see what "+p.String()+" waits for", "kubectl", "describe", "pod", "-n", name(p.Namespace), name(p.Name)))
			break
		}
	}
	return out
}
