// Package advice says what an expert would say of an incident: what was done and its worth, what would have been better at that moment, or
// is to be done now, and what prevents the next one. It chooses among the remedies of an incident by rules; replays give the seconds.
package advice

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Of is the advice for an incident, of which next are the commands that decide what is open. remedy.Judge has to have looked at it before.
func Of(i *remedy.Incident, next []model.NextStep, l *evidence.Ledger) *model.Advice {
	c := chooser{i: i, l: l, situation: situations[slices.IndexFunc(situations, func(s situation) bool { return s.is(i) })], acts: done(i, l)}
	out := &model.Advice{Done: []model.DoneAct{}, Now: []model.Option{}, Better: []model.Option{}, Prevent: []model.Option{}}
	for _, a := range c.acts {
		out.Done = append(out.Done, a.DoneAct)
	}
	if _, ended := i.End(); ended && !i.Case.Span.Open {
		out.Better = c.better()
	} else {
		out.Now = c.now(next)
	}
	out.Prevent, out.Compared = c.prevent(), c.compared()
	out.Floor, out.Curve = c.floor(out), c.curve(out)
	return out
}

// chooser chooses the options of one incident.
type chooser struct {
	i         *remedy.Incident
	l         *evidence.Ledger
	situation situation
	acts      []act
}

// seconds is an instant on the axis of the incident's scenario.
func seconds(i *remedy.Incident, t time.Time) float64 { return t.Sub(i.Scenario.Zero).Seconds() }

func finite(s float64) bool { return !math.IsInf(s, 0) && !math.IsNaN(s) }

// find is a remedy of an identifier. Powering a lost node off is followed by what then moves its volumes: alone it moves nothing. Where the pod
// is gone, its VolumeAttachment is left to delete.
func (c *chooser) find(id string) remedy.Remedy {
	if id == "fence-node" && c.i.Lost() {
		return c.i.PowerOffFirst()
	}
	if id == "single-writer-replicas" {
		return c.i.OneWriter()
	}
	if id == "force-delete-pod-and-volume-attachment" && c.i.PodGone() {
		id = "delete-volume-attachment"
	}
	r, _ := remedy.Find(id)
	return r
}

// captured is the collection; nil where its time is not known.
func (c *chooser) captured() *model.Moment {
	if at := c.i.Case.World.Axis.CapturedAt; at != nil {
		return new(*at)
	}
	return nil
}

// situation is what an incident calls for: the remedies of the moment and those of the future, in an expert's order. What repairs that
// for which the volume waited stands before a way around it, a way around before a setting, a setting before other storage.
type situation struct {
	name         string
	is           func(*remedy.Incident) bool
	act, prevent []string
	harmless     bool // the first act saves no time: it keeps the data safe
	open         bool // nothing is established, so that no act is first
}

func on(name string, is func(*remedy.Incident) bool, act, prevent string) situation {
	return situation{name: name, is: is, act: strings.Fields(act), prevent: strings.Fields(prevent)}
}

// undecided is a situation in which no act is first.
func undecided(s situation) situation { s.open = true; return s }

const (
	// forced are the ways to take a volume from a lost node, in the order of their safety.
	forced = " out-of-service-taint force-delete-pod-and-volume-attachment force-delete-pod delete-node"
	// ordinary are those without force, and then by force.
	ordinary = "delete-old-pod scale-to-zero" + forced
)

