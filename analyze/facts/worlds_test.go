package facts_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// The words in which the tables say what a world made by hand holds.
type (
	things    = cases.Things
	collected = cases.Collected
	detail    = cases.Detail
	component = cases.Component
)

var (
	oldPod, newPod, volume, onA, onB = cases.OldPod, cases.NewPod, cases.Volume, cases.OnA, cases.OnB

	at, made, world, of, change, timeless, lasting, within = cases.Time, cases.MetaTime, cases.World, cases.Of, cases.Change, cases.Timeless, cases.Lasting, cases.Within
	podOf, nodeOf, using, ofOwner, theVolume, logOf        = cases.PodOf, cases.NodeOf, cases.Using, cases.OfOwner, cases.TheVolume, cases.LogOf
)

// worldRow is what a world answers to a question, of which the next line is a near miss.
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

// cited are the fields and kinds that some statements quote.
func cited(list []*model.Observation) string {
	var out []string
	for _, o := range list {
		switch {
		case o == nil:
			out = append(out, "nil")
		case o.Source.Field != "":
			out = append(out, o.Object.Name+" "+o.Source.Field)
		case o.At.IsZero():
			out = append(out, string(o.Kind))
		default:
			out = append(out, fmt.Sprintf("%s@%.4g", o.Kind, o.At.At.Sub(cases.Began).Seconds()))
		}
	}
	return strings.Join(out, ", ")
}

// attachmentOf is the VolumeAttachment of the volume on a node, attached.
func attachmentOf(name, node string, created float64, how ...func(*storagev1.VolumeAttachment)) *storagev1.VolumeAttachment {
	pv := "pvc-1"
	a := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("va-" + node), CreationTimestamp: made(created)}}
	a.Spec.Attacher, a.Spec.NodeName, a.Spec.Source.PersistentVolumeName = "csi.example.com", node, &pv
	a.Status.Attached = true
	for _, h := range how {
		h(a)
	}
	return a
}

