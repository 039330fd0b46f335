package cause

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestWhatCausesAsk: what a single cause looks for in the evidence, each yes with its near miss.
func TestWhatCausesAsk(t *testing.T) {
	type (
		things = cases.Things
		detail = cases.Detail
	)
	var (
		of, change, timeless, lasting, cited = cases.Of, cases.Change, cases.Timeless, cases.Lasting, cases.Cited
		podOf, using, theVolume              = cases.PodOf, cases.Using, cases.TheVolume
		oldPod, newPod, volume, onB, event   = cases.OldPod, cases.NewPod, cases.Volume, cases.OnB, model.SourceEvent
		again                                = model.PodRef("prod", "db-6c5d7f9b84-zz2lp", "u-again")
		first, next                          = model.PodRef("prod", "db-6c5d7f9b84-xk2lp", ""), model.PodRef("prod", "db-7c5d7f9b84-zz2lp", "")
		web, bareSet                         = model.PodRef("prod", "web-6c5d7f9b84-xk2lp", ""), model.PodRef("prod", "db-0", "")
		yes, no                              = true, false
	)
	named := func(fresh model.Ref, old ...model.Ref) *model.Observation {
		o := of(model.MultiAttach, 0, "node-b", fresh, volume, cases.Variant(model.UsedByPods))
		o.Holders, o.Pods = []string{"node-a"}, old
		return o
	}
	reading := func(yes bool) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes[0].PersistentVolumeClaim.ReadOnly = yes }
	}
	inline := func(name string, source corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: name, VolumeSource: source}} }
	}
	azure := func(name string, yes *bool) func(*corev1.Pod) {
		return inline(name, corev1.VolumeSource{AzureDisk: &corev1.AzureDiskVolumeSource{ReadOnly: yes}})
	}
	cinder := func(name string, yes bool) func(*corev1.Pod) {
		return inline(name, corev1.VolumeSource{Cinder: &corev1.CinderVolumeSource{ReadOnly: yes}})
	}
	storage := func(name, key, value string) *storagev1.StorageClass {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Parameters: map[string]string{key: value, "type": "x"}}
	}
	made, carried := of(model.AttachmentCreated, 65, onB), of(model.AttacherAttached, 70, onB)
	list := model.Listed{Kind: "Pod", Namespace: "prod"}
	phase := func(is corev1.PodPhase) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Status.Phase = is } }
	two := func(c *wait.Case) any { return twoOwners(c, c.NewPods) }
	class := func(c *wait.Case) any {
		name, quote := manyCapableClass(c)
		return name + " " + cited([]*model.Observation{quote})
	}
	readOnly := func(c *wait.Case) any { return cited(readOnlyPods(c)) }
	evidence := func(c *wait.Case) any { return cited(podEvidence(c)) }
	drift := func(c *wait.Case) any { return driftAfterAttach(c).Verdict != "" }
	stuck := func(c *wait.Case) any { _, seen, _ := guessDeleting(c); return cited(seen) }
	users := func(c *wait.Case) any {
		pods, all := usersOnOldNode(c)
		return fmt.Sprint(wait.PodNames(pods), " ", all)
	}
	for _, r := range []struct {
		rule string
		list things
		ask  func(*wait.Case) any
		want string
	}{
		{"a class for many", things{storage("fast", "multiAttach", "true")}, class, "fast fast parameters.multiAttach"},
		{"that is not for many", things{storage("fast", "multiAttach", "False")}, class, "nil"},
		{"of one share", things{storage("fast", "maxShares", "1")}, class, "nil"},
		{"of two shares", things{storage("fast", "maxShares", "2")}, class, "fast fast parameters.maxShares"},
		{"that does not say", things{storage("fast", "shared", "")}, class, "nil"},
		{"of another parameter", things{storage("fast", "iops", "100")}, class, "nil"},
		{"of two classes none", things{storage("fast", "shared", "true"), storage("slow", "x", "y")}, class, "nil"},
		{"two owners", things{named(web, first)}, two, "true"},
		{"one owner", things{named(next, first)}, two, "false"},
		{"a set and a Deployment", things{named(bareSet, first)}, two, "true"},
		{"a Deployment and a set", things{named(first, bareSet)}, two, "true"},
		{"two sets", things{named(bareSet, model.PodRef("prod", "web-0", ""))}, two, "false"},
		{"two owners, without an old pod", things{named(first)}, two, "false"},
		{"both only read", things{theVolume("data"), podOf(oldPod, "node-a", using("data"), reading(true)),
			podOf(newPod, "node-b", using("data"), reading(true))}, readOnly,
			"db-old spec.volumes[0].persistentVolumeClaim.readOnly, db-new spec.volumes[0].persistentVolumeClaim.readOnly"},
		{"one writes", things{theVolume("data"), podOf(oldPod, "node-a", using("data"), reading(true)),
			podOf(newPod, "node-b", using("data"), reading(false))}, readOnly, ""},
		{"one reads another claim", things{theVolume("data"), podOf(oldPod, "node-a", using("data"), reading(true)),
			podOf(newPod, "node-b", using("logs"), reading(true))}, readOnly, ""},
		{"one is not there", things{theVolume("data"), podOf(oldPod, "node-a", using("data"), reading(true))}, readOnly, ""},
		{"inline disks of Azure", things{podOf(oldPod, "node-a", azure("pvc-1", &yes)), podOf(newPod, "node-b", azure("pvc-1", &yes))}, readOnly,
			"db-old spec.volumes[0].azureDisk.readOnly, db-new spec.volumes[0].azureDisk.readOnly"},
		{"that do not say", things{podOf(oldPod, "node-a", azure("pvc-1", nil)), podOf(newPod, "node-b", azure("pvc-1", nil))}, readOnly, ""},
		{"that write", things{podOf(oldPod, "node-a", azure("pvc-1", &no)), podOf(newPod, "node-b", azure("pvc-1", &no))}, readOnly, ""},
		{"of another name", things{podOf(oldPod, "node-a", azure("x", &yes)), podOf(newPod, "node-b", azure("x", &yes))}, readOnly, ""},
		{"inline disks of Cinder", things{podOf(oldPod, "node-a", cinder("pvc-1", true)), podOf(newPod, "node-b", cinder("pvc-1", true))},
			readOnly, "db-old spec.volumes[0].cinder.readOnly, db-new spec.volumes[0].cinder.readOnly"},
		{"of Cinder that write", things{podOf(oldPod, "node-a", cinder("pvc-1", false)), podOf(newPod, "node-b", cinder("pvc-1", false))},
			readOnly, ""},
		{"of Cinder of another name", things{podOf(oldPod, "node-a", cinder("x", true)), podOf(newPod, "node-b", cinder("x", true))}, readOnly,
			""},
		{"the attachment is being deleted", things{of(model.AttachmentStuckDeleting, 10, "node-b", volume)}, stuck, "attachment-deleting@10"},
		{"by the error of an attach", things{of(model.AttachFailed, 10, "node-b", volume, detail("volume attachment is being deleted"))}, stuck,
			"attach-failed@10"},
		{"by another error", things{of(model.AttachFailed, 10, "node-b", volume, detail("x"))}, stuck, ""},
		{"by that error of a detach", things{of(model.DetachFailed, 10, "node-a", volume, detail("volume attachment is being deleted"))}, stuck,
			""},
		{"before the wait it was", things{of(model.AttachmentStuckDeleting, -10, "node-b", volume)}, stuck, ""},
		{"until into the wait", things{lasting(0, of(model.AttachmentStuckDeleting, -10, "node-b", volume))}, stuck, "attachment-deleting@-10"},
		{"without a time it may be", things{timeless(change(of(model.AttachmentStuckDeleting, 0, "node-b", volume),
			func(*model.Observation) {}))}, stuck, "attachment-deleting"},
		{"an event of it", things{of(model.AttachmentStuckDeleting, 10, "node-b", volume, event)}, stuck, "attachment-deleting@10"},
		{"the attacher drifts", things{carried, made, of(model.AttachmentDrift, 90, onB, detail("status.attached=true, back end false"))}, drift, "true"},
		{"the other way", things{carried, made, of(model.AttachmentDrift, 90, onB, detail("status.attached=false, back end true"))}, drift, "false"},
		{"before it was attached", things{made, of(model.AttachmentDrift, 66, onB, detail("status.attached=true, back end false")), carried}, drift, "false"},
		{"who uses it there", things{theVolume("data"), list, podOf(oldPod, "node-a", using("data")), podOf(first, "node-a", using("data"))},
			users, "prod/db-old, prod/db-6c5d7f9b84-xk2lp true"},
		{"who has finished does not", things{theVolume("data"), list, podOf(first, "node-a", using("data"), phase("Succeeded")),
			podOf(again, "node-a", using("data"), phase("Failed"))}, users, "true"},
		{"without a list", things{theVolume("data"), podOf(oldPod, "node-a", using("data"))}, users, "prod/db-old false"},
		{"without a claim", things{list, podOf(oldPod, "node-a", using("data"))}, users, "false"},
		{"where the pods stand", things{podOf(oldPod, "node-a", using("data"), using("logs")), podOf(newPod, "node-b")}, evidence,
			"db-old spec.nodeName, db-old status.phase, db-old spec.volumes[0].persistentVolumeClaim.claimName, db-old " +
				"spec.volumes[1].persistentVolumeClaim.claimName, db-new spec.nodeName, db-new status.phase"},
		{"of a volume without a claim nothing",
			things{podOf(oldPod, "node-a", func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: "tmp"}} })}, evidence,
			"db-old spec.nodeName, db-old status.phase"},
		{"of no pod nothing", things{}, evidence, ""},
	} {
		list := r.list
		if o, ok := append(list, nil)[0].(*model.Observation); !ok || o.Kind != model.MultiAttach {
			list = append(list, named(newPod, oldPod))
		}
		if got := strings.TrimSpace(fmt.Sprint(r.ask(cases.Waits(cases.World(list...))[0]))); got != r.want {
			t.Errorf("%s: %s", r.rule, got)
		}
	}
}

