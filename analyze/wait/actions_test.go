package wait_test

import (
	"fmt"
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestActions: which sources tell of one action, and what is derived where none tells.
func TestActions(t *testing.T) {
	audit, event, metric, manifest := model.SourceAudit, model.SourceEvent, model.SourceMetric, model.SourceManifest
	acts := func(c *wait.Case) any {
		text := ""
		for _, a := range wait.Actions(c) {
			text += fmt.Sprintf("[%s %s by %q %s %t: %s]", a.What, span(a.At), a.By, a.ByPerson, a.Inferred, cited(a.At.Witness))
		}
		return text
	}
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	deletion := func(at float64, source model.SourceKind, about ...any) *model.Observation {
		return of(model.PodDeletionRequested, at, append(about, oldPod, source)...)
	}
	scaled := func(at float64, text string, source model.SourceKind, who ...any) *model.Observation {
		return change(of(model.WorkloadScaled, at, append(who, detail(text), source)...), func(o *model.Observation) { o.Object = db })
	}
	owned := change(report(), func(o *model.Observation) { o.Owner = db })
	finished := of(model.PodFinished, 5, oldPod)
	kcm := func(from, to float64) model.Input { return logOf("kube-controller-manager", "k", from, to) }
	gone := func(at float64, source model.SourceKind) *model.Observation {
		return of(model.PodGone, at, oldPod, source)
	}
	pods := model.Listed{Kind: "Pod", Namespace: "prod"}
	taint := of(model.NodeTainted, -95, "node-a", detail("node.kubernetes.io/unreachable:NoExecute"), metric)
	endedBy := func(at float64) *model.Observation { return of(model.AttachmentGone, at, onA, metric) }
	sampled := of(model.PodSampled, -500, oldPod, "node-a", metric)
	attacher := func(at float64) *model.Observation { return of(model.AttacherStarted, at) }
	change2 := func(kind model.Kind, what string) *model.Observation {
		return change(of(kind, 5, detail(what), event), func(o *model.Observation) { o.Object = db })
	}
	outOfService := func(at float64) *model.Observation {
		return of(model.NodeTainted, at, "node-a", detail("node.kubernetes.io/out-of-service=x:NoExecute"))
	}
	collects := of(model.PodForceDeleting, 45, model.Ref{Kind: "Pod", Namespace: "prod", Name: "other"})
	typed := func(kind, name string) *model.Observation {
		return change(of(model.CommandTyped, 5, detail("x")), func(o *model.Observation) { o.Object = model.Ref{Kind: kind, Name: name} })
	}
	commands := func(c *wait.Case) any {
		text := ""
		for _, a := range wait.Actions(c) {
			text += " " + a.Object.Kind
		}
		return text
	}
	act := func(c *wait.Case) any {
		by, ok := c.EndedBy()
		return fmt.Sprintf("%s: %v", by.What, ok)
	}
	askRows(t, []row{
		{"scaled down before the waiting pod went, and long after the old one", things{owned, deletion(-20, audit), scaled(50, "scaled to 0 replicas", audit),
			of(model.PodDeletionRequested, 52, newPod, audit)}, act, "scaled: true"},
		{"long before it", things{owned, deletion(-20, audit), scaled(40, "scaled to 0 replicas", audit),
			of(model.PodDeletionRequested, 52, newPod, audit)}, act, ": false"},
		{"by two people", things{deletion(-20, audit, actor("admin")), deletion(-19, audit, actor("bob"))}, acts,
			`[deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20, pod-deletion-requested@-19]`},
		{"by a person, and by nobody that is known", things{deletion(-20, audit, actor("admin")), deletion(-19, event)}, acts,
			`[deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20, pod-deletion-requested@-19]`},
		{"ten seconds apart", things{deletion(-20, audit, actor("admin")), deletion(-10, event)}, acts,
			`[deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20, pod-deletion-requested@-10]`},
		{"more", things{deletion(-20, audit, actor("admin")), deletion(-9.9, event)}, acts,
			`[deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20]` +
				`[deleted-pod -9.9 by "" unknown false: pod-deletion-requested@-9.9]`},
		{"ten seconds before", things{deletion(-20, audit, actor("admin")), deletion(-30, event)}, acts,
			`[deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20, pod-deletion-requested@-30]`},
		{"the eviction and its call", things{of(model.PodEvictionDecided, -21, oldPod),
			deletion(-20, audit, actor("system:serviceaccount:kube-system:node-controller"))}, acts,
			`[deleted-pod -20 by "taint eviction" false false: pod-deletion-requested@-20, pod-eviction-decided@-21]`},
		{"by force, and the object shows a grace period", things{deletion(-20, audit, actor("admin"), detail("grace 0s")),
			change(deletion(-20, manifest), func(o *model.Observation) { o.At.Basis = model.Derived })}, acts,
			`[force-deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20, pod-deletion-requested@-20]`},
		{"by force, and another record has one", things{deletion(-20, audit, actor("admin"), detail("grace 0s")), deletion(-20, event)}, acts,
			`[deleted-pod -20 by "" unknown false: pod-deletion-requested@-20]` +
				`[force-deleted-pod -20 by "a person with kubectl (user admin)" true false: pod-deletion-requested@-20]`},
		{"scaled twice", things{owned, scaled(-20, "to 0", audit, actor("admin")), scaled(-15, "to 1", audit, actor("admin"))}, acts,
			`[scaled -20 by "a person with kubectl (user admin)" true false: workload-scaled@-20]` +
				`[scaled -15 by "a person with kubectl (user admin)" true false: workload-scaled@-15]`},
		{"scaled, as two tell", things{owned, scaled(-20, "to 0", audit, actor("admin")), scaled(-19, "", manifest)}, acts,
			`[scaled -20 by "a person with kubectl (user admin)" true false: workload-scaled@-20, workload-scaled@-19]`},
		{"typed for objects of the wait", things{owned, typed("Node", "node-a"), typed("VolumeAttachment", onA), typed("PersistentVolume", "pvc-1"), typed(db.Kind, db.Name)}, commands,
			"Deployment Node PersistentVolume VolumeAttachment"},
		{"typed for others", things{owned, typed("Node", "node-b"), typed("Node", "node-c"), typed("VolumeAttachment", "csi-x"), typed("PersistentVolume", "pv-x"),
			typed("PersistentVolumeClaim", "x"), typed(db.Kind, "x"), typed("Pod", "x"), typed("StatefulSet", db.Name)}, commands, ""},
		{"a ReplicaSet's event", things{owned, scaled(-20, "to 0", event)}, acts, ""},
		{"a new template", things{owned, change2(model.WorkloadChanged, "image")}, acts,
			`[changed-template 5 by "" unknown false: workload-changed@5]`},
		{"a restart", things{owned, change2(model.WorkloadChanged, "restart")}, acts, `[restarted 5 by "" unknown false: workload-changed@5]`},
		{"an attacher began", things{attacher(10)}, acts, `[started-attacher 10 by "" unknown false: attacher-started@10]`},
		{"two minutes before the report", things{attacher(-120)}, acts, `[started-attacher -120 by "" unknown false: attacher-started@-120]`},
		{"earlier", things{attacher(-121)}, acts, ""},
		{"a cordon by its taint", things{of(model.NodeTainted, 5, "node-a", detail("node.kubernetes.io/unschedulable=:NoSchedule"))}, acts,
			`[cordoned 4 5 5 by "" unknown false: node-tainted@5]`},
		{"uncordoned", things{of(model.NodeUncordoned, 5, "node-a", audit, actor("admin"))}, acts,
			`[uncordoned 5 by "a person with kubectl (user admin)" true false: node-uncordoned@5]`},
		{"the taint taken away", things{of(model.NodeUntainted, 5, "node-a", audit, actor("admin"),
			detail("node.kubernetes.io/out-of-service=x:NoExecute"))}, acts,
			`[removed-out-of-service 5 by "a person with kubectl (user admin)" true false: node-untainted@5]`},
		{"another taint taken away", things{of(model.NodeUntainted, 5, "node-a", audit, actor("admin"), detail("x=y:NoExecute"))}, acts, ""},
		{"a deletion of the Node that an event tells", things{of(model.NodeDeleted, 5, "node-a", event)}, acts,
			`[deleted-node 0 2.5 5 by "" unknown true: node-deleted@5]`},
		{"by the cloud's controller, as a row tells", things{change(of(model.NodeDeleted, 5, "node-a", event), func(o *model.Observation) {
			o.Quote.Text = "Deleting node node-a because it does not exist in the cloud provider"
		})}, acts, `[deleted-node 0 2.5 5 by "the cloud node lifecycle controller" false true: node-deleted@5]`},
		{"by the cloud's controller", things{of(model.NodeDeleted, 5, "node-a", event, component("cloud-node-lifecycle-controller"))}, acts,
			`[deleted-node 5 7.5 10 by "the cloud node lifecycle controller" false true: node-deleted@5]`},
		{"a disruption by pod GC", things{of(model.PodEvictionDecided, 5, oldPod, detail("DeletionByPodGC"))}, acts,
			`[force-deleted-pod 5 by "pod GC" false false: pod-eviction-decided@5]`},
		{"by the eviction API", things{of(model.PodEvictionDecided, 5, oldPod, detail("EvictionByEvictionAPI"))}, acts,
			`[evicted-pod 5 by "" unknown false: pod-eviction-decided@5]`},
		{"by the scheduler", things{of(model.PodEvictionDecided, 5, oldPod, detail("PreemptionByScheduler"))}, acts,
			`[deleted-pod 5 by "the scheduler" false false: pod-eviction-decided@5]`},
		{"by the kubelet", things{of(model.PodEvictionDecided, 5, oldPod, detail("TerminationByKubelet"))}, acts, ""},
		{"by the taint eviction", things{of(model.PodEvictionDecided, 5, oldPod)}, acts,
			`[deleted-pod 5 by "taint eviction" false false: pod-eviction-decided@5]`},
		{"a ReplicaSet deletes its pod",
			things{change(of(model.ReplicaDeleted, 5, oldPod), func(o *model.Observation) { o.Owner = model.Ref{Kind: "ReplicaSet", Name: "rs"} })},
			acts, `[deleted-pod 5 by "the controller of rs" false false: replica-deleted@5]`},

		{"a deletion without grace in a log, of a pod that had finished", things{lost, finished,
			deletion(20, model.SourceLog, detail("grace 0s"))}, acts, ""},
		{"that finished later", things{lost, of(model.PodFinished, 25, oldPod), deletion(20, model.SourceLog, detail("grace 0s"))}, acts,
			`[force-deleted-pod 20 by "" unknown false: pod-deletion-requested@20]`},
		{"another kind without grace in a log", things{of(model.PodForceDeleted, 20, oldPod, detail("grace 0s"))}, acts,
			`[force-deleted-pod 20 by "pod GC" false false: pod-force-deleted@20]`},
		{"of a node that was out of service", things{lost,
			of(model.NodeTainted, 10, "node-a", detail("node.kubernetes.io/out-of-service=x:NoExecute")),
			deletion(20, model.SourceLog, detail("grace 0s"))}, acts, `[tainted-out-of-service 10 by "" unknown false: node-tainted@10]`},

		{"the pod went while its node was lost, and the log tells of nobody",
			things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost, gone(20, audit)}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100]`},
		{"by sources whose clocks contradict: nobody did it", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost,
			gone(20, audit), of(model.PodScheduled, -900, collects.Pod, audit), of(model.PodScheduled, -200, collects.Pod, manifest)}, acts, ""},
		{"that agree", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost, gone(20, audit),
			of(model.PodScheduled, -200, collects.Pod, audit), of(model.PodScheduled, -200, collects.Pod, manifest)}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100]`},
		{"and before the node was tainted: pod GC's work is told of another pod", things{collected(300), pods, podOf(newPod, "node-b"),
			kcm(-300, 300), lost, gone(20, audit), outOfService(30), collects}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100]` +
				`[tainted-out-of-service 30 by "" unknown false: node-tainted@30]`},
		{"tainted after it was gone, and the log tells of no pod GC", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost,
			gone(20, audit), outOfService(30)}, acts, `[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100]` +
			`[tainted-out-of-service 30 by "" unknown false: node-tainted@30]`},
		{"tainted before, and the log tells of no pod GC", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost,
			gone(20, audit), outOfService(20)}, acts, `[tainted-out-of-service 20 by "" unknown false: node-tainted@20]`},
		{"tainted, and pod GC removed the pod", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost, gone(40, audit),
			outOfService(30), collects, of(model.PodForceDeleting, 40, oldPod)}, acts,
			`[tainted-out-of-service 30 by "" unknown false: node-tainted@30][force-deleted-pod 40 by "pod GC" false false: pod-force-deleting@40]`},
		{"the log ends before", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 10), lost, gone(20, audit)}, acts, ""},
		{"the log has no end", things{collected(300), pods, podOf(newPod, "node-b"), endless(kcm(-300, 10)), lost, gone(20, audit)}, acts, ""},
		{"the pod is there", things{collected(300), pods, podOf(newPod, "node-b"), podOf(oldPod, "node-a"), kcm(-300, 300), lost,
			gone(20, audit)}, acts, ""},
		{"no list of pods", things{collected(300), podOf(newPod, "node-b"), kcm(-300, 300), lost, gone(20, audit)}, acts, ""},
		{"the node came back before", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost,
			of(model.NodeReady, 10, "node-a"), gone(20, audit)}, acts, ""},
		{"the kubelet said itself that it was not Ready", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300),
			of(model.NodeNotReady, -100, "node-a", detail("False")), gone(20, audit)}, acts, ""},
		{"lost only after it", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300),
			of(model.NodeNotReady, 20, "node-a", detail("Unknown")), gone(20, audit)}, acts, ""},
		{"it had finished", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost, finished, gone(20, audit)}, acts, ""},
		{"its Node was deleted", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost,
			of(model.NodeDeleted, 10, "node-a", event), gone(20, audit)}, acts, `[deleted-node 5 7.5 10 by "" unknown true: node-deleted@10]`},
		{"pod GC removed it", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), lost, of(model.PodOrphaned, 10, oldPod),
			gone(20, audit)}, acts, ""},
		{"the node was not lost", things{collected(300), pods, podOf(newPod, "node-b"), kcm(-300, 300), gone(20, audit)}, acts, ""},
		{"samples show that it went, and the node's taints", things{lost, taint, gone(20, metric)}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100, node-tainted@-95]`},
		{"samples show that it went", things{lost, gone(20, metric)}, acts, ""},
		{"samples show the taints only", things{lost, taint, gone(20, audit)}, acts, ""},
		{"a taint that comes later", things{lost, change(taint, func(*model.Observation) {}), gone(-97, metric)}, acts, ""},
		{"a taint that a log tells", things{lost, of(model.NodeTainted, -95, "node-a", detail("node.kubernetes.io/unreachable:NoExecute")),
			gone(20, metric)}, acts, ""},

		{"the attachment was gone from a lost node before the six minutes", things{lost, taint, gone(20, metric), endedBy(100)}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100, node-tainted@-95]` +
				`[deleted-attachment 85 92.5 100 by "" unknown true: attachment-gone@100, pod-gone@20, node-tainted@-95]`},
		{"after them", things{lost, taint, gone(20, metric), endedBy(380)}, acts,
			`[force-deleted-pod 20 by "" unknown true: pod-gone@20, node-not-ready@-100, node-tainted@-95]`},
		{"while the old pod was there", things{lost, taint, sampled, endedBy(100)}, acts,
			`[deleted-attachment 85 92.5 100 by "" unknown true: attachment-gone@100, node-tainted@-95]`},
		{"scheduled there", things{lost, taint, of(model.PodScheduled, -500, oldPod, "node-a", metric), endedBy(100)}, acts,
			`[deleted-attachment 85 92.5 100 by "" unknown true: attachment-gone@100, node-tainted@-95]`},
		{"and nothing is sampled of it", things{lost, taint, endedBy(100)}, acts, ""},
		{"and something else is", things{lost, taint, of(model.PodReady, -500, oldPod, "node-a", metric), endedBy(100)}, acts, ""},
		{"and a log tells of it", things{lost, taint, of(model.PodScheduled, -500, oldPod, "node-a"), endedBy(100)}, acts, ""},
		{"from a node that was back", things{lost, taint, of(model.NodeReady, 50, "node-a"), sampled, endedBy(100)}, acts, ""},
		{"from a node that came back later", things{lost, taint, of(model.NodeReady, 150, "node-a"), sampled, endedBy(100)}, acts,
			`[deleted-attachment 85 92.5 100 by "" unknown true: attachment-gone@100, node-tainted@-95]`},
		{"without a taint that samples show", things{lost, sampled, endedBy(100)}, acts, ""},
		{"of a pod that had finished", things{lost, taint, sampled, finished, endedBy(100)}, acts, ""},
		{"of a Node that was deleted", things{lost, taint, sampled, of(model.NodeDeleted, 10, "node-a", event), endedBy(100)}, acts,
			`[deleted-node 5 7.5 10 by "" unknown true: node-deleted@10]`},
		{"that was out of service", things{lost, taint, sampled, of(model.NodeTainted, 10, "node-a",
			detail("node.kubernetes.io/out-of-service=x:NoExecute")), endedBy(100)}, acts,
			`[tainted-out-of-service 10 by "" unknown false: node-tainted@10]`},
		{"whose request is known", things{lost, taint, sampled, of(model.AttachmentDeletionRequested, 90, onA, audit, actor(controller)),
			endedBy(100)}, acts, `[deleted-attachment 90 by "the attach/detach controller" false false: attachment-deletion-requested@90]`},
		{"of an attachment without a name", things{lost, taint, sampled,
			change(report(), func(o *model.Observation) { o.Volume = model.VolumeID{PersistentVolume: "pvc-1"} }), endedBy(100)}, acts, ""},
	})
}
