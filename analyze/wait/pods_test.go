package wait_test

import (
	"fmt"
	"testing"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var (
	// Pods of a Deployment, of one revision and of the next.
	first, again = model.PodRef("prod", "db-6c5d7f9b84-xk2lp", "u-first"), model.PodRef("prod", "db-6c5d7f9b84-zz2lp", "u-again")
	next         = model.PodRef("prod", "db-7c5d7f9b84-zz2lp", "u-next")
	db           = model.Ref{Kind: "Deployment", Namespace: "prod", Name: "db"}
)

// reportOf is the report on a pod, with the pods that hold the volume, and what else.
func reportOf(fresh model.Ref, old []model.Ref, how ...func(*model.Observation)) *model.Observation {
	r := report()
	r.Pod, r.Pods = fresh, old
	for _, h := range how {
		h(r)
	}
	return r
}

func exclusive(o *model.Observation) { o.Variant = model.ExclusivelyAttached }
func nowhere(o *model.Observation)   { o.Holders = nil }

// TestOldPods: which pods used the volume on the old node, and which node that was.
func TestOldPods(t *testing.T) {
	metric := model.SourceMetric
	pods := func(c *wait.Case) any {
		text := c.From + ":"
		for _, p := range c.OldPods {
			text += " " + p.Name + "/" + p.UID
		}
		return fmt.Sprint(text, " ", c.Inferred)
	}
	bare := func(r model.Ref) model.Ref { r.UID = ""; return r }
	scheduled := func(at float64, pod model.Ref, node string) *model.Observation {
		return of(model.PodScheduled, at, pod, node)
	}
	none := reportOf(newPod, nil)
	unknown := reportOf(newPod, nil, nowhere)
	ofDeployment := reportOf(again, nil, exclusive)
	removed := func(kind model.Kind, at float64, pod model.Ref) *model.Observation { return of(kind, at, pod) }
	bound := func(ps ...model.Ref) *model.Observation {
		return change(of(model.VolumeBound, 0, volume, metric), func(o *model.Observation) { o.Pods = ps })
	}
	set0 := model.PodRef("prod", "set-0", "u-0")
	before0 := model.PodRef("prod", "set-0", "u-before")
	ofSet := reportOf(set0, nil, exclusive)
	tenLater := func(o *model.Observation) { o.At = model.Exactly(at(10)); o.Last = o.At }
	web := model.PodRef("prod", "web-6c5d7f9b84-xk2lp", "u-web")
	askRows(t, []row{
		{"the report names them", things{report()}, pods, "node-a: db-old/u-old false"},
		{"by name: the incarnation that was scheduled there", things{reportOf(newPod, []model.Ref{bare(oldPod)}),
			scheduled(-500, oldPod, "node-a")}, pods, "node-a: db-old/u-old false"},
		{"on another node", things{reportOf(newPod, []model.Ref{bare(oldPod)}), scheduled(-500, oldPod, "node-c")}, pods,
			"node-a: db-old/ false"},
		{"or created", things{reportOf(newPod, []model.Ref{bare(oldPod)}), of(model.PodCreated, -500, oldPod)}, pods,
			"node-a: db-old/u-old false"},
		{"or something else", things{reportOf(newPod, []model.Ref{bare(oldPod)}), of(model.PodReady, -500, oldPod)}, pods,
			"node-a: db-old/ false"},
		{"after the report it was another", things{reportOf(newPod, []model.Ref{bare(oldPod)}), scheduled(1, oldPod, "node-a")}, pods,
			"node-a: db-old/ false"},
		{"the new pod of the name is not it", things{reportOf(set0, []model.Ref{bare(set0)}), scheduled(-5, set0, "node-b"),
			scheduled(-500, before0, "node-a")}, pods, "node-a: set-0/u-before false"},
		{"the new pod created is not it", things{reportOf(set0, []model.Ref{bare(set0)}), of(model.PodCreated, -5, set0)}, pods,
			"node-a: set-0/ false"},
		{"the bundle has one that uses it there", things{none, theVolume("data"), podOf(oldPod, "node-a", using("data"))}, pods,
			"node-a: db-old/u-old false"},
		{"elsewhere", things{none, theVolume("data"), podOf(oldPod, "node-c", using("data"))}, pods, "node-a: false"},
		{"made after the report it is a successor", things{none, theVolume("data"), podOf(oldPod, "node-a", using("data"), createdAt(1))}, pods,
			"node-a: db-old/u-old false"},
		{"made after the detach was asked for it is none", things{none, theVolume("data"),
			podOf(oldPod, "node-a", using("data"), createdAt(60)), of(model.DetachStarted, 40, "node-a", volume)}, pods, "node-a: false"},
		{"nor between the detach and the attach", things{none, theVolume("data"), podOf(oldPod, "node-a", using("data"), createdAt(60)),
			of(model.DetachStarted, 40, "node-a", volume), of(model.AttachSucceeded, 80, "node-b", volume)}, pods, "node-a: false"},
		{"nor after the demand had ended", things{none, theVolume("data"), podOf(oldPod, "node-a", using("data"), createdAt(50)),
			of(model.DetachStarted, 60, "node-a", volume), of(model.PodDeletionRequested, 40, newPod, model.SourceAudit)}, pods,
			"node-a: false"},
		{"made with the report", things{none, theVolume("data"), podOf(oldPod, "node-a", using("data"), createdAt(0))}, pods,
			"node-a: db-old/u-old false"},
		{"the waiting pod", things{none, theVolume("data"), podOf(newPod, "node-a", using("data"))}, pods, "node-a: false"},
		{"samples show one", things{none, bound(oldPod), of(model.PodSampled, -500, oldPod, "node-a", metric)}, pods,
			"node-a: db-old/u-old false"},
		{"elsewhere they show one", things{none, bound(oldPod), of(model.PodSampled, -500, oldPod, "node-c", metric)}, pods, "node-a: false"},
		{"and the waiting one", things{none, bound(newPod), of(model.PodSampled, -500, newPod, "node-a", metric)}, pods, "node-a: false"},
		{"one that was gone an hour before", things{none, bound(oldPod), of(model.PodSampled, -9000, oldPod, "node-a", metric),
			of(model.PodGone, -3600, oldPod, metric)}, pods, "node-a: false"},
		{"one that was gone later", things{none, bound(oldPod), of(model.PodSampled, -9000, oldPod, "node-a", metric),
			of(model.PodGone, -3599, oldPod, metric)}, pods, "node-a: db-old/u-old false"},
		{"one whose name was gone before", things{none, bound(oldPod), of(model.PodSampled, -9000, oldPod, "node-a", metric),
			of(model.PodGone, -9999, model.PodRef("prod", "db-old", "u-x"), metric)}, pods, "node-a: db-old/u-old false"},

		{"where a pod of the Deployment was before", things{reportOf(again, nil, nowhere), scheduled(-500, first, "node-a")}, pods,
			"node-a: db-6c5d7f9b84-xk2lp/u-first true"},
		{"of another Deployment", things{reportOf(again, nil, nowhere), scheduled(-500, web, "node-a")}, pods, ": false"},
		{"of the wanted node", things{reportOf(again, nil, nowhere), scheduled(-500, first, "node-b")}, pods, ": false"},
		{"of no node", things{reportOf(again, nil, nowhere), of(model.PodScheduled, -500, first)}, pods, ": false"},
		{"after the report", things{reportOf(again, nil, nowhere), scheduled(1, first, "node-a")}, pods, ": false"},
		{"the waiting pod itself", things{reportOf(again, nil, nowhere), scheduled(-500, again, "node-a")}, pods, ": false"},
		{"of the node that held it", things{reportOf(again, nil), scheduled(-500, first, "node-a"), scheduled(-400, next, "node-c")}, pods,
			"node-a: db-6c5d7f9b84-xk2lp/u-first false"},
		{"of a pod that lost its readiness", things{reportOf(again, nil, nowhere), of(model.PodNotReady, -100, first, "node-a")}, pods,
			"node-a: db-6c5d7f9b84-xk2lp/ true"},
		{"of another ReplicaSet", things{reportOf(again, nil, nowhere), of(model.PodNotReady, -100, next, "node-a")}, pods, ": false"},
		{"after the report it lost it", things{reportOf(again, nil, nowhere), of(model.PodNotReady, 1, first, "node-a")}, pods, ": false"},
		{"on the wanted node it lost it", things{reportOf(again, nil, nowhere), of(model.PodNotReady, -100, first, "node-b")}, pods, ": false"},
		{"in another namespace", things{reportOf(again, nil, nowhere), of(model.PodNotReady, -100, model.PodRef("test", first.Name, ""),
			"node-a")}, pods, ": false"},
		{"of a pod evicted while one node was not Ready", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.PodEvictionDecided, -100, first)}, pods, "node-a: true"},
		{"while two were not", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.NodeNotReady, -390, "node-c"), of(model.PodEvictionDecided, -100, first)}, pods, ": false"},
		{"while one of two was Ready again", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -900, "node-c"), of(model.NodeReady, -800, "node-c"),
			of(model.NodeNotReady, -400, "node-a"), of(model.PodEvictionDecided, -100, first)}, pods, "node-a: true"},
		{"while the only one was Ready again", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.NodeReady, -300, "node-a"), of(model.PodEvictionDecided, -100, first)}, pods, ": false"},
		{"while one was not Ready later", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -50, "node-a"),
			of(model.PodEvictionDecided, -100, first)}, pods, ": false"},
		{"of another Deployment's pod evicted", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.PodEvictionDecided, -100, web)}, pods, ": false"},
		{"evicted in another namespace", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.PodEvictionDecided, -100, model.PodRef("test", first.Name, ""))}, pods, ": false"},
		{"evicted after the report", things{reportOf(again, nil, nowhere), of(model.NodeNotReady, -400, "node-a"),
			of(model.PodEvictionDecided, 1, first)}, pods, ": false"},
		{"the waiting pod lost it", things{reportOf(again, nil, nowhere), of(model.PodNotReady, -100, again, "node-a")}, pods, ": false"},

		{"the one that was removed before", things{ofDeployment, removed(model.PodForceDeleted, -60, first)}, pods,
			"node-a: db-6c5d7f9b84-xk2lp/u-first false"},
		{"an hour before", things{ofDeployment, removed(model.PodGone, -3600, first)}, pods, "node-a: db-6c5d7f9b84-xk2lp/u-first false"},
		{"more than an hour before", things{ofDeployment, removed(model.PodGone, -3601, first)}, pods, "node-a: false"},
		{"after the report it was removed", things{ofDeployment, removed(model.PodGone, 1, first)}, pods, "node-a: false"},
		{"of two none", things{ofDeployment, removed(model.PodGone, -60, first), removed(model.PodGone, -50, next)}, pods, "node-a: false"},
		{"one of another Deployment was removed", things{ofDeployment, removed(model.PodGone, -60, web)}, pods, "node-a: false"},
		{"in another namespace it was removed", things{ofDeployment, removed(model.PodGone, -60, model.PodRef("test", first.Name, ""))}, pods,
			"node-a: false"},
		{"a report that names a user", things{reportOf(again, nil), removed(model.PodGone, -60, first)}, pods, "node-a: false"},
		{"of a StatefulSet the same name", things{ofSet, removed(model.PodGone, -60, before0)}, pods, "node-a: set-0/u-before false"},
		{"the waiting pod was not removed", things{ofSet, removed(model.PodGone, -60, set0)}, pods, "node-a: false"},
		{"of the name a second before", things{ofSet, removed(model.PodGone, -1, bare(before0))}, pods, "node-a: false"},
		{"of the name earlier", things{ofSet, removed(model.PodGone, -1.1, bare(before0))}, pods, "node-a: set-0/ false"},
		{"a second before, and made since", things{ofSet, removed(model.PodGone, -1, bare(before0)), scheduled(-0.5, set0, "node-b")}, pods,
			"node-a: set-0/ false"},
		{"another of the set", things{ofSet, removed(model.PodGone, -60, model.PodRef("prod", "set-1", "u-1"))}, pods, "node-a: false"},
		{"of a Deployment the same name does not come again", things{ofDeployment, removed(model.PodGone, -60, bare(again))}, pods,
			"node-a: false"},

		{"the pod for which it was attached, when the name is the new one's",
			things{reportOf(set0, nil), change(of(model.AttachStarted, -500, "node-a", volume),
				func(o *model.Observation) { o.Pods = []model.Ref{before0} })}, pods, "node-a: set-0/u-before false"},
		{"of another name", things{none, change(of(model.AttachStarted, -500, "node-a", volume),
			func(o *model.Observation) { o.Pods = []model.Ref{oldPod} })}, pods, "node-a: false"},
		{"on another node it was attached", things{reportOf(set0, nil),
			change(of(model.AttachStarted, -500, "node-c", volume), func(o *model.Observation) { o.Pods = []model.Ref{before0} })}, pods,
			"node-a: false"},

		{"nothing tells", things{unknown}, pods, ": false"},
		{"the pods of a later report do", things{reportOf(newPod, []model.Ref{web}, nowhere), scheduled(-500, oldPod, "node-a"),
			reportOf(newPod, []model.Ref{oldPod}, nowhere, tenLater)}, pods,
			"node-a: web-6c5d7f9b84-xk2lp/u-web db-old/u-old false"},
		{"those of the first are on the wanted one", things{reportOf(newPod, []model.Ref{web}, nowhere), scheduled(-500, web, "node-b"),
			reportOf(newPod, []model.Ref{oldPod}, nowhere, tenLater), scheduled(-500, oldPod, "node-a")}, pods,
			"node-a: web-6c5d7f9b84-xk2lp/u-web db-old/u-old false"},
		{"the kubelet that stops the user", things{reportOf(newPod, []model.Ref{web}, nowhere), of(model.PodKilling, 5, web, "node-c", component("kubelet"))}, pods,
			"node-c: web-6c5d7f9b84-xk2lp/u-web false"},
		{"and later the wanted one stops one of its name", things{reportOf(newPod, []model.Ref{web}, nowhere), of(model.PodKilling, 5, web, "node-c", component("kubelet")),
			of(model.PodKilling, 9, web, "node-b", component("kubelet"))}, pods, "node-c: web-6c5d7f9b84-xk2lp/u-web false"},
		{"the wanted one stops it", things{reportOf(newPod, []model.Ref{web}, nowhere), of(model.PodKilling, 5, web, "node-b", component("kubelet"))}, pods,
			": web-6c5d7f9b84-xk2lp/u-web false"},
		{"the kubelet that stops another", things{reportOf(newPod, []model.Ref{web}, nowhere), of(model.PodKilling, 5, newPod, "node-c", component("kubelet"))}, pods,
			": web-6c5d7f9b84-xk2lp/u-web false"},
		{"an attachment of another node", things{unknown, attachmentOf("csi-x", "node-c", -500)}, pods, "node-c: false"},
		{"of the wanted one", things{unknown, attachmentOf("csi-x", "node-b", -500)}, pods, ": false"},
		{"that is not attached", things{unknown, attachmentOf("csi-x", "node-c", -500,
			func(a *storagev1.VolumeAttachment) { a.Status.Attached = false })}, pods, ": false"},
		{"that was made after the report", things{unknown, attachmentOf("csi-x", "node-c", 1)}, pods, ": false"},
		{"the controller attached it elsewhere", things{unknown, of(model.AttachSucceeded, -500, "node-c", volume)}, pods, "node-c: false"},
		{"the last that it attached", things{unknown, of(model.AttachSucceeded, -500, "node-c", volume),
			of(model.AttachStarted, -400, "node-d", volume)}, pods, "node-d: false"},
		{"to the wanted one it attached it", things{unknown, of(model.AttachSucceeded, -500, "node-b", volume)}, pods, ": false"},
		{"the controller detaches it", things{unknown, of(model.DetachStarted, 10, "node-c", volume)}, pods, "node-c: false"},
		{"the sync misses it", things{unknown, of(model.VolumeMarkedDetached, 10, "node-c", volume)}, pods, "node-c: false"},
		{"detached before the report", things{unknown, of(model.DetachSucceeded, -10, "node-c", volume)}, pods, ": false"},
		{"the attacher attached it", things{unknown, nodeOf("node-a"), of(model.AttacherAttached, -500, onA)}, pods, "node-a: false"},
		{"to a node that is not known", things{unknown, of(model.AttacherAttached, -500, onA)}, pods, ": false"},
		{"after the report the attacher attached it", things{unknown, nodeOf("node-a"), of(model.AttacherAttached, 1, onA)}, pods, ": false"},
		{"a row shows it attached", things{unknown, timeless(of(model.AttachmentAttached, 0, "node-c", volume))}, pods, "node-c: false"},
		{"a row, and it moved since", things{unknown, timeless(of(model.AttachmentAttached, 0, "node-c", volume)),
			of(model.AttachSucceeded, 5, "node-b", volume)}, pods, ": false"},
		{"the error of an attach names the holder", things{unknown, nodeOf("node-c"),
			change(of(model.AttachFailed, 5, "node-b", volume), func(o *model.Observation) { o.Holders = []string{"x", "node-c"} })}, pods,
			"x: false"},
		{"before the report it did", things{unknown, nodeOf("node-c"), change(of(model.AttachFailed, -5, "node-b", volume),
			func(o *model.Observation) { o.Holders = []string{"x", "node-c"} })}, pods, ": false"},
		{"the wanted one is none", things{unknown, nodeOf("node-b"), change(of(model.AttachFailed, 5, "node-b", volume),
			func(o *model.Observation) { o.Holders = []string{"node-b"} })}, pods, ": false"},
	})
}

