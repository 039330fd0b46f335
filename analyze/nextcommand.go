package analyze

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// unstopped asks the node whose kubelet cannot stop a pod.
func (n *next) unstopped(c *wait.Case, i model.Incident) {
	pod := c.OldPods[0]
	n.add(typeable("", pod.Name), "crictl ps | grep -e NAME -e "+pod.Name, "on "+cmp.Or(i.From.Node, "the node of pod "+pod.Name)+", whether its containers still run",
		"a container Running", "stop it there (crictl stop ID); where the runtime does not answer, see systemctl status containerd and restart it: the kubelet tries again by itself",
		"no container", "it has stopped, and its sandbox or its network cannot be taken down: crictl pods, and the kubelet's log",
		"no answer", "the container runtime hangs: restart it, or the machine; delete no pod by force before its containers are gone")
}

// named are the names that Kubernetes gives objects; a name of any other form is not put into a command.
var named = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// typeable reports that the names of an object may stand in a command.
func typeable(namespace, name string) bool {
	in := namespace == "" || named.MatchString(namespace)
	return in && named.MatchString(name) && !placeholder(name)
}

// get is a command that reads objects; "" when a name is not fit for one.
func get(namespace, kind, name, output string) string {
	if !typeable(namespace, name) {
		return ""
	}
	if namespace != "" {
		return "kubectl get " + kind + " -n " + namespace + " " + name + output
	}
	if kind == "pod" || kind == "deployment" {
		return "kubectl get " + kind + " -A" + output + " | grep -e NAME -e " + name
	}
	return "kubectl get " + kind + " " + name + output
}

// controller looks at the driver's controller that a row shows not to run: nothing that the volume waits for can be done before it does.
func (n *next) controller(down *model.Observation) {
	o := cmp.Or(down.Pod, down.Object)
	kind, answers := strings.ToLower(o.Kind), []string{
		"0 desired", "it was scaled down: ask who did and why, then scale it up to what it had",
		"wanted and not Ready", "repair that first, as its events and the log of its pods say; the detach is tried again by itself"}
	if kind == "pod" {
		answers = []string{
			"not Running, or not all READY", "repair that first, as its events and its log say (kubectl logs --all-containers --previous); the detach is tried again by itself",
			"Running, all READY", "it works again: see whether the volume still waits"}
	}
	command := get(o.Namespace, kind, o.Name, " -o wide")
	if o.Namespace != "" && command != "" {
		command = "kubectl describe " + kind + " -n " + o.Namespace + " " + o.Name
	}
	n.add(true, command, "why "+wait.DownText(down)+": without its driver's controller nothing is attached or detached", answers...)
}

// holder is the first pod that has the volume, in its namespace as far as any of them tells it.
func holder(c *wait.Case) (pod model.Ref, waiting []model.Ref) {
	waiting, _, _ = c.Waiting()
	for _, p := range slices.Concat(c.OldPods, waiting) {
		pod.Namespace = cmp.Or(pod.Namespace, p.Namespace)
	}
	pod.Name = first(c.OldPods).Name
	return pod, waiting
}

// first is the first of some pods, nameless where there is none.
func first(pods []model.Ref) model.Ref { return append(slices.Clip(pods), model.Ref{})[0] }

// user looks at the pod that the report names as the user of the volume.
func (n *next) user(c *wait.Case) {
	pod, waiting := holder(c)
	stays := "it does not give the volume up by itself: the pods share the claim; run one replica, keep both on one node, or use storage " +
		"for several nodes"
	if one, differ := c.OneDeploymentByName(waiting); one && differ {
		stays = "the rolling update waits for itself: set strategy Recreate, or scale to 0 and back"
	}
	if len(waiting) == 0 {
		stays = "it does not give the volume up by itself: a rolling update waits for itself (set strategy Recreate), or pods share the claim (run one replica)"
	}
	n.add(pod.Name != "", get(pod.Namespace, "pod", pod.Name, " -o wide"), "whether the pod that uses the volume stays, and on which node it is",
		"Running", stays,
		"Terminating or Unknown", "its node is lost, or the pod ends slowly: look at its node, and prove that the machine is off before anything is forced",
		"NotFound", "it has given the volume up since: the VolumeAttachment decides")
}

