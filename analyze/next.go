package analyze

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// maxNext is how many commands are given: what decides, not all that could be collected.
const maxNext = 3

// next are commands to run next.
type next []model.NextStep

// add takes a command where it may be typed, it is of use, and there is room: what it decides, and by turns what it shows and what to do then.
func (n *next) add(ok bool, command, decides string, answers ...string) {
	if !ok || command == "" || len(*n) == maxNext {
		return
	}
	s := model.NextStep{Command: command, Decides: decides}
	for pair := range slices.Chunk(answers, 2) {
		s.Answers = append(s.Answers, model.NextAnswer{If: pair[0], Then: pair[1]})
	}
	*n = append(*n, s)
}

// nextSteps are commands that decide what is open: none for a cause that is settled, or where the bundle has more than they would show now.
func nextSteps(c *wait.Case, i model.Incident) []model.NextStep {
	primary, over := i.Causes[0], c.Ended().Known()
	done := over || primary.ID == model.CauseHandover
	told := c.MountFailing() == nil && !c.Thin()
	var n next
	if node := c.LiveTaint(); node != "" {
		n.liveTaint(node)
		return n
	}
	if c.TaintedNow() != nil && primary.ID != model.CauseKubeletDown {
		n.tainted(i)
		return n
	}
	if cause.Settled(primary.Verdict, primary.Missing) || done && told {
		return nil
	}
	if shownOver(c) {
		pod := first(c.NewPods)
		n.add(true, cmp.Or(get(pod.Namespace, "pod", pod.Name, " -o wide"), "kubectl get pod -A | grep -e NAME -e ContainerCreating"), "whether it is over, as the text says",
			"Running and Ready, or no row", cmp.Or(unproven(c), "nothing is to be done now"),
			"ContainerCreating", "it waits still, or again: kubectl describe pod tells for what")
		return n
	}
	n.mount(c, i)
	if c.Taken {
		n.taken(c, i)
		return n
	}
	detachFails := primary.ID == model.CauseCloudDetachFailing || primary.ID == model.CauseDriverDetachError
	if detachFails && i.BlockingAttachment.Name != nil {
		n.add(named.MatchString(*i.BlockingAttachment.Name), "kubectl describe volumeattachment "+*i.BlockingAttachment.Name,
			"whether the detach fails still, and with which error",
			"Detach Error with a Time of now", "repair what it names, or let the storage detach there; restarting the attacher then skips its pause",
			"NotFound", "the detach went through: see what the volume waits for now")
	}
	if primary.ID == model.CauseRolloutSurge && primary.Verdict == model.Likely {
		n.strategy(c)
	}
	if over {
		n.add(c.Thin() || primary.ID == model.CauseNodeDown, `kubectl describe nodes | grep -e ^Name: -e '^  Ready '`,
			"whether a node was lost while the volume waited",
			"Ready not True, LastTransitionTime before the wait", "that node is lost: prove that its machine is off before it comes back",
			"Ready True, LastTransitionTime during or after the wait", "that node was lost and has come back",
			"no such row", "the Node was deleted, or no node was lost: the log of kube-controller-manager tells which")
	} else if c.Before {
		n.node(i)
	} else {
		n.waiting(c, i, detachFails)
	}
	return n
}

// unproven is what is left to do when a volume was taken by hand, or came from a node that is not Ready, and nothing shows how it left.
func unproven(c *wait.Case) string {
	if o := c.ByHand(); c.ListedNotReady() == nil && o != nil {
		return "something " + map[bool]string{true: "may have been", false: "was"}[wait.Unanswered(o)] + " forced by hand, and nothing shows that " + cmp.Or(c.From, "its old node") + " let go: see there that nothing has its device open or " +
			"mounted (findmnt, lsblk), and at the storage that no other machine has it; then check the data"
	}
	if c.ListedNotReady() == nil {
		return ""
	}
	return "nothing shows how the volume left " + c.From + ", which was not Ready: what ran there may still write until its machine is proven off. " +
		"Prove that before the node comes back, and check the data"
}

