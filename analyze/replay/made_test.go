package replay_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// built is a case for one rule of how a scenario is made. Its instants are written as words, in seconds after the first report:
// Released=10, Gone=10..40, and Began=- for none; +Before is a field that is true.
type built struct {
	name, words string
	change      func(*wait.Case)
}

func (b built) build(t *testing.T) *wait.Case {
	t.Helper()
	c := cases.Made("v1.34.0")
	c.Attachment = wait.Attachment{Name: "csi-1", Basis: model.NameLog}
	c.OldPods, c.NewPods = []model.Ref{podRef("db-0")}, []model.Ref{podRef("db-1")}
	c.Span = model.Span{From: c.Began.Moment, To: cases.At(2000, model.Observation{}).Moment}
	v := reflect.ValueOf(c).Elem()
	for word := range strings.FieldsSeq(b.words) {
		name, value, _ := strings.Cut(word, "=")
		if flag, yes := strings.CutPrefix(name, "+"); yes {
			v.FieldByName(flag).SetBool(true)
			continue
		}
		from, to, two := strings.Cut(value, "..")
		lo, err := strconv.ParseFloat(from, 64)
		if err != nil {
			t.Fatalf("%s: %s", b.name, word)
		}
		i := cases.At(lo, model.Observation{Kind: "made"})
		if two {
			hi, _ := strconv.ParseFloat(to, 64)
			i.Moment = model.Between(i.At, cases.At(hi, model.Observation{}).At)
		}
		v.FieldByName(name).Set(reflect.ValueOf(i))
	}
	if b.change != nil {
		b.change(c)
	}
	return c
}

func podRef(name string) model.Ref { return model.Ref{Kind: "Pod", Namespace: "prod", Name: name} }

// over makes the world of a case anew with more in it.
func over(change func(*model.Snapshot)) func(*wait.Case) {
	return func(c *wait.Case) {
		s := *c.World.Snapshot
		change(&s)
		driver := c.Volume.Driver
		c.World = facts.NewWorld(&s)
		c.Volume = c.World.Volumes.Find(cases.PV)
		c.Volume.Driver = driver
	}
}

// saw are observations in the world.
func saw(list ...*model.Observation) func(*wait.Case) {
	return over(func(s *model.Snapshot) {
		for _, o := range list {
			s.Observations = append(s.Observations, *o)
		}
	})
}

func both(changes ...func(*wait.Case)) func(*wait.Case) {
	return func(c *wait.Case) {
		for _, change := range changes {
			change(c)
		}
	}
}

// captured is when the bundle was collected.
func captured(at float64) func(*wait.Case) {
	return over(func(s *model.Snapshot) { s.CapturedAt = new(cases.At(at, model.Observation{}).Moment) })
}

// noPods is a complete list of pods, which has none.
var noPods = over(func(s *model.Snapshot) { s.Lists = append(s.Lists, model.Listed{Kind: "Pod"}) })

func object[T any](kind, name string, o T) model.Object[T] {
	return model.Object[T]{Ref: model.Ref{Kind: kind, Name: name}, Content: model.Whole(o)}
}

// ready is the old node, Ready since before.
var ready = over(func(s *model.Snapshot) {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-a"}, Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(cases.Began.Add(-1e12))},
	}}}
	s.Nodes = append(s.Nodes, object("Node", "node-a", n))
})

// pods are the old and the new one, with a grace period and a toleration.
func pods(old, fresh *int64) func(*wait.Case) {
	return over(func(s *model.Snapshot) {
		for n, seconds := range []*int64{old, fresh} {
			p := &corev1.Pod{Spec: corev1.PodSpec{TerminationGracePeriodSeconds: seconds,
				Tolerations: []corev1.Toleration{{Key: "node.kubernetes.io/unreachable", TolerationSeconds: seconds}}}}
			s.Pods = append(s.Pods, model.Object[*corev1.Pod]{Ref: podRef(fmt.Sprint("db-", n)), Content: model.Whole(p)})
		}
	})
}

func set(name string) func(*wait.Case) {
	return func(c *wait.Case) { c.Workload = &model.Ref{Kind: name, Namespace: "prod", Name: "db"} }
}

func names(old, fresh string) func(*wait.Case) {
	return func(c *wait.Case) {
		c.OldPods, c.NewPods = []model.Ref{podRef(old)}, []model.Ref{podRef(fresh)}
		if fresh == "" {
			c.NewPods = nil
		}
	}
}

