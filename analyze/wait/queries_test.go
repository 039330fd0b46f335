package wait_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

func hashed(hash string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{"pod-template-hash": hash} }
}

// condition is that of Ready since some time.
func condition(status corev1.ConditionStatus, since float64) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeReady, Status: status,
			LastTransitionTime: made(since)})
	}
}

// TestStory: what belongs to a case: what is told of its volume, attachments, pods and old node, in the span and two minutes beside it.
func TestStory(t *testing.T) {
	kcm := component("kube-controller-manager")
	attached, ready := of(model.AttachSucceeded, 70, "node-b", volume), of(model.PodReady, 90, newPod)
	other := model.VolumeID{PersistentVolume: "pvc-2", UniqueName: model.UniqueCSIName("csi.example.com", "vol-2")}.Complete()
	for _, tt := range []struct {
		rule string
		told *model.Observation
		want bool
	}{
		{"the volume", of(model.DetachStarted, 30, "node-a", volume), true},
		{"the volume on a third node", of(model.AttachStarted, 30, "node-c", volume), true},
		{"the volume two minutes before", of(model.DetachStarted, -120, "node-c", volume), true},
		{"the volume earlier", of(model.DetachStarted, -120.1, "node-c", volume), false},
		{"the volume two minutes after", of(model.DetachStarted, 210, "node-c", volume), true},
		{"the volume later", of(model.DetachStarted, 210.1, "node-c", volume), false},
		{"another volume on the old node", of(model.DetachStarted, 30, "node-a", other), false},
		{"the old attachment", of(model.AttacherDetaching, 30, onA), true},
		{"the new attachment", of(model.AttacherAttaching, 30, onB), true},
		{"the old attachment long before", of(model.AttacherAttaching, -300, onA), false},
		{"another attachment of the old node", of(model.AttacherAttaching, 30, "node-a", func() string { return onA }()), true},
		{"the old pod, whenever", of(model.PodKilling, -3000, oldPod), true},
		{"the new pod, whenever", of(model.PodSampled, 3000, newPod), true},
		{"another pod on the old node", of(model.PodKilling, 30, "node-a", model.PodRef("prod", "web", "u-web")), false},
		{"an earlier pod of the old one's name", of(model.PodKilling, 30, "node-a", model.PodRef("prod", "db-old", "u-before")), false},
		{"the old node", of(model.NodeHeartbeat, 30, "node-a"), true},
		{"the old node long before", of(model.NodeHeartbeat, -300, "node-a"), false},
		{"the wanted node", of(model.NodeHeartbeat, 30, "node-b"), false},
		{"a change of leader", of(model.LeaderAcquired, 30, kcm), true},
		{"a loss of the leadership", of(model.LeaderLost, 30, kcm), true},
		{"a start of the controller", of(model.ControllerStarted, 30, kcm), true},
		{"a change of another leader", of(model.LeaderAcquired, 30, component("kube-scheduler")), false},
		{"a loss of another leadership", of(model.LeaderLost, 30, component("kube-scheduler")), false},
		{"a start of another", of(model.ControllerStarted, 30, component("kube-scheduler")), false},
		{"a change of leader long before", of(model.LeaderAcquired, -300, kcm), false},
	} {
		c := waitOf(t, attached, ready, of(model.AttachStarted, -600, "node-a", volume, onA), tt.told)
		got := false
		for _, o := range c.Story() {
			got = got || o.Kind == tt.told.Kind && o.At.At.Equal(tt.told.At.At) && o.Node == tt.told.Node && o.Pod == tt.told.Pod &&
				o.Component == tt.told.Component
		}
		if got != tt.want {
			t.Errorf("%s: %t", tt.rule, got)
		}
	}
}

