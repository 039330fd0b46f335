package wait_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// TestSignsOfLife: what shows that the old node's kubelet lived while its node was lost, and what it said of itself.
func TestSignsOfLife(t *testing.T) {
	event := model.SourceEvent
	said := func(c *wait.Case) any { return cited(c.KubeletNotReady()) }
	down := func(c *wait.Case) any { return cited([]*model.Observation{c.DeclaredShutdown()}) }
	alive := func(c *wait.Case) any { return cited(c.KubeletAlive()) }
	through := func(c *wait.Case) any { return cited([]*model.Observation{c.RanThrough()}) }
	unknown := func(c *wait.Case) any { return c.DeclaredUnknown() }
	reasons := func(c *wait.Case) any { return cited(c.KubeletReasons()) }
	kubelet := component("kubelet")
	falseAt := func(at float64, about ...any) *model.Observation {
		return of(model.NodeNotReady, at, append(about, "node-a", detail("False"))...)
	}
	unknownAt := func(at float64) *model.Observation { return of(model.NodeNotReady, at, "node-a", detail("Unknown")) }
	lost, back := unknownAt(-100), of(model.NodeReady, 200, "node-a")
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	renewed := func(at float64, how string) *model.Observation {
		return of(model.NodeHeartbeat, at, "node-a", detail(how))
	}
	filed := func(o *model.Observation) *model.Observation { o.Source.Path = "objects"; return o }
	boot := func(at float64) *model.Observation {
		return of(model.KubernetesEvent, at, "node-a", event, detail("Rebooted"))
	}
	shutting := func(o *model.Observation) *model.Observation { o.Quote = mask.Quote("node is shutting down"); return o }
	ran := func(at float64, how ...func(*corev1.Pod)) *corev1.Pod {
		return podOf(model.PodRef("kube-system", "proxy", "u-proxy"), "node-a", append(how, func(p *corev1.Pod) {
			state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: made(at)}}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: state}}
		})...)
	}
	unsaid := podOf(oldPod, "node-a", func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	})
	unwell := func(at float64) *model.Observation { return of(model.KubeletUnwell, at, "node-a", detail("PLEG")) }
	cut := func(at float64) *model.Observation { return of(model.KubeletCutOff, at, "node-a") }
	ofNode := func(status corev1.ConditionStatus, message string) *corev1.Node {
		return nodeOf("node-a", condition(status, -100), func(n *corev1.Node) {
			n.Status.Conditions[0].Message,
				n.Status.Conditions[0].Reason = message, "x"
		})
	}
	stuck := func(kind model.Kind, by string) *model.Observation {
		return of(kind, 50, "node-a", component(by), model.PodRef("prod", "web", "u-web"))
	}
	askRows(t, []row{
		{"the kubelet said so", things{falseAt(-100)}, said, "node-not-ready@-100"},
		{"ten seconds later again", things{falseAt(-100), falseAt(-90)}, said, "node-not-ready@-100, node-not-ready@-90"},
		{"then later it is another matter", things{falseAt(-100), falseAt(-89.9)}, said, "node-not-ready@-100"},
		{"another node's did", things{lost, of(model.NodeNotReady, -100, "node-c", detail("False"))}, said, ""},
		{"and then it fell silent", things{falseAt(-100), unknownAt(-50)}, said, ""},
		{"it had been silent before", things{unknownAt(-300), of(model.NodeReady, -200, "node-a"), falseAt(-100)}, said, "node-not-ready@-100"},
		{"it fell silent after the wait", things{falseAt(-100), attached, unknownAt(100)}, said, ""},
		{"but had been back", things{falseAt(-100), of(model.NodeReady, 40, "node-a"), attached, unknownAt(100)}, said, "node-not-ready@-100"},
		{"a pod's row says nothing of its node", things{falseAt(-100), falseAt(-99, oldPod)}, said, "node-not-ready@-100"},
		{"a row without a time", things{falseAt(-100), timeless(falseAt(0))}, said, "node-not-ready@-100"},
		{"it is shutting down", things{shutting(falseAt(-100))}, said, ""},

		{"a line says that it shuts down", things{shutting(falseAt(-100))}, down, "node-not-ready@-100"},
		{"of something else", things{shutting(of(model.NodeHeartbeat, -100, "node-a"))}, down, "nil"},
		{"with another message", things{falseAt(-100)}, down, "nil"},
		{"six hours and more before", things{shutting(falseAt(-21601)), lost}, down, "nil"},
		{"of a pod on it", things{lost, shutting(falseAt(-90, oldPod))}, down, "nil"},
		{"its condition says so", things{lost, ofNode("False", "node is shutting down")}, down, "node-a status.conditions[0].message"},
		{"a condition that is not False", things{lost, ofNode("Unknown", "node is shutting down")}, down, "nil"},
		{"a condition with another message", things{lost, ofNode("False", "PLEG is not healthy")}, down, "nil"},

		{"a Lease that it renewed", things{lost, back, renewed(-40, "lease")}, alive, "node-heartbeat@-40"},
		{"within a minute of the loss it was in a queue", things{lost, back, renewed(-40.1, "lease")}, alive, ""},
		{"the condition", things{lost, back, renewed(0, "condition")}, alive, "node-heartbeat@0"},
		{"of a Node that has heard nothing since", things{lost, ofNode("Unknown", ""), filed(renewed(0, "condition"))}, alive, ""},
		{"of one that its kubelet calls unwell", things{lost, ofNode("False", ""), filed(renewed(0, "condition"))}, alive, "node-heartbeat@0"},
		{"a Lease beside it", things{lost, ofNode("Unknown", ""), filed(renewed(0, "lease"))}, alive, "node-heartbeat@0"},
		{"what the controller says of it", things{lost, back, renewed(0, "")}, alive, ""},
		{"after it was back", things{lost, back, renewed(201, "lease")}, alive, ""},
		{"of a node that was not lost", things{renewed(0, "lease")}, alive, ""},
		{"by the last of many", things{lost, times(5, 0, renewed(-90, "lease"))}, alive, "node-heartbeat@-90"},
		{"it found a new boot", things{lost, renewed(0, "lease"), boot(10)}, alive, ""},
		{"before the loss", things{lost, renewed(0, "lease"), boot(-101)}, alive, "node-heartbeat@0"},
		{"a kubelet that is unwell lives", things{lost, unwell(0)}, alive, "kubelet-unwell@0"},
		{"its events and lines", things{lost, stuck(model.PodKilling, "kubelet"), stuck(model.MountFailed, "kubelet"),
			stuck(model.UnmountFailed, "kubelet")}, alive, "mount-failed@50, pod-killing@50, unmount-failed@50"},
		{"those of others", things{lost, stuck(model.PodKilling, "x"), stuck(model.MountFailed, "x"), stuck(model.UnmountFailed, "x")}, alive,
			""},
		{"its line about something else", things{lost, of(model.NodeTainted, 0, "node-a", kubelet)}, alive, ""},
		{"cut off, and already when the node was lost", things{lost, cut(-90), cut(0)}, alive, "kubelet-cut-off@0"},
		{"cut off only later", things{lost, cut(0)}, alive, ""},
		{"cut off six hours before", things{lost, cut(-21701), cut(0)}, alive, ""},
		{"in the order of time", things{lost, times(5, 50, renewed(-20, "lease")), unwell(0)}, alive, "kubelet-unwell@0, node-heartbeat@-20"},

		{"a container that ran since before", things{collected(300), lost, back, ran(-161)}, through,
			"proxy status.containerStatuses[0].state.running.startedAt"},
		{"since a minute before the loss", things{collected(300), lost, back, ran(-160)}, through, "nil"},
		{"of a pod that is being deleted", things{collected(300), lost, back, ran(-161, deletedAt(250))}, through, "nil"},
		{"a minute after the node was back", things{collected(260), lost, back, ran(-161)}, through,
			"proxy status.containerStatuses[0].state.running.startedAt"},
		{"collected earlier", things{collected(259), lost, back, ran(-161)}, through, "nil"},
		{"the node is not back", things{collected(300), lost, ran(-161)}, through, "nil"},
		{"it was not lost", things{collected(300), ran(-161)}, through, "nil"},
		{"nothing tells when it was collected", things{lost, back, ran(-161)}, through, "nil"},
		{"its kubelet found a new boot", things{collected(300), lost, back, boot(190), ran(-161)}, through, "nil"},
		{"another event of it", things{collected(300), lost, back, of(model.KubernetesEvent, 190, "node-a", event, detail("Starting")),
			ran(-161)}, through, "proxy status.containerStatuses[0].state.running.startedAt"},
		{"a line with that word", things{collected(300), lost, back, of(model.NodeTainted, 190, "node-a", detail("Rebooted")), ran(-161)},
			through, "proxy status.containerStatuses[0].state.running.startedAt"},
		{"a container that waits", things{collected(300), lost, back, ran(-161, func(p *corev1.Pod) {}),
			podOf(oldPod, "node-a", func(p *corev1.Pod) { p.Status.ContainerStatuses = []corev1.ContainerStatus{{}} })}, through,
			"proxy status.containerStatuses[0].state.running.startedAt"},
		{"only one that waits", things{collected(300), lost, back, podOf(oldPod, "node-a",
			func(p *corev1.Pod) { p.Status.ContainerStatuses = []corev1.ContainerStatus{{}} })}, through, "nil"},
		{"one whose beginning is not told", things{collected(300), lost, back, unsaid}, through, "nil"},

		{"Unknown", things{lost}, unknown, "true"},
		{"False", things{falseAt(-100)}, unknown, "false"},
		{"a heartbeat that was missed", things{falseAt(-100), of(model.NodeHeartbeatMissed, -105, "node-a")}, unknown, "true"},
		{"more than ten seconds before", things{falseAt(-100), of(model.NodeHeartbeatMissed, -110.1, "node-a")}, unknown, "false"},
		{"after it was back it says nothing", things{falseAt(-100), back, of(model.NodeHeartbeatMissed, 201, "node-a")}, unknown, "false"},
		{"the taint", things{falseAt(-100), of(model.NodeTainted, -95, "node-a", detail("node.kubernetes.io/unreachable:NoExecute"))}, unknown,
			"true"},
		{"the other taint", things{falseAt(-100), of(model.NodeTainted, -95, "node-a", detail("node.kubernetes.io/not-ready:NoExecute"))},
			unknown, "false"},
		{"the taint taken away", things{falseAt(-100), of(model.NodeUntainted, -95, "node-a",
			detail("node.kubernetes.io/unreachable:NoExecute"))}, unknown, "false"},
		{"of a pod that it missed", things{falseAt(-100), of(model.NodeHeartbeatMissed, -95, "node-a", oldPod)}, unknown, "false"},

		{"why, by its condition and its lines", things{lost, ofNode("False", "PLEG"), unwell(-120)}, reasons,
			"node-a status.conditions[0].message, node-a status.conditions[0].reason, kubelet-unwell@-120"},
		{"a condition that is Unknown", things{lost, ofNode("Unknown", "x")}, reasons, ""},
		{"a line five minutes before", things{lost, unwell(-400)}, reasons, "kubelet-unwell@-400"},
		{"earlier, it was another matter", things{lost, unwell(-400.1)}, reasons, ""},
		{"a line after it was back", things{lost, back, unwell(200)}, reasons, ""},
	})
}

