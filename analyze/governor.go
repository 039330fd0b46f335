package analyze

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// governor is the parameter that sets how long a phase takes, with its value and how that is known.
func governor(c *reconstruct.Case, p model.Phase) *model.Governor {
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
			return &model.Governor{Parameter: "the external-attacher", Value: "it tried first at " + model.TimeOfDay(late.At.At), Basis: model.Observed}
		}
		if g := retryGovernor(p, c.DetachErrors); g != nil {
			return g
		}
		return &model.Governor{Parameter: "ControllerUnpublishVolume of " + cmp.Or(c.Volume.Driver, "the driver"), Value: "as observed", Basis: model.Observed}
	case model.PhaseAttach:
		if g := retryGovernor(p, c.AttachErrors()); g != nil {
			return g
		}
		return &model.Governor{Parameter: "ControllerPublishVolume of " + cmp.Or(c.Volume.Driver, "the driver"), Value: "as observed", Basis: model.Observed}
	case model.PhaseMount:
		return &model.Governor{Parameter: "the kubelet's mount and the start of the containers", Value: "as observed", Basis: model.Observed}
	}
	return nil
}

// waitsForSync reports that the controller noticed a detach late: a deleted attachment is gone within seconds and found by the next sync.
func waitsForSync(c *reconstruct.Case, p model.Phase) bool {
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

// retryGovernor is what sets the length of a phase in which a call failed and was repeated: not the call, but the pauses between the
// tries. The external-attacher waits 1 s after the first failure and up to 5 min later (2.2.1–4.13.0), the attach/detach controller
// 0.5 s and up to 2m2s (goroutinemap/exponentialbackoff, 1.13–1.36). Nil when no call failed in the phase.
func retryGovernor(p model.Phase, errors []*model.Observation) *model.Governor {
	failed := 0
	for _, o := range errors {
		if !o.Last.At.Before(p.From.At) && !o.At.At.After(p.To.At) {
			failed += max(o.Count, 1)
		}
	}
	if failed == 0 || p.Seconds.Best < retryPause.Seconds() {
		return nil
	}
	return &model.Governor{
		Parameter: "back-off of external-attacher and controller between tries", Value: "up to 5 min and 2 min 2 s; " + failuresSeen(failed), Basis: model.Derived,
	}
}

// retryPause is the shortest pause that the external-attacher makes after a failure.
const retryPause = time.Second

func failuresSeen(n int) string {
	if n == 1 {
		return "one failure in the records"
	}
	return strconv.Itoa(n) + " failures in the records"
}

// noticed is how soon the controller knows of the end of a detach of its own (csi_attacher polls every 0.5 s to 7 s).
const noticed = 5 * time.Second

// syncGovernor is the period after which the controller notices that an attachment has gone.
func syncGovernor(c *reconstruct.Case) *model.Governor {
	g := &model.Governor{Parameter: "attach-detach-reconcile-sync-period", Value: upstream.AttachSyncPeriod.String(), Basis: model.Assumed}
	if value, flag := c.World.Flag(reconstruct.ControllerManager, "--"+g.Parameter); flag != nil {
		g.Value, g.Basis = value, reconstruct.FlagBasis(flag)
	}
	return g
}

func detectionGovernor(c *reconstruct.Case) *model.Governor {
	if flag, value := reconstruct.Flag(c.World, upstream.GraceFlag); flag != nil {
		return &model.Governor{Parameter: "node-monitor-grace-period", Value: value, Basis: reconstruct.FlagBasis(flag)}
	}
	if d, ok := upstream.DefaultGrace(c.World.Version); ok {
		return &model.Governor{Parameter: "node-monitor-grace-period", Value: words.Duration(d) + " is the default of " + c.World.Version.String(), Basis: model.Assumed}
	}
	return &model.Governor{Parameter: "node-monitor-grace-period", Value: "not known", Basis: model.Assumed}
}

// evictionGovernor reads the toleration from the old pod or its replacement. A pod that ended long before its toleration was not evicted.
func evictionGovernor(c *reconstruct.Case, p model.Phase) *model.Governor {
	if c.OldPodFinished.Known() && !c.OldPodFinished.At.After(p.To.At.Add(time.Second)) {
		return &model.Governor{Parameter: "the old pod", Value: "finished by itself, without an eviction", Basis: c.OldPodFinished.Basis}
	}
	if !c.DeletionRequested.Known() || c.DeletionRequested.At.After(p.To.At.Add(time.Second)) {
		return nil
	}
	for i, pods := range [][]model.Ref{c.OldPods, c.NewPods} {
		for _, ref := range pods {
			pod, ok := c.World.Pod(ref)
			if !ok {
				continue
			}
			if s, ok := tolerates(pod.Value()); ok {
				basis := model.Observed
				if i == 1 {
					basis = model.Derived
				}
				return &model.Governor{Parameter: "tolerationSeconds of " + upstream.UnreachableTaint, Value: s, Basis: basis}
			}
		}
	}
	if value, flag := c.World.Flag(reconstruct.APIServer, "--default-unreachable-toleration-seconds"); flag != nil {
		return &model.Governor{Parameter: "tolerationSeconds of " + upstream.UnreachableTaint, Value: words.Spelled(value+"s") + " by the API server's default", Basis: model.Derived}
	}
	return &model.Governor{Parameter: "tolerationSeconds of " + upstream.UnreachableTaint, Value: "5 min by default", Basis: model.Assumed}
}

func tolerates(p *corev1.Pod) (string, bool) {
	for _, t := range p.Spec.Tolerations {
		if t.Key == upstream.UnreachableTaint && t.TolerationSeconds != nil {
			return strconv.FormatInt(*t.TolerationSeconds, 10) + " s", true
		}
	}
	return "", false
}

func replacementGovernor(c *reconstruct.Case) *model.Governor {
	if c.Workload != nil && c.Workload.Kind == "StatefulSet" {
		return &model.Governor{Parameter: "StatefulSet", Value: "creates the pod only when the old object is gone", Basis: model.Derived}
	}
	return &model.Governor{Parameter: "workload controller", Value: "creates the replacement at the deletion", Basis: model.Derived}
}

func releaseGovernor(c *reconstruct.Case, p model.Phase) *model.Governor {
	if c.DeletedByOther() != nil {
		return &model.Governor{Parameter: "deletion of the VolumeAttachment", Value: "by another actor than the attach/detach controller", Basis: model.Derived}
	}
	if !c.Released.Known() && c.DetachRequested.Known() || c.Released.Known() && c.Released.Latest.Sub(c.Released.Earliest).Seconds() > 15 {
		return &model.Governor{Parameter: "end of the old pod and its unmount", Value: "not told apart by the evidence", Basis: model.Derived}
	}
	for _, ref := range c.OldPods {
		pod, ok := c.World.Pod(ref)
		if ok && pod.Value().DeletionGracePeriodSeconds != nil && p.Seconds.Best <= float64(*pod.Value().DeletionGracePeriodSeconds)+graceSlack {
			return &model.Governor{Parameter: "terminationGracePeriodSeconds", Value: fmt.Sprintf("%d s", *pod.Value().DeletionGracePeriodSeconds), Basis: model.Observed}
		}
	}
	return &model.Governor{Parameter: "the old pod object", Value: "until it is gone or its containers are reported as stopped", Basis: model.Derived}
}

// graceSlack is how much longer than its grace period, in seconds, an orderly end takes: containers are killed, the kubelet reports.
const graceSlack = 15.0

// unmountGovernor: a healthy node reports an unmount within 10 s of it, and until it does only the timer helps, on a node that is not
// Ready. The length of the phase shows which of them it was.
func unmountGovernor(c *reconstruct.Case, p model.Phase) *model.Governor {
	const report = "the node's report of the unmount"
	timer := c.ForcedByTimeout() && c.TakenMounted().Mounted == model.True
	lost := (c.NotReady.Known() || c.NodeGone.Known()) && !c.BackReady.Known()
	switch trouble := c.UnmountTrouble(); {
	case timer:
		return &model.Governor{Parameter: "maxWaitForUnmountDuration", Value: upstream.MaxWaitForUnmount.String(), Basis: model.Observed}
	case c.OutOfService.Known() && c.DetachRequested.Known():
		return &model.Governor{Parameter: upstream.OutOfServiceTaint, Value: "the controller does not wait for an unmount", Basis: model.Derived}
	case len(trouble) > 0 && p.Seconds.Best > slowReport:
		until := "until what holds the mount lets go"
		if _, words := c.HeldMount(); words != "" {
			until += ": " + words
		}
		return &model.Governor{Parameter: "the kubelet's retries of an unmount that fails", Value: "up to 2 min 2 s apart, " + until, Basis: model.Observed}
	case lost && c.DeletedByOther() == nil:
		return &model.Governor{Parameter: "maxWaitForUnmountDuration", Value: words.Duration(upstream.MaxWaitForUnmount) + ": the node is not Ready and reports nothing", Basis: model.Derived}
	case p.Seconds.Best > slowReport:
		return &model.Governor{Parameter: report, Value: "late, and the bundle does not tell why", Basis: model.Derived}
	}
	return &model.Governor{Parameter: report, Value: "every 10 s on a healthy node", Basis: model.Assumed}
}

// slowReport is how long a healthy node takes at most for an unmount and its report, in seconds: the recordings show up to 13.
const slowReport = 30.0