// going looks at the pod that is being deleted on a node that works: what it still does decides, and it is let go by itself.
func (n *next) going(c *wait.Case) {
	pod, _ := holder(c)
	n.add(pod.Namespace != "" && typeable(pod.Namespace, pod.Name), "kubectl describe pod -n "+pod.Namespace+" "+pod.Name, "why the old pod does not end",
		"Termination Grace Period not over", "let it stop: by force, what it still writes is at risk",
		"Killing or preStop that fails, grace period over", "its containers do not stop: see its log, and on its node what holds them",
		"no container Running", "its volume cannot be unmounted, or a finalizer holds it: the kubelet's log on its node tells which")
}

// letGo looks whether a volume came that the old node has let go.
func (n *next) letGo(c *wait.Case) {
	waiting, _, _ := c.Waiting()
	pod := first(waiting)
	n.add(pod.Namespace != "" && typeable(pod.Namespace, pod.Name), "kubectl describe pod -n "+pod.Namespace+" "+pod.Name,
		"whether the volume came since: its old node has let it go",
		"SuccessfulAttachVolume, or Ready", "it came: what the pod waits for after that is another matter",
		"FailedAttachVolume after the detach", "that error is what it waits for now",
		"neither", "the attach was not tried: see the log of kube-controller-manager, and whether the driver's controller runs")
}

// strategy looks at the strategy of the Deployment, or DeploymentConfig, that the names imply.
func (n *next) strategy(c *wait.Case) {
	pod, waiting := holder(c)
	kind, rolling, name := "deploymentconfig", "Rolling", c.DeploymentConfig(waiting)
	if name == "" {
		kind, rolling = "deployment", "RollingUpdate"
		name, _ = facts.DeploymentName(pod.Name)
	}
	n.add(name != "", get(pod.Namespace, kind, name, " -o custom-columns=NAME:.metadata.name,STRATEGY:.spec.strategy"),
		"whether a rolling update starts the new pod before it stops the old one",
		"type "+rolling+", maxSurge not 0",
		"it is the rolling update: set strategy Recreate, or scale to 0 and back; deleting the old pod stops what it serves",
		"type Recreate, or maxSurge 0", "it is not: the old pod is on its way out, or another workload uses the volume")
}

// nodesAttached is the controller's own record of what is attached, in the Nodes.
const nodesAttached = "kubectl get nodes -o custom-columns='NAME:.metadata.name,ATTACHED:.status.volumesAttached[*].name'"

// attachless reports a volume that has no VolumeAttachment by design.
func attachless(i model.Incident) bool { return i.BlockingAttachment.NoneBecause != "" }

// attachment looks for the VolumeAttachments of the volume.
func (n *next) attachment(c *wait.Case, i model.Incident) {
	if attachless(i) {
		n.add(len(*n) == 0 || i.From.Node == "", nodesAttached, "which node has the volume for Kubernetes: "+i.BlockingAttachment.NoneBecause,
			"a node lists it", "the controller counts it there: look at that node's readiness and its pods",
			"none lists it", "Kubernetes has let go: ask the storage which machine has the volume")
		return
	}
	pv, handle := i.Volume.PersistentVolume, i.Volume.VolumeHandle
	n.add(pv == "" && typeable("", handle), "kubectl get pv -o custom-columns=NAME:.metadata.name,CLAIM:.spec.claimRef.name,HANDLE:.spec.csi.volumeHandle | "+
		"grep -e NAME -e "+handle, "which PersistentVolume and claim the storage speaks of",
		"a row", "kubectl get volumeattachment shows by its NAME which node has it for Kubernetes",
		"no row", "the PersistentVolume was deleted: ask the storage which machine has the volume")
	other := "another node"
	if c.To != "" {
		other = "a node other than " + c.To
	}
	n.add(typeable("", pv), "kubectl get volumeattachment | grep -e NAME -e "+pv, "which node has the volume for Kubernetes",
		"a row of "+other,
		"kubectl describe volumeattachment NAME: with a Deletion Timestamp the driver does not finish the detach; without, nothing has begun "+
			"it: look at the pods and the readiness of that node",
		"no row of "+other, letGo(i))
}

