package wait_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestUnmounts: what the old node's kubelet and its mount tables say of the volume.
func TestUnmounts(t *testing.T) {
	audit, manifest := model.SourceAudit, model.SourceManifest
	trouble := func(c *wait.Case) any { return cited(c.UnmountTrouble()) }
	fails := func(c *wait.Case) any { return cited([]*model.Observation{c.UnmountFails()}) }
	refuses := func(c *wait.Case) any { return cited([]*model.Observation{c.DetachRefused()}) }
	kills := func(c *wait.Case) any { return c.From + " " + cited([]*model.Observation{c.KillFails()}) }
	works := func(c *wait.Case) any {
		state, proof := c.OldNode()
		return fmt.Sprint(state == wait.NodeReady && len(proof) > 0)
	}
	unused := reportOf(newPod, nil, exclusive)
	hangs := func(at float64, about ...any) *model.Observation {
		return of(model.PodKillFailed, at, append(about, component("kubelet"))...)
	}
	log := func(c *wait.Case) any { return c.KubeletLog() }
	mounts := func(c *wait.Case) any { return len(c.Mounts()) }
	stuck := func(c *wait.Case) any { return cited(c.DetachStuck()) }
	gone := of(model.PodGone, 20, oldPod, audit)
	failed := func(at float64, about ...any) *model.Observation {
		return of(model.UnmountFailed, at, append(about, component("kubelet"))...)
	}
	input := func(path string, from, to float64) model.Input { return logOf("kubelet", path, from, to) }
	word := func(path string, source model.SourceKind) *model.Observation {
		return within(path, of(model.NodeHeartbeat, 30, "node-a", component("kubelet"), source))
	}
	mounted := func(path, pod string, about ...any) *model.Observation {
		return change(within(path, timeless(of(model.VolumeMounted, 0, about...))), func(o *model.Observation) { o.Pod.UID = pod })
	}
	sum := sha256.Sum256([]byte("vol-1"))
	hash := detail(hex.EncodeToString(sum[:]))
	driver := func(o *model.Observation, name string) *model.Observation { o.Attacher = name; return o }
	attached := of(model.AttachSucceeded, 70, "node-b", volume)
	keeps := func(kind model.Kind, node string, source model.SourceKind) *model.Observation {
		return of(kind, 30, node, volume, source)
	}
	askRows(t, []row{
		{"it cannot unmount", things{gone, failed(20, "node-a", volume)}, trouble, "unmount-failed@20"},
		{"of a node that it does not name", things{gone, failed(20, volume)}, trouble, "unmount-failed@20"},
		{"another node", things{gone, failed(20, "node-c", volume)}, trouble, ""},
		{"before the release", things{gone, failed(19, "node-a", volume)}, trouble, ""},
		{"again after it", things{gone, lasting(20, failed(10, "node-a", volume))}, trouble, "unmount-failed@10"},
		{"nothing tells the release", things{failed(20, "node-a", volume)}, trouble, ""},
		{"nor a user at the report", things{unused, failed(20, "node-a", volume)}, fails, "unmount-failed@20"},
		{"on a node that it does not name", things{unused, failed(20, volume)}, fails, "nil"},
		{"before the report, as a kubelet tries", things{unused, failed(-300, "node-a", volume)}, fails, "unmount-failed@-300"},
		{"longer before it", things{unused, failed(-301, "node-a", volume)}, fails, "nil"},
		{"the unmount succeeded since", things{unused, failed(20, "node-a", volume), of(model.UnmountSucceeded, 25, "node-a", volume)}, fails, "nil"},
		{"the one before succeeded", things{unused, failed(20, "node-a", volume), of(model.UnmountSucceeded, 15, "node-a", volume)}, fails,
			"unmount-failed@20"},
		{"the wait has ended", things{unused, failed(20, "node-a", volume), attached}, fails, "nil"},
		{"the node was lost", things{unused, failed(20, "node-a", volume), timeless(of(model.NodeNotReady, 0, "node-a"))}, fails, "nil"},
		{"volumes of the pod, a minute after the release", things{gone, failed(80, "node-a", oldPod)}, trouble, "unmount-failed@80"},
		{"volumes of the pod, sooner", things{gone, failed(79, "node-a", oldPod)}, trouble, ""},
		{"volumes of another pod", things{gone, failed(80, "node-a", newPod)}, trouble, ""},
		{"another line about the volume", things{gone, of(model.UnmountSucceeded, 20, "node-a", volume)}, trouble, ""},

		{"the kubelet cannot stop the pod", things{hangs(20, oldPod, "node-a")}, kills, "node-a pod-kill-failed@20"},
		{"it works then", things{hangs(20, oldPod, "node-a")}, works, "true"},
		{"it worked before the report", things{hangs(-20, oldPod, "node-a")}, works, "false"},
		{"it cannot stop another", things{hangs(20, newPod, "node-a")}, kills, "node-a nil"},
		{"nobody uses the volume", things{unused, hangs(20, oldPod, "node-a")}, kills, "node-a nil"},
		{"the pod has stopped", things{gone, hangs(10, oldPod, "node-a")}, kills, "node-a nil"},
		{"the volume was attached since", things{hangs(20, oldPod, "node-a"), attached}, kills, "node-a nil"},

		{"the controller refuses the detach", things{of(model.DetachRefusedInUse, 20, "node-a", volume)}, refuses, "detach-refused-in-use@20"},
		{"before the report", things{of(model.DetachRefusedInUse, -1, "node-a", volume)}, refuses, "nil"},
		{"from another node", things{of(model.DetachRefusedInUse, 20, "node-c", volume)}, refuses, "nil"},
		{"and detached it later", things{of(model.DetachRefusedInUse, 20, "node-a", volume), of(model.DetachSucceeded, 30, "node-a", volume)}, refuses, "nil"},
		{"and had detached it before", things{of(model.DetachSucceeded, 10, "node-a", volume), of(model.DetachRefusedInUse, 20, "node-a", volume)}, refuses,
			"detach-refused-in-use@20"},
		{"and the wait ended", things{of(model.DetachRefusedInUse, 20, "node-a", volume), attached}, refuses, "nil"},

		{"a log of the kubelet", things{gone, input("node-a.log", 20, 81)}, log, "node-a.log"},
		{"that ends a minute after the release", things{gone, input("node-a.log", 20, 80)}, log, ""},
		{"that begins after it", things{gone, input("node-a.log", 21, 81)}, log, ""},
		{"in a folder of the node", things{gone, input("node-a/kubelet", 20, 81)}, log, "node-a/kubelet"},
		{"in a folder of another", things{gone, input("node-c/kubelet", 20, 81)}, log, ""},
		{"a file that begins with its name", things{gone, input("x/node-a-kubelet", 20, 81)}, log, "x/node-a-kubelet"},
		{"a file that begins with its name and a line", things{gone, input("x/node-a_kubelet", 20, 81)}, log, "x/node-a_kubelet"},
		{"a file of a longer name", things{gone, input("x/node-ab.log", 20, 81)}, log, ""},
		{"a log with its lines", things{gone, input("k", 20, 81), word("k", model.SourceLog)}, log, "k"},
		{"with its events", things{gone, input("k", 20, 81), word("k", model.SourceEvent)}, log, ""},
		{"another component's", things{gone, logOf("kube-proxy", "node-a.log", 20, 81)}, log, ""},
		{"without bounds", things{gone, endless(input("node-a.log", 20, 81))}, log, ""},
		{"and the release is not known", things{input("node-a.log", 20, 81)}, log, ""},

		{"a mount table of the node", things{mounted("node-a/mounts", "", volume)}, mounts, "1"},
		{"of another node", things{mounted("node-c/mounts", "", volume)}, mounts, "0"},
		{"with the UID of its pod", things{mounted("mounts", "u-old", volume)}, mounts, "1"},
		{"with another UID", things{mounted("mounts", "u-x", volume)}, mounts, "0"},
		{"of a pod without a UID", things{reportOf(newPod, []model.Ref{model.PodRef("prod", "db-old", "")}), mounted("mounts", "", volume)},
			mounts, "0"},
		{"two rows of which one has it", things{mounted("mounts", "u-old", volume), mounted("mounts", "", volume)}, mounts, "2"},
		{"by the hash of its handle", things{driver(mounted("node-a/mounts", "", hash), "csi.example.com")}, mounts, "1"},
		{"by that of another driver", things{driver(mounted("node-a/mounts", "", hash), "x")}, mounts, "0"},
		{"by another hash", things{driver(mounted("node-a/mounts", "", detail("x")), "csi.example.com")}, mounts, "0"},
		{"and the wait is over", things{attached, mounted("node-a/mounts", "", volume)}, mounts, "0"},

		{"the error of a detach that an object keeps", things{keeps(model.DetachFailed, "node-a", manifest)}, stuck, "detach-failed@30"},
		{"of no node", things{keeps(model.DetachFailed, "", manifest)}, stuck, "detach-failed@30"},
		{"of another node it is none", things{keeps(model.DetachFailed, "node-c", manifest)}, stuck, ""},
		{"that a log tells", things{keeps(model.DetachFailed, "node-a", model.SourceLog)}, stuck, ""},
		{"that went through since", things{keeps(model.DetachFailed, "node-a", manifest), of(model.DetachSucceeded, 31, "node-a", volume)}, stuck,
			""},
		{"that went through before", things{keeps(model.DetachFailed, "node-a", manifest), of(model.DetachSucceeded, 29, "node-a", volume)},
			stuck, "detach-failed@30"},
		{"the error of an attach", things{keeps(model.AttachFailed, "node-a", manifest)}, stuck, ""},
	})
}

