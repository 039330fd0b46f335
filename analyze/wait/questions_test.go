package wait_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

const controller = "system:serviceaccount:kube-system:attachdetach-controller"

// TestQuestions: what a case returns, each yes with its near miss. An answer is how many observations it has, or yes and no.
func TestQuestions(t *testing.T) {
	type told = []*model.Observation
	type asked = func(*wait.Case) any
	audit, event, metric := model.SourceAudit, model.SourceEvent, model.SourceMetric
	kcm := component("kube-controller-manager")
	request := of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller))
	ended := of(model.AttachmentGone, 60, onA, audit)
	attached, made := of(model.AttacherAttached, 70, onB), of(model.AttachmentCreated, 65, onB)
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	force := of(model.DetachForcedTimeout, 400, "node-a", volume)
	refusal := detail("rpc error: code = FailedPrecondition desc = in use")
	one := func(o *model.Observation) any { return o != nil }
	after := func(s float64) time.Time { return cases.Began.Add(time.Duration(s * float64(time.Second))) }
	tainted := asked(func(c *wait.Case) any { return one(c.TaintedNow()) })
	oosKey := detail("node.kubernetes.io/out-of-service=x:NoExecute")
	oos := of(model.NodeTainted, 10, "node-a", oosKey)
	lifted := asked(func(c *wait.Case) any { return one(c.TaintLifted()) })
	untaint := of(model.NodeUntainted, 30, "node-a", oosKey)
	removal := asked(func(c *wait.Case) any { return one(c.Removal()) })
	deletions := asked(func(c *wait.Case) any { return len(c.DeletionRequests()) })
	calls := asked(func(c *wait.Case) any { return len(c.DetachCalls()) })
	tries := asked(func(c *wait.Case) any { return len(c.Tries()) })
	late := asked(func(c *wait.Case) any { return one(c.LateTry(after(50), after(70))) })
	refused := asked(func(c *wait.Case) any { return len(c.AttachRefused()) })
	begun := asked(func(c *wait.Case) any { return c.DetachBegun() })
	restarted := asked(func(c *wait.Case) any { return c.Restarted() })
	failovers := asked(func(c *wait.Case) any { return len(c.Failovers) })
	silent := asked(func(c *wait.Case) any { return one(c.AttacherSilent()) })
	inVain := asked(func(c *wait.Case) any { return len(c.LookedUpInVain()) })
	created := asked(func(c *wait.Case) any { return span(c.AttachmentCreated()) })
	aged := func(o *model.Observation) *model.Observation {
		o.At = o.At.Widen(10*time.Second, 10*time.Second)
		return o
	}
	lasted := asked(func(c *wait.Case) any { return c.LossLasted() })
	readyAfter := asked(func(c *wait.Case) any { return c.Recovered() })
	still := asked(func(c *wait.Case) any { return one(c.StillMounted()) })
	unmounts := func(kind model.Kind, at float64, node string) *model.Observation {
		return of(kind, at, node, volume, component("kubelet"))
	}
	failed := unmounts(model.UnmountFailed, 30, "node-a")
	worked := asked(func(c *wait.Case) any { return len(c.WorkedAt(c.DetachRequested)) })
	unzoned := func(o *model.Observation) *model.Observation {
		o.Input, o.At.Basis, o.Last.Basis = "kubelet.log", model.Assumed, model.Assumed
		return o
	}
	returned := asked(func(c *wait.Case) any { return c.Returned() })
	byHand := asked(func(c *wait.Case) any { return c.Held().ByHand })
	mounted := asked(func(c *wait.Case) any { return c.TakenMounted().Mounted })
	errors := asked(func(c *wait.Case) any { return len(c.DetachErrors) })
	before := asked(func(c *wait.Case) any { return len(c.DetachErrorsBefore(after(55))) })
	shut := asked(func(c *wait.Case) any { return one(c.ShutDown()) })
	exclusively := of(model.MultiAttach, 0, variant(model.ExclusivelyAttached))
	other := model.PodRef("prod", "other", "u-other")
	leader := func(at float64) *model.Observation { return of(model.LeaderAcquired, at, kcm) }
	for _, tt := range []struct {
		rule string
		told told
		ask  asked
		want any
	}{
		{"the request that ended the attachment", told{request, ended}, removal, true},
		{"an object that is gone is no request", told{request, of(model.AttachmentGone, 60, onA)}, removal, false},
		{"the end of another", told{request, of(model.AttachmentGone, 60, onB, audit)}, removal, false},
		{"who asked for the deletion", told{request}, deletions, 1},
		{"nobody is named", told{of(model.AttachmentDeletionRequested, 50, onA, audit)}, deletions, 0},
		{"a third program's log", told{of(model.AttachmentDeletionRequested, 50, onA, component("reclaimer"))}, deletions, 1},
		{"the controller's own log", told{of(model.AttachmentDeletionRequested, 50, onA, kcm)}, deletions, 0},
		{"an event of a third program", told{of(model.AttachmentDeletionRequested, 50, onA, event, component("reclaimer"))}, deletions, 0},
		{"of a later life on the old node", told{attached, made, of(model.AttachSucceeded, 80, "node-a", volume),
			of(model.AttachmentDeletionRequested, 90, onA, audit, actor("admin"))}, deletions, 0},
		{"calls of the detach", told{of(model.AttacherDetaching, 50, onA), of(model.AttacherDetached, 52, onA),
			of(model.AttacherFailed, 51, onA)}, calls, 3},
		{"a failed attach is none", told{of(model.AttacherFailed, 51, onA, detail("failed to attach: x"))}, calls, 0},
		{"nor what the object shows", told{of(model.AttacherDetached, 52, onA, audit)}, calls, 0},
		{"tries since the request", told{request, of(model.AttacherDetaching, 49.5, onA), of(model.AttacherDetaching, 60, onA)}, tries, 2},
		{"one before it is of another detach", told{request, of(model.AttacherDetaching, 48.9, onA)}, tries, 0},
		{"without a request there is none", told{of(model.AttacherAttaching, 40, onA)}, tries, 0},
		{"a first try when most was over", told{request, of(model.AttacherDetaching, 61, onA)}, late, true},
		{"at half of it", told{request, of(model.AttacherDetaching, 60, onA)}, late, true},
		{"before half of it", told{request, of(model.AttacherDetaching, 59.9, onA)}, late, false},
		{"the driver refuses", told{of(model.AttachFailed, 10, "node-b", volume, refusal)}, refused, 1},
		{"of no node", told{of(model.AttachFailed, 10, volume, refusal)}, refused, 1},
		{"another node", told{of(model.AttachFailed, 10, "node-c", volume, refusal)}, refused, 0},
		{"with another code", told{of(model.AttachFailed, 10, "node-b", volume, detail("rpc error: code = Internal"))}, refused, 0},
		{"before the wait", told{of(model.AttachFailed, -1, "node-b", volume, refusal)}, refused, 0},
		{"a detach that is known to have begun", told{request}, begun, true},
		{"one of which only wide bounds are", told{of(model.DetachStarted, 50, "node-c", volume)}, begun, false},
		{"a leader between release and force", told{lost, of(model.PodGone, 20, oldPod, audit), leader(100), force}, restarted, true},
		{"before the release", told{lost, of(model.PodGone, 20, oldPod, audit), leader(10), force}, restarted, false},
		{"after the force", told{lost, of(model.PodGone, 20, oldPod, audit), leader(401), force}, restarted, false},
		{"without force", told{lost, of(model.PodGone, 20, oldPod, audit), leader(100)}, restarted, false},
		{"two records of a leader", told{leader(100), leader(104.9), of(model.NodeHeartbeat, 300, "node-c")}, failovers, 1},
		{"two leaders", told{leader(100), leader(105), of(model.NodeHeartbeat, 300, "node-c")}, failovers, 2},
		{"a Lease alone", told{of(model.LeaderAcquired, 100, kcm, model.SourceManifest), of(model.NodeHeartbeat, 300, "node-c")},
			failovers, 1},
		{"a Lease whose clock contradicts the log's", told{of(model.LeaderAcquired, -500, kcm, detail("kube-system/kube-controller-manager")),
			of(model.LeaderAcquired, 100, kcm, model.SourceManifest), of(model.NodeHeartbeat, 300, "node-c")}, failovers, 0},
		{"of another component", told{of(model.LeaderAcquired, 100, component("kube-scheduler"))}, failovers, 0},
		{"before the wait no leader counts", told{leader(-1)}, failovers, 0},
		{"tainted still", told{oos}, tainted, true},
		{"and the taint was removed", told{oos, of(model.NodeUntainted, 20, "node-a", oosKey)}, tainted, false},
		{"another had been removed before", told{oos, of(model.NodeUntainted, 5, "node-a", oosKey)}, tainted, true},
		{"of a wait that is over", told{oos, attached}, tainted, false},
		{"the API has no such Node", told{of(model.NodeHealthUnknown, 10, "node-a", kcm, detail("node \"node-a\" not found"))}, inVain, 1},
		{"it does not answer", told{of(model.NodeHealthUnknown, 10, "node-a", kcm, detail("timeout"))}, inVain, 0},
		{"before the wait it was another matter", told{of(model.NodeHealthUnknown, -1, "node-a", kcm, detail("node \"node-a\" not found"))},
			inVain, 0},
		{"said by another", told{of(model.NodeHealthUnknown, 10, "node-a", component("scheduler"), detail("node \"node-a\" not found"))}, inVain,
			0},
		{"the attachment was made", told{of(model.AttachmentCreated, -500, onA, audit), of(model.AttacherAttaching, -499, onA)}, created, "-500"},
		{"by its object, and not by the age in a row of it", told{of(model.AttachmentCreated, -500, onA, model.SourceManifest),
			aged(of(model.AttachmentCreated, -499, onA, model.SourceText))}, created, "-500"},
		{"by the row of another creation", told{of(model.AttachmentCreated, -900, onA, model.SourceManifest),
			aged(of(model.AttachmentCreated, -499, onA, model.SourceText))}, created, "-509 -499 -489"},
		{"by the attacher's line", told{of(model.AttacherAttaching, -499, onA)}, created, "-499"},
		{"by the controller's", told{of(model.AttachStarted, -498, "node-a", volume)}, created, "-498"},
		{"of another node", told{of(model.AttachStarted, -498, "node-c", volume)}, created, "unknown"},
		{"in the wait it is another", told{of(model.AttachmentCreated, 5, onA, audit)}, created, "unknown"},
		{"a loss shortly before", told{lost}, lasted, true},
		{"a quarter of an hour before", told{of(model.NodeNotReady, -901, "node-a")}, lasted, false},
		{"of which something tells again", told{of(model.NodeNotReady, -901, "node-a"), of(model.NodeHeartbeatMissed, -60, "node-a")}, lasted,
			true},
		{"of another node again", told{of(model.NodeNotReady, -901, "node-a"), of(model.NodeHeartbeatMissed, -60, "node-c")}, lasted, false},
		{"or its Node was gone", told{of(model.NodeNotReady, -901, "node-a"), of(model.NodeDeleted, 10, "node-a", audit)}, lasted, true},
		{"or the force needs it", told{of(model.NodeNotReady, -901, "node-a"), force}, lasted, true},
		{"Ready on the new node", told{attached, made, of(model.PodReady, 90, newPod, event)}, readyAfter, true},
		{"attached only", told{attached, made}, readyAfter, false},
		{"attached, and its pod is deleted", told{attached, made, of(model.PodDeletionRequested, 100, newPod, audit)}, readyAfter, true},
		{"unmounted after it was free for others", told{request, ended, attached, made, unmounts(model.UnmountSucceeded, 70.1, "node-a")}, still, true},
		{"as late as clocks may lie apart", told{request, ended, attached, made, unmounts(model.UnmountSucceeded, 70, "node-a")}, still, false},
		{"tried after it", told{request, ended, attached, made, unmounts(model.UnmountFailed, 71, "node-a")}, still, true},
		{"mounted after it", told{request, ended, attached, made, unmounts(model.MountSucceeded, 71, "node-a")}, still, false},
		{"unmounted on another node", told{request, ended, attached, made, unmounts(model.UnmountSucceeded, 71, "node-b")}, still, false},
		{"unmounted, and not attached elsewhere", told{request, ended, unmounts(model.UnmountSucceeded, 71, "node-a")}, still, false},
		{"unmounted, and its end not known", told{attached, made, unmounts(model.UnmountSucceeded, 71, "node-a")}, still, false},
		{"by a log whose zone nothing tells", told{request, ended, attached, made, unzoned(unmounts(model.UnmountSucceeded, 71, "node-a"))}, still, false},
		{"the node worked by a log whose zone nothing tells", told{request, ended, unzoned(unmounts(model.UnmountSucceeded, 71, "node-a"))}, worked, 0},
		{"the node worked", told{request, ended, unmounts(model.UnmountSucceeded, 71, "node-a")}, worked, 1},
		{"of the device", told{request, ended, attached, made, of(model.UnmountSucceeded, 71, "node-a", volume, component("kubelet"), detail(model.OfDevice))}, still, false},
		{"after a failed try", told{failed, request, ended, attached, made, unmounts(model.UnmountSucceeded, 62.1, "node-a")}, still, true},
		{"as late as clocks that are set lie apart", told{failed, request, ended, attached, made, unmounts(model.UnmountSucceeded, 62, "node-a")}, still, false},
		{"or nobody waits", told{of(model.PodDeletionRequested, 100, newPod, audit)}, readyAfter, true},
		{"the old node got it again", told{request, ended, of(model.AttachmentCreated, 80, onA, audit)}, returned, true},
		{"the wanted one did", told{request, ended, of(model.AttachmentCreated, 80, onB, audit)}, returned, false},
		{"the controller asked", told{request}, byHand, model.False},
		{"somebody did", told{of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin"))}, byHand, model.True},
		{"the controller's line says that it did", told{of(model.DetachStarted, 50, "node-a", volume)}, byHand, model.False},
		{"a line of another node does not", told{of(model.AttacherDetaching, 50, onA), of(model.DetachStarted, 50, "node-c", volume)}, byHand,
			model.Unknown},
		{"of no deletion nothing is known", told{lost}, byHand, model.Unknown},
		{"taken at the end of the six minutes", told{exclusively, of(model.DetachForcedTimeout, 360, "node-a", volume)}, mounted, model.True},
		{"as late as one is", told{exclusively, of(model.DetachForcedTimeout, 369.9, "node-a", volume)}, mounted, model.True},
		{"later", told{exclusively, of(model.DetachForcedTimeout, 370, "node-a", volume)}, mounted, model.Unknown},
		{"a report that came late", told{exclusively, of(model.DetachForcedTimeout, 180.5, "node-a", volume)}, mounted, model.True},
		{"no later than a failed detach is tried again", told{exclusively, of(model.DetachForcedTimeout, 179.5, "node-a", volume)}, mounted, model.Unknown},
		{"its Node was gone", told{lost, of(model.NodeDeleted, 100, "node-a", audit), of(model.PodGone, 43, oldPod, audit), force}, mounted,
			model.True},
		{"after a detach that failed", told{exclusively, of(model.DetachFailed, 60, "node-a", volume),
			of(model.DetachForcedTimeout, 360, "node-a", volume)}, mounted, model.Unknown},
		{"a leader counted anew", told{exclusively, leader(100), of(model.DetachForcedTimeout, 460, "node-a", volume)}, mounted, model.True},
		{"and not from the report", told{exclusively, leader(100), of(model.DetachForcedTimeout, 360, "node-a", volume)}, mounted, model.Unknown},
		{"the detach failed", told{of(model.DetachFailed, 60, "node-a", volume), of(model.AttachmentDetachError, 61, onA)}, errors, 2},
		{"by a clock that contradicts others", told{of(model.AttachmentDetachError, 61, onA, audit), of(model.PodScheduled, -900, other, audit),
			of(model.PodScheduled, -200, other, model.SourceManifest)}, errors, 0},
		{"by one that agrees", told{of(model.AttachmentDetachError, 61, onA, audit), of(model.PodScheduled, -200, other, audit),
			of(model.PodScheduled, -200, other, model.SourceManifest)}, errors, 1},
		{"from another node", told{of(model.DetachFailed, 60, "node-c", volume), of(model.AttachmentDetachError, 61, onB)}, errors, 0},
		{"the attacher failed since the request", told{request, of(model.AttacherFailed, 51, onA, detail("x"))}, errors, 1},
		{"before it that was no detach", told{request, of(model.AttacherFailed, 49, onA, detail("x"))}, errors, 0},
		{"nor is a failed attach", told{request, of(model.AttacherFailed, 51, onA, detail("failed to attach: x"))}, errors, 0},
		{"failures until then", told{of(model.DetachFailed, 54, "node-a", volume), of(model.DetachFailed, 55, "node-a", volume)}, before, 1},
		{"the machine is shut down", told{of(model.NodeTainted, 10, "node-a", detail("node.cloudprovider.kubernetes.io/shutdown:NoSchedule"))},
			shut, true},
		{"another taint", told{of(model.NodeTainted, 10, "node-a", detail("node.kubernetes.io/unreachable:NoExecute"))}, shut, false},
		{"the taint was taken off before any detach", told{oos, untaint, request}, lifted, true},
		{"it stands", told{oos, request}, lifted, false},
		{"it was set again", told{oos, untaint, of(model.NodeTainted, 40, "node-a", oosKey)}, lifted, false},
		{"another was taken off", told{oos, of(model.NodeUntainted, 30, "node-a", detail("x=y:NoExecute"))}, lifted, false},
		{"a detach began under it", told{oos, of(model.NodeUntainted, 55, "node-a", oosKey), request}, lifted, false},
		{"a detach by force is one", told{oos, untaint, of(model.DetachForcedTaint, 20, "node-a", volume)}, lifted, false},
		{"the attacher's log covers the detach and is silent", told{request, ended,
			of(model.AttacherAttaching, 30, "x", component("external-attacher")), attached, made}, silent, false},
		{"samples are no request", told{of(model.AttachmentGone, 60, onA, metric)}, removal, false},
	} {
		if got := tt.ask(waits(t, tt.told...)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.rule, got, tt.want)
		}
	}
}

