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
	"github.com/volpost/volpost/model/words"
)

// The effects of the contract.
const (
	shortens      = "shortens"
	prevents      = "prevents"
	none          = "none"
	lengthens     = "lengthens"
	notApplicable = "not-applicable"
	unclear       = "undecidable"
)

// Judge replays every remedy, in the order of their worth: by safety class, then by what they save.
func Judge(i *Incident, l *evidence.Ledger) []model.Remediation {
	misfit := i.Misfit()
	out := make([]model.Remediation, 0, len(All))
	i.all = All
	for _, r := range i.all {
		i.judged = append(i.judged, i.judge(r, misfit, l))
	}
	out = append(out, i.judged...)
	rank(out)
	return out
}

func (i *Incident) judge(r Remedy, misfit string, l *evidence.Ledger) model.Remediation {
	out := model.Remediation{
		ID: r.ID, Kind: "reactive", Title: r.Title, Effect: notApplicable, Phases: i.phases(r), Commands: []string{},
		Requires: model.Requires{Kubernetes: r.Kubernetes, After: r.After}, References: r.Doc.References, Safety: model.Safety{State: "not-proven", Needs: []model.Need{}},
	}
	if r.Preventive {
		out.Kind = "preventive"
	}
	fit := i.fit(r)
	out.Why = fit.Why
	if fit.Verdict == Misfit {
		return out
	}
	out.Safety = safety(i, r, l)
	i.weigh(r, &out)
	if r.Cites != nil {
		out.Evidence = r.Cites(i)
	}
	if r.Steps != nil && fit.Verdict != Undecidable {
		out.Steps = r.Steps(i)
		out.Commands = commands(out.Steps)
	}
	switch {
	case fit.Verdict == NoEffect:
		out.Effect = none
	case fit.Verdict == Undecidable:
		out.Effect = unclear
	case misfit != "":
		out.Effect, out.Why = unclear, "Withheld: "+misfit
	default:
		i.replay(r, &out, l)
	}
	return out
}

// replay applies a remedy and says what came of it.
func (i *Incident) replay(r Remedy, out *model.Remediation, l *evidence.Ledger) {
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
	end, ended := i.end()
	if ended && at >= end {
		out.Effect, out.Why = none, join(out.Why, i.overSooner())
		return
	}
	s := i.Scenario
	out.AppliedAt = instant(s, at)
	p := s.Predict(r.Change(i, i.Done.Until(at), at))
	i.conclude(r, out, p, at)
	if !ended && !math.IsInf(s.Until, 1) {
		if now := s.Predict(r.Change(i, i.Done, s.Until)); now.Ready.Known() && !now.Race {
			m := s.Moment(now.Ready)
			out.IfAppliedNow = &m
		}
	}
}

// overSooner says that the incident was over before a person would have acted.
func (i *Incident) overSooner() string {
	return fmt.Sprintf("The incident was over sooner than a person is assumed to act, %s after there is something to act on.", words.Whole(i.reaction))
}

// fit is what a remedy says of itself; what was really done had something to act on.
func (i *Incident) fit(r Remedy) Fit {
	f := r.Fit(i)
	if _, used := i.used(r); used && f.Verdict == Misfit {
		return fits("")
	}
	return f
}

func (i *Incident) used(r Remedy) (float64, bool) {
	if r.Used == nil {
		return 0, false
	}
	return r.Used(i)
}

// conclude says what the replay of a remedy that was not used comes to.
func (i *Incident) conclude(r Remedy, out *model.Remediation, p replay.Prediction, at float64) {
	end, ended := i.end()
	switch {
	case !p.Ready.Known():
		out.Effect = none
		if i.Asis.Ready.Known() {
			out.Effect = lengthens
		}
		out.Why = join(out.Why, "With it the wait does not end: "+p.Why+".")
	case same(p, i.Asis):
		out.Effect, out.SavedSeconds = none, &model.Range{}
		out.Why = join(out.Why, map[bool]string{true: "It changes nothing in the replay.", false: "By then it changes nothing in the replay."}[r.Preventive])
		if given := i.Given(); given != "" {
			out.Why = join(out.Why, given)
		}
	case p.Race:
		out.Effect, out.Why = unclear, join(out.Why, race(p, at))
	default:
		i.predicted(out, p)
		if i.readyUnseen() {
			i.save(out, p.Less(i.Asis), ended)
			return
		}
		i.save(out, replay.Span{Lo: end - p.Ready.Hi, Best: end - p.Ready.Best, Hi: end - p.Ready.Lo}, ended)
	}
}

