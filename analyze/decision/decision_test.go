package decision_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/decision"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestOperands: rules of single operands, each with its near miss.
func TestOperands(t *testing.T) {
	forced := func(released float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.NotReady = cases.At(-100, model.Observation{Kind: model.NodeNotReady})
			c.Released = cases.At(released, model.Observation{Kind: model.PodGone, Pod: model.Ref{Kind: "Pod", Namespace: "prod", Name: "db-0"}})
			c.Forced = cases.At(400, model.Observation{Kind: model.DetachForcedTimeout})
		}
	}
	deletedByAnother := func(back bool) func(*wait.Case) {
		return func(c *wait.Case) {
			c.DetachRequested = cases.At(50,
				model.Observation{Kind: model.AttachmentDeletionRequested, Source: model.Source{Kind: model.SourceAudit}, Actor: "admin"})
			c.Attached, c.NotReady = cases.At(60, model.Observation{}), cases.At(-100, model.Observation{})
			if back {
				c.BackReady = cases.At(20, model.Observation{})
			}
		}
	}
	attachment := func(asked bool) func(*wait.Case) {
		return func(c *wait.Case) {
			va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "csi-1",
				CreationTimestamp: metav1.NewTime(cases.Began.Add(-1e12))}}
			if asked {
				va.DeletionTimestamp = &metav1.Time{Time: cases.Began}
			}
			c.Attachment.Object = &model.Object[*storagev1.VolumeAttachment]{Ref: model.Ref{Kind: "VolumeAttachment", Name: "csi-1"},
				Content: model.Whole(va)}
		}
	}
	later := func(c *wait.Case) {
		attachment(false)(c)
		c.Attachment.Object.Value().CreationTimestamp = metav1.NewTime(cases.Began.Add(1e12))
	}
	mirrored := func(released bool) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Mirrors = []*model.Observation{cases.Seen(70, model.Observation{})}
			if released {
				c.Released = cases.At(30, model.Observation{})
			}
		}
	}
	tookOver := func(at float64) func(*wait.Case) {
		return func(c *wait.Case) {
			forced(5)(c)
			c.Failovers = []facts.Instant{cases.At(at, model.Observation{})}
		}
	}
	detached := func(released, asked float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Released, c.DetachRequested = cases.At(released, model.Observation{}), cases.At(asked, model.Observation{})
			c.Attached = cases.At(60, model.Observation{})
		}
	}
	within := func(lo, hi float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Released.Moment = model.Between(cases.At(lo, model.Observation{}).At, cases.At(hi, model.Observation{}).At)
		}
	}
	// counted is a report of the variant for an old pod that runs, at most asked for a detach or attached elsewhere.
	counted := func(variant model.Variant, asked, attached bool) func(*wait.Case) {
		return func(c *wait.Case) {
			c.Variant, c.OldPods = variant, []model.Ref{{Kind: "Pod", Namespace: "prod", Name: "db-0"}}
			s := *c.World.Snapshot
			pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "node-a"}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
			s.Pods = []model.Object[*corev1.Pod]{{Ref: c.OldPods[0], Content: model.Whole(pod)}}
			c.World = facts.NewWorld(&s)
			c.Volume = c.World.Volumes.Find(cases.PV)
			if asked {
				c.DetachRequested = cases.At(50, model.Observation{})
			}
			if attached {
				c.Attached = cases.At(60, model.Observation{})
			}
		}
	}
	begun := func(change func(*wait.Case)) func(*wait.Case) {
		return func(c *wait.Case) { change(c); c.DetachRequested = cases.At(50, model.Observation{}) }
	}
	tainted := func(from, to float64) func(*wait.Case) {
		return func(c *wait.Case) {
			c.OutOfService = cases.At(from, model.Observation{Kind: model.NodeTainted})
			c.OutOfService.Moment = model.Between(c.OutOfService.At, cases.At(to, model.Observation{}).At)
		}
	}
	// world gives the case another one: pvc-1 as before, and what was seen.
	world := func(c *wait.Case, seen ...*model.Observation) {
		made := cases.Made("v1.34.0", seen...)
		c.World, c.Volume = made.World, made.Volume
	}
	flag := func(value string) func(*wait.Case) {
		return func(c *wait.Case) {
			world(c, cases.Seen(-900, model.Observation{Kind: model.ProcessFlag, Component: facts.ControllerManager,
				Source: model.Source{Kind: model.SourceLog}, Detail: "--disable-force-detach-on-timeout=" + value}))
		}
	}
	taints := func(keys string) func(*wait.Case) {
		return func(c *wait.Case) {
			sampled := cases.Seen(-100, model.Observation{Kind: model.NodeSampledTaints, Node: "node-a", Detail: keys})
			sampled.Last = cases.Seen(900, model.Observation{}).At
			world(c, sampled)
		}
	}
	inUse := cases.Seen(0, model.Observation{Kind: model.NodeVolumesInUse, Node: "node-a", Volume: cases.PV})
	for _, tt := range []struct {
		name    string
		version string
		change  func(*wait.Case)
		operand string
		value   model.Truth
		text    string
	}{
		{"a pod that went with the start of the timer is named", "v1.34.0", forced(41.9), "timer-elapsed", model.False,
			"because pod prod/db-0 was removed"},
		{"one that went before is not", "v1.34.0", forced(38), "timer-elapsed", model.False, "because the old pod was released"},
		{"nor is one that went minutes before", "v1.34.0", forced(-100), "timer-elapsed", model.False, "because the old pod was released"},
		{"a node that is lost has reported nothing since", "v1.34.0", deletedByAnother(false), "unmounted-by-node", model.False,
			"has not been Ready since"},
		{"one that came back may have", "v1.34.0", deletedByAnother(true), "unmounted-by-node", model.Unknown,
			"nothing tells whether node-a had reported it"},
		{"and one of which no loss is known", "v1.34.0",
			func(c *wait.Case) { deletedByAnother(false)(c); c.NotReady = facts.Instant{} }, "unmounted-by-node", model.Unknown,
			"nothing tells"},
		{"an attachment without deletionTimestamp was never detached", "v1.34.0", attachment(false), "detach-succeeded", model.False,
			"has no deletionTimestamp"},
		{"one with it was", "v1.34.0", attachment(true), "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"one made after the wait began tells nothing of it", "v1.34.0", later, "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"no attachment tells nothing", "v1.34.0", func(*wait.Case) {}, "detach-succeeded", model.Unknown, "Nothing in the bundle tells"},
		{"a pod whose wait is mirrored was never released", "v1.34.0", mirrored(false), "old-pod-released", model.False, "was never released"},
		{"nor did its timer start", "v1.34.0", mirrored(false), "timer-elapsed", model.False, "which it never was"},
		{"a release that is known starts it", "v1.34.0", mirrored(true), "timer-elapsed", model.True, "The six minutes ran from 10:00:30"},
		{"1.23 does not know the taint", "v1.23.5", func(*wait.Case) {}, "out-of-service-taint", model.False, "does not know the taint"},
		{"1.24 may, by its gate", "v1.24.5", func(*wait.Case) {}, "out-of-service-taint", model.Unknown, "Nothing in the bundle tells"},
		{"a flag takes the forced detach away", "v1.34.0", flag("true"), "force-detach-enabled", model.False,
			"runs with --disable-force-detach-on-timeout=true"},
		{"or leaves it", "v1.34.0", flag("false"), "force-detach-enabled", model.True,
			"runs with --disable-force-detach-on-timeout=false"},
		{"a taint at every scrape may have come late", "v1.34.0", taints("node.kubernetes.io/out-of-service"), "out-of-service-taint",
			model.Unknown, "carried the taint at a scrape"},
		{"other taints at every scrape are not this one", "v1.34.0", taints("node.kubernetes.io/unreachable"), "out-of-service-taint",
			model.False, "had other taints"},
		{"an attachment that is there after the request", "v1.34.0", begun(attachment(true)), "detach-succeeded", model.False, "still there"},
		{"one that was made after it is another", "v1.34.0", begun(later), "detach-succeeded", model.Unknown,
			"nothing in the bundle shows its end"},
		{"the taint from before the report", "v1.34.0", tainted(-10, -1), "out-of-service-taint", model.True, "carried the taint"},
		{"one that may have come with it", "v1.34.0", tainted(-10, 0), "out-of-service-taint", model.Unknown, "at the latest from 10:00:00"},
		{"the controller says once that it does not force", "v1.34.0", func(c *wait.Case) {
			world(c, cases.Seen(10, model.Observation{Kind: model.ForceDetachDisabled, Node: "node-a", Volume: cases.PV}))
		}, "force-detach-enabled", model.False, "says that the forced detach is disabled"},
		{"a new leader's timer runs six minutes and a bit", "v1.34.0", tookOver(10.1), "timer-elapsed", model.False,
			"because a new leader took over at 10:00:10"},
		{"half a minute more is another's", "v1.34.0", tookOver(10), "timer-elapsed", model.False, "because the old pod was released"},
		{"and one after the force started nothing", "v1.34.0", tookOver(401), "timer-elapsed", model.False, "because the old pod was released"},
		{"a pod of no object may have been released", "v1.34.0", func(c *wait.Case) { c.Before = true }, "timer-elapsed", model.False,
			"which nothing in the bundle shows"},
		{"a detach after the release waited for the unmount", "v1.34.0", detached(49, 50), "unmounted-by-node", model.False,
			"had not reported the unmount before 10:00:50"},
		{"one with it may not have, and nobody says that it was safe", "v1.34.0", detached(50, 50), "unmounted-by-node", model.Unknown,
			"Neither"},
		{"exclusively attached is without a pod", "v1.34.0", counted(model.ExclusivelyAttached, false, false), "old-pod-released", model.True,
			"no pod object on the old node"},
		{"used by pods is not", "v1.34.0", counted(model.UsedByPods, false, false), "old-pod-released", model.False,
			"runs on node-a and is not being deleted"},
		{"until a detach is asked for", "v1.34.0", counted(model.UsedByPods, true, false), "old-pod-released", model.Unknown,
			"Nothing in the bundle tells when"},
		{"or the volume is attached", "v1.34.0", counted(model.UsedByPods, false, true), "old-pod-released", model.Unknown,
			"Nothing in the bundle tells when"},
		{"a release within 15 s has a time", "v1.34.0", within(30, 45), "old-pod-released", model.False, "until 10:00:37"},
		{"one within more has not", "v1.34.0", within(30, 45.1), "old-pod-released", model.False, "until some time before 10:00:45"},
	} {
		c := cases.Made(tt.version, inUse)
		tt.change(c)
		for _, o := range decision.Operands(c, &evidence.Ledger{}) {
			if o.Operand == tt.operand && (o.Value != tt.value || !strings.Contains(o.Text, tt.text)) {
				t.Errorf("%s: %s %s: %s", tt.name, o.Operand, o.Value, o.Text)
			}
		}
	}
}

