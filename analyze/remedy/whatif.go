package remedy

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

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

// Set is a preventive remedy of one setting, with a value of one's own for it.
func Set(id string, set func(*replay.Settings)) Remedy {
	r, _ := Find(id)
	known := r.Fit
	r.Fit = func(i *Incident) Fit {
		if f := known(i); f.Verdict == Misfit || f.Verdict == Undecidable {
			return f
		}
		return fits("") // what it says of its own value is of no other
	}
	r.Change, r.Steps = setting(set), nil
	return r
}

// With is a remedy in an incident in which a setting was different from the beginning.
func (r Remedy) With(set Remedy) Remedy {
	r.Phases = slices.Concat(r.Phases, set.Phases)
	if change := r.Change; change != nil {
		r.Change = func(i *Incident, p replay.Plan, at float64) replay.Plan { return set.Change(i, change(i, p, at), at) }
	}
	return r
}

// Answer replays an incident with a remedy that is applied at a time, in the place of what people did from then on. A preventive one is in
// force from the beginning, whatever the time.
func Answer(i *Incident, r Remedy, when time.Time, l *evidence.Ledger) model.Remediation {
	if r.Preventive {
		return i.remediation(r, r.Fit(i), l, func(out *model.Remediation) { i.prevent(r, out) })
	}
	at, from := i.of(when), r.From(i)
	before := at - instantBefore // an act at that time is what it takes the place of
	r.Used = func(*Incident) (float64, bool) { return at, true }
	return i.remediation(r, i.asOf(before, r.Fit), l, func(out *model.Remediation) {
		if at < from-2*instantBefore && !math.IsInf(from, 0) {
			out.Why = join(out.Why, fmt.Sprintf("Nothing in the bundle justified %s before %s.", r.ID, clock(i.Scenario.Time(from))))
		}
		kept := i.Done.Until(before)
		if len(kept.Acts) < len(i.Done.Acts) {
			out.Why = join(out.Why, "What people really did after "+clock(when)+" is left out.")
		}
		out.AppliedAt = i.At(at)
		i.conclude(r, out, i.Scenario.Predict(r.Change(i, kept, at)), at)
	})
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
		out.AppliedAt = i.At(at)
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
	signs := len(m.ranOn)+len(m.alive) > 0 || m.cloud != nil || m.noBoot
	return i.Lost() && (signs || i.HasCause(model.CauseKubeletDown))
}

// CameBack reports that the lost node was Ready again before the wait ended, so that its return is what ended it.
func (i *Incident) CameBack() bool {
	end, _ := i.End()
	return i.Lost() && i.Scenario.Back <= end
}

// SlowStop reports that the old pod is known to have been slow to stop on a live node.
func (i *Incident) SlowStop() bool {
	took, known := i.stopTook()
	return known && !i.Lost() && i.Case.TaintEviction() == nil && took >= slowly
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
	if i.Case.TaintedNow() != nil { // the volumes move by it
		r := fenceNode
		r.Fit = func(i *Incident) Fit {
			return fits(i.node() + " bears the out-of-service taint: the controller takes its volumes, whether the machine still writes or not.")
		}
		return r
	}
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
	out := steps(prove("see where the volume is attached, and since when", "kubectl get volumeattachment -o wide"))(i)
	for _, p := range slices.Concat(i.Case.NewPods, i.Case.OldPods) {
		if name(p.Namespace) != "" && name(p.Name) != "" {
			out = append(out, prove("see what "+p.String()+" waits for", "kubectl describe pod -n", name(p.Namespace), name(p.Name))(i))
			break
		}
	}
	return out
}