// TestPodTimes: when the pods of a wait were made, asked to go, and released the volume.
func TestPodTimes(t *testing.T) {
	audit, event, metric := model.SourceAudit, model.SourceEvent, model.SourceMetric
	created := func(c *wait.Case) any { return proved(c.Created) }
	scheduled := func(c *wait.Case) any { return proved(c.Scheduled) }
	deletion := func(c *wait.Case) any { return proved(c.DeletionRequested) }
	finished := func(c *wait.Case) any { return proved(c.OldPodFinished) }
	released := func(c *wait.Case) any { return proved(c.Released) }
	allGone := func(c *wait.Case) any { return proved(c.OldPodsGone()) }
	goneBy := func(c *wait.Case) any { return proved(c.GoneBy) }
	unnamed := model.PodRef("prod", "db-new", "")
	set, before := model.PodRef("prod", "set-0", "u-0"), model.PodRef("prod", "set-0", "u-before")
	ofDeployment := reportOf(again, []model.Ref{first}, func(o *model.Observation) { o.Owner = db })
	ofSet := reportOf(set, []model.Ref{before})
	two := reportOf(newPod, []model.Ref{oldPod, model.PodRef("prod", "db-old-2", "u-old-2")})
	second := model.PodRef("prod", "db-old-2", "u-old-2")
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	excl := reportOf(newPod, []model.Ref{oldPod}, exclusive)
	pods := model.Listed{Kind: "Pod", Namespace: "prod"}
	force := of(model.DetachForcedTimeout, 400, "node-a", volume)
	wide := func(from, to float64, o *model.Observation) *model.Observation {
		o.At = model.Between(at(from), at(to))
		o.Last = o.At
		return o
	}
	askRows(t, []row{
		{"made and scheduled", things{of(model.PodCreated, -3, newPod), of(model.ReplicaCreated, -2.5, newPod)}, created,
			"-3 by pod-created@-3, replica-created@-2.5"},
		{"after the report it is another", things{of(model.PodCreated, 3, newPod)}, created, "unknown"},
		{"another pod's", things{of(model.PodCreated, -3, oldPod)}, created, "unknown"},
		{"without a time", things{timeless(of(model.PodCreated, 0, newPod))}, created, "unknown"},
		{"where the report has no UID the newest counts", things{reportOf(unnamed, []model.Ref{oldPod}), of(model.PodCreated, -300, unnamed),
			of(model.PodCreated, -3, unnamed)}, created, "-3 by pod-created@-3"},
		{"with what is two seconds before it", things{reportOf(unnamed, []model.Ref{oldPod}), of(model.PodCreated, -5, unnamed),
			of(model.PodCreated, -3.5, unnamed)}, created, "-5 by pod-created@-5"},
		{"where it has one the first counts", things{of(model.PodCreated, -300, newPod), of(model.PodCreated, -3, newPod)}, created,
			"-300 by pod-created@-300"},
		{"of a StatefulSet the newest counts", things{ofSet, of(model.PodScheduled, -300, model.PodRef("prod", "set-0", ""), "node-a"),
			of(model.PodScheduled, -3, model.PodRef("prod", "set-0", ""), "node-b")}, scheduled, "-3 by pod-scheduled@-3"},

		{"two records of a deletion", things{of(model.PodDeletionRequested, -20, oldPod, audit), of(model.ReplicaDeleted, -19.5, oldPod)},
			deletion, "-20 by pod-deletion-requested@-20, replica-deleted@-19.5"},
		{"the second two seconds later", things{wide(-25, -15, of(model.PodDeletionRequested, 0, oldPod, event)),
			of(model.ReplicaDeleted, -18, oldPod)}, deletion, "-18 by replica-deleted@-18, pod-deletion-requested@-20"},
		{"the second more than that later", things{wide(-25, -15, of(model.PodDeletionRequested, 0, oldPod, event)),
			of(model.ReplicaDeleted, -17.9, oldPod)}, deletion, "-25 -20 -15 by pod-deletion-requested@-20"},
		{"six hours before", things{of(model.PodDeletionRequested, -21600, oldPod, audit)}, deletion,
			"-2.16e+04 by pod-deletion-requested@-2.16e+04"},
		{"earlier", things{of(model.PodDeletionRequested, -21601, oldPod, audit)}, deletion, "unknown"},
		{"of a StatefulSet, not after the new one was made", things{ofSet, of(model.PodCreated, -3, set),
			of(model.PodDeletionRequested, 10, model.PodRef("prod", "set-0", ""), audit)}, deletion, "unknown"},
		{"of a Deployment also later", things{of(model.PodCreated, -3, newPod), of(model.PodDeletionRequested, 10, oldPod, audit)}, deletion,
			"10 by pod-deletion-requested@10"},
		{"the kubelet kills it, and the Deployment makes another", things{ofDeployment, of(model.PodCreated, -19, again),
			of(model.PodKilling, -18, first, event)}, deletion, "-20 -19 -19 by pod-created@-19, pod-killing@-18"},
		{"two seconds apart it is no answer", things{ofDeployment, of(model.PodCreated, -20, again), of(model.PodKilling, -18, first, event)},
			deletion, "-20 -18 -18 by pod-killing@-18"},
		{"what is no Deployment", things{reportOf(again, []model.Ref{first},
			func(o *model.Observation) { o.Owner = model.Ref{Kind: "Job", Namespace: "prod", Name: "db"} }), of(model.PodCreated, -19, again),
			of(model.PodKilling, -18, first, event)}, deletion, "-20 -18 -18 by pod-killing@-18"},
		{"an eviction, and the Deployment makes another", things{ofDeployment, of(model.PodEvictionDecided, -20, first),
			of(model.PodCreated, -15, again)}, deletion, "-20 -15 -15 by pod-eviction-decided@-20, pod-created@-15"},
		{"eleven seconds later it is no answer", things{ofDeployment, of(model.PodEvictionDecided, -20, first), of(model.PodCreated, -9, again)},
			deletion, "-20 by pod-eviction-decided@-20"},
		{"nor before it", things{ofDeployment, of(model.PodEvictionDecided, -20, first), of(model.PodCreated, -21, again)}, deletion,
			"-20 by pod-eviction-decided@-20"},
		{"an eviction shortly before a report that names its pod", things{of(model.PodEvictionDecided, -5, oldPod)}, deletion,
			"-5 -2.5 0 by pod-eviction-decided@-5"},
		{"and that names none", things{excl, of(model.PodEvictionDecided, -5, oldPod)}, deletion, "-5 -5 5 by pod-eviction-decided@-5"},
		{"long before it", things{of(model.PodEvictionDecided, -15, oldPod)}, deletion, "-15 -15 -5 by pod-eviction-decided@-15"},

		{"it finished", things{of(model.PodFinished, -10, oldPod)}, finished, "-10 by pod-finished@-10"},
		{"one of two did", things{two, of(model.PodFinished, -10, oldPod)}, finished, "unknown"},
		{"both did, at the later", things{two, of(model.PodFinished, -10, oldPod), of(model.PodFinished, -15, second)}, finished,
			"-10 by pod-finished@-10"},
		{"both did, in the other order", things{two, of(model.PodFinished, -15, oldPod), of(model.PodFinished, -10, second)}, finished,
			"-10 by pod-finished@-10"},
		{"released before it was asked to go: it had finished", things{of(model.DetachTimerStarted, 10, "node-a", volume),
			of(model.PodDeletionRequested, 20, oldPod, audit)}, finished, "9.9 10 10 by detach-timer-started@10, pod-deletion-requested@20"},
		{"released and never asked", things{of(model.DetachTimerStarted, 10, "node-a", volume)}, finished, "unknown"},
		{"released after it was asked", things{of(model.DetachTimerStarted, 30, "node-a", volume),
			of(model.PodDeletionRequested, 20, oldPod, audit)}, finished, "unknown"},
		{"both gone", things{two, of(model.PodGone, 10, oldPod), of(model.PodForceDeleted, 15, second)}, allGone, "15 by pod-force-deleted@15"},
		{"one gone", things{two, of(model.PodGone, 10, oldPod)}, allGone, "unknown"},

		{"deleted without grace, by the audit log", things{of(model.PodDeletionRequested, 10, oldPod, audit, detail("grace 0s"))}, released,
			"10 by pod-deletion-requested@10"},
		{"by a log", things{of(model.PodDeletionRequested, 10, oldPod, detail("grace 0s"))}, released, "unknown"},
		{"with grace", things{of(model.PodDeletionRequested, 10, oldPod, audit, detail("grace 30s"))}, released, "unknown"},
		{"another request without", things{of(model.PodEvictionDecided, 10, oldPod, audit, detail("grace 0s"))}, released, "unknown"},
		{"pod GC begins", things{of(model.PodForceDeleting, 10, oldPod)}, released, "10 10 15 by pod-force-deleting@10"},
		{"pod GC begins, and the detach follows", things{of(model.PodForceDeleting, 10, oldPod),
			of(model.AttachmentDeletionRequested, 12, onA, audit, actor(controller))}, released, "10 10 12 by pod-force-deleting@10"},
		{"the detach is older", things{of(model.PodForceDeleting, 10, oldPod),
			of(model.AttachmentDeletionRequested, 9, onA, audit, actor(controller))}, released, "10 10 15 by pod-force-deleting@10"},
		{"the detach is much later", things{of(model.PodForceDeleting, 10, oldPod),
			of(model.AttachmentDeletionRequested, 20, onA, audit, actor(controller))}, released, "10 10 15 by pod-force-deleting@10"},
		{"its containers stopped", things{of(model.PodContainersStopped, 10, oldPod)}, released, "10 by pod-containers-stopped@10"},
		{"the timer of another wait", things{of(model.AttachSucceeded, 70, "node-b", volume), of(model.DetachTimerStarted, 71, "node-a", volume)},
			released, "unknown"},
		{"ten seconds beside the six minutes", things{lost, force, of(model.PodGone, 28.7, oldPod, audit)}, released, "28.7 by pod-gone@28.7"},
		{"more", things{lost, force, of(model.PodGone, 28.6, oldPod, audit)}, released, "38.7 40 40 by detach-forced-timeout@400"},
		{"ten seconds after them", things{lost, force, of(model.PodGone, 50, oldPod, audit)}, released, "50 by pod-gone@50"},
		{"and more", things{lost, force, of(model.PodGone, 50.1, oldPod, audit)}, released, "38.7 40 40 by detach-forced-timeout@400"},
		{"of a node of which nothing tells the six minutes had passed", things{force}, released, "0 20 40 by detach-forced-timeout@400"},
		{"its Node was gone", things{of(model.NodeDeleted, 100, "node-a", audit), force}, released, "38.7 40 40 by detach-forced-timeout@400"},
		{"the API has no such Node", things{of(model.DetachSafetySkipped, 399, "node-a", volume), force}, released,
			"38.7 40 40 by detach-forced-timeout@400"},
		{"it was Ready", things{nodeOf("node-a", condition("True", -1000)), force}, released,
			"0 200 400 by multi-attach@0, detach-forced-timeout@400"},
		{"an exclusive report, and the six minutes", things{excl, lost, of(model.DetachForcedTimeout, 361, "node-a", volume)}, released,
			"-0.3 0 0 by detach-forced-timeout@361, multi-attach@0"},
		{"that begin before it", things{excl, lost, of(model.DetachForcedTimeout, 350, "node-a", volume)}, released,
			"-11.3 -10 -10 by detach-forced-timeout@350"},
		{"that begin after it", things{excl, lost, of(model.DetachForcedTimeout, 400, "node-a", volume)}, released,
			"38.7 40 40 by detach-forced-timeout@400"},
		{"by the taint no timer ran", things{lost, of(model.DetachForcedTaint, 400, "node-a", volume)}, released,
			"0 200 400 by multi-attach@0, detach-forced-taint@400"},
		{"between the reports and the detach",
			things{change(of(model.MultiAttach, 20, "node-b", newPod, volume, variant(model.UsedByPods)), func(*model.Observation) {}), report(),
				of(model.DetachStarted, 50, "node-a", volume)}, released, "20 35 50 by multi-attach@20, detach-started@50"},
		{"a later report says exclusively", things{of(model.MultiAttach, 20, "node-b", newPod, volume, variant(model.ExclusivelyAttached)),
			report(), of(model.DetachStarted, 50, "node-a", volume)}, released, "0 10 20 by multi-attach@0, multi-attach@20"},
		{"a verified detach", things{of(model.DetachVerifiedSafe, 40, "node-a", volume),
			of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))}, released,
			"0 20 40 by multi-attach@0, detach-verified-safe@40"},
		{"a StatefulSet makes the next only then",
			things{reportOf(set, []model.Ref{before}, exclusive,
				func(o *model.Observation) { o.Owner = model.Ref{Kind: "StatefulSet", Namespace: "prod", Name: "set"} }),
				of(model.PodCreated, -3, set)},
			released, "-4 -3 -3 by pod-created@-3"},
		{"another's says nothing", things{reportOf(set, []model.Ref{before}, exclusive,
			func(o *model.Observation) { o.Owner = model.Ref{Kind: "Job", Namespace: "prod", Name: "set"} }), of(model.PodCreated, -3, set)},
			released, "-2.16e+04 0 0 by multi-attach@0"},
		{"exclusive, since it was attached", things{excl, of(model.AttachSucceeded, -500, "node-a", volume)}, released,
			"-500 0 0 by multi-attach@0"},
		{"somebody deleted the attachment, and nobody was reported waiting",
			things{logOf("kube-controller-manager", "k", -100, 200), within("k", of(model.DetachStarted, -50, "node-c", volume)),
				of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin")), of(model.AttachSucceeded, 70, "node-b", volume)}, released,
			"0 35 70 by multi-attach@0, attachment-deletion-requested@50"},
		{"without the log", things{of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin")),
			of(model.AttachSucceeded, 70, "node-b", volume)}, released, "unknown"},

		{"a list lacks it", things{collected(300), pods, podOf(newPod, "node-b")}, goneBy, "0 150 300 by db-new metadata.name"},
		{"a list has it", things{collected(300), pods, podOf(newPod, "node-b"), podOf(oldPod, "node-a")}, goneBy, "unknown"},
		{"no list", things{collected(300), podOf(newPod, "node-b")}, goneBy, "unknown"},
		{"a list of another namespace's pods", things{collected(300), pods, podOf(model.PodRef("test", "x", ""), "node-b")}, goneBy, "unknown"},
		{"a list from before the report", things{collected(0), pods, podOf(newPod, "node-b")}, goneBy, "unknown"},
		{"a list without a time", things{pods, podOf(newPod, "node-b")}, goneBy, "unknown"},
		{"of two one is there", things{two, collected(300), pods, podOf(newPod, "node-b"), podOf(oldPod, "node-a")}, goneBy, "unknown"},
		{"of two both lack", things{two, collected(300), pods, podOf(newPod, "node-b")}, goneBy, "0 150 300 by db-new metadata.name"},
		{"its name was given again", things{ofSet, podOf(set, "node-b", createdAt(20))}, goneBy,
			"0 10.5 21 by set-0 metadata.creationTimestamp, set-0 metadata.uid"},
		{"given again before an exclusive report", things{reportOf(set, []model.Ref{before}, exclusive), podOf(set, "node-b", createdAt(-20)),
			of(model.AttachSucceeded, -500, "node-a", volume), force, of(model.DetachFailed, 300, "node-a", volume)}, goneBy, "unknown"},
		{"without the UID of the first nothing tells", things{reportOf(set, []model.Ref{model.PodRef("prod", "set-0", "")}),
			podOf(set, "node-b", createdAt(20))}, goneBy, "unknown"},
		{"of two, one by its name and one by the list", things{reportOf(set, []model.Ref{before, second}), collected(300), pods,
			podOf(set, "node-b", createdAt(20))}, goneBy, "0 150 300 by set-0 metadata.name"},
		{"of two, in the other order", things{reportOf(set, []model.Ref{second, before}), collected(300), pods,
			podOf(set, "node-b", createdAt(20))}, goneBy, "0 150 300 by set-0 metadata.name"},
		{"a sample of it", things{of(model.PodSampled, 30, oldPod, "node-a", metric)}, goneBy, "unknown"},
	})
}

