package remedy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// askedAlready are the needs of a remedy that carries out a requested detach: none on a Ready node, else those of the detach itself.
func askedAlready(i *Incident, at float64) []Need {
	if i.state == reconstruct.NodeReady {
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

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
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
		runs := prove("see which pod is the external-attacher's leader, and what it says", "kubectl", "get", "lease", "-A")
		if away, ok := i.scaledAway(); ok {
			runs = prove("see that none of its pods runs, and ask who scaled it down, and why", "kubectl", "get", "-n", name(away.Workload.Namespace),
				"deployment/"+name(away.Workload.Name))
		}
		return []model.Step{runs, prove("see if the detach is requested, and its last error", "kubectl", "get", "volumeattachment",
			name(i.attachment()), "-o", "yaml"), i.bringBack()}
	},
}

// scaledAway is the time in which the driver's controller was scaled to zero, if it was.
func (i *Incident) scaledAway() (reconstruct.Away, bool) {
	if i.Case.World == nil {
		return reconstruct.Away{}, false
	}
	return i.Case.AttacherAway()
}

// bringBack is the act: the workload's own command where it is known to have been scaled to zero.
func (i *Incident) bringBack() model.Step {
	if away, ok := i.scaledAway(); ok {
		return act("scale the driver's controller up again, to more if it had more replicas", "kubectl", "scale", "-n", name(away.Workload.Namespace),
			"deployment/"+name(away.Workload.Name), "--replicas=1")
	}
	return act("restart the Deployment or StatefulSet of the controller of " + cmp.Or(i.Case.Volume.Driver, "the driver"))
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

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		c, f := i.Case, i.Scenario.Fault
		switch {
		case !c.DetachRequested.Known():
			return misfit("No detach was tried.")
		case len(c.DetachAnswers()) == 0:
			return misfit("No call of the external-attacher is seen to have failed, so that it did not pause.")
		case math.IsInf(f.BackendUntil, 1):
			return noEffect("The calls still failed at the collection; trying more often does not change the answer.")
		case f.Again <= 0:
			return undecidable("How long the attach waited after the detach had succeeded is not in the bundle.")
		}
		return fits("Only the pause of " + words.Whole(f.Again) + " from the end of the old attachment to the attach is replayed; " +
			"how long the detach waited for its last try is not in the bundle.")
	},
	Change: setting(func(s *replay.Settings) { s.RetryMax = new(shortRetry) }),
	Steps:  steps(act("give the container csi-attacher the argument --retry-interval-max=30s")),
}

var fixBackendDetach = Remedy{
	ID: "fix-backend-detach", Title: "Let the storage carry out the detach",
	References:  []string{"external-attacher: --retry-interval-max 5m", "recording: Ready six minutes after the storage had healed"},
	SideEffects: always(),

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch {
		case len(i.keptByStorage()) > 0:
			return fits("The VolumeAttachment is gone, and the storage still has the volume on " + i.node() + ".")
		case !i.Case.DetachRequested.Known():
			return misfit("No detach was tried.")
		case len(i.Case.DetachAnswers()) == 0:
			return misfit("The storage is not seen to have refused the detach.")
		}
		return fits("It is assumed that the storage is repaired at that moment.")
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
			return []model.Step{lookBefore(i), act("in the storage or the cloud, detach the volume from the machine of " + i.oldNode() +
				"; the external-attacher tries the attach again by itself")}
		}
		return []model.Step{prove("see what the storage says of the detach", "kubectl", "get", "volumeattachment", name(i.attachment()), "-o",
			`jsonpath={.status.detachError.message}{"\n"}`),
			act("repair in the storage or the cloud what it names; the external-attacher tries again by itself")}
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
		return undecidable("The external-attacher tries again by itself, at the latest after five minutes; when the storage lets it, the replay does not tell.")
	},
	From: func(i *Incident) float64 {
		for _, o := range i.Case.AttachErrors() {
			if at := i.of(o.At.At); !i.Case.Gone.Known() || at > i.when(i.Case.Gone) {
				return at
			}
		}
		return math.Inf(1)
	},
	Steps: func(i *Incident) []model.Step {
		return []model.Step{prove("see what the storage says of the attach", "kubectl", "get", "volumeattachment", name(i.Case.NewAttachmentName().Name), "-o",
			`jsonpath={.status.attachError.message}{"\n"}`),
			act("repair in the storage or the cloud what it names; of a node that is full, make room there or let the pod start on another one")}
	},
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

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		if f := restartAttacher.Fit(i); f.Verdict != Fits {
			return f
		}
		return fits("Replicas that run all the time are assumed; where somebody had scaled them to zero, the alert is what helps.")
	},
	Change: setting(func(s *replay.Settings) { s.AttacherUp = true }),
	Steps: steps(prove("see how many replicas the driver's controller has, and on which nodes",
		"kubectl", "get", "deployment,statefulset,pod", "-A", "-o", "wide"),
		act("give the driver's controller two replicas with --leader-election and a podAntiAffinity over nodes, and alert on its Lease")),
}

