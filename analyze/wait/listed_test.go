package wait_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestThin: what names and pasted rows say where little else is in the evidence.
func TestThin(t *testing.T) {
	waiting := func(c *wait.Case) any {
		pods, inferred, rows := c.Waiting()
		return fmt.Sprintf("%s %t %d", wait.PodNames(pods), inferred, len(rows))
	}
	thin := func(c *wait.Case) any { return fmt.Sprint(c.Thin(), " ", c.Thin() && len(c.OldPods) > 0) }
	one := func(c *wait.Case) any {
		same, differ := c.OneDeploymentByName(c.NewPods)
		return fmt.Sprint(same, " ", differ)
	}
	replicas := func(c *wait.Case) any { return c.ReplicaNames(c.NewPods) }
	running := func(c *wait.Case) any { return len(c.ListedRunning()) }
	failing := func(c *wait.Case) any { return cited([]*model.Observation{c.MountFailing()}) }
	refused := func(c *wait.Case) any { return cited(c.AttachFails()) }
	config := func(c *wait.Case) any { return c.DeploymentConfig(c.NewPods) }
	rc := func(end string) model.Ref { return model.PodRef("prod", "ci-"+end, "") }
	none := model.Ref{}
	named := func(fresh model.Ref, old ...model.Ref) *model.Observation { return reportOf(fresh, old) }
	status := func(pod model.Ref, what string) *model.Observation {
		return timeless(of(model.PodNotReady, 0, pod, detail(what)))
	}
	web := model.PodRef("prod", "web-6c5d7f9b84-xk2lp", "")
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	mount := func(at float64) *model.Observation { return of(model.MountFailed, at, newPod, "node-b") }
	said := func(o *model.Observation, text string) *model.Observation {
		return change(o, func(o *model.Observation) { o.Detail = text })
	}
	event := func(at float64, what string) *model.Observation {
		return of(model.KubernetesEvent, at, newPod, detail(what), model.SourceEvent)
	}
	vain := func(at float64) *model.Observation {
		return change(mount(at), func(o *model.Observation) { o.Detail = "unmounted volumes=[data]: timed out waiting for the condition" })
	}
	fails := func(at float64, text string) *model.Observation {
		return of(model.AttachFailed, at, "node-b", volume, detail(text))
	}
	tried := func(c *wait.Case) any { return cited([]*model.Observation{c.AttachTried()}) }
	const printed = "  Warning  FailedAttachVolume  22m (x2 over 23m)  attachdetach-controller  x"
	reports := func() *model.Observation { return lasting(30, reportOf(newPod, nil)) }
	told := func(o *model.Observation, line int, quote string) *model.Observation {
		return change(o, func(o *model.Observation) { o.Source.Line, o.Quote.Text = line, quote })
	}
	elsewhere := func(o *model.Observation) { o.Input = "another" }
	over := func(c *wait.Case) any {
		if !c.Attached.Known() {
			return c.Resolved()
		}
		return fmt.Sprintf("%t %.0f", c.Resolved(), c.Attached.At.Sub(c.Began.At).Seconds())
	}
	log, line := logOf("kube-controller-manager", "k", 0, 60), within("k", of(model.DetachStarted, 30, "node-c", volume))
	longer := func(c *wait.Case) any { return c.Longer(model.Range{Min: 60, Best: 90, Max: 120}) != nil }
	aged := func(o *model.Observation, seconds float64) *model.Observation {
		return change(o, func(o *model.Observation) { o.Age = &model.Range{Min: seconds, Best: seconds + 1, Max: seconds + 2} })
	}
	inPaste := func(o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) { o.Input, o.Node = "paste", strings.TrimPrefix(o.Node, "node-b") })
	}
	placedOn := func(node string) *model.Observation { return timeless(of(model.PodScheduled, 0, next, node)) }
	to := func(c *wait.Case) any { return c.To }
	askRows(t, []row{
		{"the kubelet waited longer than the report is old", things{aged(vain(10), 121)}, longer, "true"},
		{"maybe no longer", things{aged(vain(10), 120)}, longer, "false"},
		{"it tells no age", things{vain(10)}, longer, "false"},
		{"it says another thing", things{aged(said(mount(10), "it is busy"), 121)}, longer, "false"},
		{"of another pod", things{change(aged(vain(10), 121), func(o *model.Observation) { o.Pod = oldPod })}, longer, "false"},
		{"little is there", things{}, thin, "true true"},
		{"the pods are", things{podOf(oldPod, "node-a"), podOf(newPod, "node-b")}, thin, "false false"},
		{"one of them is", things{podOf(oldPod, "node-a")}, thin, "true true"},
		{"a log is", things{log, line}, thin, "false false"},
		{"no old pod is named", things{named(newPod)}, thin, "true false"},

		{"the only pod that waits names the node of a bare report", things{inPaste(named(none)), inPaste(status(next, "ContainerCreating")), inPaste(placedOn("node-x"))}, to, "node-x"},
		{"in another text", things{inPaste(named(none)), change(status(next, "ContainerCreating"), func(o *model.Observation) { o.Input = "else" }), placedOn("node-x")}, to, ""},
		{"a DeploymentConfig rolls out", things{named(rc("3-mq8xv"), rc("2-7zk9p")), status(rc("3-deploy"), "Running")}, config, "ci"},
		{"no deployer", things{named(rc("3-mq8xv"), rc("2-7zk9p"))}, config, ""},
		{"that of the older revision", things{named(rc("3-mq8xv"), rc("2-7zk9p")), status(rc("2-deploy"), "Completed")}, config, ""},
		{"of one revision", things{named(rc("3-mq8xv"), rc("3-7zk9p")), status(rc("3-deploy"), "Running")}, config, ""},
		{"of two configs", things{named(rc("3-mq8xv"), model.PodRef("prod", "cd-2-7zk9p", "")), status(rc("3-deploy"), "Running")}, config, ""},
		{"of a Deployment", things{named(rc("6c5d7f9b84-mq8xv"), rc("2-7zk9p")), status(rc("6c5d7f9b84-deploy"), "Running")}, config, ""},

		{"the pod of the report waits", things{}, waiting, "prod/db-new false 0"},
		{"a row shows one of the Deployment", things{named(none, first), status(next, "ContainerCreating")}, waiting,
			"prod/db-7c5d7f9b84-zz2lp true 1"},
		{"its first containers", things{named(none, first), status(next, "Init:0/2")}, waiting, "prod/db-7c5d7f9b84-zz2lp true 1"},
		{"the second of them", things{named(none, first), status(next, "Init:1/2")}, waiting, "true 0"},
		{"waiting for a node", things{named(none, first), status(next, "Pending")}, waiting, "prod/db-7c5d7f9b84-zz2lp true 1"},
		{"initializing", things{named(none, first), status(next, "PodInitializing")}, waiting, "prod/db-7c5d7f9b84-zz2lp true 1"},
		{"crashing", things{named(none, first), status(next, "CrashLoopBackOff")}, waiting, "true 0"},
		{"another Deployment's", things{named(none, first), status(web, "Pending")}, waiting, "true 0"},
		{"in another namespace", things{named(none, first), status(model.PodRef("test", next.Name, ""), "Pending")}, waiting, "true 0"},
		{"in a list without namespaces", things{named(none, first), status(model.PodRef("", next.Name, ""), "Pending")}, waiting,
			"db-7c5d7f9b84-zz2lp true 1"},
		{"of a report without one", things{named(none, model.PodRef("", first.Name, "")), status(next, "Pending")}, waiting,
			"prod/db-7c5d7f9b84-zz2lp true 1"},
		{"the old one itself", things{named(none, first), status(first, "Pending")}, waiting, "true 0"},
		{"with a time it is no row", things{named(none, first), of(model.PodNotReady, 5, next, detail("Pending"), model.SourceText)}, waiting,
			"true 0"},
		{"an object is no row", things{named(none, first), change(status(next, "Pending"),
			func(o *model.Observation) { o.Source.Kind = model.SourceManifest })}, waiting, "true 0"},

		{"one Deployment and two revisions", things{named(next, first)}, one, "true true"},
		{"one revision", things{named(again, first)}, one, "true false"},
		{"two Deployments", things{named(web, first)}, one, "false false"},
		{"one of two old pods is another's", things{named(next, first, web)}, one, "false false"},
		{"no old pod", things{named(next)}, one, "false false"},
		{"no new pod", things{named(none, first)}, one, "false false"},
		{"two of a ReplicaSet", things{named(again, first)}, replicas, "true"},
		{"of two ReplicaSets", things{named(next, first)}, replicas, "false"},
		{"of a ReplicaSet without an old pod", things{named(again)}, replicas, "false"},

		{"a row shows the old one running", things{timeless(of(model.PodReady, 0, oldPod))}, running, "1"},
		{"by its name alone", things{timeless(of(model.PodReady, 0, model.PodRef("", "db-old", "")))}, running, "1"},
		{"one of two", things{named(newPod, oldPod, first), timeless(of(model.PodReady, 0, oldPod))}, running, "0"},
		{"no row", things{}, running, "0"},
		{"no old pod is known", things{named(newPod)}, running, "0"},

		{"a mount fails after the attach", things{attached, mount(80)}, failing, "mount-failed@80"},
		{"before it", things{attached, mount(60)}, failing, "nil"},
		{"a time-out behind its error", things{attached, said(mount(80), "it is busy"), said(mount(90), "timed out waiting for the condition")},
			failing, "mount-failed@80"},
		{"two errors", things{attached, said(mount(80), "it is busy"), said(mount(90), "it is gone")}, failing, "mount-failed@90"},
		{"last after it", things{attached, lasting(80, mount(60))}, failing, "mount-failed@60"},
		{"of another pod", things{attached, of(model.MountFailed, 80, oldPod)}, failing, "nil"},
		{"then the pod was Ready", things{attached, mount(80), of(model.PodReady, 90, newPod)}, failing, "nil"},
		{"then its image was pulled", things{attached, mount(80), event(90, "Pulling")}, failing, "nil"},
		{"its image was pulled before", things{attached, event(75, "Pulling"), mount(80)}, failing, "mount-failed@80"},
		{"then something else happened", things{attached, mount(80), event(90, "FailedMount")}, failing, "mount-failed@80"},
		{"then a line with that word", things{attached, mount(80), of(model.PodScheduled, 90, newPod, detail("Pulling"))}, failing,
			"mount-failed@80"},
		{"then it ran", things{attached, mount(80), of(model.PodRunning, 90, newPod)}, failing, "nil"},
		{"then another of the volume was Ready", things{attached, theVolume("data"), podOf(oldPod, "node-b", using("data")), mount(80),
			of(model.PodReady, 90, oldPod)}, failing, "nil"},
		{"nothing is attached", things{mount(80)}, failing, "nil"},
		{"a wait that began before the attach ran out", things{attached, vain(190)}, failing, "nil"},
		{"one that began after it", things{attached, vain(195)}, failing, "mount-failed@195"},
		{"a fault, and then such a wait", things{attached, mount(75), vain(180)}, failing, "mount-failed@75"},
		{"the last of two", things{attached, mount(80), mount(85)}, failing, "mount-failed@85"},

		{"an attach fails", things{of(model.AttachFailed, 80, "node-b", volume)}, refused, "attach-failed@80"},
		{"the new attachment keeps its error", things{of(model.AttachmentAttachError, 80, "node-b", volume)}, refused, "attachment-attach-error@80"},
		{"an attach to another node fails", things{of(model.AttachmentAttachError, 80, "node-c", volume)}, refused, ""},
		{"before the report", things{of(model.AttachmentAttachError, -5, "node-b", volume)}, refused, ""},

		{"an attach was tried since the report", things{fails(80, "rpc error: code = ResourceExhausted")}, tried, "attach-failed@80"},
		{"reported again after it", things{fails(80, "quota"), lasting(90, reportOf(newPod, nil))}, tried, "nil"},
		{"a row of a description below the report's", things{told(fails(30, "quota"), 2, printed), told(reports(), 1, printed)}, tried, "attach-failed@30"},
		{"above it", things{told(fails(30, "quota"), 1, printed), told(reports(), 2, printed)}, tried, "nil"},
		{"in another file", things{told(fails(30, "quota"), 2, printed), change(told(reports(), 1, printed), elsewhere)}, tried, "nil"},
		{"a row of kubectl get events", things{told(fails(30, "quota"), 2, "22m Warning FailedAttachVolume pod/db x"), told(reports(), 1, printed)}, tried, "nil"},
		{"below one of kubectl get events", things{told(fails(30, "quota"), 2, printed), told(reports(), 1, "22m Warning FailedAttachVolume pod/db x")}, tried, "nil"},
		{"below a newer one", things{told(fails(30, "quota"), 2, printed), told(lasting(90, reportOf(newPod, nil)), 1, printed)}, tried, "nil"},
		{"the storage says another machine has it", things{fails(80, "code = FailedPrecondition desc = published at node-a")}, tried, "nil"},
		{"its own attachment was being deleted", things{fails(80, "volume attachment is being deleted")}, tried, "nil"},
		{"only the attachment keeps an error", things{of(model.AttachmentAttachError, 80, "node-b", volume)}, tried, "nil"},
		{"attached since", things{fails(80, "quota"), of(model.AttachSucceeded, 90, "node-b", volume)}, tried, "nil"},

		{"the pod that waited is Ready", things{of(model.PodReady, 90, newPod)}, over, "true 90"},
		{"another pod is", things{of(model.PodReady, 90, oldPod)}, over, "false"},
		{"it was before the report", things{of(model.PodReady, -90, newPod)}, over, "false"},
		{"the attach is seen", things{attached, of(model.PodReady, 90, newPod)}, over, "true 70"},
	})
}

