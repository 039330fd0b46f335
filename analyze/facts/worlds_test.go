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

var cited = cases.Cited

var (
	oldPod, newPod, volume, onA, onB = cases.OldPod, cases.NewPod, cases.Volume, cases.OnA, cases.OnB

	at, made, world, of, change, timeless, lasting, within = cases.Time, cases.MetaTime, cases.World, cases.Of, cases.Change, cases.Timeless, cases.Lasting, cases.Within
	podOf, nodeOf, ofOwner, theVolume, logOf               = cases.PodOf, cases.NodeOf, cases.OfOwner, cases.TheVolume, cases.LogOf
)

// worldRow is what a world returns for a question, of which the next line is a near miss.
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

// TestNoContradictionOfClocks: sources whose clocks contradict one another, and cannot be set, do not contradict an object besides: nothing tells
// the order of what they say.
func TestNoContradictionOfClocks(t *testing.T) {
	object := func(kind model.Kind, at float64, field string) *model.Observation {
		o := within("va.yaml", of(kind, at, onA, volume, model.SourceManifest))
		o.Object, o.Source.Field = model.Ref{Kind: "VolumeAttachment", Name: onA}, field
		return o
	}
	made, held := object(model.AttachmentCreated, -3000, "metadata.creationTimestamp"), object(model.AttachmentAttached, -2000, "status.attached")
	detached := within("attacher.log", of(model.AttacherDetached, 0, onA, volume))
	noticed := func(at float64) *model.Observation {
		return within("kcm.log", of(model.DetachSucceeded, at, "node-a", volume))
	}
	against := func(w *facts.World) string {
		list := w.Disagreements()
		return fmt.Sprint(len(list), " ", w.Unordered([]*model.Observation{w.ByKind[model.AttacherDetached][0], w.ByKind[model.AttachmentAttached][0]}))
	}
	contrary := model.AttachmentGone
	gone := within("attacher.log", of(contrary, 0, onA, volume))
	askWorlds(t, against, []worldRow{
		{"a line in the middle of what an object shows", things{collected(2000), made, held, detached, gone, noticed(1)}, "1 false"},
		{"and its clock contradicts another", things{collected(2000), made, held, detached, gone, noticed(420)}, "0 true"},
	})
}

