package analyze

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// sentence says what an observation tells, in the words of the field.
func sentence(o *model.Observation) string {
	text := phraseOf(o)
	if s := countSentence(o); s != "" {
		text = s
	}
	if o.Source.Kind == model.SourceMetric && o.Last.At.After(o.At.At) {
		text += " until " + model.TimeOfDay(o.Last.At) // a state, seen at each scrape between
	} else if o.Count > 1 && o.Last.At.After(o.At.At) {
		text += fmt.Sprintf(" (%d times until %s)", o.Count, model.TimeOfDay(o.Last.At))
	} else if o.Count > 1 {
		text += fmt.Sprintf(" (%d times)", o.Count)
	}
	return text + by(o)
}

// by names who acted: what is known of the actor, and the account where that is another name.
func by(o *model.Observation) string {
	who := upstream.ActorOf(o.Actor, o.Agent)
	if who.Name == "" {
		return ""
	}
	text := " by " + who.Name
	if o.Actor != "" && !strings.Contains(who.Name, strings.TrimPrefix(o.Actor, "system:serviceaccount:")) {
		text += " (" + o.Actor + ")"
	}
	return text
}

func phraseOf(o *model.Observation) string {
	for _, f := range []func(*model.Observation) string{nodeSentence, podSentence, volumeSentence, claimSentence, attachmentSentence, controllerSentence} {
		if s := f(o); s != "" {
			return s
		}
	}
	return eventSentence(o)
}

func nodeSentence(o *model.Observation) string {
	n := "Node " + o.Node
	switch o.Kind {
	case model.NodeHeartbeat:
		return n + " was alive" + paren(o.Detail)
	case model.NodeHeartbeatMissed:
		return n + " has not been updated for " + words.Spelled(o.Detail)
	case model.NodeNotReady:
		return n + " is not Ready" + paren(o.Detail)
	case model.NodeReady:
		return n + " is Ready"
	case model.NodeTainted:
		return n + " is tainted " + o.Detail
	case model.NodeUntainted:
		return "taint " + o.Detail + " was taken from node " + o.Node
	case model.NodeSampledReady:
		return n + " was Ready at every scrape"
	case model.NodeSampledNotReady:
		return n + " was not Ready at any scrape" + paren(o.Detail)
	case model.NodeSampledTaints:
		return n + " had no other taints at any scrape than " + o.Detail
	case model.NodeCordoned:
		return n + " was cordoned"
	case model.NodeUncordoned:
		return n + " was uncordoned"
	case model.NodeDeleted:
		return nodeDeletedSentence(o, n)
	case model.NodeRegistered:
		return n + " was registered by the controller"
	case model.NodeRemovalRefused:
		return n + " was deleted, but its pods still want volumes there"
	case model.NodeHealthUnknown:
		return "the controller cannot look up the health of " + o.Node
	case model.NodeOutOfService:
		return n + " carries the out-of-service taint, says the attach/detach controller"
	case model.KubeletUnwell:
		return "the kubelet of " + cmp.Or(o.Node, "an unnamed node") + " does nothing for its pods" + paren(o.Detail)
	case model.KubeletStarted:
		return "the kubelet" + of(o.Node) + " has started, and knows again which volumes are mounted"
	case model.KubeletPaused:
		return "the kubelet of " + cmp.Or(o.Node, "an unnamed node") + " had not looked at its containers since then, and is the process that it was"
	case model.KubeletCutOff:
		return "the kubelet of " + cmp.Or(o.Node, "an unnamed node") + " works and does not reach the API server" + paren(o.Detail)
	case model.ZoneState:
		return "zone state: " + o.Detail
	}
	return ""
}

// nodeDeletedSentence says by whom or by whose word: only the request itself is the deletion.
func nodeDeletedSentence(o *model.Observation, n string) string {
	switch {
	case o.Source.Kind == model.SourceAudit:
		return n + " was deleted"
	case upstream.AnnouncesNodeDeletion(o.Component):
		return "the cloud node lifecycle controller deletes " + n
	}
	return cmp.Or(o.Component, "the controller") + " noticed that " + n + " was deleted"
}

// requested spells the grace period of a deletion.
func requested(detail string) string {
	if grace, ok := strings.CutPrefix(detail, "grace "); ok {
		return "grace " + words.Spelled(grace)
	}
	return detail
}

