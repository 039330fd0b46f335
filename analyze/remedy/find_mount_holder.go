package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var findMountHolder = Remedy{
	ID: "find-mount-holder", Title: "Find what holds the mount on the old node, and end it",
	Doc: Doc{
		Does: "The kubelet tries the unmount again by itself, with pauses that double from half a second to 2m2s. The first try after the holder has ended succeeds; the node's next status says so, and the controller detaches " +
			"without force.",
		DoesNot:    "It does not help where the storage does not answer: then nothing holds the mount, and the call hangs.",
		Risk:       "The holder is a process of somebody: a backup, a shell, a scanner. What it was doing on the volume is cut off.",
		References: []string{"kubelet: exponential back-off of volume operations, 500 ms to 2m2s (pkg/util/goroutinemap/exponentialbackoff, 1.13–1.36)", "umount(2): EBUSY"},
	},
	SideEffects: func(i *Incident) []string {
		return []string{"what the process was doing with the volume on " + i.oldNode() + " is cut off"}
	},

	Phases: []model.PhaseID{model.PhaseUnmountWait, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		path, words := i.Case.HeldMount()
		switch {
		case i.lost():
			return misfit(i.node() + " was lost; no unmount is tried there.")
		case i.state == reconstruct.NodeUnknown && path == "":
			return undecidable(i.untold())
		case !i.hasCause("unmount-stuck"):
			return misfit("The unmount is not seen to have hung.")
		case path == "" && len(i.Case.Seen(model.UnmountFailed, i.Case.From)) > 0:
			return undecidable("The kubelet's unmount fails, and its words do not say that something holds the mount.")
		case path == "":
			return undecidable("Whether something holds the mount is not in the bundle; the kubelet's log of " + i.node() + " would tell.")
		}
		return fits(fmt.Sprintf("The kubelet's unmount failed %s times in the records: %s, so that a process or a mount on %s holds %s.", counted(i.Case.Seen(model.UnmountFailed, i.Case.From)), words, i.node(), path))
	},
	From: func(i *Incident) float64 { return i.of(i.Case.Released.At) + unmountSlow },
	Change: func(_ *Incident, p replay.Plan, at float64) replay.Plan {
		return p.With(replay.Act{Kind: replay.EndHolder, At: at})
	},
	Acts: []replay.ActKind{replay.EndHolder},
	Commands: func(i *Incident) []string {
		path, _ := i.Case.HeldMount()
		return []string{
			comment("On " + i.node() + ", who holds the mount; these only look:"),
			command("fuser", "-vm", path),
			command("lsof", "+f", "--", path),
			comment("Mounts below it, and processes in mount namespaces of their own, such as containers:"),
			command("findmnt", "--submounts", "--target", path),
			command("grep", "-l", path) + " /proc/[0-9]*/mountinfo",
			comment("End what holds it as its owner would (systemctl stop, umount, kill). The kubelet unmounts with its next try, within 2m2s."),
		}
	},
}
