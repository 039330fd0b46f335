package remedy

import (
	"fmt"
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var findMountHolder = Remedy{
	ID: "find-mount-holder", Title: "Find what holds the mount on the old node, and end it",
	References: []string{"kubelet: volume operations back off 500 ms to 2 min 2 s (pkg/util/goroutinemap/exponentialbackoff, 1.13–1.36)",
		"umount(2): EBUSY"},
	SideEffects: always("what the process was doing with the volume on $old is cut off"),

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
		if i.heldPath() == "" && name(i.pv()) != "" {
			// The kubelet's mount of a volume has the PersistentVolume's name in its path, of whichever driver.
			return steps(grepMounts("on $old, see which processes have the volume in their mount namespace", "$pv"), endHolder)(i)
		}
		what := "$mount"
		if pv := name(i.pv()); pv != "" && strings.Contains(i.heldPath(), pv) {
			what = "$pv" // which is shorter, and in the path of each mount of the volume
		}
		return steps(prove("on $old, see who holds the mount", "fuser -vm $mount"), prove("on $old, see what else is mounted of the volume", "grep "+what+" /proc/mounts"),
			grepMounts("on $old, see which processes, such as containers, have it in an own mount namespace", what), endHolder)(i)
	},
}

var keepMountsFree = Remedy{
	ID: "keep-mounts-free", Title: "Keep other processes off the kubelet's mounts (hostPath volumes of /var/lib/kubelet, backup agents, shells)", Preventive: true,
	References:  []string{"umount(2): EBUSY", "kubernetes.io: Volumes, hostPath, mountPropagation"},
	SideEffects: always("what reads the volume through the node has to read it in another way"),

	Phases: findMountHolder.Phases,
	Fit: func(i *Incident) Fit {
		if f := findMountHolder.Fit(i); f.Verdict != Fits {
			return f
		}
		return fits("Something else than the kubelet held the mount on " + i.node() + ".")
	},
	// Nothing held it from the beginning.
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan {
		return p.With(replay.Act{Kind: replay.EndHolder})
	},
	Steps: steps(prove("see which pods of $old mount folders of the node", "kubectl get pods -A --field-selector spec.nodeName=$node -o",
		`jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}{"  "}{.spec.volumes[*].hostPath.path}{"\n"}{end}`),
		act("let what was found read copies, or mount with mountPropagation HostToContainer, so that an unmount reaches it")),
}

// heldPath is where a mount is held, "" where its path is not known.
func (i *Incident) heldPath() string {
	path, _ := i.Case.HeldMount()
	return words.If(strings.HasPrefix(path, "/"), path)
}

// grepMounts looks for a text in the mount tables of all processes, whose paths the shell has to fill in.
func grepMounts(text, what string) step {
	return func(i *Incident) model.Step {
		s := prove(text, "grep -l "+what)(i)
		s.Command += words.If(s.Command != "", " /proc/[0-9]*/mountinfo")
		return s
	}
}

// endHolder is what frees a mount that is held.
var endHolder = act("end what holds it as its owner would (systemctl stop, umount, kill); the kubelet unmounts with its next try, within 2 min 2 s")

