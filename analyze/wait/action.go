package wait

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ActionKind is what an action did.
type ActionKind string

// The kinds. With a grace period of zero the API server forgets a pod whether or not it has stopped.
const (
	ForceDeletedPod     ActionKind = "force-deleted-pod"
	DeletedPod          ActionKind = "deleted-pod"
	EvictedPod          ActionKind = "evicted-pod" // through the eviction API, as a drain does
	DeletedAttachment   ActionKind = "deleted-attachment"
	RemovedFinalizer    ActionKind = "removed-finalizer" // the last one of a VolumeAttachment that is being deleted
	TaintedOutOfService ActionKind = "tainted-out-of-service"
	RemovedOutOfService ActionKind = "removed-out-of-service"
	TaintedNoExecute    ActionKind = "tainted-no-execute" // with a key of one's own; Detail is the taint
	DeletedNode         ActionKind = "deleted-node"
	Cordoned            ActionKind = "cordoned"
	Uncordoned          ActionKind = "uncordoned"
	Scaled              ActionKind = "scaled"
	ChangedTemplate     ActionKind = "changed-template" // a new pod template, which begins a rollout
	ChangedStrategy     ActionKind = "changed-strategy" // how a rollout replaces pods
	Restarted           ActionKind = "restarted"        // kubectl rollout restart
	Paused              ActionKind = "paused"           // a rollout, or resumed; see Detail
	StartedAttacher     ActionKind = "started-attacher" // an external-attacher began to work
	StoppedMachine      ActionKind = "stopped-machine"  // asked the cloud for the end of a machine; likewise the others
	StartedMachine      ActionKind = "started-machine"
	AttachedDisk        ActionKind = "attached-disk"
	DetachedDisk        ActionKind = "detached-disk"
)

// Action is something that a person or a controller did to an object of a case. At has the witnesses.
type Action struct {
	What     ActionKind
	Object   model.Ref
	At       facts.Instant
	By       string      // for a sentence; empty when not known
	ByPerson model.Truth // Unknown also where a person and a script look alike
	Detail   string      // number of replicas, grace period: see the kind
	Inferred bool        // no source reports the action; the Rule of At says how it follows
}

// cloudController is who deletes the Node of a machine that the cloud has no more.
const cloudController = "the cloud node lifecycle controller"

// CloudRemoved reports that an action is the deletion of a Node because the cloud had no such machine any more. Autoscalers delete Nodes, too.
func (a Action) CloudRemoved() bool { return a.What == DeletedNode && a.By == cloudController }

// Actions are what was done to the pods, nodes, VolumeAttachments and workload of a case, by time; one if several sources report it.
func Actions(c *Case) []Action {
	var out []Action
	for n, list := range [][]Action{c.reportedActions(facts.FromAudit), c.reportedActions(notFromAudit), inferred(c)} {
		for _, a := range list {
			a.Inferred = n == 2
			out = addAction(out, a)
		}
	}
	// Of one second, a Node's come first: a drain cordons before it evicts. Else the order of the files would decide.
	slices.SortStableFunc(out, func(a, b Action) int {
		return cmp.Or(a.At.At.Compare(b.At.At), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.What, b.What))
	})
	return out
}

// sameAction bounds how far apart two sources place one action: a decided eviction waits in a queue before its call.
const sameAction = evictionQueue

// addAction joins an action with an earlier one of the list that is the same. What is known of who did it stays.
func addAction(list []Action, a Action) []Action {
	if !a.At.Known() {
		return list
	}
	for i := range list {
		b := &list[i]
		if !b.sameAs(a) || !near(a.At, b.At) {
			continue
		}
		b.Inferred = b.Inferred && a.Inferred
		if b.By == "" {
			b.By, b.ByPerson = a.By, a.ByPerson
		}
		b.At.Witness = unique(slices.Concat(b.At.Witness, a.At.Witness))
		return list
	}
	return append(list, a)
}

// sameAs reports that an action may be another that was noted before, by what they did to what, and by whom.
func (a Action) sameAs(b Action) bool {
	forced := a.What == ForceDeletedPod && b.What == DeletedPod && b.At.Basis == model.Derived // an object shows the last grace period only
	if a.What != b.What && !forced || !a.Object.Is(b.Object) {
		return false
	}
	if a.What == Scaled && differ(a.Detail, b.Detail) {
		return false
	}
	known := a.ByPerson != model.Unknown && b.ByPerson != model.Unknown
	return !known || !differ(a.By, b.By)
}