func failed(at float64, text string) func(*wait.Case) {
	return func(c *wait.Case) {
		c.DetachErrors = append(c.DetachErrors, cases.Seen(at, model.Observation{Kind: model.DetachFailed, Detail: text}))
	}
}

func forced(kind model.Kind, at float64) func(*wait.Case) {
	return func(c *wait.Case) { c.Forced = cases.At(at, model.Observation{Kind: kind}) }
}

// stillMounted is the controller's word of a time that the volume is mounted.
func stillMounted(at float64) func(*wait.Case) {
	o := cases.Seen(at, model.Observation{Kind: model.DetachStillMounted, Node: "node-a", Volume: cases.PV})
	o.Last = o.At
	return saw(o)
}

func failover(at float64) func(*wait.Case) {
	return func(c *wait.Case) { c.Failovers = append(c.Failovers, cases.At(at, model.Observation{})) }
}

// told is a request that an audit log has, by somebody.
func told(at float64, user string, o model.Observation) func(*wait.Case) {
	o.Source.Kind, o.Actor, o.Agent = model.SourceAudit, user, "kubectl/v1.34.0"
	return saw(cases.Seen(at, o))
}

func byProgram(at float64, user string, o model.Observation) func(*wait.Case) {
	o.Source.Kind, o.Actor, o.Agent = model.SourceAudit, user, "reaper/v1.0"
	return saw(cases.Seen(at, o))
}

func deletion(name, how string) model.Observation {
	return model.Observation{Kind: model.PodDeletionRequested, Pod: podRef(name), Detail: how}
}

func ofNode(kind model.Kind, name, detail string) model.Observation {
	return model.Observation{Kind: kind, Node: name, Object: model.Ref{Kind: "Node", Name: name}, Detail: detail}
}

const (
	taint = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	down  = "NotReady=-100 DeletionRequested=-60 "
	broke = "rpc error: code = Internal desc = back end is down"
)

func attached(c *wait.Case) {
	va := &storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "csi-1"}}
	o := object("VolumeAttachment", "csi-1", va)
	c.Attachment.Object = &o
}

// row is that of a pasted table of nodes.
var row = func() *model.Observation {
	o := cases.Seen(0, ofNode(model.NodeNotReady, "node-a", ""))
	o.At, o.Source.Kind = model.Moment{}, model.SourceText
	return o
}()

