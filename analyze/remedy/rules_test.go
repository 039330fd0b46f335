package remedy

import (
	"math"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

type change = func(*Incident)

var (
	inf   = math.Inf(1)
	never = model.Range{Min: inf, Best: inf, Max: inf}
	tells = map[Verdict]string{Fits: "fits", Misfit: "misfit", NoEffect: "none", Undecidable: "undecidable"}
)

func exactly(s float64) model.Range { return model.Range{Min: s, Best: s, Max: s} }

func at(s float64) facts.Instant { return cases.At(s, model.Observation{Kind: "made"}) }

// made is an incident for the rules of fits: node-a was lost 40 s before the report, its pod deleted 20 s before it, and a person acts
// 280 s after it. The new pod was Ready after 500 s, in the replay too. Nothing else is known.
func made(version string, told ...*model.Observation) *Incident {
	c := cases.Made(version, told...)
	c.Attachment = wait.Attachment{Name: "csi-1", Basis: model.NameLog}
	c.OldPods, c.NewPods = []model.Ref{{Kind: "Pod", Namespace: "prod", Name: "db-0"}}, []model.Ref{{Kind: "Pod", Namespace: "prod",
		Name: "db-1"}}
	c.NotReady, c.Attached, c.Ready = at(-40), at(490), at(500)
	c.DeletionRequested, c.Released = at(-20), at(100)
	c.Span = model.Span{From: c.Began.Moment, To: at(490).Moment}
	i := New(replay.NewModel(c.World, []*wait.Case{c}), c, nil, 5*time.Minute, Alarm{})
	i.state = wait.NodeLost
	i.Asis = replay.Prediction{Ready: model.Range{Min: 495, Best: 500, Max: 505}}
	i.Asis.Typic.Deleted, i.Asis.Typic.Released, i.Asis.Typic.Attached = -20, 100, 490
	s := i.Scenario
	s.Zero, s.Reported, s.End, s.Until, s.Lost = cases.Began, 0, 500, inf, -80
	s.NotReady, s.Deleted, s.Finished, s.Released = exactly(-40), exactly(-20), never, exactly(100)
	s.NodeGone, s.Back, s.Evicted = inf, inf, false
	return i
}

func ready(i *Incident)   { i.state = wait.NodeReady }
func unknown(i *Incident) { i.state = wait.NodeUnknown }

func by(causes ...string) change {
	return func(i *Incident) {
		for _, id := range causes {
			i.Causes = append(i.Causes, model.Cause{ID: id, Verdict: model.Likely})
		}
	}
}

// maybe are causes that are not established.
func maybe(id string) change {
	return func(i *Incident) { i.Causes = append(i.Causes, model.Cause{ID: id, Verdict: model.Undecidable}) }
}

func did(kind replay.ActKind, at float64) change {
	return func(i *Incident) { i.Done = i.Done.With(replay.Act{Kind: kind, At: at}) }
}

func set(change func(*replay.Scenario)) change { return func(i *Incident) { change(i.Scenario) } }
func of(change func(*wait.Case)) change        { return func(i *Incident) { change(i.Case) } }

func workload(kind string) change {
	return of(func(c *wait.Case) { c.Workload = &model.Ref{Kind: kind, Namespace: "prod", Name: "db"} })
}

// saw adds observations to the world.
func saw(list ...*model.Observation) change {
	return world(func(s *model.Snapshot) {
		for _, o := range list {
			s.Observations = append(s.Observations, *o)
		}
	})
}

func world(change func(*model.Snapshot)) change {
	return func(i *Incident) {
		s := *i.Case.World.Snapshot
		change(&s)
		old := i.Case.Volume
		i.Case.World = facts.NewWorld(&s)
		i.Case.Volume = i.Case.World.Volumes.Find(cases.PV)
		i.Case.Volume.Driver = old.Driver
	}
}

// pods are copies of the old pod, which runs, and of the waiting one, each with what changes it.
func pods(old, fresh func(*corev1.Pod)) change {
	return world(func(s *model.Snapshot) {
		for n, f := range []func(*corev1.Pod){old, fresh} {
			name := []string{"db-0", "db-1"}[n]
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name}}
			p.Spec.NodeName = []string{"node-a", "node-b"}[n]
			p.Status.Phase = []corev1.PodPhase{corev1.PodRunning, corev1.PodPending}[n]
			if f == nil {
				continue
			}
			f(p)
			s.Pods = append(s.Pods, model.Object[*corev1.Pod]{Ref: model.Ref{Kind: "Pod", Namespace: "prod", Name: name}, Content: model.Whole(p)})
		}
	})
}

func alone(*corev1.Pod) {}

// ended is an old pod that is there and does not run.
func ended(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }

func owned(kind string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: "db", Controller: new(true)}}
	}
}

func endedOf(kind string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { ended(p); owned(kind)(p) }
}

func group(policy *corev1.PodFSGroupChangePolicy) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.SecurityContext = &corev1.PodSecurityContext{FSGroup: new(int64(1)), FSGroupChangePolicy: policy}
	}
}

func replicaSet(n *int32) change {
	return world(func(s *model.Snapshot) {
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "db"}, Spec: appsv1.ReplicaSetSpec{Replicas: n}}
		s.ReplicaSets = append(s.ReplicaSets,
			model.Object[*appsv1.ReplicaSet]{Ref: model.Ref{Kind: "ReplicaSet", Namespace: "prod", Name: "db"}, Content: model.Whole(rs)})
	})
}

const broken = "rpc_error:_code_=_Internal_desc_=_back_end_is_down"