// TestRepetitions: how far apart repeated statements lie, and whether one surely lies between two times.
func TestRepetitions(t *testing.T) {
	of, lasting := cases.Of, cases.Lasting
	apart := func(n int, last float64) any {
		return spacing(cases.Change(lasting(last, of(model.DetachFailed, 0)), func(o *model.Observation) { o.Count = n }))
	}
	within := func(o *model.Observation, from, to float64) any {
		return seenWithin(o, cases.Time(from), cases.Time(to))
	}
	once, long := of(model.DetachFailed, 10), lasting(1000, of(model.DetachFailed, 0))
	for _, tt := range []struct {
		rule      string
		got, want any
	}{
		{"one event is not spaced", apart(1, 60), time.Duration(0)},
		{"two are", apart(2, 60), time.Minute},
		{"seven", apart(7, 60), 10 * time.Second},
		{"seen in a time", within(once, 5, 15), true},
		{"at its beginning", within(once, 10, 15), true},
		{"at its end", within(once, 5, 10), true},
		{"not after it", within(once, 11, 15), false},
		{"not before it", within(once, 5, 9), false},
		{"seen last in it", within(lasting(10, of(model.DetachFailed, 0)), 5, 15), true},
		{"repeated all through more than ten minutes", within(long, 100, 700.1), true},
		{"repeated all through ten minutes it may have paused", within(long, 100, 700), false},
		{"not repeated up to its end", within(lasting(600, of(model.DetachFailed, 0)), 100, 900), true},
		{"begun in it only", within(lasting(1000, of(model.DetachFailed, 200)), 100, 900), true},
		{"over before it", within(lasting(50, of(model.DetachFailed, 0)), 100, 900), false},
		{"begun after it", within(lasting(1000, of(model.DetachFailed, 950)), 100, 900), false},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.rule, tt.got, tt.want)
		}
	}
}