// scenarios are the rules by which a scenario is made, each with its near miss.
var scenarios = []built{
	{"nothing is known", "", nil},
	{"lost", "NotReady=-100 Heartbeat=-140 BackReady=300", nil},
	{"lost before the attach", "NotReady=59 Attached=60", nil},
	{"lost with the attach", "NotReady=60 Attached=60", nil},
	{"a table shows it lost", "", saw(row)},
	{"a table shows it lost, and it was deleted", "NodeGone=-10", saw(row, cases.Seen(-10, ofNode(model.NodeDeleted, "node-a", "")))},
	{"Ready", "", ready},
	{"deleted by nobody known", "NodeGone=20", saw(cases.Seen(20, ofNode(model.NodeDeleted, "node-a", "")))},
	{"deleted by a person", "NodeGone=20", told(20, "alice", ofNode(model.NodeDeleted, "node-a", ""))},
	{"a new leader", down, failover(30)},
	{"by force, by the timer", down + "Released=10", forced(model.DetachForcedTimeout, 370)},
	{"by force, by the taint", down + "Released=10", forced(model.DetachForcedTaint, 370)},

	{"finished with the report", "OldPodFinished=1 Released=5", nil},
	{"finished after it", "OldPodFinished=1.5 Released=5", nil},
	{"finished after it, and not released", "OldPodFinished=1.5", nil},
	{"deleted with the loss", "NotReady=-100 DeletionRequested=-100", nil},
	{"deleted before it", "NotReady=-100 DeletionRequested=-101", nil},
	{"deleted on a node that is Ready", "DeletionRequested=-60", ready},
	{"deleted, and finished", down + "OldPodFinished=-50", nil},
	{"released by force", down + "Released=50", told(50, "alice", deletion("db-0", "grace 0s"))},
	{"released a second before", down + "Released=49", told(50, "alice", deletion("db-0", "grace 0s"))},
	{"released before", down + "Released=48.9", told(50, "alice", deletion("db-0", "grace 0s"))},
	{"released by a deletion", "DeletionRequested=20 Released=50", both(ready, told(20, "alice", deletion("db-0", "30s")))},
	{"released within bounds, and the attachment deleted", down + "Released=10..50",
		told(60, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"released within a second, and the attachment deleted", down + "Released=10..11",
		told(60, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"ended by nobody known", down + "Released=50", nil},
	{"ended when the node was back", down + "BackReady=40 Released=50", nil},
	{"ended with the node's return", down + "BackReady=50 Released=50", nil},
	{"ended, and not evicted", "NotReady=-100 DeletionRequested=-200 Released=50", nil},
	{"made again", "Released=10 +Remade", nil},
	{"made again, and asked for", "Released=10 DetachRequested=20 +Remade", nil},
	{"the taint evicted it", down + "DetachRequested=300", func(c *wait.Case) {
		told(20, "alice", ofNode(model.NodeTainted, "node-a", taint))(c)
		c.DeletionRequested = cases.At(21, model.Observation{})
	}},
	{"the taint on a node that is Ready", "DetachRequested=300", func(c *wait.Case) {
		told(20, "alice", ofNode(model.NodeTainted, "node-a", taint))(c)
		c.DeletionRequested = cases.At(21, model.Observation{})
	}},
	{"ended by two acts", "NotReady=-100 Released=50",
		both(told(10, "alice", ofNode(model.NodeTainted, "node-a", taint)), told(20, "alice", deletion("db-0", "grace 0s")))},
	{"a taint that was taken back", "NotReady=-100 Released=50", both(told(10, "alice", ofNode(model.NodeTainted, "node-a", taint)),
		told(11, "alice", ofNode(model.NodeUntainted, "node-a", taint)))},
	{"a taint that was removed later", "NotReady=-100 Released=50", both(told(10, "alice", ofNode(model.NodeTainted, "node-a", taint)),
		told(60, "alice", ofNode(model.NodeUntainted, "node-a", taint)))},
	{"forced by a program of somebody", "NotReady=-100 Released=50", byProgram(50, "system:serviceaccount:ops:reaper", deletion("db-0", "grace 0s"))},
	{"forced by one of Kubernetes", "NotReady=-100 Released=50", byProgram(50, "system:serviceaccount:kube-system:node-controller", deletion("db-0", "grace 0s"))},
	{"the taint came after", down + "DetachRequested=300", func(c *wait.Case) {
		told(20, "alice", ofNode(model.NodeTainted, "node-a", taint))(c)
		c.DeletionRequested = cases.At(19, model.Observation{})
	}},
	{"the taint came long before", down + "DetachRequested=300", func(c *wait.Case) {
		told(20, "alice", ofNode(model.NodeTainted, "node-a", taint))(c)
		c.DeletionRequested = cases.At(40, model.Observation{})
	}},

	{"gone at the collection", "DeletionRequested=40", both(captured(100), noPods)},
	{"gone at the collection, and never deleted", "", both(captured(100), noPods)},
	{"gone at the collection, lost long before", "NotReady=-100", both(captured(1000), noPods)},
	{"gone at the collection, lost before", "NotReady=-100 DeletionRequested=700", both(captured(1000), noPods)},
	{"gone, and no detach by force", "NotReady=-100", both(captured(1000), noPods, flag("true"))},
	{"gone, and a flag that the version does not know", "NotReady=-100", both(captured(1000), noPods, version("v1.29.0"), flag("true"))},
	{"gone, and a flag that an unknown version may know", "NotReady=-100", both(captured(1000), noPods, version("x"), flag("true"))},
	{"gone, and a flag that is off", "NotReady=-100", both(captured(1000), noPods, flag("false"))},
	{"gone before it was deleted", "DeletionRequested=101", both(captured(100), noPods)},
	{"gone, and attached", "Attached=50", both(captured(100), noPods)},
	{"gone, and released", "Released=50", both(captured(100), noPods)},
	{"gone, and finished", "OldPodFinished=0", both(captured(100), noPods)},
	{"gone, and made again", "+Remade", both(captured(100), noPods)},
	{"gone, and ended by a person", "DeletionRequested=40", both(captured(100), noPods, told(40, "alice", deletion("db-0", "30s")))},
	{"not in a list", "DeletionRequested=40", captured(100)},

	{"a StatefulSet's next pod", "DeletionRequested=10 Created=60", both(set("StatefulSet"), names("db-0", "db-0"))},
	{"a StatefulSet's other pod", "DeletionRequested=10 Created=60", both(set("StatefulSet"), names("db-0", "db-1"))},
	{"a Deployment's pod of that name", "DeletionRequested=10 Created=60", both(set("Deployment"), names("db-0", "db-0"))},
	{"no pod yet", "+Before DeletionRequested=10", names("db-0", "")},
	{"no pod yet, and one is known", "+Before DeletionRequested=10", nil},
	{"made before the deletion", "DeletionRequested=10 Created=8.9", nil},
	{"made with it", "DeletionRequested=10 Created=9", nil},
	{"made before the end", "OldPodFinished=0 Created=-1.1", nil},
	{"made with nothing deleted", "Created=60", nil},
	{"scheduled", "DeletionRequested=-10 Created=-9 Scheduled=-3", nil},
	{"scheduled, and not known to be made", "DeletionRequested=-10 Scheduled=-3", nil},

	{"its own attach and detach", "Released=0 DetachRequested=10 Gone=13 NewAttachment=14 Attached=18", nil},
	{"an attach as long as a call", "NewAttachment=14 Attached=133.9", nil},
	{"an attach that is longer", "NewAttachment=14 Attached=134", nil},
	{"an attach after a failed detach", "NewAttachment=14 Attached=18", failed(3, broke)},
	{"a detach within bounds", "DetachRequested=10 Gone=12..19.9", nil},
	{"a detach within wide bounds", "DetachRequested=10 Gone=12..20", nil},
	{"a detach after a failed one", "DetachRequested=10 Gone=13", failed(11, broke)},
	{"a detach that is known before it was asked for", "DetachRequested=10 Gone=9", nil},
	{"how long the pod took to end", "DeletionRequested=-20 Released=5", ready},
	{"released before it was deleted", "DeletionRequested=20 Released=5", ready},
	{"released with the deletion", "DeletionRequested=5 Released=5", ready},
	{"released, and never deleted", "Released=5", ready},
	{"on a lost node", "NotReady=-100 DeletionRequested=-20 Released=5", nil},
	{"on one that was lost then", "NotReady=5 DeletionRequested=-20 Released=5", nil},

	{"unmounted at once", down + "Released=10 DetachRequested=11.4", nil},
	{"not at once", down + "Released=10 DetachRequested=11.5", nil},
	{"at once, and by force", down + "Released=10 DetachRequested=11.4", forced(model.DetachForcedTaint, 11.4)},
	{"at once, as the node came back", down + "Released=10 BackReady=11.4 DetachRequested=11.4", nil},
	{"as asked for, and attached", "DeletionRequested=-20 Released=10 DetachRequested=17 Attached=30", ready},
	{"free right after the release", "DeletionRequested=-20 Released=10 Attached=20.5", ready},
	{"free as late as an ordinary end", "DeletionRequested=-20 Attached=32", ready},
	{"free later", "DeletionRequested=-20 Attached=32.1", ready},
	{"at once, when the node was back", down + "Released=10 BackReady=11 DetachRequested=11.4", nil},
	{"as asked for", "DeletionRequested=-20 Released=10 DetachRequested=17", ready},
	{"never asked for", "DeletionRequested=-20 Released=10", ready},
	{"as asked for, although it failed once", "DeletionRequested=-20 Released=0 DetachRequested=10 Gone=30", both(ready, failed(11, broke))},
	{"free right after the deletion", "DeletionRequested=10 Attached=20.5", ready},
	{"free before the deletion", "DeletionRequested=10 Attached=19.5", ready},
	{"never asked for, and attached", "DeletionRequested=-20 Released=10 Attached=40", ready},
	{"never asked for, and attached late", "DeletionRequested=-20 Released=10 Attached=140", ready},
	{"gone without a request", "DeletionRequested=-20 Released=10 Gone=30", ready},
	{"gone without a request, on a lost node", down + "Released=10 Gone=30", nil},
	{"gone without a request, by force", "DeletionRequested=-20 Released=10 Gone=380", both(ready, forced(model.DetachForcedTimeout, 370))},
	{"by the timer of an old version", "DeletionRequested=-20 Released=10 DetachRequested=370 Attached=380",
		both(ready, version("v1.23.9"), forced(model.DetachForcedTimeout, 370))},
	{"by the timer of a newer one", "DeletionRequested=-20 Released=10 DetachRequested=370 Attached=380",
		both(ready, forced(model.DetachForcedTimeout, 370))},
	{"after the timer of an old version", "DeletionRequested=-20 Released=10 DetachRequested=500 Attached=510",
		both(ready, version("v1.23.9"), forced(model.DetachForcedTimeout, 500))},
	{"by the taint in an old version, found mounted", "DeletionRequested=-20 Released=10 DetachRequested=370 Attached=380",
		both(ready, version("v1.23.9"), forced(model.DetachForcedTaint, 370), stillMounted(369))},
	{"by the timer in it, found mounted", "DeletionRequested=-20 Released=10 DetachRequested=500 Attached=510",
		both(ready, version("v1.23.9"), forced(model.DetachForcedTimeout, 500), stillMounted(499))},
	{"deleted by a person, and asked for", "DeletionRequested=20 Released=40 DetachRequested=47",
		both(ready, told(20, "alice", deletion("db-0", "30s")))},
	{"deleted by a person, with the request", "DeletionRequested=47 Released=47.5 DetachRequested=47",
		both(ready, told(47, "alice", deletion("db-0", "30s")))},
	{"deleted by a person, and asked for soon", "DeletionRequested=44 Released=46 DetachRequested=47",
		both(ready, told(44, "alice", deletion("db-0", "30s")))},
	{"deleted by a person, and released", "DeletionRequested=20 Released=40", both(ready, told(20, "alice", deletion("db-0", "30s")))},
	{"deleted by a person, and released at once", "DeletionRequested=40 Released=40", both(ready, told(40, "alice", deletion("db-0", "30s")))},
	{"deleted by a person on a lost node, and released", "NotReady=-100 DeletionRequested=20 Released=40",
		told(20, "alice", deletion("db-0", "30s"))},
	{"the Node deleted by a person, and released", "NodeGone=20 Released=50", told(20, "alice", ofNode(model.NodeDeleted, "node-a", ""))},
	{"deleted by a person, and attached", "DeletionRequested=20 Released=40 Attached=60",
		both(ready, told(20, "alice", deletion("db-0", "30s")))},
	{"deleted by a person, and attached late", "DeletionRequested=20 Attached=60", both(ready, told(20, "alice", deletion("db-0", "30s")))},
	{"the unmount fails", "DeletionRequested=-20 Released=10",
		both(ready, saw(cases.Seen(30, model.Observation{Kind: model.UnmountFailed, Node: "node-a", Volume: cases.PV}),
			cases.Seen(20, model.Observation{Kind: model.UnmountFailed, Node: "node-a", Volume: cases.PV})))},

	{"the back end refuses", "DetachRequested=10 Gone=200 Attached=230", failed(20, broke)},
	{"the back end refuses still", "DetachRequested=10", failed(20, broke)},
	{"nobody answers", "DetachRequested=10 Gone=200 Attached=230", failed(130, "timed out waiting for external-attacher")},
	{"it was noticed late", "DetachRequested=10 Gone=200 Attached=230 AttachNoticed=240 Ready=250", failed(20, broke)},
	{"it was attached with the end", "DetachRequested=10 Gone=200 Attached=200", failed(20, broke)},
	{"it was attached before the end", "DetachRequested=10 Gone=200 Attached=190", failed(20, broke)},
	{"it was attached, and the end is not told", "DetachRequested=10 Attached=230", failed(20, broke)},
	{"it was not asked for", "Gone=200 Attached=230", failed(20, broke)},
	{"an attacher started", "DetachRequested=10 Gone=200 Attached=230", saw(cases.Seen(190, model.Observation{Kind: model.AttacherStarted}))},
	{"an attacher started then", "DetachRequested=10 Gone=200 Attached=230",
		saw(cases.Seen(200, model.Observation{Kind: model.AttacherStarted}))},
	{"an attacher started, and the detach is open", "DetachRequested=10",
		both(attached, captured(500), saw(cases.Seen(190, model.Observation{Kind: model.AttacherStarted})))},
	{"nobody carries it out", "DetachRequested=10", attached},
	{"nobody carries it out, and the object is not known", "DetachRequested=10", nil},
	{"somebody tried", "DetachRequested=10",
		both(attached, saw(cases.Seen(20, model.Observation{Kind: model.AttacherDetaching, Attachment: "csi-1"})))},
	{"it ended", "DetachRequested=10 Gone=20", attached},

	{"Ready at last", "Attached=20 Ready=24", captured(500)},
	{"Ready as seen, with a slow mount", "Attached=20 Ready=60", captured(500)},
	{"Ready before the attach", "Attached=20 Ready=19", nil},
	{"the demand ended", "DemandEnded=50", captured(500)},
	{"freed by nobody known", down + "Attached=100", nil},
	{"freed as the rules have it", down + "Released=10 Attached=380", forced(model.DetachForcedTimeout, 370)},
	{"freed half a minute before the rules have it", down + "Released=10 Attached=345", nil},
	{"freed sooner", down + "Released=10 Attached=330", nil},
	{"freed by a request", down + "DetachRequested=90 Attached=100", nil},
	{"freed before its attachment", down + "NewAttachment=90 Attached=100", nil},
	{"freed long before its attachment", down + "NewAttachment=90 Attached=211", nil},
	{"a StatefulSet's pod that came", down + "Created=90 Attached=480", both(set("StatefulSet"), names("db-0", "db-0"))},

	{"evicted by a person", down, both(ready, told(30, "alice", deletion("db-0", "eviction")))},
	{"deleted by a person before", "", told(-10, "alice", deletion("db-0", "30s"))},
	{"deleted by a person before, since the loss", "NotReady=-100", told(-10, "alice", deletion("db-0", "30s"))},
	{"another pod was deleted", "", told(10, "alice", deletion("db-7", "30s"))},
	{"deleted by a controller", "", told(10, "system:serviceaccount:kube-system:replicaset-controller", deletion("db-0", "30s"))},
	{"deleted by somebody on a lost node", "NotReady=-100", told(10, "jenkins", deletion("db-0", "30s"))},
	{"and gone at once", "NotReady=-100 Released=11.9", told(10, "jenkins", deletion("db-0", "30s"))},
	{"and gone soon", "NotReady=-100 Released=12", told(10, "jenkins", deletion("db-0", "30s"))},
	{"and gone at once, of a node that is Ready", "Released=11.9", both(ready, told(10, "jenkins", deletion("db-0", "30s")))},
	{"deleted twice", "NotReady=-100", both(told(10, "alice", deletion("db-0", "30s")), told(400, "alice", deletion("db-0", "30s")))},
	{"deleted, and by force", "NotReady=-100",
		both(told(10, "alice", deletion("db-0", "30s")), told(400, "alice", deletion("db-0", "grace 0s")))},
	{"deleted, and by force soon", "NotReady=-100",
		both(told(10, "alice", deletion("db-0", "30s")), told(12, "alice", deletion("db-0", "grace 0s")))},
	{"deleted, with force", "NotReady=-100",
		both(told(10, "alice", deletion("db-0", "30s")), told(11, "alice", deletion("db-0", "grace 0s")))},
	{"tainted", "NotReady=-100", told(10, "alice", ofNode(model.NodeTainted, "node-a", taint))},
	{"tainted by a program", "NotReady=-100",
		told(10, "system:serviceaccount:medik8s:self-node-remediation", ofNode(model.NodeTainted, "node-a", taint))},
	{"another node tainted", "NotReady=-100", told(10, "alice", ofNode(model.NodeTainted, "node-b", taint))},
	{"tainted, and deleted then", "NotReady=-100",
		both(told(10, "alice", ofNode(model.NodeTainted, "node-a", taint)), told(20, "alice", deletion("db-0", "30s")))},
	{"deleted, and tainted then", "NotReady=-100",
		both(told(20, "alice", ofNode(model.NodeTainted, "node-a", taint)), told(10, "alice", deletion("db-0", "30s")))},
	{"the Node deleted, and the pod then", "NotReady=-100 NodeGone=10",
		both(told(10, "alice", ofNode(model.NodeDeleted, "node-a", "")), told(20, "alice", deletion("db-0", "30s")))},
	{"the attachment deleted", "NotReady=-100",
		told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"the attachment deleted, and the pod gone with it", "NotReady=-100 Released=11",
		told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"the attachment deleted after the attach", "NotReady=-100 Attached=9",
		told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"the attachment deleted with the attach", "NotReady=-100 Attached=10",
		told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"})},
	{"another attachment deleted", "NotReady=-100",
		told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-2"})},
	{"its finalizer removed", "NotReady=-100",
		told(10, "alice", model.Observation{Kind: model.AttachmentGone, Attachment: "csi-1", Detail: "last finalizer removed"})},
	{"the old node got it back", "NotReady=-100",
		both(told(10, "alice", model.Observation{Kind: model.AttachmentDeletionRequested, Attachment: "csi-1"}),
			func(c *wait.Case) { c.Lives = make([]wait.Life, 2) })},
	{"the attachment deleted by somebody, some time in a minute", "NotReady=-100", deletedBetween(10, 70, model.SourceLog)},
	{"in a second", "NotReady=-100", deletedBetween(10, 11, model.SourceLog)},
	{"between two samples", "NotReady=-100", deletedBetween(10, 70, model.SourceMetric)},
	{"some time in ten seconds", "NotReady=-100", deletedBetween(10, 20, model.SourceLog)},
	{"it came back by itself", "NotReady=-100", func(c *wait.Case) { c.Lives = make([]wait.Life, 2) }},
	{"scaled to zero", "", both(set("Deployment"), told(10, "alice", scaledTo("scaled to 0 replicas")))},
	{"scaled up", "", both(set("Deployment"), told(10, "alice", scaledTo("scaled to 1 replica")))},

	{"a grace period", "DeletionRequested=-10", pods(new(int64(3)), new(int64(60)))},
	{"a longer one", "DeletionRequested=-10", pods(new(int64(60)), nil)},
	{"that of the next pod", "NotReady=-100", pods(nil, new(int64(60)))},
	{"a flag for the grace period of nodes", "NotReady=-100", over(func(s *model.Snapshot) {
		s.Observations = append(s.Observations,
			*cases.Seen(-999, model.Observation{Kind: model.ProcessFlag, Component: facts.ControllerManager,
				Detail: "--node-monitor-grace-period=20s"}))
	})},
	{"metrics do not show the pod", "+Sampled", func(c *wait.Case) { c.OldPods = nil }},
}

func scaledTo(how string) model.Observation {
	return model.Observation{Kind: model.WorkloadScaled, Object: model.Ref{Kind: "Deployment", Namespace: "prod", Name: "db"}, Detail: how}
}

// flag switches the forced detach off, or says that it is not.
func flag(value string) func(*wait.Case) {
	return saw(cases.Seen(-999, model.Observation{Kind: model.ProcessFlag, Component: facts.ControllerManager,
		Detail: "--disable-force-detach-on-timeout=" + value}))
}

func version(v string) func(*wait.Case) {
	return over(func(s *model.Snapshot) {
		for n := range s.Observations {
			if s.Observations[n].Kind == model.ProcessVersion {
				s.Observations[n].Detail = v
			}
		}
	})
}

// TestScenarios: what a scenario takes from a case, each rule with its near miss: a golden line for each, with what it was before the
// first act of a person.
func TestScenarios(t *testing.T) {
	answers := cases.Open(t, "made")
	for _, b := range scenarios {
		c := b.build(t)
		m := replay.NewModel(c.World, []*wait.Case{c})
		s, done := m.Scenario(c)
		s.Actions = nil
		p := s.Predict(done)
		before := m.Before(s, done, c, s.Time(15))
		answers.Add("scenario", cases.Case{Name: b.name}, 1, fmt.Sprintf("%s done %s", cases.Text(*s), cases.Text(done)))
		answers.Add("outcome", cases.Case{Name: b.name}, 1, cases.Text(p))
		answers.Add("before", cases.Case{Name: b.name}, 1,
			fmt.Sprint(before.Unmounted, before.Stuck, " ",
				cases.Text([]model.Range{before.Detach, before.Attach, before.Mount, before.Unmount, before.Terminate}), cases.Text(before.Consented)))
	}
	answers.Close()
}

// deletedBetween is an attachment that another than the controller deleted, as a record of a kind shows.
func deletedBetween(from, to float64, by model.SourceKind) func(*wait.Case) {
	return func(c *wait.Case) {
		i := cases.At(from, model.Observation{Kind: model.VolumeMarkedDetached, Source: model.Source{Kind: by}})
		i.At, i.Latest = i.At.Add(time.Duration((to-from)/2*float64(time.Second))), i.At.Add(time.Duration((to-from)*float64(time.Second)))
		c.Lives = []wait.Life{{DeletionRequested: i, ByHand: model.True}}
	}
}
