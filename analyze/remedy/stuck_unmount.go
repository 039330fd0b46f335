package remedy

import (
	"fmt"
	"math"
	"strings"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var findMountHolder = Remedy{
	ID: "find-mount-holder", Title: "Find what holds the mount on the old node, and end it",
	References: []string{"kubelet: volume operations back off 500 ms to 2 min 2 s (pkg/util/goroutinemap/exponentialbackoff, 1.13–1.36)",
		"umount(2): EBUSY"},
	SideEffects: func(i *Incident) []string {
		return []string{"what the process was doing with the volume on " + i.oldNode() + " is cut off"}
	},

	Phases: []model.PhaseID{model.PhaseUnmountWait, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		path, words := i.Case.HeldMount()
		switch {
		case i.Lost():
			return misfit(i.node() + " was lost; no unmount is tried there.")
		case i.state == wait.NodeUnknown && path == "":
			return undecidable(i.unknownState())
		case !i.HasCause(model.CauseUnmountStuck):
			return misfit("The unmount is not seen to have hung.")
		case path == "" && len(i.Case.Seen(model.UnmountFailed, i.Case.From)) > 0:
			return undecidable("The kubelet's unmount fails, and its words do not say that something holds the mount.")
		case path == "":
			return undecidable("Whether something holds the mount is not in the bundle; the kubelet's log of " + i.node() + " would tell.")
		}
		return fits(fmt.Sprintf("The kubelet's unmount failed %s times in the records: %s, so that a process or a mount on %s holds %s.",
			counted(i.Case.Seen(model.UnmountFailed, i.Case.From)), words, i.node(), path))
	},
	From:   func(i *Incident) float64 { return i.when(i.Case.Released) + unmountSlow },
	Change: acting(replay.EndHolder),
	Acts:   []replay.ActKind{replay.EndHolder},
	Steps: func(i *Incident) []model.Step {
		path, _ := i.Case.HeldMount()
		if !strings.HasPrefix(path, "/") {
			// The kubelet's mount of a volume has the PersistentVolume's name in its path, of whichever driver.
			path = ""
			if pv := name(i.Case.Volume.PersistentVolume); pv != "" {
				where := prove("on "+i.oldNode()+", see which processes have the volume in their mount namespace", "grep", "-l", pv)
				where.Command += " /proc/[0-9]*/mountinfo"
				return []model.Step{where, endHolder}
			}
		}
		elsewhere := prove("on "+i.oldNode()+", see which processes, such as containers, have it in an own mount namespace", "grep", "-l", path)
		elsewhere.Command += words.If(elsewhere.Command != "", " /proc/[0-9]*/mountinfo")
		return []model.Step{
			prove("on "+i.oldNode()+", see who holds the mount", "fuser", "-vm", path),
			prove("on "+i.oldNode()+", see which files are open in it", "lsof", "+f", "--", path),
			prove("on "+i.oldNode()+", see what is mounted below it", "findmnt", "--submounts", "--target", path),
			elsewhere,
			endHolder}
	},
}

// endHolder is what frees a mount that is held.
var endHolder = act("end what holds it as its owner would (systemctl stop, umount, kill); the kubelet unmounts with its next try, within 2 min 2 s")

var restartKubelet = Remedy{
	ID: "restart-kubelet", Title: "Restart the kubelet of the old node",
	References: []string{
		"kubelet volume manager: reconstruction of mounted volumes at its start; in 1.27.0 and 1.27.1 it was in error (kubernetes PR 117752)",
		"attach/detach controller: volumesInUse, reported every 10 s",
		"recording: a kubelet whose Node had been deleted was restarted, the volume verified as unused and detached, and unmounted 4 s later"},
	SideEffects: func(i *Incident) []string {
		return []string{"probes and changes of every pod on " + i.oldNode() + " wait for some seconds"}
	},

	// A lost node's kubelet ends the old pod first.
	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		switch {
		case i.MachineRuns():
			return fits("The machine of " + i.node() + " ran while its kubelet did not report.")
		case i.Case.DeletedAlive():
			return undecidable("A kubelet that is started again registers the Node again, and reports what it has mounted; the replay does not know how soon after.")
		case i.Lost():
			return misfit(i.node() + " was lost; what it needs is more than a restart of its kubelet, if it runs at all.")
		case i.state == wait.NodeUnknown:
			return undecidable(i.unknownState())
		case !i.HasCause(model.CauseUnmountStuck, model.CauseVolumesInUseStale, model.CauseControllerBug):
			return misfit("The unmount is not seen to have hung.")
		}
		return i.cure()
	},
	From: func(i *Incident) float64 {
		if i.Lost() {
			return i.LostAt()
		}
		return i.when(i.Case.Released) + unmountSlow
	},
	Change: func(i *Incident, p replay.Plan, at float64) replay.Plan {
		if i.Lost() {
			return p.With(replay.Act{Kind: replay.StartKubelet, At: at})
		}
		return p.With(replay.Act{Kind: replay.RestartKubelet, At: at})
	},
	Acts: []replay.ActKind{replay.RestartKubelet, replay.StartKubelet},
	Needs: func(i *Incident, _ float64) []Need {
		if !i.Case.DeletedAlive() {
			return nil
		}
		return []Need{{Text: "Nothing on " + i.node() + " has the volume mounted (a kubelet that starts calls it unused before it has unmounted it).",
			Met: model.Unknown}}
	},
	Used: func(i *Incident) (float64, bool) {
		at, by := i.KubeletStarted()
		return at, by != nil
	},
	Without: func(p replay.Plan) replay.Plan {
		p.Set.StaysAway = true
		return p
	},
	Steps: func(i *Incident) []model.Step {
		if i.Case.DeletedAlive() {
			return []model.Step{prove("on "+i.oldNode()+", see that nothing of the volume is mounted, or unmount it", "grep", i.Case.Volume.PersistentVolume,
				"/proc/self/mountinfo"), act("on "+i.oldNode()+", restart the kubelet", "systemctl", "restart", "kubelet")}
		}
		return []model.Step{prove("on "+i.oldNode()+", see what the kubelet says of the mount", "journalctl", "-u", "kubelet", "--since=-10min"),
			act("on "+i.oldNode()+", restart the kubelet", "systemctl", "restart", "kubelet")}
	},
}