// TestControllerDown: a row shows the controller of the volume's driver as not running; another's, and one beside which a pod runs, say nothing.
func TestControllerDown(t *testing.T) {
	down := func(c *wait.Case) any { return cited([]*model.Observation{wait.ControllerDown(c.World, c.Volume)}) }
	undriven := func(c *wait.Case) any {
		return cited([]*model.Observation{wait.ControllerDown(c.World, &facts.Volume{})})
	}
	pod := func(name string) model.Ref { return model.PodRef("kube-system", name, "") }
	status := func(kind model.Kind, name string) *model.Observation {
		return timeless(of(kind, 0, pod(name), detail("CrashLoopBackOff")))
	}
	crashes := status(model.PodNotReady, "example-csi-controller-7d9c6b5f4-abcde")
	shown := cited([]*model.Observation{crashes})
	workload := func(kind, name, ready string) *model.Observation {
		o := timeless(of(model.ObjectShown, 0, detail("ready="+ready)))
		o.Object = model.Ref{Kind: kind, Namespace: "kube-system", Name: name}
		return o
	}
	away := workload("Deployment", "example-csi-controller", "0/0")
	askRows(t, []row{
		{"its controller crashes", things{crashes}, down, shown},
		{"its attacher does", things{status(model.PodNotReady, "csi-example-attacher-0")}, down, shown},
		{"another driver's does", things{status(model.PodNotReady, "ebs-csi-controller-7d9c6b5f4-abcde")}, down, "nil"},
		{"its plugin on a node does", things{status(model.PodNotReady, "example-csi-node-x2x4z")}, down, "nil"},
		{"a replica runs", things{crashes, status(model.PodReady, "example-csi-controller-7d9c6b5f4-zz2lp")}, down, "nil"},
		{"another driver's runs", things{crashes, status(model.PodReady, "ebs-csi-controller-5b6c7d8f9-zz2lp")}, down, shown},
		{"with a time it is no row", things{of(model.PodNotReady, 5, crashes.Pod, detail("Error"), model.SourceText)}, down, "nil"},
		{"its Deployment is scaled to 0", things{away}, down, cited([]*model.Observation{away})},
		{"a pod says more than its Deployment", things{away, crashes}, down, shown},
		{"its StatefulSet has a Ready pod", things{workload("StatefulSet", "csi-example-attacher", "1/2")}, down, "nil"},
		{"another driver's Deployment is away", things{workload("Deployment", "ebs-csi-controller", "0/2")}, down, "nil"},
		{"a word that many drivers have", things{status(model.PodNotReady, "com-csi-controller-0")}, down, "nil"},
		{"of no known driver", things{crashes}, undriven, shown},
		{"of no known driver, and one runs", things{crashes, status(model.PodReady, "ebs-csi-controller-5b6c7d8f9-zz2lp")}, undriven, "nil"},
		{"of no known driver, no controller", things{status(model.PodNotReady, "example-csi-node-x2x4z")}, undriven, "nil"},
	})
}