// differ reports that two texts, where both are known, are not the same.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

func near(a, b facts.Instant) bool {
	return !a.Earliest.After(b.Latest.Add(sameAction)) && !b.Earliest.After(a.Latest.Add(sameAction))
}
func notFromAudit(o *model.Observation) bool { return !facts.FromAudit(o) }

// reportedActions are the actions that sources report themselves.
func (c *Case) reportedActions(test func(*model.Observation) bool) []Action {
	var out []Action
	for _, o := range c.touched() {
		if o.At.IsZero() || !test(o) || !c.inSpan(o) {
			continue
		}
		if a, ok := actionOf(o); ok && !c.mayEndIt(o) && !c.mayEvict(o) {
			out = append(out, a)
		}
	}
	return out
}

// mayEndIt reports that a deletion without grace, of which a controller's log names no actor, may be the kubelet's own, with which it
// ends every deleted pod, or pod GC's. Of a pod on a lost node it is neither, unless the pod had finished (CheckGracefulDelete,
// registry/core/pod), or the node was gone or tainted out of service.
func (c *Case) mayEndIt(o *model.Observation) bool {
	if o.Kind != model.PodDeletionRequested || o.Detail != graceless || !fromLog(o) {
		return false
	}
	if !c.isOldPod(o.Pod) || !c.lostAt(seen(o)) {
		return true
	}
	return slices.ContainsFunc([]facts.Instant{c.OldPodFinished, c.NodeGone, c.OutOfService}, func(i facts.Instant) bool {
		return i.Known() && !i.Earliest.After(o.At.Latest)
	})
}

// mayEvict reports that the deletion of an old pod, which only samples show, may be that of the taint eviction: its node was lost.
func (c *Case) mayEvict(o *model.Observation) bool {
	sampled := o.Kind == model.PodDeletionRequested && facts.FromMetric(o)
	return sampled && c.isOldPod(o.Pod) && c.lostAt(seen(o))
}

// touched are the observations about the objects of a case.
func (c *Case) touched() []*model.Observation {
	w := c.World
	list := slices.Concat(c.about(c.OldPods), c.about(c.NewPods), w.ByAttach[c.Attachment.Name], w.ByAttach[c.next.Name])
	ofNode := func(o *model.Observation) bool {
		return facts.IsNode(o) && (o.Object.Kind == "Node" || o.Object.Kind == "")
	}
	for _, node := range []string{c.From, c.To} {
		list = append(list, facts.Where(w.ByNode[node], ofNode)...)
	}
	if c.Workload != nil {
		list = append(list, w.ByWorkload[c.Workload.Key()]...)
	}
	return inOrder(slices.Concat(list, w.ByKind[model.AttacherStarted], c.cloudActs()))
}

// actionKinds are the actions that a statement of a kind reports, unless its words say otherwise.
var actionKinds = map[model.Kind]ActionKind{
	model.PodDeletionRequested: DeletedPod, model.PodEvictionDecided: DeletedPod, model.ReplicaDeleted: DeletedPod,
	model.PodForceDeleting: ForceDeletedPod, model.PodForceDeleted: ForceDeletedPod,
	model.NodeTainted: TaintedOutOfService, model.NodeUntainted: RemovedOutOfService, model.NodeDeleted: DeletedNode,
	model.NodeCordoned: Cordoned, model.NodeUncordoned: Uncordoned,
	model.AttachmentDeletionRequested: DeletedAttachment, model.AttachmentGone: RemovedFinalizer,
	model.WorkloadScaled: Scaled, model.WorkloadChanged: ChangedTemplate,
	model.StrategyChanged: ChangedStrategy, model.AttacherStarted: StartedAttacher,
	model.MachineStopRequested: StoppedMachine, model.MachineStartRequested: StartedMachine,
	model.DiskAttachRequested: AttachedDisk, model.DiskDetachRequested: DetachedDisk,
}