// asks is a detach that was requested, at a time, and answered with these errors.
func asks(seconds float64, answers ...string) change {
	return of(func(c *wait.Case) {
		c.DetachRequested = at(seconds)
		for _, a := range answers {
			c.DetachErrors = append(c.DetachErrors, cases.Seen(seconds+10, model.Observation{Kind: model.DetachFailed, Detail: a}))
		}
	})
}

func podGone(seconds float64) change {
	return saw(cases.Seen(seconds, model.Observation{Kind: model.PodGone, Pod: model.Ref{Kind: "Pod", Namespace: "prod", Name: "db-0"}}))
}

// still is a wait that had not ended at the collection.
func still(until float64) change {
	return func(i *Incident) {
		i.Case.Attached, i.Case.Ready = facts.Instant{}, facts.Instant{}
		i.Scenario.End, i.Scenario.Until = inf, until
		i.Asis = replay.Prediction{Ready: never, Why: "made"}
	}
}

func driver(name string) change { return of(func(c *wait.Case) { c.Volume.Driver = name }) }

// rule is a row: a remedy's verdict of an incident and words of its reason; a verdict alone wants no reason.
type rule struct {
	id, name, version, want string
	changes                 []change
}

// TestFits: what each remedy says when it is asked whether it has something to act on, at each boundary of its rules.
func TestFits(t *testing.T) {
	for _, r := range slicesOf(ofDetach, ofSettings, ofLost, ofReady, ofOthers) {
		i := made(r.version)
		for _, c := range r.changes {
			c(i)
		}
		remedy, ok := Find(r.id)
		if !ok {
			t.Fatal(r.id)
		}
		f := remedy.Fit(i)
		want, why, has := strings.Cut(r.want, ": ")
		if tells[f.Verdict] != want || (f.Why != "") != has || !strings.Contains(f.Why, why) {
			t.Errorf("%s, %s: %s: %q, want %s", r.id, r.name, tells[f.Verdict], f.Why, r.want)
		}
	}
}

func slicesOf(lists ...[]rule) (out []rule) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func row(id, name, want string, changes ...change) rule {
	return rule{id, name, "v1.34.0", want, changes}
}

func in(version, id, want string, changes ...change) rule {
	return rule{id, version, version, want, changes}
}

func fault(f replay.Fault) change { return set(func(s *replay.Scenario) { s.Fault = f }) }

var ofDetach = []rule{
	row("restart-attacher", "no detach", "misfit: No detach was requested"),
	row("restart-attacher", "answered", "misfit: calls came back", asks(110, broken), fault(replay.Fault{AttacherUntil: inf})),
	row("restart-attacher", "not down", "misfit: not seen", asks(110)),
	row("restart-attacher", "down for an unknown reason", "undecidable: Whether", asks(110), fault(replay.Fault{AttacherUntil: inf})),
	row("restart-attacher", "down for ever", "fits", asks(110), fault(replay.Fault{AttacherUntil: inf}),
		by(model.CauseAttachmentNotFinishing)),
	row("restart-attacher", "down for a time", "fits", asks(110), fault(replay.Fault{AttacherUntil: 400})),
	row("attacher-tuning", "no detach", "misfit: No detach"),
	row("attacher-tuning", "no answer", "misfit: No call", asks(110), fault(replay.Fault{Again: 5})),
	row("attacher-tuning", "still failing", "none: still failed", asks(110, broken), fault(replay.Fault{BackendUntil: inf, Again: 5})),
	row("attacher-tuning", "no pause seen", "undecidable: How long", asks(110, broken)),
	row("attacher-tuning", "a pause", "fits: pause of 1 s", asks(110, broken), fault(replay.Fault{Again: 1})),
	row("fix-backend-detach", "no detach", "misfit: No detach"),
	row("fix-backend-detach", "no answer", "misfit: not seen to have refused", asks(110)),
	row("fix-backend-detach", "an answer", "fits: repaired", asks(110, broken)),
	row("remove-attachment-finalizer", "no detach", "misfit: not being deleted", fault(replay.Fault{Again: 1})),
	row("remove-attachment-finalizer", "no fault", "misfit: usual time", asks(110)),
	row("remove-attachment-finalizer", "a fault", "fits", asks(110), fault(replay.Fault{Unseen: 1})),
	row("remove-attachment-finalizer", "done", "fits", asks(110), did(replay.RemoveFinalizer, 200)),
	row("delete-volume-attachment", "plain", "fits"),
	row("delete-volume-attachment", "Ready", "misfit: has the volume mounted", ready),
	row("delete-volume-attachment", "unknown", "undecidable: node-a was lost", unknown),
	row("delete-volume-attachment", "serving", "misfit: The old pod runs", ready, pods(alone, nil)),
	row("delete-volume-attachment", "name not known", "undecidable: name", noName),
	row("delete-volume-attachment", "in-tree", "misfit: part of Kubernetes itself", noName, inTree),
	row("delete-volume-attachment", "the driver is known", "undecidable: name", noName, inTree, driver("x")),
	row("delete-volume-attachment", "the handle is known", "undecidable: name", noName, inTree,
		of(func(c *wait.Case) { c.Volume.Handle = "vol-1" })),
	row("delete-volume-attachment", "nothing is known", "undecidable: name", noName, inTree,
		of(func(c *wait.Case) { c.Volume.UniqueName = "" })),
	row("delete-volume-attachment", "a name was looked for", "undecidable: name", noName, inTree,
		of(func(c *wait.Case) { c.Attachment.Basis = model.NameLog })),
	row("delete-volume-attachment", "it has a name", "fits", inTree, of(func(c *wait.Case) { c.Attachment.Basis = model.NameNone })),
	row("delete-volume-attachment", "gone", "misfit: gone already", of(func(c *wait.Case) { c.Gone = at(280) })),
	row("delete-volume-attachment", "gone later", "fits", of(func(c *wait.Case) { c.Gone = at(281) })),
	row("delete-volume-attachment", "asked for", "none: asked for its deletion", asks(280)),
	row("delete-volume-attachment", "asked for later", "fits", asks(281)),
	row("delete-volume-attachment", "asked for by a person", "fits", asks(280), did(replay.DeleteAttachment, 280)),
	row("force-delete-pod-and-volume-attachment", "plain", "fits"),
	row("force-delete-pod-and-volume-attachment", "no pod", "misfit: pod's object was gone", podGone(280)),
	row("force-delete-pod-and-volume-attachment", "a pod", "fits", podGone(281)),
	row("force-delete-pod-and-volume-attachment", "no attachment", "misfit: The VolumeAttachment", podGone(280),
		of(func(c *wait.Case) { c.Gone = at(280) })),
}