// TestToldOver: below the report a row shows the pod that waited as running, or the author says so; above it or of another pod nothing does.
func TestToldOver(t *testing.T) {
	over := func(c *wait.Case) any { return cited([]*model.Observation{c.ToldOver()}) }
	in := func(input string, line int, o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) { o.Input, o.Source.Line = input, line })
	}
	report := func() *model.Observation { return in("chat", 5, reportOf(newPod, []model.Ref{oldPod})) }
	runs := func(pod model.Ref) *model.Observation { return timeless(of(model.PodReady, 0, pod)) }
	says := func(what string) *model.Observation { return timeless(of(model.AuthorSaid, 0, detail(what))) }
	came := model.SaidOver + ": it came up"
	clocked := func(input string, at float64) *model.Observation {
		return in(input, 4, of(model.AuthorSaid, at, detail(came)))
	}
	again := func(name string) *model.Observation {
		return in("chat", 9, change(says(came), func(o *model.Observation) { o.Pod = model.PodRef("", name, "") }))
	}
	row9, said9 := cited([]*model.Observation{in("chat", 9, runs(newPod))}), cited([]*model.Observation{in("chat", 9, says(came))})
	askRows(t, []row{
		{"a row below", things{report(), in("chat", 9, runs(newPod))}, over, row9},
		{"above", things{report(), in("chat", 4, runs(newPod))}, over, "nil"},
		{"in another file", things{report(), in("list", 9, runs(newPod))}, over, "nil"},
		{"of another pod", things{report(), in("chat", 9, runs(oldPod))}, over, "nil"},
		{"the author", things{report(), in("chat", 9, says(came))}, over, said9},
		{"an alert is resolved", things{report(), in("chat", 1, says("resolved: [RESOLVED] x"))}, over,
			cited([]*model.Observation{in("chat", 1, says("resolved: [RESOLVED] x"))})},
		{"it fires again", things{report(), in("chat", 1, says("resolved: [RESOLVED] x")), in("chat", 3, says("firing: [FIRING:1] x"))}, over, "nil"},
		{"an alert of another text", things{report(), in("mail", 1, says("resolved: [RESOLVED] x"))}, over, "nil"},
		{"before the report", things{report(), in("chat", 4, says(came))}, over, "nil"},
		{"of something else", things{report(), in("chat", 9, says(model.SaidNodeOff+": it came up"))}, over, "nil"},
		{"above, by its clock later", things{report(), clocked("chat", 70)}, over, cited([]*model.Observation{clocked("chat", 70)})},
		{"above, by its clock earlier", things{report(), clocked("chat", -70)}, over, "nil"},
		{"above, in another text", things{report(), clocked("mail", 70)}, over, "nil"},
		{"above, a report that is dated by its age", things{change(report(), func(o *model.Observation) { o.LastAge = &model.Range{} }), clocked("chat", 70)}, over, "nil"},
		{"the pod by its name", things{report(), again(newPod.Name)}, over, cited([]*model.Observation{again(newPod.Name)})},
		{"its workload", things{report(), again("db")}, over, cited([]*model.Observation{again("db")})},
		{"another", things{report(), again("web-0")}, over, "nil"},
		{"a node", things{report(), in("chat", 9, says(model.SaidOver+": 06:25 node-a is up again"))}, over, "nil"},
		{"by its author", things{report(), in("chat", 9, says(model.SaidOver+": 06:25 ann: node-a is up again"))}, over, "nil"},
		{"a pod on it", things{report(), in("chat", 9, says(model.SaidOver+": db on node-a is up again"))}, over, "author-said"},
	})
}

