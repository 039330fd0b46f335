package analyze

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// maxNext is how many commands are given: what decides, not all that could be collected.
const maxNext = 3

// nextSteps are commands that decide what is open: none for a cause that is settled, or where the bundle has more than they would show now.
func nextSteps(c *wait.Case, i model.Incident) (out []model.NextStep) {
	primary, over := i.Causes[0], c.Ended().Known()
	done := over || primary.ID == model.CauseHandover
	told := c.MountFailing() == nil && !c.Thin()
	if cause.Settled(primary.Verdict, primary.Missing) || done && told {
		return nil
	}
	add := func(s model.NextStep, ok bool) {
		if ok && len(out) < maxNext {
			out = append(out, s)
		}
	}
	add(stepMount(c))
	if c.Taken {
		add(stepTaken(i))
		add(stepVersion(), true)
		return out
	}
	detachFails := primary.ID == model.CauseCloudDetachFailing || primary.ID == model.CauseDriverDetachError
	if detachFails {
		add(stepDetach(i))
	}
	if primary.ID == model.CauseRolloutSurge && primary.Verdict == model.Likely {
		add(stepStrategy(c))
	}
	if over {
		add(stepReadySince(), c.Thin() || primary.ID == model.CauseNodeDown)
	} else if c.Before {
		add(stepNode(i))
	} else {
		shown := len(c.ListedGoing())+len(c.ListedRunning()) > 0
		if c.Variant == model.UsedByPods && !shown && primary.ID != model.CauseStorageDisagrees {
			add(stepUser(c))
		}
		add(stepNodes(), i.From.Node == "" && primary.ID == model.CauseNodeDown && primary.Verdict != model.Undecidable)
		if (len(out) == 0 || !detachFails) && !c.ListedAttached() {
			add(stepAttachment(c, i))
		}
		if !c.ListedNode() {
			add(stepNode(i))
		}
		add(stepInUse(i), c.ListedAttached() && c.ListedReady() && named.MatchString(i.From.Node))
		add(stepEvents(c))
		if !c.ListedAttached() {
			add(stepAttachments(i))
		}
	}
	return out
}

// named are the names that Kubernetes gives objects; a name of any other form is not put into a command.
var named = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// typeable reports that the names of an object may stand in a command.
func typeable(namespace, name string) bool {
	in := namespace == "" || named.MatchString(namespace)
	return in && named.MatchString(name) && !placeholder(name)
}

// get is a command that reads objects; ok is false when a name is not fit for one.
func get(namespace, kind, name, output string) (command string, ok bool) {
	if !typeable(namespace, name) {
		return "", false
	}
	if namespace != "" {
		return "kubectl get " + kind + " -n " + namespace + " " + name + output, true
	}
	if kind == "pod" || kind == "deployment" {
		return "kubectl get " + kind + " -A" + output + " | grep -e NAME -e " + name, true
	}
	return "kubectl get " + kind + " " + name + output, true
}

func namespaceOf(pods ...[]model.Ref) string {
	for _, p := range slices.Concat(pods...) {
		if p.Namespace != "" {
			return p.Namespace
		}
	}
	return ""
}

// step is a command, what it decides, and what its answers mean: by turns what it shows, and what to do then.
func step(command, decides string, answers ...string) model.NextStep {
	s := model.NextStep{Command: command, Decides: decides}
	for pair := range slices.Chunk(answers, 2) {
		s.Answers = append(s.Answers, model.NextAnswer{If: pair[0], Then: pair[1]})
	}
	return s
}

// stepUser looks at the pod that the report names as the user of the volume.
func stepUser(c *wait.Case) (model.NextStep, bool) {
	if len(c.OldPods) == 0 {
		return model.NextStep{}, false
	}
	waiting, _, _ := c.Waiting()
	command, ok := get(namespaceOf(c.OldPods, waiting), "pod", c.OldPods[0].Name, " -o wide")
	stays := "it does not give the volume up by itself: the pods share the claim; run one replica, keep both on one node, or use storage " +
		"for several nodes"
	if one, differ := c.OneDeploymentByName(waiting); one && differ {
		stays = "the rolling update waits for itself: set strategy Recreate, or scale to 0 and back"
	}
	return step(command, "whether the pod that uses the volume stays, and on which node it is",
		"Running", stays,
		"Terminating or Unknown", "its node is lost, or the pod ends slowly: look at its node, and prove that the machine is off before anything is forced",
		"NotFound", "it has given the volume up since: the VolumeAttachment decides"), ok
}