// TestStops: what proves that a lost machine had stopped, or ran through.
func TestStops(t *testing.T) {
	event := model.SourceEvent
	stops := func(c *wait.Case) any {
		text := ""
		for _, s := range c.Stops() {
			text += fmt.Sprintf("[%s %s]", s.Why, proved(s.By))
		}
		return text
	}
	ran := func(c *wait.Case) any { return cited(c.RanOn()) }
	list := model.Listed{Kind: "Event", Namespace: "default"}
	ofIt := func(o *model.Observation) *model.Observation { o.Object.Kind = "Node"; return o }
	copyOf := func(boot string, status corev1.ConditionStatus, since float64, uid string) *corev1.Node {
		return nodeOf("node-a", condition(status, since), func(n *corev1.Node) { n.Status.NodeInfo.BootID, n.UID = boot, types.UID(uid) })
	}
	ofDisk := func(n *corev1.Node) *corev1.Node { n.Status.Conditions[0].Type = corev1.NodeDiskPressure; return n }
	unsaid := func(n *corev1.Node) *corev1.Node { n.Status.Conditions[0].LastTransitionTime = metav1.Time{}; return n }
	without := func(c *wait.Case) any { return fmt.Sprint(c.BackWithoutBoot()) }
	anew := func(c *wait.Case) any { return fmt.Sprint(c.BootedAnew()) }
	lost, back := of(model.NodeNotReady, -100, "node-a", detail("Unknown")), of(model.NodeReady, 200, "node-a")
	say := func(at float64, what string) *model.Observation {
		return of(model.KubernetesEvent, at, "node-a", event, detail(what), component("kubelet"))
	}
	taint := of(model.NodeTainted, 10, "node-a", detail("node.cloudprovider.kubernetes.io/shutdown:NoSchedule"))
	gone := change(of(model.NodeDeleted, 30, "node-a", event), func(o *model.Observation) {
		o.Quote = mask.Quote("Deleting node node-a because it does not exist in the cloud provider")
	})
	askRows(t, []row{
		{"a new boot", things{lost, say(50, "Rebooted")}, stops, "[its kubelet found a new boot of the machine 50 by kubernetes-event@50]"},
		{"before the loss", things{lost, say(-101, "Rebooted")}, stops, ""},
		{"another event", things{lost, say(50, "Starting")}, stops, ""},
		{"a log line of that text", things{lost, change(say(50, "Rebooted"), func(o *model.Observation) { o.Kind = model.NodeTainted })}, stops,
			""},
		{"of a pod on it", things{lost, change(say(50, "Rebooted"), func(o *model.Observation) { o.Pod = oldPod })}, stops, ""},
		{"of another node", things{lost, change(say(50, "Rebooted"), func(o *model.Observation) { o.Node = "node-c" })}, stops, ""},
		{"fenced", things{lost, say(50, "NodeRemediationCompleted")}, stops, "[a fencing agent had reset the machine 50 by kubernetes-event@50]"},
		{"the cloud's taint", things{lost, taint}, stops, "[the cloud's controller found the machine shut down 10 by node-tainted@10]"},
		{"the cloud does not know it", things{lost, gone}, stops,
			"[the cloud no longer knew the machine, and its controller deleted the Node for that 30 by node-deleted@30]"},
		{"the cloud deleted it for another reason", things{lost, of(model.NodeDeleted, 30, "node-a", event)}, stops, ""},
		{"two, the earlier first", things{lost, say(50, "Rebooted"), taint}, stops,
			"[the cloud's controller found the machine shut down 10 by node-tainted@10][its kubelet found a new boot of the machine 50 by " +
				"kubernetes-event@50]"},
		{"back, and no new boot is told", things{list, collected(300), lost, back, ofIt(say(210, "NodeReady"))}, without, "true"},
		{"back, and a new boot", things{list, collected(300), lost, back, ofIt(say(210, "NodeReady")), say(190, "Rebooted")}, without, "false"},
		{"not back", things{list, collected(300), lost, ofIt(say(210, "NodeReady"))}, without, "false"},
		{"back, and no Events of it", things{list, collected(300), lost, back}, without, "false"},
		{"without the list of Events", things{collected(300), lost, back, ofIt(say(210, "NodeReady"))}, without, "false"},
		{"an hour after it was back", things{list, collected(3800), lost, back, ofIt(say(210, "NodeReady"))}, without, "false"},
		{"less", things{list, collected(3799), lost, back, ofIt(say(210, "NodeReady"))}, without, "true"},
		{"Events from before the loss", things{list, collected(300), lost, back, ofIt(say(-101, "NodeReady"))}, without, "false"},
		{"Events of its pods", things{list, collected(300), lost, back, say(210, "NodeReady")}, without, "false"},
		{"an Event that names a pod", things{list, collected(300), lost, back,
			change(ofIt(say(210, "NodeReady")), func(o *model.Observation) { o.Pod = oldPod })}, without, "false"},
		{"a log line", things{list, collected(300), lost, back, change(ofIt(say(210, "NodeReady")),
			func(o *model.Observation) { o.Source.Kind = model.SourceLog })}, without, "false"},
		{"two copies with two boots", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "True", 200, "u")}, stops,
			"[two copies of the Node have different boot IDs 300 by node-a status.nodeInfo.bootID, node-a status.nodeInfo.bootID]"},
		{"two copies with one boot", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b1", "True", 200, "u")}, ran,
			"node-a status.nodeInfo.bootID, node-a status.nodeInfo.bootID"},
		{"two copies with one boot are no stop", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b1", "True", 200, "u")},
			stops, ""},
		{"two copies with two boots are no proof that it ran", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"),
			copyOf("b2", "True", 200, "u")}, ran, ""},
		{"of two Nodes of the name", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "True", 200, "v")}, stops, ""},
		{"the second Ready since before the loss", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"),
			copyOf("b2", "True", -100, "u")}, stops, ""},
		{"the first lost ten seconds before", things{collected(300), lost, copyOf("b1", "Unknown", -110, "u"), copyOf("b2", "True", 200, "u")},
			stops, "[two copies of the Node have different boot IDs 300 by node-a status.nodeInfo.bootID, node-a status.nodeInfo.bootID]"},
		{"the first lost earlier", things{collected(300), lost, copyOf("b1", "Unknown", -111, "u"), copyOf("b2", "True", 200, "u")}, stops, ""},
		{"the first lost after it was back", things{collected(300), lost, of(model.NodeReady, 100, "node-a"), copyOf("b1", "Unknown", 150, "u"),
			copyOf("b2", "True", 200, "u")}, stops, ""},
		{"the first says itself that it is not Ready", things{collected(300), lost, copyOf("b1", "False", -95, "u"),
			copyOf("b2", "True", 200, "u")}, stops, ""},
		{"the second is not Ready", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "False", 200, "u")}, stops, ""},
		{"one copy", things{collected(300), lost, copyOf("b2", "True", 200, "u")}, stops, ""},
		{"a copy without its boot", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("", "True", 200, "u")}, stops, ""},
		{"another condition", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), ofDisk(copyOf("b2", "True", 200, "u"))}, stops, ""},
		{"a time that is not told", things{collected(300), lost, unsaid(copyOf("b1", "Unknown", -95, "u")), copyOf("b2", "True", 200, "u")},
			stops, ""},
		{"of a node that was not lost", things{collected(300), copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "True", 200, "u")}, stops, ""},
		{"nothing tells when the copies are from", things{lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "True", 200, "u")}, stops,
			"[two copies of the Node have different boot IDs 0 by node-a status.nodeInfo.bootID, node-a status.nodeInfo.bootID]"},
		{"booted anew, by its kubelet", things{lost, back, say(190, "Rebooted")}, anew, "true"},
		{"booted anew, by its copies", things{collected(300), lost, copyOf("b1", "Unknown", -95, "u"), copyOf("b2", "True", 200, "u")}, anew, "true"},
		{"back with its boot", things{collected(300), lost, back, copyOf("b1", "Unknown", -95, "u"), copyOf("b1", "True", 200, "u")}, anew, "false"},
		{"back, and nothing of its boot", things{lost, back, say(190, "Starting")}, anew, "false"},
		{"the same process", things{lost, lasting(50, of(model.KubeletPaused, -110, "node-a"))}, ran, "kubelet-paused@-110"},
		{"another", things{lost, lasting(50, of(model.KubeletPaused, -90, "node-a"))}, ran, ""},
	})
}