// letGo is what it means that no VolumeAttachment has the volume: only volumes of CSI have one.
func letGo(i model.Incident) string {
	if i.Volume.Driver != "" {
		return "Kubernetes has let go: ask the storage which machine has the volume"
	}
	return "Kubernetes has let go, if it is a CSI volume: ask the storage which machine has it; others have no row: see status.volumesAttached of the nodes"
}

// lost asks for the node that is lost: the only one that is shown to be not Ready, or the one that an author names.
func (n *next) lost(c *wait.Case) {
	running := " lost now: the pod ends slowly, or its volume cannot be unmounted"
	down := func(node string) string {
		return "when it is the node of that pod: prove at the cloud or its console that the machine is off, then taint it: " +
			"kubectl taint node " + node + " " + upstream.OutOfServiceTaint + "=nodeshutdown:NoExecute"
	}
	node, as := "", ""
	if o := c.Told(model.SaidNodeOff); o != nil {
		node, as = o.Node, "as the author writes"
	}
	switch shown := c.LostNodes(); {
	case len(shown) == 1:
		node, as = shown[0].Node, "as it was shown" // whatever the author calls it
	case len(shown) > 1 && !slices.ContainsFunc(shown, func(o *model.Observation) bool { return o.Node == node }):
		node = ""
	}
	if node != "" && typeable("", node) {
		n.add(true, get("", "node", node, ""), "whether "+node+" is lost, "+as,
			"NotReady", down(node), "Ready", "it is not"+running, "NotFound", "it has another name: kubectl get nodes")
		return
	}
	n.add(true, "kubectl get nodes", "which node is lost", "NotReady", down("NODE"), "all Ready", "no node is"+running)
}

// storage asks which machine has the volume for the storage that refuses it to another.
func (n *next) storage(c *wait.Case, i model.Incident) {
	refusals := slices.Concat(c.AttachErrors(), c.Reports)
	none := "the storage has let go: the next try succeeds"
	free, runs := "detach it there: the attach is tried again by itself", "end what uses the volume on it, then detach it there: nothing proves that it does not write"
	if slices.ContainsFunc(refusals, func(o *model.Observation) bool { return upstream.Throttled(o.Detail) }) {
		free += "; the cloud limits how often it may be asked, so restart nothing to hurry it"
		none = "the storage has let go: the next try that the cloud lets through succeeds"
	}
	machine := func(id, ask string) {
		n.add(true, ask, "whether "+id+" runs, which has the volume for the storage", "off, stopped, deallocated or terminated", free, "running", runs)
	}
	for _, o := range refusals {
		if id := shownHolder(c, o); upstream.AskMachine(id) != "" {
			machine(id, upstream.AskMachine(id))
			return
		}
	}
	said := facts.Each(refusals, func(o *model.Observation) string { return o.Detail })
	ask, decides := upstream.AskStorage(i.Volume.Driver, cmp.Or(i.Volume.VolumeHandle, i.Volume.PersistentVolume), said...), "which machine has the volume for the storage"
	if o := c.Unheld(); o != nil {
		ask = cmp.Or(ask, get("", "pv", i.Volume.PersistentVolume, " -o custom-columns=DRIVER:.spec.csi.driver,HANDLE:.spec.csi.volumeHandle"))
		decides += ", asked by this handle: a VolumeAttachment lost its finalizer by hand, so that nobody told it to detach"
	}
	if inUseOnly(c) != "" {
		none = "see whether a snapshot or a task of the storage has the volume; if nothing does, the next try succeeds"
	}
	n.add(true, ask, decides,
		"a machine that is off or gone", free, "a machine that runs", runs, "none", none)
	for _, text := range said {
		if id := upstream.HolderNamed(text); len(*n) < maxNext && id != "" {
			machine(id, cmp.Or(upstream.AskMachine(id), upstream.AskMachine(text)))
			return
		}
	}
}

