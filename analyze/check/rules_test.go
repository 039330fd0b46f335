package check

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/volpost/volpost/analyze/facts"
	. "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// attachedTo is the VolumeAttachment of the volume on a node.
func attachedTo(name, node string) *storagev1.VolumeAttachment {
	pv := "pvc-1"
	va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: name}}
	va.Spec.NodeName, va.Spec.Source.PersistentVolumeName, va.Status.Attached = node, &pv, true
	return va
}

// texts are what a check finds, with the objects that it names.
func texts(look func(*facts.World, *scene, func(Hit)), list ...any) string {
	var out []string
	w := World(list...)
	look(w, newScene(w, nil), func(h Hit) {
		out = append(out, h.Text+" "+strings.Join(facts.Each(h.Objects, func(r model.Ref) string { return r.Name }), ","))
	})
	return strings.Join(out, "\n")
}

// TestRules: rules that no case of a check reaches alone, each with its near miss.
func TestRules(t *testing.T) {
	const text, metric = model.SourceText, model.SourceMetric
	of := func(kind model.Kind, at float64, about ...any) *model.Observation { return Of(kind, at, about...) }
	said := func(quote string) string {
		o := model.Observation{Kind: model.KubernetesEvent}
		o.Quote.Text = quote
		return errorOf(&o)
	}
	volume := func(modes ...corev1.PersistentVolumeAccessMode) *facts.Volume {
		return World(TheVolume("data", modes...)).Volumes.Find(Volume)
	}
	unmount := func(later *model.Observation) bool {
		o := of(model.UnmountFailed, 10, Volume, OldPod)
		return unmounted(World(o, later), o)
	}
	attached := func(later *model.Observation) bool {
		o := of(model.AttacherFailed, 10, OnA)
		return attachedSince(World(o, later), o)
	}
	moved := func(list ...any) bool {
		w := World(append(list, TheVolume("data"))...)
		return movedLately(w, w.Volumes.Find(Volume), "node-a")
	}
	notReady := func(list ...any) bool { return rowNotReady(World(list...), "node-a") != nil }
	rows := func(list ...any) int {
		w := World(append(list, TheVolume("data"))...)
		return len(rowsAttached(w, newScene(w, nil)))
	}
	untold := func(list ...any) int {
		w := World(append(list, TheVolume("data"))...)
		return len(rowsUntold(w, newScene(w, nil)))
	}
	named := func(kind model.Kind, about ...any) *model.Observation {
		o := of(kind, 0, append(about, Volume)...)
		o.Attachment, o.At, o.Last = "csi-1", model.Moment{}, model.Moment{}
		return o
	}
	disputed := func(list ...any) int { return len(disputedVolumes(World(append(list, TheVolume("data"))...))) }
	scheduled := func(of corev1.PodConditionType, is corev1.ConditionStatus) bool {
		return notScheduled(corev1.PodCondition{Type: of, Status: is})
	}
	percent := func(s string) *intstr.IntOrString { v := intstr.Parse(s); return &v }
	election := func(words ...string) bool { return electionOff(corev1.Container{Args: words}) }
	assumed := of(model.DetachFailed, 1)
	assumed.At.Basis = model.Assumed
	since := func(h Hit) string {
		if m := h.since(); m != nil {
			return model.TimeOfDay(m.At)
		}
		return ""
	}
	for n, row := range []struct{ got, want any }{
		{said("message: 'a b'"), "a b"}, {said(`"x"`), "x"}, {said("'"), "'"}, {said(`"x'`), `"x'`}, {said("a"), "a"},
		{digits(""), false}, {digits("10"), true}, {digits("1a"), false},
		{scheduled(corev1.PodScheduled, corev1.ConditionFalse), true}, {scheduled(corev1.PodScheduled, corev1.ConditionTrue), false},
		{scheduled(corev1.PodReady, corev1.ConditionFalse), false},
		{scaled(nil, true), 1}, {scaled(nil, false), 0}, {scaled(percent("0"), true), 0}, {scaled(percent("2"), true), 2}, {scaled(percent("x"), true), 0},
		{volume(corev1.ReadWriteOnce).Exclusive(), true}, {volume(corev1.ReadWriteMany).Exclusive(), false}, {volume().Exclusive(), false},
		{witnessed(facts.Instant{}, model.PodGone), false}, {witnessed(At(1, model.Observation{Kind: model.PodGone}), model.PodGone), true},
		{witnessed(At(1, model.Observation{Kind: model.PodReady}), model.PodGone), false},
		{since(Hit{}), ""}, {since(Hit{Shown: []*model.Observation{nil, assumed}}), ""},
		{since(Hit{Shown: []*model.Observation{of(model.DetachFailed, 9), assumed, of(model.DetachFailed, 5)}}), "10:00:05"},
		{since(Hit{Since: MetaTime(7), Shown: []*model.Observation{of(model.DetachFailed, 5)}}), "10:00:07"},
		{election(), false}, {election("--v=2"), true}, {election("--leader-election"), false}, {election("--leader-election=false"), true},
		{election("-enable-leader-election='true'"), false}, {election("/bin/sh", "-c", "x"), false},

		{unmount(of(model.UnmountSucceeded, 11, Volume)), true}, {unmount(of(model.UnmountSucceeded, 9, Volume)), false},
		{unmount(of(model.UnmountSucceeded, 11, model.VolumeID{PersistentVolume: "pvc-2"})), false},
		{unmount(of(model.UnmountSucceeded, 11, model.VolumeID{PersistentVolume: "pvc-2"}, OldPod)), true},
		{unmount(of(model.PodGone, 11, OldPod)), true}, {unmount(of(model.PodGone, 9, OldPod)), false}, {unmount(of(model.PodReady, 11, OldPod)), false},
		{attached(of(model.AttacherAttached, 11, OnA)), true}, {attached(of(model.AttacherAttached, 9, OnA)), false},
		{attached(of(model.AttacherAttached, 11, OnB)), false}, {attached(of(model.AttacherDetached, 11, OnA)), false},
		{moved(Collected(100), of(model.DetachStarted, 10, Volume, "node-a")), true}, {moved(Collected(100), of(model.DetachStarted, 10, Volume)), true},
		{moved(Collected(100), of(model.DetachStarted, 10, Volume, "node-b")), false}, {moved(of(model.DetachStarted, 10, Volume, "node-a")), true},
		{moved(Collected(131), of(model.DetachStarted, 10, Volume, "node-a")), false},

		{notReady(Timeless(of(model.NodeNotReady, 0, "node-a"))), true}, {notReady(of(model.NodeNotReady, 5, "node-a", text)), false},
		{notReady(Timeless(of(model.NodeNotReady, 0, "node-b"))), false}, {notReady(Timeless(of(model.NodeNotReady, 0, "node-a")), NodeOf("node-a")), false},
		{notReady(Timeless(of(model.NodeNotReady, 0, "node-a")), Timeless(of(model.NodeReady, 0, "node-a"))), false},
		{notReady(of(model.NodeSampledNotReady, 5, "node-a", metric)), true},
		{notReady(of(model.NodeSampledNotReady, 5, "node-a", metric), of(model.NodeSampledNotReady, 6, "node-b", metric)), false},
		{rows(Timeless(of(model.AttachmentAttached, 0, Volume, "node-a"))), 1}, {rows(Timeless(of(model.AttachmentAttached, 0, Volume))), 0},
		{rows(of(model.AttachmentAttached, 0, Volume, "node-a")), 0}, {rows(of(model.AttachmentSampled, 0, Volume, "node-a", metric)), 1},
		{untold(named(model.AttachmentCreated, "node-a", metric)), 1}, {untold(named(model.AttachmentCreated, "node-a", text)), 1},
		{untold(named(model.AttachmentCreated, "node-a", model.SourceLog)), 0}, {untold(named(model.AttachmentCreated, metric)), 0},
		{untold(named(model.AttachmentCreated, "node-a", metric), named(model.AttachmentPending, "node-a", text)), 0},
		{untold(named(model.AttachmentCreated, "node-a", metric), named(model.AttachmentGone, "node-a", metric)), 0},
		{untold(named(model.AttachmentCreated, "node-a", metric), attachedTo("csi-1", "node-a")), 0},
		{texts(lookRowsUnreadyNode, named(model.AttachmentCreated, "node-a", text), Timeless(of(model.NodeNotReady, 0, "node-a", text)), TheVolume("data")),
			"Volume pvc-1 has a VolumeAttachment on node-a, which is not Ready. Whoever needs it on another node waits until the old pod is gone " +
				"and the detach is through. node-a,pvc-1"},
		{rows(of(model.AttachmentSampled, 0, Volume, "node-a", metric), attachedTo("csi-1", "node-a")), 0},
		{rows(of(model.AttachmentSampled, 0, Volume, "node-a", metric), of(model.AttachmentSampled, 9, Volume, "node-b", metric)), 1},
		{disputed(attachedTo("csi-1", "node-a")), 0}, {disputed(attachedTo("csi-1", "node-a"), attachedTo("csi-2", "node-b")), 1},
		{disputed(attachedTo("csi-1", "node-a"), attachedTo("csi-2", "node-a")), 0}, {disputed(of(model.DetachFailed, 0, Volume)), 1},

		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to detach: rpc error: it is busy"))),
			"VolumeAttachment " + OnA + " could not be detached: rpc error: it is busy " + OnA},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to attach: rpc error: it is busy"))), ""},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, Detail("failed to detach: rpc error: it is busy"))), ""},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to detach: it is busy")), of(model.AttacherDetached, 6, OnA)), ""},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to detach: it is busy")), of(model.AttacherDetached, 4, OnA)) != "", true},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to mark as attached: it is forbidden"))), ""},
		{texts(lookFailingDetach, of(model.AttacherFailed, 5, OnA, Detail("failed to mark as detached: it is forbidden"))) != "", true},
		{texts(lookPodVolumeFails, of(model.MountFailed, 5, text, Detail("rpc error: it is busy"))), "A pod cannot mount its volumes: rpc error: it is busy. "},
		{texts(lookPodVolumeFails, of(model.MountFailed, 5, text, Detail("rpc error: it is busy")), of(model.MountFailed, 6, text, NewPod, "node-b",
			Detail("rpc error: no such key"))), "Pod prod/db-new cannot mount its volumes on node-b: rpc error: no such key. db-new,node-b"},
		{texts(lookPodVolumeFails, of(model.MountFailed, 6, text, NewPod, Detail("rpc error: no such key")), of(model.PodRunning, 7, NewPod)), ""},
		{texts(lookPodVolumeFails, of(model.AttachFailed, 6, text, NewPod, Detail("rpc error: no such key")), of(model.PodRunning, 5, NewPod)) != "", true},
		{texts(lookRowsTerminating, terminating("node-a")), "Pod prod/db-old is still Terminating on node-a: its grace period had ended 1 min 10 s before " +
			"this was printed. db-old,node-a"},
		{texts(lookRowsTerminating, terminating("")), ""}, {texts(lookRowsTerminating, terminating("node-a"), PodOf(OldPod, "node-a")), ""},
	} {
		if fmt.Sprint(row.got) != fmt.Sprint(row.want) {
			t.Errorf("%d: %v, want %v", n, row.got, row.want)
		}
	}
}

// terminating is a description of a pod whose grace period of 30 s has been over for more than a minute.
func terminating(node string) *model.Observation {
	o := Timeless(Of(model.PodDeletionRequested, 0, OldPod, node, Detail("grace 30s")))
	o.Age = &model.Range{Best: 100, Min: 100, Max: 101}
	return o
}