func podSentence(o *model.Observation) string {
	p := "pod " + o.Pod.String()
	switch o.Kind {
	case model.PodCreated:
		return p + " was created"
	case model.PodWaiting:
		return p + " waits for its containers to be created" + paren(o.Detail)
	case model.PodSampled:
		return p + " was on " + o.Node + " at every scrape"
	case model.PodSampledReady:
		return p + " was Ready at every scrape"
	case model.PodScheduled:
		return p + " was scheduled to " + o.Node
	case model.PodSchedulingFailed:
		return p + " could not be scheduled" + paren(o.Detail)
	case model.PodDeletionRequested:
		return "deletion of " + p + " was requested" + paren(requested(o.Detail))
	case model.PodEvictionDecided:
		return "eviction of " + p + paren(o.Detail)
	case model.PodEvictionCancelled:
		return "eviction of " + p + " was cancelled"
	case model.PodForceDeleting:
		return "pod GC force-deletes " + p
	case model.PodForceDeleted:
		return "pod GC force-deleted " + p
	case model.PodOrphaned:
		return p + " is orphaned: its node is gone"
	case model.PodFinished:
		return p + " finished" + paren(o.Detail)
	case model.PodContainersStopped:
		return "all containers of " + p + " have stopped"
	case model.PodGone:
		return p + " is gone"
	case model.PodReady:
		return p + " is Ready"
	case model.PodNotReady:
		return p + " is not Ready" + paren(o.Detail)
	case model.PodKilling:
		return "the kubelet stops " + p
	case model.MountFailed:
		return "the kubelet could not mount for " + p + paren(o.Detail)
	case model.PodRunning:
		return "all containers of " + p + " run, reported the kubelet"
	case model.ContainerDied:
		return "a container of " + p + " has ended, says the kubelet"
	case model.AttachSeen, model.MountSucceeded, model.UnmountSucceeded:
		return mountSentence(o)
	case model.UnmountFailed:
		return unmountFailed(o)
	case model.WorkloadScaled:
		return o.Object.String() + ": " + cmp.Or(o.Detail, "scaled")
	case model.WorkloadChanged:
		if o.Detail == "restart" {
			return o.Object.String() + ": restart of the rollout"
		}
		return o.Object.String() + ": " + cmp.Or(o.Detail, "pod template changed")
	case model.ReplicaCreated:
		return strings.TrimSpace(o.Owner.String() + " created " + p)
	case model.ReplicaDeleted:
		return strings.TrimSpace(o.Owner.String() + " deleted " + p)
	}
	return ""
}

// unmountFailed says why an unmount failed: what the driver answered, without the names of the volume before it.
func unmountFailed(o *model.Observation) string {
	if path, words, ok := upstream.BusyMount(o.Detail); ok {
		return "the kubelet" + of(o.Node) + " could not unmount " + path + ": " + words
	}
	return "the kubelet has not unmounted" + paren(upstream.Answer(o.Detail))
}

// mountSentence says what a kubelet has mounted or unmounted.
func mountSentence(o *model.Observation) string {
	verb := map[model.Kind]string{model.AttachSeen: " found attached ", model.MountSucceeded: " mounted ", model.UnmountSucceeded: " unmounted "}[o.Kind]
	s := "the kubelet" + of(o.Node) + verb + "volume " + volumeName(o.Volume)
	switch {
	case o.Detail == model.OfDevice:
		return s + " (the device)"
	case o.Pod.Name != "":
		return s + " for pod " + o.Pod.String()
	case o.Pod.UID != "":
		return s + " for the pod with UID " + o.Pod.UID
	}
	return s
}

func volumeSentence(o *model.Observation) string {
	v := "volume " + volumeName(o.Volume)
	switch o.Kind {
	case model.MultiAttach:
		return multiAttachSentence(o, v)
	case model.AttachStarted:
		return "attach of " + v + " to " + o.Node + " started"
	case model.AttachSucceeded:
		return "attach of " + v + to(o.Node) + " succeeded"
	case model.AttachFailed:
		return "attach of " + v + to(o.Node) + " failed" + paren(o.Detail)
	case model.DetachStarted:
		return "detach of " + v + " from " + o.Node + " started"
	case model.DetachForcedTimeout:
		return "detach of " + v + " from " + o.Node + " forced: " + words.Spelled(cmp.Or(o.Detail, upstream.MaxWaitForUnmount.String())) + " expired without an unmount"
	case model.DetachForcedTaint:
		return "detach of " + v + " from " + o.Node + " forced: out-of-service taint"
	case model.DetachVerifiedSafe:
		return "detach of " + v + " from " + o.Node + " verified as safe"
	case model.DetachSafetySkipped:
		return "detach of " + v + " from " + o.Node + ": no safety check, the Node object is gone"
	case model.DetachSucceeded:
		return "detach of " + v + " from " + o.Node + " succeeded"
	case model.DetachFailed:
		return "detach of " + v + " from " + o.Node + " failed" + paren(o.Detail)
	case model.DetachRefusedInUse:
		return "detach of " + v + " from " + o.Node + " refused: the node still lists it in use"
	case model.DetachTimerStarted:
		return v + " is no longer wanted on " + o.Node + "; the timer of six minutes starts"
	case model.DetachStillMounted:
		return v + " cannot be detached from " + o.Node + ": still mounted"
	case model.ForceDetachDisabled:
		return v + " stays on " + o.Node + ": forced detach is disabled"
	case model.OperationTimeout:
		return cmp.Or(o.Detail, "operation") + " of " + v + to(o.Node) + " timed out waiting for the attacher"
	case model.VolumeMarkedDetached:
		return v + " is no longer attached to " + o.Node + ", found by the controller's sync"
	case model.VolumeMounted:
		return v + " is in a mount table"
	case model.VolumeUncertain:
		return v + " on " + o.Node + " is uncertain to the new controller"
	}
	return ""
}

