package remedy

import (
	"fmt"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var controllerHA = Remedy{
	ID: "controller-ha", Title: "Run several replicas of the kube-controller-manager", Preventive: true,
	Doc: Doc{
		Does:    "When the leader goes away another one takes over within the lease of 15 s and a retry of 2 s: 16.7 to 19.4 s in the recordings.",
		DoesNot: "It does not keep the six minutes. Their timer lives in the memory of the leader, and the next one counts from its own beginning.",
		Risk:    "Leases that are set very short change leaders without need, and each change starts the timers again.",
		References: []string{
			"kube-controller-manager: --leader-elect-lease-duration 15s, --leader-elect-renew-deadline 10s, --leader-elect-retry-period 2s",
			"attach/detach controller, cache: detachRequestedTime is not persisted (1.13–1.36)",
		},
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
		if !p.Ready.Known() || !i.Asis.Ready.Known() || same(p, i.Asis) || i.Misfit() != "" {
			return noEffect(fmt.Sprintf("A new leader took over at %s; more replicas do not keep the timer of six minutes.", at))
		}
		cost := math.Max(p.Less(i.Asis).Best, 0)
		return noEffect(fmt.Sprintf("The change of leader at %s cost about %s, since the six minutes began again. More replicas make the change shorter and do not keep the timer.", at, words.Whole(cost)))
	},
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p },
	Steps: steps(
		prove("see how often the leader has changed, and how long a lease lasts", "kubectl", "get", "lease", "-n", "kube-system", "kube-controller-manager", "-o", "yaml"),
		act("run several replicas of the kube-controller-manager"),
	),
}