func noName(i *Incident) { i.Case.Attachment = wait.Attachment{Basis: model.NameNone} }

func inTree(i *Incident) {
	v := *i.Case.Volume
	v.Handle, v.Driver, v.UniqueName = "", "", "kubernetes.io/aws-ebs/vol-1"
	i.Case.Volume = &v
}

var ofSettings = []rule{
	row("disable-force-detach", "set", "none: set already", set(func(s *replay.Scenario) { s.ForceDetach = false })),
	in("", "disable-force-detach", "undecidable: not known"),
	in("v1.29.9", "disable-force-detach", "misfit: does not have"),
	in("v1.30.0", "disable-force-detach", "fits"),
	row("disable-force-detach", "given", "undecidable: by force", func(i *Incident) { i.Asis.Given = true; i.Scenario.Freed = 10 }),
	in("", "upgrade-kubernetes", "undecidable: not known"),
	row("upgrade-kubernetes", "a bug", "undecidable: known error", by(model.CauseControllerBug)),
	in("v1.35.9", "upgrade-kubernetes", "fits"),
	in("v1.36.0", "upgrade-kubernetes", "misfit: runs already"),
	in("v1.28.2", "upgrade-kubernetes", "undecidable: failed detach", asks(110, broken)),
	in("v1.28.2", "upgrade-kubernetes", "fits", asks(110)),
	in("v1.28.3", "upgrade-kubernetes", "fits", asks(110, broken)),
	row("shorten-tolerations", "Ready", "misfit: evicted", ready, evicted(300)),
	row("shorten-tolerations", "not evicted", "misfit: evicted", set(func(s *replay.Scenario) { s.Evicted = false })),
	row("shorten-tolerations", "short", "none: only 30 s already", evicted(30)),
	row("shorten-tolerations", "longer", "fits: assumed to shift", evicted(31)),
	row("shorten-tolerations", "no end", "none: does not end by itself", evicted(300), func(i *Incident) { i.Asis.Ready = never }),
	row("shorten-tolerations", "no end, acts", "fits: assumed to shift", evicted(300), func(i *Incident) { i.Asis.Ready = never },
		did(replay.DeletePod, 1)),
	row("faster-node-detection", "Ready", "misfit: was Ready", ready),
	row("faster-node-detection", "deleted", "misfit: not declared lost", set(func(s *replay.Scenario) { s.NotReady = never })),
	row("faster-node-detection", "no sign of life", "undecidable: last sign", set(func(s *replay.Scenario) { s.Lost = inf })),
	row("faster-node-detection", "short", "none: that short", grace(20)),
	row("faster-node-detection", "longer", "fits: assumed to shift", grace(21)),
	row("faster-node-detection", "no end", "none: does not end by itself", grace(40), func(i *Incident) { i.Asis.Ready = never }),
	row("faster-node-detection", "no end, acts", "fits: assumed to shift", grace(40), func(i *Incident) { i.Asis.Ready = never },
		did(replay.DeletePod, 1)),
	row("controller-ha", "none", "misfit: not seen to have changed"),
	row("controller-ha", "withheld", "none: do not keep the timer of six", leader, func(i *Incident) { i.Asis.Ready = exactly(900) }),
	row("controller-ha", "never ends with it", "none: do not keep the timer of six", leader,
		set(func(s *replay.Scenario) { s.Stuck, s.ForceDetach = true, false })),
	row("controller-ha", "never ends", "none: do not keep the timer of six", leader,
		func(i *Incident) { i.Asis.Ready, i.Scenario.End, i.Scenario.Until = never, inf, inf }),
}

func leader(i *Incident) { i.Scenario.Leaders = []replay.Leader{{Lost: 80, Taken: 100}} }

func evicted(toleration float64) change {
	return set(func(s *replay.Scenario) { s.Evicted, s.Toleration = true, exactly(toleration) })
}

func grace(seconds float64) change {
	return set(func(s *replay.Scenario) { s.Grace = exactly(seconds) })
}

// stops is an old pod whose end nothing shows.
var stops = of(func(c *wait.Case) { c.Released = facts.Instant{} })

func deleted(at float64) change  { return set(func(s *replay.Scenario) { s.Deleted = exactly(at) }) }
func nodeGone(at float64) change { return set(func(s *replay.Scenario) { s.NodeGone = at }) }
func finished(at float64) change { return set(func(s *replay.Scenario) { s.Finished = exactly(at) }) }

func taintedBy(a wait.Action) change {
	return set(func(s *replay.Scenario) { s.Actions = append(s.Actions, a) })
}

// lostLate is a node that is lost during the wait, where somebody acts at once.
func lostLate(at float64) change {
	return func(i *Incident) { i.Scenario.NotReady, i.reaction = exactly(at), 0 }
}

// deletedBy is a deletion of the old Node by a program.
func deletedBy(program string) change {
	return taintedBy(with(func(a *wait.Action) { a.What, a.By = wait.DeletedNode, program }))
}