// waiting are the commands for a wait that goes on.
func (n *next) waiting(c *wait.Case, i model.Incident, detachFails bool) {
	primary := i.Causes[0]
	lost := primary.ID == model.CauseNodeDown && i.From.Node != "" // then the proof that its machine is off comes next, whatever its pods are
	shown := len(c.ListedGoing())+len(c.ListedRunning()) > 0 || c.KillFails() != nil
	if o := c.ForceDeleted(); o != nil && !(o.Deed() && toldBy(c, i) != "") {
		pod, _ := holder(c)
		n.forced(cmp.Or(o.Pod, o.Object, pod), i)
	}
	if o := c.EvictionRefused(); o != nil {
		n.add(o.Pod.Namespace != "" && typeable(o.Pod.Namespace, o.Pod.Name), "kubectl get pdb -n "+o.Pod.Namespace, "which disruption budget keeps pod "+
			o.Pod.Name+" from its eviction, so that it goes on to use the volume",
			"ALLOWED DISRUPTIONS 0", "no drain gets past it: have another replica Ready, or change the budget with its owner; the drain tries again by itself",
			"more than 0", "the next try of the drain succeeds")
	}
	if c.DetachedByHand() != nil {
		n.mounted(i)
	}
	storage, storageFirst := primary.ID == model.CauseStorageDisagrees, c.Unheld() != nil || inUseOnly(c) != "" || attachless(i)
	if storage && storageFirst {
		n.storage(c, i)
	}
	if name := i.BlockingAttachment.Name; name != nil && c.TaintLifted() != nil {
		n.add(named.MatchString(*name), "kubectl describe volumeattachment "+*name, "whether a detach began while "+c.From+" bore the out-of-service taint",
			"a Deletion Timestamp", "it did, and waits for no unmount: end what uses the volume on "+c.From+" before another node writes to it",
			"no Deletion Timestamp", "nothing is detached by it: the volume waits for the unmount, as ever")
	}
	if down := wait.ControllerDown(c.World, c.Volume); down != nil {
		n.controller(down)
	}
	if c.LetGo() {
		n.letGo(c)
	}
	if c.AttachTried() != nil && primary.ID != model.CauseStorageDisagrees {
		n.tried(c)
	}
	going := primary.ID == model.CauseAttachmentNotFinishing || c.DeletionShown()
	if name := i.BlockingAttachment.Name; name != nil && going {
		n.add(named.MatchString(*name), "kubectl describe volumeattachment "+*name, "whether the deletion of the attachment goes on",
			"Detach Error with a Time of now", "repair what it names; the detach is tried again by itself",
			"a Deletion Timestamp, no error", "nobody carries it out: see whether the controller of the driver and its external-attacher run",
			"NotFound", "it was detached: what ran on that node may write still, until its machine is proven off")
	}
	if c.KillFails() != nil {
		n.unstopped(c, i)
	}
	used := c.Variant == model.UsedByPods && c.DetachRefused() == nil && !lost
	if used && !shown && primary.ID != model.CauseStorageDisagrees {
		n.user(c)
	}
	if primary.ID == model.CauseOldPodNotFinished && len(c.ListedGoing()) > 0 {
		n.going(c)
	}
	if i.From.Node == "" && primary.ID == model.CauseNodeDown && primary.Verdict != model.Undecidable {
		n.lost(c)
	}
	if (len(*n) == 0 || !detachFails) && !c.ListedAttached() {
		n.attachment(c, i)
	}
	if storage && !storageFirst {
		n.storage(c, i)
	}
	if !c.LetGo() && !c.ListedReady() && c.ListedNotReady() == nil {
		n.node(i)
	}
	held := c.ListedAttached() && c.ListedReady() || c.DetachRefused() != nil
	n.add(held && !c.DeletionShown() && named.MatchString(i.From.Node),
		"kubectl get node "+i.From.Node+` -o jsonpath='{.status.volumesInUse}{"\n"}'`, "whether that node still has the volume mounted",
		"the volume is listed", "its kubelet has not unmounted it: look there for what holds the mount (findmnt, lsof), and at the kubelet's log",
		"it is not", "the detach is due: kubectl describe volumeattachment tells whether it was asked for and fails")
	waiting, _, _ := c.Waiting()
	events := "kubectl get events -A --field-selector reason=FailedAttachVolume"
	if pv := i.Volume.PersistentVolume; typeable("", pv) { // the events of a mount have other reasons
		events = "kubectl get events -A | grep -e NAME -e " + pv
	}
	n.add(len(waiting) == 0 && !lost, events, "which pod waits, and for which volume",
		"a Warning",
		"OBJECT is the pod that waits: its name against the user's tells a rolling update (another hash) from a shared claim",
		"no row", "the report is older than an hour: kubectl get pods -A shows what still waits")
	name := cmp.Or(i.Volume.PersistentVolume, i.Volume.VolumeHandle, i.BlockingAttachment.NoneBecause)
	n.add(!c.ListedAttached() && (name == "" || placeholder(name)), "kubectl get volumeattachment", "which node has that volume for Kubernetes",
		"its row", "NODE has it: look at its readiness and its pods; kubectl describe volumeattachment NAME tells whether a detach was asked for and fails",
		"no row of it", letGo(i))
}
