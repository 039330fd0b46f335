package analyze

import (
	"cmp"
	"fmt"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func governed(parameter, value string, basis model.Basis) *model.Governor {
	return &model.Governor{Parameter: parameter, Value: value, Basis: basis}
}

// governor is the parameter that sets how long a phase takes, with its value and how that is known.
func governor(c *wait.Case, p model.Phase) *model.Governor {
	switch p.ID {
	case model.PhaseDetection:
		return detectionGovernor(c)
	case model.PhaseEviction:
		return evictionGovernor(c, p)
	case model.PhaseReplacement:
		return replacementGovernor(c)
	case model.PhaseRelease:
		return releaseGovernor(c, p)
	case model.PhaseUnmountWait:
		return unmountGovernor(c, p)
	case model.PhaseDetach:
		if waitsForSync(c, p) {
			return syncGovernor(c)
		}
		if late := c.LateTry(p.From.At, p.To.At); late != nil {
			return governed("the external-attacher", "it tried first at "+model.TimeOfDay(late.At.At), model.Observed)
		}
		return callGovernor(c, p, "ControllerUnpublishVolume", c.DetachErrors)
	case model.PhaseAttach:
		return callGovernor(c, p, "ControllerPublishVolume", c.AttachErrors())
	case model.PhaseMount:
		if told := c.AttachSeen(); told != nil && len(c.AttachErrors()) > 0 && told.At.At.Sub(c.Attached.At) > noticed {
			return governed("back-off of the attach/detach controller between tries",
				"up to 2 min 2 s: it saw the attach at "+model.TimeOfDay(told.At.At)+", and the kubelet mounts then", model.Observed)
		}
		return governed("the kubelet's mount and the start of the containers", "as observed", model.Observed)
	}
	return nil
}

// waitsForSync reports that the controller noticed a detach late: a deleted attachment is gone within seconds and found by the next sync.
func waitsForSync(c *wait.Case, p model.Phase) bool {
	for n, l := range c.Lives {
		if !l.DeletionRequested.Known() || !l.DeletionRequested.At.Equal(p.From.At) || !l.Gone.Known() {
			continue
		}
		next := c.NewAttachment
		if n < len(c.Lives)-1 {
			next = c.Lives[n+1].Created
		}
		return next.Known() && next.At.Sub(l.Gone.At) > noticed
	}
	return false
}

// callGovernor is what sets the length of a phase of calls of the driver: the call or, where it failed and was repeated, the pauses between
// the tries. The external-attacher waits 1 s after the first failure and up to 5 min later (2.2.1–4.13.0), the attach/detach controller
// 0.5 s and up to 2m2s (goroutinemap/exponentialbackoff, 1.13–1.36).
func callGovernor(c *wait.Case, p model.Phase, call string, errors []*model.Observation) *model.Governor {
	failed := 0
	for _, o := range errors {
		if !o.Last.At.Before(p.From.At) && !o.At.At.After(p.To.At) {
			failed += max(o.Count, 1)
		}
	}
	if failed == 0 || p.Seconds.Best < retryPause.Seconds() {
		return governed(call+" of "+cmp.Or(c.Volume.Driver, "the driver"), "as observed", model.Observed)
	}
	seen := "one failure"
	if failed > 1 {
		seen = fmt.Sprintf("%d failures", failed)
	}
	return governed("back-off of external-attacher and controller between tries",
		"up to 5 min and 2 min 2 s; "+seen+" in the records", model.Derived)
}

// retryPause is the shortest pause that the external-attacher makes after a failure.
const retryPause = time.Second

// noticed is how soon the controller knows of the end of a detach of its own (csi_attacher polls every 0.5 s to 7 s).
const noticed = 5 * time.Second

// syncGovernor is the period after which the controller notices that an attachment has gone.
func syncGovernor(c *wait.Case) *model.Governor {
	const period = model.SyncPeriod
	if value, flag := c.World.Flag(facts.ControllerManager, "--"+period); flag != nil {
		return governed(period, value, wait.FlagBasis(flag))
	}
	return governed(period, upstream.AttachSyncPeriod.String(), model.Assumed)
}

func detectionGovernor(c *wait.Case) *model.Governor {
	const period = "node-monitor-grace-period"
	if value, flag := c.World.Flag(facts.ControllerManager, upstream.GraceFlag); flag != nil {
		return governed(period, value, wait.FlagBasis(flag))
	}
	if d, ok := upstream.DefaultGrace(c.World.Version); ok {
		return governed(period, words.Duration(d)+" is the default of "+c.World.Version.String(), model.Assumed)
	}
	return governed(period, "not known", model.Assumed)
}

// evictionGovernor reads the toleration from the old pod or its replacement. A pod that ended long before its toleration was not evicted.
func evictionGovernor(c *wait.Case, p model.Phase) *model.Governor {
	if c.OldPodFinished.Known() && !c.OldPodFinished.At.After(p.To.At.Add(time.Second)) {
		return governed("the old pod", "finished by itself, without an eviction", c.OldPodFinished.Basis)
	}
	if !c.DeletionRequested.Known() || c.DeletionRequested.At.After(p.To.At.Add(time.Second)) {
		return nil
	}
	const toleration = "tolerationSeconds of " + upstream.UnreachableTaint
	if evicted := c.EvictedByTaint(); evicted != nil {
		return governed(upstream.OutOfServiceTaint, "it evicts at once, no toleration is waited for", model.Derived)
	}
	if d, basis, _ := c.Toleration(); basis != "" {
		return governed(toleration, fmt.Sprintf("%d s", int(d.Seconds())), basis)
	}
	if value, flag := c.World.Flag(facts.APIServer, "--default-unreachable-toleration-seconds"); flag != nil {
		return governed(toleration, words.Spelled(value+"s")+" by the API server's default", model.Derived)
	}
	return governed(toleration, "5 min by default", model.Assumed)
}

func replacementGovernor(c *wait.Case) *model.Governor {
	if c.Workload != nil && c.Workload.Kind == "StatefulSet" {
		return governed("StatefulSet", "creates the pod only when the old object is gone", model.Derived)
	}
	return governed("workload controller", "creates the replacement at the deletion", model.Derived)
}

func releaseGovernor(c *wait.Case, p model.Phase) *model.Governor {
	if c.DeletedByOther() != nil {
		return governed("deletion of the VolumeAttachment", "by another actor than the attach/detach controller", model.Derived)
	}
	vague := c.Released.Latest.Sub(c.Released.Earliest).Seconds() > graceSlack
	if !c.Released.Known() {
		vague = c.DetachRequested.Known()
	}
	if vague {
		return governed("end of the old pod and its unmount", "not told apart by the evidence", model.Derived)
	}
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if ok && pod.Value().DeletionGracePeriodSeconds != nil && p.Seconds.Best <= float64(*pod.Value().DeletionGracePeriodSeconds)+graceSlack {
			return governed("terminationGracePeriodSeconds", fmt.Sprintf("%d s", *pod.Value().DeletionGracePeriodSeconds), model.Observed)
		}
	}
	return governed("the old pod object", "until it is gone or its containers are reported as stopped", model.Derived)
}