func event(seconds float64, reason, component string) *model.Observation {
	return cases.Seen(seconds, model.Observation{Kind: model.KubernetesEvent, Node: "node-a", Object: model.Ref{Kind: "Node", Name: "node-a"},
		Detail: reason, Component: component})
}

func notReady(words, status string) *model.Observation {
	o := cases.Seen(-40, model.Observation{Kind: model.NodeNotReady, Node: "node-a", Detail: status})
	o.Quote = mask.Quote(words)
	return o
}

var agent = wait.Action{What: wait.TaintedOutOfService, Object: model.Ref{Kind: "Node", Name: "node-a"},
	ByPerson: model.False, By: "the agent"}

var ofLost = []rule{
	row("force-delete-pod", "plain", "fits"),
	row("force-delete-pod", "Ready", "misfit: is Ready", ready),
	row("force-delete-pod", "unknown", "undecidable: node-a was lost", unknown),
	row("force-delete-pod", "gone", "misfit: gone already", podGone(280)),
	row("force-delete-pod", "gone later", "fits", podGone(281)),
	row("force-delete-pod", "finished", "none: had finished", finished(0)),
	row("force-delete-pod", "finished later", "fits", finished(1)),
	row("force-delete-pod", "before", "fits: Multi-Attach comes of it", of(func(c *wait.Case) { c.Before = true })),
	row("force-delete-pod", "before, without force", "fits", of(func(c *wait.Case) { c.Before = true }),
		set(func(s *replay.Scenario) { s.ForceDetach = false })),
	row("delete-node", "plain", "fits"),
	row("delete-node", "Ready", "misfit: was Ready", ready),
	row("delete-node", "deleted", "misfit: deleted already", nodeGone(280)),
	row("delete-node", "deleted later", "fits", nodeGone(281)),
	row("delete-node", "deleted by a person", "misfit: deleted already", did(replay.DeleteNode, 280)),
	row("delete-node", "by a person later", "fits", did(replay.DeleteNode, 281)),
	row("delete-node", "open, until then", "misfit: deleted already", still(600), nodeGone(600)),
	row("delete-node", "open, later", "fits", still(600), nodeGone(601)),
	row("fence-node", "lost", "none: does not see"),
	row("fence-node", "Ready", "misfit: was Ready", ready),
	row("fence-node", "unknown", "undecidable: node-a was lost", unknown),
	row("out-of-service-taint", "Ready", "misfit: was Ready", ready),
	row("out-of-service-taint", "done", "fits", ready, did(replay.TaintOutOfService, 10)),
	row("out-of-service-taint", "deleted", "misfit: nothing to taint", nodeGone(280)),
	row("out-of-service-taint", "deleted later", "fits", nodeGone(281)),
	row("out-of-service-taint", "by an autoscaler", "fits", lostLate(271), nodeGone(330), deletedBy("Karpenter")),
	row("out-of-service-taint", "by the cloud", "misfit: The cloud had no machine", lostLate(271), nodeGone(330), deletedBy("the cloud node lifecycle controller")),
	row("out-of-service-taint", "by the cloud, later", "fits", lostLate(270), nodeGone(330), deletedBy("the cloud node lifecycle controller")),
	in("", "out-of-service-taint", "undecidable: version"),
	in("v1.23.9", "out-of-service-taint", "misfit: does not know"),
	in("v1.24.0", "out-of-service-taint", "undecidable: gate", set(func(s *replay.Scenario) { s.OutOfService = false })),
	in("v1.25.9", "out-of-service-taint", "fits", set(func(s *replay.Scenario) { s.OutOfService = true })),
	in("v1.26.0", "out-of-service-taint", "fits", set(func(s *replay.Scenario) { s.OutOfService = false })),
	row("out-of-service-taint", "tolerated", "fits: tolerates", set(func(s *replay.Scenario) { s.Tolerates = true })),
	row("automate-out-of-service", "plain", "fits: 5 min after"),
	row("automate-out-of-service", "over by then", "fits: 1 min after", set(func(s *replay.Scenario) { s.End = 259 })),
	row("automate-out-of-service", "over later", "fits: 5 min after", set(func(s *replay.Scenario) { s.End = 260 })),
	row("automate-out-of-service", "deleted", "none: before a health check", nodeGone(260)),
	row("automate-out-of-service", "deleted later", "fits: 5 min", nodeGone(261)),
	row("automate-out-of-service", "deleted by a person", "fits: nobody deletes the Node", did(replay.DeleteNode, 260)),
	row("automate-out-of-service", "by a person later", "fits: 5 min", did(replay.DeleteNode, 261)),
	row("automate-out-of-service", "never NotReady", "misfit: nothing to taint", nodeGone(100),
		set(func(s *replay.Scenario) { s.NotReady = never })),
	row("automate-out-of-service", "Ready", "misfit: was Ready", ready),
	row("automate-out-of-service", "back", "none: Ready again", set(func(s *replay.Scenario) { s.Back = 259 })),
	row("automate-out-of-service", "back later", "fits: 5 min", set(func(s *replay.Scenario) { s.Back = 260 })),
	row("automate-out-of-service", "an agent", "none: The agent did it", taintedBy(agent)),
	row("automate-out-of-service", "a person", "fits: 5 min", taintedBy(with(func(a *wait.Action) { a.ByPerson = model.Unknown }))),
	row("automate-out-of-service", "another node", "fits: 5 min", taintedBy(with(func(a *wait.Action) { a.Object.Name = "node-b" }))),
	row("automate-out-of-service", "another deed", "fits: 5 min", taintedBy(with(func(a *wait.Action) { a.What = "made" }))),
	row("automate-out-of-service", "nobody", "fits: 5 min", taintedBy(with(func(a *wait.Action) { a.By = "" })),
		taintedBy(with(func(a *wait.Action) { a.What = "made" }))),
	row("drain-before-shutdown", "deleted with the loss", "undecidable: on purpose", deleted(-40)),
	row("drain-before-shutdown", "deleted before", "none: asked to end before", deleted(-41)),
	row("drain-before-shutdown", "evicted before", "undecidable: on purpose", deleted(-41), evicted(300)),
	row("drain-before-shutdown", "not deleted", "undecidable: on purpose", deleted(inf)),
	row("drain-before-shutdown", "no sign of life", "undecidable: last sign", set(func(s *replay.Scenario) { s.Lost = inf })),
	row("drain-before-shutdown", "its kubelet said so", "fits: drain", saw(notReady("node is shutting down", "False"))),
	row("faster-stop", "lost", "misfit: lost node"),
	row("faster-stop", "slow", "fits: took 2 min to stop", ready),
	row("faster-stop", "stops still", "fits: took 30 s to stop", ready, still(10), stops),
	row("faster-stop", "asked a while ago", "misfit: within 29 s", ready, still(9), stops),
	row("faster-stop", "stops for an unknown time", "undecidable: How long", ready, still(inf), stops),
	row("faster-stop", "over, and its end is not known", "undecidable: How long", ready, stops),
	row("graceful-node-shutdown", "Ready", "misfit: No node", ready),
	row("graceful-node-shutdown", "finished", "none: had ended the old pod", finished(1), deleted(inf)),
	row("graceful-node-shutdown", "finished later", "undecidable: failed without notice", finished(2), deleted(inf)),
	row("graceful-node-shutdown", "deleted after", "undecidable: failed without notice"),
	row("automate-out-of-service", "nobody, then an agent", "none: The agent did it",
		taintedBy(with(func(a *wait.Action) { a.By = "" })), taintedBy(agent)),
	row("graceful-node-shutdown", "deleted with the loss", "undecidable: failed without notice", deleted(-40)),
	row("graceful-node-shutdown", "deleted before", "none: asked to end before", deleted(-41)),
	row("graceful-node-shutdown", "evicted before", "undecidable: failed without notice", deleted(-41), evicted(300)),
	row("graceful-node-shutdown", "notice", "fits: event SpotInterrupted", saw(event(-41, "SpotInterrupted", "karpenter"))),
	row("graceful-node-shutdown", "notice, no sign of life", "undecidable: last sign", saw(event(-41, "SpotInterrupted", "karpenter")),
		set(func(s *replay.Scenario) { s.Lost = inf })),
	row("graceful-node-shutdown", "said so", "none: its kubelet said so", saw(notReady("node is shutting down", "False"))),
	row("graceful-node-shutdown", "its kubelet worked", "misfit: went on working", saw(notReady("made", "False"))),
	row("graceful-node-shutdown", "silent", "undecidable: failed without notice", saw(notReady("made", "Unknown"))),
	row("graceful-node-shutdown", "too late", "undecidable: failed without notice", saw(event(-40, "SpotInterrupted", "karpenter"))),
	row("driver-prestop-detach", "deleted after", "misfit: Nobody asked", driver("ebs.csi.aws.com"), deleted(-39)),
	row("driver-prestop-detach", "deleted at once", "fits", driver("ebs.csi.aws.com"), deleted(-40)),
	row("driver-prestop-detach", "not deleted", "misfit: Nobody asked", driver("ebs.csi.aws.com"), deleted(inf)),
	row("driver-prestop-detach", "evicted", "misfit: Nobody asked", driver("ebs.csi.aws.com"), deleted(-50), evicted(300)),
	row("driver-prestop-detach", "another driver", "undecidable: x has such a hook", driver("x"), deleted(-50)),
	row("driver-prestop-detach", "no driver", "undecidable: is not known", driver(""), deleted(-50)),
	row("driver-prestop-detach", "Ready", "misfit: was Ready", ready, deleted(-50)),
	row("autoscaler-waits-for-detach", "nobody", "misfit: No autoscaler", deleted(-50)),
	row("autoscaler-waits-for-detach", "karpenter", "fits: took the node away", deleted(-50), saw(event(-41, "SpotInterrupted", "karpenter"))),
	row("autoscaler-waits-for-detach", "cluster-autoscaler", "fits: The cluster autoscaler took", deleted(-50),
		saw(event(-41, "ScaleDown", "cluster-autoscaler"))),
	row("autoscaler-waits-for-detach", "the cloud", "misfit: No autoscaler", deleted(-50), saw(event(-41, "PreemptScheduled", "azure"))),
	row("autoscaler-waits-for-detach", "no drain", "misfit: Nobody asked", deleted(-30), saw(event(-41, "SpotInterrupted", "karpenter"))),
	row("topology-spread", "lost", "none: how many volumes the loss of node-a"),
	row("topology-spread", "Ready", "misfit: No node", ready),
	row("topology-spread", "shared", "misfit: share", by(model.CauseSharedClaim)),
	row("vendor-node-down-policy", "Longhorn", "fits: Longhorn is assumed to end the old pod 30 s", driver("driver.longhorn.io")),
	row("vendor-node-down-policy", "Ready", "misfit: was Ready", driver("driver.longhorn.io"), ready),
	row("vendor-node-down-policy", "no driver", "undecidable: driver", driver("")),
	row("vendor-node-down-policy", "another", "misfit: x is not known", driver("x")),
	row("vendor-node-down-policy", "no deletion", "undecidable: When", driver("driver.longhorn.io"), deleted(inf)),
	row("vendor-node-down-policy", "did it", "none: Longhorn did it", driver("driver.longhorn.io"),
		taintedBy(wait.Action{By: "Longhorn"})),
	row("vendor-node-down-policy", "another did", "fits: Longhorn", driver("driver.longhorn.io"),
		taintedBy(wait.Action{By: "Karpenter"})),
	row("vendor-node-down-policy", "no actor", "fits: Monitor", driver("csi.hpe.com"), taintedBy(wait.Action{})),
	row("vendor-node-down-policy", "one of several drivers", "fits: podmon", driver("csi-powerstore.dellemc.com")),
}