var restartKubelet = Remedy{
	ID: "restart-kubelet", Title: "Restart the kubelet of the old node",
	References: []string{
		"kubelet volume manager: reconstruction of mounted volumes at its start; in 1.27.0 and 1.27.1 it was in error (kubernetes PR 117752)",
		"attach/detach controller: volumesInUse, reported every 10 s",
		"recording: a kubelet whose Node had been deleted was restarted, the volume verified as unused and detached, and unmounted 4 s later"},
	SideEffects: always("probes and changes of every pod on $old wait for some seconds"),

	// A lost node's kubelet ends the old pod first.
	Phases: releasePhases,
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
		look := prove("on $old, see what the kubelet says of the mount", "journalctl -u kubelet --since=-10min")
		if i.MachineRuns() {
			look = prove("on $old, see that the machine runs, and what its kubelet does", "systemctl status kubelet")
		}
		if i.Case.DeletedAlive() {
			look = prove("on $old, see that nothing of the volume is mounted, or unmount it", "grep $pv /proc/self/mountinfo")
		}
		return steps(look, act("on $old, restart the kubelet", "systemctl restart kubelet"))(i)
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

var fsGroupOnRootMismatch = Remedy{
	ID: "fsgroup-on-root-mismatch", Title: "Change file owners only when the volume's root differs (fsGroupChangePolicy)", Preventive: true,
	References:  []string{"kubernetes.io: fsGroupChangePolicy, beta since 1.20, GA in 1.23", "kubernetes issue 69699"},
	SideEffects: always("files of another group below a root that is right stay as they are", rollsOut),

	Phases:     []model.PhaseID{model.PhaseMount},
	Kubernetes: "1.20 and later",
	Fit:        fitFSGroup,
	Change:     setting(func(s *replay.Settings) { s.QuickMount = true }),
	Steps:      steps(act("set fsGroupChangePolicy: OnRootMismatch in the securityContext of the pod template")),
}

// changesOwner are the reasons of the kubelet's Events about a change of ownership that takes long (1.33 and later).
const changesOwner = "VolumePermissionChangeInProgress"

func fitFSGroup(i *Incident) Fit {
	const notInBundle = "is not in the bundle: the kubelet's log of the new node."
	pod, known := i.newPodObject()
	if !known {
		return undecidable("No copy of the new pod is in the bundle, which would tell whether it sets fsGroup.")
	}
	security := pod.Spec.SecurityContext
	if security == nil || security.FSGroup == nil {
		return misfit("The pod sets no fsGroup.")
	}
	if security.FSGroupChangePolicy != nil && *security.FSGroupChangePolicy == corev1.FSGroupChangeOnRootMismatch {
		return noEffect("The pod has it already.")
	}
	if !i.Case.Attached.Known() {
		return noEffect("The volume was not attached yet; the change of ownership comes after that.")
	}
	for _, o := range i.Case.Story() {
		if o.Kind == model.KubernetesEvent && o.Detail == changesOwner {
			return fits("The kubelet says that the change of ownership took long; a mount without it is assumed to take up to half a minute.")
		}
	}
	if !i.Case.Ready.Known() {
		return undecidable("How long the change of ownership takes " + notInBundle)
	}
	took := i.Case.Ready.At.Sub(i.Case.Attached.At).Seconds()
	if took <= ordinaryStart {
		return noEffect(fmt.Sprintf("Ready came only %s after the attach.", words.Whole(took)))
	}
	return undecidable("Ready came " + words.Whole(took) + " after the attach; how much of it was the change of ownership " + notInBundle)
}

// ordinaryStart is the longest time, in seconds, from attach to Ready without a change of ownership: a status report and a mount.
const ordinaryStart = 15.0

// newPodObject is a copy of a pod that waited.
func (i *Incident) newPodObject() (*corev1.Pod, bool) {
	for _, ref := range i.Case.NewPods {
		if pod, ok := i.Case.World.Pod(ref); ok {
			return pod.Value(), true
		}
	}
	return nil, false
}

var recreateNewPod = Remedy{
	ID: "recreate-new-pod", Title: "Delete the waiting pod, so that the kubelet looks at once",
	References: []string{
		"pkg/volume/util/operationexecutor, GetAttachedVolumesFromNodeStatus: no operation is begun, so that nothing backs off, while the " +
			"volume is not attached (read in 1.23.17, 1.30.14, 1.34.3)",
		"recordings on real nodes: 1.8 to 4.3 s from the attach to Ready; 8.5 s for a pod younger than the kubelet's status report, every 10 s"},
	SideEffects: always("the new pod may be scheduled on another node, and waits for the volume again"),

	Phases: []model.PhaseID{},
	Fit: func(i *Incident) Fit {
		c := i.Case
		const belief = "The kubelet looks for the attachment several times a second: a new pod would not be faster"
		return first([]when{
			{c.Before, misfit("No pod waits on a node for the volume yet.")},
			{!c.Attached.Known() && c.Resolved(), misfit("The wait ended without an attach.")},
			{!c.Attached.Known(),
				noEffect("The volume is not attached on the new node, and another pod waits for it in the same way. " + belief + ".")},
			{c.Ready.Known(),
				noEffect("Ready came " + words.Whole(max(c.Ready.At.Sub(c.Attached.At).Seconds(), 0)) + " after the attach. " + belief + ".")},
			{true, noEffect(belief + ".")},
		})
	},
	From:   func(i *Incident) float64 { return i.of(i.Case.Attached.At) },
	Change: func(_ *Incident, p replay.Plan, _ float64) replay.Plan { return p },
	Steps: steps(prove("see instead where the volume is attached, and what the new node's kubelet says of the mount", "kubectl get volumeattachment -o",
		`jsonpath={range .items[?(@.spec.source.persistentVolumeName=="$pv")]}{.spec.nodeName} {.status.attached}{"\n"}{end}`)),
}
