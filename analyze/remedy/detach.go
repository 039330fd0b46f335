package remedy

import (
	"cmp"
	"math"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// askedAlready are the needs of a remedy that carries out a requested detach: none on a Ready node, else those of the detach itself.
func askedAlready(i *Incident, at float64) []Need {
	if i.state == wait.NodeReady {
		return nil
	}
	return []Need{stopped(i, at)}
}

// failingSince is when a person could see that a detach does not end: two minutes after its request.
func failingSince(i *Incident) float64 { return i.when(i.Case.DetachRequested) + failing }

var restartAttacher = Remedy{
	ID: "restart-attacher", Title: "Bring the driver's external-attacher back",
	References: []string{
		"external-attacher: --leader-election, lease 15 s, renew 10 s, retry 5 s; --reconcile-sync 1m; --resync 10m (2.2.1–4.13.0)"},
	SideEffects: func(i *Incident) []string {
		if _, ok := i.scaledAway(); ok {
			return []string{"every attach and detach of the driver that waits is carried out, also of other volumes"}
		}
		return []string{"attaches and detaches of all the driver's volumes wait for the restart"}
	},

	Phases: detachPhases,
	Fit: func(i *Incident) Fit {
		switch f := i.Scenario.Fault; {
		case !i.Case.DetachRequested.Known():
			if _, away := i.scaledAway(); away {
				return undecidable("When the detach was requested is not in the bundle.")
			}
			return misfit("No detach was requested that the external-attacher could have carried out.")
		case len(i.Case.DetachAnswers()) > 0:
			return misfit("The external-attacher worked: its calls came back with errors.")
		case f.AttacherUntil == 0:
			if _, away := i.scaledAway(); away {
				return undecidable("When the external-attacher worked again is not in the bundle.")
			}
			return misfit("The external-attacher is not seen to have been down.")
		case math.IsInf(f.AttacherUntil, 1) && !i.HasCause(model.CauseAttachmentNotFinishing):
			return undecidable("Whether the external-attacher worked is not in the bundle: its log, or a wait for it that timed out.")
		}
		return fits("")
	},
	From:   func(i *Incident) float64 { return i.when(i.Case.DetachRequested) + untaken },
	Change: acting(replay.RestartAttacher),
	Acts:   []replay.ActKind{replay.RestartAttacher},
	Needs:  askedAlready,
	Steps: func(i *Incident) []model.Step {
		runs := prove("see which pod is the external-attacher's leader, and what it says", "kubectl get lease -A")
		back := act("restart the Deployment or StatefulSet of the controller of " + cmp.Or(i.Case.Volume.Driver, "the driver"))
		if _, ok := i.scaledAway(); ok {
			runs = prove("see that none of its pods runs, and ask who scaled it down, and why", "kubectl get -n $attacherspace deployment/$attacher")
			back = act("scale the driver's controller up again, to more if it had more replicas",
				"kubectl scale -n $attacherspace deployment/$attacher --replicas=1")
		}
		return steps(runs, prove("see if the detach is requested, and its last error", "kubectl get volumeattachment $attachment -o yaml"), back)(i)
	},
}

// scaledAway is the time in which the driver's controller was scaled to zero, if it was.
func (i *Incident) scaledAway() (wait.Away, bool) {
	if i.Case.World == nil {
		return wait.Away{}, false
	}
	return i.Case.AttacherAway()
}

// untaken is how long, in seconds, a requested detach may stay untouched before the attacher is seen not to work: ordinary ones end by then.
const untaken = 30.0

// shortRetry is the pause, in seconds, of the replay of attacherTuning.
const shortRetry = 30.0

var attacherTuning = Remedy{
	ID: "attacher-tuning", Title: "Let the external-attacher try again sooner (retry-interval-max 30s)", Preventive: true,
	References: []string{
		"external-attacher: --timeout 15s, --retry-interval-start 1s, --retry-interval-max 5m, --worker-threads 10 (2.2.1–4.13.0)",
		"aws-ebs-csi-driver 1.25 and later: timeout 60s, 100 workers"},
	SideEffects: always("a storage or cloud that throttles gets more calls"),

	Phases: detachPhases,
	Fit: func(i *Incident) Fit {
		c, f := i.Case, i.Scenario.Fault
		return first([]when{
			{!c.DetachRequested.Known(), misfit("No detach was tried.")},
			{len(c.DetachAnswers()) == 0, misfit("No call of the external-attacher is seen to have failed, so that it did not pause.")},
			{math.IsInf(f.BackendUntil, 1), noEffect("The calls still failed at the collection; trying more often does not change the answer.")},
			{f.Again <= 0, undecidable("How long the attach waited after the detach had succeeded is not in the bundle.")},
			{true,
				fits("Only the pause of " + words.Whole(f.Again) + " from the end of the old attachment to the attach is replayed; " +
					"how long the detach waited for its last try is not in the bundle.")},
		})
	},
	Change: setting(func(s *replay.Settings) { s.RetryMax = new(shortRetry) }),
	Steps:  steps(act("give the container csi-attacher the argument --retry-interval-max=30s")),
}

var fixBackendDetach = Remedy{
	ID: "fix-backend-detach", Title: "Let the storage carry out the detach",
	References:  []string{"external-attacher: --retry-interval-max 5m", "recording: Ready six minutes after the storage had healed"},
	SideEffects: always(),

	Phases: detachPhases,
	Fit: func(i *Incident) Fit {
		return first([]when{
			{len(i.keptByStorage()) > 0, fits("The VolumeAttachment is gone, and the storage still has the volume on " + i.node() + ".")},
			{!i.Case.DetachRequested.Known(), misfit("No detach was tried.")},
			{len(i.Case.DetachAnswers()) == 0, misfit("The storage is not seen to have refused the detach.")},
			{true, fits("It is assumed that the storage is repaired at that moment.")},
		})
	},
	From: func(i *Incident) float64 {
		if list := append(i.keptByStorage(), i.Case.DetachAnswers()...); len(list) > 0 {
			return i.of(list[0].At.At)
		}
		return math.Inf(1)
	},
	Change: acting(replay.HealBackend),
	Acts:   []replay.ActKind{replay.HealBackend},
	Needs:  askedAlready,
	Steps: func(i *Incident) []model.Step {
		if len(i.keptByStorage()) > 0 {
			return steps(machineState, act("in the storage or the cloud, detach the volume from the machine of $old; "+
				"the external-attacher tries the attach again by itself"))(i)
		}
		return steps(prove("see what the storage says of the detach", "kubectl get volumeattachment $attachment -o",
			`jsonpath={.status.detachError.message}{"\n"}`),
			act("repair in the storage or the cloud what it names; the external-attacher tries again by itself"))(i)
	},
}

var fixBackendAttach = Remedy{
	ID: "fix-backend-attach", Title: "Let the storage carry out the attach",
	References: []string{"external-attacher: --retry-interval-max 5m",
		"recording: attached 30 s after the cloud granted the attach again, Ready two minutes later"},
	SideEffects: always(),

	Phases: []model.PhaseID{model.PhaseAttach},
	Fit: func(i *Incident) Fit {
		if !i.HasCause(model.CauseAttachFailing) {
			return misfit("The storage is not seen to have refused the attach of a volume that the old node had let go.")
		}
		return undecidable("The external-attacher tries again by itself, at the latest after five minutes; the replay does not know when the storage lets it.")
	},
	From: func(i *Incident) float64 {
		for _, o := range i.Case.AttachErrors() {
			if at := i.of(o.At.At); !i.Case.Gone.Known() || at > i.when(i.Case.Gone) {
				return at
			}
		}
		return math.Inf(1)
	},
	Steps: steps(prove("see what the storage says of the attach", "kubectl get volumeattachment $newattachment -o",
		`jsonpath={.status.attachError.message}{"\n"}`),
		act("repair in the storage or the cloud what it names; of a node that is full, make room there or let the pod start on another one")),
}

// keptByStorage are the refusals of the attach of an open incident because the storage still has the volume on the old node, whose
// VolumeAttachment went away without a detach: no controller asks for that detach any more.
func (i *Incident) keptByStorage() []*model.Observation {
	if i.Case.World == nil || !i.open() || !i.Case.Erased() {
		return nil
	}
	return i.Case.RefusedElsewhere(i.Case.Gone)
}

var attacherHA = Remedy{
	ID: "attacher-ha", Title: "Run two replicas of the driver's controller on different nodes, with an alert on its Lease", Preventive: true,
	References: []string{"external-attacher: --leader-election, lease 15 s, renew 10 s, retry 5 s (2.2.1–4.13.0)",
		"recordings: detaches stood still for as long as no attacher ran"},
	SideEffects: always("the second replica takes room on another node"),

	Phases: detachPhases,
	Fit: func(i *Incident) Fit {
		if f := restartAttacher.Fit(i); f.Verdict != Fits {
			return f
		}
		return fits("Replicas that run all the time are assumed; where somebody had scaled them to zero, the alert is what helps.")
	},
	Change: setting(func(s *replay.Settings) { s.AttacherUp = true }),
	Steps: steps(prove("see how many replicas the driver's controller has, and on which nodes",
		"kubectl get deployment,statefulset,pod -A -o wide"),
		act("give the driver's controller two replicas with --leader-election and a podAntiAffinity over nodes, and alert on its Lease")),
}
