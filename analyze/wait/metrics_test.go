package wait_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestSampledWaits: the waits that metrics show: a pod waits on one node while its volume is attached on another only.
func TestSampledWaits(t *testing.T) {
	metric := model.SourceMetric
	bound := func(ps ...model.Ref) *model.Observation {
		return change(of(model.VolumeBound, 0, volume, metric), func(o *model.Observation) { o.Pods, o.Access = ps, []string{"ReadWriteOnce"} })
	}
	modeless := change(bound(newPod), func(o *model.Observation) { o.Access = nil })
	waiting := func(from, to float64, about ...any) *model.Observation {
		return lasting(to, of(model.PodWaiting, from, append([]any{newPod, "node-b", metric, detail("ContainerCreating")}, about...)...))
	}
	there := func(from, to float64, about ...any) *model.Observation {
		o := lasting(to, of(model.AttachmentAttached, from, append([]any{onA, volume, metric}, about...)...))
		o.Node = "node-a"
		for _, a := range about {
			if n, ok := a.(string); ok && n != onA && n != onB {
				o.Node = n
			}
		}
		return o
	}
	endedBy := func(at float64, kind model.SourceKind) *model.Observation {
		return change(of(model.AttachmentGone, at, onA, volume, kind), func(o *model.Observation) { o.Node = "node-a" })
	}
	log := logOf("kube-controller-manager", "k", -100, 200)
	askWorlds(t, waitsOf, []worldRow{
		{"a pod waits, and its volume is elsewhere", things{bound(newPod), waiting(0, 60), there(-500, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"it waits for another volume", things{bound(oldPod), waiting(0, 60), there(-500, 60)}, ""},
		{"another of the name does", things{bound(model.PodRef("prod", "db-new", "u-x")), waiting(0, 60), there(-500, 60)}, ""},
		{"the volume is on its node", things{bound(newPod), waiting(0, 60), there(-500, 60, "node-b")}, ""},
		{"on its node, too", things{bound(newPod), waiting(0, 60), there(-500, 60),
			change(there(-400, 60, "node-b"), func(o *model.Observation) { o.Attachment = onB })}, ""},
		{"on its node before", things{bound(newPod), waiting(0, 60), there(-500, 60),
			change(there(-400, -300, "node-b"), func(o *model.Observation) { o.Attachment = onB }),
			of(model.AttachmentGone, -300, onB, volume, metric)}, "[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"an object shows it", things{bound(newPod), waiting(0, 60), change(there(-500, 60),
			func(o *model.Observation) { o.Source.Kind = model.SourceManifest })}, ""},
		{"on no node", things{bound(newPod), waiting(0, 60), change(there(-500, 60), func(o *model.Observation) { o.Node = "" })}, ""},
		{"attached after the pod had ceased to wait", things{bound(newPod), waiting(0, 60), there(61, 100)}, ""},
		{"detached before it waited", things{bound(newPod), waiting(0, 60), there(-500, -1)}, ""},
		{"gone before it waited, as the audit log says", things{bound(newPod), waiting(0, 60), there(-500, 60), endedBy(-5, model.SourceAudit)},
			""},
		{"as the samples say", things{bound(newPod), waiting(0, 60), there(-500, 60), endedBy(-5, metric)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"without its node, where it was scheduled", things{bound(newPod), change(waiting(0, 60), func(o *model.Observation) { o.Node = "" }),
			of(model.PodScheduled, -5, newPod, "node-b", metric), there(-500, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -5 -5 0, prod/db-new]"},
		{"without any node", things{bound(newPod), change(waiting(0, 60), func(o *model.Observation) { o.Node = "" }), there(-500, 60)}, ""},
		{"since it was scheduled", things{bound(newPod), waiting(0, 60), of(model.PodScheduled, -40, newPod, "node-b", metric), there(-500, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -40 -40 0, prod/db-new]"},
		{"scheduled elsewhere before", things{bound(newPod), waiting(0, 60), of(model.PodScheduled, -40, newPod, "node-c", metric),
			there(-500, 60)}, "[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"not before it was attached", things{bound(newPod), waiting(0, 60), of(model.PodScheduled, -40, newPod, "node-b", metric),
			there(-20, 60)}, "[pvc-1 on node-b from node-a sampled: 1/0 since -20 -20 0, prod/db-new]"},
		{"since it was made", things{bound(newPod), waiting(0, 60), of(model.PodCreated, -40, newPod, metric),
			change(there(-500, 60), func(o *model.Observation) { o.Kind = model.AttachmentSampled })},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -40 0 0, prod/db-new]"},
		{"since nobody knows", things{bound(newPod), waiting(0, 60), change(there(-500, 60),
			func(o *model.Observation) { o.Kind = model.AttachmentSampled })},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -2.602e+08 0 0, prod/db-new]"},
		{"for a volume of many", things{change(bound(newPod), func(o *model.Observation) { o.Access = []string{"ReadWriteMany"} }),
			waiting(0, 60), there(-500, 60)}, ""},
		{"where nothing tells for how many, for half a minute", things{modeless, waiting(0, 30), there(-500, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"for less", things{modeless, waiting(0, 29), there(-500, 60)}, ""},
		{"but an attachment was made at once", things{modeless, waiting(0, 60), there(-500, 60),
			change(of(model.AttachmentCreated, 10, onB, volume, metric), func(o *model.Observation) { o.Node = "node-b" })}, ""},
		{"or later", things{modeless, waiting(0, 60), there(-500, 60), change(of(model.AttachmentCreated, 31, onB, volume, metric),
			func(o *model.Observation) { o.Node = "node-b" })}, "[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"a report tells of it", things{report(), bound(newPod), waiting(0, 60), there(-500, 60)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"a report of long before", things{change(report(), func(o *model.Observation) { o.At = model.Exactly(at(-621)); o.Last = o.At }),
			bound(newPod), waiting(0, 60), there(-500, 60)},
			"[pvc-1 on node-b from node-a: 1/0 since -621, prod/db-new][pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new]"},
		{"a report of two minutes before", things{change(report(), func(o *model.Observation) { o.At = model.Exactly(at(-619)); o.Last = o.At }),
			bound(newPod), waiting(0, 60), there(-500, 60)}, "[pvc-1 on node-b from node-a: 1/0 since -619, prod/db-new]"},
		{"a report of long after", things{change(report(), func(o *model.Observation) { o.At = model.Exactly(at(181)); o.Last = o.At }),
			bound(newPod), waiting(0, 60), there(-500, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new][pvc-1 on node-b from node-a: 1/0 since 181, prod/db-new]"},
		{"a log that covers it has none", things{log, bound(newPod), waiting(0, 60), of(model.PodScheduled, -40, newPod, "node-b", metric),
			there(-50, 60)}, ""},
		{"a log that begins later", things{logOf("kube-controller-manager", "k", -39, 200), bound(newPod), waiting(0, 60),
			of(model.PodScheduled, -40, newPod, "node-b", metric), there(-50, 60)},
			"[pvc-1 on node-b from node-a sampled: 1/0 since -40 -40 0, prod/db-new]"},
		{"two containers of a pod", things{bound(newPod), waiting(0, 60), waiting(10, 70), there(-500, 100)},
			"[pvc-1 on node-b from node-a sampled: 2/0 since -500 0 0, prod/db-new]"},
		{"two waits of a pod", things{bound(newPod), waiting(0, 60), waiting(600, 660), of(model.PodScheduled, 550, newPod, "node-b", metric),
			there(-500, 1000)}, "[pvc-1 on node-b from node-a sampled: 1/0 since -500 0 0, prod/db-new][pvc-1 on node-b from node-a sampled: 1/0 " +
			"since 550 550 600, prod/db-new]"},
	})
	end := func(w *facts.World) string {
		if end := cases.Waits(w)[0].MetricsEnd(); !end.IsZero() {
			return fmt.Sprint(end.Sub(at(0)).Seconds())
		}
		return "zero"
	}
	askWorlds(t, end, []worldRow{
		{"metrics that end in a wait", things{bound(newPod), waiting(0, 60), there(-500, 60)}, "60"},
		{"two scrapes after it", things{bound(newPod), waiting(0, 60), there(-500, 180)}, "60"},
		{"that go on after it", things{bound(newPod), waiting(0, 60), there(-500, 181)}, "zero"},
		{"before a collection", things{bound(newPod), waiting(0, 60), there(-500, 60), collected(60)}, "zero"},
	})
}

// TestSampledStates: what metrics show all through a wait.
func TestSampledStates(t *testing.T) {
	metric := model.SourceMetric
	ready := func(c *wait.Case) any { return c.NodeSampledReady() != nil }
	lostAll := func(c *wait.Case) any { return c.NodeSampledLost() != nil }
	podsReady := func(c *wait.Case) any { return cited(c.OldPodsSampledReady()) }
	one := func(c *wait.Case) any { return c.OneDeployment() }
	counted := func(c *wait.Case) any { return len(c.CountedFailures()) }
	ops := func(c *wait.Case) any { return c.OperationsAreCounted() }
	force := func(c *wait.Case) any { return c.CountedForce() != nil }
	covers := func(c *wait.Case) any { return c.World.MetricsCover() != nil }
	state := func(c *wait.Case) any { n, o := c.OldNode(); return fmt.Sprint(n, " ", cited(o)) }
	over := func(kind model.Kind, from, to float64, about ...any) *model.Observation {
		return lasting(to, of(kind, from, append(about, metric)...))
	}
	attached := of(model.AttacherAttached, 200, onB)
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	gone := of(model.PodGone, 20, oldPod, model.SourceAudit)
	of2 := func(o *model.Observation, driver string) *model.Observation { o.Attacher = driver; return o }
	failing := func(from, to float64, what string) *model.Observation {
		return of2(over(model.StorageOperationsCounted, from, to, detail(what)), "csi.example.com")
	}
	bound := func(modes ...string) *model.Observation {
		return change(of(model.VolumeBound, 0, volume, metric), func(o *model.Observation) { o.Pods, o.Access = []model.Ref{newPod}, modes })
	}
	there := func(node string, from, to float64) *model.Observation {
		return change(over(model.AttachmentAttached, from, to, onA, volume), func(o *model.Observation) { o.Node = node })
	}
	two := reportOf(newPod, []model.Ref{oldPod, model.PodRef("prod", "db-old-2", "u-old-2")})
	owner := func(pod model.Ref, kind model.Kind, rs string) *model.Observation {
		return change(over(kind, 0, 50, pod), func(o *model.Observation) { o.Owner = model.Ref{Kind: "ReplicaSet", Namespace: "prod", Name: rs} })
	}
	askRows(t, []row{
		{"Ready from the report to the end", things{attached, over(model.NodeSampledReady, 0, 200, "node-a")}, ready, "true"},
		{"two minutes before the end", things{attached, over(model.NodeSampledReady, 0, 80, "node-a")}, ready, "true"},
		{"longer before", things{attached, over(model.NodeSampledReady, 0, 79, "node-a")}, ready, "false"},
		{"since after the report", things{attached, over(model.NodeSampledReady, 1, 200, "node-a")}, ready, "false"},
		{"another node", things{attached, over(model.NodeSampledReady, 0, 200, "node-c")}, ready, "false"},
		{"something tells of a loss", things{attached, lost, over(model.NodeSampledReady, 0, 200, "node-a")}, ready, "false"},
		{"to the end of an open wait", things{collected(300), over(model.NodeSampledReady, 0, 180, "node-a")}, ready, "true"},
		{"not to its end", things{collected(300), over(model.NodeSampledReady, 0, 179, "node-a")}, ready, "false"},
		{"not Ready to the end", things{attached, over(model.NodeSampledNotReady, 0, 200, "node-a")}, lostAll, "true"},
		{"not to the end", things{attached, over(model.NodeSampledNotReady, 0, 79, "node-a")}, lostAll, "false"},
		{"of an open wait", things{collected(300), over(model.NodeSampledNotReady, 0, 10, "node-a")}, lostAll, "true"},
		{"not Ready since after the report", things{attached, over(model.NodeSampledNotReady, 1, 200, "node-a")}, lostAll, "false"},
		{"lost, and since when is known", things{attached, lost, over(model.NodeSampledNotReady, 0, 200, "node-a")}, lostAll, "false"},
		{"sampled Ready it is not lost", things{attached, over(model.NodeSampledReady, 0, 200, "node-a")}, lostAll, "false"},

		{"the old pod was Ready a minute after the report", things{over(model.PodSampledReady, -10, 60, oldPod)}, podsReady,
			"pod-sampled-ready@-10"},
		{"less", things{over(model.PodSampledReady, -10, 59, oldPod)}, podsReady, ""},
		{"since after the report it was", things{over(model.PodSampledReady, 1, 100, oldPod)}, podsReady, ""},
		{"another of the name was", things{over(model.PodSampledReady, -10, 60, model.PodRef("prod", "db-old", "u-x"))}, podsReady, ""},
		{"one of two was", things{two, over(model.PodSampledReady, -10, 60, oldPod)}, podsReady, ""},
		{"both were", things{two, over(model.PodSampledReady, -10, 60, oldPod),
			over(model.PodSampledReady, -10, 60, model.PodRef("prod", "db-old-2", "u-old-2"))}, podsReady,
			"pod-sampled-ready@-10, pod-sampled-ready@-10"},

		{"one Deployment, by the names", things{reportOf(next, []model.Ref{first})}, one, "true"},
		{"in two namespaces", things{reportOf(next, []model.Ref{model.PodRef("test", first.Name, "")})}, one, "false"},
		{"by the ReplicaSets that metrics name", things{owner(oldPod, model.PodSampledReady, "db-1"), owner(newPod, model.PodWaiting, "db-2")},
			one, "true"},
		{"one ReplicaSet", things{owner(oldPod, model.PodSampledReady, "db-1"), owner(newPod, model.PodWaiting, "db-1")}, one, "false"},
		{"two Deployments", things{owner(oldPod, model.PodSampledReady, "db-1"), owner(newPod, model.PodWaiting, "web-1")}, one, "false"},
		{"no hash in the first", things{owner(oldPod, model.PodSampledReady, "db"), owner(newPod, model.PodWaiting, "db-1")}, one, "false"},
		{"no hash in the second", things{owner(oldPod, model.PodSampledReady, "db-1"), owner(newPod, model.PodWaiting, "db")}, one, "false"},
		{"told by something else", things{owner(oldPod, model.PodSampled, "db-1"), owner(newPod, model.PodWaiting, "db-2")}, one, "false"},
		{"of another of the name", things{owner(model.PodRef("prod", "db-old", "u-x"), model.PodSampledReady, "db-1"),
			owner(newPod, model.PodWaiting, "db-2")}, one, "false"},

		{"a failed detach that was counted", things{attached, failing(10, 20, "volume_detach fail")}, counted, "1"},
		{"an attach", things{attached, failing(10, 20, "volume_attach fail")}, counted, "0"},
		{"before the report it was counted", things{attached, failing(-20, -1, "volume_detach fail")}, counted, "0"},
		{"until the report", things{attached, failing(-20, 0, "volume_detach fail")}, counted, "1"},
		{"after the end", things{attached, failing(208, 210, "volume_detach fail")}, counted, "0"},
		{"with the end", things{attached, failing(207, 210, "volume_detach fail")}, counted, "1"},
		{"of another driver", things{attached, of2(failing(10, 20, "volume_detach fail"), "x")}, counted, "0"},
		{"of an open wait it was counted", things{collected(300), failing(290, 295, "volume_detach fail")}, counted, "1"},
		{"the counters are there from the release on", things{attached, gone, of2(over(model.OperationsSampled, 20, 200), "csi.example.com")},
			ops, "true"},
		{"since after the release", things{attached, gone, of2(over(model.OperationsSampled, 21, 200), "csi.example.com")}, ops, "false"},
		{"until long before the end", things{attached, gone, of2(over(model.OperationsSampled, 20, 79), "csi.example.com")}, ops, "false"},
		{"of another driver they are", things{attached, gone, of2(over(model.OperationsSampled, 20, 200), "x")}, ops, "false"},
		{"a forced detach was counted", things{attached, over(model.ForcedDetachesCounted, 10, 20)}, force, "true"},
		{"a forced one before the report", things{attached, over(model.ForcedDetachesCounted, -10, -1)}, force, "false"},
		{"a forced one until the report", things{attached, over(model.ForcedDetachesCounted, -10, 0)}, force, "true"},
		{"a forced one after the end", things{attached, over(model.ForcedDetachesCounted, 208, 210)}, force, "false"},
		{"a forced one with the end", things{attached, over(model.ForcedDetachesCounted, 207, 210)}, force, "true"},
		{"a forced one of an open wait", things{collected(300), over(model.ForcedDetachesCounted, 290, 295)}, force, "true"},
		{"a forced one after the collection", things{collected(300), over(model.ForcedDetachesCounted, 301, 305)}, force, "false"},

		{"metrics would show a wait for a minute", things{over(model.WaitsSampled, 0, 60)}, covers, "true"},
		{"for less than a minute", things{over(model.WaitsSampled, 0, 59)}, covers, "false"},
		{"with a pause", things{over(model.WaitsSampled, 0, 60), over(model.WaitsSampled, 100, 160, detail("5m"))}, covers, "false"},

		{"a pod waits for a volume that is elsewhere, of which nothing tells for how many it is",
			things{over(model.WaitsSampled, 0, 60), bound(), over(model.PodWaiting, 0, 10, newPod, "node-b"), there("node-a", -500, 60)}, covers,
			"false"},
		{"which is on its own node", things{over(model.WaitsSampled, 0, 60), bound(), over(model.PodWaiting, 0, 10, newPod, "node-b"),
			there("node-b", -500, 60)}, covers, "true"},
		{"which was elsewhere before", things{over(model.WaitsSampled, 0, 60), bound(), over(model.PodWaiting, 0, 10, newPod, "node-b"),
			there("node-a", -500, -1)}, covers, "true"},
		{"until it waited", things{over(model.WaitsSampled, 0, 60), bound(), over(model.PodWaiting, 0, 10, newPod, "node-b"),
			there("node-a", -500, 0)}, covers, "false"},
		{"which came elsewhere later", things{over(model.WaitsSampled, 0, 60), bound(), over(model.PodWaiting, 0, 10, newPod, "node-b"),
			there("node-a", 11, 60)}, covers, "true"},
		{"which is for one", things{over(model.WaitsSampled, 0, 60), bound("ReadWriteOnce"), over(model.PodWaiting, 0, 10, newPod, "node-b"),
			there("node-a", -500, 60)}, covers, "true"},

		{"the old node was lost", things{attached, lost}, state, "1"},
		{"after the wait it was lost", things{attached, lost, of(model.NodeReady, -50, "node-a"), of(model.NodeNotReady, 201, "node-a")}, state,
			"0"},
		{"its Node was deleted", things{attached, of(model.NodeDeleted, 10, "node-a", model.SourceAudit)}, state, "1"},
		{"a row shows it lost", things{timeless(of(model.NodeNotReady, 0, "node-a"))}, state, "1 node-not-ready"},
		{"samples show it lost", things{over(model.NodeSampledNotReady, 0, 200, "node-a")}, state, "1 node-sampled-not-ready@0"},
		{"its condition shows it Ready", things{nodeOf("node-a", condition("True", -500))}, state,
			"2 node-a status.conditions[0].lastTransitionTime"},
		{"samples show it Ready", things{attached, over(model.NodeSampledReady, 0, 200, "node-a")}, state, "2 node-sampled-ready@0"},
		{"a row shows it Ready", things{timeless(of(model.NodeReady, 0, "node-a"))}, state, "2 node-ready"},
		{"a row, and the wait is over", things{attached, timeless(of(model.NodeReady, 0, "node-a"))}, state, "0"},
		{"its pod is Ready", things{podOf(oldPod, "node-a", func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: "True"}, {Type: corev1.PodReady, Status: "True"}}
		})}, state, "2 db-old status.conditions[1].status"},
		{"its pod is not", things{podOf(oldPod, "node-a", func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: "False"}}
		})}, state, "0"},
		{"its pod was Ready all the time", things{over(model.PodSampledReady, -10, 60, oldPod)}, state, "2 pod-sampled-ready@-10"},
		{"the controller detached without force", things{of(model.DetachStarted, 50, "node-a", volume)}, state, "2 detach-started@50"},
		{"with force", things{of(model.DetachForcedTimeout, 400, "node-a", volume)}, state, "0"},
	})
}
