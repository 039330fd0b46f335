package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// predicted writes down the end of a replay.
func (i *Incident) predicted(out *model.Remediation, p replay.Prediction) {
	out.PredictedEnd = new(i.Scenario.Moment(p.Ready))
	if p.Attach.Known() && p.Attach.Max > 0 {
		out.PredictedAttach = new(i.Scenario.Moment(p.Attach))
	}
	out.PredictedPhases = i.Scenario.Phases(p.Typic, i.Case.Span.StartsAt)
}

// rewritesPast reports whether the phases of a replay save time of one that was over before the act: then the replay has another past than
// the incident, and its phases are withheld.
func (i *Incident) rewritesPast(out *model.Remediation) bool {
	spent := func(list []model.Phase, id model.PhaseID) (sum float64) {
		for _, p := range list {
			if p.ID == id {
				sum += p.Seconds.Best
			}
		}
		return sum
	}
	return out.AppliedAt != nil && slices.ContainsFunc(i.Case.Phases, func(p model.Phase) bool {
		over := p.To.Latest.Before(out.AppliedAt.Earliest)
		return over && spent(i.Case.Phases, p.ID)-spent(out.PredictedPhases, p.ID) > Noticeable
	})
}

// Noticeable is the least saving, in seconds, that is called one.
const Noticeable = 5.0

// save writes down what a remedy saves: at most what its phases took, and of an open incident at most until the collection.
func (i *Incident) save(out *model.Remediation, by model.Range, ended bool) {
	saved := *Tenths(by)
	most := tenth(i.most(out.Phases))
	saved.Max = min(saved.Max, most)
	saved.Best = min(saved.Best, saved.Max)
	if span := i.Case.Span.Seconds.Best; ended && span > 0 { // it may end at the attach, before the containers start
		saved.Best = min(saved.Best, tenth(span))
	}
	saved.Min = min(saved.Min, saved.Best)
	switch {
	case !ended && !i.Asis.Ready.Known():
		out.Effect = model.EffectShortens // from a wait without an end
		saved.Min, saved.Best, saved.Max = max(saved.Min, 0), max(saved.Best, 0), max(saved.Max, 0)
		if saved.Max <= 0 {
			out.Why = join(out.Why, "Without it the wait does not end.")
			return
		}
		out.Why = join(out.Why, "Without it the wait does not end; the saving is counted to the collection.")
	case saved.Min >= 0 && saved.Best >= Noticeable:
		out.Effect = model.EffectShortens
	case saved.Max <= 0 && saved.Best <= -Noticeable:
		out.Effect = model.EffectLengthens
		out.Why = join(out.Why, fmt.Sprintf("With it the new pod is Ready %s later.", words.Whole(-saved.Best)))
	default:
		out.Effect, out.Why = model.EffectNone, join(out.Why, unclearGain(saved))
	}
	out.SavedSeconds = &saved
}

// unclearGain says why a range is no saving: it reaches from sooner to later, or is too small.
func unclearGain(saved model.Range) string {
	if max(-saved.Min, saved.Max) < Noticeable {
		return fmt.Sprintf("It makes a difference of less than %.0f s.", Noticeable)
	}
	if saved.Max <= 0 {
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s later.", words.Whole(-saved.Min))
	}
	if saved.Min >= 0 {
		return fmt.Sprintf("No clear gain: the new pod becomes Ready up to %s sooner.", words.Whole(saved.Max))
	}
	return "No clear gain: the new pod becomes Ready between " + words.Whole(saved.Max) + " sooner and " + words.Whole(-saved.Min) + " later."
}

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

// Tenths is a range in whole tenths of a second.
func Tenths(r model.Range) *model.Range {
	return &model.Range{Best: tenth(r.Best), Min: tenth(r.Min), Max: tenth(r.Max)}
}

// At is a time of the axis that the replay chose.
func (i *Incident) At(at float64) *model.Moment { return instant(i.Scenario, at) }

func instant(s *replay.Scenario, at float64) *model.Moment {
	return new(s.Moment(model.Range{Min: at, Best: at, Max: at}))
}

func tenth(s float64) float64 { return math.Round(s*10) / 10 }

// Risks are the classes of model.Remediation.DataRisk, from the least on.
func Risks() []string {
	return []string{model.RiskNone, model.RiskOnceProven, model.RiskPossible, model.RiskCertain}
}

// dataRisk follows from the conditions of safety. It is certain only where the evidence itself shows the second writer.
func (i *Incident) dataRisk(r Remedy, s model.Safety) string {
	if s.State == model.Safe {
		return model.RiskNone
	}
	if s.State == model.NotProven {
		return model.RiskOnceProven
	}
	if r.Forces && i.runs(i.applied(r)) && i.mounted() {
		return model.RiskCertain
	}
	return model.RiskPossible
}