// TestStateOfNodes: who held the volume by the Nodes' own lists, and how the attachment is named.
func TestStateOfNodes(t *testing.T) {
	audit, text, metric := model.SourceAudit, model.SourceText, model.SourceMetric
	from := func(c *wait.Case) any { return c.From }
	name := func(c *wait.Case) any {
		a := c.Attachment
		verified := "unknown"
		if a.HashVerified != nil {
			verified = fmt.Sprint(*a.HashVerified)
		}
		return strings.NewReplacer(onA, "HASH").Replace(fmt.Sprint(a.Name, " ", a.Basis, " ", verified))
	}
	taint := func(c *wait.Case) any { return proved(c.OutOfService) }
	lostTwice := func(c *wait.Case) any { return proved(c.NotReady) }
	beat := func(c *wait.Case) any { return proved(c.Heartbeat) }
	counts := func(c *wait.Case) any { return c.Signatures() != nil }
	unknown := reportOf(newPod, nil, nowhere)
	waiting := podOf(newPod, "node-b", phase("Pending"))
	listed := func(node string) *model.Observation {
		return of(model.NodeVolumesAttached, 100, node, volume, model.SourceManifest)
	}
	leaves := func(at float64, node string) *model.Observation {
		return of(model.AttachmentDeletionRequested, at, node, volume, audit)
	}
	nameless := change(report(), func(o *model.Observation) { o.Volume = model.VolumeID{PersistentVolume: "pvc-1"} })
	rowOf := func(source model.SourceKind, node, name string) *model.Observation {
		return change(of(model.AttachmentAttached, -500, node, volume, source), func(o *model.Observation) { o.Attachment = name })
	}
	in := func(line int, o *model.Observation) *model.Observation {
		return change(timeless(o), func(o *model.Observation) { o.Input, o.Source.Line = "chat", line })
	}
	came := func() *model.Observation { return of(model.AuthorSaid, 0, detail(model.SaidOver+": it came up")) }
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	acted := of(model.DetachForcedTaint, 60, "node-a", volume)
	ended := func(at float64) *model.Observation { return of(model.PodForceDeleted, at, oldPod) }
	asked := func(at float64) *model.Observation { return of(model.PodDeletionRequested, at, oldPod, audit) }
	grace := of(model.ProcessFlag, -1000, component("kube-controller-manager"), detail("--node-monitor-grace-period=40s"))
	askRows(t, []row{
		{"the only Node that lists it", things{unknown, waiting, listed("node-c")}, from, "node-c"},
		{"it lists it twice", things{unknown, waiting, listed("node-c"), listed("node-c")}, from, "node-c"},
		{"two Nodes do", things{unknown, waiting, listed("node-c"), listed("node-d")}, from, ""},
		{"the wanted one does", things{unknown, waiting, listed("node-b")}, from, ""},
		{"the wanted one does, too", things{unknown, waiting, listed("node-c"), listed("node-b")}, from, ""},
		{"it moved since", things{unknown, waiting, listed("node-c"), of(model.AttachStarted, 50, "node-b", volume)}, from, ""},
		{"the pod waits no more", things{unknown, podOf(newPod, "node-b"), listed("node-c")}, from, ""},
		{"the pod goes", things{unknown, podOf(newPod, "node-b", phase("Pending"), deletedAt(90)), listed("node-c")}, from, ""},
		{"nothing tells of the pod", things{unknown, listed("node-c")}, from, ""},
		{"the one whose attachment is deleted", things{unknown, leaves(5, "node-c")}, from, "node-c"},
		{"the wanted one's is", things{unknown, leaves(5, "node-b")}, from, ""},
		{"another's was before", things{unknown, leaves(-5, "node-c")}, from, ""},

		{"by a row", things{unknown, in(5, rowOf(text, "node-c", "csi-x"))}, from, "node-c"},
		{"by a row above the word that it is over", things{unknown, in(5, rowOf(text, "node-c", "csi-x")), in(6, came())}, from, "node-c"},
		{"by a row below it", things{unknown, in(5, rowOf(text, "node-c", "csi-x")), in(4, came())}, from, ""},

		{"by its object", things{attachmentOf(onA, "node-a", -500)}, name, "HASH snapshot true"},
		{"by an object of another name", things{attachmentOf("csi-x", "node-a", -500)}, name, "csi-x snapshot false"},
		{"by an object of a volume without a handle", things{nameless, attachmentOf("csi-x", "node-a", -500)}, name, "csi-x snapshot unknown"},
		{"by a row", things{rowOf(text, "node-a", onA)}, name, "HASH snapshot true"},
		{"by an audit log, of another name", things{rowOf(audit, "node-a", "csi-x")}, name, "csi-x audit false"},
		{"by a row of another name", things{rowOf(text, "node-a", "csi-x")}, name, "csi-x snapshot false"},
		{"by samples", things{rowOf(metric, "node-a", "csi-x")}, name, "csi-x snapshot false"},
		{"by a row of another node", things{rowOf(text, "node-c", "csi-x")}, name, "HASH derived unknown"},
		{"by a log line of that node", things{rowOf(model.SourceLog, "node-a", "csi-x")}, name, "HASH derived unknown"},
		{"by a log", things{of(model.AttacherDetaching, 20, onA)}, name, "HASH log true"},
		{"by the audit log", things{of(model.AttachmentCreated, -500, onA, audit)}, name, "HASH audit true"},
		{"by an event it is worked out", things{of(model.AttacherDetaching, 20, onA, model.SourceEvent)}, name, "HASH derived unknown"},
		{"worked out", things{}, name, "HASH derived unknown"},
		{"without a handle", things{nameless}, name, "none unknown"},
		{"without a holder", things{unknown}, name, "none unknown"},

		{"the taint, by pod GC", things{lost, asked(-50), acted, ended(40)}, taint, "19 29.5 40 by detach-forced-taint@60, pod-force-deleted@40"},
		{"by pod GC within its loop of the deletion", things{lost, asked(30), acted, ended(40)}, taint, "-100 -20 60 by detach-forced-taint@60"},
		{"by pod GC after the action", things{lost, asked(-50), acted, ended(61)}, taint,
			"40 50.5 61 by detach-forced-taint@60, pod-force-deleted@61"},
		{"by pod GC later", things{lost, asked(-50), acted, ended(62)}, taint, "-100 -20 60 by detach-forced-taint@60"},
		{"of a volume that had been released", things{lost, asked(-50), acted, of(model.PodGone, 55, oldPod, audit)}, taint,
			"58 59 60 by detach-forced-taint@60, pod-gone@55"},
		{"of one that was released just then", things{lost, asked(-50), acted, of(model.PodGone, 56, oldPod, audit)}, taint,
			"-100 -20 60 by detach-forced-taint@60"},
		{"without pod GC", things{lost, asked(-50), acted}, taint, "-100 -20 60 by detach-forced-taint@60"},
		{"without a deletion", things{lost, acted, ended(40)}, taint, "-100 -20 60 by detach-forced-taint@60"},
		{"of a node that was not lost", things{asked(-50), acted, ended(40)}, taint, "0 30 60 by detach-forced-taint@60"},
		{"its own record", things{lost, asked(-50), acted, ended(40), of(model.NodeTainted, -10, "node-a",
			detail("node.kubernetes.io/out-of-service=x:NoExecute"))}, taint, "-10 by node-tainted@-10"},
		{"six hours before", things{of(model.NodeTainted, -21601, "node-a", detail("node.kubernetes.io/out-of-service=x:NoExecute"))}, taint,
			"unknown"},
		{"untainted", things{of(model.NodeUntainted, -10, "node-a", detail("node.kubernetes.io/out-of-service=x:NoExecute"))}, taint, "unknown"},

		{"two records of a loss", things{lost, of(model.NodeNotReady, -99, "node-a", model.SourceEvent)}, lostTwice,
			"-100 by node-not-ready@-100, node-not-ready@-99"},
		{"two seconds and more apart", things{lost, of(model.NodeNotReady, -97.9, "node-a", model.SourceEvent)}, lostTwice,
			"-100 by node-not-ready@-100"},
		{"one of its pods", things{lost, of(model.NodeNotReady, -100, "node-a", oldPod)}, lostTwice, "-100 by node-not-ready@-100"},
		{"one without a time", things{lost, timeless(of(model.NodeNotReady, 0, "node-a"))}, lostTwice, "-100 by node-not-ready@-100"},
		{"the heartbeat, by the grace period", things{grace, lost}, beat, "-145 -142.5 -140 by node-not-ready@-100, process-flag@-1000"},
		{"that the kubelet ended itself", things{grace, of(model.NodeNotReady, -100, "node-a", detail("False"))}, beat, "unknown"},
		{"without a flag", things{lost}, beat, "unknown"},
		{"no known error", things{of(model.AttachmentCheckFailed, 5, onA, detail("x"))}, counts, "false"},
	})
}