// TestWorldAnswers: what a world returns for a question, each with its near misses.
func TestWorldAnswers(t *testing.T) {
	manifest, event, audit, text := model.SourceManifest, model.SourceEvent, model.SourceAudit, model.SourceText
	pvOf := func(how func(*corev1.PersistentVolume)) *corev1.PersistentVolume {
		pv := theVolume("data", corev1.ReadWriteOnce)
		pv.Spec.CSI = nil
		how(pv)
		return pv
	}
	attachless := func(w *facts.World) string {
		why, quote := w.Attachless(w.Volumes.All[0])
		if quote != nil {
			why += " | " + quote.Quote.Text
		}
		return why
	}
	const inTree = "a volume of a plugin of Kubernetes' own, or of a flexvolume, has no VolumeAttachment"
	provisioned := func(by, migrated string) func(*corev1.PersistentVolume) {
		return func(pv *corev1.PersistentVolume) {
			pv.Annotations = map[string]string{"pv.kubernetes.io/provisioned-by": by, "pv.kubernetes.io/migrated-to": migrated}
		}
	}
	named := model.VolumeID{PersistentVolume: "pvc-1"}
	const answer = `AttachVolume.Attach failed for volume "pvc-1" : googleapi: Error 400: The disk resource 'd' is already being used by 'n'`
	askWorlds(t, attachless, []worldRow{
		{"a CSI volume", things{theVolume("data")}, ""},
		{"a local one", things{pvOf(func(pv *corev1.PersistentVolume) { pv.Spec.Local = &corev1.LocalVolumeSource{} })}, "a local volume is not attached | spec.local.path"},
		{"a directory", things{pvOf(func(pv *corev1.PersistentVolume) { pv.Spec.HostPath = &corev1.HostPathVolumeSource{} })},
			"a directory of a host is not attached | spec.hostPath.path"},
		{"iSCSI", things{pvOf(func(pv *corev1.PersistentVolume) { pv.Spec.ISCSI = &corev1.ISCSIPersistentVolumeSource{} })}, inTree + " | spec.iscsi.targetPortal"},
		{"Fibre Channel", things{pvOf(func(pv *corev1.PersistentVolume) { pv.Spec.FC = &corev1.FCVolumeSource{} })}, inTree + " | spec.fc.lun"},
		{"a flexvolume", things{pvOf(func(pv *corev1.PersistentVolume) { pv.Spec.FlexVolume = &corev1.FlexPersistentVolumeSource{} })}, inTree + " | spec.flexVolume.driver"},
		{"provisioned by a plugin", things{pvOf(provisioned("kubernetes.io/cinder", ""))}, inTree + ` | metadata.annotations["pv.kubernetes.io/provisioned-by"]`},
		{"that has migrated", things{pvOf(provisioned("kubernetes.io/cinder", "cinder.csi.openstack.org"))}, ""},
		{"provisioned by a driver", things{pvOf(provisioned("csi.example.com", ""))}, ""},
		{"by hand", things{pvOf(func(*corev1.PersistentVolume) {})}, ""},
		{"a cloud's answer to the controller", things{of(model.AttachFailed, 0, named, detail(answer))}, inTree + " | attach-failed" + at(0).String()},
		{"through gRPC", things{of(model.AttachFailed, 0, named, detail(strings.Replace(answer, " : ", " : rpc error: code = Internal desc = ", 1)))}, ""},
		{"of a detach", things{of(model.DetachFailed, 0, named, detail(answer))}, ""},
		{"of a known driver", things{of(model.AttachFailed, 0, model.VolumeID{PersistentVolume: "pvc-1", Driver: "csi.example.com"}, detail(answer))}, ""},
		{"of a volume of CSI", things{theVolume("data"), of(model.AttachFailed, 0, named, detail(answer))}, ""},
		{"an in-tree name in a log", things{of(model.AttachStarted, 0, "node-a", model.VolumeID{UniqueName: "kubernetes.io/aws-ebs/vol-1"})}, inTree},
	})
	removal := func(w *facts.World) string { return fmt.Sprint(w.IsAttacher(w.ByKind[model.AttachmentGone][0])) }
	request := func(kind model.Kind, actor, agent string) *model.Observation {
		return change(of(kind, 0, onA, audit), func(o *model.Observation) { o.Actor, o.Agent = actor, agent })
	}
	askWorlds(t, removal, []worldRow{
		{"its program", things{request(model.AttachmentGone, "system:serviceaccount:kube-system:csi", "csi-attacher/v4.5.0")}, "true"},
		{"the writer of the status", things{request(model.AttachmentGone, "u", "x/1"), request(model.AttachmentAttached, "u", "x/1")}, "true"},
		{"the same user by another program", things{request(model.AttachmentGone, "u", "x/1"), request(model.AttachmentAttached, "u", "y/1")}, "false"},
		{"another user by the same program", things{request(model.AttachmentGone, "u", "x/1"), request(model.AttachmentAttached, "v", "x/1")}, "false"},
		{"nobody that is known", things{request(model.AttachmentGone, "", ""), request(model.AttachmentAttached, "", "")}, "false"},
		{"an object's status", things{request(model.AttachmentGone, "u", "x/1"), change(request(model.AttachmentAttached, "u", "x/1"),
			func(o *model.Observation) { o.Source.Kind = manifest })}, "false"},
	})
	refuses := func(w *facts.World) string {
		return fmt.Sprint(facts.StorageRefuses(&w.Axis.Observations[0], "node-b"))
	}
	askWorlds(t, refuses, []worldRow{
		{"in use elsewhere", things{of(model.AttachFailed, 0, "node-b", detail("volume is already attached to another instance"))}, "true"},
		{"another error", things{of(model.AttachFailed, 0, "node-b", detail("throttled"))}, "false"},
	})
	covers := func(w *facts.World) string {
		return fmt.Sprint(w.HasLog("a"), w.LogCovers(), w.LogAt("a", facts.Instant{Moment: model.Between(at(10), at(20))}))
	}
	active := func(by string) *model.Observation {
		return within("a.log", of(model.DetachStarted, 15, "node-a", volume, component(by)))
	}
	endless := logOf("a", "a.log", 0, 60)
	endless.To = nil
	beginless := logOf("a", "a.log", 0, 60)
	beginless.From = nil
	empty := logOf("a", "a.log", 0, 60)
	empty.Records = 0
	askWorlds(t, covers, []worldRow{
		{"a minute of a log that shows a detach", things{logOf("a", "a.log", 0, 60), active("kube-controller-manager")}, "true true true"},
		{"of less than a minute", things{logOf("a", "a.log", 0, 59), active("kube-controller-manager")}, "true false true"},
		{"of another component", things{logOf("a", "a.log", 0, 60), active("x")}, "true false true"},
		{"that ends before", things{logOf("a", "a.log", 0, 19)}, "true false false"},
		{"that ends with it", things{logOf("a", "a.log", 10, 20)}, "true false true"},
		{"that begins after", things{logOf("a", "a.log", 11, 60)}, "true false false"},
		{"without an end", things{endless, active("kube-controller-manager")}, "true false false"},
		{"without a beginning", things{beginless, active("kube-controller-manager")}, "true false false"},
		{"without a line", things{empty}, "false false true"},
		{"none", things{}, "false false false"},
	})
	lists := func(w *facts.World) string { return fmt.Sprint(w.EventsCover()) }
	ofPod := func(namespace string) *model.Observation {
		return change(of(model.KubernetesEvent, 0, event), func(o *model.Observation) { o.Object = model.Ref{Kind: "Pod", Namespace: namespace, Name: "p"} })
	}
	askWorlds(t, lists, []worldRow{
		{"a list of Events with some of pods", things{model.Listed{Kind: "Event", Namespace: "prod"}, ofPod("prod")}, "true"},
		{"of another namespace", things{model.Listed{Kind: "Event", Namespace: "prod"}, ofPod("test")}, "false"},
		{"of all", things{model.Listed{Kind: "Event"}, ofPod("test")}, "true"},
		{"no list", things{ofPod("prod")}, "false"},
	})
	calls := func(w *facts.World) string { return cited(w.ByAttach[onA]) }
	ofDriver := func(node string) *model.Observation {
		return of(model.AttachmentDetachError, 20, node, volume, component("csi-driver"))
	}
	askWorlds(t, calls, []worldRow{
		{"a driver's call of the Node", things{nodeOf("node-a"), ofDriver("node-a")}, "attachment-detach-error@20"},
		{"by the last part of a path", things{nodeOf("node-a"), ofDriver("zones/z/node-a")}, "attachment-detach-error@20"},
		{"of no Node", things{nodeOf("node-a"), ofDriver("")}, ""},
		{"two, in the order of time", things{nodeOf("node-a"), ofDriver("node-a"), of(model.AttachmentGone, 10, onA)}, "attachment-gone@10, attachment-detach-error@20"},
		{"the attacher tells of its own", things{nodeOf("node-a"), ofDriver("node-a"), of(model.AttacherDetaching, 19, onA)}, "attacher-detaching@19"},
		{"of a volume whose driver is not known", things{nodeOf("node-a"), change(ofDriver("node-a"),
			func(o *model.Observation) { o.Volume = model.VolumeID{PersistentVolume: "pvc-1"} })}, ""},
	})
	without := func(file string) func(*facts.World) string {
		return func(w *facts.World) string { return fmt.Sprint(w.ListWithout("node-a", file) != nil) }
	}
	shown := func(kind, name, detail string) *model.Observation {
		return timeless(within("a.txt", change(of(model.ObjectShown, 0, text), func(o *model.Observation) { o.Object, o.Detail = model.Ref{Kind: kind, Name: name}, detail })))
	}
	nodes := shown("Node", "", model.Listing)
	askWorlds(t, without("a.txt"), []worldRow{
		{"a list of nodes without it", things{nodes, of(model.NodeReady, 0, "node-b")}, "true"},
		{"that has it", things{nodes, of(model.NodeReady, 0, "node-a")}, "false"},
		{"that has it as not Ready", things{nodes, of(model.NodeNotReady, 0, "node-a")}, "false"},
		{"a list of pods", things{shown("Pod", "", model.Listing)}, "false"},
		{"no list", nil, "false"},
		{"kubectl's word that it is not there", things{shown("Node", "node-a", model.NotFound)}, "true"},
		{"that another is not", things{shown("Node", "node-b", model.NotFound)}, "false"},
		{"another word of it", things{shown("Node", "node-a", "providerID=x")}, "false"},
		{"a list of another file", things{within("b.txt", shown("Node", "", model.Listing))}, "false"},
	})
	askWorlds(t, without(""), []worldRow{{"of whichever file", things{nodes}, "true"}})
	rows := func(w *facts.World) string {
		out := ""
		for i := range w.Axis.Observations {
			if o := &w.Axis.Observations[i]; w.Outdated(o) {
				out += fmt.Sprint(" ", o.Source.Line)
			}
		}
		return strings.TrimSpace(out)
	}
	line := func(n int, o *model.Observation) *model.Observation {
		o.Source.Line = n
		return within("a.txt", timeless(o))
	}
	askWorlds(t, rows, []worldRow{
		{"a Node twice in one text", things{line(1, of(model.NodeReady, 0, "node-a")), line(2, of(model.NodeNotReady, 0, "node-a"))}, "1"},
		{"that says the same", things{line(1, of(model.NodeReady, 0, "node-a")), line(2, of(model.NodeReady, 0, "node-a"))}, ""},
		{"two Nodes", things{line(1, of(model.NodeReady, 0, "node-a")), line(2, of(model.NodeNotReady, 0, "node-b"))}, ""},
		{"in two texts", things{line(1, of(model.NodeReady, 0, "node-a")), within("b.txt", line(2, of(model.NodeNotReady, 0, "node-a")))}, ""},
		{"a pod", things{line(3, of(model.PodNotReady, 0, oldPod)), line(9, of(model.PodDeletionRequested, 0, oldPod))}, "3"},
		{"an attachment", things{line(3, of(model.AttachmentPending, 0, onA)), line(9, of(model.AttachmentAttached, 0, onA))}, "3"},
	})
	since := func(w *facts.World) string {
		o := w.DetachedSince(w.ByKind[model.DetachFailed][0])
		return fmt.Sprint(o != nil, " ", w.InUse(w.Volumes.All[0], "node-a") != nil, " ", w.ListedAttached(w.Volumes.All[0], "node-a") != nil)
	}
	failed := of(model.DetachFailed, 0, "node-a", volume)
	askWorlds(t, since, []worldRow{
		{"it left", things{failed, of(model.DetachSucceeded, 5, "node-a", volume)}, "true false false"},
		{"it left another node", things{failed, of(model.DetachSucceeded, 5, "node-b", volume)}, "false false false"},
		{"it left before", things{failed, of(model.DetachSucceeded, -5, "node-a", volume)}, "false false false"},
		{"it is in use", things{failed, of(model.NodeVolumesInUse, 5, "node-a", volume)}, "false true false"},
		{"it is listed", things{failed, of(model.NodeVolumesAttached, 5, "node-a", volume)}, "false false true"},
		{"on another node", things{failed, of(model.NodeVolumesAttached, 5, "node-b", volume)}, "false false false"},
	})
	owner := func(w *facts.World) string { return w.TopOwner(w.Pods[0]).Key() }
	hashed := func(p *corev1.Pod) { p.Labels = map[string]string{facts.TemplateHash: "5d9c7b"} }
	askWorlds(t, owner, []worldRow{
		{"nobody", things{podOf(oldPod, "node-a")}, oldPod.Key()},
		{"a Deployment, by the hash", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-5d9c7b"), hashed)}, "Deployment/prod/db"},
		{"without the label", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-5d9c7b"))}, "ReplicaSet/prod/db-5d9c7b"},
		{"a StatefulSet", things{podOf(oldPod, "node-a", ofOwner("StatefulSet", "db"))}, "StatefulSet/prod/db"},
	})
	names := func(pod string) string { name, ok := facts.DeploymentName(pod); return fmt.Sprint(name, " ", ok) }
	for pod, want := range map[string]string{"db-5d9c7b-x7k2p": "db true", "db-5d9c7b9f84-x7k2p": "db true", "db-5d9c7-x7k2p": " false", "db-5d9c7b9f84b-x7k2p": " false",
		"db-5d9c7b-x7k2": " false", "db-5d9c7b-aeiou": " false", "db-0": " false"} {
		if got := names(pod); got != want {
			t.Errorf("%s: %q", pod, got)
		}
	}
	many := func(w *facts.World) string {
		held, pending := w.AttachmentStates(w.Volumes.All[0])
		return fmt.Sprint(w.ManyNodes(w.Volumes.All[0]), " ", len(held), len(pending))
	}
	byDriver := func(driver string) *model.Observation {
		return of(model.AttachStarted, 0, "node-a", model.VolumeID{UniqueName: model.UniqueCSIName(driver, "v")}.Complete())
	}
	row := func(kind model.Kind, node string) *model.Observation {
		return change(timeless(of(kind, 0, node, volume)), func(o *model.Observation) { o.Source.Kind = text })
	}
	askWorlds(t, many, []worldRow{
		{"of a driver for files", things{byDriver("efs.csi.aws.com")}, "true 0 0"},
		{"of one for disks", things{byDriver("ebs.csi.aws.com")}, "false 0 0"},
		{"for many by its modes", things{theVolume("data", corev1.ReadWriteMany)}, "true 0 0"},
		{"for readers", things{theVolume("data", corev1.ReadOnlyMany)}, "true 0 0"},
		{"rows of two nodes", things{row(model.AttachmentAttached, "node-a"), row(model.AttachmentPending, "node-b")}, "false 1 1"},
		{"one node twice", things{row(model.AttachmentAttached, "node-a"), row(model.AttachmentAttached, "node-a")}, "false 1 0"},
		{"of no node", things{row(model.AttachmentAttached, "")}, "false 0 0"},
		{"objects", things{theVolume("data", corev1.ReadWriteOnce), attachmentOf(onA, "node-a", 0), row(model.AttachmentPending, "node-a")}, "false 1 0"},
	})
}