// readyUnseen reports that the new pod's Ready has no time and that the replay ends: then two replays are compared.
func (i *Incident) readyUnseen() bool {
	return math.IsInf(i.Scenario.End, 1) && i.Asis.Ready.Known()
}

// prevent replays the incident with another configuration from the beginning; acts of people keep their distance to the old pod's
// deletion.
func (i *Incident) prevent(r Remedy, out *model.Remediation) {
	p := i.Scenario.Predict(r.Change(i, i.Done, 0))
	if i.Asis.Given && p.Typic.Deleted != i.Asis.Typic.Deleted && !math.IsNaN(p.Typic.Deleted-i.Asis.Typic.Deleted) {
		out.Effect, out.Why = unclear, join(out.Why, i.Given()+" Whether it would have come sooner too, nothing tells.")
		return
	}
	if by := p.Typic.Deleted - i.Asis.Typic.Deleted; len(i.Done.Acts) > 0 && !math.IsNaN(by) && !math.IsInf(by, 0) && by != 0 {
		p = i.Scenario.Predict(r.Change(i, i.Done.Shift(by), 0))
	}
	end, ended := i.end()
	switch {
	case p.Race && !(ended && i.did(replay.DeleteAttachment)), !p.Ready.Known(), !i.Asis.Ready.Known(), same(p, i.Asis):
		i.conclude(r, out, p, 0)
	default:
		less := p.Less(i.Asis)
		if i.readyUnseen() {
			i.predicted(out, p)
			i.save(out, less, ended)
			break
		}
		i.predicted(out, replay.Prediction{Ready: replay.Span{Lo: end - less.Hi, Best: end - less.Best, Hi: end - less.Lo}, Typic: p.Typic})
		i.save(out, less, ended)
	}
	if left := p.Typic.Attached - p.Typic.Reported; out.Effect == shortens && !r.During && (p.Prevented || left < handover) {
		out.Effect, out.Why = prevents, join(out.Why, leftOver(p))
	}
}

// leftOver says what remains where a remedy prevents the wait: the move's other phases, which can take minutes.
func leftOver(p replay.Prediction) string {
	if p.Prevented {
		return "No Multi-Attach wait is left; the other phases still take their time."
	}
	return fmt.Sprintf("Less than %.0f s of the Multi-Attach wait are left, as in an ordinary hand-over; the other phases still take their time.", handover)
}

// handover is the longest ordinary move between two live nodes in the recordings, in seconds from the report to the attach.
const handover = 30.0