// stepStrategy looks at the strategy of the Deployment that the names imply.
func stepStrategy(c *wait.Case) (model.NextStep, bool) {
	waiting, _, _ := c.Waiting()
	if len(c.OldPods) == 0 {
		return model.NextStep{}, false
	}
	name, generated := facts.DeploymentName(c.OldPods[0].Name)
	if !generated {
		return model.NextStep{}, false
	}
	command, ok := get(namespaceOf(c.OldPods, waiting), "deployment", name, " -o custom-columns=NAME:.metadata.name,STRATEGY:.spec.strategy")
	return step(command, "whether a rolling update starts the new pod before it stops the old one",
		"type RollingUpdate, maxSurge not 0",
		"it is the rolling update: set strategy Recreate, or scale to 0 and back; deleting the old pod stops what it serves",
		"type Recreate, or maxSurge 0", "it is not: the old pod is on its way out, or another workload uses the volume"), ok
}

// stepAttachment looks for the VolumeAttachments of the volume.
func stepAttachment(c *wait.Case, i model.Incident) (model.NextStep, bool) {
	pv := i.Volume.PersistentVolume
	if handle := i.Volume.VolumeHandle; pv == "" && named.MatchString(handle) && !placeholder(handle) {
		return step("kubectl get pv -o custom-columns=NAME:.metadata.name,CLAIM:.spec.claimRef.name,HANDLE:.spec.csi.volumeHandle | "+
			"grep -e NAME -e "+handle, "which PersistentVolume and claim the storage speaks of",
			"a row", "kubectl get volumeattachment shows by its NAME which node has it for Kubernetes",
			"no row", "the PersistentVolume was deleted: ask the storage which machine has the volume"), true
	}
	if !named.MatchString(pv) || placeholder(pv) {
		return model.NextStep{}, false
	}
	other := "another node"
	if c.To != "" {
		other = "a node other than " + c.To
	}
	return step("kubectl get volumeattachment | grep -e NAME -e "+pv, "which node has the volume for Kubernetes",
		"a row of "+other,
		"kubectl describe volumeattachment NAME: with a Deletion Timestamp the driver does not finish the detach; without, nothing has begun "+
			"it: look at the pods and the readiness of that node",
		"no row of "+other, "Kubernetes has let go: ask the storage which machine has the volume"), true
}

// stepAttachments looks for the VolumeAttachment of a volume whose name the step before tells.
func stepAttachments(i model.Incident) (model.NextStep, bool) {
	name := cmp.Or(i.Volume.PersistentVolume, i.Volume.VolumeHandle)
	return step("kubectl get volumeattachment", "which node has that volume for Kubernetes",
		"its row", "NODE has it: look at its readiness and its pods; kubectl describe volumeattachment NAME tells whether a detach was asked for and fails",
		"no row of it", "Kubernetes has let go: ask the storage which machine has the volume"), name == "" || placeholder(name)
}

// stepDetach looks at the error of a detach that fails.
func stepDetach(i model.Incident) (model.NextStep, bool) {
	if i.BlockingAttachment.Name == nil {
		return model.NextStep{}, false
	}
	return step("kubectl describe volumeattachment "+*i.BlockingAttachment.Name, "whether the detach fails still, and with which error",
		"Detach Error with a Time of now", "repair what it names, or let the storage detach there; restarting the attacher then skips its pause",
		"NotFound", "the detach went through: see what the volume waits for now"), named.MatchString(*i.BlockingAttachment.Name)
}

// stepTaken looks for pods whose volume was taken from under them.
func stepTaken(i model.Incident) (model.NextStep, bool) {
	return step("kubectl get pod -A -o wide --field-selector spec.nodeName="+i.From.Node, "whether the volume was in use when it was taken",
		"pods that run since before", "theirs was taken from under them: check its file system before they write again, then restart them",
		"no pod of the volume", "the node had been lost, or nobody used it: the force was due"), named.MatchString(i.From.Node)
}

