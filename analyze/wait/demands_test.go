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

// worldRow is a row whose question is about a world.
type worldRow struct {
	rule string
	list things
	want string
}

func askWorlds(t *testing.T, of func(*facts.World) string, rows []worldRow) {
	t.Helper()
	for _, r := range rows {
		if got := of(world(r.list...)); got != r.want {
			t.Errorf("%s:\n%s", r.rule, got)
		}
	}
}

// waitsOf are the waits of a world: volume, node, holder, number of reports and mirrors, waiting pods.
func waitsOf(w *facts.World) string {
	text := ""
	for _, c := range cases.Waits(w) {
		kind := ""
		for name, is := range map[string]bool{"sampled": c.Sampled, "shown": c.Shown, "refused": c.Refused, "stuck": c.Stuck, "taken": c.Taken,
			"before": c.Before} {
			if is {
				kind = " " + name
			}
		}
		text += fmt.Sprintf("[%s on %s from %s%s: %d/%d since %s, %s]", c.Volume.Key(), c.To, c.From, kind, len(c.Reports), len(c.Mirrors),
			span(c.Began), wait.PodNames(c.NewPods))
	}
	return text
}

// TestDemands: which reports are of one wait.
func TestDemands(t *testing.T) {
	audit, event := model.SourceAudit, model.SourceEvent
	say := func(at float64, node string, pod model.Ref) *model.Observation {
		o := of(model.MultiAttach, at, node, pod, volume, variant(model.UsedByPods))
		o.Holders = []string{"node-a"}
		return o
	}
	nobody := model.Ref{}
	other := model.PodRef("prod", "db-other", "u-other")
	attached := func(node string, about ...any) *model.Observation {
		return of(model.AttachSucceeded, 50, append(about, node, volume)...)
	}
	deleted := func(pod model.Ref) *model.Observation { return of(model.PodDeletionRequested, 50, pod, audit) }
	inObject := func(at float64, pod model.Ref) *model.Observation {
		return change(say(at, "", nobody), func(o *model.Observation) { o.Object = pod })
	}
	var many things
	for n := range 60 {
		many = append(many, say(float64(100*n), "node-b", newPod), of(model.AttachSucceeded, float64(100*n+50), "node-b", volume))
	}
	askWorlds(t, waitsOf, []worldRow{
		{"one report", things{say(0, "node-b", newPod)}, "[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"without a volume that is known", things{change(say(0, "node-b", newPod), func(o *model.Observation) { o.Volume = model.VolumeID{} })},
			""},
		{"a second one of the node", things{say(0, "node-b", newPod), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"of another pod", things{say(0, "node-b", newPod), say(100, "node-b", other)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new, prod/db-other]"},
		{"of another pod, when the first was deleted", things{say(0, "node-b", newPod), deleted(newPod), say(100, "node-b", other)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-b from node-a: 1/0 since 100, prod/db-other]"},
		{"of no pod, when the first was deleted", things{say(0, "node-b", newPod), deleted(newPod), say(100, "node-b", nobody)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"of a pod, where the first named none", things{say(0, "node-b", nobody), say(100, "node-b", other)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-other]"},
		{"of the same pod, which was deleted", things{say(0, "node-b", newPod), deleted(newPod), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"satisfied meanwhile", things{say(0, "node-b", newPod), attached("node-b"), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-b from node-a: 1/0 since 100, prod/db-new]"},
		{"satisfied by the event of its pod", things{say(0, "node-b", newPod), attached("", newPod, event), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-b from node-a: 1/0 since 100, prod/db-new]"},
		{"by that of another pod", things{say(0, "node-b", newPod), attached("", other, event), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"another node was attached", things{say(0, "node-b", newPod), attached("node-c"), say(100, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"on another node", things{say(0, "node-b", newPod), say(100, "node-c", other)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-c from node-a: 1/0 since 100, prod/db-other]"},
		{"on another node and back", things{say(0, "node-b", newPod), say(100, "node-c", other), say(200, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new][pvc-1 on node-c from node-a: 1/0 since 100, prod/db-other]"},
		{"an event without a node in the same breath", things{say(0, "node-b", newPod), say(1, "", nobody)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"later than a second and a half", things{say(0, "node-b", newPod), say(1.5, "", nobody)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on  from node-a: 1/0 since 1.5, ]"},
		{"before the line", things{say(0, "", nobody), say(1, "node-b", newPod)}, "[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"long before the line", things{say(0, "", nobody), say(2, "node-b", newPod)},
			"[pvc-1 on  from node-a: 1/0 since 0, ][pvc-1 on node-b from node-a: 1/0 since 2, prod/db-new]"},
		{"the event of a pod, and long after it the line of the node alone", things{say(0, "", newPod), say(280, "node-b", nobody)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"the line of the node alone, and long after it the event of a pod", things{say(0, "node-b", nobody), say(280, "", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"the same, satisfied meanwhile", things{say(0, "node-b", nobody), attached("node-b"), say(280, "", newPod)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, ][pvc-1 on  from node-a: 1/0 since 280, prod/db-new]"},
		{"an event of the pod", things{say(0, "node-b", newPod), say(100, "", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new]"},
		{"of another pod without a node", things{say(0, "node-b", newPod), say(100, "", other)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on  from node-a: 1/0 since 100, prod/db-other]"},
		{"two without nodes, and one with", things{say(0, "", newPod), say(100, "", other), say(200, "node-b", newPod)},
			"[pvc-1 on node-b from node-a: 2/0 since 0, prod/db-new][pvc-1 on  from node-a: 1/0 since 100, prod/db-other]"},
		{"the object that an event is about", things{inObject(0, newPod)}, "[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"an object that is no pod", things{inObject(0, model.Ref{Kind: "Node", Name: "x"})}, "[pvc-1 on  from node-a: 1/0 since 0, ]"},
		{"the node of its pod's object", things{inObject(0, newPod), podOf(newPod, "node-b")},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"of another object of the name", things{inObject(0, newPod), podOf(model.PodRef("prod", "db-new", "u-x"), "node-b")},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"of an object made later", things{inObject(0, model.PodRef("prod", "db-new", "")), podOf(newPod, "node-b", createdAt(1))},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"of an object that has none", things{inObject(0, newPod), podOf(newPod, "")}, "[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"where it was scheduled", things{inObject(0, newPod), of(model.PodScheduled, -5, newPod, "node-b")},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"or sampled", things{inObject(0, newPod), of(model.PodSampled, -5, newPod, "node-b")},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"or its kubelet cannot mount for it", things{inObject(0, newPod), of(model.MountFailed, 5, newPod, "node-b", component("kubelet"))},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"or could not before", things{inObject(0, newPod), of(model.MountFailed, -5, newPod, "node-b", component("kubelet"))},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"or ready", things{inObject(0, newPod), of(model.PodReady, -5, newPod, "node-b")}, "[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"up to a second later", things{inObject(0, newPod), of(model.PodScheduled, 1, newPod, "node-b")},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"and more", things{inObject(0, newPod), of(model.PodScheduled, 1.1, newPod, "node-b")},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"another of the name was", things{inObject(0, newPod), of(model.PodScheduled, -5, model.PodRef("prod", "db-new", "u-x"), "node-b")},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"as a table shows it", things{inObject(0, newPod), timeless(of(model.PodScheduled, 0, newPod, "node-b"))},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"a table shows something else", things{inObject(0, newPod), timeless(of(model.PodReady, 0, newPod, "node-b"))},
			"[pvc-1 on  from node-a: 1/0 since 0, prod/db-new]"},
		{"a table without nodes", things{inObject(0, newPod), timeless(of(model.PodScheduled, 0, newPod)),
			timeless(of(model.PodScheduled, 0, newPod, "node-b"))}, "[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},

		{"the old pod waits for the volume that has moved", things{report(), attached("node-b"),
			change(say(100, "node-a", oldPod), func(o *model.Observation) { o.Holders = []string{"node-b"} })},
			"[pvc-1 on node-b from node-a: 1/1 since 0, prod/db-new]"},
		{"another pod does", things{report(), attached("node-b"), change(say(100, "node-a", other),
			func(o *model.Observation) { o.Holders = []string{"node-b"} })},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-a from node-b: 1/0 since 100, prod/db-other]"},
		{"it was scheduled anew", things{report(), attached("node-b"), of(model.PodScheduled, 90, oldPod, "node-a"),
			change(say(100, "node-a", oldPod), func(o *model.Observation) { o.Holders = []string{"node-b"} })},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-a from node-b: 1/0 since 100, prod/db-old]"},
		{"scheduled elsewhere", things{report(), attached("node-b"), of(model.PodScheduled, 90, oldPod, "node-c"),
			change(say(100, "node-a", oldPod), func(o *model.Observation) { o.Holders = []string{"node-b"} })},
			"[pvc-1 on node-b from node-a: 1/1 since 0, prod/db-new]"},
		{"on a third node it waits", things{report(), attached("node-b"), change(say(100, "node-c", oldPod),
			func(o *model.Observation) { o.Holders = []string{"node-b"} })},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new][pvc-1 on node-c from node-b: 1/0 since 100, prod/db-old]"},

		{"a refusal of the back end", things{of(model.AttachFailed, 0, "node-b", newPod, volume,
			detail("volume is already attached to node node-z"))}, "[pvc-1 on node-b from  refused: 1/0 since 0, prod/db-new]"},
		{"that an attach followed", things{of(model.AttachFailed, 0, "node-b", newPod, volume,
			detail("volume is already attached to node node-z")), of(model.AttachSucceeded, 60, "node-b", volume)}, ""},
		{"more than a minute later", things{of(model.AttachFailed, 0, "node-b", newPod, volume,
			detail("volume is already attached to node node-z")), of(model.AttachSucceeded, 60.1, "node-b", volume)},
			"[pvc-1 on node-b from  refused: 1/0 since 0, prod/db-new]"},
		{"another error", things{of(model.AttachFailed, 0, "node-b", newPod, volume, detail("x"))}, ""},
		{"while an attachment of another node is there",
			things{of(model.AttachFailed, 0, "node-b", newPod, volume, detail("volume is already attached to node node-z")),
				attachmentOf("csi-x", "node-c", -500)}, "[pvc-1 on node-b from node-c refused: 1/0 since 0, prod/db-new]"},
		{"a refused mount", things{of(model.MountFailed, 0, "node-b", newPod, volume, detail("rbd image p/v is still being used"))},
			"[pvc-1 on node-b from  refused: 1/0 since 0, prod/db-new]"},
		{"a refused mount that went through within a minute",
			things{of(model.MountFailed, 0, "node-b", newPod, volume, detail("rbd image p/v is still being used")),
				of(model.MountSucceeded, 30, "node-b", volume)}, ""},
		{"a busy mount point", things{of(model.MountFailed, 0, "node-b", newPod, volume, detail("/dev/sdb already mounted or mount point busy"))},
			""},
		{"two refusals", things{of(model.AttachFailed, 0, "node-b", newPod, volume, detail("volume is already attached to node node-z")),
			of(model.AttacherFailed, 5, onB, volume, "node-b", detail("volume is already attached to node node-z"))},
			"[pvc-1 on node-b from  refused: 2/0 since 0, prod/db-new]"},
		{"on two nodes", things{of(model.AttachFailed, 0, "node-b", newPod, volume, detail("volume is already attached to node node-z")),
			of(model.AttachFailed, 5, "node-d", newPod, volume, detail("volume is already attached to node node-z"))},
			"[pvc-1 on node-b from  refused: 1/0 since 0, prod/db-new][pvc-1 on node-d from  refused: 1/0 since 5, prod/db-new]"},

		{"the error of a detach alone", things{of(model.AttachmentDetachError, 0, onA, "node-a", volume, model.SourceManifest)},
			"[pvc-1 on  from node-a stuck: 1/0 since 0, ]"},
		{"in a log it is none", things{of(model.AttachmentDetachError, 0, onA, "node-a", volume)}, ""},
		{"beside a pod", things{of(model.AttachmentDetachError, 0, onA, "node-a", volume, model.SourceManifest), podOf(newPod, "node-b")}, ""},
		{"of a collection", things{collected(10), of(model.AttachmentDetachError, 0, onA, "node-a", volume, model.SourceManifest)}, ""},
		{"twice", things{of(model.AttachmentDetachError, 0, onA, "node-a", volume, model.SourceManifest),
			of(model.DetachFailed, 5, "node-a", volume, model.SourceManifest)}, "[pvc-1 on  from node-a stuck: 1/0 since 0, ]"},
		{"of no volume", things{of(model.AttachmentDetachError, 0, onA, "node-a", model.SourceManifest)}, ""},
		{"a report beside it", things{report(), of(model.AttachmentDetachError, 0, onA, "node-a", volume, model.SourceManifest)},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"a detach by force alone", things{of(model.DetachForcedTimeout, 0, "node-a", volume)}, ""},
		{"and the attach elsewhere that followed", things{of(model.DetachForcedTimeout, 0, "node-a", volume), of(model.AttachSucceeded, 5, "node-b", volume)},
			"[pvc-1 on node-b from node-a taken: 1/0 since 0, ]"},
		{"and one to the same node", things{of(model.DetachForcedTimeout, 0, "node-a", volume), of(model.AttachSucceeded, 5, "node-a", volume)}, ""},
		{"and one before", things{of(model.DetachForcedTimeout, 0, "node-a", volume), of(model.AttachSucceeded, -5, "node-b", volume)}, ""},
		{"and one to a node that is not named", things{of(model.DetachForcedTimeout, 0, "node-a", volume), of(model.AttachSucceeded, 5, volume)}, ""},
	})
	if all, more := wait.CasesUntil(world(many...),
		func() bool { return false }); len(all) != 50 || len(more) != 1 || more[0].Waits != 10 || !all[0].Began.At.Equal(at(1000)) {
		t.Errorf("%d waits, %+v", len(all), more)
	}
	if all, more := wait.CasesUntil(world(many[:100]...), func() bool { return false }); len(all) != 50 || len(more) != 0 {
		t.Errorf("%d waits, %+v", len(all), more)
	}
	if all, more := wait.CasesUntil(world(many[:102]...),
		func() bool { return false }); len(all) != 50 || len(more) != 1 || more[0].Waits != 1 {
		t.Errorf("%d waits, %+v", len(all), more)
	}
	if all, _ := wait.CasesUntil(world(many...), func() bool { return true }); len(all) != 1 {
		t.Errorf("%d waits until it is to stop", len(all))
	}
}

// TestUndatedReports: pasted reports without a time show one wait; only a report that names several users shows them at once.
func TestUndatedReports(t *testing.T) {
	users := []model.Ref{model.PodRef("", "db-0", ""), model.PodRef("", "db-1", "")}
	said := func(used ...model.Ref) *model.Observation {
		return change(of(model.MultiAttach, 0, volume, variant(model.UsedByPods)), func(o *model.Observation) { o.Pods = used })
	}
	later := func(o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) { o.At = model.Exactly(at(600)) })
	}
	onNode := func(o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) { o.Node = "node-b" })
	}
	askWorlds(t, func(w *facts.World) (text string) {
		for _, c := range cases.Waits(w) {
			text += fmt.Sprintf("[%d in %d, of %s, at once: %v]", c.Reported(), len(c.Reports), wait.PodNames(c.OldPods), c.NamedAtOnce())
		}
		return text
	}, []worldRow{
		{"two without a time", things{timeless(said(users[0])), timeless(said(users[1]))}, "[1 in 2, of db-0, db-1, at once: false]"},
		{"of times that are known", things{said(users[0]), later(said(users[1]))},
			"[1 in 1, of db-0, at once: false][1 in 1, of db-1, at once: false]"},
		{"of times that are known, and no user", things{said(), later(said())}, "[2 in 2, of , at once: false]"},
		{"more than the life of an Event apart", things{said(), change(said(), func(o *model.Observation) { o.At = model.Exactly(at(3601)) })},
			"[1 in 1, of , at once: false][1 in 1, of , at once: false]"},
		{"of one node", things{onNode(said(users[0])), onNode(later(said(users[1])))}, "[2 in 2, of db-0, db-1, at once: false]"},
		{"one names both", things{timeless(said(users...))}, "[1 in 1, of db-0, db-1, at once: true]"},
		{"one of two does", things{timeless(said(users[0])), timeless(said(users...))}, "[1 in 2, of db-0, db-1, at once: true]"},
		{"one of two names some of them", things{timeless(said(users...)), timeless(said(model.PodRef("", "db-2", "")))},
			"[1 in 2, of db-0, db-1, db-2, at once: false]"},
		{"one user is not several", things{timeless(said(users[0]))}, "[1 in 1, of db-0, at once: false]"},
	})
}

// TestShownWaits: waits that objects alone show at the collection.
func TestShownWaits(t *testing.T) {
	once := corev1.ReadWriteOnce
	placed := of(model.PodScheduled, -60, newPod, "node-b", model.SourceManifest)
	pending := func(how ...func(*corev1.Pod)) *corev1.Pod {
		return podOf(newPod, "node-b", append([]func(*corev1.Pod){phase("Pending"), using("data")}, how...)...)
	}
	container := func(reason string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			state := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: state}}
		}
	}
	runs := func(p *corev1.Pod) {
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	}
	held := attachmentOf("csi-x", "node-a", -500)
	log := logOf("kube-controller-manager", "k", -100, 0)
	line := within("k", of(model.DetachStarted, -90, "node-c", model.VolumeID{PersistentVolume: "pvc-9",
		UniqueName: model.UniqueCSIName("csi.example.com", "vol-9")}))
	events := model.Listed{Kind: "Event", Namespace: "prod"}
	askWorlds(t, waitsOf, []worldRow{
		{"a pod waits on one node, its volume is on another", things{collected(0), theVolume("data", once), held, pending(), placed},
			"[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"its containers wait to be created", things{collected(0), theVolume("data", once), held, pending(container("ContainerCreating")),
			placed}, "[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"or the first of them", things{collected(0), theVolume("data", once), held, pending(container("PodInitializing")), placed},
			"[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"they wait for something else", things{collected(0), theVolume("data", once), held, pending(container("ImagePullBackOff")), placed}, ""},
		{"an init container runs", things{collected(0), theVolume("data", once), held, pending(runs), placed}, ""},
		{"it runs", things{collected(0), theVolume("data", once), held, podOf(newPod, "node-b", using("data")), placed}, ""},
		{"it is being deleted", things{collected(0), theVolume("data", once), held, pending(deletedAt(-1)), placed}, ""},
		{"it has no node", things{collected(0), theVolume("data", once), held, podOf(newPod, "", using("data"), phase("Pending")), placed}, ""},
		{"the volume is for many", things{collected(0), theVolume("data", corev1.ReadWriteMany), held, pending(), placed}, ""},
		{"nothing tells for how many", things{collected(0), theVolume("data"), held, pending(), placed}, ""},
		{"another claim", things{collected(0), theVolume("logs", once), held, pending(), placed}, ""},
		{"attached to its own node, too", things{collected(0), theVolume("data", once), held, attachmentOf("csi-y", "node-b", -500), pending(),
			placed}, ""},
		{"not attached", things{collected(0), theVolume("data", once), attachmentOf("csi-x", "node-a", -500,
			func(a *storageAttachment) { a.Status.Attached = false }), pending(), placed}, ""},
		{"attached nowhere", things{collected(0), theVolume("data", once), pending(), placed}, ""},
		{"nothing tells when it was scheduled", things{collected(0), theVolume("data", once), held, pending()}, ""},
		{"scheduled to another node", things{collected(0), theVolume("data", once), held, pending(),
			of(model.PodScheduled, -60, newPod, "node-c")}, ""},
		{"another of the name was scheduled", things{collected(0), theVolume("data", once), held, pending(),
			of(model.PodScheduled, -60, model.PodRef("prod", "db-new", "u-x"), "node-b")}, ""},
		{"the controller's log would have its report", things{collected(0), log, line, theVolume("data", once), held, pending(), placed}, ""},
		{"a log without detaches has none", things{collected(0), log, theVolume("data", once), held, pending(), placed},
			"[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"Events would have it", things{collected(0), events, theVolume("data", once), held, pending(), placed}, ""},
		{"for fifty-five minutes", things{collected(3240), events, theVolume("data", once), held, pending(), placed},
			"[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"just not for fifty-five minutes", things{collected(3239), events, theVolume("data", once), held, pending(), placed}, ""},
		{"Events of another namespace would not", things{collected(0), model.Listed{Kind: "Event", Namespace: "test"}, theVolume("data", once),
			held, pending(), placed}, "[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]"},
		{"nothing tells when it was collected", things{events, theVolume("data", once), held, pending(), placed}, ""},
		{"a report of it", things{report(), collected(0), theVolume("data", once), held, pending(), placed},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"a report of another pod", things{reportOf(model.PodRef("prod", "x", "u"), nil), collected(0), theVolume("data", once), held, pending(),
			placed}, "[pvc-1 on node-b from node-a shown: 1/0 since -60 -59.45 -58.9, prod/db-new]" +
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/x]"},
	})
}

// TestLateWaits: waits of the past that objects alone show: the VolumeAttachment of a pod was made long after it was scheduled.
func TestLateWaits(t *testing.T) {
	old := func(v *corev1.PersistentVolume) *corev1.PersistentVolume {
		v.CreationTimestamp = made(-9000)
		return v
	}
	scheduled := func() *model.Observation { return of(model.PodScheduled, -600, newPod, "node-b", model.SourceManifest) }
	v, placed := old(theVolume("data", corev1.ReadWriteOnce)), scheduled()
	own := attachmentOf("csi-y", "node-b", -300)
	started := func(seconds float64, how ...func(*corev1.ContainerStatus)) *corev1.Pod {
		return podOf(newPod, "node-b", using("data"), func(p *corev1.Pod) {
			c := corev1.ContainerStatus{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: made(seconds)}}}
			for _, h := range how {
				h(&c)
			}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{c}
		})
	}
	again := func(c *corev1.ContainerStatus) { c.RestartCount = 1 }
	over := func(c *corev1.ContainerStatus) {
		c.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{StartedAt: c.State.Running.StartedAt}}
	}
	lost := func(name string, is corev1.ConditionStatus, since float64) *corev1.Node {
		return nodeOf(name, condition(is, since))
	}
	const from, late = "[pvc-1 on node-b from node-a shown: 1/0 since -600 -599.5 -598.9, prod/db-new]",
		"[pvc-1 on node-b from  shown: 1/0 since -600 -599.5 -598.9, prod/db-new]"
	of := func(list ...any) things { return append(things{collected(0)}, list...) }
	askWorlds(t, waitsOf, []worldRow{
		{"a pod that started after it", of(v, placed, own, started(-290)), late},
		{"within a minute", of(v, placed, attachmentOf("csi-y", "node-b", -541), started(-290)), ""},
		{"after a minute", of(v, placed, attachmentOf("csi-y", "node-b", -540), started(-290)), late},
		{"it ran before", of(v, placed, own, started(-302)), ""},
		{"in the same second", of(v, placed, own, started(-301)), late},
		{"a container that ended ran before", of(v, placed, own, started(-302, over)), ""},
		{"or did not", of(v, placed, own, started(-290, over)), late},
		{"when its container was first started is not known", of(v, placed, own, started(-290, again)), ""},
		{"the volume was made for it", of(theVolume("data", corev1.ReadWriteOnce), placed, own, started(-290)), ""},
		{"the volume is for many", of(old(theVolume("data", corev1.ReadWriteMany)), placed, own, started(-290)), ""},
		{"nothing dates its scheduling", of(v, timeless(scheduled()), own, started(-290)), ""},
		{"an event of it may stand for another", of(v, own, started(-290), change(scheduled(), func(o *model.Observation) { o.Source.Kind = model.SourceLog })), ""},
		{"its node has no attachment", of(v, placed, started(-290)), ""},
		{"Events would have its report", of(model.Listed{Kind: "Event", Namespace: "prod"}, v, placed, own, started(-290)), ""},
		{"an attachment of another node is there", of(v, placed, own, attachmentOf("csi-x", "node-a", -500), started(-290)), from},
		{"another node was lost then", of(v, placed, own, started(-290), lost("node-a", "Unknown", -700)), from},
		{"it came back later", of(v, placed, own, started(-290), lost("node-a", "True", -500)), from},
		{"it had come back before", of(v, placed, own, started(-290), lost("node-a", "True", -700)), late},
		{"it was lost later", of(v, placed, own, started(-290), lost("node-a", "Unknown", -500)), late},
		{"it was lost long before", of(v, placed, own, started(-290), lost("node-a", "Unknown", -600-6*3600)), late},
		{"two were", of(v, placed, own, started(-290), lost("node-a", "Unknown", -700), lost("node-c", "Unknown", -700)), late},
		{"its own node was", of(v, placed, own, started(-290), lost("node-b", "Unknown", -700)), late},
		{"a node that is younger", of(v, placed, own, started(-290), nodeOf("node-a", condition("True", -500), func(n *corev1.Node) {
			n.CreationTimestamp = made(-590)
		})), late},
	})
}

// TestBeforeWaits: waits that have not come to an attach: a pod that is being deleted on a lost node, which another is to follow.
func TestBeforeWaits(t *testing.T) {
	once := corev1.ReadWriteOnce
	manifest := model.SourceManifest
	set := model.PodRef("prod", "set-0", "u-0")
	asked := of(model.PodDeletionRequested, -60, set, manifest)
	going := func(how ...func(*corev1.Pod)) *corev1.Pod {
		return podOf(set, "node-a", append([]func(*corev1.Pod){deletedAt(-30), using("data"), ofOwner("StatefulSet", "set"), func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{}}
		}}, how...)...)
	}
	held := attachmentOf("csi-x", "node-a", -500)
	lost := nodeOf("node-a", condition("Unknown", -100))
	v := theVolume("data", once)
	awaiting := func(how ...func(*corev1.Pod)) *corev1.Pod {
		return podOf(again, "", append([]func(*corev1.Pod){phase("Pending"), using("data")}, how...)...)
	}
	askWorlds(t, waitsOf, []worldRow{
		{"a StatefulSet's pod", things{collected(0), v, held, lost, going(), asked}, "[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"that is not being deleted", things{collected(0), v, held, lost, going(func(p *corev1.Pod) { p.DeletionTimestamp = nil }), asked}, ""},
		{"that has finished", things{collected(0), v, held, lost, going(phase("Failed")), asked}, ""},
		{"whose containers have ended", things{collected(0), v, held, lost, going(func(p *corev1.Pod) {
			p.Status.ContainerStatuses[0].State.Terminated = &corev1.ContainerStateTerminated{}
		}), asked}, ""},
		{"of a node that is Ready", things{collected(0), v, held, nodeOf("node-a", condition("True", -100)), going(), asked}, ""},
		{"of a node that says itself that it is not, a minute after the grace period",
			things{collected(30), v, held, nodeOf("node-a", condition("False", -100)), going(), asked}, ""},
		{"and later", things{collected(31), v, held, nodeOf("node-a", condition("False", -100)), going(), asked},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"of a node that is not there, and was lost", things{collected(0), v, held, of(model.NodeNotReady, -100, "node-a"), going(), asked},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"and came back", things{collected(0), v, held, of(model.NodeNotReady, -100, "node-a"), of(model.NodeReady, -50, "node-a"), going(),
			asked}, ""},
		{"and was deleted", things{collected(0), v, held, of(model.NodeNotReady, -100, "node-a"), of(model.NodeDeleted, -50, "node-a"), going(),
			asked}, ""},
		{"a pod of it came back", things{collected(0), v, held, of(model.NodeNotReady, -100, "node-a"),
			of(model.NodeReady, -50, "node-a", oldPod), going(), asked}, "[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"of which a row says so", things{collected(0), v, held, timeless(of(model.NodeNotReady, 0, "node-a")), going(), asked},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"a row of its pods", things{collected(0), v, held, timeless(of(model.NodeNotReady, 0, "node-a", oldPod)), going(), asked}, ""},
		{"of which nothing tells", things{collected(0), v, held, going(), asked}, ""},
		{"the volume is for many", things{collected(0), theVolume("data", corev1.ReadWriteMany), held, lost, going(), asked}, ""},
		{"it is not attached there", things{collected(0), v, attachmentOf("csi-x", "node-c", -500), lost, going(), asked}, ""},
		{"it is being detached", things{collected(0), v, attachmentOf("csi-x", "node-a", -500, leaving(-5)), lost, going(), asked}, ""},
		{"it is not attached yet", things{collected(0), v, attachmentOf("csi-x", "node-a", -500,
			func(a *storageAttachment) { a.Status.Attached = false }), lost, going(), asked}, ""},
		{"the Node lists it", things{collected(0), v, of(model.NodeVolumesAttached, 0, "node-a", volume), lost, going(), asked},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"the Node has it in use", things{collected(0), v, of(model.NodeVolumesInUse, 0, "node-a", volume), lost, going(), asked}, ""},
		{"nothing tells of the request", things{collected(0), v, held, lost, going()}, ""},
		{"a log tells of it", things{collected(0), v, held, lost, going(), of(model.PodDeletionRequested, -60, set)}, ""},
		{"it was another's of the name", things{collected(0), v, held, lost, going(),
			of(model.PodDeletionRequested, -60, model.PodRef("prod", "set-0", "u-x"), manifest)}, ""},
		{"another pod of the claim has a node", things{collected(0), v, held, lost, going(), asked, podOf(newPod, "node-c", using("data"))}, ""},
		{"which has finished", things{collected(0), v, held, lost, going(), asked, podOf(newPod, "node-c", using("data"), phase("Succeeded"))},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"on the same node", things{collected(0), v, held, lost, going(), asked, podOf(newPod, "node-a", using("data"))},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"nobody owns it", things{collected(0), v, held, lost, going(func(p *corev1.Pod) { p.OwnerReferences = nil }), asked}, ""},
		{"another's pod, and one without a node waits", things{collected(0), v, held, lost, going(ofOwner("ReplicaSet", "rs")), asked,
			awaiting()}, "[pvc-1 on  from node-a before: 1/0 since -60, prod/db-6c5d7f9b84-zz2lp]"},
		{"nobody waits", things{collected(0), v, held, lost, going(ofOwner("ReplicaSet", "rs")), asked}, ""},
		{"it waits for another claim", things{collected(0), v, held, lost, going(ofOwner("ReplicaSet", "rs")), asked,
			podOf(again, "", phase("Pending"), using("logs"))}, ""},
		{"it is being deleted, too", things{collected(0), v, held, lost, going(ofOwner("ReplicaSet", "rs")), asked, awaiting(deletedAt(-5))}, ""},
		{"it failed", things{collected(0), v, held, lost, going(ofOwner("ReplicaSet", "rs")), asked, awaiting(phase("Failed"))}, ""},
		{"the set was scaled to none", things{collected(0), v, held, lost, going(), asked, setOf(0, 0)}, ""},
		{"the set has one", things{collected(0), v, held, lost, going(), asked, setOf(0, 1)}, "[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"the set begins at one", things{collected(0), v, held, lost, going(), asked, setOf(1, 1)},
			"[pvc-1 on  from node-a before: 1/0 since -60, ]"},
		{"the set is being deleted", things{collected(0), v, held, lost, going(), asked, goneSet(setOf(0, 1))}, ""},
		{"a wait that followed", things{collected(100), report(), v, held, lost, going(), asked},
			"[pvc-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"a wait of before", things{collected(100), change(report(),
			func(o *model.Observation) { o.At = model.Exactly(at(-9000)); o.Last = o.At }), v, held, lost, going(), asked},
			"[pvc-1 on node-b from node-a: 1/0 since -9000, prod/db-new][pvc-1 on  from node-a before: 1/0 since -60, ]"},
	})
}

// TestListedWaits: waits that pasted rows alone show: a pod waits for its containers beside the pod of its ReplicaSet that is Terminating on
// another node.
func TestListedWaits(t *testing.T) {
	text := model.SourceText
	old, fresh := model.PodRef("prod", first.Name, ""), model.PodRef("prod", again.Name, "")
	aged := func(seconds float64, o *model.Observation) *model.Observation {
		return change(o, func(o *model.Observation) {
			o.Age = &model.Range{Min: seconds, Best: seconds, Max: seconds + 1}
		})
	}
	on := func(pod model.Ref, node string) *model.Observation {
		return timeless(of(model.PodScheduled, 0, pod, node, text))
	}
	is := func(kind model.Kind, pod model.Ref, what string) *model.Observation {
		return timeless(of(kind, 0, pod, detail(what), text))
	}
	oldOn, freshOn := on(old, "node-a"), on(fresh, "node-b")
	goes, waits := is(model.PodDeletionRequested, old, ""), is(model.PodNotReady, fresh, "ContainerCreating")
	since := aged(200, of(model.PodCreated, -200, fresh, text))
	bound := func(claim model.Ref) *model.Observation {
		return timeless(change(of(model.VolumeBound, 0, volume, text), func(o *model.Observation) { o.Claim = claim }))
	}
	attached := func(node string) *model.Observation {
		return timeless(of(model.AttachmentAttached, 0, node, volume, text))
	}
	set := func(pod, claim string) things { // of a StatefulSet, whose volume node-a has
		p := model.PodRef("prod", pod, "")
		return things{collected(0), on(p, "node-b"), is(model.PodNotReady, p, "ContainerCreating"), aged(200, of(model.PodCreated, -200, p, text)),
			bound(model.Ref{Namespace: "prod", Name: claim}), attached("node-a")}
	}
	askWorlds(t, waitsOf, []worldRow{
		{"one waits and one goes", things{collected(0), oldOn, goes, freshOn, waits, since},
			"[ on node-b from node-a: 1/0 since -200, prod/" + fresh.Name + "]"},
		{"its first containers wait", things{collected(0), oldOn, goes, freshOn, is(model.PodNotReady, fresh, "Init:0/1"), since},
			"[ on node-b from node-a: 1/0 since -200, prod/" + fresh.Name + "]"},
		{"the other one does not go", things{collected(0), oldOn, is(model.PodReady, old, ""), freshOn, waits, since}, ""},
		{"it crashes", things{collected(0), oldOn, goes, freshOn, is(model.PodNotReady, fresh, "CrashLoopBackOff"), since}, ""},
		{"both are on one node", things{collected(0), oldOn, goes, on(fresh, "node-a"), waits, since}, ""},
		{"it is on no node", things{collected(0), oldOn, goes, waits, since}, ""},
		{"of another ReplicaSet and Deployment", things{collected(0), oldOn, goes, on(model.PodRef("prod", "web-0", ""), "node-b"),
			is(model.PodNotReady, model.PodRef("prod", "web-0", ""), "ContainerCreating"),
			aged(200, of(model.PodCreated, -200, model.PodRef("prod", "web-0", ""), text))}, ""},
		{"for less than two minutes", things{collected(0), oldOn, goes, freshOn, waits, aged(118, of(model.PodCreated, -118, fresh, text))}, ""},
		{"for as long", things{collected(0), oldOn, goes, freshOn, waits, aged(119, of(model.PodCreated, -119, fresh, text))},
			"[ on node-b from node-a: 1/0 since -119, prod/" + fresh.Name + "]"},
		{"nothing tells since when", things{collected(0), oldOn, goes, freshOn, waits}, ""},
		{"a creation without an age", things{collected(0), oldOn, goes, freshOn, waits, of(model.PodCreated, -200, fresh, text)}, ""},
		{"a StatefulSet's claim is attached elsewhere", set("db-0", "data-db-0"), "[pvc-1 on node-b from node-a: 1/0 since -200, prod/db-0]"},
		{"a claim of another pod", set("db-0", "data-db-1"), ""},
		{"no ordinal", set("db", "data-db"), ""},
		{"attached to its node, too", append(set("db-0", "data-db-0"), attached("node-b")), ""},
		{"of another namespace", append(set("db-0", "x"), bound(model.Ref{Namespace: "test", Name: "data-db-0"})), ""},
	})
}

// TestPastedEvents: pasted events of one object name neither pod nor node; one that names another node is not of the wanted one.
func TestPastedEvents(t *testing.T) {
	told := of(model.MultiAttach, 0, volume, model.SourceText)
	attached := func(c *wait.Case) any { return c.Attached.Known() }
	askRows(t, []row{
		{"of one text", things{told, of(model.AttachSucceeded, 50, volume, model.SourceText)}, attached, "true"},
		{"of a node", things{told, of(model.AttachSucceeded, 50, volume, model.SourceText, "node-c")}, attached, "false"},
		{"of a pod", things{told, of(model.AttachSucceeded, 50, volume, model.SourceText, oldPod)}, attached, "false"},
		{"of another text", things{told, within("other", of(model.AttachSucceeded, 50, volume, model.SourceText))}, attached, "false"},
	})
}

// TestJobsByName: pods of Jobs on both sides, by their names alone.
func TestJobsByName(t *testing.T) {
	due := func(pod string) model.Ref { return model.PodRef("prod", pod, "") }
	jobs := func(c *wait.Case) any { return c.Jobs() }
	askRows(t, []row{
		{"both of a CronJob", things{reportOf(due("dump-28912345-xk2lp"), []model.Ref{due("dump-28912340-zz2lp")})}, jobs, "true"},
		{"no old one is known", things{reportOf(due("dump-28912345-xk2lp"), nil)}, jobs, "false"},
		{"the old one is of something else", things{reportOf(due("dump-28912345-xk2lp"), []model.Ref{due("db-0")})}, jobs, "false"},
	})
}