// TestRemovals: the signs that a machine was taken away on purpose, that a Node was gone, and errors that say so.
func TestRemovals(t *testing.T) {
	audit, event := model.SourceAudit, model.SourceEvent
	removed := func(c *wait.Case) any { return proved(c.NodeRemoved()) }
	absent := func(c *wait.Case) any { return c.NodeAbsent() }
	removals := func(c *wait.Case) any {
		text := ""
		for _, r := range c.Removals() {
			text += fmt.Sprintf("[%s: %s %s]", r.Who, r.What, span(r.At))
		}
		return text
	}
	shut := func(c *wait.Case) any { return cited([]*model.Observation{c.ShutDown()}) }
	said := func(c *wait.Case) any { return cited([]*model.Observation{c.ListedNotReady()}) }
	machine := func(c *wait.Case) any { return len(c.MachineUnknown()) }
	vain := func(c *wait.Case) any { return cited(c.LookedUpInVain()) }
	deleted := func(at float64) *model.Observation { return of(model.NodeDeleted, at, "node-a", audit) }
	nodes := model.Listed{Kind: "Node"}
	tainted := func(key string) *corev1.Node {
		return nodeOf("node-a", func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: "other"}, {Key: key}} })
	}
	const shutdown = "node.cloudprovider.kubernetes.io/shutdown"
	spot := func(at float64, kind string) *model.Observation {
		return change(of(model.KubernetesEvent, at, "node-a", event, detail("SpotInterrupted"), component("karpenter")),
			func(o *model.Observation) { o.Object.Kind = kind })
	}
	missing := detail("node \"node-a\" not found")
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	askRows(t, []row{
		{"its Node was deleted", things{deleted(30)}, removed, "30 by node-deleted@30"},
		{"before the volume came to it", things{of(model.AttachSucceeded, -500, "node-a", volume), deleted(-600)}, removed, "unknown"},
		{"before its attachment was made", things{of(model.AttachmentCreated, -500, onA, audit), deleted(-600)}, removed, "unknown"},
		{"after the wait", things{attached, deleted(80)}, removed, "unknown"},
		{"it registered again before the wait", things{deleted(-600), of(model.NodeRegistered, -500, "node-a")}, removed, "unknown"},
		{"it was Ready again before the wait", things{deleted(-600), of(model.NodeReady, -500, "node-a")}, removed, "unknown"},
		{"a pod of it was", things{deleted(-600), of(model.NodeReady, -500, "node-a", oldPod)}, removed, "-600 by node-deleted@-600"},
		{"it registered again in the wait", things{deleted(-600), of(model.NodeRegistered, 10, "node-a")}, removed, "-600 by node-deleted@-600"},
		{"its Node was made again before the wait", things{deleted(-600),
			nodeOf("node-a", func(n *corev1.Node) { n.CreationTimestamp = made(-10) })}, removed, "unknown"},
		{"its Node was made again in the wait", things{deleted(-600), nodeOf("node-a", func(n *corev1.Node) { n.CreationTimestamp = made(0) })},
			removed, "-600 by node-deleted@-600"},
		{"its Node is older than the deletion", things{deleted(-600), nodeOf("node-a")}, removed, "-600 by node-deleted@-600"},
		{"nothing tells", things{}, removed, "unknown"},

		{"the list of Nodes lacks it", things{nodes, nodeOf("node-b")}, absent, "true"},
		{"the list has it", things{nodes, nodeOf("node-b"), nodeOf("node-a")}, absent, "false"},
		{"no list", things{nodeOf("node-b")}, absent, "false"},
		{"an empty list", things{nodes}, absent, "false"},
		{"no holder is known", things{change(report(), func(o *model.Observation) { o.Holders, o.Pods = nil, nil }), nodes, nodeOf("node-b")},
			absent, "false"},

		{"an event of the spot market", things{spot(-30, "Node")}, removals, "[Karpenter: event SpotInterrupted -30]"},
		{"about something else", things{spot(-30, "NodeClaim")}, removals, ""},
		{"six hours before", things{spot(-21601, "Node")}, removals, ""},
		{"without a time", things{timeless(spot(0, "Node"))}, removals, "[Karpenter: event SpotInterrupted unknown]"},
		{"of a pod", things{change(spot(-30, "Node"), func(o *model.Observation) { o.Pod = oldPod })}, removals, ""},
		{"a taint of an autoscaler", things{of(model.NodeTainted, -30, "node-a",
			detail("x=y:NoSchedule,ToBeDeletedByClusterAutoscaler=1:NoSchedule"))}, removals,
			"[the cluster autoscaler: taint ToBeDeletedByClusterAutoscaler -30]"},
		{"another taint", things{of(model.NodeTainted, -30, "node-a", detail("x=y:NoSchedule"))}, removals, ""},
		{"the taint of the object", things{tainted("ToBeDeletedByClusterAutoscaler")}, removals,
			"[the cluster autoscaler: taint ToBeDeletedByClusterAutoscaler unknown]"},
		{"a deletion by one who takes machines away",
			things{change(deleted(-30), func(o *model.Observation) { o.Actor = "system:serviceaccount:kube-system:cluster-autoscaler" })}, removals,
			"[the cluster autoscaler: deletion of the Node -30]"},
		{"a deletion by somebody", things{change(deleted(-30), func(o *model.Observation) { o.Actor, o.Agent = "admin", "kubectl/v1" })},
			removals, ""},

		{"the taint of its object says that it is shut down", things{tainted(shutdown)}, shut, "node-a spec.taints[1].key"},
		{"of a wait that is over", things{tainted(shutdown), attached}, shut, "nil"},
		{"another taint of the object", things{tainted("x")}, shut, "nil"},
		{"the taint's record", things{of(model.NodeTainted, 10, "node-a", detail(shutdown+":NoSchedule"))}, shut, "node-tainted@10"},
		{"that it was taken away", things{of(model.NodeUntainted, 10, "node-a", detail(shutdown+":NoSchedule"))}, shut, "nil"},
		{"after the wait was over", things{attached, of(model.NodeTainted, 71, "node-a", detail(shutdown+":NoSchedule"))}, shut, "nil"},
		{"more than six hours before", things{of(model.NodeTainted, -21601, "node-a", detail(shutdown+":NoSchedule"))}, shut, "nil"},

		{"a row says that it is not Ready", things{timeless(of(model.NodeNotReady, 0, "node-a"))}, said, "node-not-ready"},
		{"a record with a time", things{of(model.NodeNotReady, -10, "node-a")}, said, "nil"},
		{"a row of a pod", things{timeless(of(model.NodeNotReady, 0, "node-a", oldPod))}, said, "nil"},
		{"a row of something else", things{timeless(of(model.NodeTainted, 0, "node-a"))}, said, "nil"},

		{"the machine is not known", things{of(model.DetachFailed, 10, "node-a", volume, detail("not a vmss instance"))}, machine, "1"},
		{"another error", things{of(model.DetachFailed, 10, "node-a", volume, detail("rpc error: code = Internal"))}, machine, "0"},
		{"looked up in vain", things{of(model.DetachSafetySkipped, 5, "node-a", volume), of(model.NodeHealthUnknown, 10, "node-a", missing)},
			vain, "detach-safety-skipped@5, node-health-unknown@10"},
		{"after it was attached there again", things{attached, of(model.AttachSucceeded, 80, "node-a", volume),
			of(model.NodeHealthUnknown, 90, "node-a", missing)}, vain, ""},
	})
}