func with(change func(*wait.Action)) wait.Action {
	a := agent
	change(&a)
	return a
}

func unreleased(i *Incident) {
	i.Case.Released, i.Case.DeletionRequested = facts.Instant{}, facts.Instant{}
	i.Scenario.Deleted, i.Scenario.Released = never, never
}

// byTaint and forced are how the controller took the volume.
var (
	byTaint = of(func(c *wait.Case) { c.Forced = cases.At(300, model.Observation{Kind: model.DetachForcedTaint}) })
	forced  = of(func(c *wait.Case) { c.Forced = cases.At(300, model.Observation{Kind: model.DetachForcedTimeout}) })
)

var ofReady = []rule{
	row("recreate-strategy", "no workload", "undecidable: Which Deployment", by(model.CauseRolloutSurge)),
	row("recreate-strategy", "no workload, another cause", "misfit: not known to be", by(model.CauseSharedClaim)),
	row("recreate-strategy", "StatefulSet", "misfit: not known to be", by(model.CauseRolloutSurge), workload("StatefulSet")),
	row("recreate-strategy", "no rollout", "misfit: overlaps", workload("Deployment")),
	row("recreate-strategy", "unproven", "misfit: overlaps", workload("Deployment"), maybe(model.CauseRolloutSurge)),
	row("recreate-strategy", "rollout", "fits", workload("Deployment"), by(model.CauseRolloutSurge)),
	row("recreate-strategy", "tainted, else unknown", "undecidable: machine of the old pod was off", unknown, byTaint, workload("Deployment"), by(model.CauseRolloutSurge)),
	row("recreate-strategy", "forced by time, else unknown", "fits", unknown, forced, workload("Deployment"), by(model.CauseRolloutSurge)),
	row("rollout-undo", "tainted, else unknown", "undecidable: machine of the old pod was off", unknown, byTaint, workload("Deployment"), by(model.CauseRolloutSurge)),
	row("rollout-undo", "tainted alive", "fits", ready, byTaint, workload("Deployment"), by(model.CauseRolloutSurge)),
	row("scale-to-zero", "lost", "misfit: lost node", workload("Deployment"), by(model.CauseRolloutSurge)),
	row("scale-to-zero", "no workload", "misfit: workload", ready, by(model.CauseRolloutSurge)),
	row("scale-to-zero", "no cause", "misfit: keeps the volume", ready, workload("Deployment")),
	row("scale-to-zero", "rollout", "fits", ready, workload("Deployment"), by(model.CauseRolloutSurge)),
	row("scale-to-zero", "shared", "fits", ready, workload("StatefulSet"), by(model.CauseSharedClaim)),
	row("scale-to-zero", "state unknown", "undecidable: node-a was lost", unknown, workload("Rollout"), by(model.CauseRolloutSurge)),
	row("scale-to-zero", "DaemonSet", "misfit: no replicas", ready, workload("DaemonSet"), by(model.CauseSharedClaim)),
	row("scale-to-zero", "another kind", "undecidable: operator", ready, workload("Widget"), by(model.CauseSharedClaim)),
	row("scale-to-zero", "two owners", "misfit: two workloads", ready, workload("Deployment"), by(model.CauseSharedClaim),
		pods(alone, owned("StatefulSet"))),
	row("scale-to-zero", "two owners, a rollout", "fits", ready, workload("Deployment"), by(model.CauseRolloutSurge),
		pods(alone, owned("StatefulSet"))),
	row("delete-old-pod", "done", "fits", did(replay.DeletePod, 10)),
	row("delete-old-pod", "lost", "misfit: lost node"),
	row("delete-old-pod", "gone", "misfit: gone already", ready, podGone(300)),
	row("delete-old-pod", "gone later", "none: being deleted", ready, podGone(301)),
	row("delete-old-pod", "being deleted", "none: being deleted", ready, deleted(0)),
	row("delete-old-pod", "deleted later", "none: had ended", ready, deleted(1)),
	row("delete-old-pod", "released", "none: had ended", ready, deleted(inf), released(300)),
	row("delete-old-pod", "released later", "fits", ready, deleted(inf), released(301)),
	row("delete-old-pod", "replaced", "fits", ready, deleted(inf), released(300), set(func(s *replay.Scenario) { s.Replaced = true })),
	row("delete-old-pod", "nothing known", "undecidable: the pods", ready, unreleased),
	row("delete-old-pod", "only the old pod", "undecidable: the pods", ready, unreleased, pods(ended, nil)),
	row("delete-old-pod", "both pods", "fits", ready, unreleased, pods(ended, alone)),
	row("delete-old-pod", "rollout", "none: another pod at once", ready, unreleased, by(model.CauseRolloutSurge)),
	row("delete-old-pod", "state unknown", "undecidable: node-a was lost", unknown, unreleased, pods(ended, alone)),
	row("delete-old-pod", "serves", "fits: it has no owner", ready, unreleased, pods(alone, alone)),
	row("delete-old-pod", "shared", "fits: it has no owner", ready, unreleased, pods(ended, alone), by(model.CauseSharedClaim)),
	row("delete-old-pod", "shared, no pod", "undecidable: What owns", ready, unreleased, by(model.CauseSharedClaim)),
	row("delete-old-pod", "shared, DaemonSet", "none: creates another pod on node-a", ready, unreleased, pods(owned("DaemonSet"), alone)),
	row("delete-old-pod", "shared, StatefulSet", "none: the claim is shared", ready, unreleased, pods(owned("StatefulSet"), alone)),
	row("delete-old-pod", "shared, Job", "none: the claim is shared", ready, unreleased, pods(owned("Job"), alone)),
	row("delete-old-pod", "shared, another", "undecidable: its operator decides", ready, unreleased, pods(owned("Widget"), alone)),
	row("delete-old-pod", "of one ReplicaSet", "none: creates another pod at once", ready, unreleased, by(model.CauseSharedClaim),
		workload("Deployment"), named("web-7f9c6d5b8-bcdfg", "web-7f9c6d5b8-hjklm")),
	row("delete-old-pod", "of two ReplicaSets", "undecidable: What owns", ready, unreleased, by(model.CauseSharedClaim),
		workload("Deployment"), named("web-7f9c6d5b8-bcdfg", "web-6f9c6d5b8-hjklm")),
	row("delete-old-pod", "of none", "undecidable: What owns", ready, unreleased, by(model.CauseSharedClaim), workload("Deployment")),
	row("delete-old-pod", "nobody's, of one template", "fits: it has no owner", ready, unreleased, workload("Deployment"),
		pods(hashed, hashed)),
	row("delete-old-pod", "nothing known, a rollout", "none: Its owner creates another", ready, unreleased, by(model.CauseRolloutSurge),
		pods(ended, nil), named("x", "y")),
	row("delete-old-pod", "of a StatefulSet", "fits", ready, unreleased, pods(endedOf("StatefulSet"), alone)),
	row("delete-old-pod", "of a DaemonSet", "none: on the same node", ready, unreleased, pods(endedOf("DaemonSet"), alone)),
	row("delete-old-pod", "of another", "undecidable: Whether Widget db creates", ready, unreleased, pods(endedOf("Widget"), alone)),
	row("delete-old-pod", "of a ReplicaSet", "undecidable: its replicas", ready, unreleased, pods(endedOf("ReplicaSet"), alone)),
	row("delete-old-pod", "of a ReplicaSet of none", "fits", ready, unreleased, opened, pods(endedOf("ReplicaSet"), alone),
		replicaSet(new(int32(0)))),
	row("delete-old-pod", "of a ReplicaSet of one", "none: keeps it from node-a", ready, unreleased, pods(endedOf("ReplicaSet"), alone),
		replicaSet(new(int32(1)))),
	row("restart-kubelet", "lost", "misfit: was lost"),
	row("restart-kubelet", "unknown", "undecidable: node-a was lost", unknown, by(model.CauseUnmountStuck)),
	row("restart-kubelet", "no cause", "misfit: hung", ready),
	row("restart-kubelet", "no release", "undecidable: When", ready, unreleased, by(model.CauseVolumesInUseStale)),
	row("restart-kubelet", "the replay does not fit", "undecidable: What holds the mount is not", ready, by(model.CauseUnmountStuck),
		func(i *Incident) { i.Asis.Ready = exactly(900) }),
	row("restart-kubelet", "over", "none: over sooner", ready, by(model.CauseUnmountStuck), released(140)),
	row("restart-kubelet", "not over", "undecidable: decides", ready, by(model.CauseUnmountStuck), released(139)),
	row("restart-kubelet", "fails", "undecidable: (3 times", ready, by(model.CauseUnmountStuck), saw(unmount("made", 3))),
	row("restart-kubelet", "fails once", "undecidable: (1 times", ready, by(model.CauseUnmountStuck), saw(unmount("made", 0))),
	row("find-mount-holder", "lost", "misfit: was lost"),
	row("find-mount-holder", "unknown", "undecidable: node-a was lost", unknown, by(model.CauseUnmountStuck)),
	row("find-mount-holder", "no cause", "misfit: hung", ready),
	row("find-mount-holder", "fails", "undecidable: do not say", ready, by(model.CauseUnmountStuck), saw(unmount("made", 1))),
	row("find-mount-holder", "busy", "fits: failed 2 times", ready, by(model.CauseUnmountStuck),
		saw(unmount("umount: /mnt/a: target is busy", 2))),
	row("find-mount-holder", "busy, unknown", "fits: holds /mnt/a", unknown, by(model.CauseUnmountStuck),
		saw(unmount("umount: /mnt/a: target is busy", 2))),
	row("keep-mounts-free", "lost", "misfit: was lost"),
	row("keep-mounts-free", "fails", "undecidable: do not say", ready, by(model.CauseUnmountStuck), saw(unmount("made", 1))),
	row("keep-mounts-free", "busy", "fits: else than the kubelet", ready, by(model.CauseUnmountStuck),
		saw(unmount("umount: /mnt/a: target is busy", 2))),
	row("restart-kubelet", "busy", "none: fails", ready, by(model.CauseUnmountStuck), saw(unmount("umount: /mnt/a: target is busy", 2))),
	row("restart-kubelet", "open", "undecidable: decides", ready, by(model.CauseControllerBug), opened),
	row("find-mount-holder", "no words", "undecidable: the kubelet's log", ready, by(model.CauseUnmountStuck)),
}