// graceSlack is how much longer than its grace period, in seconds, an orderly end takes: containers are killed, the kubelet reports.
const graceSlack = 15.0

// unmountGovernor: a healthy node reports an unmount within 10 s; else only the timer helps, on a node that is not Ready.
func unmountGovernor(c *wait.Case, p model.Phase) *model.Governor {
	const report = "the node's report of the unmount"
	timer := c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True
	lost := (c.NotReady.Known() || c.NodeGone.Known()) && !c.BackReady.Known()
	switch trouble := c.UnmountTrouble(); {
	case timer:
		return governed("maxWaitForUnmountDuration", upstream.MaxWaitForUnmount.String(), model.Observed)
	case c.OutOfService.Known() && c.DetachRequested.Known():
		return governed(upstream.OutOfServiceTaint, "the controller does not wait for an unmount", model.Derived)
	case len(trouble) > 0 && p.Seconds.Best > slowReport:
		until := "until it succeeds"
		if _, words := c.HeldMount(); words != "" {
			until = "until what holds the mount lets go: " + words
		}
		return governed("the kubelet's retries of an unmount that fails", "up to 2 min 2 s apart, "+until, model.Observed)
	case lost && c.DeletedByOther() == nil:
		return governed("maxWaitForUnmountDuration",
			words.Duration(upstream.MaxWaitForUnmount)+": the node is not Ready and reports nothing", model.Derived)
	case p.Seconds.Best > slowReport:
		return governed(report, "late, and the bundle does not tell why", model.Derived)
	}
	return governed(report, "every 10 s on a healthy node", model.Assumed)
}

// slowReport is how long a healthy node takes at most for an unmount and its report, in seconds: the recordings show up to 13.
const slowReport = 30.0