// TestSucceeded: a wait is over where a later list lacks its pod, and the volume came to another pod of the Deployment.
func TestSucceeded(t *testing.T) {
	ended := func(c *wait.Case) any { return fmt.Sprint(span(c.DemandEnded), " ", c.Resolved()) }
	fresh, successor := model.PodRef("prod", "web-79d8c6f5b-x4tn2", ""), model.PodRef("prod", "web-79d8c6f5b-q8w5v", "")
	in := func(line int, o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) { o.Input, o.Source.Kind, o.Source.Line = "paste", model.SourceText, line })
	}
	waits := in(1, reportOf(fresh, []model.Ref{oldPod}, func(o *model.Observation) { o.Node = "" }))
	list := func(line int) *model.Observation {
		return in(line, change(timeless(of(model.ObjectShown, 0)), func(o *model.Observation) { o.Object = model.Ref{Kind: "Pod", Namespace: "prod"} }))
	}
	came := func(pod model.Ref) *model.Observation { return in(2, of(model.AttachSucceeded, 70, pod, volume)) }
	shown := func(line int) *model.Observation { return in(line, timeless(of(model.PodNotReady, 0, fresh))) }
	askRows(t, []row{
		{"it came to its successor", things{waits, came(successor), shown(3), list(9)}, ended, "70 true"},
		{"the last list has it", things{waits, came(successor), list(9), shown(10)}, ended, "unknown false"},
		{"it came to another Deployment's", things{waits, came(model.PodRef("prod", "api-79d8c6f5b-q8w5v", "")), shown(3), list(9)}, ended, "unknown false"},
		{"it came to nobody", things{waits, shown(3), list(9)}, ended, "unknown false"},
	})
}