// vendor is a driver whose own controller can take pods and VolumeAttachments from a lost node.
type vendor struct {
	drivers []string
	actor   string // its controller, as upstream.ActorOf calls it; empty when it does not know it
	name    string
	setting string // what switches it on
	proof   string // what it knows of the old node when it acts
}

// vendors are those with documented behaviour: Longhorn, HPE CSI Pod Monitor, Dell csm-resiliency, piraeus-ha-controller.
var vendors = []vendor{
	{[]string{"driver.longhorn.io"}, "Longhorn", "Longhorn",
		"setting node-down-pod-deletion-policy: delete-both-statefulset-and-deployment-pod",
		"Longhorn goes by the Node's condition and does not look at the machine"},
	{[]string{"csi.hpe.com"}, "", "the HPE CSI Pod Monitor", "label monitored-by: hpe-csi on the pods",
		"its documentation leaves the proof to the operator"},
	{[]string{"csi-vxflexos.dellemc.com", "csi-isilon.dellemc.com", "csi-unity.dellemc.com", "csi-powerstore.dellemc.com"},
		"podmon (CSM resiliency)", "Dell CSM resiliency (podmon)", "label podmon.dellemc.com/driver on the pods",
		"podmon asks the array whether the host is connected, unless SkipArrayConnectionValidation is set"},
	{[]string{"linstor.csi.linbit.com"}, "the Piraeus HA controller", "the Piraeus HA controller",
		"piraeus-ha-controller installed, resources with quorum", "DRBD suspends the old node's writes when it has lost quorum"},
}

func vendorOf(driver string) (vendor, bool) {
	if n := slices.IndexFunc(vendors, func(v vendor) bool { return slices.Contains(v.drivers, driver) }); n >= 0 {
		return vendors[n], true
	}
	return vendor{}, false
}

// vendorDelay is the time, in seconds, from the old pod's deletion to its forced end: 20 to 38 s in published runs of Longhorn.
const vendorDelay = 30.0

var vendorNodeDownPolicy = Remedy{
	ID: "vendor-node-down-policy", Title: "Let the storage's own controller move volumes from lost nodes", Preventive: true,
	References: []string{"Longhorn: Node Down Pod Deletion Policy (do-nothing by default), PR 1395, PR 3673",
		"dell/csm-resiliency", "HPE CSI Pod Monitor", "piraeus-ha-controller"},
	SideEffects: always("pods with the driver's volumes on every lost node are ended by force, not only this one"),

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach,
		model.PhaseMount},
	Fit: func(i *Incident) Fit {
		driver := i.Case.Volume.Driver
		v, known := vendorOf(driver)
		if driver != "" && !known {
			return misfit(fmt.Sprintf("%s is not known to have such a controller.", driver))
		}
		switch f := i.ofLostNode(i.node() + " was Ready."); {
		case f.Verdict != Fits:
			return f
		case driver == "":
			return undecidable("The volume's driver is not known.")
		case i.vendorActed(v):
			return noEffect(words.Capital(v.name) + " did it here already.")
		case !i.Scenario.Deleted.Known():
			return undecidable("When the old pod was deleted is not known.")
		}
		return fits(fmt.Sprintf("%s is assumed to end the old pod %s after its deletion, and to delete the VolumeAttachment then.",
			words.Capital(v.name), words.Whole(vendorDelay)))
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		at := i.Scenario.Deleted.Best + vendorDelay
		return p.Until(at).With(replay.Act{Kind: replay.ForceDeletePod, At: at}, replay.Act{Kind: replay.DeleteAttachment, At: at})
	},
	Needs: func(i *Incident, at float64) []Need {
		v, _ := vendorOf(i.Case.Volume.Driver)
		if v.proof == "" {
			return []Need{stopped(i, at)}
		}
		return []Need{{Text: i.node() + " no longer writes to the volume when its controller acts; " + v.proof + ".", Met: model.Unknown}}
	},
	Steps: func(i *Incident) []model.Step {
		v, _ := vendorOf(i.Case.Volume.Driver)
		return []model.Step{prove("make sure that a lost node no longer writes when the controller of " + v.name + " acts; no command tells"),
			act(words.Capital(v.name) + ": " + v.setting)}
	},
}

// vendorActed reports that the vendor's controller did something to the objects of the incident.
func (i *Incident) vendorActed(v vendor) bool {
	return v.actor != "" && slices.ContainsFunc(i.Scenario.Actions, func(a reconstruct.Action) bool { return a.By == v.actor })
}
