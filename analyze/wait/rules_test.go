package wait_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// waits is the case of a wait of pvc-1 on node-b, which node-a held, with these statements.
func waits(t *testing.T, told ...*model.Observation) *wait.Case {
	t.Helper()
	report := of(model.MultiAttach, 0, "node-b", newPod, volume, variant(model.UsedByPods))
	report.Holders, report.Pods = []string{"node-a"}, []model.Ref{oldPod}
	for _, o := range told {
		if o.Kind == model.MultiAttach { // the report, otherwise
			report.Variant = o.Variant
		}
	}
	s := &model.Snapshot{Observations: []model.Observation{*report}}
	for _, o := range told {
		if o.Kind != model.MultiAttach {
			s.Observations = append(s.Observations, *o)
		}
	}
	model.SortObservations(s.Observations)
	all := cases.Waits(facts.NewWorld(s))
	if len(all) != 1 {
		t.Fatalf("%d cases", len(all))
	}
	return all[0]
}

// span writes an instant in seconds after the report: at, or from best to.
func span(i facts.Instant) string {
	if !i.Known() {
		return "unknown"
	}
	sec := func(t time.Time) string { return fmt.Sprintf("%.4g", t.Sub(cases.Began).Seconds()) }
	if i.Earliest.Equal(i.Latest) {
		return sec(i.At)
	}
	return sec(i.Earliest) + " " + sec(i.At) + " " + sec(i.Latest)
}