// forced looks on the old node for the containers of a pod that was deleted by force: the API stops none of them, and its object no longer tells.
func (n *next) forced(pod model.Ref, i model.Incident) {
	n.add(typeable("", pod.Name), "crictl ps | grep -e NAME -e "+pod.Name, "on "+cmp.Or(i.From.Node, "the node that it was on")+", whether containers of pod "+
		pod.Name+" still run: deleting it by force waits for none to stop, and if one still writes when the volume moves, two nodes do",
		"a container Running", "stop it there (crictl stop ID) or power the machine off, within six minutes of the deletion: then the controller takes "+
			"the volume from a node that is not Ready, whatever runs there",
		"none, and the volume is not in /proc/mounts", "nothing there writes: the volume is detached when the kubelet reports that, which has to run for it",
		"the machine cannot be reached", "prove at its console that it is off before anything takes the volume")
}

// mounted looks whether the old node still has the volume that somebody took from it by hand.
func (n *next) mounted(i model.Incident) {
	name := cmp.Or(i.Volume.PersistentVolume, i.Volume.VolumeHandle)
	n.add(typeable("", name), "findmnt -rn | grep "+name, "on "+cmp.Or(i.From.Node, "its old node")+", whether the volume is still mounted there: a detach by hand "+
		"goes past its driver, and waits for no unmount",
		"a row", "end what uses it and unmount it, or power that machine off, before another node writes to the volume",
		"none", "nothing there writes through it; ask the storage which machine has it before it is attached elsewhere",
		"the machine cannot be reached", "prove at its console that it is off before anything else is done to the volume")
}

// liveTaint looks at a node that is Ready and bears the out-of-service taint.
func (n *next) liveTaint(node string) {
	n.add(typeable("", node), "kubectl get pod -A -o wide --field-selector spec.nodeName="+node, "which pods still run on "+node+
		": it is Ready and bears the out-of-service taint, which evicts them and has their volumes detached without waiting for the unmount",
		"pods with volumes", "take the taint off before they move: kubectl taint node "+node+" "+upstream.OutOfServiceTaint+"-",
		"none with the volume", "take the taint off all the same, and see on "+node+" that nothing has the volume mounted (findmnt, crictl ps) before its "+
			"data are trusted elsewhere")
}

// tainted asks what keeps a volume on a node that bears the out-of-service taint: its pods, which pod GC deletes within 20 s, or the detach.
func (n *next) tainted(i model.Incident) {
	command := "kubectl get volumeattachment"
	if attachless(i) {
		command = nodesAttached
	}
	if name := i.BlockingAttachment.Name; name != nil && named.MatchString(*name) {
		command = "kubectl describe volumeattachment " + *name
	}
	n.add(true, command, "what the detach waits for: "+i.From.Node+" bears the out-of-service taint already, which frees pods and volumes within a minute",
		"NotFound, or no row", "the detach went through",
		"a Deletion Timestamp", "the detach was asked for: see that the driver's external-attacher runs, and what its log says",
		"none, minutes after the taint", "a pod on the node tolerates the taint, or the controller does not act on it: Kubernetes does since 1.26")
}

