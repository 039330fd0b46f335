// Package advice says what an expert would say of an incident: what was done and its worth, what would have been better at that moment, or
// is to be done now, and what prevents the next one. It chooses among the remedies of an incident by rules; replays give the seconds.
package advice

import (
	"math"
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

// Of is the advice for an incident, of which next are the commands that decide what is open. remedy.Judge has to have looked at it before.
func Of(i *remedy.Incident, next []model.NextStep, l *evidence.Ledger) *model.Advice {
	c := chooser{i: i, l: l, situation: situationOf(i), acts: done(i, l)}
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

// find is a remedy of an identifier. Powering a lost node off is followed by what then moves its volumes: alone it moves nothing.
func (c *chooser) find(id string) remedy.Remedy {
	if id == "fence-node" && c.i.Lost() {
		return c.i.PowerOffFirst()
	}
	if id == "single-writer-replicas" {
		return c.i.OneWriter()
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
	name     string
	is       func(*remedy.Incident) bool
	act      []string // reactive
	prevent  []string
	harmless bool // the first act saves no time: it keeps the data safe
	open     bool // nothing is established, so that no act is first
}

// forced are the ways to take a volume from a lost node, in the order of their safety.
var forced = []string{"out-of-service-taint", "force-delete-pod-and-volume-attachment", "force-delete-pod", "delete-node"}

// situations are tried in their order: the first that fits is the incident's.
var situations = []situation{
	{"taken from a living node", takenAlive, []string{"fence-node"}, []string{"automate-out-of-service", "drain-before-shutdown"}, true, false},
	{"Node of a living machine deleted", deletedAlive, []string{"restart-kubelet"}, []string{"drain-before-shutdown", "earlier-alert"}, false, false},
	{"attacher down", caused(model.CauseAttachmentNotFinishing), []string{"restart-attacher"}, []string{"attacher-ha", "earlier-alert"}, false, false},
	{"attach refused", caused(model.CauseAttachFailing), []string{"fix-backend-attach"}, []string{"earlier-alert", "automate-out-of-service"}, false, false},
	{"attachment erased", caused(model.CauseAttachmentLost), append([]string{"fix-backend-detach", "fence-node"}, forced...),
		[]string{"automate-out-of-service", "earlier-alert"}, false, false},
	{"machine not found", machineGone, []string{"remove-attachment-finalizer"}, []string{"autoscaler-waits-for-detach", "driver-prestop-detach",
		"drain-before-shutdown", "earlier-alert"}, false, false},
	{"detach refused", caused(model.CauseCloudDetachFailing, model.CauseDriverDetachError, model.CauseStorageDisagrees),
		[]string{"fix-backend-detach", "restart-attacher"}, []string{"earlier-alert", "attacher-tuning"}, false, false},
	{"taken from a running machine", takenRunning, []string{"fence-node", "restart-kubelet"},
		[]string{"automate-out-of-service", "earlier-alert", "longer-tolerations"}, false, false},
	{"kubelet hangs", (*remedy.Incident).MachineRuns, []string{"restart-kubelet", "fence-node"},
		[]string{"earlier-alert", "automate-out-of-service", "longer-tolerations"}, false, false},
	{"tainted already", func(i *remedy.Incident) bool { return i.Case.TaintedNow() != nil }, nil, []string{"automate-out-of-service",
		"earlier-alert"}, false, true},
	{"node came back", (*remedy.Incident).CameBack, append([]string{"repair-node"}, forced...),
		[]string{"drain-before-shutdown", "graceful-node-shutdown", "longer-tolerations", "earlier-alert"}, false, false},
	{"machine taken away", (*remedy.Incident).CloudDeleted, forced, []string{"drain-before-shutdown", "autoscaler-waits-for-detach",
		"driver-prestop-detach", "earlier-alert"}, false, false},
	{"node lost, no taint", lostWithoutTaint, append([]string{"fence-node"}, forced...), []string{"automate-out-of-service",
		"upgrade-kubernetes", "vendor-node-down-policy", "earlier-alert", "shorten-tolerations"}, false, false},
	{"node lost", (*remedy.Incident).Lost, forced, []string{"automate-out-of-service", "vendor-node-down-policy", "autoscaler-waits-for-detach",
		"driver-prestop-detach", "earlier-alert", "graceful-node-shutdown", "shorten-tolerations"}, false, false},
	{"rollout waits for itself", (*remedy.Incident).Rollout, []string{"rollout-undo", "recreate-strategy", "scale-to-zero"},
		[]string{"recreate-strategy"}, false, false},
	{"live migration", func(i *remedy.Incident) bool {
		return i.HasCause(model.CauseSharedClaim) && i.Case.LiveMigration() != nil
	},
		[]string{"single-writer-replicas"}, []string{"shared-access-mode"}, false, false},
	{"Jobs of one claim", func(i *remedy.Incident) bool { return i.HasCause(model.CauseSharedClaim) && i.Case.Jobs() },
		[]string{"single-writer-replicas"}, []string{"single-writer-replicas", "shared-access-mode"}, false, false},
	{"shared claim", caused(model.CauseSharedClaim), []string{"single-writer-replicas", "scale-to-zero", "delete-old-pod"},
		[]string{"single-writer-replicas", "shared-access-mode"}, false, false},
	{"unmount stuck", caused(model.CauseUnmountStuck, model.CauseVolumesInUseStale), []string{"find-mount-holder", "restart-kubelet"},
		[]string{"earlier-alert"}, false, false},
	{"slow stop", slowStop, nil, []string{"faster-stop"}, false, false},
	{"error of the version", caused(model.CauseControllerBug), append([]string{"delete-old-pod", "scale-to-zero"}, forced...),
		[]string{"upgrade-kubernetes", "earlier-alert"}, false, false},
	{"node likely lost", caused(model.CauseNodeDown), append([]string{"delete-old-pod", "scale-to-zero"}, forced...),
		[]string{"automate-out-of-service", "vendor-node-down-policy", "earlier-alert"}, false, true},
	{"other", func(*remedy.Incident) bool { return true }, append([]string{"delete-old-pod", "scale-to-zero"}, forced...),
		[]string{"earlier-alert"}, false, true},
}

// situationOf is the situation of an incident.
func situationOf(i *remedy.Incident) situation {
	for _, s := range situations {
		if s.is(i) {
			return s
		}
	}
	return situation{}
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

func slowStop(i *remedy.Incident) bool {
	_, slow := i.SlowStop()
	return slow || i.HasCause(model.CauseSlowStop)
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
	"upgrade-kubernetes": model.EffortProcess, "attacher-ha": model.EffortSetting, "faster-stop": model.EffortRollout,
	"drain-before-shutdown": model.EffortProcess, "longer-tolerations": model.EffortRollout, "repair-node": model.EffortProcess,
	"fence-node": model.EffortProcess, "earlier-alert": model.EffortSetting,
}
