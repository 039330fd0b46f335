package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/model"
)

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

// always are side effects that no incident changes, or none.
func always(texts ...string) func(*Incident) []string {
	return func(*Incident) []string { return texts }
}

// oldNode names the node of the volume in a side effect.
func (i *Incident) oldNode() string {
	if i.Case.From == "" {
		return "the old node"
	}
	return i.Case.From
}

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
func (i *Incident) losesVolume() string {
	return "a container that still runs on " + i.oldNode() + " loses its volume under it"
}

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