func multiAttachSentence(o *model.Observation, v string) string {
	s := "Multi-Attach: " + v
	if o.Node != "" {
		s += " is wanted on " + o.Node
	}
	switch {
	case len(o.Pods) > 0:
		var pods []string
		for _, p := range o.Pods {
			pods = append(pods, p.String())
		}
		s += ", used by " + strings.Join(pods, ", ")
	case o.Variant == model.ExclusivelyAttached:
		s += ", exclusively attached"
	}
	if len(o.Holders) > 0 {
		s += " on " + strings.Join(o.Holders, ", ")
	}
	return s
}

func claimSentence(o *model.Observation) string {
	switch o.Kind {
	case model.ProvisionFailed:
		return "no volume for claim " + o.Claim.String() + paren(o.Detail)
	case model.ProvisionWaits:
		return "claim " + o.Claim.String() + " waits for its provisioner"
	case model.ResizeFailed:
		if o.Claim.Name == "" {
			return "the kubelet could not expand a volume of pod " + o.Pod.String() + paren(o.Detail)
		}
		return "claim " + o.Claim.String() + " could not be expanded" + paren(o.Detail)
	case model.ResizePending:
		return "the back end has expanded " + expanded(o) + paren(o.Detail)
	case model.ReclaimFailed:
		return "volume " + volumeName(o.Volume) + " could not be deleted" + paren(o.Detail)
	}
	return ""
}

// expanded names what an expansion is of, as far as its source does.
func expanded(o *model.Observation) string {
	switch {
	case o.Claim.Name != "":
		return "the volume of claim " + o.Claim.String()
	case !o.Volume.IsZero():
		return "volume " + volumeName(o.Volume)
	}
	return "a volume that is not named"
}

func attachmentSentence(o *model.Observation) string {
	a := "VolumeAttachment " + shortAttachment(o.Attachment) + on(o.Node)
	switch o.Kind {
	case model.AttachmentCreated:
		return a + " was created"
	case model.AttachmentDeletionRequested:
		return "deletion of " + a + " was requested"
	case model.AttachmentGone:
		return a + " is gone"
	case model.AttachmentAttached:
		return a + " is attached"
	case model.AttachmentSampled:
		return a + " was attached at every scrape"
	case model.AttachmentAttachError:
		return a + " has an attach error" + paren(o.Detail)
	case model.AttachmentDetachError:
		return a + " has a detach error" + paren(o.Detail)
	case model.AttachmentDrift:
		return a + ": status and back end disagree"
	case model.AttachmentStuckDeleting:
		return a + " is being deleted while an attach waits for it"
	case model.AttachmentCheckFailed:
		return "the controller's check of " + a + " failed" + paren(o.Detail)
	case model.AttacherAttaching, model.AttacherAttached, model.AttacherDetaching, model.AttacherDetached, model.AttacherFailed:
		return callSentence(o, a)
	case model.AttacherStarted:
		return "the external-attacher started"
	}
	return ""
}

// callSentence says what the external-attacher, or the driver that it called, tells of one call.
func callSentence(o *model.Observation, attachment string) string {
	who := "the attacher "
	if o.Attachment == "" {
		who, attachment = "the CSI driver ", "volume "+volumeName(o.Volume)+on(o.Node)
	}
	switch o.Kind {
	case model.AttacherAttaching:
		return who + "attaches " + attachment
	case model.AttacherAttached:
		return who + "attached " + attachment
	case model.AttacherDetaching:
		return who + "detaches " + attachment
	case model.AttacherDetached:
		return who + "detached " + attachment
	}
	return who + "failed on " + attachment + paren(o.Detail)
}

func controllerSentence(o *model.Observation) string {
	who := cmp.Or(o.Component, "a controller")
	switch o.Kind {
	case model.LeaderWaiting:
		return who + " waits for leadership"
	case model.LeaderAcquired:
		return who + " became leader" + paren(o.Detail)
	case model.LeaderLost:
		return who + " lost leadership"
	case model.ControllerStarted:
		return "the attach/detach controller started"
	case model.ControllerStopped:
		return "the attach/detach controller stopped"
	case model.NodeDenied:
		return "the API server refused the kubelet of " + o.Node + paren(o.Detail)
	case model.ProcessVersion:
		return who + " is version " + o.Detail
	case model.ProcessFlag:
		if reconstruct.Configured(o) {
			return who + " is configured with " + o.Detail
		}
		return who + " runs with " + o.Detail
	}
	return ""
}

func eventSentence(o *model.Observation) string {
	about := o.Object
	if about.Name == "" {
		about = o.Pod
	}
	return strings.TrimSpace(fmt.Sprintf("%s of %s %s", cmp.Or(o.Detail, "event"), strings.ToLower(cmp.Or(about.Kind, "object")), about))
}