// TestWorldFacts: what a world makes of its objects and statements.
func TestWorldFacts(t *testing.T) {
	metric := model.SourceMetric
	version := func(w *facts.World) string { return fmt.Sprint(w.Version, " ", w.VersionO != nil) }
	says := func(at float64, by, what string, about ...any) *model.Observation {
		return of(model.ProcessVersion, at, append(about, component(by), detail(what))...)
	}
	kubelet := func(name, v string) *corev1.Node {
		return nodeOf(name, func(n *corev1.Node) { n.Status.NodeInfo.KubeletVersion = v })
	}
	const kcm = "kube-controller-manager"
	askWorlds(t, version, []worldRow{
		{"the controller's", things{says(0, kcm, "v1.30.1"), kubelet("a", "v1.29.0")}, "v1.30.1 true"},
		{"its newest", things{says(0, kcm, "v1.30.1"), says(5, kcm, "v1.31.2")}, "v1.31.2 true"},
		{"not what cannot be read", things{says(0, kcm, "v1.30.1"), says(5, kcm, "x")}, "v1.30.1 true"},
		{"the lowest of the kubelets", things{kubelet("a", "v1.30.0"), kubelet("b", "v1.29.5"), kubelet("c", "v1.31.0")}, "v1.29.5 false"},
		{"of patches, too", things{kubelet("a", "v1.30.5"), kubelet("b", "v1.30.2")}, "v1.30.2 false"},
		{"not one that cannot be read", things{kubelet("a", "v1.30.0"), kubelet("b", "")}, "v1.30.0 false"},
		{"samples of others", things{says(0, "kubelet", "v1.28.0", metric)}, "v1.28.0 true"},
		{"the lowest of them", things{says(0, "kubelet", "v1.28.0", metric), says(1, "kubelet", "v1.27.0", metric),
			says(2, "kubelet", "v1.29.0", metric)}, "v1.27.0 true"},
		{"the lines of others", things{says(0, "kubelet", "v1.28.0")}, "an unknown version false"},
		{"the objects beat samples", things{kubelet("a", "v1.30.0"), says(0, "kubelet", "v1.28.0", metric)}, "v1.30.0 false"},
		{"nothing", things{}, "an unknown version false"},
	})
	all := func(w *facts.World) string {
		var out []string
		for _, v := range w.Volumes.All {
			out = append(out, fmt.Sprintf("%s/%s/%s %s %v", v.PersistentVolume, v.Driver, v.Handle, v.Claim.Name, v.Access))
		}
		return strings.Join(out, ", ")
	}
	unique := model.UniqueCSIName("csi.example.com", "vol-1")
	told := func(at float64, id model.VolumeID, claim string, modes ...string) *model.Observation {
		return change(of(model.AttachStarted, at, "node-c", id), func(o *model.Observation) {
			o.Access = modes
			if claim != "" {
				o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: claim}
			}
		})
	}
	byName, byHandle := model.VolumeID{PersistentVolume: "pvc-1"}, model.VolumeID{UniqueName: unique}
	both := model.VolumeID{PersistentVolume: "pvc-1", UniqueName: unique}
	askWorlds(t, all, []worldRow{
		{"the name, then the handle, then both", things{told(0, byName, ""), told(1, byHandle, ""), told(2, both, "")},
			"pvc-1/csi.example.com/vol-1  []"},
		{"the handle first", things{told(0, byHandle, ""), told(1, byName, ""), told(2, both, "")}, "pvc-1/csi.example.com/vol-1  []"},
		{"both at once, the claim of the name", things{told(0, byName, "data", "ReadWriteOnce"), told(1, both, "other", "ReadWriteMany")},
			"pvc-1/csi.example.com/vol-1 data [ReadWriteOnce]"},
		{"the claim of the handle", things{told(0, byHandle, "data", "ReadWriteOnce"), told(1, both, "")},
			"pvc-1/csi.example.com/vol-1 data [ReadWriteOnce]"},
		{"two handles of one name", things{told(0, both, ""), told(1,
			model.VolumeID{PersistentVolume: "pvc-1", UniqueName: model.UniqueCSIName("csi.example.com", "vol-2")}, "")},
			"pvc-1/csi.example.com/vol-1  []"},
		{"the object and the handle", things{theVolume("data", corev1.ReadWriteOnce), told(1, byHandle, "other", "ReadWriteMany")},
			"pvc-1/csi.example.com/vol-1 data [ReadWriteOnce]"},
		{"a mode that is named twice", things{theVolume("data", corev1.ReadWriteOnce, corev1.ReadWriteOnce)},
			"pvc-1/csi.example.com/vol-1 data [ReadWriteOnce]"},
		{"a handle alone", things{told(0, model.VolumeID{Handle: "vol-1"}, "")}, ""},
		{"an attachment tells the driver", things{attachmentOf("csi-x", "node-a", 0)}, "pvc-1/csi.example.com/  []"},
		{"an attachment of no volume", things{attachmentOf("csi-x", "node-a", 0,
			func(a *storagev1.VolumeAttachment) { a.Spec.Source.PersistentVolumeName = nil })}, ""},
		{"an attachment of a volume without a name",
			things{attachmentOf("csi-x", "node-a", 0, func(a *storagev1.VolumeAttachment) { n := ""; a.Spec.Source.PersistentVolumeName = &n })},
			""},
	})
	found := func(id model.VolumeID) func(*facts.World) string {
		return func(w *facts.World) string {
			if v := w.Volumes.Find(id); v != nil {
				return v.Key()
			}
			return "nil"
		}
	}
	second := theVolume("more")
	second.Name, second.Spec.CSI = "pvc-2", &corev1.CSIPersistentVolumeSource{Driver: "other.example.com", VolumeHandle: "vol-1"}
	askWorlds(t, found(model.VolumeID{Handle: "vol-1"}), []worldRow{
		{"by its handle", things{theVolume("data")}, "pvc-1"},
		{"a handle of two drivers", things{theVolume("data"), second}, "nil"},
	})
	askWorlds(t, found(model.VolumeID{}), []worldRow{{"by nothing", things{theVolume("data")}, "nil"}})
	askWorlds(t, found(model.VolumeID{PersistentVolume: "pvc-9", Handle: "vol-1"}),
		[]worldRow{{"by a name that is not known", things{theVolume("data")}, "nil"}})
	askWorlds(t, found(model.VolumeID{PersistentVolume: "pvc-9", UniqueName: unique}),
		[]worldRow{{"by an earlier name of the handle", things{theVolume("data")}, "pvc-1"}})
	attachment := func(w *facts.World) string {
		_, ok := w.AttachmentOf(w.Volumes.Find(byName), "node-a")
		return fmt.Sprint(ok)
	}
	earlier := func(a *storagev1.VolumeAttachment) { a.Spec.Source.PersistentVolumeName = new("pvc-0") }
	without := func(driver, handle string) *corev1.PersistentVolume {
		v := theVolume("data")
		v.Spec.CSI.Driver, v.Spec.CSI.VolumeHandle = driver, handle
		return v
	}
	askWorlds(t, attachment, []worldRow{
		{"an attachment of the volume", things{theVolume("data"), attachmentOf("csi-x", "node-a", 0)}, "true"},
		{"by its name, of an earlier name of the handle", things{theVolume("data"), attachmentOf(onA, "node-a", 0, earlier)}, "true"},
		{"by another name", things{theVolume("data"), attachmentOf("csi-x", "node-a", 0, earlier)}, "false"},
		{"of a name that is another node's", things{theVolume("data"), attachmentOf(onA, "node-c", 0, earlier)}, "false"},
		{"of a name that anything without a handle would have", things{without("csi.example.com", ""),
			attachmentOf(model.AttachmentName("", "csi.example.com", "node-a"), "node-a", 0, earlier)}, "false"},
		{"or without a driver", things{without("", "vol-1"), attachmentOf(model.AttachmentName("vol-1", "", "node-a"), "node-a", 0, earlier)},
			"false"},
	})
}

