package remedy

import (
	"fmt"
	"math"

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
		"kubectl", "get", "lease", "-n", "kube-system", "kube-controller-manager", "-o", "yaml"),
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
		switch {
		case !i.Scenario.ForceDetach:
			return noEffect("It is set already.")
		case !v.Known():
			return undecidable("The version of Kubernetes is not known; the flag exists since 1.30.")
		case !upstream.HasDisableForceDetach(v):
			return misfit(fmt.Sprintf("Kubernetes %s does not have the flag.", v))
		case i.Asis.Given:
			return undecidable(i.Given() + " Nothing shows whether the controller did it by force.")
		}
		return fits("")
	},
	Change: setting(func(s *replay.Settings) { s.NoForcedDetach = true }),
	Steps:  steps(act("give kube-controller-manager the argument " + upstream.DisableForceDetachFlag + "=true")),
}

// upgraded is the newest version whose behaviour the model knows.
var upgraded = upstream.Version{Minor: 36}

var upgradeKubernetes = Remedy{
	ID: "upgrade-kubernetes", Title: "Upgrade Kubernetes to " + "1.36", Preventive: true,
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
	Steps: steps(prove("see which version runs", "kubectl", "version"), act("upgrade the control plane to a version without the error")),
}

// taintable is when somebody took the volume by force from a lost node of a version without the out-of-service taint, for want of it.
func (i *Incident) taintable() (float64, bool) {
	at := min(i.done(replay.ForceDeletePod), i.done(replay.DeleteNode), i.done(replay.DeleteAttachment))
	return at, i.Lost() && i.untaintable() && !math.IsInf(at, 1)
}