// KubeletStarted is when the kubelet of a lost node whose machine ran was started again before the wait ended, and who says so; never where
// no source does.
func (i *Incident) KubeletStarted() (float64, *model.Observation) {
	ran := i.Case.DeletedAlive() || i.MachineRuns() && i.CameBack()
	if o := i.Case.KubeletStart(); o != nil && ran {
		return i.of(o.At.At), o
	}
	return math.Inf(1), nil
}

// unmountSlow is how long, in seconds, an ordinary unmount may take before it is seen to hang.
const unmountSlow = 60.0

// cure says what a restart would have done. What holds the mount decides, which only the kubelet knows.
func (i *Incident) cure() Fit {
	s, c := i.Scenario, i.Case
	if !c.Released.Known() {
		return undecidable("When the old pod released the volume is not known.")
	}
	if list := c.Seen(model.UnmountFailed, c.From); len(list) > 0 {
		if path, words := c.HeldMount(); path != "" {
			return noEffect(fmt.Sprintf("The kubelet's unmount fails, %s: a restarted one makes the same call. What holds %s has to end, "+
				"and then the kubelet that runs unmounts by itself.", words, path))
		}
		return undecidable("The kubelet's unmount fails (" + counted(list) + " times in the records); whether a restart helps is not known.")
	}
	if i.Misfit() != "" {
		return undecidable("What holds the mount is not in the bundle: the kubelet's log of " + i.node() + ".")
	}
	at := i.of(c.Released.At) + unmountSlow + i.reaction
	if end, ended := i.End(); ended && at >= end {
		return noEffect(i.overSooner())
	}
	p := s.Predict(i.Done.Until(at).With(replay.Act{Kind: replay.RestartKubelet, At: at}))
	if !p.Ready.Known() {
		return noEffect("With it the wait does not end: " + p.Why + ".")
	}
	return undecidable(fmt.Sprintf("What holds the mount decides: if the kubelet has lost track of it, the new pod is Ready about %s after a "+
		"restart at %s; if a process or the storage holds it, nothing changes. The kubelet's log of %s, which would tell, is not in the bundle.",
		words.Whole(max(p.Ready.Best-at, 0)), i.clock(at), i.node()))
}

func counted(list []*model.Observation) string {
	n := 0
	for _, o := range list {
		n += max(o.Count, 1)
	}
	return fmt.Sprint(n)
}