// TestDoneBy: what is read as an action of whom, each with its near miss.
func TestDoneBy(t *testing.T) {
	type told = []*model.Observation
	audit, event := model.SourceAudit, model.SourceEvent
	lost := of(model.NodeNotReady, -100, "node-a", detail("Unknown"))
	taint := detail("node.kubernetes.io/out-of-service=x:NoExecute")
	for _, tt := range []struct {
		rule string
		told told
		want string
	}{
		{"a deletion", told{of(model.PodDeletionRequested, -20, oldPod, audit, actor("admin"))}, "deleted-pod db-old true"},
		{"without grace", told{of(model.PodDeletionRequested, -20, oldPod, audit, actor("admin"), detail("grace 0s"))},
			"force-deleted-pod db-old true"},
		{"by the eviction API", told{of(model.PodDeletionRequested, -20, oldPod, audit, actor("admin"), detail("eviction"))},
			"evicted-pod db-old true"},
		{"by the taint eviction", told{of(model.PodDeletionRequested, -20, oldPod, audit,
			actor("system:serviceaccount:kube-system:node-controller"))}, "deleted-pod db-old false"},
		{"by nobody that is known", told{of(model.PodDeletionRequested, -20, oldPod, event)}, "deleted-pod db-old unknown"},
		{"pod GC", told{of(model.PodForceDeleted, 20, oldPod)}, "force-deleted-pod db-old false"},
		{"of another pod", told{of(model.PodForceDeleted, 20, model.PodRef("prod", "db-x", "u-x"))}, ""},
		{"in a log, on a lost node: not the kubelet's", told{lost, of(model.PodDeletionRequested, 20, oldPod, detail("grace 0s"))},
			"force-deleted-pod db-old unknown"},
		{"in a log, on a node that works: it may be", told{of(model.PodDeletionRequested, 20, oldPod, detail("grace 0s"))}, ""},
		{"of a new pod: it may be", told{lost, of(model.PodDeletionRequested, 20, newPod, detail("grace 0s"))}, ""},
		{"after its Node was gone: it may be", told{lost, of(model.NodeDeleted, 10, "node-a", audit, actor("admin")),
			of(model.PodDeletionRequested, 20, oldPod, detail("grace 0s"))}, "deleted-node node-a true"},
		{"samples on a lost node: it may be the eviction's", told{lost, of(model.PodDeletionRequested, 20, oldPod, model.SourceMetric)}, ""},
		{"on one that works", told{of(model.PodDeletionRequested, -20, oldPod, model.SourceMetric)}, "deleted-pod db-old unknown"},
		{"the taint", told{of(model.NodeTainted, 30, "node-a", taint, audit, actor("admin"))}, "tainted-out-of-service node-a true"},
		{"of a node that has no part in it", told{of(model.NodeTainted, 30, "node-c", taint, audit, actor("admin"))}, ""},
		{"another taint", told{of(model.NodeTainted, 30, "node-a", detail("x:NoExecute"), audit, actor("admin"))}, "tainted-no-execute node-a true"},
		{"a taint that evicts nobody", told{of(model.NodeTainted, 30, "node-a", detail("x:NoSchedule"), audit, actor("admin"))}, ""},
		{"of the node controller", told{of(model.NodeTainted, 30, "node-a", detail("node.kubernetes.io/not-ready:NoExecute"), audit)}, ""},
		{"long after the wait", told{of(model.PodDeletionRequested, 100, newPod, audit, actor("admin")),
			of(model.NodeCordoned, 900, "node-a", audit, actor("admin"))}, "deleted-pod db-new true"},
		{"an attachment", told{of(model.AttachmentDeletionRequested, 50, onA, audit, actor("admin"))}, "deleted-attachment csi true"},
		{"whose deletion names nobody", told{of(model.AttachmentDeletionRequested, 50, onA, audit),
			of(model.DetachStarted, 50, "node-a", volume)}, ""},
		{"its last finalizer", told{of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller)),
			of(model.AttachmentGone, 60, onA, audit, actor("admin"), detail("last finalizer removed"))},
			"deleted-attachment csi false, removed-finalizer csi true"},
		{"its end is no action", told{of(model.AttachmentDeletionRequested, 50, onA, audit, actor(controller)),
			of(model.AttachmentGone, 60, onA, audit, actor("admin"))}, "deleted-attachment csi false"},
		{"two sources of one deletion", told{of(model.PodDeletionRequested, -20, oldPod, audit, actor("admin")),
			of(model.PodDeletionRequested, -11, oldPod, event)}, "deleted-pod db-old true"},
		{"two deletions", told{of(model.PodDeletionRequested, -31, oldPod, audit, actor("admin")),
			of(model.PodDeletionRequested, -20, oldPod, event)}, "deleted-pod db-old true, deleted-pod db-old unknown"},
	} {
		var got []string
		for _, a := range wait.Actions(waits(t, tt.told...)) {
			name := a.Object.Name
			if strings.HasPrefix(name, "csi-") {
				name = "csi"
			}
			if !a.Inferred {
				got = append(got, fmt.Sprintf("%s %s %s", a.What, name, a.ByPerson))
			}
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: %s, want %s", tt.rule, text, tt.want)
		}
	}
}