// stepVersion asks for the version of the control plane.
func stepVersion() model.NextStep {
	return step("kubectl version", "whether this version has the known error",
		"the server's version has it", "every volume of that name is taken: stop the upgrade, and follow the issue",
		"another", "the name has another reason, such as a volume that was created by hand")
}

// stepNode looks at the node that holds the volume.
func stepNode(i model.Incident) (model.NextStep, bool) {
	command, ok := get("", "node", i.From.Node, "")
	gone := "the controller detaches six minutes after the pod is gone; prove that the machine is off before that is shortened"
	if i.Kind == model.KindFailingDetach {
		gone = "its detach fails until the storage counts the missing machine as detached; prove the machine off and the volume free there"
	}
	return step(command, "whether the node that holds the volume is lost",
		"Ready", "it ends pods and unmounts by itself: see which pod or mount keeps the volume there; force nothing",
		"NotReady", "it is lost or cut off: prove that the machine is off, then taint it out-of-service, which frees pod and volume",
		"NotFound", "the Node is gone: "+gone), ok
}

// stepNodes looks for the lost node of which nothing tells the name.
func stepNodes() model.NextStep {
	return step("kubectl get nodes", "which node is lost",
		"NotReady", "when it is the node of that pod: prove at the cloud or its console that the machine is off, then taint it: "+
			"kubectl taint node NODE "+upstream.OutOfServiceTaint+"=nodeshutdown:NoExecute",
		"all Ready", "no node is lost now: the pod ends slowly, or its volume cannot be unmounted")
}

// stepInUse asks a node that is Ready and has the volume attached whether it still uses it.
func stepInUse(i model.Incident) model.NextStep {
	return step("kubectl get node "+i.From.Node+` -o jsonpath='{.status.volumesInUse}{"\n"}'`, "whether that node still has the volume mounted",
		"the volume is listed", "its kubelet has not unmounted it: look there for what holds the mount (findmnt, lsof), and at the kubelet's log",
		"it is not", "the detach is due: kubectl describe volumeattachment tells whether it was asked for and fails")
}

// stepReadySince looks for a node whose readiness has changed since the wait, which is over.
func stepReadySince() model.NextStep {
	return step(`kubectl describe nodes | grep -e ^Name: -e '^  Ready '`, "whether a node was lost while the volume waited",
		"Ready not True, LastTransitionTime before the wait", "that node is lost: prove that its machine is off before it comes back",
		"Ready True, LastTransitionTime during or after the wait", "that node was lost and has come back",
		"no such row", "the Node was deleted, or no node was lost: the log of kube-controller-manager tells which")
}

// stepMount looks at the pod whose volume is attached and cannot be mounted.
func stepMount(c *wait.Case) (model.NextStep, bool) {
	if c.MountFailing() == nil || len(c.NewPods) == 0 {
		return model.NextStep{}, false
	}
	pod := c.NewPods[0]
	return step("kubectl describe pod -n "+pod.Namespace+" "+pod.Name, "whether the mount still fails",
		"FailedMount goes on",
		"the storage may still count another machine as the writer: ask it, and prove that machine to be off before its hold is released",
		"no FailedMount, and not Running",
		"that proves nothing from Kubernetes 1.28 on, where the kubelet tells of a wait for volumes in its log only: Error syncing pod",
		"Running", "it has healed"), pod.Namespace != "" && typeable(pod.Namespace, pod.Name)
}

// stepEvents lists the reports themselves, where neither volume nor pod has a name to look for.
func stepEvents(c *wait.Case) (model.NextStep, bool) {
	if len(c.NewPods) > 0 {
		return model.NextStep{}, false
	}
	return step("kubectl get events -A --field-selector reason=FailedAttachVolume", "which pod waits, and for which volume",
		"rows with Multi-Attach",
		"OBJECT is the pod that waits: its name against the user's tells a rolling update (another hash) from a shared claim",
		"no row", "the report is older than an hour: kubectl get pods -A shows what still waits"), true
}
