package remedy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Judge replays every remedy, in the order of their worth: by safety class, then by what they save.
func Judge(i *Incident, l *evidence.Ledger) []model.Remediation {
	i.all = all
	for _, r := range i.all {
		i.judged = append(i.judged, i.judge(r, l))
	}
	out := slices.Clone(i.judged)
	rank(out)
	return out
}

func (i *Incident) judge(r Remedy, l *evidence.Ledger) model.Remediation {
	fit := i.fit(r)
	if fit.Verdict == Undecidable {
		r.Steps = nil
	}
	return i.remediation(r, fit, l, func(out *model.Remediation) { i.replay(r, out) })
}

// remediation says what is known of a remedy without a replay, and replays it where it fits.
func (i *Incident) remediation(r Remedy, fit Fit, l *evidence.Ledger, replay func(*model.Remediation)) model.Remediation {
	out := model.Remediation{
		ID: r.ID, Kind: model.Reactive, Title: r.Title, Effect: model.EffectNotApplicable, Why: fit.Why, Phases: i.phases(r),
		Commands: []string{}, Requires: model.Requires{Kubernetes: r.Kubernetes, After: r.After}, References: r.References,
		Safety: model.Safety{State: model.NotProven, Needs: []model.Need{}},
	}
	if r.Preventive {
		out.Kind = model.Preventive
	}
	if r.ID == earlierAlert.ID && i.HasCause(model.CauseKubeletDown) {
		out.Title = "Watch the kubelets: alert when a node stops reporting (the recommended rules do)"
	}
	if fit.Verdict == Misfit {
		return out
	}
	out.Safety = safety(i, r, l)
	out.DataRisk, out.SideEffects = i.dataRisk(r, out.Safety), r.SideEffects(i)
	if r.Cites != nil {
		out.Evidence = r.Cites(i)
	}
	if r.Steps != nil {
		out.Steps = append(controllerFirst(i, &r), r.Steps(i)...)
		out.Commands = commands(out.Steps)
	}
	switch misfit := i.Misfit(); {
	case fit.Verdict == NoEffect:
		out.Effect = model.EffectNone
	case fit.Verdict == Undecidable:
		out.Effect = model.EffectUndecidable
	case misfit != "":
		out.Effect, out.Why = model.EffectUndecidable, "Withheld: "+misfit
	default:
		replay(&out)
	}
	return out
}

// replay applies a remedy and says what came of it.
func (i *Incident) replay(r Remedy, out *model.Remediation) {
	if r.Preventive {
		i.prevent(r, out)
		return
	}
	if at, yes := i.used(r); yes {
		out.WasUsed = true
		i.recount(r, out, at)
		return
	}
	at := r.From(i) + i.reaction
	end, ended := i.End()
	if ended && at >= end {
		out.Effect, out.Why = model.EffectNone, join(out.Why, i.overSooner())
		return
	}
	s := i.Scenario
	out.AppliedAt = i.At(at)
	if i.reaction > 0 {
		out.Why = join(out.Why, "A person is assumed to act "+words.Whole(i.reaction)+" after there is something to act on (--reaction).")
	}
	p := s.Predict(r.Change(i, i.Done.Until(at), at))
	i.conclude(r, out, p, at)
	if i.rewritesPast(out) {
		out.PredictedPhases = nil
	}
	if !ended && !math.IsInf(s.Until, 1) {
		if now := s.Predict(r.Change(i, i.Done, s.Until)); now.Ready.Known() && !now.Race {
			out.IfAppliedNow = new(s.Moment(now.Ready))
		}
	}
}

// overSooner says that the incident was over before a person would have acted.
func (i *Incident) overSooner() string {
	if i.reaction == 0 {
		return "The incident was over before there was something to act on."
	}
	return "The incident was over sooner than a person is assumed to act, " + words.Whole(i.reaction) + " after there is something to act on."
}

// fit is what a remedy says of itself; what was really done had something to act on.
func (i *Incident) fit(r Remedy) Fit {
	f := r.Fit(i)
	if _, used := i.used(r); used && f.Verdict == Misfit {
		return fits("")
	}
	return f
}

// used is when a remedy was really applied: by the first of its acts, where it does not say itself.
func (i *Incident) used(r Remedy) (float64, bool) {
	if r.Used != nil {
		return r.Used(i)
	}
	if len(r.Acts) == 0 {
		return math.Inf(1), false
	}
	return i.done(r.Acts[0]), i.did(r.Acts[0])
}

// conclude says what the replay of a remedy that was not used comes to.
func (i *Incident) conclude(r Remedy, out *model.Remediation, p replay.Prediction, at float64) {
	end, ended := i.End()
	switch {
	case !p.Ready.Known():
		out.Effect = model.EffectNone
		if i.Asis.Ready.Known() {
			out.Effect = model.EffectLengthens
		}
		out.Why = join(out.Why, "With it the wait does not end: "+p.Why+".")
	case same(p, i.Asis):
		out.Effect, out.SavedSeconds = model.EffectNone, &model.Range{}
		why := map[bool]string{true: "It", false: "By then it"}[r.Preventive] + " changes nothing in the replay."
		out.Why = join(out.Why, join(why, i.Given()))
	case p.Race:
		out.Effect, out.Why = model.EffectUndecidable, join(out.Why, race(p, at))
	default:
		by := model.Range{Min: end - p.Ready.Max, Best: end - p.Ready.Best, Max: end - p.Ready.Min}
		if i.readyUnseen() {
			by = p.Less(i.Asis)
		}
		i.predicted(out, p)
		i.save(out, by, ended)
	}
}