// TestInstants: the rules by which an instant of a wait is found, each with its near miss.
func TestInstants(t *testing.T) {
	type told = []*model.Observation
	audit, event := model.SourceAudit, model.SourceEvent
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	attached := of(model.AttacherAttached, 70, onB)
	made := of(model.AttachmentCreated, 65, onB)
	for _, tt := range []struct {
		rule string
		told told
		get  func(*wait.Case) facts.Instant
		want string
	}{
		{"a node was lost", told{lost}, notReady, "-100"},
		{"another was", told{of(model.NodeNotReady, -100, "node-c")}, notReady, "unknown"},
		{"a pod of it was", told{of(model.NodeNotReady, -100, "node-a", oldPod)}, notReady, "unknown"},
		{"it was back before the wait", told{lost, of(model.NodeReady, -50, "node-a")}, notReady, "unknown"},
		{"it was back in the wait", told{lost, of(model.NodeReady, 50, "node-a")}, notReady, "-100"},
		{"and that is when", told{lost, of(model.NodeReady, 50, "node-a")}, backReady, "50"},
		{"a pod of it was ready", told{lost, of(model.NodeReady, 50, "node-a", oldPod)}, backReady, "unknown"},
		{"one that was not lost is not back", told{of(model.NodeReady, 50, "node-a")}, backReady, "unknown"},
		{"lost twice, the last counts", told{of(model.NodeNotReady, -300, "node-a"), of(model.NodeReady, -200, "node-a"), lost}, notReady,
			"-100"},
		{"lost once and said twice, the first", told{lost, of(model.NodeNotReady, -60, "node-a")}, notReady, "-100"},
		{"lost after the volume had moved is another story", told{attached, made, of(model.AttachSucceeded, 71, "node-b", volume),
			of(model.NodeNotReady, 80, "node-a")}, notReady, "unknown"},

		{"the last sign of life", told{lost, of(model.NodeHeartbeat, -140, "node-a"), of(model.NodeHeartbeat, -150, "node-a")}, heartbeat,
			"-140"},
		{"the condition's is none", told{lost, of(model.NodeHeartbeat, -140, "node-a", detail("condition"))}, heartbeat, "unknown"},
		{"ten minutes before it is", told{lost, of(model.NodeHeartbeat, -700, "node-a")}, heartbeat, "-700"},
		{"one before that is too old", told{lost, of(model.NodeHeartbeat, -701, "node-a")}, heartbeat, "unknown"},
		{"one after the loss is none before it", told{lost, of(model.NodeHeartbeat, -99, "node-a")}, heartbeat, "unknown"},
		{"a node that was not lost has none", told{of(model.NodeHeartbeat, -140, "node-a")}, heartbeat, "unknown"},

		{"the request to delete the Node", told{of(model.NodeDeleted, 40, "node-a", audit), of(model.NodeDeleted, 43, "node-a", event)}, nodeGone,
			"40"},
		{"the controller finds it gone in its next pass", told{of(model.NodeDeleted, 40, "node-a", event)}, nodeGone, "35 37.5 40"},
		{"the controller that could not forget it says when", told{of(model.NodeDeleted, 40, "node-a", event),
			of(model.NodeRemovalRefused, 38, "node-a")}, nodeGone, "38"},
		{"not if it was later", told{of(model.NodeDeleted, 40, "node-a", event), of(model.NodeRemovalRefused, 41, "node-a")}, nodeGone,
			"35 37.5 40"},
		{"or if nothing else says so", told{of(model.NodeRemovalRefused, 41, "node-a")}, nodeGone, "41"},
		{"six hours before the wait", told{of(model.NodeDeleted, -21600, "node-a", audit)}, nodeGone, "-2.16e+04"},
		{"what is older is another story", told{of(model.NodeDeleted, -21601, "node-a", audit)}, nodeGone, "unknown"},

		{"the taint", told{of(model.NodeTainted, 30, "node-a", detail("node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"))}, outOfService,
			"30"},
		{"another taint", told{of(model.NodeTainted, 30, "node-a", detail("node.kubernetes.io/unreachable:NoExecute"))}, outOfService, "unknown"},
		{"who acts on the taint", told{lost, of(model.DetachForcedTaint, 60, "node-a", volume)}, outOfService, "-100 -20 60"},
		{"on another node", told{lost, of(model.DetachForcedTaint, 60, "node-c", volume)}, outOfService, "unknown"},

		{"a deletion of the old pod", told{of(model.PodDeletionRequested, -20, oldPod, audit)}, deletion, "-20"},
		{"of another pod", told{of(model.PodDeletionRequested, -20, model.PodRef("prod", "db-x", "u-x"), audit)}, deletion, "unknown"},
		{"of another pod of the name", told{of(model.PodDeletionRequested, -20, model.PodRef("prod", "db-old", "u-x"), audit)}, deletion,
			"unknown"},
		{"the kubelet stops its containers", told{of(model.PodKilling, -19, oldPod, "node-a", event)}, deletion, "-21 -19 -19"},
		{"a kubelet of a lost node learns of it later", told{lost, of(model.PodKilling, 300, oldPod, "node-a", event)}, deletion, "unknown"},
		{"a record beats it", told{of(model.PodKilling, -19, oldPod, "node-a", event), of(model.PodDeletionRequested, -20, oldPod, audit)},
			deletion, "-20"},
		{"an eviction is decided before its call", told{of(model.PodEvictionDecided, 20, oldPod)}, deletion, "20 20 30"},
		{"and the report may name the pod by then", told{of(model.PodEvictionDecided, -5, oldPod)}, deletion, "-5 -2.5 0"},

		{"the old pod is gone", told{of(model.PodGone, 30, oldPod, audit)}, released, "30"},
		{"another is", told{of(model.PodGone, 30, newPod, audit)}, released, "unknown"},
		{"the controller starts its timer", told{of(model.DetachTimerStarted, 31, "node-a", volume)}, released, "30.9 31 31"},
		{"on another node", told{of(model.DetachTimerStarted, 31, "node-c", volume)}, released, "unknown"},
		{"after the wait", told{attached, made, of(model.DetachTimerStarted, 72, "node-a", volume)}, released, "unknown"},
		{"six minutes before a detach by force", told{lost, of(model.DetachForcedTimeout, 400, "node-a", volume)}, released, "38.7 40 40"},
		{"not where a new leader counted anew", told{lost, of(model.LeaderAcquired, 100, component("kube-controller-manager")),
			of(model.DetachForcedTimeout, 400, "node-a", volume)}, released, "0 200 400"},
		{"one that came after it changes nothing", told{lost, of(model.LeaderAcquired, 401, component("kube-controller-manager")),
			of(model.DetachForcedTimeout, 400, "node-a", volume)}, released, "38.7 40 40"},
		{"a release that was seen shortly beside it counts", told{lost, of(model.PodGone, 30, oldPod, audit),
			of(model.DetachForcedTimeout, 400, "node-a", volume)}, released, "30"},
		{"far from it it was another's", told{lost, of(model.PodGone, 20, oldPod, audit), of(model.DetachForcedTimeout, 400, "node-a", volume)},
			released, "38.7 40 40"},
		{"one within wide bounds counts", told{of(model.PodGone, 5, oldPod, audit), of(model.DetachForcedTimeout, 400, "node-a", volume)},
			released, "5"},
		{"nor where a detach had failed", told{lost, of(model.DetachFailed, 300, "node-a", volume),
			of(model.DetachForcedTimeout, 400, "node-a", volume)}, released, "0 200 400"},
		{"between the report and the detach", told{of(model.DetachStarted, 50, "node-a", volume)}, released, "0 25 50"},
		{"before the report that says exclusively attached", told{of(model.MultiAttach, 0, variant(model.ExclusivelyAttached)),
			of(model.PodDeletionRequested, -20, oldPod, audit)}, released, "-20 -10 0"},

		{"the attachment is deleted", told{of(model.AttachmentDeletionRequested, 50, onA, audit)}, requested, "50"},
		{"another is", told{of(model.AttachmentDeletionRequested, 50, onB, audit)}, requested, "unknown"},
		{"the controller's line says so", told{of(model.DetachStarted, 50, "node-a", volume)}, requested, "50"},
		{"of another node", told{of(model.DetachStarted, 50, "node-c", volume)}, requested, "unknown"},
		{"with the attacher's it lies between", told{of(model.DetachStarted, 50, "node-a", volume), of(model.AttacherDetaching, 50.4, onA)},
			requested, "50 50 50.4"},
		{"two seconds apart they tell of two", told{of(model.AttachmentDeletionRequested, 50, onA, audit),
			of(model.DetachStarted, 52.5, "node-a", volume)}, requested, "50"},
		{"gone", told{of(model.AttachmentDeletionRequested, 50, onA, audit), of(model.AttachmentGone, 55, onA, audit)}, gone, "55"},
		{"not before its deletion", told{of(model.AttachmentDeletionRequested, 50, onA, audit), of(model.AttachmentGone, 45, onA, audit)}, gone,
			"unknown"},
		{"the attacher takes its finalizer", told{of(model.AttachmentDeletionRequested, 50, onA, audit), of(model.AttacherDetached, 54, onA)},
			gone, "54 54 55"},
		{"the controller notices", told{of(model.DetachStarted, 50, "node-a", volume), of(model.DetachSucceeded, 56, "node-a", volume)}, gone,
			"50 56 56"},
		{"up to eight seconds late", told{of(model.DetachStarted, 30, "node-a", volume), of(model.DetachSucceeded, 56, "node-a", volume)}, gone,
			"48.3 56 56"},
		{"after a long detach in the middle of a pause", told{of(model.DetachStarted, 30, "node-a", volume),
			of(model.DetachSucceeded, 130, "node-a", volume)}, gone, "122.3 126.2 130"},
		{"its sync does up to a minute late", told{of(model.DetachStarted, 30, "node-a", volume),
			of(model.VolumeMarkedDetached, 130, "node-a", volume)}, gone, "70 100 130"},
		{"attached elsewhere it was gone", told{of(model.DetachStarted, 50, "node-a", volume), attached, made}, gone, "50 63.85 77.7"},

		{"the attacher's word", told{attached, made}, attachedAt, "70 70 77.7"},
		{"with its second line", told{attached, made, of(model.AttachmentAttached, 70.5, onB)}, attachedAt, "70 70.5 70.5"},
		{"the controller knows by then", told{attached, made, of(model.AttachSucceeded, 71, "node-b", volume)}, attachedAt, "70 70 71"},
		{"one before the report is another", told{of(model.AttacherAttached, -1, onB)}, attachedAt, "unknown"},
		{"the controller notices late", told{of(model.AttachSucceeded, 71, "node-b", volume)}, attachedAt, "63.3 71 71"},
		{"not before the attachment was made", told{made, of(model.AttachSucceeded, 71, "node-b", volume)}, attachedAt, "65 71 71"},
		{"on another node", told{of(model.AttachSucceeded, 71, "node-c", volume)}, attachedAt, "unknown"},
		{"made", told{attached, made}, func(c *wait.Case) facts.Instant { return c.NewAttachment }, "65"},

		{"Ready", told{attached, made, of(model.PodReady, 90, newPod, event)}, ready, "90"},
		{"not before the volume came", told{attached, made, of(model.PodReady, 60, newPod, event)}, ready, "unknown"},
		{"another pod", told{attached, made, of(model.PodReady, 90, oldPod, event)}, ready, "unknown"},
		{"nobody wants it any more", told{of(model.PodDeletionRequested, 100, newPod, audit)}, demandEnded, "100"},
		{"after it came that ends nothing", told{attached, made, of(model.PodDeletionRequested, 100, newPod, audit)}, demandEnded, "unknown"},
		{"a deletion before the report is another's", told{of(model.PodDeletionRequested, -1, newPod, audit)}, demandEnded, "unknown"},
		{"by force", told{of(model.DetachForcedTimeout, 400, "node-a", volume)}, forced, "400"},
		{"from another node", told{of(model.DetachForcedTimeout, 400, "node-c", volume)}, forced, "unknown"},
		{"the kubelet has unmounted", told{of(model.UnmountSucceeded, 20, "node-a", volume, detail(model.OfDevice))}, unmounted, "20"},
		{"a pod's mount only", told{of(model.UnmountSucceeded, 20, "node-a", volume)}, unmounted, "unknown"},
		{"it mounted again", told{of(model.UnmountSucceeded, 20, "node-a", volume, detail(model.OfDevice)),
			of(model.MountSucceeded, 30, "node-a", volume)}, unmounted, "unknown"},
		{"shortly before the report", told{of(model.UnmountSucceeded, -15, "node-a", volume, detail(model.OfDevice))}, unmounted, "-15"},
		{"long before", told{of(model.UnmountSucceeded, -16, "node-a", volume, detail(model.OfDevice))}, unmounted, "unknown"},
	} {
		if got := span(tt.get(waits(t, tt.told...))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, got, tt.want)
		}
	}
}

func notReady(c *wait.Case) facts.Instant     { return c.NotReady }
func backReady(c *wait.Case) facts.Instant    { return c.BackReady }
func heartbeat(c *wait.Case) facts.Instant    { return c.Heartbeat }
func nodeGone(c *wait.Case) facts.Instant     { return c.NodeGone }
func outOfService(c *wait.Case) facts.Instant { return c.OutOfService }
func deletion(c *wait.Case) facts.Instant     { return c.DeletionRequested }
func released(c *wait.Case) facts.Instant     { return c.Released }
func requested(c *wait.Case) facts.Instant    { return c.DetachRequested }
func gone(c *wait.Case) facts.Instant         { return c.Gone }
func attachedAt(c *wait.Case) facts.Instant   { return c.Attached }
func ready(c *wait.Case) facts.Instant        { return c.Ready }
func demandEnded(c *wait.Case) facts.Instant  { return c.DemandEnded }
func forced(c *wait.Case) facts.Instant       { return c.Forced }
func unmounted(c *wait.Case) facts.Instant    { return c.Unmounted }
