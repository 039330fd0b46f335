package remedy

import (
	"fmt"
	"math"
	"time"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var controllerHA = Remedy{
	ID: "controller-ha", Title: "Run several replicas of the kube-controller-manager", Preventive: true,
	References: []string{
		"kube-controller-manager: --leader-elect-lease-duration 15s, --leader-elect-renew-deadline 10s, --leader-elect-retry-period 2s",
		"attach/detach controller, cache: detachRequestedTime is not persisted (1.13–1.36)",
	},
	SideEffects: always("leases that are set very short change leaders without need, and each change starts the timers again"),

	Phases: []model.PhaseID{model.PhaseUnmountWait},
	Fit: func(i *Incident) Fit {
		s := i.Scenario
		if len(s.Leaders) == 0 {
			return misfit("The controller's leader is not seen to have changed while the volume waited.")
		}
		at := clock(s.Time(s.Leaders[len(s.Leaders)-1].Taken))
		kept := i.Done
		kept.Set.KeepTimer = true
		p := s.Predict(kept)
		ends := p.Ready.Known() && i.Asis.Ready.Known()
		if !ends || same(p, i.Asis) || i.Misfit() != "" {
			return noEffect(fmt.Sprintf("A new leader took over at %s; more replicas do not keep the timer of six minutes.", at))
		}
		cost := math.Max(p.Less(i.Asis).Best, 0)
		return noEffect(fmt.Sprintf("The change of leader at %s cost about %s, since the six minutes began again. "+
			"More replicas make the change shorter and do not keep the timer.", at, words.Whole(cost)))
	},
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p },
	Steps: steps(prove("see how often the leader has changed, and how long a lease lasts",
		"kubectl get lease -n kube-system kube-controller-manager -o yaml"),
		act("run several replicas of the kube-controller-manager")),
}