// TestStoryGoesOn: the end of the old attachment belongs to the story also where it comes after the end of the wait, and a case made by
// hand has a story as well.
func TestStoryGoesOn(t *testing.T) {
	end := of(model.AttachmentGone, 400, onA, model.SourceAudit)
	request := of(model.AttachmentDeletionRequested, 50, onA, model.SourceAudit, actor(controller))
	attached, ready := of(model.AttachSucceeded, 70, "node-b", volume), of(model.PodReady, 90, newPod)
	late := of(model.DetachSucceeded, 500, "node-a", volume)
	if got := cited(waitOf(t, request, end, attached, ready,
		late).Story()); got != "multi-attach@0, attach-succeeded@70, detach-succeeded@500, attachment-deletion-requested@50, "+
		"attachment-gone@400, pod-ready@90" {
		t.Error(got)
	}
	if c := cases.Made("v1.34.0", of(model.AttachStarted, -910, "node-b", volume)); len(c.Story()) != 0 {
		t.Error(cited(c.Story()))
	}
}

// TestQueries: questions about the evidence of a case, each yes with its near miss.
func TestQueries(t *testing.T) {
	type asked = func(*wait.Case) any
	audit, event, text := model.SourceAudit, model.SourceEvent, model.SourceText
	list := model.Listed{Kind: "Event", Namespace: "prod"}
	instants := asked(func(c *wait.Case) any { return len(c.Instants()) })
	nextReady := asked(func(c *wait.Case) any { return span(c.ReadyAfter(at(70))) })
	hash := asked(func(c *wait.Case) any { return c.TemplateHash(c.OldPods) })
	same := asked(func(c *wait.Case) any { return c.SameOwner() })
	bundle := asked(func(c *wait.Case) any { return c.PodsInBundle() })
	condOf := asked(func(c *wait.Case) any {
		ready, o := c.ReadyCondition()
		return fmt.Sprint(ready, " ", o != nil && o.Source.Field != "")
	})
	covers := asked(func(c *wait.Case) any { return c.World.LogCovers() })
	events := asked(func(c *wait.Case) any { return c.World.EventsCover() })
	has := asked(func(c *wait.Case) any { return c.World.HasLog("kubelet") })
	ordinals := asked(func(c *wait.Case) any { return c.Ordinals() })
	together := asked(func(c *wait.Case) any { return cited(c.ListedTogether()) })
	start := asked(func(c *wait.Case) any { return c.AttacherStart(at(60)) != nil })
	lost := asked(func(c *wait.Case) any { return len(c.LostNodes()) })
	answers := asked(func(c *wait.Case) any { return len(c.DetachAnswers()) })
	second := asked(func(c *wait.Case) any { return c.SecondAttachment() })
	record := func(o *model.Observation, component, path string) *model.Observation {
		o.Component = component
		return within(path, o)
	}
	named := func(old, fresh model.Ref) *model.Observation {
		return change(report(), func(o *model.Observation) { o.Pods, o.Pod = []model.Ref{old}, fresh })
	}
	db0, db1 := model.PodRef("prod", "db-0", ""), model.PodRef("prod", "db-1", "")
	row := func(kind model.Kind, pod model.Ref) *model.Observation {
		return within("list", timeless(of(kind, 0, pod, text)))
	}
	nowhere := change(report(), func(o *model.Observation) { o.Holders, o.Pods = nil, nil })
	log := logOf("kube-controller-manager", "kcm.log", 0, 60)
	line := record(of(model.DetachStarted, 30, "node-a", volume), "kube-controller-manager", "kcm.log")
	request := of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))
	rs := func(name string) func(*corev1.Pod) { return ofOwner("ReplicaSet", name) }
	for _, tt := range []struct {
		rule string
		list things
		ask  asked
		want any
	}{
		{"the instants that can bound a phase", things{}, instants, 14},
		{"the next pod that is Ready", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			of(model.PodReady, 70, model.PodRef("prod", "db-2", "u-2"))}, nextReady, "70"},
		{"one that was before", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			of(model.PodReady, 69, model.PodRef("prod", "db-2", "u-2"))}, nextReady, "unknown"},
		{"one of the name before it", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			of(model.PodReady, 75, model.PodRef("prod", "db-2", "u-1"))}, nextReady, "unknown"},
		{"one by name", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			of(model.PodReady, 75, model.PodRef("prod", "db-2", ""))}, nextReady, "75"},
		{"one of another claim", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("logs")),
			of(model.PodReady, 75, model.PodRef("prod", "db-2", "u-2"))}, nextReady, "unknown"},
		{"the first of two", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			podOf(model.PodRef("prod", "db-3", "u-3"), "node-b", using("data")),
			of(model.PodReady, 80, model.PodRef("prod", "db-2", "u-2")), of(model.PodReady, 75,
				model.PodRef("prod", "db-3", "u-3"))}, nextReady, "75"},
		{"the first of two, in the other order", things{theVolume("data"), podOf(model.PodRef("prod", "db-2", "u-2"), "node-b", using("data")),
			podOf(model.PodRef("prod", "db-3", "u-3"), "node-b", using("data")),
			of(model.PodReady, 75, model.PodRef("prod", "db-2", "u-2")), of(model.PodReady, 80,
				model.PodRef("prod", "db-3", "u-3"))}, nextReady, "75"},

		{"the hash of a label", things{podOf(oldPod, "node-a", hashed("abc"))}, hash, "abc"},
		{"of a ReplicaSet's pod without a label, by the name", things{named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod),
			podOf(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), "node-a", rs("db-6c5d7f9b84"))}, hash, "6c5d7f9b84"},
		{"of another owner's pod none", things{named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod),
			podOf(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), "node-a", ofOwner("Job", "db-6c5d7f9b84"))}, hash, ""},
		{"of a pod that nobody owns none", things{named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod),
			podOf(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), "node-a")}, hash, ""},
		{"of a pod that is not there, by the name", things{named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod)}, hash, "6c5d7f9b84"},
		{"of a bare name none", things{}, hash, ""},
		{"of two that agree", things{change(named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod),
			func(o *model.Observation) { o.Pods = append(o.Pods, model.PodRef("prod", "db-6c5d7f9b84-zz2lp", "")) })}, hash, "6c5d7f9b84"},
		{"of two that differ", things{change(named(model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), newPod),
			func(o *model.Observation) { o.Pods = append(o.Pods, model.PodRef("prod", "db-7c5d7f9b84-zz2lp", "")) })}, hash, ""},

		{"pods of one owner", things{podOf(oldPod, "node-a", rs("db-1")), podOf(newPod, "node-b", rs("db-1"))}, same, true},
		{"pods of two", things{podOf(oldPod, "node-a", rs("db-1")), podOf(newPod, "node-b", rs("web-1"))}, same, false},
		{"pods of two ReplicaSets of a Deployment, by the hash", things{podOf(oldPod, "node-a", rs("db-1"), hashed("1")),
			podOf(newPod, "node-b", rs("db-2"), hashed("2"))}, same, true},
		{"one of them is not there", things{podOf(oldPod, "node-a", rs("db-1"))}, same, false},
		{"both in the bundle", things{podOf(oldPod, "node-a"), podOf(newPod, "node-b")}, bundle, true},
		{"the old one only", things{podOf(oldPod, "node-a")}, bundle, false},
		{"the new one only", things{podOf(newPod, "node-b")}, bundle, false},

		{"Ready since before", things{nodeOf("node-a", condition("True", -1))}, condOf, "true true"},
		{"Ready since then", things{nodeOf("node-a", condition("True", 0))}, condOf, "false true"},
		{"not Ready since before", things{nodeOf("node-a", condition("False", -1))}, condOf, "false true"},
		{"without the condition", things{nodeOf("node-a", func(n *corev1.Node) {
			n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeDiskPressure, Status: "True"}}
		})}, condOf, "false false"},
		{"another Node", things{nodeOf("node-c", condition("True", -1))}, condOf, "false false"},

		{"a log of a minute with a detach", things{log, line}, covers, true},
		{"of less", things{logOf("kube-controller-manager", "kcm.log", 0, 59.9), line}, covers, false},
		{"of no beginning", things{change2(log, func(in *model.Input) { in.From = nil }), line}, covers, false},
		{"of no end", things{change2(log, func(in *model.Input) { in.To = nil }), line}, covers, false},
		{"with nothing of attaches", things{log, record(of(model.NodeNotReady, 30, "node-c"), "kube-controller-manager", "kcm.log")}, covers,
			false},
		{"of another component", things{log, record(of(model.DetachStarted, 30, "node-a", volume), "kubelet", "kcm.log")}, covers, false},
		{"an event is no log", things{log, record(of(model.DetachStarted, 30, "node-a", volume, event), "kube-controller-manager", "kcm.log")},
			covers, false},
		{"an event beside the line", things{log, line, record(of(model.DetachStarted, 31, "node-a", volume, event), "kube-controller-manager",
			"kcm.log")}, covers, true},
		{"a start of the controller", things{log, record(of(model.ControllerStarted, 30), "kube-controller-manager", "kcm.log")}, covers, true},
		{"an attach that began", things{log, record(of(model.AttachStarted, 30, "node-c", volume), "kube-controller-manager", "kcm.log")}, covers,
			true},
		{"an attach", things{log, record(of(model.AttachSucceeded, 30, "node-c", volume), "kube-controller-manager", "kcm.log")}, covers, true},
		{"a detach", things{log, record(of(model.DetachSucceeded, 30, "node-c", volume), "kube-controller-manager", "kcm.log")}, covers, true},
		{"a list of Events with one about a pod", things{list,
			change(of(model.PodScheduled, 30, newPod, event), func(o *model.Observation) { o.Object = newPod })}, events, true},
		{"about a node", things{list, change(of(model.NodeReady, 30, "node-c", event),
			func(o *model.Observation) { o.Object = model.Ref{Kind: "Node", Name: "node-c"} })}, events, false},
		{"of another namespace", things{list, change(of(model.PodScheduled, 30, newPod, event),
			func(o *model.Observation) { o.Object = model.PodRef("test", "x", "") })}, events, false},
		{"a log line about a pod", things{list, change(of(model.PodScheduled, 30, newPod), func(o *model.Observation) { o.Object = newPod })},
			events, false},
		{"without the list", things{change(of(model.PodScheduled, 30, newPod, event), func(o *model.Observation) { o.Object = newPod })}, events,
			false},
		{"a log of the kubelet", things{logOf("kubelet", "k.log", 0, 1)}, has, true},
		{"an empty one", things{change2(logOf("kubelet", "k.log", 0, 1), func(in *model.Input) { in.Records = 0 })}, has, false},
		{"of another", things{log}, has, false},

		{"two ordinals of a set", things{named(db0, db1)}, ordinals, true},
		{"one ordinal", things{named(db0, db0)}, ordinals, false},
		{"two sets", things{named(db0, model.PodRef("prod", "web-1", ""))}, ordinals, false},
		{"two namespaces", things{named(db0, model.PodRef("test", "db-1", ""))}, ordinals, false},
		{"the new one is none", things{named(db0, model.PodRef("prod", "db-x", ""))}, ordinals, false},
		{"the old one is none", things{named(model.PodRef("prod", "db-x", ""), db1)}, ordinals, false},
		{"a leading zero", things{named(model.PodRef("prod", "db-01", ""), db1)}, ordinals, false},
		{"three digits", things{named(model.PodRef("prod", "db-100", ""), db1)}, ordinals, true},
		{"four digits", things{named(model.PodRef("prod", "db-1000", ""), db1)}, ordinals, false},
		{"no dash in the new one", things{named(db0, model.PodRef("prod", "1", ""))}, ordinals, false},
		{"no dash in the old one", things{named(model.PodRef("prod", "0", ""), db1)}, ordinals, false},
		{"no old pod", things{change(named(db0, db1), func(o *model.Observation) { o.Pods = nil })}, ordinals, false},

		{"listed together", things{row(model.PodReady, oldPod), row(model.PodNotReady, newPod)}, together, "pod-ready, pod-not-ready"},
		{"the old one is not Ready", things{row(model.PodNotReady, oldPod), row(model.PodNotReady, newPod)}, together, ""},
		{"the new one is Ready", things{row(model.PodReady, oldPod), row(model.PodReady, newPod)}, together, ""},
		{"in two lists", things{within("other", row(model.PodReady, oldPod)), row(model.PodNotReady, newPod)}, together, ""},
		{"an event with a time", things{within("list", of(model.PodReady, 0, oldPod, text)), row(model.PodNotReady, newPod)}, together, ""},
		{"not a list", things{change(row(model.PodReady, oldPod), func(o *model.Observation) { o.Source.Kind = event }),
			row(model.PodNotReady, newPod)}, together, ""},

		{"the attacher started since the request", things{request, of(model.AttacherStarted, 55)}, start, true},
		{"before it", things{request, of(model.AttacherStarted, 49)}, start, false},
		{"after the time", things{request, of(model.AttacherStarted, 61)}, start, false},

		{"nodes that were lost, of a holder that nothing tells", things{nowhere, of(model.NodeNotReady, -100, "node-c"),
			of(model.NodeNotReady, -90, "node-c"), of(model.NodeNotReady, -90, "node-d")}, lost, 2},
		{"the wanted one is none", things{nowhere, of(model.NodeNotReady, -100, "node-b")}, lost, 0},
		{"of a holder that is known", things{of(model.NodeNotReady, -100, "node-c")}, lost, 0},
		{"an answer of the driver", things{of(model.DetachFailed, 60, "node-a", volume, detail("rpc error: code = Internal"))}, answers, 1},
		{"a wait in vain", things{of(model.DetachFailed, 60, "node-a", volume,
			detail("timed out waiting for external-attacher of csi.example.com CSI driver to detach volume vol-1"))}, answers, 0},

		{"the second attachment while the first was there", things{request, of(model.AttachmentGone, 60, onA, audit),
			of(model.AttachmentCreated, 58.9, onB, audit)}, second, true},
		{"less than a second before its end", things{request, of(model.AttachmentGone, 60, onA, audit),
			of(model.AttachmentCreated, 59, onB, audit)}, second, false},
		{"of a first one whose end is not known", things{of(model.AttachmentCreated, 0, onB, audit)}, second, true},
		{"made before the wait", things{of(model.AttachmentCreated, -0.1, onB, audit)}, second, false},
		{"of no second one", things{request}, second, false},
	} {
		if got := tt.ask(waitOf(t, tt.list...)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.rule, got, tt.want)
		}
	}
}

