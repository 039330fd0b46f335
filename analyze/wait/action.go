package wait

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// ActionKind is what an action did.
type ActionKind string

// The kinds. With a grace period of zero the API server forgets a pod whether or not it has stopped.
const (
	ForceDeletedPod     ActionKind = "force-deleted-pod"
	DeletedPod          ActionKind = "deleted-pod"
	RefusedEviction     ActionKind = "refused-eviction" // by a PodDisruptionBudget
	EvictedPod          ActionKind = "evicted-pod"      // through the eviction API, as a drain does
	DeletedAttachment   ActionKind = "deleted-attachment"
	EditedAttachment    ActionKind = "edited-attachment" // of a VolumeAttachment; Detail is what
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
	RolledBack          ActionKind = "rolled-back"      // kubectl rollout undo
	Paused              ActionKind = "paused"           // a rollout, or resumed; see Detail
	StartedAttacher     ActionKind = "started-attacher" // an external-attacher began to work
	StoppedMachine      ActionKind = "stopped-machine"  // asked the cloud for the end of a machine; likewise the others
	StartedMachine      ActionKind = "started-machine"
	AttachedDisk        ActionKind = "attached-disk"
	DetachedDisk        ActionKind = "detached-disk"
	Typed               ActionKind = "typed" // a command of which nothing shows what it did; Detail is it
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
	reported := c.reportedActions()
	unaudited := func(a Action) bool { return !facts.FromAudit(a.At.Witness[0]) }
	for _, a := range slices.Concat(slices.DeleteFunc(slices.Clone(reported), unaudited), facts.Where(reported, unaudited)) {
		out = addAction(out, a)
	}
	for _, a := range inferred(c) {
		a.Inferred = true
		out = addAction(out, a)
	}
	// Of one second, a Node's come first: a drain cordons before it evicts. A session shows its own order.
	slices.SortStableFunc(out, func(a, b Action) int {
		first, second := a.At.Witness[0].Source, b.At.Witness[0].Source
		return cmp.Or(a.At.At.Compare(b.At.At), cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(first.Path, second.Path),
			cmp.Compare(first.Line, second.Line), cmp.Compare(a.What, b.What))
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
	if slices.Contains([]ActionKind{Scaled, Typed, EditedAttachment}, a.What) && words.Differ(a.Detail, b.Detail) {
		return false
	}
	known := a.ByPerson != model.Unknown && b.ByPerson != model.Unknown
	return !known || !words.Differ(a.By, b.By)
}

func near(a, b facts.Instant) bool {
	return !a.Earliest.After(b.Latest.Add(sameAction)) && !b.Earliest.After(a.Latest.Add(sameAction))
}

// reportedActions are the actions that sources report themselves.
func (c *Case) reportedActions() []Action {
	var out []Action
	for _, o := range c.touched() {
		if o.At.IsZero() || !c.inSpan(o) {
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
	list = append(list, c.edited()...)
	for _, kind := range typedKinds {
		list = append(list, facts.Where(w.ByKind[kind], c.typedFor)...)
	}
	if c.Workload != nil {
		list = append(list, w.ByWorkload[c.Workload.Key()]...)
	}
	return inOrder(slices.Concat(list, w.ByKind[model.AttacherStarted], c.cloudActs()))
}

// reading is what a statement of a kind reports, if its Detail begins with some words.
type reading struct {
	kind  model.Kind
	words string
	what  ActionKind // "" for none
	to    func(*model.Observation) model.Ref
	by    string // the program that does it; "" where the statement says who did
	only  func(*model.Observation) bool
}

// What a statement of an action is about.
func ofPod(o *model.Observation) model.Ref    { return o.Pod }
func ofNode(o *model.Observation) model.Ref   { return model.Ref{Kind: "Node", Name: o.Node} }
func ofObject(o *model.Observation) model.Ref { return o.Object }
func ofAttachment(o *model.Observation) model.Ref {
	return model.Ref{Kind: "VolumeAttachment", Name: o.Attachment}
}

// The taint eviction deletes pods under the account of the node lifecycle controller (1.13–1.36), which puts unschedulableTaint on cordoned
// nodes. finalizerRemoved is the Detail of the end of a VolumeAttachment that the audit log shows as the change of its finalizers.
const (
	podGC              = "pod GC"
	nodeController     = "system:serviceaccount:kube-system:node-controller"
	taintEviction      = "taint eviction"
	unschedulableTaint = "node.kubernetes.io/unschedulable="
	finalizerRemoved   = "last finalizer removed"
)

// readings are the statements that report an action: the first of a kind whose words fit. A disruption has the reasons of core/v1
// PodReason… (1.26–1.36).
var readings = []reading{
	{model.PodDeletionRequested, graceless, ForceDeletedPod, ofPod, "", nil},
	{model.PodDeletionRequested, "eviction", EvictedPod, ofPod, "", nil},
	{model.PodDeletionRequested, "", DeletedPod, ofPod, "", nil},
	{model.EvictionRefused, "", RefusedEviction, ofPod, "the API server", nil},
	{model.PodEvictionDecided, "DeletionByPodGC", ForceDeletedPod, ofPod, podGC, nil},
	{model.PodEvictionDecided, "EvictionByEvictionAPI", EvictedPod, ofPod, "", nil},
	{model.PodEvictionDecided, "Preemption", DeletedPod, ofPod, "the scheduler", nil},
	{model.PodEvictionDecided, "TerminationByKubelet", "", ofPod, "", nil}, // it ends the pod and deletes nothing
	{model.PodEvictionDecided, "", DeletedPod, ofPod, taintEviction, nil},
	{model.PodForceDeleting, "", ForceDeletedPod, ofPod, podGC, nil},
	{model.PodForceDeleted, "", ForceDeletedPod, ofPod, podGC, nil},
	{model.ReplicaDeleted, "", DeletedPod, ofPod, "the controller of ", nil},
	{model.NodeTainted, unschedulableTaint, Cordoned, ofNode, "", nil},
	{model.NodeTainted, upstream.OutOfServiceTaint, TaintedOutOfService, ofNode, "", nil},
	{model.NodeTainted, "node.kubernetes.io/", "", ofNode, "", nil},
	{model.NodeTainted, "", TaintedNoExecute, ofNode, "", func(o *model.Observation) bool { return strings.HasSuffix(o.Detail, ":NoExecute") }},
	{model.NodeUntainted, upstream.OutOfServiceTaint, RemovedOutOfService, ofNode, "", nil},
	{model.NodeDeleted, "", DeletedNode, ofNode, "", requested}, // what others report of it is not its time
	{model.NodeCordoned, "", Cordoned, ofNode, "", nil},
	{model.NodeUncordoned, "", Uncordoned, ofNode, "", nil},
	{model.AttachmentDeletionRequested, "", DeletedAttachment, ofAttachment, "", actedBy}, // else it may be the controller's own detach
	{model.AttachmentEdited, "", EditedAttachment, ofAttachment, "", nil},
	{model.AttachmentGone, finalizerRemoved, RemovedFinalizer, ofAttachment, "", nil},
	// The Deployment controller's events and log lines are of ReplicaSets, which it scales in every rollout.
	{model.WorkloadScaled, "", Scaled, ofObject, "", func(o *model.Observation) bool { return requested(o) || o.Source.Kind == model.SourceManifest }},
	{model.WorkloadChanged, "restart", Restarted, ofObject, "", nil},
	{model.WorkloadChanged, "rolled back", RolledBack, ofObject, "", nil},
	{model.WorkloadChanged, "rollout ", Paused, ofObject, "", nil},
	{model.WorkloadChanged, "", ChangedTemplate, ofObject, "", nil},
	{model.CommandTyped, "", Typed, ofObject, "", nil}, {model.CommandWritten, "", Typed, ofObject, "", nil},
	{model.StrategyChanged, "", ChangedStrategy, ofObject, "", nil},
	{model.AttacherStarted, "", StartedAttacher, ofObject, "", nil},
	{model.MachineStopRequested, "", StoppedMachine, ofObject, "", nil},
	{model.MachineStartRequested, "", StartedMachine, ofObject, "", nil},
	{model.DiskAttachRequested, "", AttachedDisk, ofObject, "", nil},
	{model.DiskDetachRequested, "", DetachedDisk, ofObject, "", nil},
}

func actedBy(o *model.Observation) bool { return upstream.ActorOf(o.Actor, o.Agent).Name != "" }

// actionOf reads an observation as an action; false when it is none.
func actionOf(o *model.Observation) (Action, bool) {
	n := slices.IndexFunc(readings, func(r reading) bool { return r.kind == o.Kind && strings.HasPrefix(o.Detail, r.words) })
	if n < 0 || readings[n].only != nil && !readings[n].only(o) {
		return Action{}, false
	}
	r, who := readings[n], upstream.ActorOf(o.Actor, o.Agent)
	a := Action{What: r.what, Object: r.to(o), At: seen(o), By: who.Name, ByPerson: who.Person, Detail: o.Detail}
	if r.by != "" {
		a.By, a.ByPerson = r.by, model.False
	}
	switch {
	case o.Kind == model.ReplicaDeleted:
		a.By += o.Owner.String()
	case o.Kind == model.PodDeletionRequested && o.Actor == nodeController:
		a.By = taintEviction
	case r.words == unschedulableTaint:
		a.By, a.ByPerson, a.Detail = "", model.Unknown, ""
		a.At = derived(o.At.Widen(time.Second, 0), "the controller taints a cordoned node at once", o)
	}
	return a, a.What != ""
}
