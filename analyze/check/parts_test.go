package check

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	. "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/model"
)

// TestParts: questions that checks share, each with its near miss.
func TestParts(t *testing.T) {
	of := func(kind model.Kind, at float64, about ...any) *model.Observation { return Of(kind, at, about...) }
	other := model.VolumeID{PersistentVolume: "pvc-2"}
	pods := model.Listed{Kind: "Pod"}
	timedOut := Detail("Unable to attach or mount volumes: timed out waiting for the condition")

	since := func(shown ...*model.Observation) bool {
		m := Hit{Shown: shown}.since()
		return m != nil && m.At.Equal(Time(5))
	}
	one := func(modes ...corev1.PersistentVolumeAccessMode) bool {
		return oneNode(&corev1.PersistentVolume{Spec: corev1.PersistentVolumeSpec{AccessModes: modes}})
	}
	claimOf := func(name string) *corev1.PersistentVolumeClaim {
		return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name}}
	}
	tells := func(claim string, there ...any) bool {
		o := of(model.AttachFailed, 1, Volume)
		if claim != "" {
			o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: claim}
		}
		return known(World(append(there, TheVolume("data"), o)...), o)
	}
	grows := func(phase corev1.PersistentVolumeClaimPhase, want, has string, gone bool) bool {
		c := claimOf("data")
		c.Status.Phase = phase
		c.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(want)}
		c.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(has)}
		c.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: corev1.PersistentVolumeClaimFileSystemResizePending,
			Status: corev1.ConditionTrue, LastTransitionTime: MetaTime(-90000)}}
		if gone {
			c.DeletionTimestamp = new(MetaTime(0))
		}
		return texts(lookExpansionStuck, Collected(100), c) != ""
	}
	condition := func(is corev1.ConditionStatus) int {
		c := claimOf("data")
		c.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{Type: corev1.PersistentVolumeClaimResizing, Status: is}}
		return expansion{claim: Object("PersistentVolumeClaim", c)}.condition(corev1.PersistentVolumeClaimResizing)
	}
	placed := func(list ...any) bool { return placedSince(World(list...), of(model.PodSchedulingFailed, 1, NewPod)) }
	found := func(until float64, text string, list ...any) bool {
		return foundSince(World(list...), Lasting(until, of(model.MountFailed, 0, NewPod, Detail(text))))
	}
	pending := func(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }
	told := func(list ...*model.Observation) int {
		best := telling(list)
		for i, o := range list {
			if o == best {
				return i
			}
		}
		return -1
	}
	unprovisioned := func(kind model.Kind, until float64) bool {
		o := Lasting(until, of(kind, 0, Detail("waiting for a volume to be created")))
		o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: "log"}
		return texts(lookToldUnprovisioned, o) != ""
	}
	aged := func(kind model.Kind, input string) *model.Observation {
		o := Within(input, Timeless(of(kind, 0)))
		o.Age = &model.Range{Best: 7, Min: 7, Max: 7}
		return o
	}
	printed := func(list ...*model.Observation) float64 {
		return printedAge(list, Within("a", of(model.AttachmentPending, 0)), model.AttachmentCreated).Best
	}
	usage := func(what string, more *model.Observation) bool {
		o := of(model.VolumeUsage, 1, Volume, Detail("90% of its "+what))
		return newer(World(o, more), o)
	}
	waits := func(list ...*model.Observation) string { return suffers(World(), list) }
	cut := func(o *model.Observation) string { // where its error is asked for
		s := &scene{w: World(o)}
		_, of, _ := strings.Cut(s.notGot([]*model.Observation{o}).Remedy, "--field-selector ")
		return of
	}
	lost := func(of, unheld string) string {
		row := Timeless(Of(model.VolumeBound, 0, model.SourceText, Detail("Lost"), model.VolumeID{PersistentVolume: of}))
		row.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: "data"}
		patch := Timeless(Of(model.ObjectShown, 0, model.SourceText, Detail(model.Unheld)))
		patch.Object = model.Ref{Kind: "PersistentVolume", Name: unheld}
		text, _, _ := strings.Cut(texts(lookClaimLost, row, patch), ". ")
		return strings.TrimPrefix(text, "Claim prod/data is Lost, because its ")
	}
	stood := func(captured *model.Moment) bool {
		w := World()
		w.Axis.CapturedAt = captured
		_, ok := collected(w)
		return ok
	}
	for n, row := range []struct{ got, want any }{
		{since(Timeless(of(model.DetachFailed, 0)), of(model.DetachFailed, 5)), true}, {since(Timeless(of(model.DetachFailed, 0))), false},
		{one(), false}, {one(corev1.ReadWriteOnce), true}, {one(corev1.ReadWriteOnce, corev1.ReadOnlyMany), false}, {one(corev1.ReadWriteMany), false},
		{onePod(&corev1.PersistentVolume{}), false},

		{tells("", claimOf("data")), true}, {tells("", claimOf("log")), false}, {tells("log", claimOf("log")), true}, {tells(""), false}, {tells("data"), false},
		{condition(corev1.ConditionTrue), 0}, {condition(corev1.ConditionFalse), -1},
		{grows(corev1.ClaimBound, "2Gi", "1Gi", false), true}, {grows(corev1.ClaimPending, "2Gi", "1Gi", false), false},
		{grows(corev1.ClaimBound, "1Gi", "1Gi", false), false}, {grows(corev1.ClaimBound, "2Gi", "0", false), false},
		{grows(corev1.ClaimBound, "2Gi", "1Gi", true), false},

		{placed(), false}, {placed(pods), true}, {placed(pods, PodOf(NewPod, "")), false}, {placed(PodOf(NewPod, "node-b")), true},
		{placed(of(model.PodScheduled, 5, NewPod, "node-b")), true}, {placed(of(model.PodScheduled, 5, OldPod, "node-b")), false},
		{found(59, `object "prod"/"key" not registered`, PodOf(NewPod, "node-b", pending)), true},
		{found(60, `object "prod"/"key" not registered`, PodOf(NewPod, "node-b", pending)), false},
		{found(59, `secret "key" not found`, PodOf(NewPod, "node-b", pending)), false}, {found(59, `secret "key" not found`, pods), true},
		{found(59, `secret "key" not found`, pods, PodOf(NewPod, "node-b", pending)), false},

		{told(of(model.AttachFailed, 1, Detail("rpc error: it is busy")), of(model.MountFailed, 2, timedOut)), 0},
		{told(of(model.MountFailed, 1, timedOut), of(model.AttachFailed, 2, Detail("rpc error: it is busy"))), 1},
		{told(of(model.AttachFailed, 1, Detail("context deadline exceeded")), of(model.MountFailed, 2, timedOut)), 0},
		{told(of(model.MountFailed, 1, timedOut), of(model.MountFailed, 2, timedOut)), 1},
		{told(of(model.MountFailed, 1, Detail("it is busy")), of(model.MountFailed, 2, Detail("it is gone")), of(model.MountFailed, 3, timedOut)), 1},

		{unprovisioned(model.ProvisionWaits, provisionPatience.Seconds()), false}, {unprovisioned(model.ProvisionWaits, provisionPatience.Seconds()+1), true},
		{unprovisioned(model.ProvisionFailed, 0), true},

		{printed(aged(model.AttachmentCreated, "a")), 7.0}, {printed(aged(model.AttachmentAttached, "a")), 0.0},
		{printed(aged(model.AttachmentCreated, "b")), 0.0}, {printed(Within("a", Timeless(of(model.AttachmentCreated, 0)))), 0.0},

		{unmounted(World(of(model.UnmountSucceeded, 11, other, NewPod)), of(model.UnmountFailed, 10, Volume, OldPod)), false},
		{unmounted(World(of(model.UnmountSucceeded, 11, other, model.PodRef("prod", "db-old", ""))), of(model.UnmountFailed, 10, Volume, OldPod)), false},
		{usage("bytes", of(model.VolumeUsage, 2, Volume, Detail("95% of its bytes"))), true},
		{usage("bytes", of(model.VolumeUsage, 2, Volume, Detail("95% of its inodes"))), false},
		{usage("bytes", of(model.VolumeUsage, 2, other, Detail("95% of its bytes"))), false},
		{usage("bytes", of(model.VolumeUsage, 0, Volume, Detail("80% of its bytes"))), false},

		{lost("pvc-1", "pvc-1"), "PersistentVolume pvc-1 is gone, whose finalizers somebody took away"}, {lost("pvc-1", "pvc-2"), "PersistentVolume pvc-1 is gone"},
		{lost("", "pvc-2"), "PersistentVolume is gone"},

		{waits(of(model.AttachFailed, 1, NewPod)), " waits for its volume"},
		{waits(of(model.AttachFailed, 1, NewPod), of(model.AttachFailed, 1, OldPod)), " wait for their volumes"},
		{waits(of(model.AttachFailed, 1, Volume)), " cannot be attached"}, {waits(of(model.MountFailed, 1, Volume)), " cannot be mounted"},
		{waits(of(model.MountFailed, 1, NewPod)), " cannot mount its volumes"}, {waits(of(model.PodSchedulingFailed, 1, NewPod)), " is not scheduled"},
		{waits(of(model.KubernetesEvent, 1, NewPod)), ""},

		{cut(of(model.AttachFailed, 1, NewPod, Detail("AttachVolume.Attach f"))), "involvedObject.name=db-new"},
		{cut(of(model.AttachFailed, 1, NewPod, Detail("it is busy"))), ""}, {cut(of(model.MountFailed, 1, Volume, Detail("Unab"))), "reason=FailedMount"},
		{cut(of(model.AttachFailed, 1, Volume, Detail("AttachVolume.Attach f"))), "reason=FailedAttachVolume"},

		{stood(nil), false}, {stood(new(model.Exactly(Time(1)))), true}, {stood(new(model.WholeSecond(model.T).As(model.Derived))), false},
		{veryLong(facts.Toleration{Matches: true, Shortest: longToleration}), false}, {veryLong(facts.Toleration{Matches: true, Shortest: longToleration + time.Second}), true},
		{veryLong(facts.Toleration{Matches: true, Unlimited: true}), true}, {veryLong(facts.Toleration{Unlimited: true}), false},
	} {
		if row.got != row.want {
			t.Errorf("%d: %v, want %v", n, row.got, row.want)
		}
	}
}
