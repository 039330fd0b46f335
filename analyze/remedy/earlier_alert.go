package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// alertFor is how long, in seconds, an alert on the wait waits itself, so that ordinary handovers do not fire it.
const alertFor = 120.0

var earlierAlert = Remedy{
	ID: "earlier-alert", Title: "Alert when a pod waits for its volume for two minutes", Preventive: true, During: true,
	Doc: Doc{
		Does:    "Somebody is called two minutes after the wait began, and does after the usual reaction what was done in the incident, or, where nothing was done, the best of the remedies that are proven safe.",
		DoesNot: "It moves nothing by itself. Whether a rule over this cluster's metrics would have fired then is not looked up: it is assumed to, two minutes after the first report of Multi-Attach.",
		Risk:    "An alert that fires for every handover is switched off; the longest ordinary one in the recordings took 30 s.",
		References: []string{
			"kube-state-metrics: kube_pod_status_scheduled and kube_pod_container_status_waiting_reason", "kubernetes Event FailedAttachVolume, written once for each wait",
		},
	},
	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		if end := i.Case.Ended(); end.Known() && i.of(end.At) < i.Scenario.Reported+alertFor {
			return misfit("The wait was over before an alert would have fired.")
		}
		r, used, ok := i.sooner()
		switch {
		case !ok && i.Misfit() != "":
			return undecidable("Withheld: " + i.Misfit())
		case !ok:
			return undecidable("An alert moves nothing, and nothing was done here, or is proven safe to do, that it could have brought forward.")
		case used:
			at, _ := r.Used(i)
			if at <= i.alerted() {
				return noEffect(fmt.Sprintf("What was done here (%s) was done before an alert and the reaction to it would have come.", r.ID))
			}
			return fits(fmt.Sprintf("%s, as it was done at %s, but %s after the wait began: an alert after %s, and the reaction.", r.ID, clock(i.Scenario.Time(at)), lasting(alertFor+i.reaction), lasting(alertFor)))
		}
		return fits(fmt.Sprintf("%s, %s after the wait began: an alert after %s, and the reaction.", r.ID, lasting(alertFor+i.reaction), lasting(alertFor)))
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		r, _, ok := i.sooner()
		if !ok {
			return p
		}
		return r.Change(i, p.Without(r.Acts...), i.alerted())
	},
	Needs: func(i *Incident, at float64) []Need {
		if r, _, ok := i.sooner(); ok && r.Needs != nil {
			return r.Needs(i, at)
		}
		return nil
	},
}

// alerted is when somebody acts on an alert, in seconds of the scenario.
func (i *Incident) alerted() float64 { return i.Scenario.Reported + alertFor + i.reaction }

// sooner is what an alert would have brought forward: the first remedy that was used, else the best one that is safe.
func (i *Incident) sooner() (r Remedy, used, ok bool) {
	first, best := math.Inf(1), 0.0
	for _, done := range i.all {
		if at, yes := i.used(done); yes && at < first && done.Change != nil {
			r, used, ok, first = done, true, true, at
		}
	}
	if ok {
		return r, used, ok
	}
	for n, j := range i.judged {
		if j.Kind == "reactive" && j.Effect == shortens && j.Safety.State == safe && j.SavedSeconds != nil && i.all[n].Change != nil && (!ok || j.SavedSeconds.Best > best) {
			r, ok, best = i.all[n], true, j.SavedSeconds.Best
		}
	}
	return r, false, ok
}
