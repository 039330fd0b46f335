package reconstruct

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Deed is what an action did.
type Deed string

// The deeds. A forced deletion has a grace period of zero: the API server forgets the pod whether or not it has stopped.
const (
	ForceDeletedPod     Deed = "force-deleted-pod"
	DeletedPod          Deed = "deleted-pod"
	EvictedPod          Deed = "evicted-pod" // through the eviction API, as a drain does
	DeletedAttachment   Deed = "deleted-attachment"
	RemovedFinalizer    Deed = "removed-finalizer" // the last one of a VolumeAttachment that is being deleted
	TaintedOutOfService Deed = "tainted-out-of-service"
	RemovedOutOfService Deed = "removed-out-of-service"
	DeletedNode         Deed = "deleted-node"
	Cordoned            Deed = "cordoned"
	Uncordoned          Deed = "uncordoned"
	Scaled              Deed = "scaled"
	ChangedTemplate     Deed = "changed-template" // a new pod template, which begins a rollout
	Restarted           Deed = "restarted"        // kubectl rollout restart
	StartedAttacher     Deed = "started-attacher" // an external-attacher began to work
)

// Action is something that a person or a controller did to an object of a case. At has the witnesses; it is derived when
// no source tells of the action itself.
type Action struct {
	What     Deed
	Object   model.Ref
	At       Instant
	By       string      // for a sentence; empty when nothing tells who it was
	ByPerson model.Truth // Unknown also where a person and a script look alike
	Detail   string      // number of replicas, grace period: see the deed
	Inferred bool        // no source tells of the action; the Rule of At says how it follows
}