// situations are tried in their order: the first that fits is the incident's.
var situations = []situation{
	{"taken from a living node", takenAlive, []string{"fence-node"}, []string{"automate-out-of-service", "drain-before-shutdown"}, true, false},
	on("Node of a living machine deleted", deletedAlive, "restart-kubelet", "drain-before-shutdown earlier-alert"),
	on("attacher down", caused(model.CauseAttachmentNotFinishing), "restart-attacher", "attacher-ha earlier-alert"),
	on("attach refused", caused(model.CauseAttachFailing), "fix-backend-attach", "earlier-alert automate-out-of-service"),
	on("attachment erased", caused(model.CauseAttachmentLost), "fix-backend-detach fence-node"+forced, "automate-out-of-service earlier-alert"),
	on("machine not found", machineGone, "remove-attachment-finalizer",
		"autoscaler-waits-for-detach driver-prestop-detach drain-before-shutdown earlier-alert"),
	on("detach refused", caused(model.CauseCloudDetachFailing, model.CauseDriverDetachError, model.CauseStorageDisagrees),
		"fix-backend-detach restart-attacher", "earlier-alert attacher-tuning"),
	on("taken from a running machine", takenRunning, "fence-node restart-kubelet", "automate-out-of-service earlier-alert longer-tolerations"),
	on("kubelet hangs", (*remedy.Incident).MachineRuns, "restart-kubelet fence-node", "earlier-alert automate-out-of-service longer-tolerations"),
	undecided(on("tainted already", func(i *remedy.Incident) bool { return i.Case.TaintedNow() != nil }, "", "automate-out-of-service earlier-alert")),
	on("node came back", (*remedy.Incident).CameBack, "repair-node"+forced,
		"drain-before-shutdown graceful-node-shutdown longer-tolerations earlier-alert"),
	on("machine taken away", (*remedy.Incident).CloudDeleted, forced,
		"drain-before-shutdown autoscaler-waits-for-detach driver-prestop-detach earlier-alert"),
	on("node lost, no taint", lostWithoutTaint, "fence-node"+forced,
		"automate-out-of-service upgrade-kubernetes vendor-node-down-policy earlier-alert shorten-tolerations"),
	on("node lost", (*remedy.Incident).Lost, forced, "automate-out-of-service vendor-node-down-policy autoscaler-waits-for-detach "+
		"driver-prestop-detach earlier-alert graceful-node-shutdown shorten-tolerations"),
	undecided(on("node said to be off", (*remedy.Incident).SaidOff, forced, "automate-out-of-service earlier-alert")),
	on("rollout waits for itself", (*remedy.Incident).Rollout, "rollout-undo recreate-strategy scale-to-zero", "recreate-strategy"),
	undecided(on("rollout of an unknown workload", (*remedy.Incident).UnknownRollout, "recreate-strategy delete-old-pod scale-to-zero",
		"recreate-strategy earlier-alert")),
	on("live migration", func(i *remedy.Incident) bool {
		return i.HasCause(model.CauseSharedClaim) && i.Case.LiveMigration() != nil
	},
		"single-writer-replicas", "shared-access-mode"),
	on("Jobs of one claim", func(i *remedy.Incident) bool { return i.HasCause(model.CauseSharedClaim) && i.Case.Jobs() },
		"single-writer-replicas", "single-writer-replicas shared-access-mode"),
	on("shared claim", caused(model.CauseSharedClaim), "single-writer-replicas scale-to-zero delete-old-pod", "single-writer-replicas shared-access-mode"),
	on("mount held", mountHeld, "find-mount-holder restart-kubelet", "keep-mounts-free earlier-alert"),
	on("unmount stuck", caused(model.CauseUnmountStuck, model.CauseVolumesInUseStale), "find-mount-holder restart-kubelet", "earlier-alert"),
	on("slow stop", slowStop, "", "faster-stop"),
	on("error of the version", caused(model.CauseControllerBug), ordinary, "upgrade-kubernetes earlier-alert"),
	undecided(on("node likely lost", caused(model.CauseNodeDown), ordinary, "automate-out-of-service vendor-node-down-policy earlier-alert")),
	undecided(on("other", func(*remedy.Incident) bool { return true }, ordinary, "earlier-alert")),
}

func deletedAlive(i *remedy.Incident) bool { return i.Case.DeletedAlive() }

// caused is the situation of an incident in which one of some causes is established.
func caused(ids ...string) func(*remedy.Incident) bool {
	return func(i *remedy.Incident) bool { return i.HasCause(ids...) }
}

// machineGone is a detach that is asked for and fails because the driver does not find the machine: no later try can succeed.
func machineGone(i *remedy.Incident) bool {
	return i.HasCause(model.CauseNodeGone) && i.Case.DetachRequested.Known() && len(i.Case.MachineUnknown()) > 0
}

// mountHeld is an unmount that something else than the kubelet is seen to keep from succeeding.
func mountHeld(i *remedy.Incident) bool {
	path, _ := i.Case.HeldMount()
	return path != "" && i.HasCause(model.CauseUnmountStuck)
}

func slowStop(i *remedy.Incident) bool {
	return i.SlowStop() || i.HasCause(model.CauseSlowStop)
}

// takenRunning is a volume that people took by force from a lost node whose machine ran on.
func takenRunning(i *remedy.Incident) bool {
	return i.MachineRuns() && (i.Case.TaintedNow() != nil || slices.ContainsFunc(forces, func(k replay.ActKind) bool { return !math.IsInf(i.Done.First(k), 1) }))
}

// lostWithoutTaint is a lost node of a version that does not act on the out-of-service taint.
func lostWithoutTaint(i *remedy.Incident) bool {
	return i.Lost() && i.Case.World.Version.Known() && !i.Scenario.OutOfService
}

// efforts are what remedies take; a command where nothing is said.
var efforts = map[string]model.Effort{
	"automate-out-of-service": model.EffortRollout, "shorten-tolerations": model.EffortRollout, "faster-node-detection": model.EffortSetting,
	"graceful-node-shutdown": model.EffortSetting, "driver-prestop-detach": model.EffortSetting,
	"autoscaler-waits-for-detach": model.EffortSetting, "shared-access-mode": model.EffortMigration,
	"topology-spread": model.EffortRollout, "disable-force-detach": model.EffortSetting, "controller-ha": model.EffortSetting,
	"attacher-tuning": model.EffortSetting, "fix-backend-detach": model.EffortProcess, "fix-backend-attach": model.EffortProcess, "find-mount-holder": model.EffortProcess,
	"fsgroup-on-root-mismatch": model.EffortRollout, "vendor-node-down-policy": model.EffortSetting,
	"upgrade-kubernetes": model.EffortProcess, "attacher-ha": model.EffortSetting, "faster-stop": model.EffortRollout, "keep-mounts-free": model.EffortProcess,
	"drain-before-shutdown": model.EffortProcess, "longer-tolerations": model.EffortRollout, "repair-node": model.EffortProcess,
	"fence-node": model.EffortProcess, "earlier-alert": model.EffortSetting,
}