// recount compares what was really done with the model's prediction, and with the incident without it.
func (i *Incident) recount(r Remedy, out *model.Remediation, at float64) {
	before := i.model.Before(i.Scenario, i.Done, i.Case, i.Scenario.Time(at))
	p := before.Predict(i.Done)
	out.AppliedAt = instant(before, at)
	end, ended := i.end()
	without := i.Scenario.Predict(i.Done.Without(r.Acts...))
	switch {
	case !p.Ready.Known() && before.RaceLost:
		out.Effect, out.Why = none, join(out.Why, "It was done at "+clock(before.Time(at))+", and it was a race, since the old pod still counted as a user: the old node got the volume again.")
		return
	case !p.Ready.Known():
		out.Effect, out.Why = none, join(out.Why, "It was done at "+clock(before.Time(at))+". With it the wait does not end: "+p.Why+".")
		return
	case !without.Ready.Known():
		out.Effect, out.Why = shortens, join(out.Why, "Without it the wait would not have ended: "+without.Why+".")
	case same(without, i.Asis):
		out.Effect, out.SavedSeconds = none, &model.Range{}
		out.Why = join(out.Why, "Without it the wait would have gone the same way.")
	default:
		less := i.Asis.Less(without)
		i.save(out, less, ended)
	}
	i.predicted(out, p)
	if ended {
		out.Why = join(out.Why, fmt.Sprintf("It was done at %s, and the new pod was Ready %s later; the model, which knows of durations only those before it, says %s to %s.",
			clock(before.Time(at)), words.Whole(end-at), words.Whole(max(p.Ready.Lo-at, 0)), words.Whole(max(p.Ready.Hi-at, 0))))
	}
	if p.Race && ended {
		out.Why = join(out.Why, "It was a race, since the old pod still counted as a user: the new node got the volume.")
	}
}

// predicted writes down the end of a replay.
func (i *Incident) predicted(out *model.Remediation, p replay.Prediction) {
	m := i.Scenario.Moment(p.Ready)
	out.PredictedEnd = &m
	if p.Attach.Known() && p.Attach.Hi > 0 {
		attach := i.Scenario.Moment(p.Attach)
		out.PredictedAttach = &attach
	}
	out.PredictedPhases = i.Scenario.Phases(p.Typic, i.Case.Span.StartsAt)
}

// Given says that the end of the wait has no explanation and is assumed whatever is done; empty where the replay explains it.
func (i *Incident) Given() string {
	if !i.Asis.Given {
		return ""
	}
	return fmt.Sprintf("What freed the volume by %s is not in the bundle; it is assumed to come at the same time.", clock(i.Scenario.Time(i.Scenario.Freed)))
}

// noticeable is the least saving, in seconds, that is called one.
const noticeable = 5.0

// save writes down what a remedy saves: at most what its phases took, and of an open incident at most until the collection.
func (i *Incident) save(out *model.Remediation, by replay.Span, ended bool) {
	saved := model.Range{Best: tenth(by.Best), Min: tenth(by.Lo), Max: tenth(by.Hi)}
	most := tenth(i.most(out.Phases))
	saved.Max = min(saved.Max, most)
	saved.Best, saved.Min = min(saved.Best, saved.Max), min(saved.Min, saved.Max)
	switch {
	case !ended && !i.Asis.Ready.Known():
		out.Effect = shortens // from a wait without an end
		saved.Min, saved.Best, saved.Max = max(saved.Min, 0), max(saved.Best, 0), max(saved.Max, 0)
		if saved.Max <= 0 {
			out.Why = join(out.Why, "Without it the wait does not end; with it the new pod would have been Ready only after the collection.")
			return
		}
		out.Why = join(out.Why, "Without it the wait does not end; the saving is counted to the collection.")
	case saved.Min >= 0 && saved.Best >= noticeable:
		out.Effect = shortens
	case saved.Max <= 0 && saved.Best <= -noticeable:
		out.Effect = lengthens
		out.Why = join(out.Why, fmt.Sprintf("With it the new pod is Ready %s later.", words.Whole(-saved.Best)))
	default:
		out.Effect, out.Why = none, join(out.Why, unclearGain(saved))
	}
	out.SavedSeconds = &saved
}

// unclearGain says why a range is no saving: it reaches from sooner to later, or is too small.
func unclearGain(saved model.Range) string {
	switch {
	case math.Max(-saved.Min, saved.Max) < noticeable:
		return fmt.Sprintf("It makes a difference of less than %.0f s.", noticeable)
	case saved.Max <= 0:
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s later.", words.Whole(-saved.Min))
	case saved.Min >= 0:
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s sooner.", words.Whole(saved.Max))
	}
	return fmt.Sprintf("No clear gain: the new pod becomes Ready between %s sooner and %s later.", words.Whole(saved.Max), words.Whole(-saved.Min))
}