// TestJoinedReports: a line that names the handle and an event that names the PersistentVolume are of one report, when they are of one pod
// and within a fifth of a second.
func TestJoinedReports(t *testing.T) {
	line := func(at float64, handle string, pod model.Ref) *model.Observation {
		return of(model.MultiAttach, at, "node-b", pod, model.VolumeID{UniqueName: model.UniqueCSIName("csi.example.com", handle)})
	}
	event := func(at float64, pv string, pod model.Ref) *model.Observation {
		return of(model.MultiAttach, at, pod, model.SourceEvent, model.VolumeID{PersistentVolume: pv})
	}
	volumes := func(w *facts.World) string {
		var out []string
		for _, v := range w.Volumes.All {
			out = append(out, v.PersistentVolume+"="+v.Handle)
		}
		return strings.Join(out, ", ")
	}
	askWorlds(t, volumes, []worldRow{
		{"one", things{line(0, "h", newPod), event(0.2, "pvc-1", newPod)}, "pvc-1=h"},
		{"later", things{line(0, "h", newPod), event(0.3, "pvc-1", newPod)}, "=h, pvc-1="},
		{"of two pods", things{line(0, "h", newPod), event(0.1, "pvc-1", oldPod)}, "=h, pvc-1="},
		{"of no pod", things{line(0, "h", model.Ref{}), event(0.1, "pvc-1", model.Ref{})}, "=h, pvc-1="},
		{"two events of two volumes", things{line(0, "h", newPod), event(0.1, "pvc-1", newPod), event(0.15, "pvc-2", newPod)},
			"=h, pvc-1=, pvc-2="},
		{"two events of one", things{line(0, "h", newPod), event(0.1, "pvc-1", newPod), event(0.15, "pvc-1", newPod)}, "pvc-1=h"},
		{"two lines of two volumes", things{line(0, "h", newPod), line(0.05, "i", newPod), event(0.1, "pvc-1", newPod)}, "=h, =i, pvc-1="},
		{"without times, which puts both at one", things{timeless(line(0, "h", newPod)), timeless(event(0, "pvc-1", newPod))}, "pvc-1=h"},
		{"of another kind", things{change(line(0, "h", newPod), func(o *model.Observation) { o.Kind = model.AttachFailed }),
			event(0.1, "pvc-1", newPod)}, "=h, pvc-1="},
	})
}