// TestFinalizerPastTheDriver: a finalizer that a person took off leaves the storage in doubt; one that a controller took off does not.
func TestFinalizerPastTheDriver(t *testing.T) {
	for _, tt := range []struct {
		name, actor, agent, attachment string
		warned                         bool
	}{
		{"by a person", "ann", "kubectl/v1.34.3 (linux/amd64) kubernetes/0a1b2c3", "csi-1", true},
		{"by a controller", "system:serviceaccount:kube-system:generic-garbage-collector", "kube-controller-manager/v1.34.3", "csi-1", false},
		{"of another attachment", "ann", "kubectl/v1.34.3 (linux/amd64) kubernetes/0a1b2c3", "csi-2", false},
	} {
		removed := cases.Seen(50, model.Observation{Kind: model.AttachmentGone, Volume: cases.PV, Node: "node-a", Attachment: tt.attachment,
			Source: model.Source{Kind: model.SourceAudit}, Actor: tt.actor, Agent: tt.agent, Detail: "last finalizer removed"})
		c := cases.Made("v1.34.0", removed)
		c.Attachment.Name, c.Gone = "csi-1", wait.At(removed)
		c.Span = model.Span{From: c.Began.Moment, To: c.Gone.Moment}
		if w, warned := decision.Integrity(c); warned != tt.warned || warned && !strings.Contains(w.Text, "past the driver's detach") {
			t.Errorf("%s: %t, %s", tt.name, warned, w.Text)
		}
	}
}