// TestNoTimeOfCollection: where nothing says when a bundle was collected, its rows still have a story, and no end.
func TestNoTimeOfCollection(t *testing.T) {
	b := &model.Snapshot{Inputs: []model.Input{{Path: "a.txt", Kind: model.InputText}}}
	ages := func(best, within float64) *model.Range {
		return &model.Range{Best: best, Min: best - within, Max: best + within}
	}
	for n, name := range []string{"n", "m"} { // whose ages say two times
		b.Nodes = append(b.Nodes, cases.Object("Node", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: made(0)}}))
		b.Aged = append(b.Aged, model.Aged{Object: model.Ref{Kind: "Node", Name: name}, Age: *ages(3600*float64(n+1), 30), Input: "a.txt",
			Source: model.Source{Kind: model.SourceText, Path: "a.txt", Line: 1}})
	}
	row := func(kind model.Kind, node string, age float64) {
		o := model.Observation{Kind: kind, Node: node, Volume: model.VolumeID{PersistentVolume: "pvc-1"}, Input: "a.txt",
			Source: model.Source{Kind: model.SourceText, Path: "a.txt", Line: 9}, Age: ages(age, 1), Count: 1}
		if kind == model.NodeNotReady || kind == model.NodeReady {
			o.Volume, o.Detail = model.VolumeID{}, "Unknown"
		}
		b.Observations = append(b.Observations, o)
	}
	row(model.MultiAttach, "node-b", 600)
	row(model.NodeNotReady, "node-a", 700)
	row(model.AttachSucceeded, "node-a", 5000)
	row(model.NodeReady, "node-a", 300)
	b.Pods = append(b.Pods, cases.Object("Pod", podOf(oldPod, "node-a")), cases.Object("Pod", podOf(newPod, "node-b")))
	w := facts.NewWorld(b)
	if w.Axis.CapturedAt != nil {
		t.Fatal(w.Axis.CapturedAt)
	}
	c := cases.Waits(w)[0]
	got := fmt.Sprint(phasesOf(c), c.From, " ", c.NotReady.Known(), c.BackReady.Known(), c.RanThrough(), c.BackWithoutBoot(),
		c.Stops(), c.GoneBy.Known(), c.Removals(), c.NodeRemoved().Known())
	if want := "eviction[] 100, node-not-ready open truenode-a true true <nil> false [] false [] false"; got != want {
		t.Errorf("rows:\n%s", got)
	}
	row(model.AttachSucceeded, "node-b", 100)
	c = cases.Waits(facts.NewWorld(b))[0]
	if got, want := phasesOf(c), "eviction[] 100, undivided[release unmount-wait detach attach] 500, node-not-ready open false"; got != want {
		t.Errorf("attached:\n%s", got)
	}
}