// TestDisagreements: what a log, an event or an object says, in the middle of samples that show the contrary for two minutes on both sides.
func TestDisagreements(t *testing.T) {
	metric, audit := model.SourceMetric, model.SourceAudit
	against := func(w *facts.World) string {
		var list []*model.Observation
		for o, s := range w.Disagreements() {
			list = append(list, o, s)
		}
		return cited(list)
	}
	samples := func(kind model.Kind, from, to float64, about ...any) *model.Observation {
		return lasting(to, of(kind, from, append(about, metric)...))
	}
	ready := func(from, to float64) *model.Observation { return samples(model.NodeSampledReady, from, to, "node-a") }
	lost := of(model.NodeNotReady, 0, "node-a")
	there, gone := samples(model.AttachmentAttached, -200, 200, onA), of(model.AttachmentGone, 0, onA, audit)
	created := func(at float64) *model.Observation { return of(model.AttachmentCreated, at, onA, audit) }
	askWorlds(t, against, []worldRow{
		{"a node that every scrape shows Ready", things{ready(-121, 121), lost}, "node-not-ready@0, node-sampled-ready@-121"},
		{"for two minutes it may lag", things{ready(-120, 121), lost}, ""},
		{"on either side", things{ready(-121, 120), lost}, ""},
		{"another node", things{ready(-121, 121), of(model.NodeNotReady, 0, "node-c")}, ""},
		{"what samples say", things{ready(-121, 121), of(model.NodeNotReady, 0, "node-a", metric)}, ""},
		{"without a time", things{ready(-121, 121), timeless(of(model.NodeNotReady, 0, "node-a"))}, ""},
		{"another source's states", things{change(ready(-121, 121), func(o *model.Observation) { o.Source.Kind = audit }), lost}, ""},
		{"a pod that every scrape shows Ready", things{samples(model.PodSampledReady, -200, 200, oldPod), of(model.PodGone, 0, oldPod)},
			"pod-gone@0, pod-sampled-ready@-200"},
		{"deleted by force", things{samples(model.PodSampledReady, -200, 200, oldPod), of(model.PodForceDeleted, 0, oldPod)},
			"pod-force-deleted@0, pod-sampled-ready@-200"},
		{"another of the name", things{samples(model.PodSampledReady, -200, 200, oldPod),
			of(model.PodGone, 0, model.PodRef("prod", "db-old", "u-x"))}, ""},
		{"of no UID", things{samples(model.PodSampledReady, -200, 200, model.PodRef("prod", "db-old", "")),
			of(model.PodGone, 0, model.PodRef("prod", "db-old", ""))}, ""},
		{"an attachment that was made before", things{there, gone, created(-500)}, "attachment-gone@0, attachment-attached@-200"},
		{"nothing tells when it was made", things{there, gone}, ""},
		{"it was made again", things{there, gone, created(-500), created(20)}, ""},
		{"it was made again after the samples", things{there, gone, created(-500), created(201)}, "attachment-gone@0, attachment-attached@-200"},
		{"made with its end", things{there, gone, created(0)}, ""},
		{"the attacher detached it", things{there, of(model.AttacherDetached, 0, onA), of(model.AttacherAttaching, -500, onA)},
			"attacher-detached@0, attachment-attached@-200"},
	})
	w := world(of(model.AttacherAttached, 10, onB, volume), change(of(model.AttachmentAttached, 10, onB, volume, metric),
		func(o *model.Observation) { o.At = model.Between(at(0), at(30)) }))
	if got := cited(w.Agreed[w.ByKind[model.AttacherAttached][0]]); got != "attachment-attached@15" {
		t.Error(got)
	}
}