// TestPhases: the phases of a wait, and where two are not told apart.
func TestPhases(t *testing.T) {
	audit, metric := model.SourceAudit, model.SourceMetric
	tiled := func(c *wait.Case) any { return phasesOf(c) }
	lost, beat := of(model.NodeNotReady, -100, "node-a", detail("Unknown")), of(model.NodeHeartbeat, -140, "node-a")
	evict := of(model.PodDeletionRequested, -60, oldPod, audit)
	fresh, placed := of(model.PodCreated, -50, newPod), of(model.PodScheduled, -10, newPod, "node-b")
	gone := of(model.PodGone, 20, oldPod, audit)
	request := of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))
	ended, anew := of(model.AttachmentGone, 60, onA, audit), of(model.AttachmentCreated, 61, onB, audit)
	attached, ready := of(model.AttacherAttached, 70, onB), of(model.PodReady, 90, newPod)
	counting := podOf(oldPod, "node-a")
	waiting := podOf(newPod, "node-b", phase("Pending"))
	askRows(t, []row{
		{"all of them", things{beat, lost, evict, fresh, placed, gone, request, ended, anew, attached, ready}, tiled,
			"detection[] 40, eviction[] 40, replacement[] 10, scheduling[] 40, release[] 30, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] " +
				"20, last-heartbeat open false"},
		{"without a heartbeat", things{lost, evict, fresh, placed, gone, request, ended, anew, attached, ready}, tiled,
			"eviction[] 40, replacement[] 10, scheduling[] 40, release[] 30, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] 20, " +
				"node-not-ready open false"},
		{"without a lost node", things{evict, fresh, placed, gone, request, ended, anew, attached, ready}, tiled,
			"replacement[] 10, scheduling[] 40, release[] 30, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] 20, pod-deletion open false"},
		{"from the report on", things{gone, request, ended, anew, attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] 20, multi-attach open false"},
		{"the pod finished before it was asked to go", things{lost, of(model.PodFinished, -70, oldPod), evict, fresh, placed, request, ended,
			anew, attached, ready}, tiled, "eviction[] 30, replacement[] 20, scheduling[] 40, unmount-wait[] 60, detach[] 11, attach[] 9, " +
			"mount[] 20, node-not-ready open false"},
		{"it finished after it was asked", things{lost, evict, of(model.PodFinished, -55, oldPod), fresh, placed, request, ended, anew, attached,
			ready}, tiled, "eviction[] 40, replacement[] 10, scheduling[] 40, unmount-wait[] 60, detach[] 11, attach[] 9, mount[] 20, " +
			"node-not-ready open false"},
		{"it finished and was not asked", things{lost, of(model.PodFinished, -70, oldPod), fresh, placed, request, ended, anew, attached, ready},
			tiled, "eviction[] 30, replacement[] 20, scheduling[] 40, unmount-wait[] 60, detach[] 11, attach[] 9, mount[] 20, node-not-ready " +
				"open false"},
		{"it finished after the report", things{lost, of(model.PodFinished, 5, oldPod), fresh, placed, request, ended, anew, attached, ready},
			tiled, "eviction[] 50, scheduling[] 40, release[] 15, unmount-wait[] 45, detach[] 11, attach[] 9, mount[] 20, " +
				"node-not-ready open false"},
		{"it was asked after the report", things{lost, of(model.PodDeletionRequested, 5, oldPod, audit), fresh, placed, request, ended, anew,
			attached, ready}, tiled, "eviction[] 50, scheduling[] 40, undivided[release unmount-wait] 60, detach[] 11, attach[] 9, mount[] 20, " +
			"node-not-ready open false"},
		{"nothing tells the release", things{request, ended, anew, attached, ready}, tiled,
			"undivided[release unmount-wait] 50, detach[] 11, attach[] 9, mount[] 20, multi-attach open false"},
		{"nothing tells the request", things{gone, anew, attached, ready}, tiled,
			"release[] 20, undivided[unmount-wait detach] 41, attach[] 9, mount[] 20, multi-attach open false"},
		{"nothing tells the end of the detach", things{gone, request, attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 13.85, attach[] 6.15, mount[] 20, multi-attach open false"},
		{"nothing tells the beginning of the attach", things{gone, request, ended, attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 10, attach[] 10, mount[] 20, multi-attach open false"},
		{"a short stretch of two is named after the first", things{gone, request, of(model.AttacherAttached, 63, onB), ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 10.35, attach[] 2.65, mount[] 27, multi-attach open false"},
		{"the new attachment was made before the old one was gone", things{gone, request, ended, of(model.AttachmentCreated, 55, onB, audit),
			attached, ready}, tiled, "release[] 20, unmount-wait[] 30, detach[] 10, attach[] 10, mount[] 20, multi-attach open false"},
		{"a second before", things{gone, request, ended, of(model.AttachmentCreated, 59, onB, audit), attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 9, attach[] 11, mount[] 20, multi-attach open false"},
		{"not attached yet", things{collected(200), gone, request, ended, anew}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 139, multi-attach open true"},
		{"not attached, and the old one is not told to be gone", things{collected(200), gone, request, anew}, tiled,
			"release[] 20, unmount-wait[] 30, undivided[detach attach] 150, multi-attach open true"},
		{"not detached yet", things{collected(200), gone, request}, tiled,
			"release[] 20, unmount-wait[] 30, undivided[detach attach] 150, multi-attach open true"},
		{"the old one is still being deleted", things{collected(200), gone, request, attachmentOf(onA, "node-a", -500, leaving(50))}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 150, multi-attach open true"},
		{"the old one is there", things{collected(200), gone, attachmentOf(onA, "node-a", -500)}, tiled,
			"release[] 20, unmount-wait[] 180, multi-attach open true"},
		{"the old pod still counts", things{collected(200), counting}, tiled, "release[] 200, multi-attach open true"},
		{"nothing is known", things{collected(200)}, tiled, "undivided[release unmount-wait detach attach] 200, multi-attach open true"},
		{"and when it was collected", things{}, tiled, "multi-attach open true"},
		{"collected before the report", things{collected(-1)}, tiled, "multi-attach open true"},
		{"attached, and the pod not Ready yet", things{collected(200), gone, request, ended, anew, attached, waiting}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] 130, multi-attach open true"},
		{"attached, and nothing tells of the pod", things{collected(200), gone, request, ended, anew, attached}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 9, multi-attach open false"},
		{"attached after the collection", things{collected(65), gone, request, ended, anew, attached, waiting}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 9, multi-attach open false"},
		{"nobody wants it any more", things{collected(200), gone, request, of(model.PodDeletionRequested, 100, newPod, audit)}, tiled,
			"release[] 20, unmount-wait[] 30, undivided[detach attach] 50, multi-attach open false"},
		{"a row shows it there", things{collected(200), gone, timeless(of(model.AttachmentAttached, 0, "node-a", volume))}, tiled,
			"release[] 20, undivided[unmount-wait detach] 180, multi-attach open true"},
		{"the last samples show it there", things{collected(200), gone,
			lasting(140, of(model.AttachmentAttached, -500, "node-a", volume, metric))}, tiled,
			"release[] 20, undivided[unmount-wait detach] 180, multi-attach open true"},
		{"samples that end earlier", things{collected(200), gone, lasting(139, of(model.AttachmentAttached, -500, "node-a", volume, metric))},
			tiled, "release[] 20, undivided[unmount-wait detach attach] 180, multi-attach open true"},
		{"samples of another node", things{collected(200), gone, lasting(140, of(model.AttachmentAttached, -500, "node-c", volume, metric))},
			tiled, "release[] 20, undivided[unmount-wait detach attach] 180, multi-attach open true"},
		{"somebody deletes the attachment of a pod that counts", things{counting,
			of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin")), ended, anew, attached, ready}, tiled,
			"release[] 50, detach[] 11, attach[] 9, mount[] 20, multi-attach open false"},
		{"of a pod that was released before", things{gone, of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin")), ended, anew,
			attached, ready}, tiled, "release[] 20, unmount-wait[] 30, detach[] 11, attach[] 9, mount[] 20, multi-attach open false"},
		{"of a pod that is released after", things{of(model.PodGone, 55, oldPod, audit),
			of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin")), ended, anew, attached, ready}, tiled,
			"release[] 50, detach[] 11, attach[] 9, mount[] 20, multi-attach open false"},
		{"a second report after the attachment was made", things{gone, request, anew, of(model.MultiAttach, 65, "node-b", newPod, volume),
			report(), of(model.AttachStarted, 66, "node-b", volume), attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 16, attach[] 4, mount[] 20, multi-attach open false"},
		{"a second report of no node", things{gone, request, anew, of(model.MultiAttach, 65, newPod, volume), report(),
			of(model.AttachStarted, 66, "node-b", volume), attached, ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 16, attach[] 4, mount[] 20, multi-attach open false"},
		{"the volume came again to the old node", things{gone, request, ended, of(model.AttachmentCreated, 80, onA, audit), collected(200)},
			tiled, "release[] 20, unmount-wait[] 30, detach[] 30, undivided[unmount-wait detach attach] 120, multi-attach open true"},
		{"a version that makes no second attachment",
			things{of(model.ProcessVersion, -1000, component("kube-controller-manager"), detail("v1.20.0")), gone, request, anew,
				of(model.AttacherAttached, 100, onB), ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 39, multi-attach open false"},
		{"a version that may make one", things{of(model.ProcessVersion, -1000, component("kube-controller-manager"), detail("v1.30.0")), gone,
			request, anew, of(model.AttacherAttached, 100, onB), ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 39, multi-attach open false"},
		{"and was attached soon", things{of(model.ProcessVersion, -1000, component("kube-controller-manager"), detail("v1.30.0")), gone, request,
			anew, of(model.AttacherAttached, 68, onB), ready}, tiled,
			"release[] 20, unmount-wait[] 30, detach[] 11, attach[] 7, mount[] 22, multi-attach open false"},
	})
}
