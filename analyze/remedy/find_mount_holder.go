package remedy

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var findMountHolder = Remedy{
	ID: "find-mount-holder", Title: "Find what holds the mount on the old node, and end it",
	Doc: Doc{
		Does: "The kubelet tries the unmount again by itself, with pauses that double from half a second to 2 min 2 s. The first try after the holder has ended succeeds; the node's next status says so, and the controller detaches " +
			"without force.",
		DoesNot:    "It does not help where the storage does not answer: then nothing holds the mount, and the call hangs.",
		Risk:       "The holder is a process of somebody: a backup, a shell, a scanner. What it was doing on the volume is cut off.",
		References: []string{"kubelet: exponential back-off of volume operations, 500 ms to 2 min 2 s (pkg/util/goroutinemap/exponentialbackoff, 1.13–1.36)", "umount(2): EBUSY"},
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
	From:   func(i *Incident) float64 { return i.of(i.Case.Released.At) + unmountSlow },
	Change: acting(replay.EndHolder),
	Acts:   []replay.ActKind{replay.EndHolder},
	Steps: func(i *Incident) []model.Step {
		path, _ := i.Case.HeldMount()
		if !strings.HasPrefix(path, "/") {
			path = ""
		}
		elsewhere := prove("on "+i.oldNode()+", see which processes have it in a mount namespace of their own, such as containers", "grep", "-l", path)
		if elsewhere.Command != "" {
			elsewhere.Command += " /proc/[0-9]*/mountinfo"
		}
		return []model.Step{
			prove("on "+i.oldNode()+", see who holds the mount", "fuser", "-vm", path),
			prove("on "+i.oldNode()+", see which files are open in it", "lsof", "+f", "--", path),
			prove("on "+i.oldNode()+", see what is mounted below it", "findmnt", "--submounts", "--target", path),
			elsewhere,
			act("end what holds it as its owner would (systemctl stop, umount, kill); the kubelet unmounts with its next try, within 2 min 2 s"),
		}
	},
}