func named(old, fresh string) change {
	return of(func(c *wait.Case) { c.OldPods[0].Name, c.NewPods[0].Name = old, fresh })
}

func hashed(p *corev1.Pod) { p.Labels = map[string]string{"pod-template-hash": "7f9c6d5b8"} }

func released(seconds float64) change {
	return of(func(c *wait.Case) { c.Released = at(seconds) })
}

func unmount(words string, count int) *model.Observation {
	o := cases.Seen(200, model.Observation{Kind: model.UnmountFailed, Volume: cases.PV, Node: "node-a", Detail: words, Count: count})
	o.Last = o.At
	return o
}

func opened(i *Incident) { still(inf)(i) }

// whileMounted is said of the volume between its attach and Ready.
func whileMounted(kind model.Kind, words string) *model.Observation {
	return cases.Seen(495, model.Observation{Kind: kind, Volume: cases.PV, Detail: words})
}

// start is when the new pod was Ready, after an attach at 490 s.
func start(seconds float64) change {
	return of(func(c *wait.Case) {
		if c.Ready = at(490 + seconds); seconds == 0 {
			c.Ready = facts.Instant{}
		}
	})
}

var ofOthers = []rule{
	row("single-writer-replicas", "no", "misfit: not replicas"),
	row("single-writer-replicas", "shared", "fits", by(model.CauseSharedClaim)),
	row("shared-access-mode", "not known", "fits: other storage"),
	row("fsgroup-on-root-mismatch", "no pod", "undecidable: No copy"),
	row("fsgroup-on-root-mismatch", "none set", "misfit: sets no fsGroup", pods(alone, alone)),
	row("fsgroup-on-root-mismatch", "no group", "misfit: sets no fsGroup",
		pods(alone, func(p *corev1.Pod) { p.Spec.SecurityContext = &corev1.PodSecurityContext{} })),
	row("fsgroup-on-root-mismatch", "has it", "none: has it already", pods(alone, group(new(corev1.FSGroupChangeOnRootMismatch)))),
	row("fsgroup-on-root-mismatch", "always", "undecidable: Ready came 16 s after", pods(alone, group(new(corev1.FSGroupChangeAlways))), start(16)),
	row("fsgroup-on-root-mismatch", "not attached", "none: not attached yet", pods(alone, group(nil)), opened),
	row("fsgroup-on-root-mismatch", "quick", "none: came only 15 s", pods(alone, group(nil)), start(15)),
	row("fsgroup-on-root-mismatch", "slow", "undecidable: Ready came 16 s after", pods(alone, group(nil)), start(16)),
	row("fsgroup-on-root-mismatch", "said so", "fits: took long", pods(alone, group(nil)), start(15),
		saw(whileMounted(model.KubernetesEvent, changesOwner))),
	row("fsgroup-on-root-mismatch", "another event", "none: came only 15 s", pods(alone, group(nil)), start(15),
		saw(whileMounted(model.KubernetesEvent, "Pulled"))),
	row("fsgroup-on-root-mismatch", "no event", "none: came only 15 s", pods(alone, group(nil)), start(15),
		saw(whileMounted(model.MountFailed, changesOwner))),
	row("fsgroup-on-root-mismatch", "not Ready", "undecidable: How long", pods(alone, group(nil)), start(0)),
	row("recreate-new-pod", "before", "misfit: No pod waits", of(func(c *wait.Case) { c.Before = true })),
	row("recreate-new-pod", "no attach", "misfit: without an attach", opened, of(func(c *wait.Case) { c.DemandEnded = at(400) })),
	row("recreate-new-pod", "not attached", "none: not attached on the new node", opened),
	row("recreate-new-pod", "Ready", "none: came 16 s after", start(16)),
	row("recreate-new-pod", "not Ready", "none: The kubelet looks for the attachment several times", start(0)),
	row("earlier-alert", "fired never", "misfit: None of", alarm(Alarm{Tested: true})),
	row("earlier-alert", "over", "misfit: before an alert", alarm(Alarm{}), attached(119)),
	row("earlier-alert", "not over", "undecidable: No recorded act", alarm(Alarm{}), attached(120)),
	row("earlier-alert", "fired at 130 s", "misfit: before an alert", alarm(Alarm{Tested: true, Rule: "Made", At: at(130).At}), attached(129)),
	row("earlier-alert", "withheld", "undecidable: Withheld: ", alarm(Alarm{}), func(i *Incident) { i.Asis.Ready = exactly(900) }),
	row("earlier-alert", "done soon", "none: came before an alert would have helped.", alarm(Alarm{}), rated, did(replay.DeleteNode, 425)),
	row("earlier-alert", "done late", "fits: delete-node comes at 10:07:00 and not at 10:07:06", alarm(Alarm{}), rated,
		did(replay.DeleteNode, 426)),
	row("earlier-alert", "the first deed", "fits: out-of-service-taint comes at", alarm(Alarm{}), rated, did(replay.DeleteNode, 470),
		did(replay.TaintOutOfService, 460)),
	row("earlier-alert", "before the wait", "fits: fired at 09:59:30, 30 s before the wait began, by the metrics",
		alarm(Alarm{Tested: true, Rule: "Made", At: at(-30).At, Recorded: true}), rated, did(replay.DeleteNode, 470)),
	row("earlier-alert", "with its beginning", "fits: fired at 10:00:00, 0 s before the wait began",
		alarm(Alarm{Tested: true, Rule: "Made", At: at(0).At}), rated, did(replay.DeleteNode, 470)),
	row("earlier-alert", "after its beginning", "fits: fired at 10:00:30, 30 s after the wait began, by what kube",
		alarm(Alarm{Tested: true, Rule: "Made", At: at(30).At}), rated, did(replay.DeleteNode, 470)),
}

func alarm(a Alarm) change { return func(i *Incident) { i.Alarm = a } }

func attached(seconds float64) change {
	return of(func(c *wait.Case) { c.Attached, c.Ready = at(seconds), at(seconds) })
}

// rated is an incident of which every remedy was looked at.
func rated(i *Incident) { i.all, i.judged = all, make([]model.Remediation, len(all)) }