// TestDownText: what a row of a controller that does not run says, and what is typed first.
func TestDownText(t *testing.T) {
	row := func(kind, ready string) *model.Observation {
		o := of(model.ObjectShown, 0, detail("ready="+ready))
		o.Object = model.Ref{Kind: kind, Namespace: "ns", Name: "csi-x"}
		return o
	}
	nowhere := row("Deployment", "0/0")
	nowhere.Object.Namespace = ""
	for _, c := range []struct {
		down          *model.Observation
		text, command string
	}{
		{row("Deployment", "0/0"), "Deployment ns/csi-x is scaled to 0", "kubectl scale -n ns deployment/csi-x --replicas=1"},
		{row("StatefulSet", "0/2"), "StatefulSet ns/csi-x has no Ready pod", "kubectl describe -n ns statefulset/csi-x"},
		{nowhere, "Deployment csi-x is scaled to 0", ""},
		{of(model.PodNotReady, 0, model.PodRef("ns", "csi-x-0", ""), detail("Error")), "pod ns/csi-x-0 is in Error", ""},
	} {
		if text, command := wait.DownText(c.down), wait.DownCommand(c.down); text != c.text || command != c.command {
			t.Errorf("got %q and %q, want %q and %q", text, command, c.text, c.command)
		}
	}
}