// TestFinerSources: a sample gives way to a finer record of the same thing, up to five seconds beside it.
func TestFinerSources(t *testing.T) {
	metric := model.SourceMetric
	between := func(from, to float64, o *model.Observation) *model.Observation {
		o.At = model.Between(at(from), at(to))
		o.Last = o.At
		return o
	}
	kept := func(kind model.Kind) func(*facts.World) string {
		return func(w *facts.World) string { return fmt.Sprint(len(w.ByKind[kind])) }
	}
	sampled := func() *model.Observation { return between(10, 40, of(model.AttachmentGone, 0, onA, metric)) }
	deletion := func() *model.Observation { return between(10, 40, of(model.PodDeletionRequested, 0, oldPod, metric)) }
	askWorlds(t, kept(model.AttachmentGone), []worldRow{
		{"alone", things{sampled()}, "1"},
		{"the attacher's line in it", things{sampled(), of(model.AttacherDetached, 20, onA)}, "0"},
		{"five seconds before it", things{sampled(), of(model.AttacherDetached, 5, onA)}, "0"},
		{"earlier", things{sampled(), of(model.AttacherDetached, 4.9, onA)}, "1"},
		{"five seconds after it", things{sampled(), of(model.AttacherDetached, 45, onA)}, "0"},
		{"later", things{sampled(), of(model.AttacherDetached, 45.1, onA)}, "1"},
		{"of another attachment", things{sampled(), of(model.AttacherDetached, 20, onB)}, "1"},
		{"the controller's line of the volume and the node",
			things{between(10, 40, change(of(model.AttachmentGone, 0, onA, metric, volume), func(o *model.Observation) { o.Node = "node-a" })),
				of(model.DetachSucceeded, 20, "node-a", volume)}, "0"},
		{"of another node", things{between(10, 40, change(of(model.AttachmentGone, 0, onA, metric, volume),
			func(o *model.Observation) { o.Node = "node-a" })), of(model.DetachSucceeded, 20, "node-c", volume)}, "1"},
		{"another kind of line", things{sampled(), of(model.AttacherAttached, 20, onA)}, "1"},
		{"without a time", things{sampled(), timeless(of(model.AttacherDetached, 0, onA))}, "1"},
	})
	askWorlds(t, kept(model.PodDeletionRequested), []worldRow{
		{"the kubelet kills it", things{deletion(), of(model.PodKilling, 20, oldPod)}, "0"},
		{"it kills another", things{deletion(), of(model.PodKilling, 20, newPod)}, "1"},
		{"an eviction of it", things{deletion(), of(model.PodEvictionDecided, 20, oldPod)}, "0"},
		{"its ReplicaSet deletes it", things{deletion(), of(model.ReplicaDeleted, 20, oldPod)}, "0"},
		{"it is gone", things{deletion(), of(model.PodGone, 20, oldPod)}, "1"},
	})
}

// TestNoContradictionOfClocks: two sources whose clocks contradict one another, and cannot be set, do not contradict one another besides: nothing
// tells the order of what they say.
func TestNoContradictionOfClocks(t *testing.T) {
	object := of(model.NodeReady, 0, "node-a", model.SourceManifest)
	object.Object, object.Input, object.Source.Field = model.Ref{Kind: "Node", Name: "node-a"}, "nodes.yaml", "status.conditions[0].lastTransitionTime"
	event := within("events.yaml", of(model.NodeNotReady, 900, "node-a", model.SourceEvent))
	detached := func(at float64) []any {
		line := within("attacher.log", of(model.AttacherDetached, at, onA, volume))
		return []any{line, within("events.yaml", of(model.DetachSucceeded, 100, "node-a", volume, model.SourceEvent))}
	}
	against := func(w *facts.World) string { return fmt.Sprint(len(w.Disagreements())) }
	_ = detached
	askWorlds(t, against, []worldRow{
		{"an Event in the middle of what an object shows", things{collected(2000), object, event}, "1"},
	})
}
