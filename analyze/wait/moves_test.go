package wait_test

import (
	"fmt"
	"testing"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

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

func leaving(seconds float64) func(*storagev1.VolumeAttachment) {
	return func(a *storagev1.VolumeAttachment) { t := made(seconds); a.DeletionTimestamp = &t }
}

// TestAttach: when the volume was attached to the wanted node, and what tells it.
func TestAttach(t *testing.T) {
	audit, event := model.SourceAudit, model.SourceEvent
	attached := func(c *wait.Case) any { return proved(c.Attached) }
	noticed := func(c *wait.Case) any { return proved(c.AttachNoticed) }
	created := func(c *wait.Case) any { return proved(c.NewAttachment) }
	status := func(at float64) *model.Observation { return of(model.AttachmentAttached, at, onB, audit) }
	other := model.PodRef("prod", "web", "u-web")
	controllerSays := func(at float64) *model.Observation { return of(model.AttachSucceeded, at, "node-b", volume) }
	kubelet := func(kind model.Kind, at float64, about ...any) *model.Observation {
		return of(kind, at, append(about, volume, component("kubelet"))...)
	}
	nodeless := change(report(), func(o *model.Observation) { o.Node = "" })
	askRows(t, []row{
		{"an event of the new pod, without a node", things{of(model.AttachSucceeded, 70, volume, newPod, event)}, noticed,
			"70 by attach-succeeded@70"},
		{"of another pod", things{of(model.AttachSucceeded, 70, volume, other, event)}, noticed, "unknown"},
		{"of the new pod on another node", things{of(model.AttachSucceeded, 70, "node-c", volume, newPod, event)}, noticed, "unknown"},
		{"of a node that is not known", things{nodeless, of(model.AttachSucceeded, 70, volume, newPod, event)}, noticed,
			"70 by attach-succeeded@70"},
		{"of some node, where the wanted one is not known", things{nodeless, of(model.AttachSucceeded, 70, "node-c", volume)}, noticed,
			"unknown"},
		{"of some node, where the wanted one is not known, before the report", things{controllerSays(-1)}, noticed, "unknown"},

		{"object and controller within a pause", things{status(70), controllerSays(77.7)}, attached,
			"62.3 70 70 by attachment-attached@70, attach-succeeded@77.7"},
		{"farther apart they are two", things{status(70), controllerSays(77.8)}, attached, "62.3 70 70 by attachment-attached@70"},
		{"the object a second before the report", things{status(-1)}, attached, "-1 by attachment-attached@-1"},
		{"earlier it is another", things{status(-1.1)}, attached, "unknown"},
		{"the object, not before the attachment was made", things{of(model.AttachmentCreated, 68, onB, audit), status(70)}, attached,
			"68 70 70 by attachment-attached@70"},
		{"an object from before the attachment was made", things{of(model.AttachmentCreated, 68, onB, audit), status(66)}, attached, "unknown"},
		{"the attacher, the object and the controller", things{of(model.AttacherAttached, 70, onB), status(72), controllerSays(73)}, attached,
			"70 70 73 by attacher-attached@70, attachment-attached@72, attach-succeeded@73"},
		{"a second line of the attacher after a pause is of another", things{of(model.AttacherAttached, 70, onB),
			of(model.AttachmentAttached, 77.8, onB)}, attached, "70 70 77.7 by attacher-attached@70"},
		{"within it", things{of(model.AttacherAttached, 70, onB), of(model.AttachmentAttached, 77.7, onB)}, attached,
			"70 77.7 77.7 by attacher-attached@70, attachment-attached@77.7"},
		{"the controller knew before the attacher says so", things{of(model.AttacherAttached, 70, onB), controllerSays(69.9)}, attached,
			"70 70 77.7 by attacher-attached@70, attach-succeeded@69.9"},
		{"the controller knew later than a pause", things{of(model.AttacherAttached, 70, onB), controllerSays(78)}, attached,
			"70 70 77.7 by attacher-attached@70"},
		{"the controller alone", things{controllerSays(70)}, attached, "62.3 70 70 by attach-succeeded@70"},
		{"after a failed try", things{of(model.AttachFailed, 60, "node-b", volume), controllerSays(70)}, attached,
			"60 70 70 by attach-succeeded@70"},
		{"after one on no node", things{of(model.AttachFailed, 60, volume), controllerSays(70)}, attached, "60 70 70 by attach-succeeded@70"},
		{"after one on another node", things{of(model.AttachFailed, 60, "node-c", volume), controllerSays(70)}, attached,
			"62.3 70 70 by attach-succeeded@70"},
		{"after a wait that timed out", things{of(model.OperationTimeout, 60, "node-b", volume), controllerSays(70)}, attached,
			"60 70 70 by attach-succeeded@70"},
		{"after a try that failed late", things{of(model.AttachFailed, 68, "node-b", volume), controllerSays(70)}, attached,
			"62.3 70 70 by attach-succeeded@70"},
		{"not before the attachment was made", things{of(model.AttachmentCreated, 66, onB, audit), controllerSays(70)}, attached,
			"66 70 70 by attach-succeeded@70"},
		{"which was long before", things{of(model.AttachmentCreated, 6, onB, audit), controllerSays(70)}, attached,
			"62.3 70 70 by attach-succeeded@70"},

		{"made: the object and the controller's line", things{of(model.AttachStarted, 5, "node-b", volume),
			of(model.AttachmentCreated, 6, onB, audit)}, created, "5 by attach-started@5, attachment-created@6"},
		{"two seconds apart they are two", things{of(model.AttachStarted, 5, "node-b", volume), of(model.AttachmentCreated, 7.1, onB, audit)},
			created, "5 by attach-started@5"},
		{"the controller's line of another node", things{of(model.AttachStarted, 5, "node-c", volume)}, created, "unknown"},
		{"the controller's line of another node, where the wanted node is not known", things{nodeless, of(model.AttachStarted, 5, volume)},
			created, "unknown"},
		{"a second before the report", things{of(model.AttachmentCreated, -1, onB, audit)}, created, "-1 by attachment-created@-1"},
		{"earlier", things{of(model.AttachmentCreated, -1.1, onB, audit)}, created, "unknown"},
		{"by the attacher, up to ten seconds late", things{of(model.AttacherAttaching, 30, onB)}, created, "20 30 30 by attacher-attaching@30"},
		{"by the attacher before the report", things{of(model.AttacherAttaching, -1, onB)}, created, "unknown"},

		{"the kubelet found it", things{kubelet(model.AttachSeen, 75, "node-b")}, attached, "0 75 75 by attach-seen@75"},
		{"or mounted it", things{kubelet(model.MountSucceeded, 75, "node-b")}, attached, "0 75 75 by mount-succeeded@75"},
		{"or did something else", things{kubelet(model.UnmountSucceeded, 75, "node-b")}, attached, "unknown"},
		{"for the new pod", things{kubelet(model.AttachSeen, 75, newPod)}, attached, "0 75 75 by attach-seen@75"},
		{"for another", things{kubelet(model.AttachSeen, 75, other)}, attached, "unknown"},
		{"on another node", things{kubelet(model.AttachSeen, 75, "node-c", newPod)}, attached, "unknown"},
		{"on another node, where the wanted node is not known", things{nodeless, kubelet(model.AttachSeen, 75, other)}, attached, "unknown"},
		{"where the wanted node is not known, before the report", things{kubelet(model.AttachSeen, -1, "node-b")}, attached, "unknown"},
		{"before the controller noticed", things{controllerSays(80), kubelet(model.AttachSeen, 75, "node-b")}, attached,
			"72.3 75 75 by attach-succeeded@80, attach-seen@75"},
		{"after it", things{controllerSays(70), kubelet(model.AttachSeen, 75, "node-b")}, attached, "62.3 70 70 by attach-succeeded@70"},
		{"when it did", things{controllerSays(75), kubelet(model.AttachSeen, 75, "node-b")}, attached, "67.3 75 75 by attach-succeeded@75"},
		{"of a pod that had waited for twelve seconds", things{of(model.PodScheduled, -1, "node-b", newPod),
			kubelet(model.AttachSeen, 75, "node-b")}, attached, "73 75 75 by attach-seen@75"},
		{"of one that had waited for less", things{of(model.PodScheduled, -1, "node-b", newPod), kubelet(model.AttachSeen, 11, "node-b")},
			attached, "0 11 11 by attach-seen@11"},
		{"a mount is later than the find", things{of(model.PodScheduled, -1, "node-b", newPod), kubelet(model.MountSucceeded, 75, "node-b")},
			attached, "0 75 75 by mount-succeeded@75"},
		{"before the controller could notice", things{controllerSays(80), kubelet(model.AttachSeen, 72, "node-b")}, attached,
			"72.3 80 80 by attach-succeeded@80"},
	})
}

// TestLives: the objects that had the name of the blocking VolumeAttachment while the volume waited.
func TestLives(t *testing.T) {
	audit, event := model.SourceAudit, model.SourceEvent
	lives := func(c *wait.Case) any {
		text := ""
		for _, l := range c.Lives {
			text += fmt.Sprintf("[%s | %s | %s %s %s%s]", span(l.Created), span(l.DeletionRequested), span(l.Gone), l.UID, l.ByHand, l.By)
		}
		return text
	}
	actions := func(c *wait.Case) any {
		text := ""
		for _, a := range wait.Actions(c) {
			text += fmt.Sprintf("[%s %s %s: %s]", a.What, span(a.At), a.ByPerson, cited(a.At.Witness))
		}
		return text
	}
	request := of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))
	ended := of(model.AttachmentGone, 60, onA, audit)
	anew := func(at float64) *model.Observation { return of(model.AttachmentCreated, at, onA, audit) }
	started := func(at float64) *model.Observation { return of(model.AttachStarted, at, "node-a", volume) }
	about := func(seconds float64, o *model.Observation) *model.Observation {
		d := time.Duration(seconds * float64(time.Second))
		return change(o, func(o *model.Observation) { o.At = o.At.Widen(d, d) })
	}
	repeated := func(first, last float64) *model.Observation {
		return times(2, last, of(model.AttachSucceeded, first, volume, oldPod, event))
	}
	attached := of(model.AttachSucceeded, 100, "node-b", volume)
	sync := within("kcm.log", of(model.VolumeMarkedDetached, 90, "node-a", volume))
	log := logOf("kube-controller-manager", "kcm.log", -700, 200)
	counting := podOf(oldPod, "node-a")
	askRows(t, []row{
		{"one that ended", things{request, ended}, lives, "[unknown | 50 | 60  false]"},
		{"made again after its end", things{request, ended, anew(80)}, lives, "[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"by the controller's line", things{request, ended, started(80)}, lives, "[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"by the attacher's line", things{request, ended, of(model.AttacherAttaching, 80, onA)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"by the controller's line of another node", things{request, ended, of(model.AttachStarted, 80, "node-c", volume)}, lives,
			"[unknown | 50 | 60  false]"},
		{"an attach before its end is none", things{request, ended, started(55)}, lives, "[unknown | 50 | unknown  false]"},
		{"an attach without an end is none", things{started(55)}, lives, "[unknown | unknown | unknown  unknown]"},
		{"object and line of one return", things{request, ended, anew(80), started(79)}, lives,
			"[unknown | 50 | 60  false][79 | unknown | unknown  unknown]"},
		{"more than ten seconds apart the object counts", things{request, ended, anew(80), started(69.9)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"two to ten seconds apart they are one return, of which the object has the time",
			things{request, ended, anew(80), started(75)}, lives, "[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"also where the line comes later", things{request, ended, anew(80), started(85)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"of an object in the bundle", things{request, ended, attachmentOf(onA, "node-a", 80), anew(80), started(78)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown va-node-a unknown]"},
		{"more than a second apart", things{request, ended, anew(80), started(78.5)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"of an object with an age the line has the time", things{request, ended, about(30, anew(80)), started(75)}, lives,
			"[unknown | 50 | 60  false][75 | unknown | unknown  unknown]"},
		{"where the line comes before that time", things{request, ended, about(3, anew(80)), started(75)}, lives,
			"[unknown | 50 | 60  false][77 80 83 | unknown | unknown  unknown]"},
		{"the attachment went between: two returns",
			things{request, ended, started(75), of(model.AttachmentGone, 78, onA, audit), anew(80)}, lives,
			"[unknown | 50 | 60  false][75 | 75 77.5 80 | 75 77.5 80  unknown][80 | unknown | unknown  unknown]"},
		{"also far apart", things{request, ended, started(65), of(model.DetachSucceeded, 70, "node-a", volume), anew(80)}, lives,
			"[unknown | 50 | 60  false][65 | 65 72.5 80 | 65 72.5 80  unknown][80 | unknown | unknown  unknown]"},
		{"or from another node", things{request, ended, started(75), of(model.DetachSucceeded, 78, "node-c", volume), anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"it may have gone before the line", things{request, ended, started(75), change(of(model.AttachmentGone, 78, onA, audit),
			func(o *model.Observation) { o.At.Earliest = at(74) }), anew(80)}, lives, "[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"or after the object", things{request, ended, started(75), change(of(model.AttachmentGone, 78, onA, audit),
			func(o *model.Observation) { o.At.Latest = at(81) }), anew(80)}, lives, "[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"a line of an earlier return is of no later one", things{request, ended, started(84), of(model.AttachmentGone, 84.3, onA, audit),
			about(1.8, anew(86.2))}, lives,
			"[unknown | 50 | 60  false][84 | 84 86 88 | 84 86 88  unknown][84.4 86.2 88 | unknown | unknown  unknown]"},
		{"two records of one creation", things{request, ended, anew(88), about(15, anew(100))}, lives,
			"[unknown | 50 | 60  false][88 | unknown | unknown  unknown]"},
		{"of two creations", things{request, ended, anew(88), about(11.9, anew(100))}, lives,
			"[unknown | 50 | 60  false][88 | 88 99.95 111.9 | 88 99.95 111.9  unknown][88.1 100 111.9 | unknown | unknown  unknown]"},
		{"made before the report or after it", things{about(20, anew(19))}, lives, "[unknown | unknown | unknown  unknown]"},
		{"the Event of an attach that the object began", things{request, ended, anew(80), repeated(-500, 84)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"a third one: the second was not asked to go before it was made", things{request, ended, anew(80), anew(90)}, lives,
			"[unknown | 50 | 60  false][80 | 80 85 90 | 80 85 90  unknown][90 | unknown | unknown  unknown]"},
		{"of which the request is known", things{request, ended, anew(80),
			of(model.AttachmentDeletionRequested, 84, onA, audit, actor(controller)),
			anew(90)}, lives, "[unknown | 50 | 60  false][80 | 84 | 84 87 90  false][90 | unknown | unknown  unknown]"},
		{"of which the end is known", things{ended, anew(80), of(model.AttachmentGone, 84, onA, model.SourceMetric), anew(90)}, lives,
			"[unknown | 0 40 80 | 0 40 80  unknown][80 | 80 82 84 | 84  unknown][90 | unknown | unknown  unknown]"},
		{"made before the end of the first was told", things{request, anew(58.9), ended}, lives,
			"[unknown | 50 | 50 54.45 58.9  false][58.9 | unknown | unknown  unknown]"},
		{"made a second before it was told is the next", things{request, anew(59), ended}, lives,
			"[unknown | 50 | 50 54.5 59  false][59 | unknown | unknown  unknown]"},
		{"made with the report is the first", things{anew(1.4)}, lives, "[unknown | unknown | unknown  unknown]"},
		{"made later it is a return", things{anew(1.5)}, lives, "[unknown | 0 0.75 1.5 | 0 0.75 1.5  unknown][1.5 | unknown | unknown  unknown]"},
		{"after the wait it is another story", things{request, ended, attached, anew(101)}, lives, "[unknown | 50 | 60  false]"},
		{"a detach that the controller tells", things{of(model.DetachStarted, 50, "node-a", volume),
			of(model.DetachSucceeded, 60, "node-a", volume), started(80)}, lives,
			"[unknown | 50 | 52.3 60 60  false][80 | unknown | unknown  unknown]"},
		{"a detach that the controller tells, of another node", things{of(model.DetachSucceeded, 60, "node-c", volume), started(80)}, lives,
			"[unknown | unknown | unknown  unknown]"},
		{"the object in the bundle is the first", things{attachmentOf(onA, "node-a", 1), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60 va-node-a false]"},
		{"the object in the bundle is the second", things{attachmentOf(onA, "node-a", 80), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown va-node-a unknown]"},
		{"within a second and a half", things{attachmentOf(onA, "node-a", 81), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown va-node-a unknown]"},
		{"or before", things{attachmentOf(onA, "node-a", 79), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown va-node-a unknown]"},
		{"the object is neither", things{attachmentOf(onA, "node-a", 70), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},
		{"nor later", things{attachmentOf(onA, "node-a", 90), request, ended, anew(80)}, lives,
			"[unknown | 50 | 60  false][80 | unknown | unknown  unknown]"},

		{"the controller's sync misses it", things{log, sync}, lives, "[unknown | -60 15 90 | 30 60 90  true]"},
		{"and it had begun a detach", things{log, sync, of(model.DetachStarted, 80, "node-a", volume)}, lives,
			"[unknown | 80 | 80 85 90  false]"},
		{"and it had begun a detach, of another node", things{log, sync, of(model.DetachStarted, 80, "node-c", volume)}, lives,
			"[unknown | -60 15 90 | 30 60 90  true]"},
		{"later than the sync", things{log, sync, of(model.DetachStarted, 91, "node-a", volume)}, lives, "[unknown | 91 | 30 60 90  true]"},
		{"in a log that begins later", things{logOf("kube-controller-manager", "kcm.log", 1, 200), sync}, lives,
			"[unknown | unknown | unknown  unknown]"},
		{"in a log that begins with the wait", things{logOf("kube-controller-manager", "kcm.log", 0, 200), sync}, lives,
			"[unknown | -60 15 90 | 30 60 90  true]"},
		{"a new leader, from before which the log reaches", things{log, sync, of(model.LeaderAcquired, 40, component("kube-controller-manager"))},
			lives, "[unknown | -60 15 90 | 30 60 90  true]"},
		{"the sync misses the second: it was made before it went", things{log, request, ended, anew(80), sync}, lives,
			"[unknown | 50 | 60  false][80 | 80 85 90 | 80 85 90  true]"},
		{"what ended the first ends no second", things{log, sync,
			change(anew(90), func(o *model.Observation) { o.At = model.WholeSecond(at(90)) })}, lives,
			"[unknown | -60 15 90 | 30 60 90  true][90 90 91 | unknown | unknown  unknown]"},
		{"somebody deleted it while the pod counts", things{counting, of(model.AttachmentDeletionRequested, 50, onA), ended}, lives,
			"[unknown | 50 | 60  true]"},
		{"of a pod that does not count", things{podOf(oldPod, "node-a", phase("Failed")), of(model.AttachmentDeletionRequested, 50, onA), ended},
			lives, "[unknown | 50 | 60  unknown]"},

		{"deleted by another, by the sync", things{log, sync}, actions,
			"[deleted-attachment -60 15 90 unknown: volume-marked-detached@90]"},
		{"deleted by another, while the pod counts", things{counting, of(model.AttachmentDeletionRequested, 50, onA), ended}, actions,
			"[deleted-attachment 50 unknown: attachment-deletion-requested@50]"},
		{"deleted by the controller", things{request, ended}, actions, "[deleted-attachment 50 false: attachment-deletion-requested@50]"},
	})
}

// TestDetach: when the detach was asked for, and when the attachment went away.
func TestDetach(t *testing.T) {
	audit := model.SourceAudit
	requested := func(c *wait.Case) any { return proved(c.DetachRequested) }
	gone := func(c *wait.Case) any { return proved(c.Gone) }
	errors := func(c *wait.Case) any { return cited(c.DetachErrors) }
	line := func(kind model.Kind, at float64) *model.Observation { return of(kind, at, "node-a", volume) }
	detaching := func(at float64) *model.Observation { return of(model.AttacherDetaching, at, onA) }
	up := func(at float64) *model.Observation { return of(model.AttacherStarted, at) }
	request := of(model.AttachmentDeletionRequested, 50, onA, audit)
	askRows(t, []row{
		{"the controller refused its first try", things{line(model.DetachStarted, 50), line(model.DetachRefusedInUse, 50.1),
			line(model.DetachStarted, 55)}, requested, "55 by detach-started@55"},
		{"and did not try again", things{line(model.DetachStarted, 50), line(model.DetachRefusedInUse, 50.1)}, requested, "unknown"},
		{"one of many tries", things{times(3, 58, line(model.DetachStarted, 50)), line(model.DetachRefusedInUse, 50.1)}, requested,
			"50.1 58 58 by detach-started@50, detach-refused-in-use@50.1"},
		{"one of two tries", things{times(2, 58, line(model.DetachStarted, 50)), line(model.DetachRefusedInUse, 50.1)}, requested,
			"58 by detach-started@50, detach-refused-in-use@50.1"},
		{"of which the last was refused", things{times(3, 58, line(model.DetachStarted, 50)),
			times(3, 58.1, line(model.DetachRefusedInUse, 50.1))}, requested, "unknown"},
		{"a detach that went through before is not asked about", things{line(model.DetachStarted, 50), line(model.DetachVerifiedSafe, 50.1),
			line(model.DetachRefusedInUse, 51), line(model.DetachStarted, 55)}, requested, "50 by detach-started@50"},
		{"a refusal of another node", things{line(model.DetachStarted, 50), of(model.DetachRefusedInUse, 50.1, "node-c", volume),
			line(model.DetachStarted, 55)}, requested, "50 by detach-started@50"},
		{"by force", things{line(model.DetachForcedTaint, 50)}, requested, "50 by detach-forced-taint@50"},
		{"a success without a beginning", things{line(model.DetachSucceeded, 50)}, requested, "unknown"},

		{"the attacher's line alone", things{detaching(50)}, requested, "40 50 50 by attacher-detaching@50"},
		{"an attacher that had just started", things{up(45), detaching(50)}, requested, "0 50 50 by attacher-detaching@50, attacher-started@45"},
		{"ten seconds before", things{up(40), detaching(50)}, requested, "0 50 50 by attacher-detaching@50, attacher-started@40"},
		{"earlier", things{up(39.9), detaching(50)}, requested, "40 50 50 by attacher-detaching@50"},
		{"the attacher more than a second before the controller", things{detaching(48.9), line(model.DetachStarted, 50)}, requested,
			"38.9 48.9 48.9 by attacher-detaching@48.9"},
		{"a second before", things{detaching(49), line(model.DetachStarted, 50)}, requested, "50 by detach-started@50, attacher-detaching@49"},
		{"ten seconds after the controller", things{line(model.DetachStarted, 40), detaching(50)}, requested, "40 by detach-started@40"},
		{"less", things{line(model.DetachStarted, 40.1), detaching(50)}, requested, "40.1 40.1 50 by detach-started@40.1, attacher-detaching@50"},

		{"whose end shows that the volume was let go", things{line(model.DetachSucceeded, 50)}, gone, "42.3 50 50 by detach-succeeded@50"},
		{"while its object is there", things{attachmentOf(onA, "node-a", -500), line(model.DetachSucceeded, 50)}, gone, "unknown"},
		{"one from another node", things{of(model.DetachSucceeded, 50, "node-c", volume)}, gone, "unknown"},
		{"one before the report", things{line(model.DetachSucceeded, -1)}, gone, "unknown"},
		{"one that the attach elsewhere followed, which bounds it", things{line(model.DetachSucceeded, 50),
			of(model.AttachSucceeded, 52, "node-b", volume)}, gone, "unknown"},

		{"the object, the attacher's end before the request", things{request, of(model.AttacherDetached, 49, onA)}, gone, "unknown"},
		{"the object is still there", things{attachmentOf(onA, "node-a", -500), request, line(model.DetachSucceeded, 56)}, gone, "unknown"},
		{"the object is a later one", things{attachmentOf(onA, "node-a", 51), request, line(model.DetachSucceeded, 56)}, gone,
			"50 56 56 by detach-succeeded@56"},
		{"noticed on another node", things{request, of(model.DetachSucceeded, 56, "node-c", volume)}, gone, "unknown"},
		{"noticed at once", things{request, line(model.DetachSucceeded, 56)}, gone, "50 56 56 by detach-succeeded@56"},
		{"noticed after seventy-seven seconds", things{request, line(model.DetachSucceeded, 127)}, gone, "119.3 127 127 by detach-succeeded@127"},
		{"after more", things{request, line(model.DetachSucceeded, 127.1)}, gone, "119.4 123.2 127.1 by detach-succeeded@127.1"},
		{"by the sync", things{request, line(model.VolumeMarkedDetached, 56)}, gone, "50 53 56 by volume-marked-detached@56"},
		{"attached elsewhere before the request", things{request, of(model.AttachSucceeded, 49, "node-b", volume)}, gone, "unknown"},
		{"samples show the end", things{of(model.AttachmentGone, 60, onA, model.SourceMetric)}, gone, "60 by attachment-gone@60"},
		{"before the report", things{of(model.AttachmentGone, -1, onA, model.SourceMetric)}, gone, "unknown"},
		{"the object's end without a request", things{of(model.AttachmentGone, 60, onA, audit)}, gone, "unknown"},

		{"errors of the controller, the attacher and the object", things{request, line(model.DetachFailed, 51), of(model.AttacherFailed, 52, onA),
			of(model.AttachmentDetachError, 53, onA)}, errors, "detach-failed@51, attacher-failed@52, attachment-detach-error@53"},
		{"the attacher's with the request", things{request, of(model.AttacherFailed, 50, onA)}, errors, "attacher-failed@50"},
		{"the object's before the request", things{request, of(model.AttachmentDetachError, 40, onA)}, errors, "attachment-detach-error@40"},
		{"the attacher's without a request", things{of(model.AttacherFailed, 50, onA)}, errors, ""},
		{"when the old node has it again after the wait", things{request, of(model.AttachSucceeded, 70, "node-b", volume),
			of(model.AttachSucceeded, 80, "node-a", volume), line(model.DetachFailed, 90), of(model.AttachmentDetachError, 91, onA)}, errors, ""},
		{"as long as it has not", things{request, of(model.AttachSucceeded, 70, "node-b", volume), line(model.DetachFailed, 90),
			of(model.AttachmentDetachError, 91, onA)}, errors, "detach-failed@90, attachment-detach-error@91"},
	})
}

// TestKubeletsWord: what the old node's kubelet says of the end of a pod and its mounts.
func TestKubeletsWord(t *testing.T) {
	audit := model.SourceAudit
	released := func(c *wait.Case) any { return proved(c.Released) }
	phases := func(c *wait.Case) any { return phasesOf(c) }
	writing := func(c *wait.Case) any {
		return span(c.EndOfWriting(wait.At(of(model.NodeNotReady, 10))))
	}
	process := func(c *wait.Case) any { return c.SameProcess() != nil }
	mount := func(kind model.Kind, at float64, about ...any) *model.Observation {
		return of(kind, at, append([]any{"node-a", volume, oldPod, component("kubelet")}, about...)...)
	}
	removed := func(at float64) *model.Observation {
		return of(model.PodRemoved, at, oldPod, "node-a", component("kubelet"))
	}
	acts := func(c *wait.Case) any {
		text := ""
		for _, a := range wait.Actions(c) {
			if a.Object.Kind == "Pod" {
				text += fmt.Sprintf("%s %s %t", a.What, span(a.At), a.Inferred)
			}
		}
		return text
	}
	teardown := detail("UnmountVolume.TearDown failed: busy")
	device := detail(model.OfDevice)
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	paused := func(from, to float64) *model.Observation { return lasting(to, of(model.KubeletPaused, from, "node-a")) }
	askRows(t, []row{
		{"it began to unmount", things{mount(model.UnmountSucceeded, 30)}, released, "26 30 32 by unmount-succeeded@30"},
		{"or could not", things{mount(model.UnmountFailed, 30, teardown)}, released, "26 30 32 by unmount-failed@30"},
		{"an error of another step", things{mount(model.UnmountFailed, 30, detail("UnmountDevice failed"))}, released, "unknown"},
		{"of another pod", things{change(mount(model.UnmountSucceeded, 30), func(o *model.Observation) { o.Pod.UID = "u-x" })}, released,
			"unknown"},
		{"of another pod, on another node", things{change(mount(model.UnmountSucceeded, 30), func(o *model.Observation) { o.Node = "node-c" })},
			released, "unknown"},
		{"fifteen seconds before the report", things{mount(model.UnmountSucceeded, -15)}, released, "-19 -15 -13 by unmount-succeeded@-15"},
		{"earlier", things{mount(model.UnmountSucceeded, -15.1)}, released, "unknown"},
		{"of no known node", things{reportOf(newPod, []model.Ref{oldPod}, nowhere),
			change(mount(model.UnmountSucceeded, 30), func(o *model.Observation) { o.Node = "" })}, released, "unknown"},
		{"after the wait", things{mount(model.UnmountSucceeded, 71), of(model.AttachSucceeded, 70, "node-b", volume)}, released, "unknown"},
		{"it mounted it again", things{mount(model.UnmountSucceeded, 30), mount(model.MountSucceeded, 40)}, released, "unknown"},
		{"another node mounted it", things{mount(model.UnmountSucceeded, 30), of(model.MountSucceeded, 40, "node-c", volume)}, released,
			"26 30 32 by unmount-succeeded@30"},
		{"on a lost node", things{lost, mount(model.UnmountSucceeded, 30)}, released, "unknown"},
		{"of two old pods it is one", things{change(report(),
			func(o *model.Observation) { o.Pods = append(o.Pods, model.PodRef("prod", "db-more", "u-more")) }), mount(model.UnmountSucceeded, 30)},
			released, "unknown"},
		{"its container died before", things{of(model.ContainerDied, 28, oldPod), mount(model.UnmountSucceeded, 30)}, released,
			"26 28 32 by container-died@28, unmount-succeeded@30"},
		{"a minute before", things{of(model.ContainerDied, -30, oldPod), mount(model.UnmountSucceeded, 30)}, released,
			"-32 -30 32 by container-died@-30, unmount-succeeded@30"},
		{"earlier than that it was another's", things{of(model.ContainerDied, -31, oldPod), mount(model.UnmountSucceeded, 30)}, released,
			"26 30 32 by unmount-succeeded@30"},
		{"after it", things{of(model.ContainerDied, 31, oldPod), mount(model.UnmountSucceeded, 30)}, released,
			"26 30 32 by unmount-succeeded@30"},
		{"a release that is told well stays", things{mount(model.UnmountSucceeded, 30), of(model.PodGone, 33, oldPod, audit)}, released,
			"33 by pod-gone@33"},
		{"one that is not is narrowed", things{mount(model.UnmountSucceeded, 30), of(model.DetachStarted, 31, "node-a", volume)}, released,
			"26 30 31 by unmount-succeeded@30"},
		{"by the detach", things{mount(model.UnmountSucceeded, 30), of(model.AttachmentDeletionRequested, 30.5, onA, audit, actor(controller))},
			released, "26 30 30.5 by unmount-succeeded@30"},
		{"not by one from before it", things{mount(model.UnmountSucceeded, 30), of(model.DetachStarted, 20, "node-a", volume)}, released,
			"0 10 20 by multi-attach@0, detach-started@20"},
		{"deleted by force before", things{of(model.PodDeletionRequested, 20, oldPod, detail("grace 0s")), mount(model.UnmountSucceeded, 30)},
			released, "unknown"},
		{"by pod GC", things{of(model.PodForceDeleting, 20, oldPod), mount(model.UnmountSucceeded, 30)}, released,
			"20 20 25 by pod-force-deleting@20"},
		{"with grace", things{of(model.PodDeletionRequested, 20, oldPod, detail("grace 30s")), mount(model.UnmountSucceeded, 30)}, released,
			"26 30 32 by unmount-succeeded@30"},
		{"deleted by force after it", things{of(model.PodDeletionRequested, 40, oldPod, detail("grace 0s")), mount(model.UnmountSucceeded, 30)},
			released, "26 30 32 by unmount-succeeded@30"},

		{"its object was gone under its mount", things{removed(20), mount(model.UnmountSucceeded, 30)}, released, "20 by pod-removed@20"},
		{"which was deleted by force", things{removed(20), mount(model.UnmountSucceeded, 30)}, acts, "force-deleted-pod 20 true"},
		{"and unmounted after the wait", things{removed(20), mount(model.UnmountSucceeded, 71), of(model.AttachSucceeded, 70, "node-b", volume)},
			acts, "force-deleted-pod 20 true"},
		{"after the unmount, as usually", things{mount(model.UnmountSucceeded, 30), removed(31)}, acts, ""},
		{"after it, and unmounted again", things{mount(model.UnmountSucceeded, 30), removed(31), mount(model.UnmountSucceeded, 32)}, acts, ""},
		{"before any unmount is told", things{removed(20)}, acts, ""},
		{"on another node", things{change(removed(20), func(o *model.Observation) { o.Node = "node-c" }), mount(model.UnmountSucceeded, 30)},
			acts, ""},
		{"a kubelet that was away hears of it late", things{lost, removed(20), mount(model.UnmountSucceeded, 30)}, acts, ""},
		{"sixteen seconds before the report", things{removed(-16), mount(model.UnmountSucceeded, 30)}, acts, ""},
		{"pod GC does it", things{of(model.PodForceDeleted, 19, oldPod), removed(20), mount(model.UnmountSucceeded, 30)}, acts,
			"force-deleted-pod 19 false"},
		{"of a deleted Node pod GC does it", things{removed(20), mount(model.UnmountSucceeded, 30), of(model.NodeDeleted, 10, "node-a")},
			acts, ""},

		{"the unmount ends its phase", things{mount(model.UnmountSucceeded, 20), mount(model.UnmountSucceeded, 30, device),
			of(model.AttachSucceeded, 70, "node-b", volume)}, phases,
			"release[] 20, unmount-wait[] 10, undivided[detach attach] 40, multi-attach open false"},
		{"not on a lost node", things{lost, mount(model.UnmountSucceeded, 20), mount(model.UnmountSucceeded, 30, device),
			of(model.AttachSucceeded, 70, "node-b", volume)}, phases,
			"eviction[] 100, undivided[release unmount-wait detach attach] 70, node-not-ready open false"},
		{"nor of a pod's mount", things{mount(model.UnmountSucceeded, 20), mount(model.UnmountSucceeded, 30),
			of(model.AttachSucceeded, 70, "node-b", volume)}, phases,
			"release[] 20, undivided[unmount-wait detach attach] 50, multi-attach open false"},
		{"the request is better", things{mount(model.UnmountSucceeded, 20), mount(model.UnmountSucceeded, 30, device),
			of(model.DetachStarted, 35, "node-a", volume), of(model.AttachSucceeded, 70, "node-b", volume)}, phases,
			"release[] 20, unmount-wait[] 15, detach[] 17.5, attach[] 17.5, multi-attach open false"},

		{"the device is unmounted after a time", things{mount(model.UnmountSucceeded, 30, device)}, writing, "30"},
		{"before it", things{mount(model.UnmountSucceeded, 9, device)}, writing, "unknown"},
		{"a pod's mount", things{mount(model.UnmountSucceeded, 30)}, writing, "unknown"},
		{"a pod's mount, on another node",
			things{change(mount(model.UnmountSucceeded, 30, device), func(o *model.Observation) { o.Node = "node-c" })}, writing, "unknown"},
		{"the process that had looked before the loss", things{lost, paused(-110, 50)}, process, "true"},
		{"it had looked later", things{lost, paused(-100, 50)}, process, "false"},
		{"it looked again before the loss", things{lost, paused(-110, -100)}, process, "false"},
		{"of a node that was not lost", things{paused(-110, 50)}, process, "false"},
	})
}

// phasesOf are the phases of a case with their lengths.
func phasesOf(c *wait.Case) string {
	text := ""
	for _, p := range c.Phases {
		text += fmt.Sprintf("%s%v %.4g, ", p.ID, p.Undivided, p.Seconds.Best)
	}
	return fmt.Sprintf("%s%s open %t", text, c.Span.StartsAt, c.Span.Open)
}