// TestNow: what the objects say of the state at the collection.
func TestNow(t *testing.T) {
	counts := func(c *wait.Case) any { return c.CountsNow() }
	held := func(c *wait.Case) any { return c.ObjectHeld() }
	notReady := func(c *wait.Case) any { return cited([]*model.Observation{c.NotReadyNow()}) }
	serving := func(c *wait.Case) any { return names(c.Serving()) }
	sharing := func(c *wait.Case) any {
		old, p, ok := c.Sharing()
		return fmt.Sprint(old.Ref.Name, " ", p.Ref.Name, " ", ok)
	}
	letGo := func(c *wait.Case) any { return c.LetGo() }
	begun, detached := of(model.DetachStarted, 50, "node-a", volume), of(model.DetachSucceeded, 56, "node-a", volume)
	migration := func(c *wait.Case) any {
		m := c.LiveMigration()
		if m == nil {
			return "nil"
		}
		return fmt.Sprint(m.VM.Name, " ", m.Named, " ", len(m.Cites))
	}
	ready := func(status corev1.ConditionStatus) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status}}
		}
	}
	exclusively := reportOf(newPod, []model.Ref{oldPod}, exclusive)
	virt := func(pod model.Ref, node, job string, how ...func(*corev1.Pod)) *corev1.Pod {
		return podOf(pod, node, append([]func(*corev1.Pod){using("data"), func(p *corev1.Pod) {
			p.Labels = map[string]string{"kubevirt.io": "virt-launcher", "kubevirt.io/created-by": "vm-uid", "vm.kubevirt.io/name": "vm",
				"kubevirt.io/migrationJobUID": job}
		}}, how...)...)
	}
	pending := phase("Pending")
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	askRows(t, []row{
		{"the old pod counts", things{podOf(oldPod, "node-a")}, counts, "true"},
		{"it has failed", things{podOf(oldPod, "node-a", phase("Failed"))}, counts, "false"},
		{"it is being deleted, and runs",
			things{podOf(oldPod, "node-a", deletedAt(5), func(p *corev1.Pod) { p.Status.ContainerStatuses = []corev1.ContainerStatus{{}} })}, counts,
			"true"},
		{"it is being deleted, and its container waits", things{podOf(oldPod, "node-a", deletedAt(5), func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}}}
		})}, counts, "false"},
		{"the report says that none does", things{exclusively, podOf(oldPod, "node-a")}, counts, "false"},
		{"the object held the volume", things{attachmentOf(onA, "node-a", -500)}, held, "true"},
		{"it was made after the report", things{attachmentOf(onA, "node-a", 2)}, held, "false"},
		{"there is none", things{}, held, "false"},

		{"the old node has let go", things{begun, detached}, letGo, "true"},
		{"and the new one has it", things{begun, detached, attached}, letGo, "false"},
		{"only the later attach tells", things{attached}, letGo, "false"},
		{"the detach goes on", things{begun}, letGo, "false"},

		{"the new pod is not Ready", things{podOf(newPod, "node-b", ready("False"))}, notReady, "db-new status.phase"},
		{"it is Ready", things{podOf(newPod, "node-b", ready("True"), pending)}, notReady, "nil"},
		{"it has not started", things{podOf(newPod, "node-b", pending)}, notReady, "db-new status.phase"},
		{"it runs, and does not say", things{podOf(newPod, "node-b")}, notReady, "nil"},
		{"it is being deleted", things{podOf(newPod, "node-b", pending, deletedAt(5))}, notReady, "nil"},

		{"the old pod serves", things{podOf(oldPod, "node-a")}, serving, "db-old"},
		{"it does not run", things{podOf(oldPod, "node-a", pending)}, serving, ""},
		{"it serves elsewhere", things{podOf(oldPod, "node-c")}, serving, ""},
		{"it goes", things{podOf(oldPod, "node-a", deletedAt(5))}, serving, ""},
		{"another pod of the claim does", things{theVolume("data"), podOf(model.PodRef("prod", "x", "u"), "node-a", using("data"))}, serving,
			"x"},
		{"another, of a wait that is over", things{theVolume("data"), attached,
			podOf(model.PodRef("prod", "x", "u"), "node-a", using("data"), createdAt(5))}, serving, "x"},
		{"the waiting pod does not", things{theVolume("data"), podOf(newPod, "node-a", using("data"))}, serving, ""},

		{"two pods of one claim", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-b", pending, using("data"))}, sharing,
			"db-old db-new true"},
		{"of two claims", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-b", pending, using("logs"))}, sharing, "false"},
		{"the new one has no node", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "", pending, using("data"))}, sharing, "false"},
		{"the new one is on the old node", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-a", pending, using("data"))},
			sharing, "false"},
		{"the new one goes", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-b", pending, using("data"), deletedAt(5))},
			sharing, "false"},
		{"the new one has failed", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-b", phase("Failed"), using("data"))},
			sharing, "false"},
		{"the new one has succeeded", things{podOf(oldPod, "node-a", using("data")), podOf(newPod, "node-b", phase("Succeeded"), using("data"))},
			sharing, "false"},

		{"a machine that moves", things{virt(oldPod, "node-a", ""), virt(newPod, "node-b", "job", pending)}, migration, "vm true 3"},
		{"without its mark", things{virt(oldPod, "node-a", ""), virt(newPod, "node-b", "", pending)}, migration, "vm false 3"},
		{"with the mark of an earlier one", things{virt(oldPod, "node-a", "job"), virt(newPod, "node-b", "job", pending)}, migration,
			"vm false 3"},
		{"of two machines", things{virt(oldPod, "node-a", "", func(p *corev1.Pod) { p.Labels["vm.kubevirt.io/name"] = "x" }),
			virt(newPod, "node-b", "job", pending)}, migration, "nil"},
		{"of another role", things{virt(oldPod, "node-a", "", func(p *corev1.Pod) { p.Labels["kubevirt.io"] = "x" }),
			virt(newPod, "node-b", "job", pending)}, migration, "nil"},
		{"of a pod that says of no machine", things{virt(oldPod, "node-a", "", func(p *corev1.Pod) { p.Labels["kubevirt.io/created-by"] = "" }),
			virt(newPod, "node-b", "job", pending)}, migration, "nil"},
		{"by its owner", things{virt(oldPod, "node-a", "", ofOwner("VirtualMachineInstance", "vm")),
			virt(newPod, "node-b", "job", pending, ofOwner("VirtualMachineInstance", "vm"))}, migration, "vm true 3"},
		{"by another owner", things{virt(oldPod, "node-a", "", ofOwner("ReplicaSet", "vm")),
			virt(newPod, "node-b", "job", pending, ofOwner("ReplicaSet", "vm"))}, migration, "nil"},
	})
}