// readyUnseen reports that the new pod's Ready has no time and that the replay ends: then two replays are compared.
func (i *Incident) readyUnseen() bool { return math.IsInf(i.Scenario.End, 1) && i.Asis.Ready.Known() }

// prevent replays the incident with another configuration; acts of people keep their distance to the old pod's deletion.
func (i *Incident) prevent(r Remedy, out *model.Remediation) {
	p := i.Scenario.Predict(r.Change(i, i.Done, 0))
	if i.Asis.Given && p.Typic.Deleted != i.Asis.Typic.Deleted {
		out.Effect, out.Why = model.EffectUndecidable, join(out.Why, i.Given()+" Nothing shows whether it would have come sooner too.")
		return
	}
	by := p.Typic.Deleted - i.Asis.Typic.Deleted
	moves := !math.IsNaN(by) && !math.IsInf(by, 0) && by != 0
	if moves && len(i.Done.Acts) > 0 {
		p = i.Scenario.Predict(r.Change(i, i.Done.Shift(by), 0))
	}
	end, ended := i.End()
	switch {
	case p.Race && !(ended && i.did(replay.DeleteAttachment)), !p.Ready.Known(), !i.Asis.Ready.Known(), same(p, i.Asis):
		i.conclude(r, out, p, 0)
	default:
		less := p.Less(i.Asis)
		if !i.readyUnseen() {
			p.Ready, p.Attach = model.Range{Min: end - less.Max, Best: end - less.Best, Max: end - less.Min}, model.Range{}
		}
		i.predicted(out, p)
		i.save(out, less, ended)
	}
	may := out.Effect == model.EffectNone && p.Prevented && out.SavedSeconds != nil
	helps := out.Effect == model.EffectShortens || may && out.SavedSeconds.Max > Noticeable
	ordinary := p.Prevented || p.Typic.Attached-p.Typic.Scheduled < handover
	if helps && ordinary && !r.During {
		out.Effect, out.Why = model.EffectPrevents, join(out.Why, leftOver(p))
	}
}

// leftOver says what remains where a remedy prevents the wait: the move's other phases, which can take minutes.
func leftOver(p replay.Prediction) string {
	if p.Prevented {
		return "No Multi-Attach wait is left; the other phases still take their time."
	}
	return fmt.Sprintf("Less than %.0f s of the Multi-Attach wait are left, as in an ordinary hand-over; "+
		"the other phases still take their time.", handover)
}

// handover is the longest ordinary move between two live nodes in the recordings, in seconds from the report to the attach.
const handover = 30.0

// recount compares what was really done with the model's prediction, and with the incident without it.
func (i *Incident) recount(r Remedy, out *model.Remediation, at float64) {
	before := i.model.Before(i.Scenario, i.Done, i.Case, i.Scenario.Time(at))
	p := before.Predict(i.Done)
	out.AppliedAt = instant(before, at)
	end, ended := i.End()
	plan := i.Done.Without(r.Acts...)
	if r.Without != nil {
		plan = r.Without(plan)
	}
	without, done := i.Scenario.Predict(plan), "It was done at "+clock(before.Time(at))
	switch {
	case !p.Ready.Known() && before.RaceLost:
		out.Effect, out.Why = model.EffectNone, join(out.Why, done+", a race: the old pod still counted as a user, the old node got the volume.")
		return
	case !p.Ready.Known():
		out.Effect, out.Why = model.EffectNone, join(out.Why, done+". With it the wait does not end: "+p.Why+".")
		return
	case !without.Ready.Known():
		out.Effect, out.Why = model.EffectShortens, join(out.Why, "Without it the wait would not have ended: "+without.Why+".")
	case same(without, i.Asis):
		out.Effect, out.SavedSeconds = model.EffectNone, &model.Range{}
		out.Why = join(out.Why, "Without it the wait would have gone the same way.")
	default:
		i.save(out, i.Asis.Less(without), ended)
	}
	i.predicted(out, p)
	if ended {
		over := map[bool]string{true: "wait was over", false: "new pod was Ready"}[i.Case.UndoneRollout()]
		text := fmt.Sprintf("%s, and the %s %s later; the model, which knows only the durations before it, predicts %s to %s.",
			done, over, words.Whole(end-at), words.Whole(max(p.Ready.Min-at, 0)), words.Whole(max(p.Ready.Max-at, 0)))
		out.Why = join(out.Why, text)
	}
	if p.Race && ended {
		out.Why = join(out.Why, "It was a race, since the old pod still counted as a user: the new node got the volume.")
	}
}

// Given says that the end of the wait has no explanation and is assumed whatever is done; empty where the replay explains it.
func (i *Incident) Given() string {
	if !i.Asis.Given {
		return ""
	}
	return "What freed the volume by " + i.clock(i.Scenario.Freed) + " is not in the bundle; it is assumed to come at the same time."
}

// same reports that two predictions came from replays that did not differ.
func same(a, b replay.Prediction) bool { return a.Ready == b.Ready && a.Why == b.Why }

func race(p replay.Prediction, at float64) string {
	return "A race: when the controller finds the volume detached, the old pod still counts as a user, so that both nodes want it. If the " +
		"new node gets it, the new pod is Ready about " + words.Whole(max(p.Ready.Best-at, 0)) + " after the deletion; if the old node gets " +
		"it, the same VolumeAttachment comes back and the wait goes on. Nothing decides which."
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

func clock(t time.Time) string { return model.TimeOfDay(t) }