// alive is how long, in seconds, a sign of life of a kubelet counts: the duration of its Lease.
const alive = 40.0

// runs reports that the old node's machine is seen to run at a time, or to have run from before it until after it.
func (i *Incident) runs(at float64) bool {
	m := i.known()
	if len(m.ranOn) > 0 || m.cloud != nil {
		return true
	}
	return slices.ContainsFunc(m.alive, func(o *model.Observation) bool { return i.of(o.Last.At) >= at-alive })
}

// mounted reports that the volume is seen on the old node: in volumesInUse, in a mount table, or by a running pod.
func (i *Incident) mounted() bool {
	return i.Case.InUse() != nil || len(i.Case.Mounts()) > 0 || i.Case.OldPodRuns()
}

// always are side effects of every incident, or none; $old is its node.
func always(texts ...string) func(*Incident) []string {
	return func(i *Incident) []string { return facts.Each(texts, i.named) }
}

// named is a text with the names of the incident.
func (i *Incident) named(text string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	return strings.NewReplacer("$old", i.oldNode(), "$twice", i.twice()).Replace(text)
}

// oldNode names the node of the volume in a side effect.
func (i *Incident) oldNode() string { return cmp.Or(i.Case.From, "the old node") }

// workload names what serves with the volume.
func (i *Incident) workload() string {
	if i.Case.Workload == nil && len(i.Case.OldPods) == 0 {
		return "the workload"
	}
	if i.Case.Workload == nil {
		return i.Case.OldPods[0].String()
	}
	return i.Case.Workload.String()
}

// stops is the side effect of every remedy that ends a pod which runs.
func (i *Incident) stops() string {
	return "the service of " + i.workload() + " stops until the new pod has become Ready"
}

// rollsOut is the side effect of a change of the pod template.
const rollsOut = "a change of the pod template replaces every pod of the workload once"

// twice is what a forced deletion risks beyond the volume.
func (i *Incident) twice() string {
	if i.Case.Workload != nil && i.Case.Workload.Kind == "StatefulSet" {
		return fmt.Sprintf("two pods of a StatefulSet with one name may run at once if %s is only cut off", i.oldNode())
	}
	return fmt.Sprintf("the old pod's containers may run on, unseen by Kubernetes, if %s is only cut off", i.oldNode())
}

// losesVolume is what the old node's processes see of a detach.
const losesVolume = "a container that still runs on $old loses its volume under it"

// answered are the side effects of an alert: those of what is done in answer to it.
func (i *Incident) answered() []string {
	const called = "pages people for waits that end by themselves, too"
	if r, _, ok := i.sooner(); ok {
		return append(r.SideEffects(i), called)
	}
	return []string{called}
}

// places are the effects of remedies in the order of a reader's interest.
var places = map[string]int{model.EffectShortens: 0, model.EffectPrevents: 0, model.EffectUndecidable: 1,
	model.EffectNone: 2, model.EffectLengthens: 3, model.EffectNotApplicable: 4}

// rank orders remedies for a reader: by their effect, by the risk for the data (none where they do not apply), by what they save.
func rank(list []model.Remediation) {
	class := func(r model.Remediation) int { return slices.Index(Risks(), r.DataRisk) }
	slices.SortStableFunc(list, func(a, b model.Remediation) int {
		return cmp.Or(cmp.Compare(places[a.Effect], places[b.Effect]), cmp.Compare(class(a), class(b)), cmp.Compare(worth(b), worth(a)))
	})
}

func worth(r model.Remediation) float64 { return cmp.Or(r.SavedSeconds, &model.Range{}).Best }

// met is what the evidence says of a need, in the report's words.
var met = map[model.Truth]string{model.True: model.Yes, model.False: model.No, model.Unknown: model.NotKnown}

// safety judges the conditions of a remedy: one that is not met makes it unsafe, one that is not known leaves it unproven.
func safety(i *Incident, r Remedy, l *evidence.Ledger) model.Safety {
	out := model.Safety{State: model.Safe, Needs: []model.Need{}}
	if r.Needs == nil {
		return out
	}
	for _, n := range r.Needs(i, i.applied(r)) {
		need := model.Need{Text: n.Text, Met: met[n.Met], Evidence: l.Observations(n.Witness)}
		if n.Met == model.False {
			out.State = model.Unsafe
		} else if n.Met == model.Unknown && out.State == model.Safe {
			out.State = model.NotProven
		}
		out.Needs = append(out.Needs, need)
	}
	return out
}

// applied is when a remedy has to be safe: when it was or would have been used; for an open incident, at the collection.
func (i *Incident) applied(r Remedy) float64 {
	if _, ended := i.End(); !ended && !math.IsInf(i.Scenario.Until, 1) {
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