// TestTold: what an author says of the node counts, unless it is of another node or the evidence shows that node as one that works.
func TestTold(t *testing.T) {
	said := func(node, what string) *model.Observation {
		return of(model.AuthorSaid, -10, node, detail(what+": it is so"))
	}
	off := func(c *wait.Case) any { return c.Told(model.SaidNodeOff) != nil }
	removed := func(c *wait.Case) any { return c.Told(model.SaidNodeRemoved) != nil }
	askRows(t, []row{
		{"of the old node", things{said("node-a", model.SaidNodeOff)}, off, "true"},
		{"in capitals", things{said("NODE-A", model.SaidNodeOff)}, off, "true"},
		{"of no node", things{said("", model.SaidNodeOff)}, off, "true"},
		{"of the wanted node", things{said("node-b", model.SaidNodeOff)}, off, "false"},
		{"of another", things{said("node-c", model.SaidNodeOff)}, off, "false"},
		{"something else", things{said("node-a", model.SaidNodeRemoved)}, off, "false"},
		{"it is Ready", things{said("node-a", model.SaidNodeOff), nodeOf("node-a", condition("True", -100))}, off, "false"},
		{"it is not", things{said("node-a", model.SaidNodeOff), nodeOf("node-a", condition("Unknown", -100))}, off, "true"},
		{"it was Ready at last", things{said("node-a", model.SaidNodeOff), of(model.NodeNotReady, -200, "node-a"), of(model.NodeReady, -100, "node-a")}, off, "false"},
		{"it was not at last", things{said("node-a", model.SaidNodeOff), of(model.NodeReady, -200, "node-a"), of(model.NodeNotReady, -100, "node-a")}, off, "true"},
		{"it was removed", things{said("node-a", model.SaidNodeRemoved)}, removed, "true"},
		{"it is still there", things{said("node-a", model.SaidNodeRemoved), nodeOf("node-a")}, removed, "false"},
		{"it is there and off", things{said("node-a", model.SaidNodeOff), nodeOf("node-a")}, off, "true"},
	})
}