// TestSourceOfRefusals: what the attacher and the back end say of who has the volume.
func TestSourceOfRefusals(t *testing.T) {
	audit := model.SourceAudit
	elsewhere := func(c *wait.Case) any {
		return cited(c.RefusedElsewhere(wait.At(of(model.AttachmentGone, 60, onA))))
	}
	always := func(c *wait.Case) any { return cited(c.RefusedElsewhere(facts.Instant{})) }
	silent := func(c *wait.Case) any { return cited([]*model.Observation{c.AttacherSilent()}) }
	errors := func(c *wait.Case) any { return cited(c.AttachErrors()) }
	const used = "rpc error: code = FailedPrecondition desc = volume vol-1 is already attached to node node-a"
	failed := func(kind model.Kind, at float64, about ...any) *model.Observation {
		return of(kind, at, append([]any{volume, detail(used)}, about...)...)
	}
	request := of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))
	ended := of(model.AttachmentGone, 60, onA, audit)
	log := logOf("external-attacher", "attacher.log", 40, 200)
	attaching := within("attacher.log", of(model.AttacherAttaching, 66, onB))
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	askRows(t, []row{
		{"the controller tells of a refusal", things{failed(model.AttachFailed, 65, "node-b")}, elsewhere, "attach-failed@65"},
		{"before that time", things{failed(model.AttachFailed, 59, "node-b")}, elsewhere, ""},
		{"last after it", things{lasting(61, failed(model.AttachFailed, 59, "node-b"))}, elsewhere, "attach-failed@59"},
		{"at any time", things{failed(model.AttachFailed, 9, "node-b")}, always, "attach-failed@9"},
		{"an echo of an attachment that is older", things{of(model.AttachmentCreated, 55, onB, audit), failed(model.AttachFailed, 65, "node-b")},
			elsewhere, ""},
		{"of one that is newer it is none", things{of(model.AttachmentCreated, 61, onB, audit), failed(model.AttachFailed, 65, "node-b")},
			elsewhere, "attach-failed@65"},
		{"the attacher's own word is none", things{of(model.AttachmentCreated, 55, onB, audit), failed(model.AttacherFailed, 65, onB)}, elsewhere,
			"attacher-failed@65"},
		{"another error", things{of(model.AttachFailed, 65, "node-b", volume, detail("rpc error: code = Internal"))}, elsewhere, ""},
		{"in the order of time", things{failed(model.AttachFailed, 65, "node-b"), failed(model.AttacherFailed, 62, onB)}, elsewhere,
			"attacher-failed@62, attach-failed@65"},

		{"the attacher's log covers the detach, and has none", things{log, request, ended, attaching}, silent, "attacher-attaching@66"},
		{"it has one", things{log, request, ended, attaching, of(model.AttacherDetaching, 55, onA)}, silent, "nil"},
		{"it begins after the request", things{logOf("external-attacher", "attacher.log", 51, 200), request, ended, attaching}, silent, "nil"},
		{"it tells nothing of the new attachment", things{log, request, ended}, silent, "nil"},
		{"it tells of it before the end of the old one", things{log, request, ended,
			within("attacher.log", of(model.AttacherAttaching, 55, onB))}, silent, "nil"},
		{"an object is no log", things{log, request, ended, change(within("attacher.log", of(model.AttacherAttached, 66, onB)),
			func(o *model.Observation) { o.Source.Kind = audit })}, silent, "nil"},
		{"it started meanwhile", things{log, request, ended, attaching, of(model.AttacherStarted, 62)}, silent, "nil"},
		{"it started before", things{log, request, ended, attaching, of(model.AttacherStarted, 49)}, silent, "attacher-attaching@66"},
		{"the request is not known", things{log, ended, attaching}, silent, "nil"},
		{"the end is not known", things{log, request, attaching}, silent, "nil"},

		{"failures of the attach", things{failed(model.AttachFailed, 10, "node-b"), failed(model.AttachFailed, 11),
			failed(model.AttachmentAttachError, 12, onB), failed(model.AttacherFailed, 13, onB)}, errors,
			"attach-failed@10, attach-failed@11, attachment-attach-error@12, attacher-failed@13"},
		{"on other nodes", things{failed(model.AttachFailed, 10, "node-c"), of(model.AttachmentAttachError, 12, onA)}, errors, ""},
		{"before the report they are others", things{failed(model.AttachFailed, -1, "node-b"), failed(model.AttachmentAttachError, -1, onB)},
			errors, ""},
		{"after the attach they are others", things{attached, failed(model.AttachFailed, 71, "node-b"), failed(model.AttacherFailed, 71, onB)},
			errors, ""},
		{"of other kinds", things{failed(model.AttachStarted, 10, "node-b"), of(model.AttacherAttaching, 10, onB)}, errors, ""},
	})
}