// TestStatements: questions about single statements of a world.
func TestStatements(t *testing.T) {
	status := of(model.AttachmentAttached, -500, onB, model.SourceAudit, actor("system:serviceaccount:kube-system:csi"))
	sends := func(who, agent string, told ...*model.Observation) any {
		o := change(of(model.AttachmentDeletionRequested, 50, onA, model.SourceAudit, actor(who)), func(o *model.Observation) { o.Agent = agent })
		var list things
		for _, x := range told {
			list = append(list, x)
		}
		return world(list...).IsAttacher(o)
	}
	newest := func(pod model.Ref, told ...*model.Observation) any {
		var list things
		for _, x := range told {
			list = append(list, x)
		}
		o := world(list...).NewestOf(pod, model.PodReady, model.PodGone)
		return cited([]*model.Observation{o})
	}
	for _, tt := range []struct {
		rule      string
		got, want any
	}{
		{"the attacher by its program", sends("", "csi-attacher/v4.5.0"), true},
		{"by what else it writes", sends("system:serviceaccount:kube-system:csi", "", status), true},
		{"another program of that account", sends("system:serviceaccount:kube-system:csi", "other/v1", status), false},
		{"another account", sends("system:serviceaccount:kube-system:x", "", status), false},
		{"nobody", sends("", "", change(of(model.AttachmentAttached, -500, onB, model.SourceAudit), func(*model.Observation) {})), false},
		{"of a status that no audit log shows", sends("system:serviceaccount:kube-system:csi", "",
			change(of(model.AttachmentAttached, -500, onB, actor("system:serviceaccount:kube-system:csi")), func(*model.Observation) {})), false},
		{"the newest about a pod", newest(oldPod, of(model.PodReady, 5, oldPod), of(model.PodGone, 10, oldPod), of(model.PodKilling, 20, oldPod)),
			"pod-gone@10"},
		{"by name", newest(model.PodRef("prod", "db-old", ""), of(model.PodReady, 5, oldPod)), "pod-ready@5"},
		{"told by name", newest(oldPod, of(model.PodReady, 5, model.PodRef("prod", "db-old", ""))), "pod-ready@5"},
		{"about another of the name", newest(oldPod, of(model.PodReady, 5, model.PodRef("prod", "db-old", "u-x"))), "nil"},
		{"about another pod", newest(oldPod, of(model.PodReady, 5, newPod)), "nil"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.rule, tt.got, tt.want)
		}
	}
}