// taken looks for a reason of the force, for pods whose volume was taken from under them, and at the version of the control plane.
func (n *next) taken(c *wait.Case, i model.Incident) {
	n.add(true, get("", "node", i.From.Node, ""), "whether the node was lost, from which the controller takes a volume after six minutes",
		"Ready, for longer than that", "nothing was wrong with the node: what its pods use is taken from under them",
		"NotReady, or NotFound", "it is lost, and the force was due: prove that the machine is off before it comes back")
	n.add(named.MatchString(i.From.Node), "kubectl get pod -A -o wide --field-selector spec.nodeName="+i.From.Node,
		"whether the volume was in use when it was taken",
		"pods that run since before", "theirs was taken from under them: check its file system before they write again, then restart them",
		"no pod of the volume", "nobody used it")
	bug, marked := upstream.BugOf(c.Volume.UniqueName)
	n.add(marked, "kubectl version", "whether the "+bug.Component+" is "+bug.Versions,
		"it is", "every volume of that name is taken: stop the upgrade, and follow "+bug.Reference,
		"another", "the name has another reason, such as a volume that was created by hand")
}

// node looks at the node that holds the volume.
func (n *next) node(i model.Incident) {
	gone := "the controller detaches six minutes after the pod is gone; prove that the machine is off before that is shortened"
	if i.Kind == model.KindFailingDetach {
		gone = "its detach fails until the storage counts the missing machine as detached; prove the machine off and the volume free there"
	}
	n.add(named.MatchString(i.From.Node), "kubectl describe node "+i.From.Node, "whether the node that holds the volume is lost",
		"Ready True", "it ends pods and unmounts by itself: see which pod or mount keeps the volume there; force nothing",
		"Ready False or Unknown", "it is lost or cut off: prove at its cloud (by its ProviderID), hypervisor or BMC that the machine is off, then taint it out-of-service, "+
			"which frees pod and volume",
		"NotFound", "the Node is gone: "+gone)
}

// tried looks at the attach that fails since the volume is free.
func (n *next) tried(c *wait.Case) {
	pod := first(c.NewPods)
	repair := "repair what it names; the attach is tried again by itself"
	if upstream.AttachLimit(c.AttachTried().Detail) {
		repair = "the machine is full: move another pod with a volume away from " + cmp.Or(c.To, "that node") + ", or let this pod start on another node"
	}
	n.add(pod.Namespace != "" && typeable(pod.Namespace, pod.Name), "kubectl describe pod -n "+pod.Namespace+" "+pod.Name, "whether the attach still fails, and with which error",
		"AttachVolume.Attach failed goes on", repair,
		"Multi-Attach error again", "another node has it again: kubectl get volumeattachment tells which",
		"SuccessfulAttachVolume", "the volume has come")
}

// mount looks at the pod whose volume is attached and cannot be mounted.
func (n *next) mount(c *wait.Case, i model.Incident) {
	if c.MountFailing() == nil || len(c.NewPods) == 0 {
		return
	}
	pod, going := c.NewPods[0], "the storage may still count another machine as the writer: ask it, and prove that machine to be off before its hold is released"
	if repair := check.Repair(c.MountFailing()); repair != "" {
		going = repair
	}
	n.add(pod.Namespace != "" && typeable(pod.Namespace, pod.Name), "kubectl describe pod -n "+pod.Namespace+" "+pod.Name, "whether the mount still fails",
		"FailedMount goes on", going,
		"no FailedMount, and not Running",
		"that proves nothing from Kubernetes 1.28 on, where the kubelet tells of a wait for volumes in its log only: Error syncing pod",
		"Running", "it has healed")
	n.add(true, upstream.AskStorage(i.Volume.Driver, i.Volume.VolumeHandle, c.MountFailing().Detail), "which machine has the volume for the storage",
		"another than "+cmp.Or(c.To, "the pod's node"), "when it is proven to be off, let the storage release it there: the mount is tried again by itself",
		"none but it", "nothing else holds it: the text of the mount and that node's kernel log tell why it fails")
}