// TestCollections: of a bundle that was collected twice, the world at the newest collection.
func TestCollections(t *testing.T) {
	bundle := func(roots ...string) *model.Snapshot {
		s := &model.Snapshot{}
		for n, root := range []string{"first", "second"} {
			s.Collections = append(s.Collections, model.Collection{Root: root, CapturedAt: model.Exactly(at(float64(n * 100)))})
		}
		for _, root := range roots {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "of-" + root}}
			o := cases.Object("Pod", p)
			o.Input = root + "/pods.yaml"
			s.Pods = append(s.Pods, o)
			s.Inputs = append(s.Inputs, model.Input{Path: o.Input, Kind: model.InputManifests})
			s.Lists = append(s.Lists, model.Listed{Kind: "Pod", Namespace: root, Collection: root})
		}
		s.Inputs = append(s.Inputs, model.Input{Path: "second/log", Kind: model.InputLog})
		return s
	}
	for want, roots := range map[string][]string{
		"of-second false true":         {"first", "second"},
		"of-first true false":          {"first"},
		"of-first of-other true false": {"first", "other"},
	} {
		w := facts.NewWorld(bundle(roots...)).AtCollection()
		if got := fmt.Sprint(names(w.Pods), " ", w.Listed("Pod", "first"), " ", w.Listed("Pod", "second")); got != want {
			t.Errorf("%v: %s, want %s", roots, got, want)
		}
	}
}