// same reports that two predictions came from replays that did not differ.
func same(a, b replay.Prediction) bool { return a.Ready == b.Ready && a.Why == b.Why }

// most is what the incident spent in some phases, in seconds, the most that can be saved there: no more than the whole.
func (i *Incident) most(ids []string) float64 {
	sum := 0.0
	for _, p := range i.Case.Phases {
		if slices.ContainsFunc(ids, func(id string) bool { return p.MayBe(model.PhaseID(id)) }) {
			sum += p.Seconds.Max
		}
	}
	return min(sum, i.Case.Span.Seconds.Max)
}

// phases are those of the incident that a remedy can shorten.
func (i *Incident) phases(r Remedy) []string {
	out := []string{}
	for _, p := range i.Case.Phases {
		for _, id := range r.Phases {
			if p.MayBe(id) && !slices.Contains(out, string(id)) {
				out = append(out, string(id))
			}
		}
	}
	return out
}

// instant is a time of the axis that the replay chose.
func instant(s *replay.Scenario, at float64) *model.Moment {
	m := s.Moment(replay.Span{Lo: at, Best: at, Hi: at})
	return &m
}

func race(p replay.Prediction, at float64) string {
	return fmt.Sprintf("A race: when the controller finds the volume detached, the old pod still counts as a user, so that both nodes want it. If the new node gets it, the new pod is Ready about %s after the deletion; "+
		"if the old node gets it, the same VolumeAttachment comes back and the wait goes on. Nothing decides which.", words.Whole(max(p.Ready.Best-at, 0)))
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

func tenth(s float64) float64 { return math.Round(s*10) / 10 }

func clock(t time.Time) string { return model.TimeOfDay(t) }

// rank orders remedies for a reader: those that help first, then by the risk for the data, then by what they save.
func rank(list []model.Remediation) {
	slices.SortStableFunc(list, func(a, b model.Remediation) int {
		return cmp.Or(cmp.Compare(helps(a), helps(b)), cmp.Compare(class(a), class(b)), -cmp.Compare(worth(a), worth(b)))
	})
}

func helps(r model.Remediation) int {
	switch r.Effect {
	case shortens, prevents:
		return 0
	case unclear:
		return 1
	case none:
		return 2
	case lengthens:
		return 3
	}
	return 4
}

// class is the place of the risk for the data among Risks; before them all for a remedy that does not apply.
func class(r model.Remediation) int { return slices.Index(Risks(), r.DataRisk) }

func worth(r model.Remediation) float64 {
	if r.SavedSeconds == nil {
		return 0
	}
	return r.SavedSeconds.Best
}

// The states of safety.
const (
	safe      = "safe"
	notProven = "not-proven"
	unsafe    = "unsafe"
)

// safety judges the conditions of a remedy: one that is not met makes it unsafe, one that is not known leaves it unproven.
func safety(i *Incident, r Remedy, l *evidence.Ledger) model.Safety {
	out := model.Safety{State: safe, Needs: []model.Need{}}
	if r.Needs == nil {
		return out
	}
	for _, n := range r.Needs(i, i.applied(r)) {
		need := model.Need{Text: n.Text, Met: map[model.Truth]string{model.True: "yes", model.False: "no", model.Unknown: "unknown"}[n.Met], Evidence: l.Observations(n.Witness)}
		switch {
		case n.Met == model.False:
			out.State = unsafe
		case n.Met == model.Unknown && out.State == safe:
			out.State = notProven
		}
		out.Needs = append(out.Needs, need)
	}
	return out
}

// applied is when a remedy has to be safe: when it was or would have been used; for an open incident, at the collection.
func (i *Incident) applied(r Remedy) float64 {
	if _, ended := i.end(); !ended && !math.IsInf(i.Scenario.Until, 1) {
		return i.Scenario.Until
	}
	if at, used := i.used(r); used {
		return at
	}
	if r.From == nil {
		return i.stuck() + i.reaction
	}
	return r.From(i) + i.reaction
}