// actionOf reads an observation as an action; false when it is none.
func actionOf(o *model.Observation) (Action, bool) {
	who := upstream.ActorOf(o.Actor, o.Agent)
	a := Action{What: actionKinds[o.Kind], Object: o.Object, At: seen(o), By: who.Name, ByPerson: who.Person, Detail: o.Detail}
	switch a.What {
	case DeletedPod, ForceDeletedPod:
		a.Object = o.Pod
		return podAction(o, a)
	case TaintedOutOfService, RemovedOutOfService, DeletedNode, Cordoned, Uncordoned:
		a.Object = model.Ref{Kind: "Node", Name: o.Node}
		return nodeAction(o, a)
	case DeletedAttachment:
		a.Object = model.Ref{Kind: "VolumeAttachment", Name: o.Attachment}
		return a, a.By != "" // without an actor it may be the controller's own detach
	case RemovedFinalizer:
		a.Object = model.Ref{Kind: "VolumeAttachment", Name: o.Attachment}
		return a, o.Detail == finalizerRemoved
	case Scaled:
		// The Deployment controller's events and log lines are of ReplicaSets, which it scales in every rollout.
		return a, facts.FromAudit(o) || o.Source.Kind == model.SourceManifest
	case ChangedTemplate:
		if o.Detail == "restart" {
			a.What = Restarted
		} else if strings.HasPrefix(o.Detail, "rollout ") {
			a.What = Paused
		}
	}
	return a, a.What != ""
}

// finalizerRemoved is the Detail of the end of a VolumeAttachment that the audit log shows as the change of its finalizers.
const finalizerRemoved = "last finalizer removed"

func podAction(o *model.Observation, a Action) (Action, bool) {
	switch {
	case a.What == ForceDeletedPod:
		a.By, a.ByPerson = "pod GC", model.False
	case o.Kind == model.ReplicaDeleted:
		a.By, a.ByPerson = "the controller of "+o.Owner.String(), model.False
	case o.Kind == model.PodEvictionDecided:
		return disruption(o, a)
	case o.Detail == graceless:
		a.What = ForceDeletedPod
	case strings.HasPrefix(o.Detail, "eviction"):
		a.What = EvictedPod
	}
	if o.Kind == model.PodDeletionRequested && o.Actor == nodeController {
		a.By = taintEviction
	}
	return a, true
}

// The taint eviction deletes pods under the account of the node lifecycle controller (1.13–1.36).
const (
	nodeController = "system:serviceaccount:kube-system:node-controller"
	taintEviction  = "taint eviction"
)

// disruption reads who decided a disruption: taint eviction, or what the condition's reason names (core/v1 PodReason…, 1.26–1.36).
func disruption(o *model.Observation, a Action) (Action, bool) {
	a.ByPerson = model.False
	switch o.Detail {
	case "DeletionByPodGC":
		a.What, a.By = ForceDeletedPod, "pod GC"
	case "EvictionByEvictionAPI":
		a.What, a.By, a.ByPerson = EvictedPod, "", model.Unknown
	case "PreemptionByScheduler", "PreemptionByKubeScheduler":
		a.By = "the scheduler"
	case "TerminationByKubelet":
		return a, false // it ends the pod and deletes nothing
	default:
		a.By = taintEviction
	}
	return a, true
}

func nodeAction(o *model.Observation, a Action) (Action, bool) {
	switch {
	case o.Kind == model.NodeTainted && strings.HasPrefix(o.Detail, unschedulableTaint):
		a.What, a.By, a.ByPerson, a.Detail = Cordoned, "", model.Unknown, ""
		a.At = derived(a.At.Moment.Widen(time.Second, 0), "the controller taints a cordoned node at once", a.At.Witness...)
	case o.Kind == model.NodeTainted && strings.HasSuffix(o.Detail, ":NoExecute") && !strings.HasPrefix(o.Detail, "node.kubernetes.io/"):
		a.What = TaintedNoExecute
	case a.What == TaintedOutOfService, a.What == RemovedOutOfService:
		return a, strings.HasPrefix(o.Detail, upstream.OutOfServiceTaint)
	case a.What == DeletedNode:
		return a, facts.FromAudit(o) // what others report of it is not its time
	}
	return a, true
}

// unschedulableTaint is put on cordoned nodes by the node lifecycle controller.
const unschedulableTaint = "node.kubernetes.io/unschedulable="