// TestDriversCalls: what a driver says of its calls is of the VolumeAttachment that they are for, where the attacher says nothing.
func TestDriversCalls(t *testing.T) {
	calls := func(w *facts.World) string {
		return cited(cases.Waits(w)[0].DetachErrors)
	}
	ofDriver := func(node, what string) *model.Observation {
		return of(model.AttachmentDetachError, 20, node, volume, component("csi-driver"), detail(what))
	}
	askWorlds(t, calls, []worldRow{
		{"a driver's call of the Node", things{report(), nodeOf("node-a"), ofDriver("node-a", "x")}, "attachment-detach-error@20"},
		{"by the last part of a path", things{report(), nodeOf("node-a"), ofDriver("zones/z/node-a", "x")}, "attachment-detach-error@20"},
		{"by a name of which nothing tells", things{report(), nodeOf("node-a"), ofDriver("i-1", "x")}, ""},
		{"of another Node", things{report(), nodeOf("node-c"), ofDriver("node-c", "x")}, ""},
		{"the attacher tells of its own", things{report(), nodeOf("node-a"), ofDriver("node-a", "x"), of(model.AttacherDetaching, 19, onA)}, ""},
		{"of another volume", things{report(), nodeOf("node-a"), change(ofDriver("node-a", "x"),
			func(o *model.Observation) { o.Volume = model.VolumeID{PersistentVolume: "pvc-9"} })}, ""},
	})
}