var disableForceDetach = Remedy{
	ID: "disable-force-detach", Title: "Never detach by force on the timeout (" + upstream.DisableForceDetachFlag + ")", Preventive: true,
	References:  []string{"kubernetes PR 120344 (1.30, off by default)", "recording: still attached 9 min after the pod's forced deletion"},
	SideEffects: always("the volume of a lost node stays there, and its application waits, until somebody acts"),

	Phases:     []model.PhaseID{model.PhaseUnmountWait},
	Kubernetes: "1.30 and later",
	Fit: func(i *Incident) Fit {
		v := i.version()
		return first([]when{
			{!i.Scenario.ForceDetach, noEffect("It is set already.")},
			{!v.Known(), undecidable("The version of Kubernetes is not known; the flag exists since 1.30.")},
			{!upstream.HasDisableForceDetach(v), misfit(fmt.Sprintf("Kubernetes %s does not have the flag.", v))},
			{i.Asis.Given, undecidable(i.Given() + " Nothing shows whether the controller did it by force.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.NoForcedDetach = true }),
	Steps:  steps(act("give kube-controller-manager the argument " + upstream.DisableForceDetachFlag + "=true")),
}

// upgraded is the newest version whose behaviour the model knows.
var upgraded = upstream.Version{Minor: 36}

var upgradeKubernetes = Remedy{
	ID: "upgrade-kubernetes", Title: "Upgrade Kubernetes to 1.36", Preventive: true,
	References: []string{
		"kubernetes PR 110721 (1.24.9, 1.25.0), PR 120595 (1.26.10, 1.27.7, 1.28.3, 1.29.0), KEP-2268 (1.26), CHANGELOG 126287 (1.32)",
		"kubernetes issue 86281 (repaired in 1.17.3), PR 117752 (1.27.2)"},
	SideEffects: always("nodes are drained and controllers restart, as at any upgrade"),

	Phases: []model.PhaseID{model.PhaseEviction, model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling,
		model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		v := i.version()
		switch {
		case !v.Known():
			return undecidable("The version of Kubernetes is not known.")
		case i.HasCause(model.CauseControllerBug):
			return undecidable("A known error of this version, which an upgrade repairs, was at work; the model cannot replay without it.")
		case v.AtLeast(upgraded.Minor, 0):
			return misfit(fmt.Sprintf("Kubernetes %s runs already.", v))
		case len(i.Case.DetachAnswers()) > 0 && !upstream.SecondAttachmentAfterFailedDetach(v):
			return undecidable("Since 1.29 Kubernetes attaches to the new node after a failed detach; whether the storage allows that is not known.")
		}
		if at, ok := i.taintable(); ok {
			return fits("With it the taint takes the place of what was done at " + i.clock(at) + ".")
		}
		return fits("")
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		p.Set.AsksHealth, p.Set.OutOfService = true, true
		if at, ok := i.taintable(); ok {
			p = p.Until(at - instantBefore).With(replay.Act{Kind: replay.TaintOutOfService, At: at})
		}
		return p
	},
	Steps: steps(prove("see which version runs", "kubectl version"), act("upgrade the control plane to a version without the error")),
}

// taintable is when somebody took the volume by force from a lost node of a version without the out-of-service taint, for want of it.
func (i *Incident) taintable() (float64, bool) {
	at := min(i.done(replay.ForceDeletePod), i.done(replay.DeleteNode), i.done(replay.DeleteAttachment))
	return at, i.Lost() && i.untaintable() && !math.IsInf(at, 1)
}

// Alarm is when the first recommended alert would have fired for an incident, by the back-test. The zero Alarm is none.
type Alarm struct {
	Tested   bool   // rules were run over the time of the incident; otherwise nothing is known
	Rule     string // "" when none fired
	At       time.Time
	Recorded bool     // by the cluster's own metrics, not by series made of the timeline
	Evidence []string // the samples
}

// alertFor is how long, in seconds, an alert on the wait waits where no rule could be run: ordinary handovers do not fire it.
const alertFor = 120.0

var earlierAlert = Remedy{
	ID: "earlier-alert", Title: "Alert with the recommended rules", Preventive: true, During: true,
	References: []string{"volpost alerts prints the rules; docs/alerts.md says when each fired in the recordings",
		"kubernetes Event FailedAttachVolume, written once for each wait"},
	SideEffects: (*Incident).answered,

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach,
		model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		if i.Alarm.Tested && i.Alarm.Rule == "" {
			return misfit("None of the recommended alerts would have fired while the wait lasted.")
		}
		if end := i.Case.Ended(); end.Known() && i.of(end.At) < i.alarm() {
			return misfit("The wait was over before an alert would have fired.")
		}
		r, used, ok := i.sooner()
		if !ok && i.Misfit() != "" {
			return undecidable("Withheld: " + i.Misfit())
		}
		if !ok {
			return undecidable("No recorded act could have come sooner, and no remedy without a data risk would have shortened the wait.")
		}
		if used {
			at, _ := i.used(r)
			if at <= i.called(r)+Noticeable {
				return noEffect(fmt.Sprintf("%s What was done here (%s) came before an alert would have helped.", i.alarmText(), r.ID))
			}
			return fits(fmt.Sprintf("%s %s %s comes at %s and not at %s, as it was done.",
				i.alarmText(), i.then(), r.ID, i.clock(i.called(r)), i.clock(at)))
		}
		return fits(fmt.Sprintf("%s %s %s comes at %s.", i.alarmText(), i.then(), r.ID, i.clock(i.called(r))))
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		if r, _, ok := i.sooner(); ok {
			return r.Change(i, p.Without(r.Acts...), i.called(r))
		}
		return p
	},
	Cites: func(i *Incident) []string { return i.Alarm.Evidence },
	Needs: func(i *Incident, at float64) []Need {
		if r, _, ok := i.sooner(); ok && r.Needs != nil {
			return r.Needs(i, at)
		}
		return nil
	},
}

// alarm is when an alert would have called a person, in seconds of the scenario.
func (i *Incident) alarm() float64 {
	if i.Alarm.Rule != "" {
		return i.of(i.Alarm.At)
	}
	return i.Scenario.Reported + alertFor
}

// called is when a person who was alerted would have acted: after the reaction, and not before something justifies it.
func (i *Incident) called(r Remedy) float64 {
	at := i.alarm() + i.reaction
	if from := r.From(i); !math.IsNaN(from) && !math.IsInf(from, 0) {
		return max(at, from)
	}
	return at
}

// then introduces what a person does who was called; a reaction is named.
func (i *Incident) then() string {
	if i.reaction > 0 {
		return "With a reaction of " + words.Whole(i.reaction) + ","
	}
	return "Then"
}

// alarmText says when the alert would have fired, and how that is known.
func (i *Incident) alarmText() string {
	if i.Alarm.Rule == "" {
		return fmt.Sprintf("No rule could be run; an alert is assumed to fire %s after the wait began.", words.Whole(alertFor))
	}
	when, by := "before", "by what kube-state-metrics would have reported of the timeline"
	if i.Alarm.Recorded {
		by = "by the metrics of the bundle"
	}
	away := i.Scenario.Reported - i.alarm()
	if away < 0 {
		when, away = "after", -away
	}
	return fmt.Sprintf("%s would have fired at %s, %s %s the wait began, %s.", i.Alarm.Rule, clock(i.Alarm.At), words.Whole(away), when, by)
}

// sooner is what an alert would have brought forward: the first remedy that was used, else the best one without a risk for the data.
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
		harmless := j.Kind == model.Reactive && j.Safety.State == model.Safe
		if !harmless || j.Effect != model.EffectShortens || i.all[n].Change == nil {
			continue
		}
		if saved := j.SavedSeconds; saved != nil && (!ok || saved.Best > best) {
			r, ok, best = i.all[n], true, saved.Best
		}
	}
	return r, false, ok
}