// Actions are what was done to the pods, the old and the wanted node, the VolumeAttachments and the workload of a case, in
// the order of time. An action that several sources tell of is one.
func Actions(c *Case) []Action {
	var out []Action
	for n, told := range [][]Action{c.toldActions(fromAudit), c.toldActions(notFromAudit), inferred(c)} {
		for _, a := range told {
			a.Inferred = n == 2
			out = addAction(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b Action) int { return a.At.At.Compare(b.At.At) })
	return out
}

// sameAction bounds how far apart two sources tell of one action: a decided eviction waits in a queue before its call.
const sameAction = evictionQueue

// addAction joins an action with an earlier one of the list that is the same. What is known of who did it stays.
func addAction(list []Action, a Action) []Action {
	if !a.At.Known() {
		return list
	}
	for i := range list {
		b := &list[i]
		forced := b.What == ForceDeletedPod && a.What == DeletedPod && a.At.Basis == model.Derived // an object shows the last grace period only
		if b.What != a.What && !forced || !b.Object.Is(a.Object) || !near(a.At, b.At) {
			continue
		}
		if a.What == Scaled && a.Detail != b.Detail && a.Detail != "" && b.Detail != "" {
			continue
		}
		if b.By != "" && a.By != "" && a.By != b.By && a.ByPerson != model.Unknown && b.ByPerson != model.Unknown {
			continue
		}
		b.Inferred = b.Inferred && a.Inferred
		if b.By == "" {
			b.By, b.ByPerson = a.By, a.ByPerson
		}
		b.At.Witness = unique(append(b.At.Witness[:len(b.At.Witness):len(b.At.Witness)], a.At.Witness...))
		return list
	}
	return append(list, a)
}

func near(a, b Instant) bool {
	return !a.Earliest.After(b.Latest.Add(sameAction)) && !b.Earliest.After(a.Latest.Add(sameAction))
}

func fromAudit(o *model.Observation) bool    { return o.Source.Kind == model.SourceAudit }
func notFromAudit(o *model.Observation) bool { return !fromAudit(o) }

// toldActions are the actions that sources tell of themselves.
func (c *Case) toldActions(test func(*model.Observation) bool) []Action {
	var out []Action
	for _, o := range c.touched() {
		if o.At.IsZero() || !test(o) || !c.inSpan(o) || c.mayEndIt(o) || c.mayEvict(o) {
			continue
		}
		if a, ok := actionOf(o); ok {
			out = append(out, a)
		}
	}
	return out
}

// mayEndIt reports that a deletion without grace, of which a controller's log tells no actor, may be the kubelet's own, with which it
// ends every deleted pod, or pod GC's. Of a pod on a lost node it is neither, unless the pod had finished, whose deletion has no
// grace whoever asks for it (CheckGracefulDelete, registry/core/pod), or the node was gone or tainted out of service.
func (c *Case) mayEndIt(o *model.Observation) bool {
	if o.Kind != model.PodDeletionRequested || o.Detail != graceless || !fromLog(o) {
		return false
	}
	before := func(i Instant) bool { return i.Known() && !i.Earliest.After(o.At.Latest) }
	return !c.isOldPod(o.Pod) || !c.lostAt(seen(o)) || before(c.OldPodFinished) || before(c.NodeGone) || before(c.OutOfService)
}

// mayEvict reports that the deletion of an old pod, of which only samples tell, may be that of the taint eviction: its node was lost.
func (c *Case) mayEvict(o *model.Observation) bool {
	return o.Kind == model.PodDeletionRequested && o.Source.Kind == model.SourceMetric && c.isOldPod(o.Pod) && c.lostAt(seen(o))
}

// touched are the observations about the objects of a case.
func (c *Case) touched() []*model.Observation {
	w := c.World
	list := slices.Concat(c.about(c.OldPods), c.about(c.NewPods))
	for _, name := range []string{c.Attachment.Name, c.next.Name} {
		list = append(list, w.byAttach[name]...)
	}
	for _, node := range []string{c.From, c.To} {
		list = append(list, where(w.byNode[node], func(o *model.Observation) bool { return isNode(o) && (o.Object.Kind == "Node" || o.Object.Kind == "") })...)
	}
	if c.Workload != nil {
		list = append(list, w.byWorkload[c.Workload.Key()]...)
	}
	list = append(list, w.byKind[model.AttacherStarted]...)
	list = unique(list)
	slices.SortStableFunc(list, (*model.Observation).Compare)
	return list
}

// actionOf reads an observation as an action; false when it is none.
func actionOf(o *model.Observation) (Action, bool) {
	who := upstream.ActorOf(o.Actor, o.Agent)
	a := Action{At: seen(o), By: who.Name, ByPerson: who.Person, Detail: o.Detail}
	switch o.Kind {
	case model.PodDeletionRequested, model.PodForceDeleting, model.PodForceDeleted, model.PodEvictionDecided, model.ReplicaDeleted:
		a.Object = o.Pod
		return podAction(o, a)
	case model.NodeTainted, model.NodeUntainted, model.NodeDeleted, model.NodeCordoned, model.NodeUncordoned:
		a.Object = model.Ref{Kind: "Node", Name: o.Node}
		return nodeAction(o, a)
	case model.AttachmentDeletionRequested, model.AttachmentGone:
		a.Object = model.Ref{Kind: "VolumeAttachment", Name: o.Attachment}
		a.What = DeletedAttachment
		if o.Kind == model.AttachmentGone {
			a.What = RemovedFinalizer
			return a, o.Detail == finalizerRemoved
		}
		return a, a.By != "" // without an actor it may be the controller's own detach
	case model.WorkloadScaled:
		a.What, a.Object = Scaled, o.Object
		// The Deployment controller's events and log lines are of ReplicaSets, which it scales in every rollout.
		return a, o.Source.Kind == model.SourceAudit || o.Source.Kind == model.SourceManifest
	case model.WorkloadChanged:
		a.What, a.Object = ChangedTemplate, o.Object
		if o.Detail == "restart" {
			a.What = Restarted
		}
		return a, true
	case model.AttacherStarted:
		a.What, a.Object = StartedAttacher, o.Object
		return a, true
	}
	return Action{}, false
}

// finalizerRemoved is the Detail of the end of a VolumeAttachment that the audit log shows as the change of its finalizers.
const finalizerRemoved = "last finalizer removed"

func podAction(o *model.Observation, a Action) (Action, bool) {
	a.What = DeletedPod
	switch o.Kind {
	case model.PodForceDeleting, model.PodForceDeleted:
		a.What, a.By, a.ByPerson = ForceDeletedPod, "pod GC", model.False
	case model.ReplicaDeleted:
		a.By, a.ByPerson = "the controller of "+o.Owner.String(), model.False
	case model.PodEvictionDecided:
		return disruption(o, a)
	case model.PodDeletionRequested:
		switch {
		case o.Detail == graceless:
			a.What = ForceDeletedPod
		case strings.HasPrefix(o.Detail, "eviction"):
			a.What = EvictedPod
		}
		if o.Actor == nodeController {
			a.By = taintEviction
		}
	}
	return a, true
}

// The taint eviction deletes pods under the account of the node lifecycle controller (1.13–1.36).
const (
	nodeController = "system:serviceaccount:kube-system:node-controller"
	taintEviction  = "taint eviction"
)

// disruption reads who decided a disruption: the log line and the event are those of the taint eviction, the condition
// has a reason (core/v1 PodReason…, 1.26–1.36).
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
	outOfService := strings.HasPrefix(o.Detail, upstream.OutOfServiceTaint)
	switch o.Kind {
	case model.NodeTainted:
		if strings.HasPrefix(o.Detail, unschedulableTaint) {
			a.What, a.By, a.ByPerson, a.Detail = Cordoned, "", model.Unknown, ""
			a.At = derived(a.At.Moment.Widen(time.Second, 0), "the controller taints a cordoned node at once", a.At.Witness...)
			return a, true
		}
		a.What = TaintedOutOfService
		return a, outOfService
	case model.NodeUntainted:
		a.What = RemovedOutOfService
		return a, outOfService
	case model.NodeCordoned:
		a.What = Cordoned
	case model.NodeUncordoned:
		a.What = Uncordoned
	default:
		a.What = DeletedNode
		return a, fromAudit(o) // what others report of it is not its time
	}
	return a, true
}

// unschedulableTaint is put on cordoned nodes by the node lifecycle controller.
const unschedulableTaint = "node.kubernetes.io/unschedulable="
